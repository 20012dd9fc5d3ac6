"""Probing questions with their gold evidence, and whose memory each is asked of.

A line of a question file is a JSON object: ``user``, ``q`` (its number), ``question``,
``kind``, ``sufficient`` (alternatives, each a list of ``[date, turn index]`` that answers the
question together) and ``answer``. Evidence that a bank does not hold is left out here, once,
so that every measure skips and counts the same questions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siliconfriend.errors import RefusedName, UnreadableFile, UsageError
from siliconfriend.evaluation.files import read_text
from siliconfriend.language.characters import language_of
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.texts import Language

FALSE_PREMISE = "false-premise"
UNANSWERABLE = "unanswerable"

_NO_QUESTION = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    RecursionError,
    RefusedName,
)
"""What a line that holds something else makes reading it fail with."""

Alternative = frozenset[tuple[str, int]]
"""Turns, as (date, position within the date), that answer a question together."""


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a question file.

    Attributes:
        user: whose question it is, trimmed.
        number: its number.
        text: the question.
        kind: ``single``, ``multi``, ``false-premise``, ``unanswerable`` or ``statement``.
        sufficient: the alternatives, as the file gives them.
        gold: a short right answer; what stands in brackets in it is extra.
    """

    user: str
    number: int
    text: str
    kind: str
    sufficient: tuple[Alternative, ...]
    gold: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the memory it is asked of.

    Attributes:
        question: as in the file.
        scope: the person in the bank.
        evidence: the alternatives this bank holds; empty where it holds none.
    """

    question: Question
    scope: Scope
    evidence: tuple[Alternative, ...]


def read_questions(path: Path) -> list[Question]:
    """The questions of a file with a JSON object a line, in its order; empty lines are passed over.

    Raises:
        UnreadableFile: it cannot be opened, or a line is no such object.
    """
    found = []
    # not splitlines: a JSON text may hold U+2028, which ends no line of the file
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(_question(json.loads(line)))
        except _NO_QUESTION as error:
            cause = f"{type(error).__name__}: {error}"
            raise UnreadableFile("question_line", path=path, line=number, cause=cause) from error
    if not found:
        raise UnreadableFile("question_none", path=path)
    return found


def _question(data: Mapping[str, Any]) -> Question:
    return Question(
        user=clean_name(data["user"]),
        number=int(data["q"]),
        text=str(data["question"]),
        kind=str(data.get("kind", "single")),
        sufficient=tuple(
            frozenset((str(day), int(turn)) for day, turn in alternative)
            for alternative in data.get("sufficient", ())
        ),
        gold=str(data.get("answer", "")),
    )


def language_of_questions(questions: Iterable[Question]) -> Language:
    """The language most of the words of the questions are in."""
    return language_of(" ".join(question.text for question in questions))


def match_people(questions: Sequence[Question], bank: Sequence[Scope]) -> dict[str, Scope]:
    """Whose memory each asking person's questions go to.

    By name; where no name of the questions is in the bank (a bank in the other language
    holds the same people translated), person by person in the order both files have them.

    Raises:
        UsageError: matched by order, and the two files have different numbers of people.
    """
    asking = list(dict.fromkeys(question.user for question in questions))
    by_name = {scope.person: scope for scope in bank}
    if any(name in by_name for name in asking):
        return {name: by_name[name] for name in asking if name in by_name}
    if len(asking) != len(bank):
        raise UsageError("question_people", asking=len(asking), bank=len(bank))
    return dict(zip(asking, bank, strict=True))


def ask(
    questions: Iterable[Question],
    people: Mapping[str, Scope],
    memories: Mapping[Scope, PersonMemory],
) -> list[Asked]:
    """The questions whose person is in the bank, each with the evidence the bank holds of it."""
    held = {
        scope: {(turn.date, turn.position) for turn in memory.turns()}
        for scope, memory in memories.items()
    }
    return [
        Asked(
            question,
            people[question.user],
            tuple(
                alternative
                for alternative in question.sufficient
                if alternative and alternative <= held[people[question.user]]
            ),
        )
        for question in questions
        if question.user in people
    ]
