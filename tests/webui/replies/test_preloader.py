"""Making ready behind the page: what it reads, whose, and that it fails in silence."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.creation import new_profile, new_turn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.recall.cue import Utterance, build_cue
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.index_file import INDEX_FILE
from siliconfriend.recall.index_files import IndexFiles
from siliconfriend.recall.recaller import Recaller
from siliconfriend.testing import WordEmbedder
from tests.memory.stored import put
from tests.webui.conftest import Serve
from tests.webui.slow import SlowEmbedder
from webui.replies.preloader import Preloader

ADA, BEN, NOBODY = Scope.of("Ada"), Scope.of("Ben"), Scope.of("Nobody")
SAID = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    """Two people who have said something."""
    store = FileStore(tmp_path)
    for scope in (ADA, BEN):
        store.create(scope, new_profile(scope, language="en", timezone="UTC", now=SAID))
        turn = new_turn(scope, store.load(scope), "I row at dawn.", now=SAID)
        put(store, scope, PutTurn(turn))
    return store


def warming(store: FileStore, embedder: WordEmbedder) -> Preloader:
    """What makes ready over a store."""
    policy = ForgettingPolicy.named("companion")
    return Preloader(
        store, Recaller(store, embedder, policy=policy, indexes=IndexFiles(store.folder)), None
    )


def test_who_begins_has_a_level_index_and_nobody_else(store: FileStore) -> None:
    """The index of one person is written, the other's memory is not looked at."""
    warming(store, WordEmbedder()).begin(ADA).join()
    assert (store.folder(ADA) / INDEX_FILE).exists()
    assert not (store.folder(BEN) / INDEX_FILE).exists()


def test_beginning_twice_at_once_is_done_once(store: FileStore) -> None:
    """A second tab waits for the same work; later it is done again."""
    embedder = SlowEmbedder()
    page = warming(store, embedder)
    first = page.begin(ADA)
    assert page.begin(ADA) is first
    embedder.may_go_on.set()
    first.join()
    again = page.begin(ADA)
    assert again is not first
    again.join()


def test_nothing_is_told_or_made_where_it_fails(store: FileStore) -> None:
    """A new person gets no memory by it, and a damaged one raises nothing."""
    page = warming(store, WordEmbedder())
    page.begin(NOBODY).join()
    assert not store.exists(NOBODY)
    for file in store.folder(ADA).glob("*.json*"):
        file.write_bytes(b"no memory")
    page.begin(ADA).join()
    assert not (store.folder(ADA) / INDEX_FILE).exists()


def test_what_the_companion_said_is_embedded_before_the_next_message(store: FileStore) -> None:
    """The end of a long reply, as the cue of the next message asks for it; once."""
    asked: list[str] = []
    done = threading.Event()

    class Noted(WordEmbedder):
        def queries(self, texts: Sequence[str]) -> Vectors:
            asked.extend(texts)
            done.set()
            return super().queries(texts)

    words = f"{'Long ago. ' * 200} Which evening does the choir meet?"
    warming(store, Noted()).embed_reply(words)
    assert done.wait(10)
    said = [Utterance(words, is_reply=True)]
    (context,) = build_cue("I sing low.", store.load(ADA), now=SAID, talk=said).context
    assert asked == [context.text]


def test_a_model_is_loaded_without_being_asked() -> None:
    """The client is there, and no address was needed for it."""
    model = OpenAICompatible("here", base_url="http://127.0.0.1:9/v1")
    model.load()
    assert "_client" in vars(model)


def test_the_page_makes_ready_when_a_person_begins(serve: Serve) -> None:
    """Before anything is said the index of the person who gave their name is there."""
    served = serve(alone=True)
    served.talk_as("Maya")
    for worker in threading.enumerate():
        if worker.name == "warming":
            worker.join()
    assert (served.store.folder(Scope.of("Maya")) / INDEX_FILE).exists()
    assert not (served.store.folder(Scope.of("林晓")) / INDEX_FILE).exists()
