"""MemoryBank's probing questions: is the gold evidence among the first turns recalled?

Each question stands alone: it is asked at 09:00 on the day after the person's last date,
no night has run, and nothing that an earlier question found is strengthened or archived.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.datasets import (
    BankQuestion,
    Question,
    bank_questions,
    language_of_questions,
    match_people,
)
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.results import RecallResult
from siliconfriend.texts import Language

DEEPEST = 100
"""How many turns are looked through for the rank of the evidence; what lies deeper counts as
not found in the mean reciprocal rank."""

OTHERS = 3
"""How many other people each question is asked to, to see whether they answer what is not theirs."""


@dataclass(frozen=True, slots=True)
class RefusalTradeOff:
    """The cost and gain of the relevance threshold, below which nothing is recalled.

    Attributes:
        answerable: questions that can be answered; ``kept`` of them recall something.
        foreign: questions asked to other people; ``refused`` of them recall nothing.
    """

    answerable: int
    kept: int
    foreign: int
    refused: int

    def to_json(self) -> dict[str, Any]:
        """Counts and shares; a share of nothing is null."""
        return {
            "answerable": self.answerable,
            "kept": ratio(self.kept, self.answerable),
            "foreign": self.foreign,
            "refused": ratio(self.refused, self.foreign),
        }


@dataclass(frozen=True, slots=True)
class ProbingResult:
    """The result of one recipe: a row of the table.

    Attributes:
        recipe: its name.
        lang: of the questions.
        questions: how many were asked; ``skipped`` more have no evidence in the bank.
        hits: by k, the questions with all of one alternative within the first k turns.
        mrr: mean of 1/rank, the rank being the turn with which an alternative is complete.
        seconds: spent recalling the answerable questions.
        misses: those not found within the largest k.
        refusal: what the relevance threshold costs and gains.
    """

    recipe: str
    lang: Language
    questions: int
    skipped: int
    hits: Mapping[int, int]
    mrr: float | None
    seconds: float
    misses: tuple[Question, ...]
    refusal: RefusalTradeOff

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it."""
        return {
            "recipe": self.recipe,
            "lang": self.lang,
            "questions": self.questions,
            "skipped": self.skipped,
            "hit": {str(k): ratio(found, self.questions) for k, found in self.hits.items()},
            "mrr": self.mrr,
            "seconds": round(self.seconds, 3),
            "misses": [
                {"user": it.user, "q": it.number, "question": it.text} for it in self.misses
            ],
            "floor": self.refusal.to_json(),
        }

    def shares(self) -> dict[str, float]:
        """The share of hits by k."""
        return {str(k): ratio(found, self.questions) or 0.0 for k, found in self.hits.items()}


def ratio(part: int, whole: int) -> float | None:
    """A share; None of nothing."""
    return part / whole if whole else None


def evaluate_probing(
    bench: Bench,
    people: Sequence[Scope],
    questions: Sequence[Question],
    recipes: Iterable[str],
    *,
    ks: Sequence[int] = (1, 3, 6),
) -> list[ProbingResult]:
    """Run the evaluation with each recipe; a row of the table for each.

    Args:
        bench: holds the bank's people.
        people: they, in the order of the bank.
        questions: of one file.
        recipes: names of recipes.
        ks: the depths of the hits.

    Raises:
        UsageError: the people of the questions cannot be matched with the bank's.
    """
    memories = {scope: bench.store.load(scope) for scope in people}
    asked = bank_questions(questions, match_people(questions, people), memories)
    answerable = [it for it in asked if it.evidence]
    foreign = [
        (it.question, other) for it in answerable for other in _other_people(it.scope, list(people))
    ]
    bench.prepare_embeddings(people, (it.question.text for it in answerable))
    lang, skipped = language_of_questions(questions), len(questions) - len(answerable)
    run = _ProbingRun(bench, memories, answerable, foreign, lang, skipped, ks)
    return [run.row(recipe) for recipe in recipes]


@dataclass(frozen=True, slots=True)
class _ProbingRun:
    bench: Bench
    memories: Mapping[Scope, PersonMemory]
    answerable: Sequence[BankQuestion]
    foreign: Sequence[tuple[Question, Scope]]
    lang: Language
    skipped: int
    ks: Sequence[int]

    def row(self, recipe: str) -> ProbingResult:
        answerable, foreign = self.answerable, self.foreign
        total = len(answerable) + len(foreign)
        ranks: list[int | None] = []
        kept, seconds = 0, 0.0
        for number, own in enumerate(answerable, start=1):
            began = time.perf_counter()
            recollection = self._recall(own.question, own.scope, recipe)
            seconds += time.perf_counter() - began
            kept += bool(recollection.memories)
            ranks.append(_rank(own, recollection))
            self.bench.advance(recipe, number, total)
        refused = 0
        for number, (question, other) in enumerate(foreign, start=len(answerable) + 1):
            refused += not self._recall(question, other, recipe).memories
            self.bench.advance(recipe, number, total)
        found = [rank for rank in ranks if rank is not None]
        return ProbingResult(
            recipe=recipe,
            lang=self.lang,
            questions=len(answerable),
            skipped=self.skipped,
            hits={k: sum(rank <= k for rank in found) for k in self.ks},
            mrr=sum(1 / rank for rank in found) / len(ranks) if ranks else None,
            seconds=seconds,
            misses=tuple(
                it.question
                for it, rank in zip(answerable, ranks, strict=True)
                if rank is None or rank > max(self.ks)
            ),
            refusal=RefusalTradeOff(len(answerable), kept, len(foreign), refused),
        )

    def _recall(self, question: Question, scope: Scope, recipe: str) -> RecallResult:
        memory = self.memories[scope]
        summaries = sum(day.summary is not None for day in memory.days.values())
        return self.bench.recaller.recall(
            scope,
            question.text,
            now=self.bench.question_time(memory),
            top=max(*self.ks, DEEPEST) + summaries,
            recipe=recipe,
        )


def _rank(asked: BankQuestion, recollection: RecallResult) -> int | None:
    """The rank of the turn that completes the first alternative of the evidence; None if none is."""
    found: set[tuple[str, int]] = set()
    rank = 0
    for recalled in recollection.memories:
        if not isinstance(recalled.memory, Turn):
            continue
        rank += 1
        found.add((recalled.memory.date, recalled.memory.position))
        if any(alternative <= found for alternative in asked.evidence):
            return rank
    return None


def _other_people(scope: Scope, people: Sequence[Scope]) -> list[Scope]:
    """The next people of the bank, going round."""
    at = people.index(scope)
    return [people[(at + step) % len(people)] for step in range(1, min(OTHERS + 1, len(people)))]
