"""Question files, and whose memory each question goes to."""

import json
from pathlib import Path

import pytest

from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.evaluation.probing import ProbingQuestion, match_people, read_questions
from siliconfriend.memory.scope import Scope

ADA, BO, ANNA, BING = (Scope.of(name) for name in ("Ada", "Bo", "安娜", "阿兵"))


def _question(user: str) -> ProbingQuestion:
    return ProbingQuestion(user, 0, "What?", "single", (), "")


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
    assert question == ProbingQuestion(
        "Ada",
        3,
        "One\u2028or two?",
        "multi",
        (frozenset({("2026-03-01", 1), ("2026-03-01", 2)}), frozenset({("2026-03-02", 0)})),
        "two",
    )


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
        match_people([_question("Ada")], [ANNA, BING])
