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

Place = tuple[str, int]
"""Date and position of a turn."""


def evaluate_answers(
    bench: Bench,
    people: Sequence[Scope],
    questions: Sequence[Question],
    recipes: Iterable[str],
    *,
    chat: ChatModel | None,
    limit: int | None = None,
    foreign: bool = True,
) -> list[Row]:
    """Run the evaluation with each recipe; a row for each.

    ``precision`` is the share of the recalled turns that hold evidence, over questions that have
    some; of ``foreign``, other people's questions, ``refused`` counts what is right to refuse.

    ``chat`` is the model that answers, None for the offline companion; ``limit`` asks only so many
    questions, spread evenly over the file; ``foreign`` asks each of the next person in the bank too.
    """
    memories = {scope: bench.store.load(scope) for scope in people}
    in_bank = bank_questions(questions, people, memories)
    able = [it for it in in_bank if it.evidence or it.question.kind == UNANSWERABLE]
    asked = sample_evenly(able, limit)
    bench.prepare_embeddings(people, (it.question.text for it in asked))
    # What another person said cannot be remembered here.
    others = list[BankQuestion]()
    if foreign and len(people) > 1:
        after = dict(zip(people, [*people[1:], people[0]], strict=True))
        others = [BankQuestion(it.question, after[it.scope], ()) for it in asked]
    about = {
        "lang": language_of_questions(questions),
        "asked": len(asked),
        "skipped": len(questions) - len(able),
    }
    return [
        {"recipe": recipe, **about, **_measure(bench, chat, asked, others, recipe)}
        for recipe in recipes
    ]


def sample_evenly(asked: Sequence[BankQuestion], limit: int | None) -> list[BankQuestion]:
    """Select at most ``limit`` questions, evenly spread, so that few are not all one person's."""
    if limit is None or limit >= len(asked):
        return list(asked)
    return [asked[number * len(asked) // limit] for number in range(limit)]


def _measure(
    bench: Bench,
    chat: ChatModel | None,
    asked: Sequence[BankQuestion],
    others: Sequence[BankQuestion],
    recipe: str,
) -> Row:
    began, given, holding = time.perf_counter(), 0, 0
    answers: list[dict[str, Any]] = []
    for number, own in enumerate((*asked, *others), start=1):
        reply, places = _reply(bench, chat, own, recipe)
        is_foreign = number > len(asked)
        kind = UNANSWERABLE if is_foreign else own.question.kind
        grade = grade_reply(kind, own.question.gold, reply, own.question.text)
        if kind != UNANSWERABLE:
            given += len(places)
            holding += len(places & frozenset[Place]().union(*own.evidence))
        answers.append(
            {
                "user": own.question.user,
                "asked_of": own.scope.person,
                "q": own.question.number,
                "kind": own.question.kind,
                "question": own.question.text,
                "reply": reply,
                "gold": own.question.gold,
                **{name: grade == name for name in ("right", "refused", "invented")},
            }
        )
        bench.advance(recipe, number, len(asked) + len(others))
    mine, foreign = answers[: len(asked)], answers[len(asked) :]
    return {
        **{name: sum(it[name] for it in mine) for name in ("right", "refused", "invented")},
        "precision": round(holding / max(given, 1), 3),
        "foreign": {
            "asked": len(foreign),
            "refused": sum(it["right"] for it in foreign),
            "invented": sum(it["invented"] for it in foreign),
            "answers": foreign,
        },
        "seconds": round(time.perf_counter() - began, 3),
        "answers": mine,
    }


def _reply(
    bench: Bench, chat: ChatModel | None, asked: BankQuestion, recipe: str
) -> tuple[str, frozenset[Place]]:
    """Return the reply, and the turns that were recalled for it."""
    memory = bench.store.load(asked.scope)
    clock = FixedClock(bench.question_time(memory))
    companion = Companion(
        asked.scope.person, runtime=bench.runtime, chat=chat, recipe=recipe, clock=clock
    )
    reply = companion.reply(asked.question.text, off_record=True)
    used = (memory.find(it.id) for it in reply.used)
    return reply.text, frozenset((it.date, it.position) for it in used if isinstance(it, Turn))
