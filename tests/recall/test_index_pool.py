"""A process keeps indexes of few people, and never more than it has room for."""

from __future__ import annotations

import pytest

from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.recall import recaller
from siliconfriend.recall.recaller import IndexPool
from siliconfriend.testing import WordEmbedder
from tests.memory.people import a_profile, a_turn

ADA, BO, CY = map(Scope.of, ("Ada", "Bo", "Cy"))


def use(pool: IndexPool, scope: Scope, turns: int) -> None:
    """Use a person's index of so many turns."""
    told = [PutTurn(a_turn("bean", "", position=at, scope=scope)) for at in range(turns)]
    pool.get(scope).sync(apply_all(PersonMemory(a_profile(scope)), told))


@pytest.fixture
def pool() -> IndexPool:
    """A pool over nothing that is kept."""
    return IndexPool(WordEmbedder(["bean"]), lambda _scope: None)


def test_who_was_used_longest_ago_goes_first(
    pool: IndexPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for two people."""
    monkeypatch.setattr(recaller, "MOST_OPEN", 2)
    for scope in (ADA, BO, ADA, CY):
        use(pool, scope, 1)
    assert [len(pool.get(scope).rows) for scope in (ADA, CY, BO)] == [1, 1, 0]


def test_a_large_index_makes_room_for_itself(
    pool: IndexPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row takes some 3 kB: with room for five, whoever had three goes; one alone stays however large."""
    monkeypatch.setattr(recaller, "MOST_BYTES", 16_000)
    for scope, turns, other in ((ADA, 3, BO), (BO, 9, ADA)):
        use(pool, scope, turns)
        assert len(pool.get(scope).rows) == turns
        assert len(pool.get(other).rows) == 0
