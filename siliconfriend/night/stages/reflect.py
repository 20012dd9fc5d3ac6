"""The stage ``reflect``: what the companion infers from what was said lately.

When the last turns matter enough together, a model is asked which questions they raise and
what follows for each from the memories that bear on it (:mod:`siliconfriend.stream.reflection`).
The insights of a reflection are stored at once, each resting on the memories it cites.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import NamedTuple

from siliconfriend.extraction.importance import importance_by_model, offline_importance
from siliconfriend.extraction.support import unsaid_in
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold
from siliconfriend.memory.changes import PutDerived, PutReflection, PutTrace
from siliconfriend.memory.days import outlines
from siliconfriend.memory.knowledge import Insight
from siliconfriend.memory.outline import reflection_inputs
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn
from siliconfriend.memory.scope import memory_id
from siliconfriend.models.base import CompletionModel
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.prompts.escape import speaker_line
from siliconfriend.recall.documents import searched_text
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


class _Draft(NamedTuple):
    """An insight before it is stored: its words, the memories it rests on, its question."""

    words: str
    evidence: tuple[Memory, ...]
    question: str


def window(night: PersonNight, memory: PersonMemory) -> list[Turn]:
    """Return the turns whose importance is added up, oldest first.

    The last turns of days that are over, or with a window of 0 every turn after those of
    the last reflection. What is archived, expired or only asks is not among them.
    """
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
    due, done = is_due(night, night.load()), list[str]()
    if due and model is None:
        night.report.skipped.append(NAME)
    elif due and is_real and model is not None:
        done = run_items(night, [REFLECTION], lambda _name: _reflect(night, model))
    night.report.count(NAME, due=int(due), done=len(done))


def ratings_by_rule(night: PersonNight, memory: PersonMemory) -> dict[str, float]:
    """The importance, by id, of turns of days that are over which have none yet, by the rule.

    A model rates what it reads, so with one a turn waits until it was read. A turn that cannot be
    recalled (it only asks, or was not to be remembered) needs no importance.
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
    drafts: dict[str, _Draft] = {}
    for question in ask_questions(model, night.prompts, statements, texts):
        for draft in _infer(night, model, question):
            drafts.setdefault(fold(draft.words), draft)
    words = [draft.words for draft in drafts.values()]
    ratings = importance_by_model(model, night.prompts, words) if words else []
    rated = list(zip(drafts.values(), ratings, strict=True))
    inputs = reflection_inputs(turns)
    with night.edit() as edit:
        newest = edit.memory.recallable()
        insights = list(_insights(night, newest, turns[-1].date, rated))
        edit.add(*map(PutDerived, insights))
        is_unchanged = reflection_inputs(window(night, newest)) == inputs
        if is_unchanged:
            edit.add(PutReflection(night.provenance((turn.id for turn in turns), inputs)))
    night.report.insights += len(insights)
    return is_unchanged


def _infer(night: PersonNight, model: CompletionModel, question: str) -> Iterator[_Draft]:
    """Ask for at most five insights on a question, each citing memories.

    An insight with a name or figure that stands in no memory it cites is dropped.
    """
    fed = _feeding(night, question)
    statements = _statements(night, fed)
    speakers = (night.subject.person, night.subject.companion)
    for words, evidence in infer_insights(model, night.prompts, statements, question, statements):
        cited = [f"{fed[number - 1].date} {statements[number]}" for number in evidence]
        if cited and not unsaid_in(words, "\n".join(cited), speakers):
            yield _Draft(words, tuple(fed[number - 1] for number in evidence), question)


def _feeding(night: PersonNight, question: str) -> list[Memory]:
    """The memories that bear on a question, oldest first; recalling them here is no reinforcement.

    A day's summary is one only where all its turns are archived.
    """
    memory = night.load()
    recalled = night.runtime.recaller.recall(
        night.scope,
        question,
        now=night.now,
        top=MOST_CONSIDERED,
        recipe="generative_agents",
        use_threshold=False,
    )
    relevant = (it for it in recalled.memories if it.parts["relevance"] > RELEVANCE_THRESHOLD)
    counted = (it.memory for it in relevant if _counts(night, it.memory, memory))
    fed = (
        it
        for it in counted
        if not isinstance(it, DaySummary)
        or all(turn.trace.archived for turn in memory.days[it.date].turns)
    )
    return sorted(islice(fed, MOST_FED), key=lambda record: (record.date, record.id))


def _counts(night: PersonNight, record: Memory, memory: PersonMemory) -> bool:
    trace = record.trace
    is_expired = trace.expires is not None and trace.expires <= night.now
    return (
        trace.archived is None
        and not is_expired
        and night.is_over(record.date, memory)
        and bool(_words(record) and searched_text(record))
    )


def _insights(
    night: PersonNight, newest: PersonMemory, date: str, rated: Iterable[tuple[_Draft, float]]
) -> Iterator[Insight]:
    known = {fold(insight.text) for insight in newest.insights()}
    position = newest.next_position(date, "insight")
    for draft, importance in rated:
        present = [newest.find(record.id) for record in draft.evidence]
        words = [None if record is None else _words(record) for record in present]
        if words != [_words(record) for record in draft.evidence] or fold(draft.words) in known:
            continue
        depths = [record.depth for record in draft.evidence if isinstance(record, Insight)]
        yield Insight(
            id=memory_id(night.scope, "insight", date, position),
            date=date,
            position=position,
            text=draft.words,
            trace=Trace(night.now, importance=importance),
            provenance=night.provenance(record.id for record in draft.evidence),
            depth=1 + max(depths, default=0),
            question=draft.question,
        )
        position += 1


def _words(record: Memory) -> str:
    return (record.query if isinstance(record, Turn) else record.text).strip()


def _statements(night: PersonNight, records: Sequence[Memory]) -> dict[int, str]:
    person, language = night.subject.person, night.subject.language
    return {
        number: speaker_line(person, _words(record), language)
        if isinstance(record, Turn)
        else " ".join(_words(record).split())
        for number, record in enumerate(records, start=1)
    }


def _importance(turn: Turn) -> float:
    known = turn.trace.importance
    return offline_importance(turn.query) if known is None else known
