"""Recall of gold evidence, on a bank whose cosines can be worked out by eye."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import UnreadableFile
from siliconfriend.evaluation.bench import Bench, open_bench
from siliconfriend.evaluation.probing import evaluate_probing, read_questions
from siliconfriend.evaluation.table import Row
from siliconfriend.memory.scope import Scope
from tests.evaluation import banks


def _probe(bench: Bench, folder: Path, **options: Any) -> Row:
    people = bench.import_bank(banks.BANK)
    questions = read_questions(banks.write(folder)[1])
    recipe = options.pop("recipe", "memorybank")
    (result,) = evaluate_probing(bench, people, questions, [recipe], **options)
    return result


def test_figures_are_those_worked_out_by_hand(bench: Bench, tmp_path: Path) -> None:
    """Ranks 2, 2, 1, 4 for Ada and 1 for Bo; a summary takes no place among the turns."""
    listed = _probe(bench, tmp_path, ks=(1, 3))["misses"]
    assert listed == [{"user": "Ada", "q": 3, "question": "brush?"}]
    row = _probe(bench, tmp_path, ks=(1, 3, 6))
    assert (row["recipe"], row["lang"]) == ("memorybank", "en")
    assert (row["questions"], row["skipped"], row["misses"]) == (5, 2, [])
    assert row["hit"] == {"1": 0.4, "3": 0.8, "6": 1.0}
    assert row["mrr"] == pytest.approx((1 / 2 + 1 / 2 + 1 + 1 / 4 + 1) / 5)


def test_the_place_is_not_the_persons_own_and_goes_away(settings: Settings, home: Path) -> None:
    """The data directory of the settings is never made, and the other is gone afterwards."""
    with open_bench(settings) as bench:
        bench.import_bank(banks.BANK)
        place = bench.runtime.settings.home
        assert place.is_dir()
    assert not place.exists()
    assert not home.exists()


def test_a_question_is_asked_on_the_morning_after_the_last_day(bench: Bench) -> None:
    """At nine in the person's zone; a day without talk is no last day; --now comes first."""
    ada, bo = bench.import_bank(banks.BANK)
    assert bench.question_time(bench.store.load(ada)) == datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert bench.question_time(bench.store.load(bo)) == datetime(2026, 3, 3, 9, tzinfo=UTC)
    now = datetime(2027, 1, 1, tzinfo=UTC)
    assert replace(bench, now=now).question_time(bench.store.load(ada)) == now


def test_a_translated_bank_is_asked_person_by_person(bench: Bench, tmp_path: Path) -> None:
    """The same people under other names, and one turn fewer: its question is skipped."""
    ada, bo = banks.BANK[" Ada "], banks.BANK["Bo"]
    translated = {
        "安娜": ada | {"name": "安娜"},
        "阿兵": bo | {"name": "阿兵", "history": {banks.NEXT_DAY: []}},
    }
    people = bench.import_bank(translated)
    assert people == [Scope.of("安娜"), Scope.of("阿兵")]
    questions = read_questions(banks.write(tmp_path)[1])
    (result,) = evaluate_probing(bench, people, questions, ["memorybank"])
    assert (result["lang"], result["questions"], result["skipped"]) == ("en", 4, 3)
    assert result["hit"]["3"] == 3 / 4


def test_a_file_that_holds_no_vectors_is_refused_and_left(settings: Settings, home: Path) -> None:
    """Somebody named their notes, or another database; an empty file and one of ours are taken."""
    home.mkdir(exist_ok=True)
    notes, other, own = home / "notes.txt", home / "other.sqlite", home / "vectors.sqlite"
    notes.write_text("mine", encoding="utf-8")
    with closing(sqlite3.connect(other)) as base:
        base.execute("CREATE TABLE mine (words)")
    for path in (notes, other, home):
        before = path.is_file() and path.read_bytes()
        with pytest.raises(UnreadableFile, match=f"{path.name} is no file of embeddings"):
            open_bench(settings, vectors=path).__enter__()
        assert before == (path.is_file() and path.read_bytes())
    own.touch()
    for _ in range(2):
        with open_bench(settings, embedder=banks.embedder(), vectors=own) as bench:
            bench.prepare_embeddings(bench.import_bank(banks.BANK), ["kiln?"])
    assert own.read_bytes().startswith(b"SQLite format 3")
