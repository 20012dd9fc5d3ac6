"""Read MemoryBank's probing questions as conversations, one for each person of the bank.

A question's evidence is any of several alternatives, each a set of turns that answer it together.
Alternatives with a turn that the bank lacks are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import msgspec
from msgspec.structs import force_setattr

from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.evaluation.bench import Told, language_of_texts
from siliconfriend.evaluation.conversations import Conversation, Question
from siliconfriend.evaluation.datasets import expected_form, read_text
from siliconfriend.evaluation.grading import UNANSWERABLE
from siliconfriend.memory.import_export import read_bank
from siliconfriend.memory.scope import clean_name


class ProbingQuestion(
    msgspec.Struct, frozen=True, rename={"number": "q", "text": "question", "gold": "answer"}
):
    """One line of a question file.

    Attributes:
        kind: ``single``, ``multi``, ``false-premise``, ``unanswerable`` or ``statement``.
        sufficient: alternatives, each the turns (date, position) that answer it together.
        gold: a short right answer; text in brackets is optional.
    """

    user: str
    number: int
    text: str
    kind: str = "single"
    sufficient: tuple[frozenset[tuple[str, int]], ...] = ()
    gold: str = ""

    def __post_init__(self) -> None:
        force_setattr(self, "user", clean_name(self.user))


def read_questions(path: Path) -> list[ProbingQuestion]:
    """Read the questions of a JSON Lines file; UnreadableFile if a line is invalid."""
    found = []
    # not splitlines: a JSON text may hold U+2028, which ends no line of the file
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        with expected_form("question_line", path=path, line=number):
            if line.strip():
                found.append(msgspec.json.decode(line, type=ProbingQuestion))
    if not found:
        raise UnreadableFile("question_none", path=path)
    return found


def match_people(asking: Sequence[str], held: Sequence[str]) -> dict[str, str]:
    """Match the people of questions with the people of a bank, by name.

    Where no name is in the bank (one in the other language holds the same people translated),
    person by person in the order of both files; UsageError where their numbers differ.
    """
    if not set(asking).isdisjoint(held):
        return {name: name for name in asking if name in held}
    if len(asking) != len(held):
        raise UsageError("question_people", asking=len(asking), bank=len(held))
    return dict(zip(asking, held, strict=True))


def read_probing(bank: object, questions: Sequence[ProbingQuestion]) -> list[Conversation]:
    """Join a bank and its questions.

    A question without evidence in the bank is left out, unless its kind is ``unanswerable``. All that
    are left out count as skipped in the first conversation.

    Raises:
        UnreadableFile: the bank is no bank.
        UsageError: the people of both cannot be matched.
    """
    people = {person.user: person.memory() for person in read_bank(bank)}
    asking = [*dict.fromkeys(question.user for question in questions)]
    matched, conversations = match_people(asking, [*people]), list[Conversation]()
    for number, (user, person) in enumerate(matched.items()):
        turns = {
            _name(turn.date, turn.position): Told(turn.date, turn.query, turn.response)
            for turn in people[person].turns()
        }
        own = [question for question in questions if question.user == user]
        read = [_question(question, turns) for question in own]
        kept = tuple(one for one in read if one.groups or one.kind == UNANSWERABLE)
        language = language_of_texts(told.words for told in turns.values())
        name = f"probing-{number}"
        conversations.append(Conversation(name, person, language, turns, kept))
    skipped = len(questions) - sum(len(one.questions) for one in conversations)
    return [replace(conversations[0], skipped=skipped), *conversations[1:]]


def _name(day: str, position: int) -> str:
    return f"{day} {position}"


def _question(question: ProbingQuestion, turns: Mapping[str, Told]) -> Question:
    """Return a question with its alternatives as groups: one turn of each in every combination.

    All of these groups are found exactly where all turns of an alternative are.
    """
    named = ([_name(*place) for place in turns_of] for turns_of in question.sufficient)
    held = [names for names in named if names and turns.keys() >= set(names)]
    groups = tuple(dict.fromkeys(map(frozenset, product(*held)))) if held else ()
    return Question(
        question.kind, None, question.text, groups, name=question.number, answer=question.gold
    )
