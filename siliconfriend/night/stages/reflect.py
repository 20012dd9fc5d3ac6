"""The step ``reflect``: what the companion makes of what it was told lately.

When the last memories matter enough together, a model is asked which questions they raise,
what follows for each from the memories that bear on it, and what of that remains. What
remains are insights: memories of their own, each resting on the ones it cites. All of a
reflection is kept at once, so a night that is killed thinks it again from the start and
no half of it is remembered. Without a model there is no reflection: quoting, which is all
the offline companion does, is not thinking.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from siliconfriend.forgetting.trace import Trace
from siliconfriend.importance import importance_by_model, offline_importance
from siliconfriend.language.characters import fold
from siliconfriend.language.keywords import top_keywords
from siliconfriend.memory.changes import Change, PutDerived, PutReflection
from siliconfriend.memory.digest import reflection_inputs
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    DaySummary,
    Insight,
    Memory,
    PersonMemory,
    Turn,
)
from siliconfriend.models.base import CompletionModel
from siliconfriend.night import turn_ratings
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.run_items import run_items
from siliconfriend.recall.documents import searched_text
from siliconfriend.stream.insights import listed, parse_insights, within
from siliconfriend.stream.reflection import CONDENSED, ask_condensed, ask_insights, ask_questions
from siliconfriend.stream.stream_reflection import KEY_WORDS, reaches
from siliconfriend.texts import text

NAME = "reflect"
REFLECTION = "reflection"
"""What the report calls a reflection that was left for later."""

RELEVANT = 0.5
"""A memory feeds a question where its relevance, from 0 for the least to 1 for the most
relevant memory, is above this."""
MOST_FED = 30
"""Memories that feed one question, the best first."""
MOST_SHOWN = 100
"""Last memories the questions are drawn from, where the window is longer."""


@dataclass(frozen=True, slots=True)
class _Thought:
    """An insight before it is stored: its words, the memories it rests on, its question."""

    words: str
    evidence: tuple[Memory, ...]
    question: str


def window(night: PersonNight, memory: PersonMemory) -> list[Turn]:
    """The memories whose importance is added up, oldest first.

    The last turns of days that are over, or with a window of 0 every turn after those of
    the last reflection. What is archived, expired or only asks is not among them.
    """
    turns = [turn for turn in memory.turns() if _counts(night, turn, memory)]
    if night.reflect_window:
        return turns[-night.reflect_window :]
    last = memory.last_reflection
    thought_of = last.from_ids if last is not None and last.inputs else ()
    known = [it for it in map(memory.find, thought_of) if isinstance(it, Turn)]
    newest = max(((it.date, it.position) for it in known), default=("", -1))
    return [turn for turn in turns if (turn.date, turn.position) > newest]


def is_due(night: PersonNight, memory: PersonMemory) -> bool:
    """Whether there is something new to reflect on and it matters enough.

    Also where an insight of the last reflections lost its evidence: it was due once already.
    """
    turns = window(night, memory)
    if not turns:
        return False
    last = memory.last_reflection
    if last is not None and not last.inputs:
        return True
    if last is not None and last.inputs == reflection_inputs(turns):
        return False
    return reaches(map(_importance, turns), night.reflect_threshold)


def run(night: PersonNight) -> None:
    """Judge what nobody judged, then reflect if it is time to."""
    if not night.dry_run:
        turn_ratings.rate_turns(night)
    due = is_due(night, night.load())
    model = night.chat
    if due and model is None:
        night.report.skipped.append(NAME)
    if not due or night.dry_run or model is None:
        night.report.count(NAME, due=int(due), done=0)
        return
    done = run_items(night, [REFLECTION], lambda _name: _reflect(night, model))
    night.report.count(NAME, due=1, done=len(done))


def _reflect(night: PersonNight, model: CompletionModel) -> bool:
    """Reflect on the newest memory; whether the memory is still the one that was thought about."""
    memory = night.load()
    turns = window(night, memory)
    shown = turns[-MOST_SHOWN:]
    statements = {at: _told(night, turn) for at, turn in enumerate(shown, start=1)}
    key_words = top_keywords((turn.query for turn in memory.turns()), KEY_WORDS)
    questions = ask_questions(model, night.prompts, statements, key_words)
    thoughts: list[_Thought] = []
    for question in questions:
        known = {fold(it.words) for it in thoughts}
        thoughts += [
            it for it in _thoughts_on(night, model, question) if fold(it.words) not in known
        ]
    said = [it.words for it in thoughts]
    ratings = importance_by_model(model, night.prompts, said) if said else []
    return _keep(night, turns, thoughts, ratings)


def _thoughts_on(night: PersonNight, model: CompletionModel, question: str) -> list[_Thought]:
    """At most five thoughts on a question, each citing memories that fed it."""
    fed = dict(enumerate(_feeding(night, question), start=1))
    if not fed:
        return []
    statements = {number: _told(night, it) for number, it in fed.items()}
    found = ask_insights(model, night.prompts, statements, question)
    condensed = parse_insights(ask_condensed(model, night.prompts, listed(found)))[:CONDENSED]
    return [
        _Thought(words, tuple(fed[number] for number in evidence), question)
        for words, evidence in within(condensed, fed)
        if evidence
    ]


def _feeding(night: PersonNight, question: str) -> list[Memory]:
    """The memories that bear on a question, oldest first; recalling them here is no reinforcement."""
    memory = night.load()
    found = night.recaller.recall(
        night.scope,
        question,
        now=night.now,
        top=len(memory.days) + sum(1 for _ in memory.memories()),
        recipe="generative_agents",
        use_floor=False,
    )
    fed = [
        it.memory
        for it in found.memories
        if it.parts["relevance"] > RELEVANT and _feeds(night, it.memory, memory)
    ]
    return sorted(fed[:MOST_FED], key=lambda it: (it.date, it.id))


def _feeds(night: PersonNight, record: Memory, memory: PersonMemory) -> bool:
    """Whether a memory may be evidence; a summary only where its turns have all been put away."""
    if not _counts(night, record, memory):
        return False
    if isinstance(record, DaySummary):
        return all(it.trace.archived is not None for it in memory.days[record.date].turns)
    return True


def _counts(night: PersonNight, record: Memory, memory: PersonMemory) -> bool:
    trace = record.trace
    is_over = trace.expires is not None and trace.expires <= night.now
    return (
        trace.archived is None
        and not is_over
        and night.is_over(record.date, memory)
        and bool(_words(record) and searched_text(record))
    )


def _keep(
    night: PersonNight,
    turns: Sequence[Turn],
    thoughts: Sequence[_Thought],
    ratings: Sequence[float],
) -> bool:
    """Write what stands on memories that are still there in the same words.

    Whether the last memories are those that were thought about; else it is due again.
    """
    inputs = reflection_inputs(turns)
    from_ids = tuple(turn.id for turn in turns)
    kept: list[Change] = []
    is_level = False

    def decide(newest: PersonMemory) -> Iterator[Change]:
        nonlocal is_level
        newest = newest.kept()
        kept[:] = _insights(
            night, newest, turns[-1].date, list(zip(thoughts, ratings, strict=True))
        )
        yield from kept
        is_level = reflection_inputs(window(night, newest)) == inputs
        if is_level:
            yield PutReflection(Provenance(night.writer.made_by, night.now, from_ids, inputs))

    night.store.update(night.scope, decide)
    night.report.insights += len(kept)
    return is_level


def _insights(
    night: PersonNight,
    newest: PersonMemory,
    date: str,
    rated: Iterable[tuple[_Thought, float]],
) -> list[Change]:
    known = {fold(insight.text) for insight in newest.insights()}
    position = newest.next_position(date, "insight")
    changes: list[Change] = []
    for thought, rating in rated:
        stands = all(_is_as_it_was(it, newest) for it in thought.evidence)
        if not stands or fold(thought.words) in known:
            continue
        from_ids = tuple(it.id for it in thought.evidence)
        insight = Insight(
            id=memory_id(night.scope, "insight", date, position),
            date=date,
            position=position,
            text=thought.words,
            trace=Trace(night.now, importance=rating),
            provenance=Provenance(night.writer.made_by, night.now, from_ids),
            depth=1 + max(_depth(it) for it in thought.evidence),
            question=thought.question,
        )
        changes.append(PutDerived(insight))
        position += 1
    return changes


def _is_as_it_was(record: Memory, newest: PersonMemory) -> bool:
    found = newest.find(record.id)
    return found is not None and _words(found) == _words(record)


def _depth(record: Memory) -> int:
    return record.depth if isinstance(record, Insight) else 0


def _words(record: Memory) -> str:
    """What a memory tells of the person: of a turn their own words alone."""
    return (record.query if isinstance(record, Turn) else record.text).strip()


def _told(night: PersonNight, record: Memory) -> str:
    words = _words(record)
    if not isinstance(record, Turn):
        return words
    language = night.subject.language
    return text("night", "line", language, speaker=night.subject.person, words=words)


def _importance(turn: Turn) -> float:
    """As judged; for a turn the model named no rating for, by the rule."""
    known = turn.trace.importance
    return offline_importance(turn.query) if known is None else known
