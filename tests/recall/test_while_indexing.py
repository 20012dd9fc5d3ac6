"""While much is still to be embedded words answer, and the embedding goes on behind."""

import threading
from collections.abc import Iterator, Sequence

import pytest

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.recall import recaller as recaller_module
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.recaller import Recaller
from tests.embedding import WordEmbedder
from tests.memory.people import NORA, a_turn
from tests.memory.temporary import TemporaryStore
from tests.recall.people import NOW, remember

WORDS = ("heron", "pond", "kettle", "苍鹭")
TOLD = ["The heron stood by the pond.", "The kettle broke.", "池塘边有一只苍鹭。"]


class HeldEmbedder(WordEmbedder):
    """Embeds no passage before it is let."""

    def __init__(self) -> None:
        super().__init__(WORDS)
        self.begun, self.let = threading.Event(), threading.Event()

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.begun.set()
        assert self.let.wait(10)
        return super().passages(texts)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldEmbedder]:
    """An embedder that is held, where two texts are too many to wait for."""
    monkeypatch.setattr(recaller_module, "MOST_WAITED", 2)
    embedder = HeldEmbedder()
    yield embedder
    embedder.let.set()


def opened(embedder: Embedder, *, while_indexing: bool = True) -> Recaller:
    """A recaller over what was told, of a door where somebody talks."""
    store = TemporaryStore()
    remember(store, [a_turn(words, "", position=at) for at, words in enumerate(TOLD)])
    return Recaller(
        store,
        embedder,
        policy=ForgettingPolicy.named("companion"),
        answers_while_indexing=while_indexing,
    )


def wait_for_embedding(recaller: Recaller) -> None:
    """Wait until what goes on behind has ended."""
    for thread in threading.enumerate():
        if thread.name == "embedding":
            thread.join(10)
    assert recaller.indexing_progress(NORA) is None


@pytest.mark.parametrize(
    ("question", "found"), [("Where did the heron stand?", 0), ("苍鹭在哪里？", 2)]
)
def test_words_answer_meanwhile(held: HeldEmbedder, question: str, found: int) -> None:
    """In both languages, and the result says how much is left; then meaning answers."""
    recaller = opened(held)
    for _ in range(2):
        result = recaller.recall(NORA, question, now=NOW)
        assert result.memories[0].memory.id == a_turn(TOLD[found], "", position=found).id
        assert result.unembedded == 3
        assert held.begun.wait(10)
    held.let.set()
    wait_for_embedding(recaller)
    assert recaller.recall(NORA, question, now=NOW).unembedded == 0
    assert sorted(held.embedded) == sorted(TOLD)


def test_a_program_that_only_asks_gets_the_whole_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command, the night, an evaluation: nobody talks there."""
    monkeypatch.setattr(recaller_module, "MOST_WAITED", 0)
    recaller = opened(WordEmbedder(WORDS), while_indexing=False)
    assert recaller.recall(NORA, "A heron?", now=NOW).unembedded == 0


def test_of_a_talk_only_the_new_message_is_embedded() -> None:
    """What the person said before was embedded when they said it."""
    asked = list[str]()

    class Noting(WordEmbedder):
        def queries(self, texts: Sequence[str]) -> Vectors:
            asked.extend(texts)
            return super().queries(texts)

    recaller = opened(CachedEmbedder(Noting(WORDS)))
    before, remark = "We went to the pond.", "The heron was there."
    recaller.recall(NORA, before, now=NOW)
    talk = [Utterance(before), Utterance("How was it?", is_reply=True)]
    recaller.recall(NORA, remark, now=NOW, talk=talk)
    assert asked == [before, remark]
