"""What opening a memory reads: of years at rest no day before somebody asks for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest

from siliconfriend.errors import DamagedMemory
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory import checksum, codec
from siliconfriend.memory.changes import Erase, PutTurn
from siliconfriend.memory.creation import new_profile, new_turn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.lazy_days import MOST_STEPS, LazyDays, changed_dates, last_turn_before
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope

ADA = Scope.of("Ada")
BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
DAYS = 5


def a_turn(day: int, position: int = 0) -> Turn:
    """A turn of a day, the first being 0."""
    said = BEGAN + timedelta(days=day, minutes=position)
    date = said.date().isoformat()
    words = f"Day {day} 第{day}天"
    identifier = memory_id(ADA, "turn", date, position)
    return Turn(identifier, date, position, words, "Yes.", said, Trace(said))


@pytest.fixture
def rested(tmp_path: Path) -> Path:
    """A home with five days at rest."""
    store = FileStore(tmp_path)
    store.create(ADA, new_profile(ADA, language="en", timezone="UTC", now=BEGAN))
    with store.edit(ADA) as edit:
        edit.add(*(PutTurn(a_turn(day)) for day in range(DAYS)))
    store.fold(ADA)
    return tmp_path


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The days of the turns that are decoded from now on, in their order."""
    found: list[str] = []
    parse = codec.parse

    def watched(record_type: type, form: object, date: str | None = None) -> object:
        if record_type is Turn and date is not None:
            found.append(date)
        return parse(record_type, form, date)

    monkeypatch.setattr(codec, "parse", watched)
    return found


def test_opening_decodes_no_day(rested: Path, decoded: list[str]) -> None:
    """The days are there by their dates."""
    memory = FileStore(rested).load(ADA)
    assert list(memory.days) == [f"2026-03-0{day}" for day in range(1, 6)]
    assert decoded == []


def test_a_day_is_decoded_once(rested: Path, decoded: list[str]) -> None:
    """Whoever reads it, in this snapshot and in those after it."""
    store = FileStore(rested)
    before = store.load(ADA)
    assert before.days["2026-03-02"].turns == (a_turn(1),)
    with store.edit(ADA) as edit:
        edit.add(PutTurn(a_turn(7)))
    assert store.load(ADA).days["2026-03-02"] is before.days["2026-03-02"]
    assert decoded == ["2026-03-02"]


def test_a_turn_is_said_without_decoding_the_past(rested: Path, decoded: list[str]) -> None:
    """On a new day nothing at all, later on only that day."""
    store = FileStore(rested)
    for _ in range(2):
        with store.edit(ADA) as edit:
            now = BEGAN + timedelta(days=DAYS)
            edit.add(PutTurn(new_turn(ADA, edit.memory, "Hello.", now=now)))
    assert decoded == []


def test_decoded_or_not_it_is_the_same_memory(rested: Path) -> None:
    """Equal either way round, and written the same."""
    memory = FileStore(rested).load(ADA)
    whole = PersonMemory(
        memory.profile,
        {turn.date: memory.days[turn.date] for turn in memory.turns()},
        sequence=memory.sequence,
    )
    assert whole == memory
    assert memory == whole


def test_days_stay_in_order_whatever_comes_between(rested: Path) -> None:
    """A day before the first, one after the last, two at once, and an erased turn."""
    store = FileStore(rested)
    with store.edit(ADA) as edit:
        edit.add(PutTurn(a_turn(-3)))
    with store.edit(ADA) as edit:
        edit.add(PutTurn(a_turn(9)), PutTurn(a_turn(-1)))
    with store.edit(ADA) as edit:
        edit.add(Erase((a_turn(2).id,)))
    expected = [-3, -1, 0, 1, 3, 4, 9]
    for memory in (store.load(ADA), FileStore(rested).load(ADA)):
        assert [turn.id for turn in memory.turns()] == [a_turn(day).id for day in expected]
        assert list(memory.days) == sorted(memory.days)


def test_a_file_without_a_checksum_is_decoded_whole(rested: Path, decoded: list[str]) -> None:
    """Nobody vouches for its days."""
    path = FileStore(rested).folder(ADA) / "memory.json"
    form = orjson.loads(path.read_bytes())
    del form[checksum.KEY]
    path.write_bytes(orjson.dumps(form))
    FileStore(rested).load(ADA)
    assert len(decoded) == DAYS


def test_a_day_nobody_can_read_is_told_when_it_is_read(rested: Path) -> None:
    """Sealed all the same, so it was no disk: the rest stays readable, and the error is plain."""
    path = FileStore(rested).folder(ADA) / "memory.json"
    form = orjson.loads(path.read_bytes())
    del form[checksum.KEY]
    form["history"]["2026-03-03"][0]["position"] = "third"
    path.write_bytes(checksum.seal(orjson.dumps(form)))
    memory = FileStore(rested).load(ADA)
    assert memory.days["2026-03-02"].turns == (a_turn(1),)
    with pytest.raises(DamagedMemory, match="position"):
        list(memory.turns())


def test_loosely_typed_fields_mean_what_they_always_meant() -> None:
    """A number written as text by another program, a moment without its seconds."""
    form = codec.serialize(a_turn(1)) | {"position": "4", "time": "2026-03-02T09:00Z"}
    turn = codec.parse(Turn, form)
    assert turn.position == 4
    assert turn.time == BEGAN + timedelta(days=1)


def test_what_was_written_rests_again(rested: Path, decoded: list[str]) -> None:
    """A day that was changed is let go of by the fold, and the next one writes it as it stands."""
    store = FileStore(rested)
    with store.edit(ADA) as edit:
        edit.add(PutTurn(a_turn(1, 1)))
    day = store.load(ADA).days["2026-03-02"]
    store.fold(ADA)
    decoded.clear()
    with store.edit(ADA) as edit:
        edit.add(PutTurn(a_turn(7)))
    store.fold(ADA)
    assert decoded == []
    assert store.load(ADA).days["2026-03-02"] == day == FileStore(rested).load(ADA).days[day.date]
    assert decoded == [day.date] * 4  # two turns, in either store


def test_what_changed_is_known_without_comparing(rested: Path) -> None:
    """By each step for a while; of what is long ago, all days are compared."""
    store = FileStore(rested)
    found = [store.load(ADA)]
    for number in range(MOST_STEPS + 2):
        with store.edit(ADA) as edit:
            edit.add(PutTurn(a_turn(7 + number % 3, number)))
        found.append(store.load(ADA))
    first, last = found[0].days, found[-1].days
    assert isinstance(first, LazyDays)
    assert isinstance(last, LazyDays)
    changed = ["2026-03-08", "2026-03-09", "2026-03-10"]
    assert last.changed_since(first) is None
    assert changed_dates(first, last) == changed
    assert changed_dates(found[-2].days, last) == ["2026-03-10"]
    assert changed_dates(found[2].days, last) == changed_dates(found[3].days, last) == changed
    assert changed_dates(last, last) == []


@pytest.mark.parametrize(("day", "before"), [(3, 2), (40, 4), (1, 0)])
def test_the_turn_before_a_day(rested: Path, day: int, before: int) -> None:
    """The day before, or one of weeks ago; on the first day of all there is none."""
    memory = FileStore(rested).load(ADA)
    date = (BEGAN + timedelta(days=day)).date().isoformat()
    assert last_turn_before(memory, date) == a_turn(before)
    assert last_turn_before(memory, "2026-03-01") is None
    assert last_turn_before(memory, "0001-01-01") is None
