"""MemoryBank's probing questions: is the gold evidence among the first turns recalled?

Each question stands alone: it is asked at 09:00 on the day after the person's last date,
no night has run, and nothing that an earlier question found is strengthened or archived.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.datasets import (
    BankQuestion,
    Question,
    bank_questions,
    language_of_questions,
)
from siliconfriend.evaluation.table import Row, ratio
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.results import RecallResult

DEEPEST = 100
"""How many turns are looked through for the rank of the evidence; what lies deeper counts as
not found in the mean reciprocal rank."""


def evaluate_probing(
    bench: Bench,
    people: Sequence[Scope],
    questions: Sequence[Question],
    recipes: Iterable[str],
    *,
    ks: Sequence[int] = (1, 3, 6),
) -> list[Row]:
    """Run the evaluation with each recipe; a row for each.

    ``hit`` is the share of questions with all of one alternative within the first k turns,
    ``mrr`` the mean of 1/rank, the rank being the turn with which an alternative is complete.
    """
    memories = {scope: bench.store.load(scope) for scope in people}
    asked = [it for it in bank_questions(questions, people, memories) if it.evidence]
    bench.prepare_embeddings(people, (it.question.text for it in asked))
    about = {
        "lang": language_of_questions(questions),
        "questions": len(asked),
        "skipped": len(questions) - len(asked),
    }
    return [
        {"recipe": recipe, **about, **_measure(bench, memories, asked, recipe, ks)}
        for recipe in recipes
    ]


def _measure(
    bench: Bench,
    memories: Mapping[Scope, PersonMemory],
    asked: Sequence[BankQuestion],
    recipe: str,
    ks: Sequence[int],
) -> Row:
    ranks, seconds = list[int | None](), 0.0
    for own in bench.each(recipe, asked):
        memory = memories[own.scope]
        summaries = sum(day.summary is not None for day in memory.days.values())
        top, now = max(*ks, DEEPEST) + summaries, bench.question_time(memory)
        began = time.perf_counter()
        found = bench.recaller.recall(own.scope, own.question.text, now=now, top=top, recipe=recipe)
        seconds += time.perf_counter() - began
        ranks.append(_rank(own, found))
    reached = [rank for rank in ranks if rank is not None]
    missed = [
        it.question for it, rank in zip(asked, ranks, strict=True) if rank is None or rank > max(ks)
    ]
    return {
        "hit": {str(k): ratio(sum(rank <= k for rank in reached), len(asked)) for k in ks},
        "mrr": sum(1 / rank for rank in reached) / len(ranks) if ranks else None,
        "seconds": round(seconds, 3),
        "misses": [{"user": it.user, "q": it.number, "question": it.text} for it in missed],
    }


def _rank(asked: BankQuestion, recollection: RecallResult) -> int | None:
    """The rank of the turn that completes the first alternative of the evidence; None if none is."""
    turns = [it.memory for it in recollection.memories if isinstance(it.memory, Turn)]
    found: set[tuple[str, int]] = set()
    for rank, turn in enumerate(turns, start=1):
        found.add((turn.date, turn.position))
        if any(alternative <= found for alternative in asked.evidence):
            return rank
    return None
