"""Probing questions: their form, whose memory they go to, and recall worked out by hand."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.evaluation.bench import Bench, open_bench
from siliconfriend.evaluation.conversations import Conversation, questions_of
from siliconfriend.evaluation.measures import evaluate_recall
from siliconfriend.evaluation.probing import (
    ProbingQuestion,
    match_people,
    read_probing,
    read_questions,
)
from tests.evaluation import banks


def _read(folder: Path, bank: Any = banks.BANK) -> list[Conversation]:
    return read_probing(bank, read_questions(banks.write(folder)[1]))


def test_figures_are_those_worked_out_by_hand(bench: Bench, tmp_path: Path) -> None:
    """Ranks 2, 2, 1, 4 for Ada and 1 for Bo; two are skipped, one of them unanswerable."""
    (row,) = evaluate_recall(bench, _read(tmp_path), ["memorybank"], (1, 3))
    assert row["misses"] == [{"user": "Ada", "q": 3, "question": "brush?"}]
    (row,) = evaluate_recall(bench, _read(tmp_path), ["memorybank"], (1, 3, 6))
    assert (row["recipe"], row["lang"]) == ("memorybank", "en")
    assert (row["questions"], row["skipped"], row["misses"]) == (5, 2, [])
    assert row["complete"] == {"1": 0.4, "3": 0.8, "6": 1.0}
    assert row["mrr"] == pytest.approx((1 / 2 + 1 / 2 + 1 + 1 / 4 + 1) / 5)


def test_the_place_is_not_the_persons_own_and_goes_away(settings: Settings, home: Path) -> None:
    """The data directory of the settings is never made, and the other is gone afterwards."""
    with open_bench(settings) as bench:
        bench.create_person("Ada", "en")
        place = bench.runtime.settings.home
        assert place.is_dir()
    assert not place.exists()
    assert not home.exists()


def test_a_question_is_asked_on_the_morning_after_the_last_day(
    bench: Bench, tmp_path: Path
) -> None:
    """At nine; a day without talk is no last day; --now comes first."""
    read = _read(tmp_path)
    mornings = {(asked.scope.person, asked.now) for asked in questions_of(bench, read)}
    ada, bo = datetime(2026, 3, 2, 9, tzinfo=UTC), datetime(2026, 3, 3, 9, tzinfo=UTC)
    assert mornings == {("Ada", ada), ("Bo", bo)}
    now = datetime(2027, 1, 1, tzinfo=UTC)
    assert {asked.now for asked in questions_of(replace(bench, now=now), read)} == {now}


def test_a_translated_bank_is_asked_person_by_person(bench: Bench, tmp_path: Path) -> None:
    """The same people under other names, and one turn fewer: its question is skipped."""
    ada, bo = banks.BANK[" Ada "], banks.BANK["Bo"]
    translated = {
        "安娜": ada | {"name": "安娜"},
        "阿兵": bo | {"name": "阿兵", "history": {banks.NEXT_DAY: []}},
    }
    conversations = _read(tmp_path, translated)
    assert [conversation.person for conversation in conversations] == ["安娜", "阿兵"]
    (row,) = evaluate_recall(bench, conversations, ["memorybank"], (3,))
    assert (row["lang"], row["questions"], row["skipped"]) == ("en", 4, 3)
    assert row["complete"]["3"] == 3 / 4


def test_either_alternative_answers_a_question() -> None:
    """All turns of the one, or all of the other: a group holds a turn of each."""
    ways = (
        frozenset({(banks.DAY, 0), (banks.DAY, 1)}),
        frozenset({(banks.DAY, 2), (banks.DAY, 3)}),
    )
    (conversation,) = read_probing(
        {"Ada": banks.BANK[" Ada "]}, [ProbingQuestion("Ada", 0, "kiln?", sufficient=ways)]
    )
    groups = conversation.questions[0].groups

    def is_answered(*positions: int) -> bool:
        held = {f"{banks.DAY} {position}" for position in positions}
        return all(group & held for group in groups)

    assert is_answered(0, 1)
    assert is_answered(2, 3)
    assert not is_answered(0, 2)
    assert not is_answered(1, 3)


def test_a_line_is_read_with_all_it_says(tmp_path: Path) -> None:
    """Names are trimmed, empty lines passed over, a line break within a text is kept."""
    line = {
        "user": " Ada ",
        "q": 3,
        "question": "One\u2028or two?",
        "kind": "multi",
        "sufficient": [[["2026-03-01", 1], ["2026-03-01", 2]], [["2026-03-02", 0]]],
        "evidence": [["2026-03-01", 1]],
        "answer": "two",
    }
    path = tmp_path / "questions.jsonl"
    path.write_text(f"\n{json.dumps(line, ensure_ascii=False)}\n\n", encoding="utf-8")
    (question,) = read_questions(path)
    together = frozenset({("2026-03-01", 1), ("2026-03-01", 2)})
    ways = (together, frozenset({("2026-03-02", 0)}))
    assert question == ProbingQuestion("Ada", 3, "One\u2028or two?", "multi", ways, "two")


@pytest.mark.parametrize(
    "content",
    ["", "not json", "[1, 2]", '{"user": "Ada"}', '{"user": "", "q": 1, "question": "x"}'],
)
def test_what_is_no_question_is_refused(content: str, tmp_path: Path) -> None:
    """With the number of the line where there is one."""
    path = tmp_path / "questions.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableFile):
        read_questions(path)


def test_people_who_cannot_be_matched_are_refused() -> None:
    """Neither names nor numbers agree: any answer would be a guess."""
    with pytest.raises(UsageError):
        match_people(["Ada"], ["安娜", "阿兵"])


def test_a_file_that_holds_no_vectors_is_refused_and_left(
    settings: Settings, home: Path, tmp_path: Path
) -> None:
    """Somebody named their notes, or another database; an empty file and one of ours are taken."""
    home.mkdir(exist_ok=True)
    notes, other, own = home / "notes.txt", home / "other.sqlite", home / "vectors.sqlite"
    notes.write_text("mine", encoding="utf-8")
    with closing(sqlite3.connect(other)) as base:
        base.execute("CREATE TABLE mine (words)")
    for path in (notes, other, home):
        before = path.is_file() and path.read_bytes()
        with pytest.raises(UnreadableFile, match=f"{path.name} is not a file of embeddings"):
            open_bench(settings, vectors=path).__enter__()
        assert before == (path.is_file() and path.read_bytes())
    own.touch()
    for _ in range(2):
        with open_bench(settings, embedder=banks.embedder(), vectors=own) as bench:
            for asked in questions_of(bench, _read(tmp_path)):
                assert asked.names
    assert own.read_bytes().startswith(b"SQLite format 3")
