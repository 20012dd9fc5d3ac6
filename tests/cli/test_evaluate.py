"""``evaluate`` as it is typed: JSON with the fields that others rely on, a table, refusals."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.evaluation import banks

FIELDS = {
    "probing": "recipe lang questions skipped hit mrr seconds misses",
    "locomo": "recipe questions recall by_category seconds",
    "answers": "recipe lang asked right refused invented in_prompt seconds answers",
    "talk": "recipe lang talks recall hit without_floor seconds",
    "life": "recipe lang phase asked prompt said claimed by_kind misses",
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A file for each option that names one, and the options that come with each."""
    bank, questions = banks.write(tmp_path)[0], tmp_path / "questions.jsonl"
    found = {"--bank": str(bank), "--questions": str(questions)}
    for name, document in (("data", banks.LOCOMO), ("talks", banks.TALKS), ("life", banks.LIFE)):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        found[f"--{name}"] = str(path)
    return found


def _words(files: dict[str, str], command: str) -> list[str]:
    options = {"probing": ("--bank", "--questions"), "locomo": ("--data",)}
    options |= {"answers": ("--bank", "--questions"), "talk": ("--talks",), "life": ("--life",)}
    return [
        "evaluate",
        command,
        *(word for option in options[command] for word in (option, files[option])),
    ]


@pytest.mark.parametrize("command", FIELDS)
def test_each_measurement_prints_one_json_document(
    run: Run, files: dict[str, str], command: str
) -> None:
    """A row a recipe, of a life two; nothing else on standard output."""
    result = run(*_words(files, command), "--recipe", "siliconfriend", "--json")
    assert result.code == 0, result.err
    rows = result.json["results"]
    assert len(rows) == (2 if command == "life" else 1)
    for row in rows:
        assert set(row) >= set(FIELDS[command].split())
        assert row["recipe"] == "siliconfriend"


def test_conversations_are_read_from_one_file_or_several(run: Run, tmp_path: Path) -> None:
    """Further files may follow the first without the option, as a shell writes ``chats/*.json``."""
    one, other = str(tmp_path / "one.json"), str(tmp_path / "other.json")
    for path in (one, other):
        Path(path).write_text(json.dumps(banks.CONVERSATION), encoding="utf-8")
    command = ("evaluate", "conversations", "--recipe", "siliconfriend", "--json", "--data", one)
    for further, questions in (((), 2), ((other,), 4), (("--data", other), 4)):
        (row,) = run(*command, *further).json["results"]
        assert row["questions"] == questions
        assert set(row) >= {"kinds", "prompt", "offline", "recall", "unanswerable", "seconds"}


def test_the_table_shows_intervals(run: Run, files: dict[str, str]) -> None:
    """All five found within six: between 0.57 and 1."""
    result = run(*_words(files, "probing"), "--recipe", "siliconfriend")
    assert result.code == 0, result.err
    assert "1.00 (0.57–1.00)" in result.out


def test_files_that_are_not_what_they_should_be(run: Run, files: dict[str, str]) -> None:
    """Exit code 2 and the reason; so is a number that is none."""
    for words in (
        ("life", "--life", files["--life"], "--filler", files["--data"]),
        ("probing", "--bank", files["--bank"], "--questions", files["--questions"], "--k", "0"),
    ):
        result = run("evaluate", *words)
        assert (result.code, result.out) == (2, ""), (words, result.err)
        assert result.err.strip()
