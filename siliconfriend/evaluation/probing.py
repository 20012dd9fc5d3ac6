"""MemoryBank's probing questions: measure recall of gold evidence and correctness of answers.

Each question stands alone: it is asked at 09:00 on the day after the person's last date, no night
has run, and nothing that an earlier question found is strengthened or archived. An answer is given
off the record by a new companion. Evidence that a bank does not hold is left out, so that every
measure skips and counts the same questions.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import force_setattr

from siliconfriend.clock import FixedClock
from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.evaluation.bench import Bench, language_of_texts
from siliconfriend.evaluation.datasets import expected_form, read_text
from siliconfriend.evaluation.grading import UNANSWERABLE, grade_reply
from siliconfriend.evaluation.table import Row, ratio
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope, clean_name, memory_id
from siliconfriend.models.base import ChatModel
from siliconfriend.models.factory import open_chat_model

DEEPEST = 100
"""Maximum rank of the evidence; deeper evidence counts as not found in the mean reciprocal rank."""
GRADES = ("right", "refused", "invented")  # those that are counted


class ProbingQuestion(
    msgspec.Struct, frozen=True, rename={"number": "q", "text": "question", "gold": "answer"}
):
    """One line of a question file."""

    user: str
    number: int
    text: str
    kind: str = "single"
    """``single``, ``multi``, ``false-premise``, ``unanswerable`` or ``statement``."""
    sufficient: tuple[frozenset[tuple[str, int]], ...] = ()
    """Alternatives, each the turns (date, position) that answer it together."""
    gold: str = ""
    """A short right answer; text in brackets is optional."""

    def __post_init__(self) -> None:
        force_setattr(self, "user", clean_name(self.user))


class BankQuestion(NamedTuple):
    """A question, its person in the bank, and the evidence alternatives in the bank."""

    question: ProbingQuestion
    scope: Scope
    memory: PersonMemory
    evidence: tuple[frozenset[str], ...]
    """The ids of the turns of each alternative."""


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


def match_people(questions: Sequence[ProbingQuestion], bank: Sequence[Scope]) -> dict[str, Scope]:
    """Match the people of the questions with the people of the bank, by name.

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


def _in_bank(
    bench: Bench, people: Sequence[Scope], questions: Sequence[ProbingQuestion]
) -> list[BankQuestion]:
    """Select the questions whose person is in the bank, with the evidence the bank holds."""
    matched, found = match_people(questions, people), list[BankQuestion]()
    memories = {scope: bench.store.load(scope) for scope in people}
    held = {turn.id for memory in memories.values() for turn in memory.turns()}
    for question in questions:
        if (scope := matched.get(question.user)) is not None:
            alternatives = (
                frozenset(memory_id(scope, "turn", *place) for place in alternative)
                for alternative in question.sufficient
            )
            evidence = tuple(ids for ids in alternatives if ids and ids <= held)
            found.append(BankQuestion(question, scope, memories[scope], evidence))
    return found


def evaluate_probing(
    bench: Bench,
    people: Sequence[Scope],
    questions: Sequence[ProbingQuestion],
    recipes: Iterable[str],
    *,
    ks: Sequence[int] = (1, 3, 6),
) -> list[Row]:
    """Measure for each recipe whether the first turns recalled include the evidence.

    ``hit`` is the share of questions with all of one alternative within the first k turns,
    ``mrr`` the mean of 1/rank, the rank being the turn with which an alternative is complete.
    """
    asked = [item for item in _in_bank(bench, people, questions) if item.evidence]
    bench.prepare_embeddings(people, (item.question.text for item in asked))

    def rank(recipe: str, own: BankQuestion) -> int | None:
        summaries = sum(day.summary is not None for day in own.memory.days.values())
        top, now = max(*ks, DEEPEST) + summaries, bench.question_time(own.memory)
        words = own.question.text
        recalled = bench.recaller.recall(own.scope, words, now=now, top=top, recipe=recipe)
        turns = [
            result.memory.id for result in recalled.memories if isinstance(result.memory, Turn)
        ]
        places = {identifier: number for number, identifier in enumerate(turns, start=1)}
        found = [ids for ids in own.evidence if ids <= places.keys()]
        return min((max(places[identifier] for identifier in ids) for ids in found), default=None)

    rows = []
    for recipe, ranks, seconds in bench.measure(recipes, asked, rank):
        reached = [rank for rank in ranks if rank is not None]
        pairs = zip(asked, ranks, strict=True)
        missed = [item.question for item, at in pairs if at is None or at > max(ks)]
        rows.append(
            {
                "recipe": recipe,
                "lang": language_of_texts(question.text for question in questions),
                "questions": len(asked),
                "skipped": len(questions) - len(asked),
                "hit": {str(k): ratio(sum(rank <= k for rank in reached), len(asked)) for k in ks},
                "mrr": sum(1 / rank for rank in reached) / len(ranks) if ranks else None,
                "seconds": seconds,
                "misses": [
                    {"user": question.user, "q": question.number, "question": question.text}
                    for question in missed
                ],
            }
        )
    return rows


def evaluate_answers(
    bench: Bench,
    people: Sequence[Scope],
    questions: Sequence[ProbingQuestion],
    recipes: Iterable[str],
    *,
    chat: ChatModel | None = None,
    limit: int | None = None,
) -> list[Row]:
    """Answer with the whole reply flow and each recipe, and grade the replies; a row for each.

    ``precision`` is the share of the recalled turns that hold evidence, over questions that have
    some. ``chat`` is the model that answers, that of the settings unless given; ``limit`` asks only
    so many questions, spread evenly over the file.
    """
    model = chat or open_chat_model(bench.settings)
    in_bank = _in_bank(bench, people, questions)
    able = [item for item in in_bank if item.evidence or item.question.kind == UNANSWERABLE]
    number = len(able) if limit is None else min(limit, len(able))
    asked = [able[at * len(able) // number] for at in range(number)]
    bench.prepare_embeddings(people, (item.question.text for item in asked))

    def answer(recipe: str, own: BankQuestion) -> Row:
        question, clock = own.question, FixedClock(bench.question_time(own.memory))
        companion = Companion(
            own.scope.person, runtime=bench.runtime, chat=model, recipe=recipe, clock=clock
        )
        reply = companion.reply(question.text, off_record=True)
        used = (own.memory.find(entry.id) for entry in reply.used)
        turns = {memory.id for memory in used if isinstance(memory, Turn)}
        grade = grade_reply(question.kind, question.gold, reply.text, question.text)
        return {
            "user": question.user,
            "q": question.number,
            "kind": question.kind,
            "question": question.text,
            "reply": reply.text,
            "gold": question.gold,
            **{name: grade == name for name in GRADES},
            "recalled": len(turns),
            "evidence": len(turns & frozenset().union(*own.evidence)),
        }

    rows = []
    for recipe, answers, seconds in bench.measure(recipes, asked, answer):
        recalled = sum(answer["recalled"] for answer in answers if answer["kind"] != UNANSWERABLE)
        evidence = sum(answer["evidence"] for answer in answers if answer["kind"] != UNANSWERABLE)
        rows.append(
            {
                "recipe": recipe,
                "lang": language_of_texts(question.text for question in questions),
                "asked": len(asked),
                "skipped": len(questions) - len(able),
                **{name: sum(answer[name] for answer in answers) for name in GRADES},
                "precision": round(evidence / max(recalled, 1), 3),
                "seconds": seconds,
                "answers": answers,
            }
        )
    return rows
