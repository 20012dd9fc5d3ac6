"""Insights as stored memories: put, found, faded, erased, exported."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

from siliconfriend.memory.changes import PutDerived, PutReflection, PutTurn
from siliconfriend.memory.import_export import export_native, import_bank
from siliconfriend.memory.knowledge import Provenance
from siliconfriend.memory.memorybank import export_memorybank
from siliconfriend.memory.store import InMemoryStore, MemoryStore
from tests.memory.people import NORA, NOW, a_profile, a_turn, an_insight
from tests.memory.stored import put

TURN = a_turn()
INSIGHT = an_insight("Nora is happiest in her garden.", evidence=[TURN.id])


def _filled(store: MemoryStore) -> MemoryStore:
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(TURN), PutDerived(INSIGHT))
    return store


def test_our_own_export_keeps_insights_and_memorybanks_leaves_them_out() -> None:
    """MemoryBank has no place for a thought of the companion's own."""
    store = _filled(InMemoryStore())
    reflection = Provenance("scripted", NOW, (TURN.id,), "abc")
    memory = put(store, NORA, PutReflection(reflection))
    assert "happiest" not in str(export_memorybank(memory))
    other = InMemoryStore()
    bank = export_native(memory)
    for _ in range(2):
        import_bank(other, bank, language="en", zone=ZoneInfo("UTC"), now=NOW)
    brought = other.load(NORA)
    assert list(brought.insights()) == [INSIGHT]
    assert brought.last_reflection == reflection


def test_an_insight_on_words_that_were_corrected_here_is_not_brought_in() -> None:
    """Nor is one that rests on such an insight: the correction is stronger than the file."""
    deeper = an_insight("Gardens heal.", position=1, evidence=[INSIGHT.id], depth=2)
    source = _filled(InMemoryStore())
    bank = export_native(put(source, NORA, PutDerived(deeper)))
    here = InMemoryStore()
    here.create(NORA, a_profile())
    corrected = replace(TURN, query="I planted peas.", edited=True)
    put(here, NORA, PutTurn(corrected))
    import_bank(here, bank, language="en", zone=ZoneInfo("UTC"), now=NOW)
    assert list(here.load(NORA).insights()) == []


def test_another_thought_of_the_same_place_gets_the_next_one() -> None:
    """Both stay, and what rests on the one that moved follows it."""
    source = _filled(InMemoryStore())
    deeper = an_insight("Gardens heal.", position=1, evidence=[INSIGHT.id], depth=2)
    bank = export_native(put(source, NORA, PutDerived(deeper)))
    here = InMemoryStore()
    here.create(NORA, a_profile())
    own = an_insight("Nora likes beans.", evidence=[TURN.id])
    put(here, NORA, PutTurn(TURN), PutDerived(own))
    import_bank(here, bank, language="en", zone=ZoneInfo("UTC"), now=NOW)
    thoughts = list(here.load(NORA).insights())
    assert [(it.position, it.text) for it in thoughts] == [
        (0, "Nora likes beans."),
        (1, "Nora is happiest in her garden."),
        (2, "Gardens heal."),
    ]
    assert thoughts[2].provenance.from_ids == (thoughts[1].id,)
