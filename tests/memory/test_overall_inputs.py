"""What the texts about all days rest on is known without reading the days."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from siliconfriend.memory.changes import PutSummary, PutTrace
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.overall_inputs import overall_history_inputs, overall_personality_inputs
from siliconfriend.memory.records import PersonMemory
from tests.memory.people import NORA, NOW, a_profile

DAYS = ("2026-03-01", "2026-03-02")


def a_life(home: Path) -> PersonMemory:
    """Two days with their texts, at rest."""
    store = FileStore(home)
    bank = {
        "name": "Nora",
        "history": {date: [{"query": "Beans.", "response": "Oh."}] for date in DAYS},
        "summary": {date: {"content": f"Beans on {date}."} for date in DAYS},
        "personality": dict.fromkeys(DAYS, "Calm."),
    }
    import_bank(store, {"Nora": bank}, language="en", zone=a_profile().zone, now=NOW)
    store.fold(NORA)
    return FileStore(home).load(NORA)


def test_words_and_days_count_and_states_do_not(tmp_path: Path) -> None:
    """At rest as in memory; what fades makes no text due."""
    memory = a_life(tmp_path)
    known = overall_history_inputs(memory), overall_personality_inputs(memory)
    assert known[0] != known[1]
    assert known == (
        overall_history_inputs(whole := decoded(memory)),
        overall_personality_inputs(whole),
    )
    summary = memory.days[DAYS[1]].summary
    assert summary is not None
    archived = PutTrace(summary.id, summary.trace.archived_at(NOW)).apply(memory)
    assert overall_history_inputs(archived) == known[0]
    reworded = PutSummary(DAYS[1], replace(summary, text="Peas.")).apply(memory)
    assert overall_history_inputs(reworded) != known[0]
    assert overall_personality_inputs(reworded) == known[1]
    gone = PutSummary(DAYS[0], None).apply(memory)
    assert overall_history_inputs(gone) not in (known[0], overall_history_inputs(reworded))


def decoded(memory: PersonMemory) -> PersonMemory:
    """The same with its days read."""
    return replace(memory, days=dict(memory.days))
