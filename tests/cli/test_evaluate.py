"""``evaluate`` as it is typed: tables, JSON, pages and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from siliconfriend.cli.main import program
from siliconfriend.recall.recipes import RECIPES
from tests.cli.conftest import Outcome, Run
from tests.evaluation import banks


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """The bank's file; the questions' lies beside it."""
    return banks.write(tmp_path)[0]


@pytest.fixture
def questions(bank: Path) -> Path:
    return bank.with_name("questions.jsonl")


def _written(folder: Path, name: str, document: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    return _written(tmp_path, "locomo.json", banks.LOCOMO)


@pytest.fixture
def life(tmp_path: Path) -> Path:
    return _written(tmp_path, "life.json", banks.LIFE)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with words only, in UTC, at whatever moment it is unless ``now`` is given."""
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "none")
    monkeypatch.setenv("SILICONFRIEND_TIMEZONE", "UTC")

    def invoke(*words: object, now: str = "") -> Outcome:
        moment = ["--now", now] if now else []
        result = CliRunner().invoke(program, [*moment, *map(str, words)])
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return invoke


def test_probing_prints_one_json_document(run: Run, bank: Path, questions: Path) -> None:
    """Every recipe a row, with the fields that others rely on; nothing else on standard output."""
    result = run("evaluate", "probing", "--bank", bank, "--questions", questions, "--json")
    assert result.code == 0, result.err
    rows = result.json["results"]
    assert [row["recipe"] for row in rows] == list(RECIPES)
    for row in rows:
        assert set(row) >= {"recipe", "lang", "questions", "skipped", "hit", "mrr", "seconds"}
        assert list(row["hit"]) == ["1", "3", "6"]
        assert (row["lang"], row["questions"], row["skipped"]) == ("en", 5, 2)


def test_the_table_shows_intervals(run: Run, bank: Path, questions: Path) -> None:
    """All five found within six: between 0.57 and 1."""
    result = run(
        *("evaluate", "probing", "--bank", bank, "--questions", questions),
        *("--recipe", "siliconfriend"),
    )
    assert result.code == 0, result.err
    assert "1.00 (0.57–1.00)" in result.out


def test_locomo_prints_recall_and_categories(run: Run, locomo: Path) -> None:
    """By number."""
    result = run("evaluate", "locomo", "--data", locomo, "--k", "1,2", "--json")
    assert result.code == 0, result.err
    rows = result.json["results"]
    assert [row["recipe"] for row in rows] == list(RECIPES)
    assert rows[0]["questions"] == 3
    assert list(rows[0]["by_category"]) == ["1", "4"]
    assert list(rows[0]["recall"]) == ["1", "2"]


def test_answers_of_the_offline_companion(run: Run, bank: Path, questions: Path) -> None:
    """Graded, each with question, reply and gold answer."""
    result = run(
        *("evaluate", "answers", "--bank", bank, "--questions", questions, "--limit", "3"),
        *("--recipe", "siliconfriend", "--json"),
    )
    assert result.code == 0, result.err
    (row,) = result.json["results"]
    assert (row["asked"], len(row["answers"])) == (3, 3)
    assert set(row) >= {"recipe", "lang", "asked", "right", "refused", "invented", "seconds"}
    assert set(row["answers"][0]) >= {"user", "q", "question", "reply", "gold", "right"}


def test_talk_prints_recall_with_and_without_the_floor(run: Run, tmp_path: Path) -> None:
    """Every recipe a row, with the fields that others rely on."""
    talks = _written(tmp_path, "talks.json", banks.TALKS)
    result = run("evaluate", "talk", "--talks", talks, "--json")
    assert result.code == 0, result.err
    rows = result.json["results"]
    assert [row["recipe"] for row in rows] == list(RECIPES)
    for row in rows:
        assert set(row) >= {"recipe", "lang", "talks", "recall", "hit", "without_floor", "seconds"}
        assert (row["lang"], row["talks"], row["skipped"]) == ("en", 4, 2)
        for share in ("recall", "hit", "without_floor"):
            assert list(row[share]) == ["1", "3", "5", "10"]


def test_life_prints_what_reached_prompt_and_reply(run: Run, life: Path, bank: Path) -> None:
    """By day and after a night, with the fields that others rely on."""
    words = ("evaluate", "life", "--life", life, "--recipe", "siliconfriend")
    result = run(*words, "--filler", bank, "--json")
    assert result.code == 0, result.err
    rows = result.json["results"]
    assert [(row["recipe"], row["phase"]) for row in rows] == [
        ("siliconfriend", "day"),
        ("siliconfriend", "night"),
    ]
    for row in rows:
        assert set(row) >= {"lang", "asked", "prompt", "said", "claimed", "by_kind", "misses"}
        assert (row["lang"], row["asked"]) == ("en", 4)
        assert row["by_kind"]["direct"]["prompt"] == 1
        assert set(row["misses"][0]) == {"kind", "ask", "in_prompt", "said", "reply"}
    table = run(*words).out
    for words_shown in ("siliconfriend, night", "by_kind direct prompt", "0.75 (0.30–0.95)"):
        assert words_shown in table


def test_files_that_are_not_what_they_should_be(
    run: Run, bank: Path, questions: Path, locomo: Path, life: Path, tmp_path: Path
) -> None:
    """Swapped, missing or no JSON: exit code 2 and the reason."""
    text = tmp_path / "text.txt"
    text.write_text("no json", encoding="utf-8")
    for words in (
        ("probing", "--bank", questions, "--questions", questions),
        ("probing", "--bank", bank, "--questions", text),
        ("probing", "--bank", tmp_path / "none", "--questions", questions),
        ("locomo", "--data", bank),
        ("answers", "--bank", text, "--questions", questions),
        ("talk", "--talks", bank),
        ("life", "--life", bank),
        ("life", "--life", life, "--filler", locomo),
        ("answers", "--bank", bank, "--questions", questions, "--judge", "nobody"),
    ):
        result = run("evaluate", *words)
        assert result.code == 2, (words, result.err)
        assert "Traceback" not in result.err
        assert result.err.strip()
