"""The questions that the page offers are about somebody, and can be answered."""

from __future__ import annotations

from datetime import date

import pytest

from siliconfriend.dialogue.example_questions import example_questions
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.texts import Language
from tests.dialogue.people import SCOPES, empty, turn


@pytest.mark.parametrize(
    ("language", "said", "question"),
    [
        ("cn", "外婆和朋友去看电影了。", "关于外婆，我跟你说过什么？"),
        ("cn", "朋友又来看电影了。", ""),
        ("en", "I went to see Maud again.", "What have I told you about Maud?"),
    ],
    ids=["a relative", "any friend", "a name"],
)
def test_the_first_question_names_somebody(language: Language, said: str, question: str) -> None:
    """A relative or a name; a friend may be anybody."""
    days = ("2026-03-01T08:00", "2026-03-01T09:00")
    told = (PutTurn(turn(SCOPES[language], day, said, "", at)) for at, day in enumerate(days))
    memory = apply_all(empty(language), told)
    asked = example_questions(memory, date(2026, 3, 14), language)
    assert (asked[0] == question) if question else len(asked) == 2
