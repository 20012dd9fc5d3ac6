"""Open a temporary runtime for an evaluation, in a folder that is deleted afterwards.

No real memory is read or written, and no question changes the memories of the next.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

from siliconfriend.clock import noon_of
from siliconfriend.config import Settings
from siliconfriend.errors import UnreadableFile
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import language_of
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.import_export import read_bank
from siliconfriend.memory.passages import PassageFile
from siliconfriend.memory.records import Profile, Turn
from siliconfriend.memory.scope import Scope, memory_id
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.embedders.factory import open_embedder
from siliconfriend.recall.index import embedder_stamp
from siliconfriend.recall.passages import StoredPassages
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.recipes import name_without, recipe_named, recipe_names
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language

Name = TypeVar("Name")

Advance = Callable[[str, int, int], None]
"""Progress callback: task, number done, total."""
MAX_VECTORS = 200_000
"""Cache capacity for vectors of each kind, so that six recipes embed a text once."""
MET = datetime(2000, 1, 1, tzinfo=UTC)
"""Creation time of people, before all of their dates."""


@dataclass(frozen=True, slots=True)
class Told:
    """An exchange: ISO day, the person's words, the reply, and the local time if known."""

    day: str
    words: str
    reply: str = ""
    time: datetime | None = None


def read_turns(bank: object) -> list[Told]:
    """Return the turns of a MemoryBank-format bank, person by person in file order."""
    people = (person.memory() for person in read_bank(bank))
    return [
        Told(turn.date, turn.query, turn.response) for memory in people for turn in memory.turns()
    ]


def language_of_texts(texts: Iterable[str]) -> Language:
    """Detect the main language of some texts."""
    return language_of(" ".join(texts))


@dataclass(frozen=True, slots=True)
class Bench:
    """A temporary data directory and the runtime that works in it."""

    settings: Settings
    """The user's settings, which may name a model."""
    runtime: Runtime
    now: datetime | None = None
    """Moment of all questions; None for the morning after each person's last day."""
    advance: Advance = lambda _what, _done, _total: None
    """Progress callback for questions and embedded texts."""

    @property
    def store(self) -> MemoryStore:
        """The temporary store."""
        return self.runtime.store

    @property
    def recaller(self) -> Recaller:
        """Finds memories in that store."""
        return self.runtime.recaller

    @contextmanager
    def fresh(self) -> Iterator[Bench]:
        """Open a bench like this one, with a home of its own that is deleted afterwards."""
        settings = self.runtime.settings
        with tempfile.TemporaryDirectory(dir=settings.home) as folder:
            runtime = Runtime(replace(settings, home=Path(folder)), embedder=self.runtime.embedder)
            yield replace(self, runtime=runtime)

    def create_person(self, user: str, language: Language) -> Scope:
        """Create a person who lives by UTC."""
        scope = self.runtime.scope(user)
        profile = Profile(scope.person, language=language, timezone="UTC", created=MET)
        self.store.create(scope, profile)
        return scope

    def tell(
        self, scope: Scope, memories: Mapping[Name, Told], positions: Counter[str]
    ) -> dict[str, Name]:
        """Add a person's words as turns, by their names in a file; return the names by id.

        ``positions`` is the number of turns of each day so far, and is updated.
        """
        zone, turns = self.store.load(scope).profile.zone, list[Turn]()
        for told in memories.values():
            said_at = told.time and (
                told.time if told.time.tzinfo else told.time.replace(tzinfo=zone)
            )
            turns.append(
                Turn(
                    id=memory_id(scope, "turn", told.day, positions[told.day]),
                    date=told.day,
                    position=positions[told.day],
                    query=told.words,
                    response=told.reply,
                    time=said_at,
                    trace=Trace(said_at or noon_of(date.fromisoformat(told.day), zone)),
                    origin="import",
                )
            )
            positions[told.day] += 1
        with self.store.edit(scope) as edit:
            edit.add(*map(PutTurn, turns))
        return dict(zip((turn.id for turn in turns), memories, strict=True))


def choose_recipes(
    named: Sequence[str], usual: Sequence[str] = (), without: Sequence[str] = ()
) -> list[str]:
    """Return the recipes to measure: those named, else the usual ones, else all.

    Behind them comes the default one without each of some features. UsageError: unknown.
    """
    chosen = [*(named or usual or recipe_names()), *map(name_without, without)]
    for name in chosen:
        recipe_named(name)
    return [*dict.fromkeys(chosen)]


@contextmanager
def open_bench(
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    vectors: Path | None = None,
    now: datetime | None = None,
    advance: Advance = lambda _what, _done, _total: None,
) -> Iterator[Bench]:
    """Open a bench in a folder that is deleted when the block ends; it has no model of its own.

    ``vectors`` is a file that keeps embeddings between runs (UnreadableFile: it is of something
    else); the embedder is that of the settings unless given.
    """
    if vectors is not None:
        _check_vectors(vectors)
    inner = embedder or open_embedder(settings)
    kept = inner and CachedEmbedder(
        inner,
        max_passages=MAX_VECTORS,
        max_queries=MAX_VECTORS,
        stored=None if vectors is None else _stored(vectors, inner),
    )
    with tempfile.TemporaryDirectory(prefix="siliconfriend-") as folder:
        temporary = replace(settings, home=Path(folder), store="file", llm="offline")
        yield Bench(settings, Runtime(temporary, embedder=kept), now, advance)


def _stored(vectors: Path, embedder: Embedder) -> StoredPassages:
    scope = Scope.of("evaluation")
    return StoredPassages(PassageFile(vectors), scope, embedder_stamp(embedder))


def _check_vectors(path: Path) -> None:
    """Reject a file of another format, which the index would overwrite."""
    if not path.exists() or not path.stat().st_size:
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as base:
            base.execute("SELECT 1 FROM vector LIMIT 1")
    except sqlite3.DatabaseError as error:
        raise UnreadableFile("vectors_not_ours", path=path) from error
