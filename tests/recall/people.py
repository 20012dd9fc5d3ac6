"""People whose memories recall is tested on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import RecallResult
from siliconfriend.texts import Language
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)

TOLD_AND_ASKED: dict[str, dict[Language, list[list[str]]]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "told_and_asked.toml").read_text("utf-8")
)
GARDEN = (
    ("2026-03-01", "I planted beans by the red wall.", "Which beans are they?"),
    ("2026-03-01", "Runner beans, from my aunt.", "They will climb well."),
    ("2026-03-02", "My sister Ines moved to Porto.", "That is far away."),
    ("2026-03-05", "The dentist found nothing wrong.", "What a relief."),
    ("2026-03-05", "I bought a blue kettle.", "Enjoy your tea."),
)


def turns(said: Iterable[tuple[str, str, str]], scope: Scope = NORA) -> list[Turn]:
    """Turns by date, query and response, numbered within their days."""
    made: list[Turn] = []
    for day, query, response in said:
        position = sum(turn.date == day for turn in made)
        made.append(a_turn(query, response, day=day, position=position, scope=scope))
    return made


def remember(store: MemoryStore, said: Sequence[Turn], scope: Scope = NORA) -> None:
    """Put turns into a store."""
    store.create(scope, a_profile(scope))
    put(store, scope, *(PutTurn(turn) for turn in said))


def a_recaller(
    store: MemoryStore,
    embedder: Embedder | None,
    folder: Path | None = None,
    policy: str = "companion",
) -> Recaller:
    """A recaller over a store, its cache in ``folder``."""
    return Recaller(
        store,
        embedder,
        policy=ForgettingPolicy.named(policy),
        folder=lambda _scope: folder,
    )


def found(recollection: RecallResult) -> list[str]:
    """What the person said in the memories found, best first."""
    return [it.memory.query for it in recollection.memories if isinstance(it.memory, Turn)]


def with_trace(turn: Turn, **values: object) -> Turn:
    """The turn with its trace changed."""
    return replace(turn, trace=replace(turn.trace, **values))  # type: ignore[arg-type]
