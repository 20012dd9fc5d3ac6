"""A reader written from ``docs/format.md`` alone reads what the store writes."""

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

from siliconfriend.memory.changes import Erase, PutDerived, PutPersonality, PutSummary, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.knowledge import Provenance
from siliconfriend.memory.records import DayPersonality
from tests.memory.people import DATES, NORA, NOW, a_summary, a_turn, an_insight
from tests.memory.stored import put


def _seal(date: str, name: str, data: bytes) -> int:
    return zlib.crc32(f"Nora\0default\0{date}\0{name}\0".encode() + data)


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """All records by date and id, each seal compared."""
    with closing(sqlite3.connect(folder / "memory.sqlite")) as base:
        [scope] = base.execute(
            "SELECT epoch, sequence, days, last_edit, moved_to, seal FROM scope WHERE person = 'Nora'"
        )
        assert _seal("", "scope", " ".join(map(str, scope[:-1])).encode()) == scope[-1]
        found: dict[str, dict[str, Any]] = {}
        for date, changed, records, edit, seal in base.execute(
            "SELECT date, changed, records, edit, seal FROM day"
        ):
            values = f"{changed} {records} {edit}"
            assert _seal(date, "day", values.encode()) == seal
            found[date] = {}
            for name, kind, doc, its in base.execute(
                "SELECT id, kind, doc, seal FROM record WHERE date = ?", (date,)
            ):
                assert _seal(date, f"{kind} {name}", doc) == its
                found[date][name] = json.loads(doc)
            extra = base.execute("SELECT count(*) FROM erased").fetchone()[0] if not date else 0
            assert len(found[date]) + extra == records
        assert len(found) == scope[2]
        for name, seal in base.execute("SELECT id, seal FROM erased"):
            assert _seal("", "erased", name.encode()) == seal
    return found


def test_both_files_are_read_and_say_the_same(store: FileStore, nora: Path) -> None:
    """The database and ``memory.json``, each by what the page says of it."""
    personality = DayPersonality(DATES[0], "Calm.", Provenance("offline", NOW), mood="calm")
    put(store, NORA, PutTurn(a_turn()), PutTurn(a_turn("More.", position=1)))
    put(store, NORA, PutSummary(DATES[0], a_summary("Beans.")))
    put(store, NORA, PutPersonality(DATES[0], personality), Erase((a_turn(position=7).id,)))
    insight = an_insight("She likes beans.", evidence=(a_turn().id,), day=DATES[1])
    put(store, NORA, PutDerived(insight))
    store.tidy(NORA)
    rows = read(nora)
    data = (nora / "memory.json").read_bytes()
    form = json.loads(data)
    assert int(form["crc32"], 16) == zlib.crc32(
        data[: data.rindex(b",", 0, data.rindex(b'"crc32"'))]
    )
    day = rows[DATES[0]]
    assert form["history"][DATES[0]] == [day[a_turn().id], day[a_turn(position=1).id]]
    assert form["summary"][DATES[0]] == day[a_summary("").id]
    assert form["personality"][DATES[0]] == day["personality"]["content"]
    assert form["provenance"]["personality"][DATES[0]]["mood"] == "calm"
    assert form["insights"][DATES[1]] == [rows[DATES[1]][insight.id]]
    assert form["erased"] == [a_turn(position=7).id]
    assert rows[""]["profile"]["name"] == form["name"] == "Nora"
