"""Files that JSON allows and a memory cannot hold: refused whole, with the place."""

import json
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import export_native
from siliconfriend.memory.mirror import read_mirror
from siliconfriend.memory.scope import Scope
from tests.memory.banks import bring
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore

GOOD = {"Maya": {"name": "Maya", "history": {"2026-06-01": [["Hello.", "Hi."]]}}}


def _native() -> dict[str, Any]:
    """Nora in our own form, with one turn."""
    store = TemporaryStore()
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn()))
    return dict(json.loads(json.dumps(export_native(store.load(NORA)))))


def _with(change: str, value: object) -> dict[str, Any]:
    """Maya, who is well, then Nora with something in her first turn, or with a day more."""
    nora = _native()
    history = nora["Nora"]["history"]
    day = next(iter(history))
    if change == "day":
        history[value] = []
    elif change == "recalls":
        history[day][0].setdefault("trace", {})["recalls"] = [value]
    else:
        history[day][0][change] = value
    return {**GOOD, **nora}


def _nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("change", "value", "told"),
    [
        (
            "recalls",
            "2026-06-02T09:00:00",
            r"of Nora .*history\.2026.*timezone.*trace\.recalls\[0\]",
        ),
        ("time", "2026-06-02T09:00:00", r"timezone.*\$\.time"),
        ("day", "yesterday", r"of Nora .*history\.yesterday: a day"),
        ("day", "0001-01-01", r"of Nora .*history\.0001-01-01: a day"),
        ("metadata", {"n": 2**64}, r"metadata\.n` is not a number that can be stored"),
        ("metadata", {"n": float("nan")}, r"metadata\.n` is not a number that can be stored"),
        ("metadata", {"n": _nested(300)}, r"more than 100 lists and objects"),
    ],
)
def test_an_invalid_value_is_rejected_before_any_write(
    home: Path, change: str, value: object, told: str
) -> None:
    with pytest.raises(UnreadableFile, match=told):
        bring(FileStore(home), _with(change, value))
    assert FileStore(home).scopes() == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ('{"Ada": {"history": {}}, "Ada": {"history": {}}}', "has `Ada` twice"),
        ('{"Ada": {"history": {"2026-06-01": [], "2026-06-01": []}}}', "`2026-06-01` twice"),
        ('{"Ada": {"history": {}, "score": NaN}}', "`NaN` is not a number"),
        ('{"Ada": {"history": {}, "score": 1e999}}', r"`Ada\.score` is not a number"),
    ],
)
def test_what_json_lets_pass_is_refused(home: Path, words: str, told: str) -> None:
    """A key twice would lose one of the two; NaN is no JSON."""
    for bank in (words, words.encode()):
        with pytest.raises(UnreadableFile, match=told):
            bring(FileStore(home), bank)
    assert FileStore(home).scopes() == []


def test_values_within_bounds_are_imported(home: Path) -> None:
    """An offset that is not UTC's, large and deep values within bounds."""
    bank = _with("recalls", "2026-06-02T09:00:00+08:00")
    bank["Maya"] = {**GOOD["Maya"], "score": 2**62, "deep": _nested(60)}
    assert [person.user for person in bring(FileStore(home), bank).people] == ["Maya", "Nora"]
    assert FileStore(home).load(Scope.of("Maya")).profile.extra["score"] == 2**62


def test_half_a_character_as_the_name_of_a_field_is_refused(home: Path) -> None:
    """JSON can spell it; no file can hold it."""
    bank = _with("trace", {"\ud83d": "x"})
    with pytest.raises(UnreadableFile):
        bring(FileStore(home), json.dumps(bank).encode())
    assert not (home / "people").exists()


def test_lists_without_end_in_a_memory_file_are_named_and_end_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    path.write_bytes(b'{"version": 2, "history": ' + b"[" * 4000 + b"]" * 4000 + b"}")
    with pytest.raises(Unreadable):
        read_mirror(path)


@pytest.mark.parametrize("zone", ["[" * 5000, "Mars/Base", "../etc", "", "\ud800"])
def test_a_time_zone_that_is_none_is_refused(home: Path, zone: str) -> None:
    nora = _native()
    nora["Nora"]["timezone"] = zone
    with pytest.raises(UnreadableFile):
        bring(FileStore(home), nora)
