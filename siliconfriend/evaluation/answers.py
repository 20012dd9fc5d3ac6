"""Answer the probing questions with the whole reply flow and grade the replies.

Every question is asked off the record of a new companion, so that answers are independent and
nothing is strengthened. All recipes have the same room in the prompt.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from siliconfriend.clock import FixedClock
from siliconfriend.dialogue.companion import Companion
from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.datasets import (
    UNANSWERABLE,
    Alternative,
    BankQuestion,
    Question,
    bank_questions,
    language_of_questions,
)
from siliconfriend.evaluation.grading import grade_reply
from siliconfriend.evaluation.table import Row
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel

GRADES = ("right", "refused", "invented")
"""The grades that are counted."""


def evaluate_answers(
    bench: Bench,
    people: Sequence[Scope],
    questions: Sequence[Question],
    recipes: Iterable[str],
    *,
    chat: ChatModel | None,
    limit: int | None = None,
) -> list[Row]:
    """Run the evaluation with each recipe; a row for each.

    ``precision`` is the share of the recalled turns that hold evidence, over questions that have
    some.

    ``chat`` is the model that answers, None for the offline companion; ``limit`` asks only so many
    questions, spread evenly over the file.
    """
    memories = {scope: bench.store.load(scope) for scope in people}
    in_bank = bank_questions(questions, people, memories)
    able = [it for it in in_bank if it.evidence or it.question.kind == UNANSWERABLE]
    asked = sample_evenly(able, limit)
    bench.prepare_embeddings(people, (it.question.text for it in asked))
    about = {
        "lang": language_of_questions(questions),
        "asked": len(asked),
        "skipped": len(questions) - len(able),
    }
    return [
        {"recipe": recipe, **about, **_measure(bench, chat, asked, recipe)} for recipe in recipes
    ]


def sample_evenly(asked: Sequence[BankQuestion], limit: int | None) -> list[BankQuestion]:
    """Select at most ``limit`` questions, evenly spread, so that few are not all one person's."""
    if limit is None or limit >= len(asked):
        return list(asked)
    return [asked[number * len(asked) // limit] for number in range(limit)]


def _measure(
    bench: Bench, chat: ChatModel | None, asked: Sequence[BankQuestion], recipe: str
) -> Row:
    began, given, holding = time.perf_counter(), 0, 0
    answers: list[dict[str, Any]] = []
    for own in bench.each(recipe, asked):
        reply, turns = _reply(bench, chat, own, recipe)
        question = own.question
        grade = grade_reply(question.kind, question.gold, reply, question.text)
        if question.kind != UNANSWERABLE:
            given += len(turns)
            holding += len(turns & frozenset().union(*own.evidence))
        answers.append(
            {
                "user": question.user,
                "q": question.number,
                "kind": question.kind,
                "question": question.text,
                "reply": reply,
                "gold": question.gold,
                **{name: grade == name for name in GRADES},
            }
        )
    return {
        **{name: sum(it[name] for it in answers) for name in GRADES},
        "precision": round(holding / max(given, 1), 3),
        "seconds": round(time.perf_counter() - began, 3),
        "answers": answers,
    }


def _reply(
    bench: Bench, chat: ChatModel | None, asked: BankQuestion, recipe: str
) -> tuple[str, Alternative]:
    """Return the reply, and the turns that were recalled for it."""
    memory = bench.store.load(asked.scope)
    clock = FixedClock(bench.question_time(memory))
    companion = Companion(
        asked.scope.person, runtime=bench.runtime, chat=chat, recipe=recipe, clock=clock
    )
    reply = companion.reply(asked.question.text, off_record=True)
    used = (memory.find(it.id) for it in reply.used)
    return reply.text, frozenset((it.date, it.position) for it in used if isinstance(it, Turn))
