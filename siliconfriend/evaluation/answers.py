"""Answer the probing questions with the whole reply flow and grade the replies.

Every question is asked off the record of a companion that has just been made, so that no
answer leans on another and nothing is strengthened. All recipes have the same room in the
prompt, which is the reply flow's own.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    match_people,
)
from siliconfriend.evaluation.grading import Grade, grade_reply
from siliconfriend.evaluation.judge import Judge
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class GradedReply:
    """A reply to one question, with its grade.

    Attributes:
        question: as in the file.
        scope: who it was asked of.
        reply: the words.
        grade: of it.
        given: how many turns were recalled for the reply.
        holding: how many of them hold evidence.
    """

    question: Question
    scope: Scope
    reply: str
    grade: Grade
    given: int = 0
    holding: int = 0

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it."""
        return {
            "user": self.question.user,
            "asked_of": self.scope.person,
            "q": self.question.number,
            "kind": self.question.kind,
            "question": self.question.text,
            "reply": self.reply,
            "gold": self.question.gold,
            "right": self.grade.right,
            "refused": self.grade.refused,
            "invented": self.grade.invented,
        }


@dataclass(frozen=True, slots=True)
class AnswersResult:
    """The result of one recipe: a row of the table.

    Attributes:
        recipe: its name.
        lang: of the questions.
        answers: the replies to the person's own questions.
        foreign: the replies to other people's questions; right is to refuse.
        skipped: questions whose evidence the bank does not hold.
        seconds: spent on all of it.
        graded_by: the judge's name, or ``rule``.
        fallbacks: verdicts of the judge that the rule had to replace.
    """

    recipe: str
    lang: Language
    answers: tuple[GradedReply, ...]
    foreign: tuple[GradedReply, ...]
    skipped: int
    seconds: float
    graded_by: str
    fallbacks: int

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it."""
        return {
            "recipe": self.recipe,
            "lang": self.lang,
            "asked": len(self.answers),
            "skipped": self.skipped,
            **self.counts(),
            "precision": round(self.precision, 3),
            "foreign": {
                "asked": len(self.foreign),
                "refused": sum(it.grade.right for it in self.foreign),
                "invented": sum(it.grade.invented for it in self.foreign),
                "answers": [it.to_json() for it in self.foreign],
            },
            "graded_by": self.graded_by,
            "judge_fallbacks": self.fallbacks,
            "seconds": round(self.seconds, 3),
            "answers": [it.to_json() for it in self.answers],
        }

    def counts(self) -> dict[str, int]:
        """How many replies to the person's own questions are right, refuse, invent."""
        return {
            "right": sum(it.grade.right for it in self.answers),
            "refused": sum(it.grade.refused for it in self.answers),
            "invented": sum(it.grade.invented for it in self.answers),
        }

    @property
    def precision(self) -> float:
        """The share of the recalled turns that hold evidence, over questions that have some."""
        able = [it for it in self.answers if it.question.kind != UNANSWERABLE]
        return sum(it.holding for it in able) / max(sum(it.given for it in able), 1)

    def shares(self) -> dict[str, float]:
        """The same as shares of what was asked."""
        asked = max(len(self.answers), 1)
        return {name: count / asked for name, count in self.counts().items()}


def evaluate_answers(
    bench: Bench,
    people: Sequence[Scope],
    questions: Sequence[Question],
    recipes: Iterable[str],
    *,
    chat: ChatModel | None,
    judge: Judge | None = None,
    limit: int | None = None,
    foreign: bool = True,
) -> list[AnswersResult]:
    """Run the evaluation with each recipe; a row of the table for each.

    Args:
        bench: holds the bank's people.
        people: they, in the order of the bank.
        questions: of one file.
        recipes: names of recipes.
        chat: the model that answers; None for the offline companion.
        judge: grades in place of the rule.
        limit: ask only so many questions, spread evenly over the file.
        foreign: ask each question of the next person in the bank too.

    Raises:
        UsageError: the people of the questions cannot be matched with the bank's.
        ModelError: the model failed.
    """
    memories = {scope: bench.store.load(scope) for scope in people}
    in_bank = bank_questions(questions, match_people(questions, people), memories)
    able = [it for it in in_bank if it.evidence or it.question.kind == UNANSWERABLE]
    asked = sample_evenly(able, limit)
    bench.prepare_embeddings(people, (it.question.text for it in asked))
    with_others = foreign and len(people) > 1
    others = [(it.question, _next_person(it.scope, people)) for it in asked] if with_others else []
    skipped, lang = len(questions) - len(able), language_of_questions(questions)
    run = _AnswersRun(bench, chat, judge, asked, others, lang, skipped)
    return [run.row(recipe) for recipe in recipes]


def sample_evenly(asked: Sequence[BankQuestion], limit: int | None) -> list[BankQuestion]:
    """At most ``limit`` questions, spread evenly, so that few questions are not all one person's."""
    if limit is None or limit >= len(asked):
        return list(asked)
    return [asked[number * len(asked) // limit] for number in range(limit)]


@dataclass(frozen=True, slots=True)
class _AnswersRun:
    bench: Bench
    chat: ChatModel | None
    judge: Judge | None
    asked: Sequence[BankQuestion]
    others: Sequence[tuple[Question, Scope]]
    lang: Language
    skipped: int

    def row(self, recipe: str) -> AnswersResult:
        began, before = time.perf_counter(), self.judge.fallbacks if self.judge else 0
        total, done = len(self.asked) + len(self.others), 0
        answers, foreign = [], []
        for own in self.asked:
            reply, given = self._reply(own.question, own.scope, recipe)
            mark = self._grade(own.question.kind, own.question, reply)
            holding = given & frozenset[tuple[str, int]]().union(*own.evidence)
            graded = GradedReply(own.question, own.scope, reply, mark, len(given), len(holding))
            answers.append(graded)
            self.bench.advance(recipe, done := done + 1, total)
        for question, scope in self.others:
            reply, _ = self._reply(question, scope, recipe)
            # what another person said cannot be remembered here
            mark = self._grade(UNANSWERABLE, question, reply)
            foreign.append(GradedReply(question, scope, reply, mark))
            self.bench.advance(recipe, done := done + 1, total)
        return AnswersResult(
            recipe=recipe,
            lang=self.lang,
            answers=tuple(answers),
            foreign=tuple(foreign),
            skipped=self.skipped,
            seconds=time.perf_counter() - began,
            graded_by=self.judge.name if self.judge else "rule",
            fallbacks=self.judge.fallbacks - before if self.judge else 0,
        )

    def _reply(
        self, question: Question, scope: Scope, recipe: str
    ) -> tuple[str, frozenset[tuple[str, int]]]:
        """The reply, and the turns that were recalled for it."""
        memory = self.bench.store.load(scope)
        moment = self.bench.question_time(memory)
        companion = Companion(
            scope.person,
            runtime=self.bench.runtime,
            chat=self.chat,
            recipe=recipe,
            clock=FixedClock(moment),
        )
        reply = companion.reply(question.text, off_record=True)
        used = (memory.find(it.id) for it in reply.used)
        return reply.text, frozenset((it.date, it.position) for it in used if isinstance(it, Turn))

    def _grade(self, kind: str, question: Question, reply: str) -> Grade:
        if self.judge is None:
            return grade_reply(kind, question.gold, reply, question.text)
        return self.judge.grade(kind, question.text, question.gold, reply, self.lang)


def _next_person(scope: Scope, people: Sequence[Scope]) -> Scope:
    """The next person of the bank, going round."""
    return people[(people.index(scope) + 1) % len(people)]
