"""People whose memories recall is tested on, and of whom something is known."""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutTurn
from siliconfriend.memory.knowledge import Aspect, EntityType, Fact, Provenance
from siliconfriend.memory.passages import PassageFile, PassageStore
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope, memory_id
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index import ScopeIndex, embedder_stamp
from siliconfriend.recall.passages import StoredPassages
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import RecallResult
from siliconfriend.texts import Language
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore

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
    store: MemoryStore, embedder: Embedder | None, policy: str = "companion"
) -> Recaller:
    """A recaller over a store."""
    return Recaller(store, embedder, policy=ForgettingPolicy.named(policy))


def an_index(embedder: Embedder | None, folder: Path | None = None) -> ScopeIndex:
    """An index of Nora's memory, its passages in a folder or nowhere."""
    store: PassageStore = _Nowhere() if folder is None else PassageFile(folder / "passages.sqlite")
    return ScopeIndex(embedder, StoredPassages(store, NORA, embedder_stamp(embedder)))


class _Nowhere:
    @contextmanager
    def passages(self, scope: Scope, *, erasures: int | None = None) -> Iterator[None]:
        """Keep nothing."""
        yield None


def recalling(said: Iterable[tuple[str, str, str]], embedder: Embedder | None = None) -> Recaller:
    """Return a recaller over what Nora said: date, query and response."""
    store = TemporaryStore()
    remember(store, turns(said))
    return a_recaller(store, embedder)


def indexed(recaller: Recaller, scope: Scope = NORA) -> int:
    """How much a scope's index can find, archived memories left out."""
    rows = recaller._indexes.get(scope).rows
    return int((rows["alive"] & ~rows["archived"]).sum())


def found(recollection: RecallResult) -> list[str]:
    """What the person said in the memories found, best first."""
    return [one.memory.query for one in recollection.memories if isinstance(one.memory, Turn)]


def with_trace(turn: Turn, **values: object) -> Turn:
    """The turn with its trace changed."""
    return replace(turn, trace=replace(turn.trace, **values))  # type: ignore[arg-type]


DAY = "2026-03-01"


def a_fact(
    text: str,
    *,
    key_word: str = "",
    entity: str = "Nora",
    entity_type: EntityType = "object",
    aspect: Aspect = "attribute",
    last: str = DAY,
    **more: Any,
) -> Fact:
    """A fact; its place in its day is given when it is told."""
    return Fact(
        id="",
        date=last,
        position=0,
        text=text,
        trace=Trace(NOW),
        provenance=Provenance("scripted", NOW),
        entity=entity,
        entity_type=entity_type,
        aspect=aspect,
        key_word=key_word,
        first=DAY,
        last=last,
        **more,
    )


def numbered(facts: Iterable[Fact], scope: Scope = NORA) -> list[Fact]:
    """The facts with their ids, numbered within their days."""
    made: list[Fact] = []
    for fact in facts:
        position = sum(other.date == fact.date for other in made)
        identifier = memory_id(scope, "fact", fact.date, position)
        made.append(replace(fact, id=identifier, position=position))
    return made


def know(
    store: MemoryStore, facts: Iterable[Fact], scope: Scope = NORA, language: Language = "en"
) -> list[Fact]:
    """Put facts into a store; they as they stand there."""
    made = numbered(facts, scope)
    if not store.exists(scope):
        store.create(scope, replace(a_profile(scope), language=language))
    put(store, scope, *(PutDerived(fact) for fact in made))
    return made


def known(recollection: RecallResult) -> list[str]:
    """The descriptions of the facts found, in their order."""
    return [one.memory.text for one in recollection.facts if isinstance(one.memory, Fact)]


def ask(recaller: Recaller, query: str, scope: Scope = NORA, **options: Any) -> list[str]:
    """What is known that bears on a question."""
    return known(recaller.recall(scope, query, now=NOW, **options))
