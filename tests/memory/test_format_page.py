"""``docs/format.md`` is enough to read a data directory.

The reader here uses the standard library and what that page says, nothing of the package.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siliconfriend.memory.changes import Change, Erase, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.memory_writing import serialize_memory
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from tests.memory.histories import changes
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put

LISTS = ("insights", "events", "facts", "topics")
PAGE = Path(__file__).parents[2] / "docs" / "format.md"


def folder_name(name: str) -> str:
    """'Folder names' of the page."""
    name = unicodedata.normalize("NFC", name.strip())
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:24]
    return f"{slug or 'person'}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def read(home: Path, person: str, companion: str = "default") -> dict[str, Any]:
    """'Reading a memory' of the page: the object of ``memory.json`` with the journal applied."""
    folder = home / "people" / folder_name(person)
    if companion != "default":
        folder = folder / "companions" / folder_name(companion)
    memory: dict[str, Any] = json.loads((folder / "memory.json").read_bytes())
    assert (memory["format"], memory["version"]) == ("siliconfriend-memory", 1)
    _compare((folder / "memory.json").read_bytes(), memory.pop("crc32"))
    memory.pop("outlines")
    whole, _, _ = (folder / "journal.jsonl").read_bytes().rpartition(b"\n")
    for line in whole.split(b"\n"):
        _compare(line, json.loads(line).get("crc32"))
    head, *lines = [json.loads(line) for line in whole.split(b"\n")]
    assert (head["format"], head["person"]) == ("siliconfriend-journal", person)
    while lines and lines[-1].get("more"):
        lines.pop()
    for line in lines:
        if line["seq"] > memory["folded_through"]:
            assert line["seq"] == memory["folded_through"] + 1
            memory["folded_through"] = line["seq"]
            _apply(memory, line)
    return memory


def _compare(data: bytes, stated: str | None) -> None:
    """'Checksums' of the page."""
    before = data[: data.rfind(b'"crc32"')].rstrip().removesuffix(b",")
    assert stated in (None, f"{zlib.crc32(before):08x}")


def _apply(memory: dict[str, Any], line: dict[str, Any]) -> None:
    history, erased = memory["history"], memory.setdefault("erased", [])
    kind = line.get("put")
    if "erase" in line:
        erased += [it for it in line["erase"] if it not in erased]
        for records in _lists(memory):
            records[:] = [it for it in records if it["memory_id"] not in line["erase"]]
    elif kind == "profile":
        for name in ("meta_information", "extra"):
            memory.pop(name, None)
        memory.update(line["profile"])
    elif kind == "turn":
        turn = line["turn"]
        if turn["memory_id"] not in erased:
            _put(history, turn)
    elif kind in ("insight", "event", "fact", "topic"):
        if line[kind]["memory_id"] not in erased:
            history.setdefault(line[kind]["date"], [])
            _put(memory.setdefault(f"{kind}s", {}), line[kind])
    elif kind == "context":
        for turn in (turn for turns in history.values() for turn in turns):
            if turn["memory_id"] in line["ids"]:
                _set(turn, "context", None if line["context"] == "live" else line["context"])
    elif kind == "reflection":
        _set(memory.setdefault("provenance", {}), "reflection", line["reflection"])
    elif kind == "summary":
        history.setdefault(line["date"], [])
        _set(memory["summary"], line["date"], line["summary"])
    elif kind == "personality":
        history.setdefault(line["date"], [])
        found = line["personality"]
        origins = memory.setdefault("provenance", {}).setdefault("personality", {})
        _set(memory["personality"], line["date"], found and found["content"])
        _set(origins, line["date"], found and _origin(found))
    elif kind in ("overall_history", "overall_personality"):
        found = line[kind]
        _set(memory, kind, found and found["content"])
        _set(memory.setdefault("provenance", {}), kind, found and found["provenance"])
    else:
        assert kind == "trace"
        for record in _records(memory):
            if record["memory_id"] == line["id"]:
                record["trace"] = line["trace"]


def _lists(memory: dict[str, Any]) -> list[list[dict[str, Any]]]:
    tables = (memory["history"], *(memory.get(name, {}) for name in LISTS))
    return [records for table in tables for records in table.values()]


def _records(memory: dict[str, Any]) -> list[dict[str, Any]]:
    listed = [record for records in _lists(memory) for record in records]
    return [*listed, *memory["summary"].values()]


def _put(table: dict[str, Any], record: dict[str, Any]) -> None:
    there = table.setdefault(record.pop("date"), [])
    there[:] = [it for it in there if it["memory_id"] != record["memory_id"]]
    there.append(record)
    there.sort(key=lambda it: it["position"])


def _origin(personality: dict[str, Any]) -> dict[str, Any]:
    rest = {key: it for key, it in personality.items() if key not in ("content", "date")}
    return rest.pop("provenance") | rest  # type: ignore[no-any-return]


def _set(table: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


def _plain(memory: dict[str, Any]) -> dict[str, Any]:
    """What two readings must agree in: no defaults, no order, nothing that follows from others."""
    memory = json.loads(json.dumps(memory))
    for record in _records(memory):
        for name in ("memory_strength", "last_recall_date", "date"):
            record.pop(name, None)
        trace = record.setdefault("trace", {})
        trace.setdefault("created", record.get("time"))
    for name in ("extra", "meta_information", "erased"):
        if not memory.get(name):
            memory.pop(name, None)
    for name in LISTS:
        memory[name] = {day: it for day, it in memory.get(name, {}).items() if it}
    memory["erased"] = sorted(memory.get("erased", ()))
    origins = memory.pop("provenance", {})
    memory["provenance"] = {name: it for name, it in origins.items() if it}
    del memory["generation"]
    return memory


def _same(home: Path, memory: PersonMemory, companion: str = "default") -> bool:
    expected = serialize_memory(memory, companion, generation=1)
    return _plain(read(home, "Nora", companion)) == _plain(expected)


@pytest.mark.slow
@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(history=st.lists(st.lists(changes, max_size=4), max_size=6), fold=st.integers(0, 6))
def test_a_reader_made_from_the_page_reads_everything(
    tmp_path_factory: pytest.TempPathFactory, history: list[list[Change]], fold: int
) -> None:
    """Whatever was changed, folded in between or not, the page's reader sees the same."""
    home = tmp_path_factory.mktemp("home")
    store = FileStore(home)
    store.create(NORA, a_profile())
    for number, several in enumerate(history):
        if number == fold:
            store.fold(NORA)
        put(store, NORA, *several)
    assert _same(home, store.load(NORA))


def test_the_page_s_reader_finds_companions_and_ignores_torn_ends(home: Path) -> None:
    """Folder names, ids, tombstones and an unfinished update are as the page says."""
    sol = Scope.of("Nora", "Sol")
    store = FileStore(home)
    store.create(sol, a_profile(sol))
    turns = [a_turn(str(place), position=place, scope=sol) for place in range(3)]
    memory = put(store, sol, *(PutTurn(turn) for turn in turns))
    digest = hashlib.sha256(b"Nora\0Sol").hexdigest()[:8]
    assert turns[0].id == f"turn-2026-03-01-0-{digest}"
    journal = store.folder(sol) / "journal.jsonl"
    with journal.open("ab") as file:
        file.write(b'{"seq":5,"more":true,"erase":[]}\n{"seq":6,"er')
    assert _same(home, memory, "Sol")
    after = put(store, sol, Erase((turns[1].id,)))
    assert _same(home, after, "Sol")
    assert read(home, "Nora", "Sol")["erased"] == [turns[1].id]


def test_the_page_names_every_field_there_is() -> None:
    """No field of a record can be added without being described."""
    from siliconfriend.forgetting.trace import Trace
    from siliconfriend.memory.journal import Head
    from siliconfriend.memory.knowledge import Event, Fact, Topic, TopicSegment
    from siliconfriend.memory.provenance import Provenance
    from siliconfriend.memory.records import DayPersonality, Insight, Profile, Turn
    from siliconfriend.memory.used import Used

    page = PAGE.read_text(encoding="utf-8")
    renamed = {"text": "content", "date": "date"}
    texts = (DayPersonality, Insight, Event, Fact, TopicSegment, Topic)
    for record in (Trace, Head, Profile, Provenance, Turn, Used, *texts):
        for name in record.__dataclass_fields__:
            assert f"`{renamed.get(name, name)}`" in page or f"`{name}`" in page, name
