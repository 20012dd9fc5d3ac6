"""A new name that looks like a known one is refused; one that looks different is not."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.errors import RefusedName
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.lookalike_names import check_newcomer, check_newcomers
from siliconfriend.memory.scope import Scope
from tests.memory.people import a_profile

KNOWN = [Scope.of("Ada"), Scope.of("小明"), Scope.of("Zoë"), Scope.of("Bo", "Wren")]


@pytest.mark.parametrize(
    "name", ["Аda", "A\u200bda", "Ａｄａ", "A\u2060d\u00ada", "\u202eAda", "小\u200b明", "аdа"]
)
def test_a_twin_for_the_eye_is_refused(name: str) -> None:
    """Cyrillic, zero-width, full-width, overriding; the sentence shows what differs."""
    with pytest.raises(RefusedName) as refused:
        check_newcomers([Scope.of(name)], KNOWN)
    assert "U+" in refused.value.message("en")
    assert "U+" in refused.value.message("cn")


@pytest.mark.parametrize("name", ["ada", "ADA", "Adam", "Zoe", "Ада", "晓明", "Bo", "Aďa"])
def test_who_looks_different_is_somebody_else(name: str) -> None:
    """Another case or accent is seen; so is a name all in another alphabet; Bo is Wren's."""
    check_newcomers([Scope.of(name)], KNOWN)


def test_who_is_known_passes_however_they_are_named() -> None:
    """A twin that is there already keeps its memory; only a beginning is refused."""
    store = InMemoryStore()
    store.create(Scope.of("Ada"), a_profile())
    with pytest.raises(RefusedName):
        check_newcomer(store, Scope.of("Аda"))
    store.create(Scope.of("Аda"), a_profile())
    check_newcomer(store, Scope.of("Аda"))


@pytest.mark.parametrize("name", ["Аda", "A\u200bda"])
def test_a_file_brings_no_twin(name: str) -> None:
    """Neither of who is known nor of another in the file; whoever is known is added to."""
    store = InMemoryStore()
    past = {"history": {"2026-03-01": [{"query": "Beans.", "response": "Yes."}]}}
    for people in (["Ada", name], [name, "Ada"]):
        with pytest.raises(RefusedName):
            bring(store, dict.fromkeys(people, past))
        assert store.scopes() == []
    bring(store, {"Ada": past})
    with pytest.raises(RefusedName):
        bring(store, {"Wren": past, name: past})
    assert store.scopes() == [Scope.of("Ada")]
    store.create(Scope.of(name), a_profile())
    bring(store, {name: past})


def bring(store: InMemoryStore, bank: dict[str, object]) -> None:
    import_bank(
        store, bank, language="en", zone=ZoneInfo("UTC"), now=datetime(2026, 3, 4, tzinfo=UTC)
    )
