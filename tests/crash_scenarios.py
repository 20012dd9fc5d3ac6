"""What is done to a data directory while the power may go, and what must be true afterwards.

The suite cuts the power behind some steps of each (``test_crashes.py``); behind all of them
does ``python -m tests.long.power_cuts``.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from siliconfriend.config import Settings, load_settings
from siliconfriend.control.edit import act, edit_memory
from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import SiliconFriendError
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.backup import back_up, restore
from siliconfriend.memory.backup_file import verify_backup
from siliconfriend.memory.copy_store import move_memory
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.records import Turn
from siliconfriend.recall.recaller import Recaller
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests import encryption_scenarios as keys
from tests.control.erasure import stops
from tests.control.world import NORA, World
from tests.crashes import Point, Recorder, lay
from tests.embedding import WordEmbedder

BANK = {
    "Wren": {
        "history": {
            "2026-03-01": [{"query": "said 0", "response": "Yes."}],
            "2026-03-02": [{"query": "said 1", "response": "Yes."}],
        }
    }
}
MADE = datetime(2026, 3, 4, tzinfo=UTC)

Acknowledge = Callable[[str], None]


@dataclass(frozen=True)
class Scenario:
    """One thing that is done.

    Attributes:
        name: for people.
        prepare: makes the data directory, and gives what the others need to know.
        act: does it, and acknowledges what is done.
        check: what a program makes of it that starts after the power cut; raises
            AssertionError where something acknowledged is gone or half-done.
    """

    name: str
    prepare: Callable[[Path], str]
    act: Callable[[Path, str, Acknowledge], None]
    check: Callable[[Path, str, tuple[str, ...]], None]


def settings_of(home: Path) -> Settings:
    """The settings of a data directory here."""
    return load_settings(home=str(home), embedding="none", timezone="UTC")


def record(scenario: Scenario, home: Path) -> tuple[list[Point], str]:
    """Do it once and give every moment at which the power may go."""
    home.mkdir()
    known = scenario.prepare(home)
    recorder = Recorder(home)
    with recorder.watched():
        scenario.act(home, known, recorder.acknowledge)
    assert recorder.open_to_others == set()
    return recorder.points, known


def replay(
    scenario: Scenario, points: list[Point], known: str, home: Path, every: int = 1
) -> tuple[int, int]:
    """Cut the power behind every so many steps; how many steps and how many states were tried."""
    seen: set[int] = set()
    tried = points[::every]
    if points and points[-1] not in tried:
        tried.append(points[-1])
    for point in tried:
        for state in point.states():
            form = hash((point.acknowledged, tuple(sorted(state.items(), key=lambda one: one[0]))))
            if form in seen:
                continue
            seen.add(form)
            shutil.rmtree(home, ignore_errors=True)
            lay(state, home)
            try:
                scenario.check(home, known, point.acknowledged)
            except (AssertionError, SiliconFriendError, OSError) as error:
                error.add_note(f"{scenario.name}: step {point.step}, behind {point.call}: {home}")
                raise
    return len(tried), len(seen)


def _turns(home: Path) -> list[Turn]:
    store = FileStore(home)
    return list(store.load(NORA).turns()) if NORA in store.scopes() else []


def _said(home: Path) -> list[str]:
    return [turn.query for turn in _turns(home)]


def _goes_on(home: Path, acknowledged: tuple[str, ...]) -> None:
    """Everything acknowledged is there, each once, and the memory can be lived with."""
    before = _said(home)
    assert set(acknowledged) <= set(before), (acknowledged, before)
    assert len(before) == len(set(before))
    World(FileStore(home), settings_of(home)).say("on")
    FileStore(home).tidy(NORA)
    assert sorted(_said(home)) == sorted([*before, "on"])


# Talking.


def _nobody(home: Path) -> str:
    return ""


def _talk(home: Path, known: str, acknowledge: Acknowledge) -> None:
    store = FileStore(home)
    world = World(store, settings_of(home))
    for number in range(5):
        world.say(f"number {number}")
        acknowledge(f"number {number}")
    store.tidy(NORA)
    world.say("behind")
    acknowledge("behind")


def _still_there(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    _goes_on(home, acknowledged)


def _reply(home: Path, known: str, acknowledge: Acknowledge) -> None:
    """What was said is acknowledged by the model that hears it, the reply when it has ended."""

    def heard(_messages: object) -> str:
        acknowledge("Hello.")
        return "Good morning."

    chat = ScriptedChatModel(otherwise=heard)
    runtime = Runtime(settings_of(home), MovingClock(), chat=chat)
    Companion(NORA.person, runtime=runtime).reply("Hello.")
    acknowledge("Good morning.")


def _replied(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    replies = {turn.response for turn in _turns(home) if turn.response}
    assert replies == {"Good morning."} if acknowledged[1:] else replies <= {"Good morning."}
    _goes_on(home, acknowledged[:1])


def _edit(home: Path, known: str, acknowledge: Acknowledge) -> None:
    world = World(FileStore(home), settings_of(home))
    first, second = (turn.id for turn in _turns(home))
    edit_memory(world.store, NORA, first, MADE, query="I planted peas.")
    acknowledge("peas")
    act(world.store, NORA, "pin", [first, second], MADE)
    acknowledge("pinned")


def _edited(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    first, second = _turns(home)
    assert first.query == "I planted peas." or "peas" not in acknowledged
    assert first.trace.pinned == second.trace.pinned
    assert first.trace.pinned or "pinned" not in acknowledged
    _goes_on(home, ("I planted beans on 2026-03-03.",))


# The index and the night.


def _some_days(home: Path) -> str:
    world = World(FileStore(home), settings_of(home))
    for day in ("2026-03-02", "2026-03-03"):
        world.say(f"I planted beans on {day}.", on=day)
    return ""


def _indexed(home: Path, known: str, acknowledge: Acknowledge) -> None:
    recaller_in(home).update_index(NORA)


def recaller_in(home: Path, vocabulary: Sequence[str] | None = None) -> Recaller:
    """A recaller over a data directory, as a program that starts now has it."""
    embedder = WordEmbedder(vocabulary)
    return Runtime(settings_of(home), MovingClock(), embedder=embedder).recaller


def _found(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    recaller = recaller_in(home)
    for said in _said(home):
        result = recaller.recall(NORA, said, now=MADE, top=1)
        assert said in result.memories[0].memory.text, said
    _goes_on(home, tuple(f"I planted beans on 2026-03-0{day}." for day in (2, 3)))


def _night(home: Path, known: str, acknowledge: Acknowledge) -> None:
    report = World(FileStore(home), settings_of(home)).night()
    if report.exit_code == 0:
        acknowledge("night")


def _release(home: Path) -> None:
    """Release what the process had that the power ended."""
    if (kept := installation_in(home)).tables.exists:
        kept.tables.change("DELETE FROM lease")


def _slept(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    world = World(FileStore(home), settings_of(home))
    summed_up = [day for day in world.memory().days.values() if day.summary is not None]
    assert len(summed_up) == 2 or "night" not in acknowledged
    _release(home)
    assert world.night().exit_code == 0
    assert all(day.summary is not None for day in world.memory().days.values())
    _goes_on(home, tuple(f"I planted beans on 2026-03-0{day}." for day in (2, 3)))


# What touches several files.


def _with_a_secret(home: Path) -> str:
    return stops.prepare(World(FileStore(home), settings_of(home)))


def _erase(home: Path, known: str, acknowledge: Acknowledge) -> None:
    done = World(FileStore(home), settings_of(home)).erase(known)
    acknowledge("named" if done.left else "gone")


def _erased(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    _gone_or_untouched(home, stops.erasing(known), acknowledged)


def _delete(home: Path, known: str, acknowledge: Acknowledge) -> None:
    stops.deleting(home, settings_of(home))
    acknowledge("gone")


def _deleted(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    _gone_or_untouched(home, stops.deleting, acknowledged)


def _gone_or_untouched(home: Path, act: stops.Act, acknowledged: tuple[str, ...]) -> None:
    _release(home)
    if "named" in acknowledged:
        return  # its files were named
    stops.finish(act, settings_of(home), has_begun=bool(acknowledged))


def _with_a_backup(home: Path) -> str:
    world = World(FileStore(home), settings_of(home))
    world.say("old")
    back_up(home, home / "all.zip", now=MADE)
    world.say("new")
    (home / "mynotes.txt").write_text("mine", encoding="utf-8")
    return ""


def _back_up(home: Path, known: str, acknowledge: Acknowledge) -> None:
    back_up(home, home / "all.zip", now=datetime(2026, 3, 5, tzinfo=UTC))
    acknowledge("backup")


def _backed_up(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    made = verify_backup(home / "all.zip").made
    assert "2026-03-05" in made or not acknowledged
    _goes_on(home, ("old", "new"))
    _back_up(home, known, lambda _what: None)
    assert [path.name for path in home.glob(".siliconfriend-*")] == []


def _restore(home: Path, known: str, acknowledge: Acknowledge) -> None:
    restore(home / "all.zip", home, replace=True)
    acknowledge("restored")


def _restored(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    assert _said(home) == ["old"] or (_said(home) == ["old", "new"] and not acknowledged)
    assert (home / "mynotes.txt").read_text(encoding="utf-8") == "mine"
    verify_backup(home / "all.zip")
    _restore(home, known, lambda _what: None)
    assert _said(home) == ["old"]
    assert [path.name for path in home.glob(".siliconfriend-*")] == []


def _met(home: Path) -> str:
    World(FileStore(home), settings_of(home)).say("mine")
    return ""


def _import(home: Path, known: str, acknowledge: Acknowledge) -> None:
    import_bank(FileStore(home), BANK, now=MADE, language="en", zone=ZoneInfo("UTC"))
    acknowledge("imported")


def _imported(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    there = _of_wren(home)
    assert there == ["said 0", "said 1"] or not acknowledged
    _import(home, known, lambda _what: None)
    assert _of_wren(home) == ["said 0", "said 1"]
    _goes_on(home, ("mine",))


def _of_wren(home: Path) -> list[str]:
    store = FileStore(home)
    found: Iterator[str] = (
        turn.query
        for scope in store.scopes()
        if scope.person == "Wren"
        for turn in store.load(scope).turns()
    )
    return list(found)


def _at_home(home: Path) -> str:
    for words in ("old", "new"):
        World(FileStore(home), settings_of(home)).say(words)
    return ""


def _move(home: Path, known: str, acknowledge: Acknowledge) -> None:
    target = FileStore(home / "elsewhere")
    moved = move_memory(FileStore(home), target, NORA, target_name="elsewhere")
    if moved.error is not None:
        raise moved.error
    acknowledge("moved")


def _moved(home: Path, known: str, acknowledged: tuple[str, ...]) -> None:
    state = FileStore(home).state(NORA)
    has_moved = state is not None and state.moved_to == "elsewhere"
    assert has_moved or not acknowledged
    assert _said(home / "elsewhere" if has_moved else home) == ["old", "new"]
    _move(home, known, lambda _what: None)
    _goes_on(home / "elsewhere", ("old", "new"))


SCENARIOS = (
    Scenario("talk", _nobody, _talk, _still_there),
    Scenario("reply", _nobody, _reply, _replied),
    Scenario("edit", _some_days, _edit, _edited),
    Scenario("index", _some_days, _indexed, _found),
    Scenario("night", _some_days, _night, _slept),
    Scenario("import", _met, _import, _imported),
    Scenario("erase", _with_a_secret, _erase, _erased),
    Scenario("delete", _with_a_secret, _delete, _deleted),
    Scenario("backup", _with_a_backup, _back_up, _backed_up),
    Scenario("restore", _with_a_backup, _restore, _restored),
    Scenario("move", _at_home, _move, _moved),
    Scenario("encrypt", keys.plain, keys.encrypt, keys.encrypted),
    Scenario("undo the encryption", keys.locked, keys.decrypt, keys.opened),
    Scenario("another passphrase", keys.locked, keys.encrypt, keys.locked_anew),
)
