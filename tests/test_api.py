"""The short way in for a program of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import siliconfriend
from siliconfriend.errors import RefusedName, UnknownPerson
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.in_memory_store import InMemoryStore
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put


def test_a_bank_shows_what_is_remembered(home: Path) -> None:
    """People, their turns and their export, by a path or a text that names the directory."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn("I planted beans.")))
    for place in (home, str(home), None):
        bank = siliconfriend.MemoryBank(place)
        assert bank.people() == [NORA]
        person = bank.person(" Nora ")
        assert [turn.query for turn in person.turns()] == ["I planted beans."]
        assert person.memory() == store.load(NORA)
        assert person.export()["Nora"]["name"] == "Nora"
        assert person.export(native=True)["Nora"]["version"] == 1


def test_a_bank_can_stand_on_any_store() -> None:
    """A store that is open already is used as it is; nobody is known in an empty one."""
    bank = siliconfriend.MemoryBank(store=InMemoryStore())
    assert bank.people() == []
    with pytest.raises(UnknownPerson):
        bank.person("Nora").memory()
    with pytest.raises(RefusedName):
        bank.person("../x")
