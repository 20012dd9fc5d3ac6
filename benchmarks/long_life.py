"""A made-up person who talks twenty times a day for years, for the benchmarks of growth.

The same day of the same person is always the same, so that a life of ten years begins like
one of a month. Sentences are put together from parts and are hardly ever said twice.
"""

import hashlib
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Profile, Turn
from siliconfriend.memory.scope import Scope, memory_id
from siliconfriend.recall.embedders.base import Vectors

NORA = Scope.of("Nora")
BEGAN = datetime(2016, 1, 1, 8, tzinfo=UTC)
TURNS_A_DAY = 20
TURNS_A_WRITE = 5_000

_WHO = (
    *("my neighbour Tilda", "Grandpa", "my sister", "the new colleague", "our landlord"),
    *("an old friend from school", "the baker", "my cousin Oskar", "the dentist", "a stranger"),
)
_DID = (
    *("showed me", "borrowed", "wanted to talk about", "forgot", "laughed about", "painted"),
    *("asked me for", "could not find", "promised me", "repaired", "was proud of", "sold"),
)
_WHAT = (
    *("the blue bicycle", "a recipe for plum cake", "the garden fence", "an old photograph"),
    *("the piano lessons", "a letter from Lisbon", "the broken kettle", "the kitchen table"),
    *("a novel about sailors", "the train tickets", "the tomato seedlings", "a woollen scarf"),
    *("the choir rehearsal", "the winter tyres", "a map of the hills", "the chess club"),
)
_WHERE = (
    *("at the market", "by the river", "in the library", "on the tram", "after work"),
    *("before breakfast", "at the station", "in the rain", "during the break", "near the mill"),
)
_FELT = (
    *("I was glad about it", "it made me tired", "I could not stop thinking of it"),
    *("I felt a little lonely", "it was a good moment", "I was angry for an hour"),
    *("I want to try that again", "I should write it down", "nobody else noticed"),
)
_REPLIES = (
    *("That sounds like a day worth keeping.", "I can see why that stayed with you."),
    *("Thank you for telling me.", "And how do you feel about it now?"),
)


def turns_of_day(number: int, scope: Scope = NORA) -> list[Turn]:
    """Return the turns of a day, the first being 0."""
    draw = random.Random(number)
    morning = BEGAN + timedelta(days=number)
    turns = []
    for position in range(TURNS_A_DAY):
        talk, place = divmod(position, TURNS_A_DAY // 2)
        said = morning + timedelta(hours=11 * talk, minutes=3 * place)
        who, did, what, where, felt = map(draw.choice, (_WHO, _DID, _WHAT, _WHERE, _FELT))
        date = said.date().isoformat()
        query = (
            f"Today {who} {did} {what} {where}, number {draw.randrange(10_000)} in my notes,"
            f" and {felt}. Later {draw.choice(_WHO)} {draw.choice(_DID)}"
            f" {draw.choice(_WHAT)} {draw.choice(_WHERE)}."
        )
        turns.append(
            Turn(
                memory_id(scope, "turn", date, position),
                date,
                position,
                query=query,
                response=draw.choice(_REPLIES),
                time=said,
                trace=Trace(said),
                replied_by="a model",
            )
        )
    return turns


def first_turns(days: int, scope: Scope = NORA) -> Iterator[Turn]:
    """Yield the turns of the first days."""
    for number in range(days):
        yield from turns_of_day(number, scope)


class HashEmbedder:
    """Vectors of length 1 drawn by a text's hash, since how they were made does not change costs.

    Attributes:
        embedded: how many passages so far.
        spent: seconds of processor time for queries so far.
    """

    name = "hash"
    revision = "1"
    dimension = 384

    def __init__(self) -> None:
        self.embedded, self.spent = 0, 0.0

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        self.embedded += len(texts)
        return self._made(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the same vectors, not counted."""
        began = time.process_time()
        made = self._made(texts)
        self.spent += time.process_time() - began
        return made

    def _made(self, texts: Sequence[str]) -> Vectors:
        made = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
            made[row] = np.random.default_rng(seed).standard_normal(self.dimension)
        return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def remember(home: Path, turns: Iterable[Turn], scope: Scope = NORA) -> FileStore:
    """Return a store in which these turns were added to what is there, at rest."""
    store = FileStore(home)
    if not store.exists(scope):
        store.create(scope, Profile(scope.person, language="en", timezone="UTC", created=BEGAN))
    batch: list[Turn] = []
    for turn in turns:
        batch.append(turn)
        if len(batch) == TURNS_A_WRITE:
            _write(store, scope, batch)
            batch = []
    _write(store, scope, batch)
    store.tidy(scope)
    return store


def _write(store: FileStore, scope: Scope, turns: Sequence[Turn]) -> None:
    with store.edit(scope) as edit:
        edit.add(*map(PutTurn, turns))
