"""Recall the memories relevant to a message, best first.

A recall is read-only; :meth:`Recaller.reinforce` strengthens memories that entered a prompt.
"""

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path

from siliconfriend.errors import ModelUnavailable, SiliconFriendError
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.language.message import PersonText
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.passages import MOST_NAMED
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import RecalledStore
from siliconfriend.recall.analysis import digests_of
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import documents_of
from siliconfriend.recall.due import Planned, find_planned
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index import (
    OnProgress,
    PassageMaker,
    ScopeIndex,
    TooManyTexts,
    embedder_stamp,
)
from siliconfriend.recall.likelihood import Model
from siliconfriend.recall.passages import StoredPassages
from siliconfriend.recall.pipeline import Examined, RecallPipeline, RecallRequest
from siliconfriend.recall.results import RecallResult, is_only_repeated, reinforcing_changes
from siliconfriend.recall.vector_index import VectorIndex

MOST_OPEN = 64
"""Capacity of the cache of indexes; the least recently used is evicted and rebuilt from the store.
Opening an index reads all its vectors and would delay each reply."""

MOST_UNUSED = 4096
"""Number of vectors kept for other texts, such as drafts that are compared again."""

MOST_BYTES = 1 << 29
"""Memory limit of cached indexes in bytes: 17 people with ten years each."""

MOST_WAITED = 256
"""Maximum texts embedded within a recall: about 12 seconds at 50 ms each."""


def preload(*, vectors: bool) -> None:
    """Preload the libraries and tables of a search; they take about a second."""
    if vectors:
        VectorIndex(1)
    tokenize("面包 bread")
    find_dates_said_on("今天 today", date(2026, 1, 1))
    for sign in ("asks_memory", "opts_out", "asks_to_forget", "is_distress"):
        getattr(PersonText("今天 today"), sign)


class IndexPool:
    """The indexes in memory, by scope; safe between threads."""

    def __init__(self, embedder: Embedder | None, store: RecalledStore) -> None:
        self._embedder = embedder
        self._store = store
        self._lock = threading.Lock()
        self._open: OrderedDict[Scope, ScopeIndex] = OrderedDict()

    def get(self, scope: Scope) -> ScopeIndex:
        """Return the index of a scope, and mark it as recently used."""
        with self._lock:
            index = self._open.pop(scope, None)
            if index is None:
                stamp = embedder_stamp(self._embedder)
                index = ScopeIndex(self._embedder, StoredPassages(self._store, scope, stamp))
            taken = sum(index.nbytes for index in self._open.values())
            while self._open and (
                len(self._open) >= MOST_OPEN or taken + index.nbytes > MOST_BYTES
            ):
                taken -= self._open.popitem(last=False)[1].nbytes
            self._open[scope] = index
            return index

    def forget(self, scope: Scope) -> None:
        """Drop the index of a scope."""
        with self._lock:
            self._open.pop(scope, None)


class Recaller:
    """Finds memories in any scope of a store; thread-safe.

    Args:
        store, policy: the memory store and the forgetting policy.
        embedder: None ranks by words alone.
        home: the data directory, which may hold the operator's own files.
        answers_while_indexing: with many texts to embed, search by words, set the result's
            ``unembedded``, and embed in the background. Otherwise the first caller waits.

    Raises:
        ConfigurationError: the learned weights cannot be read.
    """

    def __init__(
        self,
        store: RecalledStore,
        embedder: Embedder | None,
        *,
        policy: ForgettingPolicy,
        home: Path | None = None,
        answers_while_indexing: bool = False,
    ) -> None:
        self._answers_while_indexing = answers_while_indexing
        self.embedder = embedder
        self.policy = policy
        self._store = store
        self._indexes = IndexPool(embedder, store)
        self._pipeline = RecallPipeline(embedder, policy, home)
        self._word_indexes = IndexPool(None, store)
        self._word_pipeline = RecallPipeline(None, policy, home)
        self._embedding: set[Scope] = set()
        self._embedding_lock = threading.Lock()

    def recall(
        self,
        scope: Scope,
        query: str,
        *,
        now: datetime,
        top: int = 10,
        recipe: str = "siliconfriend",
        talk: Sequence[Utterance] = (),
        exclude: Collection[str] = (),
        top_facts: int = 10,
        companion_name: str = "",
        words_suffice: bool = False,
    ) -> RecallResult:
        """Find the memories and facts relevant to ``query``.

        Args:
            scope: whose memories.
            query: the message.
            now: the moment, aware.
            top: maximum number of memories.
            recipe: the name of the recipe that ranks.
            talk: preceding utterances, oldest first: context of a remark; a short question uses the
                last reply.
            exclude: ids already in the prompt.
            top_facts: maximum number of facts; 0 skips the search.
            companion_name: what the companion calls itself, so that its name is not searched.
            words_suffice: where the embedder fails, rank by words alone and name the ``trouble``.

        Raises:
            UsageError: there is no such recipe.
            UnknownPerson, DamagedMemory: as the store's ``load``.
            ModelUnavailable: the embedder is a service that failed.
        """
        request = RecallRequest(query, now, top, recipe, talk, exclude, top_facts, companion_name)
        load = partial(self._store.load, scope)
        try:
            index, lacking = self._ready_index(scope, exclude)
            pipeline = self._word_pipeline if lacking else self._pipeline
            return replace(pipeline.run(index, load, request), unembedded=lacking)
        except ModelUnavailable as error:
            if not words_suffice:
                raise
            result = self._word_pipeline.run(self._word_indexes.get(scope), load, request)
            return replace(result, trouble=error)

    def examine(
        self,
        scope: Scope,
        query: str,
        *,
        now: datetime,
        talk: Sequence[Utterance] = (),
        model: Model | None = None,
    ) -> Examined:
        """Find the candidates of a message by a model's baseline, to learn likelihood from."""
        request = RecallRequest(query, now, talk=talk)
        index = self._indexes.get(scope)
        return self._pipeline.examine(index, lambda: self._store.load(scope), request, model=model)

    @property
    def model(self) -> Model:
        """Learned model of the embedder."""
        return self._pipeline.model

    def _ready_index(self, scope: Scope, exclude: Collection[str] = ()) -> tuple[ScopeIndex, int]:
        """Return the index to search, and the number of texts still to be embedded."""
        index = self._indexes.get(scope)
        if not self._answers_while_indexing or self.embedder is None:
            return index, 0
        if not index.lock.acquire(blocking=False):
            done, count = index.maker.progress or (0, 0)
            left = count - done
            return (self._word_indexes.get(scope), left) if left > MOST_WAITED else (index, 0)
        try:
            index.sync(self._store.load(scope), exclude, most=MOST_WAITED)
        except TooManyTexts as lacking:
            self._embed_behind(scope)
            return self._word_indexes.get(scope), lacking.count
        finally:
            index.lock.release()
        return index, 0

    def _embed_behind(self, scope: Scope) -> None:
        """Synchronise the index of a scope in a daemon thread."""
        with self._embedding_lock:
            if scope in self._embedding:
                return
            self._embedding.add(scope)

        def run() -> None:
            try:
                # If the embedder fails, words remain searchable; the night reports the error.
                with suppress(SiliconFriendError):
                    self.update_index(scope)
            finally:
                with self._embedding_lock:
                    self._embedding.discard(scope)

        threading.Thread(target=run, name="embedding", daemon=True).start()

    def reinforce(
        self, scope: Scope, recalled: RecallResult | Iterable[str], *, now: datetime
    ) -> None:
        """Strengthen memories that entered a prompt (once a day each), and visit their topics.

        A recall's result is filtered to likely memories that add to the message, since daily small
        talk would outlive the rest. Ids are not filtered.
        """
        if isinstance(recalled, RecallResult):
            several = (*recalled.memories, *recalled.facts)
            said = recalled.query
            likely = [result.memory for result in several if result.is_likely]
            ids = [memory.id for memory in likely if not is_only_repeated(memory, said)]
        else:
            ids = list(recalled)
        if ids:
            with self._store.edit(scope) as edit:
                edit.add(*reinforcing_changes(edit.memory, ids, now))

    def planned(
        self, scope: Scope, first: date, last: date, *, exclude: Collection[str] = ()
    ) -> tuple[Planned, ...]:
        """Find plans for the days ``first`` to ``last`` (inclusive), told before those days.

        Archived memories, events whose turn is included, spans above a month, and cancelled or
        postponed plans are left out. Errors as :meth:`recall`.

        Returns:
            by the day it speaks of, then in the order it was told.
        """
        try:
            index, _ = self._ready_index(scope, exclude)
            return self._planned(index, scope, first, last, exclude)
        except ModelUnavailable:  # plans need no vectors
            return self._planned(self._word_indexes.get(scope), scope, first, last, exclude)

    def _planned(
        self, index: ScopeIndex, scope: Scope, first: date, last: date, exclude: Collection[str]
    ) -> tuple[Planned, ...]:
        with index.lock:
            index.sync(self._store.load(scope), exclude)
            return find_planned(index, first, last)

    def passages(self, scope: Scope) -> StoredPassages:
        """Return the stored vectors and analyses of a scope's texts, as of its memory now."""
        passages = StoredPassages(self._store, scope, embedder_stamp(self.embedder))
        passages.erasures = len(self._store.load(scope).erased)
        return passages

    def update_index(self, scope: Scope, on_progress: OnProgress | None = None) -> int:
        """Index new texts; return the number embedded. Errors as :meth:`recall`."""
        index = self._indexes.get(scope)
        with index.lock:
            return index.sync(self._store.load(scope), on_progress=on_progress)

    def indexing_progress(self, scope: Scope) -> tuple[int, int] | None:
        """Return the number of indexed texts and of all; None while nothing is being indexed."""
        return self._indexes.get(scope).maker.progress

    def index_night(self, scope: Scope, on_progress: OnProgress | None = None) -> int:
        """Embed new texts ahead of the next opening of the index; return their number.

        Only days that changed since the last call are read. If vectors of many deleted texts are
        stored, all days are read and these vectors removed.
        """
        passages, memory = self.passages(scope), self._store.load(scope)
        until, zone = passages.embedded_until(), memory.profile.zone
        if passages.count() > sum(1 for _ in memory.memories()) + MOST_UNUSED:
            until = -1
        changed = self._store.changed_since(scope, until)
        if not (dates := [date for date in changed if date in memory.days]):
            return 0
        maker, kept = PassageMaker(self.embedder, passages), set[str]()
        documents = chain.from_iterable(documents_of(memory.days[date]) for date in dates)
        while read := list(islice(documents, MOST_NAMED)):
            kept |= digests_of(read, zone)
            maker.make(read, zone, {}, on_progress)
        passages.finish_night(memory.sequence, kept if until < 0 else None)
        return maker.embedded

    def forget(self, scope: Scope) -> None:
        """Drop the index of a scope from memory; the next recall builds it from the store."""
        self._indexes.forget(scope)
        self._word_indexes.forget(scope)

    @contextmanager
    def synced_index(self, scope: Scope) -> Iterator[tuple[ScopeIndex, PersonMemory]]:
        """Lock the index of a scope, synchronised with the yielded memory."""
        index = self._indexes.get(scope)
        with index.lock:
            memory = self._store.load(scope)
            index.sync(memory)
            yield index, memory
