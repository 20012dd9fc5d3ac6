"""The stage ``reflect``: what the companion infers from what was said lately.

When the last turns matter enough together, a model is asked which questions they raise and
what follows for each from the memories that bear on it (:mod:`siliconfriend.stream.reflection`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from siliconfriend.extraction.importance import importance_by_model, offline_importance
from siliconfriend.extraction.support import unsupported_in
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold
from siliconfriend.memory.changes import PutDerived, PutField, PutTrace
from siliconfriend.memory.days import outlines, reflection_inputs
from siliconfriend.memory.knowledge import Insight
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn
from siliconfriend.memory.scope import memory_id
from siliconfriend.models.base import CompletionModel
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.prompts.escape import speaker_line
from siliconfriend.recall.documents import own_words, searched_text
from siliconfriend.stream.reflection import (
    RELEVANCE_THRESHOLD,
    ask_questions,
    infer_insights,
    reaches_threshold,
)

NAME = "reflect"
REFLECTION = "reflection"
"""Name of a postponed reflection in the report."""

MOST_COUNTED = 2000
"""Last turns whose key words the questions are drawn from too."""
MOST_CONSIDERED = 100_000
"""Memories that are ranked for a question: all that recall finds."""
MOST_FED = 30
"""Memories that feed one question, the best first."""
MOST_SHOWN = 100
"""Last turns the questions are drawn from, where the window is longer."""


def window(night: PersonNight, memory: PersonMemory) -> list[Turn]:
    """Return the last turns that count, oldest first; all since the last reflection for a window of 0."""
    newest_first = (turn for turn in _newest_first(memory) if _counts(night, turn, memory))
    if night.runtime.settings.reflect_window:
        return list(islice(newest_first, night.runtime.settings.reflect_window))[::-1]
    last = memory.last_reflection
    from_ids = last.from_ids if last is not None and last.inputs else ()
    reflected_on = [turn for turn in map(memory.find, from_ids) if isinstance(turn, Turn)]
    newest = max(((turn.date, turn.position) for turn in reflected_on), default=("", -1))
    later = takewhile(lambda turn: (turn.date, turn.position) > newest, newest_first)
    return list(later)[::-1]


def _newest_first(memory: PersonMemory) -> Iterator[Turn]:
    for date in reversed(list(memory.days)):
        yield from reversed(memory.days[date].turns)


def is_due(night: PersonNight, memory: PersonMemory) -> bool:
    """Return True if there is something new to reflect on and it matters enough.

    Also where an insight of the last reflections lost its evidence: it was due once already.
    """
    turns, last = window(night, memory), memory.last_reflection
    if not turns or (last is not None and last.inputs == reflection_inputs(turns)):
        return False
    if last is not None and not last.inputs:
        return True
    threshold = night.runtime.settings.reflect_threshold
    return reaches_threshold(map(_importance, turns), threshold)


def run(night: PersonNight) -> None:
    """Rate the turns that nobody rated, then reflect if it is time to."""
    model, is_real = night.chat, not night.options.dry_run
    if is_real and ratings_by_rule(night, night.load()):
        with night.edit() as edit:
            for identifier, importance in ratings_by_rule(night, edit.memory.recallable()).items():
                turn = edit.memory.find(identifier)
                assert turn is not None
                edit.add(PutTrace(identifier, replace(turn.trace, importance=importance)))
        night.report.judged += len(edit.changes)
    due, done = is_due(night, night.load()), 0
    if due and model is None:
        night.report.skipped.append(NAME)
    elif due and is_real and model is not None:
        done = run_items(night, [REFLECTION], lambda _name: _reflect(night, model))
    night.report.count(NAME, due=int(due), done=done)


def ratings_by_rule(night: PersonNight, memory: PersonMemory) -> dict[str, float]:
    """Rate, by id, the recallable turns of days that are over which have no importance yet.

    A model rates what it reads, so with one a turn waits until it was read.
    """
    return {
        turn.id: offline_importance(turn.query)
        for date, outline in outlines(memory.days)
        if outline.unrated and night.is_over(date, memory)
        for turn in memory.days[date].turns
        if turn.trace.importance is None and searched_text(turn)
        if night.chat is None or turn.is_read
    }


def _reflect(night: PersonNight, model: CompletionModel) -> bool:
    """Infer insights, and store those whose evidence is still there in the same words.

    True if the turns are still those that were reflected on; else reflection stays due.
    """
    memory = night.load()
    turns = window(night, memory)
    statements = _statements(night, turns[-MOST_SHOWN:])
    texts = (turn.query for turn in islice(_newest_first(memory), MOST_COUNTED))
    insights: dict[str, Insight] = {}
    for question in ask_questions(model, night.prompts, statements, texts):
        for insight in _infer(night, model, memory, question):
            insights.setdefault(fold(insight.text), insight)
    words = [insight.text for insight in insights.values()]
    ratings = importance_by_model(model, night.prompts, words) if words else []
    inputs, date = reflection_inputs(turns), turns[-1].date
    with night.edit() as edit:
        newest = edit.memory.recallable()
        known = {fold(insight.text) for insight in newest.insights()}
        position = newest.next_position(date, "insight")
        for insight, importance in zip(insights.values(), ratings, strict=True):
            evidence = insight.provenance.from_ids
            if fold(insight.text) in known or _said(memory, evidence) != _said(newest, evidence):
                continue
            identifier = memory_id(night.scope, "insight", date, position)
            trace = Trace(night.now, importance=importance)
            placed = replace(insight, id=identifier, date=date, position=position, trace=trace)
            edit.add(PutDerived(placed))
            position += 1
        night.report.insights += len(edit.changes)
        is_unchanged = reflection_inputs(window(night, newest)) == inputs
        if is_unchanged:
            made = night.provenance((turn.id for turn in turns), inputs)
            edit.add(PutField("last_reflection", made))
    return is_unchanged


def _said(memory: PersonMemory, ids: Iterable[str]) -> list[str | None]:
    records = map(memory.find, ids)
    return [None if record is None else own_words(record).strip() for record in records]


def _infer(
    night: PersonNight, model: CompletionModel, memory: PersonMemory, question: str
) -> Iterator[Insight]:
    """Ask for at most five insights on a question, each citing memories; they have no place yet.

    An insight with a name or figure that stands in no memory it cites is dropped.
    """
    fed = _feeding(night, memory, question)
    statements = _statements(night, fed)
    speakers = (night.subject.person, night.subject.companion)
    for words, numbers in infer_insights(model, night.prompts, statements, question, statements):
        evidence = [fed[number - 1] for number in numbers]
        cited = [f"{fed[number - 1].date} {statements[number]}" for number in numbers]
        if cited and not unsupported_in(words, "\n".join(cited), speakers):
            yield Insight(
                id="",
                date="",
                position=0,
                text=words,
                trace=Trace(night.now),
                provenance=night.provenance(record.id for record in evidence),
                depth=1 + max((it.depth for it in evidence if isinstance(it, Insight)), default=0),
                question=question,
            )


def _feeding(night: PersonNight, memory: PersonMemory, question: str) -> list[Memory]:
    """The memories that bear on a question, oldest first; recalling them here is no reinforcement."""
    recalled = night.runtime.recaller.recall(
        night.scope,
        question,
        now=night.now,
        top=MOST_CONSIDERED,
        recipe="generative_agents",
    )
    relevant = (
        it.memory for it in recalled.memories if it.parts["relevance"] > RELEVANCE_THRESHOLD
    )
    fed = (record for record in relevant if _counts(night, record, memory))
    return sorted(islice(fed, MOST_FED), key=lambda record: (record.date, record.id))


def _counts(night: PersonNight, record: Memory, memory: PersonMemory) -> bool:
    """True if a memory is recallable, its day is over, and it repeats no turn that is not archived."""
    trace, is_summary = record.trace, isinstance(record, DaySummary)
    turns = memory.days[record.date].turns if is_summary and record.date in memory.days else ()
    is_expired = trace.expires is not None and trace.expires <= night.now
    return (
        trace.is_active
        and not is_expired
        and all(not turn.trace.is_active for turn in turns)
        and night.is_over(record.date, memory)
        and bool(own_words(record).strip() and searched_text(record))
    )


def _statements(night: PersonNight, records: Sequence[Memory]) -> dict[int, str]:
    person, language = night.subject.person, night.subject.language
    return {
        number: speaker_line(person, record.query.strip(), language)
        if isinstance(record, Turn)
        else " ".join(record.text.split())
        for number, record in enumerate(records, start=1)
    }


def _importance(turn: Turn) -> float:
    known = turn.trace.importance
    return offline_importance(turn.query) if known is None else known
