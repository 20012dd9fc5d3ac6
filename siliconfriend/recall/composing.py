"""From what was recalled to the words that enter a prompt, within a budget.

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
from siliconfriend.memory.records import Overall, PersonMemory, Turn, Used
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.prompts.escape import Escaped, join
from siliconfriend.recall.formatting import MemoryFormatter
from siliconfriend.recall.known import format_facts, format_promises, stays_first
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
    recollection: RecallResult,
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
        recollection: what the question brought to mind.
        memory: whose.
        language: of the words around what was said.
        now: the moment it is told, aware.
        zone: the person's time zone.
        companion_name: what the companion calls itself.
        budget_tokens: for all sections together.
        lore: what of the companion's own story bears on the question.
        live: ids of the turns that stand in the prompt already.
        overview_events: most events in the overview.
    """
    teller = MemoryFormatter(memory.profile.name, companion_name, language, now, zone)
    room = _Room(budget_tokens)
    history = room.taken(_within(memory.overall_history, room.share(PORTRAIT_SHARE)))
    personality = room.taken(_within(memory.overall_personality, room.share(PORTRAIT_SHARE)))
    facts = _facts(recollection.facts, teller, room)
    story = _story(lore, teller, room)
    lately = _lately(memory, recollection, live, now, overview_events)
    reserve = min(room.share(OVERVIEW_SHARE), _cost(lately, teller))
    entered = _entered(recollection.memories, teller, room, reserve, live)
    shown = {*live, *(it.memory.id for it in entered)}
    overview = _overview(lately, shown, teller, room)
    events = [it for it in entered if isinstance(it.memory, Event)]
    told = [it for it in entered if not isinstance(it.memory, Event)]
    sections = {
        "overall_history": history,
        "overall_personality": personality,
        "overview": join(teller.event(it) for it in overview),
        "known": format_facts(facts, teller),
        "events": _told_events(events, teller),
        "promises": format_promises(facts, teller),
        "own_story": story,
        "memories": teller.by_date(told),
    }
    given = {it.memory.id for it in (*entered, *facts)}
    recalled = (*recollection.memories, *recollection.facts)
    return Composed(
        sections={name: words for name, words in sections.items() if words},
        used=(
            *(Used(it.memory.id, it.score, it.parts) for it in (*entered, *facts)),
            *(Used(it.id, 0.0, {"overview": 0.0}) for it in overview),
        ),
        dropped=tuple(
            it.memory.id for it in recalled if it.memory.id not in given and not _is_told(it, shown)
        ),
        dates=", ".join(sorted({it.memory.date for it in entered})),
    )


class _Room:
    """The tokens that are left."""

    def __init__(self, tokens: int) -> None:
        self._all = self.left = tokens

    def share(self, part: float) -> int:
        """So many tokens of the whole, or all that is left where that is less."""
        return min(int(self._all * part), self.left)

    def taken(self, words: _Words) -> _Words:
        """The words, which now have their room."""
        self.left -= estimate_tokens(words)
        return words


def _facts(recalled: Sequence[Recalled], teller: MemoryFormatter, room: _Room) -> list[Recalled]:
    """The facts that fit, the person's before the companion's."""
    share = room.share(FACTS_SHARE)
    kept: list[Recalled] = []
    for it in sorted(recalled, key=stays_first):
        told = format_facts([*kept, it], teller), format_promises([*kept, it], teller)
        if sum(map(estimate_tokens, told)) <= share:
            kept.append(it)
    room.taken(format_facts(kept, teller))
    room.taken(format_promises(kept, teller))
    return kept


def _story(lore: RecallResult | None, teller: MemoryFormatter, room: _Room) -> Escaped:
    """What of the companion's own story fits, without days: it belongs to no calendar."""
    share, lines = room.share(STORY_SHARE), list[str]()
    for it in (*lore.facts, *lore.memories) if lore else ():
        words = teller.undated(it.memory)
        if estimate_tokens("\n".join([*lines, words])) <= share:
            lines.append(words)
    return room.taken(join(lines))


def _entered(
    recalled: Iterable[Recalled],
    teller: MemoryFormatter,
    room: _Room,
    reserve: int,
    live: Collection[str],
) -> list[Recalled]:
    """The memories that fit beside what is held free, best first, and no event beside its turns."""
    entered: list[Recalled] = []
    room.left -= reserve
    for it in recalled:
        cost = _tokens_of_one(it, teller)
        if cost <= room.left:
            room.left -= cost
            entered.append(it)
    room.left += reserve
    shown = {*live, *(it.memory.id for it in entered if isinstance(it.memory, Turn))}
    return [it for it in entered if not _is_told(it, shown)]


def _tokens_of_one(recalled: Recalled, teller: MemoryFormatter) -> int:
    if isinstance(recalled.memory, Event):
        return estimate_tokens(teller.event(recalled.memory, dim=recalled.state != "vivid")) + 1
    return estimate_tokens(teller.entry(recalled)) + estimate_tokens(recalled.memory.date) + 2


def _is_told(recalled: Recalled, shown: Collection[str]) -> bool:
    """Whether all the turns that an event was made from stand in the prompt themselves."""
    memory = recalled.memory
    return isinstance(memory, Event) and _stands_in(memory, shown)


def _stands_in(event: Event, shown: Collection[str]) -> bool:
    sources = event.provenance.from_ids
    return bool(sources) and all(it in shown for it in sources)


def _told_events(events: Iterable[Recalled], teller: MemoryFormatter) -> Escaped:
    in_order = sorted(events, key=lambda it: (it.memory.date, it.memory.id))
    return join(
        teller.event(it.memory, dim=it.state != "vivid")
        for it in in_order
        if isinstance(it.memory, Event)
    )


def _lately(
    memory: PersonMemory,
    recollection: RecallResult,
    live: Collection[str],
    now: datetime,
    most: int,
) -> list[Event]:
    """The last events in order, without what was recalled or stands in the talk itself."""
    recalled = {it.memory.id for it in recollection.memories}
    open_ones = [
        it
        for it in memory.events()
        if it.trace.archived is None
        and (it.trace.expires is None or it.trace.expires > now)
        and it.id not in recalled
        and not _stands_in(it, live)
    ]
    open_ones.sort(key=lambda it: (it.date, it.position))
    return open_ones[-most:] if most else []


def _cost(events: Iterable[Event], teller: MemoryFormatter) -> int:
    return sum(estimate_tokens(teller.event(it)) + 1 for it in events)


def _overview(
    lately: Sequence[Event], shown: Collection[str], teller: MemoryFormatter, room: _Room
) -> list[Event]:
    """Of the last events those that fit, the newest first to stay; in order."""
    kept: list[Event] = []
    for event in reversed(lately):
        cost = _cost([event], teller)
        if cost > room.left:
            break
        if not _stands_in(event, shown):
            room.left -= cost
            kept.append(event)
    return kept[::-1]


def _within(overall: Overall | None, tokens: int) -> str:
    return sentences_within(overall.text, tokens) if overall else ""


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
