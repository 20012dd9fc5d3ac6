"""Lives: does what was told reach the prompt and the offline reply, by kind of question?

A life is what one person told over months, among everyday turns of a bank, and what is asked
and remarked about it afterwards. Each is asked alone and off the record, so that no answer
leans on another, through the whole reply flow without a model; once before any night and once
after one, which is offline too. What stands in the prompt is what :class:`PromptPlan` writes of
what the very same reply recalled.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from siliconfriend.clock import FixedClock
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.drafting import used_of
from siliconfriend.dialogue.prompt import PromptPlan
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import Reply, ReplyStyle
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.errors import UnreadableFile
from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.evaluation.datasets import (
    MALFORMED,
    UNANSWERABLE,
    day_value,
    language_value,
    text_value,
)
from siliconfriend.evaluation.grading import grade_reply
from siliconfriend.evaluation.life_ask import KINDS, NOTHING, SMALL, Ask
from siliconfriend.language.characters import language_of
from siliconfriend.memory.import_export import read_bank
from siliconfriend.memory.memorybank_file import BankPerson
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.models.served_context import UNKNOWN_CONTEXT
from siliconfriend.night.run import run_night
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language, text

NIGHT_HOUR = 4

Phase = Literal["day", "night"]


@dataclass(frozen=True, slots=True)
class Life:
    """What a person told, and what they are asked at ``now`` (aware)."""

    user: str
    language: Language
    now: datetime
    told: tuple[Told, ...]
    asked: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one question.

    Attributes:
        ask: the question.
        in_prompt: what must be found would have been in a model's prompt.
        said: it stands in the offline reply.
        claimed: nothing was to be found, and the reply asserts something all the same.
        reminded: it was small talk, and the reply quotes a memory all the same.
        reply: the offline reply.
    """

    ask: Ask
    in_prompt: bool
    said: bool
    claimed: bool
    reply: str
    reminded: bool = False

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it."""
        return {
            "kind": self.ask.kind,
            "ask": self.ask.words,
            "in_prompt": self.in_prompt,
            "said": self.said,
            "reply": self.reply,
        }


@dataclass(frozen=True, slots=True)
class LifeResult:
    """The result of one recipe in one phase: a row of the table.

    Attributes:
        recipe: its name.
        lang: of the life.
        phase: ``day`` before any night, ``night`` after one.
        outcomes: of the questions with something to find.
        nothing: of the questions with nothing to find.
        small: of the remarks with nothing to find.
        night_errors: what of the night failed, in sentences; as a rule nothing.
        seconds: spent on all of it, the night not counted.
    """

    recipe: str
    lang: Language
    phase: Phase
    outcomes: tuple[Outcome, ...]
    nothing: tuple[Outcome, ...]
    small: tuple[Outcome, ...]
    night_errors: tuple[str, ...]
    seconds: float

    @property
    def claimed(self) -> int:
        """How many questions with nothing to find got an assertion."""
        return sum(it.claimed for it in self.nothing)

    @property
    def reminded(self) -> int:
        """How many remarks with nothing to find got a memory quoted."""
        return sum(it.reminded for it in self.small)

    def counts(self) -> dict[str, int]:
        """How many of the others reached the prompt and the reply."""
        return _counts(self.outcomes)

    def shares(self) -> dict[str, float]:
        """The same as shares of what was asked."""
        asked = max(len(self.outcomes), 1)
        return {name: count / asked for name, count in self.counts().items()}

    def by_kind(self) -> dict[str, dict[str, int]]:
        """Count the questions asked, found in the prompt and answered, by kind."""
        by_kind = {
            kind: [it for it in self.outcomes if it.ask.kind == kind]
            for kind in KINDS
            if kind not in (NOTHING, SMALL)
        }
        return {
            kind: {"asked": len(outcomes), **_counts(outcomes)}
            for kind, outcomes in by_kind.items()
            if outcomes
        }

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it."""
        return {
            "recipe": self.recipe,
            "lang": self.lang,
            "phase": self.phase,
            "asked": len(self.outcomes),
            **self.shares(),
            "claimed": self.claimed,
            "nothing_to_find": len(self.nothing),
            "reminded": self.reminded,
            "small_talk": len(self.small),
            "by_kind": self.by_kind(),
            "misses": [it.to_json() for it in self.outcomes if not (it.in_prompt and it.said)],
            "claims": [
                {"ask": it.ask.words, "reply": it.reply} for it in self.nothing if it.claimed
            ],
            "reminders": [
                {"ask": it.ask.words, "reply": it.reply} for it in self.small if it.reminded
            ],
            "night_errors": list(self.night_errors),
            "seconds": round(self.seconds, 3),
        }


def read_life(data: Any) -> Life:
    """The life of a file.

    Raises:
        UnreadableFile: it has another form, or asks nothing.
    """
    try:
        language = language_value(data["lang"])
        told = tuple(_told(it, language) for it in data["turns"])
        asked = tuple(_ask(*it) for it in data["ask"])
        if not told or not asked:
            msg = "nothing is told, or nothing is asked"
            raise ValueError(msg)
        now = datetime.fromisoformat(data["now"])
        now = now if now.tzinfo else now.replace(tzinfo=UTC)
        return Life(clean_name(data["user"]), language, now, told, asked)
    except MALFORMED as error:
        raise UnreadableFile("life_form", cause=f"{type(error).__name__}: {error}") from error


def read_filler(bank: Any) -> list[Told]:
    """The turns of a MemoryBank file, person by person in its order.

    Raises:
        UnreadableFile: it is no such file.
    """
    return [
        Told(day, turn.query, turn.response)
        for person in read_bank(bank)
        if isinstance(person, BankPerson)
        for day, turns in sorted(person.history.items())
        for turn in turns
    ]


def language_of_filler(filler: Sequence[Told]) -> Language:
    """The language that everyday turns are told in."""
    return language_of(" ".join(turn.words for turn in filler))


def spread_filler(told: Sequence[Told], filler: Sequence[Told]) -> list[Told]:
    """Spread the filler evenly over the days of what was told, from the first to the last.

    By day; on a day what was told stands before the filler.
    """
    first, last = (date.fromisoformat(pick(it.day for it in told)) for pick in (min, max))
    days = (last - first).days + 1
    spread = [
        replace(turn, day=(first + timedelta(days=number * days // len(filler))).isoformat())
        for number, turn in enumerate(filler)
    ]
    return sorted([*told, *spread], key=lambda it: it.day)


def evaluate_life(
    bench: Bench,
    life: Life,
    recipes: Sequence[str],
    *,
    filler: Sequence[Told] = (),
    night: bool = True,
) -> list[LifeResult]:
    """Run the evaluation with each recipe by day, then with each after a night.

    Args:
        bench: where the life is put; its model must be the offline one.
        life: what was told and is asked.
        recipes: names of recipes.
        filler: everyday turns to spread between.
        night: measure the second phase too.
    """
    life = replace(life, now=bench.now or life.now)
    scope, _ = bench.import_turns(
        life.user, spread_filler(life.told, filler), language=life.language, timezone="UTC"
    )
    bench.prepare_embeddings([scope], (ask.words for ask in life.asked))
    rows = _rows(bench, scope, life, recipes, "day", ())
    if night:
        errors = _run_night(bench, scope, life.now)
        rows += _rows(bench, scope, life, recipes, "night", errors)
    return rows


def _rows(
    bench: Bench,
    scope: Scope,
    life: Life,
    recipes: Iterable[str],
    phase: Phase,
    night_errors: tuple[str, ...],
) -> list[LifeResult]:
    memory, rows = bench.store.load(scope), list[LifeResult]()
    for recipe in recipes:
        began, outcomes = time.perf_counter(), list[Outcome]()
        for number, ask in enumerate(life.asked, start=1):
            outcomes.append(_outcome(bench, scope, memory, life.now, recipe, ask))
            bench.advance(f"{recipe} ({phase})", number, len(life.asked))
        rows.append(
            LifeResult(
                recipe=recipe,
                lang=life.language,
                phase=phase,
                outcomes=tuple(it for it in outcomes if it.ask.has_answer),
                nothing=tuple(it for it in outcomes if it.ask.kind == NOTHING),
                small=tuple(it for it in outcomes if it.ask.kind == SMALL),
                night_errors=night_errors,
                seconds=time.perf_counter() - began,
            )
        )
    return rows


def _outcome(
    bench: Bench, scope: Scope, memory: PersonMemory, now: datetime, recipe: str, ask: Ask
) -> Outcome:
    """Ask a companion that has just been made."""
    companion = Companion(scope.person, runtime=bench.runtime, recipe=recipe, clock=FixedClock(now))
    assert companion.chat is None, "a model's replies are no offline replies"
    reply = companion.reply(ask.words, off_record=True)
    nothing = ask.kind == NOTHING
    return Outcome(
        ask=ask,
        in_prompt=ask.is_found_in(_recalled_words(companion, memory, now, ask, reply)),
        said=ask.is_found_in(reply.text),
        claimed=nothing and grade_reply(UNANSWERABLE, "", reply.text).invented,
        reply=reply.text,
        reminded=ask.kind == SMALL and bool(reply.used),
    )


def _recalled_words(
    companion: Companion, memory: PersonMemory, now: datetime, ask: Ask, reply: Reply
) -> str:
    """Write what was recalled, or while everything fits everything told, as a model is given it."""
    plan = PromptPlan(
        message=IncomingMessage(ask.words, now, memory, ReplyStyle()),
        settings=companion.settings,
        companion_name=companion.name,
        context_tokens=UNKNOWN_CONTEXT,
        find=memory.find,
    )
    return plan.recalled_words(used_of(Retrieved(reply.recalled), plan.message))


def _run_night(bench: Bench, scope: Scope, now: datetime) -> tuple[str, ...]:
    """Run one night at four o'clock of the day of ``now``; what of it failed, in sentences."""
    runtime = bench.runtime
    moment = now.astimezone(UTC).replace(hour=NIGHT_HOUR, minute=0, second=0, microsecond=0)
    at_night = Runtime(
        runtime.settings, FixedClock(moment), store=bench.store, embedder=runtime.embedder
    )
    report = run_night(at_night, users=[scope.person])
    return tuple(error for person in report.people for error in person.errors)


def _counts(outcomes: Sequence[Outcome]) -> dict[str, int]:
    return {
        "prompt": sum(it.in_prompt for it in outcomes),
        "said": sum(it.said for it in outcomes),
    }


def _told(data: Sequence[Any], language: Language) -> Told:
    day, words, *rest = data
    if len(rest) > 1:
        msg = f"a turn has more than a day, words and a reply: {data!r}"
        raise ValueError(msg)
    reply = text_value(rest[0]) if any(rest) else text("evaluation", "life.reply", language)
    return Told(day_value(day), text_value(words), reply)


def _ask(kind: str, words: str, keys: Sequence[str]) -> Ask:
    if kind not in KINDS:
        msg = f"there is no kind {kind!r}"
        raise ValueError(msg)
    if not isinstance(keys, list):
        msg = f"the keys are no list: {keys!r}"
        raise TypeError(msg)
    ask = Ask(kind, text_value(words), tuple(map(text_value, keys)))
    if bool(keys) != ask.has_answer:
        msg = f"what is of kind {kind!r} has {len(keys)} keys: {words!r}"
        raise ValueError(msg)
    return ask
