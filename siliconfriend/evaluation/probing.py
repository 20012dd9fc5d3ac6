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

OTHERS = 3
"""How many other people each question is asked to, to see whether they answer what is not theirs."""

TRIALS = {"hit": "questions", "floor kept": "floor answerable", "floor refused": "floor foreign"}
"""By share, of how many it is one."""


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
    ``mrr`` the mean of 1/rank, the rank being the turn with which an alternative is complete;
    ``floor`` is what the relevance threshold costs and gains: the share of questions that recall
    anything, and of questions asked to other people that recall nothing.
    """
    memories = {scope: bench.store.load(scope) for scope in people}
    asked = [it for it in bank_questions(questions, people, memories) if it.evidence]
    foreign = [(it.question, other) for it in asked for other in _other_people(it.scope, people)]
    bench.prepare_embeddings(people, (it.question.text for it in asked))
    about = {
        "lang": language_of_questions(questions),
        "questions": len(asked),
        "skipped": len(questions) - len(asked),
    }
    return [
        {"recipe": recipe, **about, **_measure(bench, memories, asked, foreign, recipe, ks)}
        for recipe in recipes
    ]


def _measure(
    bench: Bench,
    memories: Mapping[Scope, PersonMemory],
    asked: Sequence[BankQuestion],
    foreign: Sequence[tuple[Question, Scope]],
    recipe: str,
    ks: Sequence[int],
) -> Row:
    total = len(asked) + len(foreign)
    ranks: list[int | None] = []
    kept, refused, seconds = 0, 0, 0.0

    def recall(question: Question, scope: Scope) -> RecallResult:
        memory = memories[scope]
        summaries = sum(day.summary is not None for day in memory.days.values())
        top = max(*ks, DEEPEST) + summaries
        now = bench.question_time(memory)
        return bench.recaller.recall(scope, question.text, now=now, top=top, recipe=recipe)

    for number, own in enumerate(asked, start=1):
        began = time.perf_counter()
        recollection = recall(own.question, own.scope)
        seconds += time.perf_counter() - began
        kept += bool(recollection.memories)
        ranks.append(_rank(own, recollection))
        bench.advance(recipe, number, total)
    for number, (question, other) in enumerate(foreign, start=len(asked) + 1):
        refused += not recall(question, other).memories
        bench.advance(recipe, number, total)
    found = [rank for rank in ranks if rank is not None]
    missed = [
        it.question for it, rank in zip(asked, ranks, strict=True) if rank is None or rank > max(ks)
    ]
    return {
        "hit": {str(k): ratio(sum(rank <= k for rank in found), len(asked)) for k in ks},
        "mrr": sum(1 / rank for rank in found) / len(ranks) if ranks else None,
        "seconds": round(seconds, 3),
        "misses": [{"user": it.user, "q": it.number, "question": it.text} for it in missed],
        "floor": {
            "answerable": len(asked),
            "kept": ratio(kept, len(asked)),
            "foreign": len(foreign),
            "refused": ratio(refused, len(foreign)),
        },
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


def _other_people(scope: Scope, people: Sequence[Scope]) -> list[Scope]:
    """The next people of the bank, going round."""
    at = people.index(scope)
    return [people[(at + step) % len(people)] for step in range(1, min(OTHERS + 1, len(people)))]
