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
from tests.postgres_server import PostgresServer


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """The bank's file."""
    return banks.write(tmp_path)[0]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """The questions' file."""
    return banks.write(tmp_path)[1]


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    """A conversation in LoCoMo's form."""
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(banks.LOCOMO), encoding="utf-8")
    return path


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """Memories of a person, and talks."""
    path = tmp_path / "talks.json"
    path.write_text(json.dumps(banks.TALKS), encoding="utf-8")
    return path


@pytest.fixture
def life(tmp_path: Path) -> Path:
    """What a person told, and what they are asked."""
    path = tmp_path / "life.json"
    path.write_text(json.dumps(banks.LIFE), encoding="utf-8")
    return path


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


def test_depths_and_recipes_can_be_chosen(run: Run, bank: Path, questions: Path) -> None:
    """In the order given, each once."""
    result = run(
        *("evaluate", "probing", "--bank", bank, "--questions", questions, "--k", "2,1,2"),
        *("--recipe", "reverie", "--recipe", "memorybank", "--recipe", "reverie", "--json"),
    )
    rows = result.json["results"]
    assert [(row["recipe"], list(row["hit"])) for row in rows] == [
        ("reverie", ["1", "2"]),
        ("memorybank", ["1", "2"]),
    ]


def test_the_table_shows_intervals(run: Run, bank: Path, questions: Path) -> None:
    """All five found within six: between 0.57 and 1."""
    result = run(
        *("evaluate", "probing", "--bank", bank, "--questions", questions),
        *("--recipe", "siliconfriend"),
    )
    assert result.code == 0, result.err
    assert "5 asked, 2 skipped" in result.out
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


def test_talk_prints_recall_with_and_without_the_floor(run: Run, talks: Path) -> None:
    """Every recipe a row, with the fields that others rely on."""
    result = run("evaluate", "talk", "--talks", talks, "--json")
    assert result.code == 0, result.err
    rows = result.json["results"]
    assert [row["recipe"] for row in rows] == list(RECIPES)
    for row in rows:
        assert set(row) >= {"recipe", "lang", "talks", "recall", "hit", "without_floor", "seconds"}
        assert (row["lang"], row["talks"], row["skipped"]) == ("en", 4, 2)
        for share in ("recall", "hit", "without_floor"):
            assert list(row[share]) == ["1", "3", "5", "10"]
    table = run("evaluate", "talk", "--talks", talks, "--k", "2", "--recipe", "memorybank")
    assert "4 measured, 2 skipped" in table.out
    assert "no floor 2" in table.out


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
        assert row["by_kind"]["direct"] == {"asked": 1, "prompt": 1, "said": 1}
        assert set(row["misses"][0]) == {"kind", "ask", "in_prompt", "said", "reply"}
    table = run(*words)
    assert "4 asked, 2 with nothing to find" in table.out
    assert "siliconfriend, night" in table.out


def test_life_can_do_without_a_night(run: Run, life: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And never asks the model of the settings, whose replies are no offline ones."""
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")
    words = ("evaluate", "life", "--life", life, "--recipe", "memorybank", "--no-night")
    result = run(*words, "--json")
    assert result.code == 0, result.err
    assert [row["phase"] for row in result.json["results"]] == ["day"]


def test_now_moves_the_moment_of_asking(run: Run, bank: Path, tmp_path: Path) -> None:
    """A question about "yesterday" has its day only on the day after."""
    path = tmp_path / "dated.jsonl"
    line = {"user": "Ada", "q": 0, "question": "yesterday?", "sufficient": [[[banks.DAY, 0]]]}
    path.write_text(json.dumps(line), encoding="utf-8")
    words = (
        "evaluate",
        "probing",
        "--bank",
        bank,
        "--questions",
        path,
        "--recipe",
        "siliconfriend",
    )
    (row,) = run(*words, "--json").json["results"]
    assert row["hit"]["6"] == 1.0
    (late,) = run(*words, "--json", now="2026-06-01T09:00").json["results"]
    assert late["hit"]["6"] == 0.0


def test_results_are_written_into_a_page(
    run: Run, bank: Path, questions: Path, locomo: Path, talks: Path, life: Path, tmp_path: Path
) -> None:
    """Each run its own section; without the folders of this machine."""
    page = tmp_path / "evaluation.md"
    run("evaluate", "probing", "--bank", bank, "--questions", questions, "--write", page)
    run("evaluate", "locomo", "--data", locomo, "--write", page)
    run("evaluate", "talk", "--talks", talks, "--write", page)
    run("evaluate", "life", "--life", life, "--filler", bank, "--no-night", "--write", page)
    asked = ("--bank", bank, "--questions", questions, "--limit", "2", "--no-foreign")
    run("evaluate", "answers", *asked, "--recipe", "memorybank", "--write", page)
    words = page.read_text(encoding="utf-8")
    assert "siliconfriend evaluate probing --bank bank.json --questions questions.jsonl" in words
    assert "## locomo locomo" in words
    assert "siliconfriend evaluate talk --talks talks.json`" in words
    assert "## life life bank" in words
    assert "--limit 2 --no-foreign`" in words
    assert "evaluate life --life life.json --filler bank.json --no-night`" in words
    assert all(f"- **{name}**: " in words for name in RECIPES)
    assert str(tmp_path) not in words


def test_results_over_a_database_stand_beside_those_over_files(
    run: Run,
    locomo: Path,
    tmp_path: Path,
    postgres_server: PostgresServer,
    database_name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a section of their own, which names no host and no password."""
    page = tmp_path / "evaluation.md"
    words = ("evaluate", "locomo", "--data", locomo, "--recipe", "memorybank", "--write", page)
    run(*words)
    address = postgres_server.address(database_name, "postgres").replace("@", ":secret@", 1)
    monkeypatch.setenv("SILICONFRIEND_STORE", address)
    assert run(*words).code == 0
    written = page.read_text(encoding="utf-8")
    one, other = written.split("## locomo locomo postgresql\n")
    assert "Command: `siliconfriend evaluate locomo" in one
    assert "Command: `SILICONFRIEND_STORE=postgresql://… siliconfriend evaluate locomo" in other
    row = next(line for line in one.splitlines() if line.startswith("| memorybank"))
    assert row in other
    assert "secret" not in written
    assert str(postgres_server.folder) not in written


@pytest.mark.slow
def test_a_picture_is_drawn(
    run: Run, locomo: Path, life: Path, talks: Path, tmp_path: Path
) -> None:
    """Where the extra is installed."""
    pytest.importorskip("matplotlib", reason="NOT TESTED: the extra 'plot' is not installed")
    for words in (
        ("locomo", "--data", locomo),
        ("life", "--life", life),
        ("talk", "--talks", talks),
    ):
        picture = tmp_path / f"{words[0]}.png"
        result = run("evaluate", *words, "--recipe", "memorybank", "--plot", picture)
        assert result.code == 0, result.err
        assert picture.stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--k", "0"], 2),
        (["--k", "a,b"], 2),
        (["--k", ""], 2),
        (["--recipe", "nosuch"], 2),
        (["--plot", "picture.docx"], 3),
    ],
)
def test_wrong_words_are_refused(
    words: list[str], code: int, run: Run, bank: Path, questions: Path
) -> None:
    """With a sentence, the right exit code and no standard output."""
    result = run("evaluate", "probing", "--bank", bank, "--questions", questions, "--json", *words)
    assert result.code == code
    assert result.out == ""
    assert result.err.strip()


def test_files_that_are_not_what_they_should_be(
    run: Run, bank: Path, questions: Path, locomo: Path, life: Path, tmp_path: Path
) -> None:
    """Swapped, missing or no JSON: exit code 2 and the reason."""
    text = tmp_path / "text.txt"
    text.write_text("no json", encoding="utf-8")
    for words in (
        ("probing", "--bank", questions, "--questions", questions),
        ("probing", "--bank", text, "--questions", questions),
        ("probing", "--bank", bank, "--questions", text),
        ("probing", "--bank", locomo, "--questions", questions),
        ("probing", "--bank", tmp_path / "none", "--questions", questions),
        ("locomo", "--data", bank),
        ("locomo", "--data", text),
        ("answers", "--bank", text, "--questions", questions),
        ("talk", "--talks", bank),
        ("talk", "--talks", text),
        ("talk", "--talks", tmp_path / "none"),
        ("life", "--life", bank),
        ("life", "--life", text),
        ("life", "--life", life, "--filler", text),
        ("life", "--life", life, "--filler", locomo),
        ("life", "--life", life, "--filler", tmp_path / "none"),
        ("answers", "--bank", bank, "--questions", questions, "--judge", "nobody"),
    ):
        result = run("evaluate", *words)
        assert result.code == 2, (words, result.err)
        assert "Traceback" not in result.err
        assert result.err.strip()


def test_thresholds_need_an_embedder(run: Run, bank: Path, questions: Path, talks: Path) -> None:
    """Words alone go by fixed numbers; nothing is written."""
    out = talks.with_name("thresholds.json")
    files = ("--bank", bank, "--questions", questions, "--talks", talks)
    result = run("evaluate", "thresholds", *files, "--out", out)
    assert result.code == 2
    assert "SILICONFRIEND_EMBEDDING" in result.err
    assert not out.exists()


def test_thresholds_are_written_for_the_embedder(
    run: Run, bank: Path, questions: Path, talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row a kind of message and pair of languages, and a file that names the embedder."""
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "bundled")
    out = talks.with_name("thresholds.json")
    files = ("--bank", bank, "--questions", questions, "--talks", talks)
    result = run("evaluate", "thresholds", *files, "--out", out, "--json")
    assert result.code == 0, result.err
    rows = result.json["results"]
    assert [(row["kind"], row["pair"]) for row in rows] == [
        (kind, pair) for kind in ("question", "remark") for pair in ("english", "chinese", "across")
    ]
    assert list(json.loads(out.read_text(encoding="utf-8"))) == ["bundled"]
