"""Read the data of an evaluation: banks, question files, and the person of each question.

A line of a question file is a JSON object: ``user``, ``q`` (its number), ``question``, ``kind``,
``sufficient`` (alternatives, each a list of ``[date, turn index]`` that answers the question
together) and ``answer``. Evidence that a bank does not hold is left out here, once, so that every
measure skips and counts the same questions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from siliconfriend.config.settings import parse_language
from siliconfriend.errors import RefusedName, UnreadableFile, UsageError
from siliconfriend.language.characters import language_of
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.texts import Language

FALSE_PREMISE = "false-premise"
UNANSWERABLE = "unanswerable"
Alternative = frozenset[tuple[str, int]]
"""Turns (date, position) that answer a question together."""


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a question file."""

    user: str
    number: int
    text: str
    kind: str
    """``single``, ``multi``, ``false-premise``, ``unanswerable`` or ``statement``."""
    sufficient: tuple[Alternative, ...]
    gold: str
    """A short right answer; what stands in brackets in it is extra."""


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """A question, whom of a bank it is asked of, and the alternatives that the bank holds."""

    question: Question
    scope: Scope
    evidence: tuple[Alternative, ...]


@contextmanager
def expected_form(key: str, **details: object) -> Iterator[None]:
    """Turn what parsing a file of another form raises into an UnreadableFile of this key."""
    try:
        yield
    except (
        *(ValueError, TypeError, KeyError, AttributeError, RecursionError),
        RefusedName,
    ) as error:
        cause = f"{type(error).__name__}: {error}"
        raise UnreadableFile(key, **details, cause=cause) from error


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error
    except UnicodeDecodeError as error:
        raise UnreadableFile("measured_no_json", path=path, cause=error) from error


def read_json(path: Path) -> Any:
    """Read a file as JSON; UnreadableFile where it cannot be opened, or is none."""
    with expected_form("measured_no_json", path=path):
        return json.loads(_read_text(path))


def text_value(value: object) -> str:
    """Return a text of a file; TypeError or ValueError where it is none, or says nothing."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    if not value.strip():
        raise ValueError("a text is empty")
    return value


def language_value(value: object) -> Language:
    """A language of a file, ``zh`` for ``cn``; TypeError or ValueError where it is another one."""
    try:
        return parse_language(text_value(value))
    except ValueError as error:
        raise ValueError(f"{value!r} is no language") from error


def day_value(value: object) -> str:
    """A day of a file, as ``2023-04-28``; TypeError or ValueError where it is no such day."""
    day = date.fromisoformat(text_value(value))
    if not 1 < day.year < 9999:
        raise ValueError(f"{day} is at an end of the calendar")
    return day.isoformat()


def read_questions(path: Path) -> list[Question]:
    """Read the questions of a file with a JSON object a line; UnreadableFile where a line is none."""
    found = []
    # not splitlines: a JSON text may hold U+2028, which ends no line of the file
    for number, line in enumerate(_read_text(path).split("\n"), start=1):
        with expected_form("question_line", path=path, line=number):
            if line.strip():
                found.append(_question(json.loads(line)))
    if not found:
        raise UnreadableFile("question_none", path=path)
    return found


def language_of_questions(questions: Iterable[Question]) -> Language:
    """Detect the language that most words of the questions are in."""
    return language_of(" ".join(question.text for question in questions))


def match_people(questions: Sequence[Question], bank: Sequence[Scope]) -> dict[str, Scope]:
    """Match each person who asks with the one in the bank whose memory is asked, by name.

    Where no name is in the bank (one in the other language holds the same people translated),
    person by person in the order of both files; UsageError where their numbers differ.
    """
    asking = list(dict.fromkeys(question.user for question in questions))
    by_name = {scope.person: scope for scope in bank}
    if any(name in by_name for name in asking):
        return {name: by_name[name] for name in asking if name in by_name}
    if len(asking) != len(bank):
        raise UsageError("question_people", asking=len(asking), bank=len(bank))
    return dict(zip(asking, bank, strict=True))


def bank_questions(
    questions: Sequence[Question],
    bank: Sequence[Scope],
    memories: Mapping[Scope, PersonMemory],
) -> list[BankQuestion]:
    """Select the questions whose person is in the bank, with the evidence the bank holds."""
    people = match_people(questions, bank)
    held = {
        scope: {(turn.date, turn.position) for turn in memory.turns()}
        for scope, memory in memories.items()
    }
    found = []
    for question in questions:
        if (scope := people.get(question.user)) is not None:
            evidence = tuple(it for it in question.sufficient if it and it <= held[scope])
            found.append(BankQuestion(question, scope, evidence))
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
