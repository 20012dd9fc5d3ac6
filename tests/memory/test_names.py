"""A new name that looks like a known one is refused, and a slip finds the one that was meant."""

import pytest

from siliconfriend.errors import RefusedName
from siliconfriend.memory.scope import Scope, check_newcomers, near_names
from tests.memory.banks import bring
from tests.memory.people import a_profile
from tests.memory.temporary import TemporaryStore

KNOWN = [Scope.of("Ada"), Scope.of("小明"), Scope.of("Zoë"), Scope.of("Bo", "Wren")]


@pytest.mark.parametrize("name", ["Аda", "A\u200bda", "Ａｄａ", "\u202eAda", "小\u200b明"])
def test_a_lookalike_name_is_refused(name: str) -> None:
    with pytest.raises(RefusedName) as refused:
        check_newcomers([Scope.of(name)], KNOWN)
    assert "U+" in refused.value.message("en")
    assert "U+" in refused.value.message("cn")


@pytest.mark.parametrize("name", ["ada", "Adam", "Zoe", "Ада", "晓明", "Bo"])
def test_who_looks_different_is_somebody_else(name: str) -> None:
    check_newcomers([Scope.of(name)], KNOWN)


def test_who_is_known_passes_however_they_are_named() -> None:
    store = TemporaryStore()
    store.create(Scope.of("Ada"), a_profile())
    with pytest.raises(RefusedName):
        store.check_newcomer(Scope.of("Аda"))
    store.create(Scope.of("Аda"), a_profile())
    store.check_newcomer(Scope.of("Аda"))


@pytest.mark.parametrize("name", ["Аda", "A\u200bda"])
def test_an_import_brings_no_lookalike_name(name: str) -> None:
    store = TemporaryStore()
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


FRIENDS = ["Emily", "Ben", "Zoë", "林晓", "欧阳晓明"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("emily", ["Emily"]),
        ("Emil", ["Emily"]),
        ("Emly", ["Emily"]),
        ("Emity", ["Emily"]),
        ("zoe", ["Zoë"]),
        ("欧阳小明", ["欧阳晓明"]),
        ("欧阳 晓明", ["欧阳晓明"]),
    ],
)
def test_a_typo_is_near(typed: str, meant: list[str]) -> None:
    assert near_names(typed, FRIENDS) == meant


@pytest.mark.parametrize("typed", ["Emily", "Amelie", "Bea", "林小", "Robin", "?"])
def test_another_name_is_another(typed: str) -> None:
    assert near_names(typed, FRIENDS) == []


def test_the_nearest_stands_first() -> None:
    assert near_names("anna", ["Hanna", "Anna", "Annas"]) == ["Anna", "Annas", "Hanna"]
