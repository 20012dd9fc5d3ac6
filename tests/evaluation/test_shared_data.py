"""The published figures on the data they are measured on, where that data is at hand.

It is no part of the project: its folder is named by ``SILICONFRIEND_SHARED`` or lies as
``shared/data`` beside the checkout.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.evaluation.bench import Bench, open_bench
from siliconfriend.evaluation.datasets import read_json, read_questions
from siliconfriend.evaluation.probing import evaluate_probing
from siliconfriend.evaluation.table import Row

BESIDE = Path(__file__).parents[3] / "shared" / "data"
SHARED = Path(os.environ.get("SILICONFRIEND_SHARED") or BESIDE)

pytestmark = pytest.mark.skipif(
    not (SHARED / "memorybank").is_dir(),
    reason="NOT TESTED: no shared data (SILICONFRIEND_SHARED names its folder)",
)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of embeddings for all tests here."""
    return tmp_path_factory.mktemp("vectors") / "vectors.sqlite"


@pytest.fixture
def bench(home: Path, vectors: Path) -> Iterator[Bench]:
    """A place with the bundled embedder."""
    settings = load_settings(home=home, environ={}, embedding="bundled", timezone="UTC")
    with open_bench(settings, vectors=vectors) as place:
        yield place


def _probe(bench: Bench, language: str) -> dict[str, Row]:
    folder = SHARED / "memorybank"
    people = bench.import_bank(read_json(folder / f"bank_{language}.json"))
    asked = read_questions(folder / f"questions_{language}.jsonl")
    rows = evaluate_probing(bench, people, asked, ["siliconfriend", "memorybank"])
    return {row["recipe"]: row for row in rows}


@pytest.mark.parametrize("language", ["en", "cn"])
def test_probing_questions_find_their_evidence(bench: Bench, language: str) -> None:
    """Within six 0.97, within three 0.92, ahead of dense recall alone."""
    rows = _probe(bench, language)
    assert rows["siliconfriend"]["hit"]["6"] >= 0.97
    assert rows["siliconfriend"]["hit"]["3"] >= 0.92
    assert rows["memorybank"]["hit"]["6"] < rows["siliconfriend"]["hit"]["6"]
