"""Compare a recall with a bare FAISS flat search over the same vectors.

For each size and kind of message it prints the median processor times of a recall without
embedding and of the bare search, in turns within one run, and their ratio; and the memory that the
index takes. Vectors are drawn by the hash of a text, since their origin does not change the cost of a
search: ``python benchmarks/recall.py [TURNS …]``.
"""

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.long_life import NORA, HashEmbedder, remember, turns_of_day
from benchmarks.model_server import alone
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.records import Turn
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.recaller import Recaller

NOW = datetime(2030, 3, 14, 9, tzinfo=UTC)
DIMENSION = HashEmbedder.dimension
OF_EACH = 30
"""Number of messages of each kind."""
SPANS = (
    *("What did I do in March two years ago?", "What happened last summer?"),
    *("What did I tell you in October 2024?", "Where was I in the spring of 2019?"),
)
VOCABULARY = 20_000
STOPPED = 30
"""Number of the most frequent words that count as stop words."""
COMMON = np.cumsum(1 / np.arange(STOPPED, VOCABULARY))
COMMON /= COMMON[-1]
"""The share of all words that the most frequent ones make up (Zipf)."""
WORDS_A_TURN = 40


def sentence(draw: np.random.Generator, words: int) -> str:
    """Words as frequent as in speech (Zipf), of a large vocabulary and without stop words."""
    numbers = STOPPED + np.searchsorted(COMMON, draw.random(words))
    return " ".join("".join(chr(97 + int(digit)) for digit in str(number)) for number in numbers)


def old_turns(turns: int, draw: np.random.Generator) -> Iterator[Turn]:
    """Create turns of Zipf-distributed words."""
    days = (turns_of_day(number) for number in count())
    for turn in islice(chain.from_iterable(days), turns):
        half = WORDS_A_TURN // 2
        yield replace(turn, query=sentence(draw, half), response=sentence(draw, half))


def resident() -> float:
    """Megabytes of this process in memory at most so far."""
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def bare_index(vectors: Vectors) -> Any:
    import faiss

    index = faiss.IndexFlatIP(DIMENSION)
    index.add(vectors)
    return index


def seconds(work: Callable[..., object]) -> float:
    """Processor time."""
    began = time.process_time()
    work()
    return time.process_time() - began


def messages_by_kind(draw: np.random.Generator) -> dict[str, list[tuple[str, list[Utterance]]]]:
    """Messages of each kind, with what was said before them."""

    def said(count: int, ending: str) -> list[str]:
        return [sentence(draw, 8) + ending for _ in range(count)]

    talks = [
        [Utterance(words, is_reply=at % 2 == 1) for at, words in enumerate(said(6, "."))]
        for _ in range(OF_EACH)
    ]
    alone: dict[str, list[str]] = {
        "question": said(OF_EACH, "?"),
        "question of a span": [SPANS[at % len(SPANS)] for at in range(OF_EACH)],
        "remark": said(OF_EACH, "."),
    }
    found = {kind: [(message, list[Utterance]()) for message in one] for kind, one in alone.items()}
    return {**found, "remark in a talk": list(zip(said(OF_EACH, "."), talks, strict=True))}


def one_size(turns: int) -> None:
    draw = np.random.default_rng(1)
    embedder = HashEmbedder()
    with tempfile.TemporaryDirectory() as folder:
        store = remember(Path(folder), old_turns(turns, draw))
        recaller = Recaller(store, embedder, policy=ForgettingPolicy.named("companion"))
        before = resident()
        recaller.update_index(NORA)
        taken = resident() - before
        texts = [f"{turn.query}\n{turn.response}" for turn in store.load(NORA).turns()]
        bare = bare_index(embedder.passages(texts))
        print(
            f"{turns:>7,} turns   index {taken:6.0f} MB"
            f" ({turns * DIMENSION * 4 / 2**20:.0f} MB of vectors)"
        )
        for kind, messages in messages_by_kind(draw).items():
            recaller.recall(NORA, messages[0][0], now=NOW)
            rounds = []
            for message, talk in messages:  # in turns, so that a busy moment meets both alike
                embedder.spent = 0.0
                recall = partial(recaller.recall, NORA, message, now=NOW, talk=talk)
                recalled = seconds(recall) - embedder.spent
                vector = embedder.queries([message])
                rounds.append((recalled, seconds(partial(bare.search, vector, 10))))
            recalled, searched = map(statistics.median, zip(*rounds, strict=True))
            print(
                f"{kind:>22}   recall {recalled * 1e3:7.2f} ms   bare search"
                f" {searched * 1e3:7.2f} ms   ratio {recalled / searched:6.2f}"
            )


def main(*sizes: int) -> None:
    for turns in sizes or (1_000, 10_000, 100_000):
        alone(one_size, turns)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
