"""People of whom a night knows that nothing is due are passed over, and nobody who has something due."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.config import load_settings
from siliconfriend.errors import ModelUnavailable
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory import encryption
from siliconfriend.memory.changes import PutTrace
from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.night import quiet
from siliconfriend.night.report import NightReport
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, WordEmbedder
from siliconfriend.texts import Language
from tests.memory.stored import say
from tests.night.world import ADA, JUNE_5, XIAO, night_of, working_model

DAY = timedelta(days=1)
EVERYONE = {ADA, XIAO}


class WatchedStore(FileStore):
    """A store that tells whose memory was opened.

    Attributes:
        opened: whose.
    """

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.opened: set[Scope] = set()

    def load(self, scope: Scope) -> PersonMemory:
        """The newest snapshot."""
        self.opened.add(scope)
        return super().load(scope)


class House:
    """A data directory of two people who are quiet, and nights over it, each a program of its own.

    Attributes:
        home: the directory.
        now: the moment of the next night.
        opened: whose memory the last night opened.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.now = JUNE_5
        self.opened: set[Scope] = set()
        _settle(home, ADA, "en", "I planted beans.")
        _settle(home, XIAO, "cn", "我种了豆子。")
        self.night()
        self.night()

    def night(
        self,
        settings: dict[str, Any] | None = None,
        parts: dict[str, Any] | None = None,
        **how: Any,
    ) -> NightReport:
        """Run the night of the next day."""
        self.now += DAY
        chosen: dict[str, Any] = {"embedding": "none", "timezone": "UTC", **(settings or {})}
        store = WatchedStore(self.home)
        report = night_of(
            Runtime(
                load_settings(home=self.home, environ={}, **chosen),
                MovingClock(self.now),
                store=store,
                **(parts or {}),
            ),
            **how,
        )
        self.opened = store.opened
        return report

    def runtime(self) -> Runtime:
        """The parts of a program over the directory."""
        settings = load_settings(home=self.home, environ={}, embedding="none", timezone="UTC")
        return Runtime(settings, MovingClock(self.now))

    def forget_notes(self) -> None:
        """Let the next night look at everyone."""
        installation_in(self.home).tables.change(
            "UPDATE night_person SET quiet = NULL, conditions = NULL"
        )

    def folder(self, scope: Scope = ADA) -> Path:
        """Where somebody's files lie."""
        return FileStore(self.home).folder(scope)

    def say(self, scope: Scope = ADA, *, at: datetime) -> None:
        """Somebody says something."""
        say(FileStore(self.home), "It rained.", scope, now=at)


def _settle(home: Path, scope: Scope, language: Language, said: str) -> None:
    history = {"2026-06-03": [{"query": said, "response": "…"}]}
    bank = {scope.person: {"name": scope.person, "history": history}}
    import_bank(FileStore(home), bank, language=language, zone=ZoneInfo("UTC"), now=JUNE_5)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def people_of(report: NightReport) -> list[dict[str, Any]]:
    """What a report says of each person, and the moment that it was for."""
    return [{**person.to_json(), "now": person.now} for person in report.people]


def test_who_talked_is_opened_and_nobody_else(house: House) -> None:
    house.say(at=house.now + DAY / 2)
    report = house.night()
    assert house.opened == {ADA}
    assert report.people[0].summarised == ["2026-06-07"]


def test_a_day_that_is_not_over_is_looked_at_until_it_is(house: House) -> None:
    house.say(at=house.now + DAY)
    assert house.night().people[0].summarised == []
    assert house.night().people[0].summarised == ["2026-06-08"]


def test_midnight_is_the_persons_own(house: House) -> None:
    zone = ZoneInfo("Pacific/Kiritimati")  # 14 hours ahead: 3:00 UTC is 17:00 there
    person = Scope.of("Ben")
    store = FileStore(house.home)
    store.create(person, new_profile(person, language="en", timezone=str(zone), now=house.now))
    house.say(person, at=house.now + DAY / 2)
    dates = [house.night().people[1].summarised for _ in range(3)]
    assert dates == [[], ["2026-06-08"], []]


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: os.utime(folder / "memory.json", (1, 1)),
        lambda folder: os.utime(folder / "memory.sqlite", (1, 1)),
        lambda folder: (folder / "index.sqlite").unlink(),
        lambda folder: (
            shutil.copy2(folder / "memory.json", folder / "copy")
            and (folder / "copy").replace(folder / "memory.json")
        ),
    ],
    ids=["copy", "memory", "index gone", "copy of the same size and time"],
)
def test_whose_files_were_touched_is_opened(house: House, change: Callable[[Path], object]) -> None:
    change(house.folder())
    house.night()
    assert house.opened == {ADA}


@pytest.mark.parametrize(
    "how",
    [
        {"today": True},
        {"dry_run": True},
        {"users": ["Ada", "小林"]},
        {"stages": ["forget"]},
        {"allow_large": True},
        {"settings": {"policy": "memorybank"}},
        {"settings": {"language": "cn"}},
        {"parts": {"chat": working_model()}},
        {"parts": {"embedder": WordEmbedder()}},
    ],
    ids=lambda how: next(iter(how)),
)
def test_a_night_that_goes_another_way_opens_everyone(house: House, how: dict[str, Any]) -> None:
    house.night(**how)
    assert house.opened == EVERYONE


def test_a_change_of_the_program_opens_everyone(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quiet, "PROGRAM", tmp_path / "program")
    (tmp_path / "program" / "night").mkdir(parents=True)
    for words in ("ONE = 1\n", "ONE = 2.0\n"):
        (tmp_path / "program" / "night" / "run.py").write_text(words, "utf-8")
        house.night()
        assert house.opened == EVERYONE
        house.night()
        assert house.opened == set()


def _own_words(house: House) -> None:
    (house.home / "words.txt").write_text("硅友\n", "utf-8")


def _unfinished_job(house: House) -> None:
    installation_in(house.home).jobs.begin("erase", {"person": "Ada"})


def _clock_set_back(house: House) -> None:
    house.now -= 3 * DAY


def _last_passes_lost(house: House) -> None:
    installation_in(house.home).tables.change("UPDATE night_person SET last_pass = NULL")


@pytest.mark.parametrize(
    "happens", [_own_words, _unfinished_job, _clock_set_back, _last_passes_lost]
)
def test_what_may_concern_everyone_opens_everyone(
    house: House, happens: Callable[[House], None]
) -> None:
    happens(house)
    house.night()
    assert house.opened == EVERYONE


def test_what_expires_is_looked_at_when_it_does(house: House) -> None:
    store = FileStore(house.home)
    (turn,) = store.load(ADA).turns()
    with store.edit(ADA) as edit:
        edit.add(PutTrace(turn.id, replace(turn.trace, expires=house.now + 5 * DAY)))
    opened = []
    for _ in range(6):
        house.night()
        opened.append(ADA in house.opened)
    # A note of the first night reaches two days, one of the fourth would reach beyond the end.
    assert opened == [True, False, False, True, True, False]


def test_what_goes_dim_is_looked_at_when_it_does(house: House) -> None:
    """Half of a turn is gone after thirty days, at noon of the third of July."""
    house.now = datetime(2026, 6, 28, 3, tzinfo=UTC)
    opened, dimmed = [], []
    for _ in range(6):
        report = house.night()
        opened.append(ADA in house.opened)
        dimmed.append(report.people[0].dimmed["turn"])
    assert dimmed == [0, 0, 0, 0, 0, 1]
    assert opened[-1]
    assert not all(opened)


def test_who_is_encrypted_is_opened_each_night(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the key is at hand is not told by the files."""
    monkeypatch.setattr(KEYRING, "ask", None)
    KEYRING.offer("correct horse")
    FileStore(house.home).encrypt(ADA, encryption.new_key("correct horse"))
    try:
        for _ in range(3):
            house.night()
            assert house.opened == {ADA}
        KEYRING.lock()
        assert house.night().people[0].status == "failed"
    finally:
        KEYRING.lock()


class BrokenEmbedder(WordEmbedder):
    """A service that is out of reach."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """No vectors."""
        raise ModelUnavailable("model_unreachable", address="here", address_variable="X")


def test_who_failed_without_anything_due_is_opened_again(house: House) -> None:
    """The index lacks its vectors, though no stage counts them as due."""
    parts = {"embedder": BrokenEmbedder(["beans"])}
    for _ in range(3):
        report = house.night(parts=parts)
        assert house.opened == EVERYONE
        assert [person.status for person in report.people] == ["failed"] * 2


def test_of_who_is_gone_no_note_stays(house: House) -> None:
    house.runtime().eraser.delete([ADA])
    kept = installation_in(house.home).tables.read("SELECT person FROM night_person")
    assert kept == [(XIAO.person,)]


def test_nights_of_a_year_come_to_the_same_as_without_notes(tmp_path: Path) -> None:
    noted, looked = House(tmp_path / "noted"), House(tmp_path / "looked")
    passed_over = archived = 0
    for days in (0, 0, 5, 0, 40, 0, 1, 90, 0, 0, 200, 0):
        for house in (noted, looked):
            house.now += days * DAY
            if days == 40:
                house.say(at=house.now)
        looked.forget_notes()
        report = noted.night()
        assert people_of(report) == people_of(looked.night())
        passed_over += noted.opened == set()
        archived += sum(person.archived.total() for person in report.people)
    assert passed_over >= 4
    assert archived
