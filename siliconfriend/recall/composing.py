"""Compose the memory part of a prompt from what was recalled, within a budget of tokens.

The best memories get in first, but they stand in the order of their days, so that the
model reads a history and not a ranking. Nothing stands twice: what the talk that goes on
holds is not in the overview, and no event stands beside the turns it was made from. A dim
memory is marked; what the budget dropped is reported. The words are what was said and
nothing else: fencing them off as a record is the prompt's work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import Overall, PersonMemory, Turn
from siliconfriend.memory.used import Used
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.prompts.escape import Escaped, join
from siliconfriend.recall.formatting import MemoryFormatter, fact_of
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.texts import Language

PORTRAIT_SHARE = 0.25
"""Most of the budget that each of the two overall texts may take."""

FACTS_SHARE = 0.25
"""Most of it for what is known about the person and others."""

STORY_SHARE = 0.1
"""Most of it for the companion's own story."""

OVERVIEW_SHARE = 0.1
"""As much is held free for the overview of what happened lately; it gets what is left too."""

OVERVIEW_EVENTS = 20
"""Most events in the overview; the oldest leave it."""

_Words = TypeVar("_Words", bound=str)


@dataclass(frozen=True, slots=True)
class Composed:
    """The memory part of a prompt.

    Attributes:
        sections: as text, whichever are not empty: ``overall_history``,
            ``overall_personality``, ``overview`` (what happened lately, in order), ``known``
            (facts in their groups), ``promises`` (the companion's), ``events``, ``own_story``
            (the companion's lore) and ``memories``.
        used: the memories that got in, best first, with the parts of their scores; those of
            the overview last.
        dropped: ids of those the budget left out.
        dates: the days of those that got in, in order, as text.
    """

    sections: Mapping[str, str]
    used: tuple[Used, ...]
    dropped: tuple[str, ...]
    dates: str


def compose(
    recalled: RecallResult,
    memory: PersonMemory,
    *,
    language: Language,
    now: datetime,
    zone: ZoneInfo,
    companion_name: str,
    budget_tokens: int,
    lore: RecallResult | None = None,
    live: Collection[str] = (),
    overview_events: int = OVERVIEW_EVENTS,
) -> Composed:
    """Put what was recalled into sections of at most ``budget_tokens`` together.

    Args:
        recalled: what the question brought to mind.
        memory: whose.
        language: of the words around what was said.
        now: the moment it is read, aware.
        zone: the person's time zone.
        companion_name: what the companion calls itself.
        budget_tokens: for all sections together.
        lore: what of the companion's own story bears on the question.
        live: ids of the turns that stand in the prompt already.
        overview_events: most events in the overview.
    """
    formatter = MemoryFormatter(memory.profile.name, companion_name, language, now, zone)
    budget = _Budget(budget_tokens)
    history = budget.spend(_within(memory.overall_history, budget.share(PORTRAIT_SHARE)))
    personality = budget.spend(_within(memory.overall_personality, budget.share(PORTRAIT_SHARE)))
    facts = _fitting_facts(recalled.facts, formatter, budget)
    story = _story(lore, formatter, budget)
    latest = _latest_events(memory, recalled, live, now, overview_events)
    reserve = min(budget.share(OVERVIEW_SHARE), _tokens_of_events(latest, formatter))
    entered = _fitting_memories(recalled.memories, formatter, budget, reserve, live)
    shown = {*live, *(found.memory.id for found in entered)}
    overview = _overview(latest, shown, formatter, budget)
    sections = {
        "overall_history": history,
        "overall_personality": personality,
        "overview": join(formatter.event(event) for event in overview),
        "known": formatter.facts(facts),
        "events": formatter.events(entered),
        "promises": formatter.promises(facts),
        "own_story": story,
        "memories": formatter.by_date(
            found for found in entered if not isinstance(found.memory, Event)
        ),
    }
    return Composed(
        sections={name: words for name, words in sections.items() if words},
        used=_used([*entered, *facts], overview),
        dropped=_dropped(recalled, {found.memory.id for found in (*entered, *facts)}, shown),
        dates=", ".join(sorted({found.memory.date for found in entered})),
    )


def sentences_within(text: str, tokens: int) -> str:
    """The text, or as many of its sentences from the beginning as fit."""
    words = text.strip()
    if estimate_tokens(words) <= tokens:
        return words
    kept = ""
    for sentence in split_sentences(words):
        longer = f"{kept} {sentence}".strip()
        if estimate_tokens(longer) > tokens:
            break
        kept = longer
    return kept


class _Budget:
    """The tokens that are left."""

    def __init__(self, tokens: int) -> None:
        self._all = self.left = tokens

    def share(self, part: float) -> int:
        """So many tokens of the whole, or all that is left where that is less."""
        return min(int(self._all * part), self.left)

    def spend(self, words: _Words) -> _Words:
        """The words, whose tokens are spent now."""
        self.left -= estimate_tokens(words)
        return words


def _used(entered: Sequence[Recalled], overview: Sequence[Event]) -> tuple[Used, ...]:
    """What got in, best first; the events of the overview last."""
    return (
        *(Used(found.memory.id, found.score, found.parts, found.retention) for found in entered),
        *(Used(event.id, 0.0, {"overview": 0.0}) for event in overview),
    )


def _dropped(
    recalled: RecallResult, entered: Collection[str], shown: Collection[str]
) -> tuple[str, ...]:
    """What the budget left out, without events whose turns all stand in the prompt."""
    return tuple(
        found.memory.id
        for found in (*recalled.memories, *recalled.facts)
        if found.memory.id not in entered and not _repeats_turns(found, shown)
    )


def _fitting_facts(
    recalled: Sequence[Recalled], formatter: MemoryFormatter, budget: _Budget
) -> list[Recalled]:
    """The facts that fit, the person's before the companion's."""
    share = budget.share(FACTS_SHARE)
    kept: list[Recalled] = []
    for found in sorted(recalled, key=_fact_priority):
        longer = [*kept, found]
        sections = formatter.facts(longer), formatter.promises(longer)
        if sum(map(estimate_tokens, sections)) <= share:
            kept = longer
    budget.spend(formatter.facts(kept))
    budget.spend(formatter.promises(kept))
    return kept


def _fact_priority(recalled: Recalled) -> int:
    """The rank in which facts are kept: pinned first, then the person's, the companion's last."""
    fact = fact_of(recalled)
    if fact.trace.pinned:
        return 0
    return {"object": 1, "specific": 2, "general": 2, "subject": 3}[fact.entity_type]


def _story(lore: RecallResult | None, formatter: MemoryFormatter, budget: _Budget) -> Escaped:
    """What of the companion's own story fits, without days: it belongs to no calendar."""
    share, lines = budget.share(STORY_SHARE), list[str]()
    for found in (*lore.facts, *lore.memories) if lore else ():
        line = formatter.undated(found.memory)
        if estimate_tokens("\n".join([*lines, line])) <= share:
            lines.append(line)
    return budget.spend(join(lines))


def _fitting_memories(
    recalled: Iterable[Recalled],
    formatter: MemoryFormatter,
    budget: _Budget,
    reserve: int,
    live: Collection[str],
) -> list[Recalled]:
    """The memories that fit beside the reserve, best first, and no event beside its turns."""
    entered: list[Recalled] = []
    budget.left -= reserve
    for found in recalled:
        cost = _tokens_of_one(found, formatter)
        if cost <= budget.left:
            budget.left -= cost
            entered.append(found)
    budget.left += reserve
    turns = {found.memory.id for found in entered if isinstance(found.memory, Turn)}
    return [found for found in entered if not _repeats_turns(found, {*live, *turns})]


def _tokens_of_one(recalled: Recalled, formatter: MemoryFormatter) -> int:
    memory = recalled.memory
    if isinstance(memory, Event):
        return estimate_tokens(formatter.event(memory, dim=recalled.state != "vivid")) + 1
    return estimate_tokens(formatter.entry(recalled)) + estimate_tokens(memory.date) + 2


def _tokens_of_events(events: Iterable[Event], formatter: MemoryFormatter) -> int:
    return sum(estimate_tokens(formatter.event(event)) + 1 for event in events)


def _repeats_turns(recalled: Recalled, shown: Collection[str]) -> bool:
    """True for an event where all the turns that it was made from stand in the prompt themselves."""
    return isinstance(recalled.memory, Event) and _is_shown(recalled.memory, shown)


def _is_shown(event: Event, shown: Collection[str]) -> bool:
    turns = event.provenance.from_ids
    return bool(turns) and all(turn in shown for turn in turns)


def _latest_events(
    memory: PersonMemory,
    recalled: RecallResult,
    live: Collection[str],
    now: datetime,
    most: int,
) -> list[Event]:
    """The last events in order, without what was recalled or stands in the talk itself."""
    known = {found.memory.id for found in recalled.memories}
    events = [
        event
        for event in memory.events()
        if event.trace.archived is None
        and (event.trace.expires is None or event.trace.expires > now)
        and event.id not in known
        and not _is_shown(event, live)
    ]
    events.sort(key=lambda event: (event.date, event.position))
    return events[-most:] if most else []


def _overview(
    latest: Sequence[Event], shown: Collection[str], formatter: MemoryFormatter, budget: _Budget
) -> list[Event]:
    """Of the last events those that fit, the last told first to stay; in order of their days."""
    kept: list[Event] = []
    for event in reversed(latest):
        cost = _tokens_of_events([event], formatter)
        if cost > budget.left:
            break
        if not _is_shown(event, shown):
            budget.left -= cost
            kept.append(event)
    return formatter.in_order(kept)


def _within(overall: Overall | None, tokens: int) -> str:
    return sentences_within(overall.text, tokens) if overall else ""
