"""Lives: measure which memories reach the prompt and the offline reply, by kind of question.

A life has one person's turns over months, mixed with everyday turns of a bank, and questions and
remarks about them. Each question runs alone and off the record through the reply flow without a
model, before and after a night.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from siliconfriend.clock import FixedClock
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import Reply, ReplyStyle
from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.evaluation.datasets import day_value, expected_form, language_value, text_value
from siliconfriend.evaluation.grading import UNANSWERABLE, grade_reply, memories_given
from siliconfriend.evaluation.table import Row
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.night.run import run_night
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language, text

NOTHING = "none"
SMALL = "small"
SEVERAL, REMARK = "several", "statement"
KINDS = (
    *("direct", "fact", "correction", "month", "season", "feast", "eventdate", "other"),
    *(REMARK, SEVERAL, NOTHING, SMALL),
)
"""The kinds of questions, in the order of the table: see the page on evaluation."""


class LifeQuestion(NamedTuple):
    """A question or remark."""

    kind: str
    """One of :data:`KINDS`; ``none`` is an unanswerable question, ``small`` is small talk."""
    words: str
    keys: tuple[str, ...]
    """Exact texts, one of which must be found, or all for ``several``."""

    @property
    def has_answer(self) -> bool:
        """True if there is something to find."""
        return self.kind not in (NOTHING, SMALL)

    def is_found_in(self, words: str) -> bool:
        """Return True if ``words`` contains the required texts exactly."""
        found = [key in words for key in self.keys]
        return bool(found) and (all(found) if self.kind == SEVERAL else any(found))


@dataclass(frozen=True, slots=True)
class Life:
    """A person's turns, and the questions at ``now`` (aware)."""

    user: str
    language: Language
    now: datetime
    told: tuple[Told, ...]
    asked: tuple[LifeQuestion, ...]


def read_life(data: Any) -> Life:
    """Load the life of a file; UnreadableFile if the format is wrong or it has no questions."""
    with expected_form("life_form"):
        language = language_value(data["lang"])
        told = tuple(_told(turn, language) for turn in data["turns"])
        asked = tuple(_ask(*ask) for ask in data["ask"])
        if not told or not asked:
            raise ValueError("nothing is told, or nothing is asked")
        now = datetime.fromisoformat(data["now"])
        now = now if now.tzinfo else now.replace(tzinfo=UTC)
        return Life(clean_name(data["user"]), language, now, told, asked)


def import_life(bench: Bench, life: Life, filler: Sequence[Told] = ()) -> Scope:
    """Import the turns, and embed the questions.

    The filler is spread evenly from the first to the last day of the turns, and follows them within
    a day.
    """
    first, last = (date.fromisoformat(pick(turn.day for turn in life.told)) for pick in (min, max))
    days = (last - first).days + 1
    spread = [
        replace(turn, day=(first + timedelta(days=number * days // len(filler))).isoformat())
        for number, turn in enumerate(filler)
    ]
    told = sorted([*life.told, *spread], key=lambda turn: turn.day)
    scope = bench.create_person(life.user, life.language)
    bench.tell(scope, dict(enumerate(told)), Counter())
    what = text("evaluation", "progress.embedding", bench.settings.language)
    bench.recaller.update_index(scope, partial(bench.advance, what))
    if bench.runtime.embedder is not None:
        bench.runtime.embedder.queries([ask.words for ask in life.asked])
    return scope


def evaluate_life(
    bench: Bench,
    life: Life,
    recipes: Sequence[str],
    *,
    filler: Sequence[Told] = (),
    night: bool = True,
) -> list[Row]:
    """Run the evaluation with each recipe by day, then with each after a night.

    ``prompt`` is the share of what must be found that would have been in a model's prompt,
    ``said`` the share in the offline reply, ``answered`` the same without remarks. Of questions
    with nothing to find ``claimed`` got an assertion, of small talk ``reminded`` got a memory
    quoted. The model must be the offline one; ``filler`` are everyday turns to spread between.
    """
    life = replace(life, now=bench.now or life.now)
    scope, rows = import_life(bench, life, filler), list[Row]()
    for phase in ("day", "night")[: 1 + night]:
        errors = _run_night(bench, scope, life.now) if phase == "night" else []
        memory = bench.store.load(scope)
        for recipe in recipes:
            began, answers = perf_counter(), list[tuple[Reply, str]]()
            for number, ask in enumerate(life.asked, start=1):
                answers.append(_answer(bench, scope, memory, life.now, recipe, ask))
                bench.advance(recipe, number, len(life.asked))
            row = {"recipe": recipe, "lang": life.language, "phase": phase}
            spent = {"night_errors": errors, "seconds": round(perf_counter() - began, 3)}
            rows.append({**row, **_count(life.asked, answers), **spent})
    return rows


def _answer(
    bench: Bench, scope: Scope, memory: PersonMemory, now: datetime, recipe: str, ask: LifeQuestion
) -> tuple[Reply, str]:
    """Return the reply of a new companion, and the recalled memories a model would receive."""
    companion = Companion(scope.person, runtime=bench.runtime, recipe=recipe, clock=FixedClock(now))
    assert companion.chat is None, "a model's replies are no offline replies"
    reply = companion.reply(ask.words, off_record=True)
    message = IncomingMessage(ask.words, now, memory, ReplyStyle())
    return reply, memories_given(companion, message, reply)


def _count(asked: Sequence[LifeQuestion], answers: Sequence[tuple[Reply, str]]) -> Row:
    by_kind = {kind: {"asked": 0, "prompt": 0, "said": 0} for kind in KINDS}
    misses, claims, reminders = list[Row](), list[Row](), list[Row]()
    for ask, (reply, recalled) in zip(asked, answers, strict=True):
        said = {"ask": ask.words, "reply": reply.text}
        in_prompt, is_said = ask.is_found_in(recalled), ask.is_found_in(reply.text)
        for name, count in {"asked": 1, "prompt": in_prompt, "said": is_said}.items():
            by_kind[ask.kind][name] += count
        if ask.kind == NOTHING and grade_reply(UNANSWERABLE, "", reply.text) == "invented":
            claims.append(said)
        if ask.kind == SMALL and reply.used:
            reminders.append(said)
        if ask.has_answer and not (in_prompt and is_said):
            misses.append({"kind": ask.kind, "in_prompt": in_prompt, "said": is_said, **said})
    nothing, small = by_kind.pop(NOTHING), by_kind.pop(SMALL)
    asked_of = {kind: counts for kind, counts in by_kind.items() if counts["asked"]}
    total = {name: sum(counts[name] for counts in asked_of.values()) for name in nothing}
    remarks = by_kind[REMARK]
    return {
        "asked": total["asked"],
        "prompt": total["prompt"] / max(total["asked"], 1),
        "said": total["said"] / max(total["asked"], 1),
        "answered": (total["said"] - remarks["said"]) / max(total["asked"] - remarks["asked"], 1),
        "claimed": len(claims),
        "nothing_to_find": nothing["asked"],
        "reminded": len(reminders),
        "small_talk": small["asked"],
        "by_kind": asked_of,
        "misses": misses,
        "claims": claims,
        "reminders": reminders,
    }


def _run_night(bench: Bench, scope: Scope, now: datetime) -> list[str]:
    """Run one night at 04:00 on the day of ``now``; return its failures in sentences."""
    runtime = bench.runtime
    moment = now.astimezone(UTC).replace(hour=4, minute=0, second=0, microsecond=0)
    at_night = Runtime(
        runtime.settings, FixedClock(moment), store=bench.store, embedder=runtime.embedder
    )
    report = run_night(at_night, users=[scope.person])
    return [error for person in report.people for error in person.errors]


def _told(data: Sequence[Any], language: Language) -> Told:
    day, words, *rest = data
    if len(rest) > 1:
        raise ValueError(f"a turn has more than a day, words and a reply: {data!r}")
    reply = text_value(rest[0]) if any(rest) else text("evaluation", "life.reply", language)
    return Told(day_value(day), text_value(words), reply)


def _ask(kind: str, words: str, keys: Sequence[str]) -> LifeQuestion:
    if kind not in KINDS:
        raise ValueError(f"there is no kind {kind!r}")
    if not isinstance(keys, list):
        raise TypeError(f"the keys are no list: {keys!r}")
    ask = LifeQuestion(kind, text_value(words), tuple(map(text_value, keys)))
    if bool(keys) != ask.has_answer:
        raise ValueError(f"what is of kind {kind!r} has {len(keys)} keys: {words!r}")
    return ask
