"""A file is written from what rests in the one before, and is the file it would be without that."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory import checksum, codec
from siliconfriend.memory.changes import (
    Change,
    Erase,
    PutDerived,
    PutOverallHistory,
    PutPersonality,
    PutProfile,
    PutReflection,
    PutSummary,
    PutTrace,
    PutTurn,
)
from siliconfriend.memory.creation import new_profile
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.input_hash import day_inputs
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.lazy_days import outlines
from siliconfriend.memory.memory_writing import encode_memory, serialize_memory
from siliconfriend.memory.outline import DayOutline, outline_day
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import DayPersonality, DaySummary, Overall, PersonMemory, Turn
from siliconfriend.memory.scope import Scope

ADA = Scope.of("Ada")
BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
MADE = Provenance("offline", BEGAN, ("x",), "ab")
FIRST = "2026-03-01"


def a_turn(day: int, position: int = 0) -> Turn:
    """A turn of a day, the first being 0, with what JSON must escape."""
    said = BEGAN + timedelta(days=day, minutes=position)
    date = said.date().isoformat()
    words = f'Day {day}: "beans"\nand 豆子 \\ \u2028 {position}'
    identifier = memory_id(ADA, "turn", date, position)
    return Turn(identifier, date, position, words, "Yes.", said, Trace(said))


def lived(home: Path) -> FileStore:
    """A store with five days of all kinds of records, at rest."""
    store = FileStore(home)
    store.create(ADA, new_profile(ADA, language="en", timezone="Asia/Shanghai", now=BEGAN))
    event = Event(
        id=memory_id(ADA, "event", FIRST, 0),
        date=FIRST,
        position=0,
        text="Beans.",
        trace=Trace(BEGAN),
        provenance=MADE,
    )
    summary = DaySummary(memory_id(ADA, "day", FIRST, 0), FIRST, "Beans.", Trace(BEGAN), MADE)
    with store.edit(ADA) as edit:
        edit.add(*(PutTurn(a_turn(day, at)) for day in range(5) for at in range(2)))
        edit.add(PutSummary(FIRST, summary), PutDerived(event))
        edit.add(PutPersonality(FIRST, DayPersonality(FIRST, "Patient.", MADE, "p", "m", "s")))
        edit.add(PutOverallHistory(Overall("All of it.", MADE)), PutReflection(MADE))
    store.fold(ADA)
    return store


CHANGES: dict[str, Change] = {
    "turn": PutTurn(a_turn(2, 5)),
    "new day": PutTurn(a_turn(8)),
    "earlier day": PutTurn(a_turn(-3)),
    "trace": PutTrace(a_turn(1).id, Trace(BEGAN, pinned=True)),
    "erasing": Erase((a_turn(1).id, a_turn(1, 1).id)),
    "summary": PutSummary(FIRST, None),
    "personality": PutPersonality(FIRST, None),
    "zone": PutProfile(new_profile(ADA, language="cn", timezone="America/New_York", now=BEGAN)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_rests_is_written_as_if_it_were_serialized(tmp_path: Path, change: str) -> None:
    """To the byte but for the outlines, after every sort of change, and read back the same."""
    lived(tmp_path)
    store = FileStore(tmp_path)
    with store.edit(ADA) as edit:
        edit.add(CHANGES[change])
    store.fold(ADA)
    written = (store.folder(ADA) / "memory.json").read_bytes()
    memory = store.load(ADA)
    form = orjson.loads(written)
    expected = serialize_memory(memory, "default", form["generation"])
    whole = codec.to_json(expected, indent=True)
    assert written.startswith(whole.removesuffix(b"\n}"))
    assert set(form) - set(expected) == {"outlines", checksum.KEY}
    again = FileStore(tmp_path).load(ADA)
    assert again == memory
    assert dict(outlines(again.days)) == {d: outline_day(day) for d, day in memory.days.items()}


def test_without_blanks_it_is_the_same_object(tmp_path: Path) -> None:
    """As it is written to be encrypted: also where what rests has blanks."""
    memory = lived(tmp_path).load(ADA)
    compact = orjson.loads(encode_memory(memory, "default", 3, indent=False))
    assert compact.pop("outlines")["rules"]
    assert compact == serialize_memory(memory, "default", 3)


def test_a_fold_decodes_only_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The years before are copied."""
    lived(tmp_path)
    decoded: list[str] = []
    parse = codec.parse

    def watched(record_type: type, form: object, date: str | None = None) -> object:
        if record_type is Turn and date is not None:
            decoded.append(date)
        return parse(record_type, form, date)

    monkeypatch.setattr(codec, "parse", watched)
    store = FileStore(tmp_path)
    with store.edit(ADA) as edit:
        edit.add(PutTurn(a_turn(2, 5)))
    store.fold(ADA)
    assert set(decoded) == {"2026-03-03"}


def test_an_outline_is_told_without_decoding_and_follows_every_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a reworded turn the day's texts are due, of one put right again they hold."""
    store = lived(tmp_path)
    memory = store.load(ADA)
    fitting = replace(MADE, inputs=day_inputs(memory.days[FIRST]))
    summary, personality = memory.days[FIRST].summary, memory.days[FIRST].personality
    assert summary is not None
    assert personality is not None
    with store.edit(ADA) as edit:
        edit.add(PutSummary(FIRST, replace(summary, provenance=fitting)))
        edit.add(PutPersonality(FIRST, replace(personality, provenance=fitting)))
    store.fold(ADA)
    reopened = FileStore(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(codec, "parse", _parse_no_turn)
        assert _outline(reopened.load(ADA)).texts == "offline"
    with reopened.edit(ADA) as edit:
        edit.add(PutTurn(replace(a_turn(0), query="Peas.")))
    assert _outline(reopened.load(ADA)).texts == "due"
    reopened.fold(ADA)
    assert _outline(FileStore(tmp_path).load(ADA)).texts == "due"


def test_outlines_of_other_rules_or_without_a_checksum_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version of the program made them, or nobody vouches for them."""
    store = lived(tmp_path)
    path = store.folder(ADA) / "memory.json"
    form = orjson.loads(path.read_bytes())
    form["outlines"][FIRST]["turns"] = 99
    del form[checksum.KEY]
    sealed = checksum.seal(orjson.dumps(form))
    path.write_bytes(sealed)
    assert _outline(FileStore(tmp_path).load(ADA)).turns == 99, "sealed, it is believed"
    path.write_bytes(orjson.dumps(form))
    assert _outline(FileStore(tmp_path).load(ADA)).turns == 2
    path.write_bytes(sealed)
    monkeypatch.setattr("siliconfriend.memory.resting_file.outline_rules", lambda: "of tomorrow")
    assert _outline(FileStore(tmp_path).load(ADA)).turns == 2


def _outline(memory: PersonMemory) -> DayOutline:
    return dict(outlines(memory.days))[FIRST]


def _parse_no_turn(record_type: type, form: object, date: str | None = None) -> object:
    assert record_type is not Turn, "a day is decoded"
    return _PARSE(record_type, form, date)


_PARSE = codec.parse
