"""The stage ``reflect``: infer insights from recent turns.

When the summed importance of new turns is high enough, a model infers insights from them and from
related earlier turns.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from math import fsum
from typing import Any

from siliconfriend.extraction.importance import offline_importance
from siliconfriend.extraction.judge import Claim, format_record, judge_claims
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold, is_written_in
from siliconfriend.memory.changes import PutDerived, PutField, PutTrace
from siliconfriend.memory.days import reflection_inputs
from siliconfriend.memory.knowledge import Insight
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import memory_id
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.recall.documents import searched_text

NAME = "reflect"
REFLECTION = "reflection"
"""Name of a postponed reflection in the report."""

MOST_SHOWN = 30
"""Number of newest turns to reflect on."""
MOST_CUES, MOST_RECALLED = 3, 5
"""Number of the weightiest among them used as queries, and of earlier turns for each."""
MOST_INSIGHTS = 5
OVERHEAD = 1200
"""Tokens left for the instruction and the answer."""


def window(night: PersonNight, memory: PersonMemory) -> list[Turn]:
    """Return the turns since the last reflection that count, oldest first."""
    newest_first = (turn for turn in _newest_first(memory) if _counts(night, turn, memory))
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
    """Return True if there are new turns of sufficient importance.

    Also True if a previous insight lost its evidence.
    """
    turns, last = window(night, memory), memory.last_reflection
    if not turns or (last is not None and last.inputs == reflection_inputs(turns)):
        return False
    if last is not None and not last.inputs:
        return True
    total = round(fsum(map(_importance, turns)), 9)  # ten times 0.3 reaches 3
    return total >= night.runtime.settings.reflect_threshold


def run(night: PersonNight) -> None:
    """Rate unrated turns, then reflect if due."""
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
        for turn in memory.turns()
        if turn.trace.importance is None
        and night.is_over(turn.date, memory)
        and searched_text(turn)
        if night.chat is None or turn.is_read
    }


def _reflect(night: PersonNight, model: CompletionModel) -> bool:
    """Infer insights, and store those whose evidence is unchanged.

    True if the turns are still those that were reflected on; else reflection stays due.
    """
    memory = night.load()
    turns = window(night, memory)
    insights = _infer(night, model, _statements(night, memory, turns))
    inputs, date = reflection_inputs(turns), turns[-1].date
    with night.edit() as edit:
        newest = edit.memory.recallable()
        known = {fold(insight.text) for insight in newest.insights()}
        position = newest.next_position(date, "insight")
        for insight in insights:
            evidence = insight.provenance.from_ids
            if fold(insight.text) in known or _said(memory, evidence) != _said(newest, evidence):
                continue
            known.add(fold(insight.text))
            identifier = memory_id(night.scope, "insight", date, position)
            edit.add(PutDerived(replace(insight, id=identifier, date=date, position=position)))
            position += 1
        night.report.insights += len(edit.changes)
        is_unchanged = reflection_inputs(window(night, newest)) == inputs
        if is_unchanged:
            made = night.provenance((turn.id for turn in turns), inputs)
            edit.add(PutField("last_reflection", made))
    return is_unchanged


def _said(memory: PersonMemory, ids: Iterable[str]) -> list[str | None]:
    turns = map(memory.find, ids)
    return [turn.query.strip() if isinstance(turn, Turn) else None for turn in turns]


def _statements(night: PersonNight, memory: PersonMemory, turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns to reflect on, oldest first: the newest and related earlier ones.

    Derived memories are excluded: a model's text is no evidence.
    """
    newest = list(turns[-MOST_SHOWN:])
    found = {turn.id: turn for turn in newest}
    for turn in sorted(newest, key=_importance, reverse=True)[:MOST_CUES]:
        recalled = night.runtime.recaller.recall(
            night.scope, turn.query, now=night.now, top=MOST_RECALLED
        )
        for result in recalled.memories:
            if isinstance(result.memory, Turn) and _counts(night, result.memory, memory):
                found.setdefault(result.memory.id, result.memory)
    return sorted(found.values(), key=lambda turn: (turn.date, turn.position))


def _infer(night: PersonNight, model: CompletionModel, turns: Sequence[Turn]) -> list[Insight]:
    """Ask for insights that cite the turns, in one request; they have no place yet.

    Only insights are returned that the model confirms in a second request.
    """
    who = night.subject
    own = [replace(turn, response="") for turn in turns]
    prompt = night.prompts.render(
        "insights",
        person=who.person,
        companion_name=who.companion,
        talk=format_record(who, own, model.context_tokens - OVERHEAD),
    )
    data = model.complete([Message("user", prompt)], _schema(len(turns))).data
    claims = [
        Claim(raw["text"], tuple(own[number - 1] for number in sorted(set(raw["turns"]))))
        for raw in data["insights"]
    ]
    are_supported = judge_claims(model, night.prompts, who, claims)
    return [
        Insight(
            id="",
            date="",
            position=0,
            text=claim.text,
            trace=Trace(night.now, importance=raw["importance"] / 10),
            provenance=night.provenance(turn.id for turn in claim.turns),
        )
        for claim, raw, holds in zip(claims, data["insights"], are_supported, strict=True)
        if holds and is_written_in(claim.text, who.language)
    ]


def _schema(turns: int) -> dict[str, Any]:
    number = {"type": "integer", "minimum": 1}
    insight = {
        "text": {"type": "string", "minLength": 1, "maxLength": 240},
        "turns": {"type": "array", "items": {**number, "maximum": turns}, "minItems": 1},
        "importance": {**number, "maximum": 10},
    }
    each = {"type": "object", "properties": insight, "required": [*insight]}
    insights = {"type": "array", "items": each, "maxItems": MOST_INSIGHTS}
    return {"type": "object", "properties": {"insights": insights}, "required": ["insights"]}


def _counts(night: PersonNight, turn: Turn, memory: PersonMemory) -> bool:
    """Return True if a turn may be recalled and its day is over."""
    is_expired = turn.trace.expires is not None and turn.trace.expires <= night.now
    is_there = turn.trace.is_active and not is_expired
    return is_there and night.is_over(turn.date, memory) and bool(searched_text(turn))


def _importance(turn: Turn) -> float:
    known = turn.trace.importance
    return offline_importance(turn.query) if known is None else known
