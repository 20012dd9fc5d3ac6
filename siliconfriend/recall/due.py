"""Find what is due: plans near their day, reminders and anniversaries.

A flight on 14 February, told on 10 January, is due on the 14th. Plans are read from the arrays of the
index; then the words of the few that are due: a plan that was done, given up or put on another day
since it was told is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from siliconfriend.language.characters import fold
from siliconfriend.language.message import Message, read_message
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import matches, without_matches
from siliconfriend.language.words import content_set, content_words, word_set
from siliconfriend.memory.knowledge import CLOSING, Event
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.recall.cue import find_names, name_words, undated
from siliconfriend.recall.dates import DateSpan, find_dates_said_on
from siliconfriend.recall.dates.tense import tells_of_done
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.times import spoken_times

LONGEST = timedelta(days=31)
"""The longest span that is a plan: "in August" is one, "next year" is not."""

AHEAD = timedelta(days=365)  # longest time between the telling and the day of a plan
AFTERWARDS = timedelta(days=7)  # time after a plan's last day in which its outcome may be asked
DAYS_AHEAD = 2  # days before its day from which on a plan is due; a reminder is due on its day
DAYS_AFTER = 5  # days after its day until which a plan is asked about

When = Literal["today", "soon", "past", "during", "anniversary"]
"""Where today lies beside the days, in the order of telling; "during" is within several days."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A memory and days it speaks of, both inclusive, which lay ahead when it was told."""

    memory: Turn | Event
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class DueMatter:
    """A turn and the days it told of (both inclusive), with their place beside today."""

    turn: Turn
    first: date
    last: date
    when: When

    @property
    def is_reminder(self) -> bool:
        """True if the person asked to be reminded of it."""
        return self.when != "anniversary" and read_message(self.turn.query).asks_for_reminder

    @property
    def wording(self) -> str:
        """The wording that speaks of it: ``due_today``, ``due_anniversary``, ``due_reminder`` ..."""
        return "due_reminder" if self.is_reminder else f"due_{self.when}"


def find_planned(index: ScopeIndex, first: date, last: date) -> tuple[Planned, ...]:
    """Find what was told of days from ``first`` to ``last`` before they came; hold the lock."""
    rows, (row, begins, ends) = index.rows, index.times.spans
    is_due = (begins <= last.toordinal()) & (ends >= first.toordinal())
    is_due &= (rows["day"][row] < begins) & (ends - begins < LONGEST.days)
    is_due &= rows["alive"][row] & ~rows["archived"][row]
    found = []
    for at, *days in index.times.spans[:, is_due].T.tolist():
        if isinstance(memory := rows.memory(at), Turn | Event):
            found.append(Planned(memory, *map(date.fromordinal, days)))
    turns = {plan.memory.id for plan in found}
    plans = [plan for plan in found if turns.isdisjoint(_sources(plan.memory))]
    plans = [plan for plan in plans if not _was_changed(index, plan.memory)]
    return tuple(
        sorted(plans, key=lambda plan: (plan.first, plan.memory.date, plan.memory.position))
    )


def has_open_plan(memory: Memory, zone: ZoneInfo, today: date) -> bool:
    """Return True if a memory told of later days that are to come or ended within a week.

    Such a memory is not archived: an exam told of in February must not fade before June.
    """
    told = date.fromisoformat(memory.date)
    if today > told + AHEAD + LONGEST + AFTERWARDS:
        return False
    return any(
        told < days.first <= told + AHEAD
        and days.last - days.first < LONGEST
        and today <= days.last + AFTERWARDS
        for days in spoken_times(memory, zone)
    )


def due_range(today: date) -> tuple[date, date]:
    """Return the first and the last day of which plans are needed to say what is due."""
    return today - timedelta(days=DAYS_AFTER), today + timedelta(days=DAYS_AHEAD)


def find_due(
    planned: Iterable[Planned], memory: PersonMemory, today: date, message: str = ""
) -> tuple[DueMatter, ...]:
    """Find what is due, in the order of :data:`When`.

    Args:
        planned: what was told of the days of :func:`due_range` before they came.
        memory: what is remembered; what is not in it is not due.
        today: the person's day.
        message: what is being answered, which may tell that it is done.
    """
    due = [
        DueMatter(turn, plan.first, plan.last, when)
        for plan in planned
        if (turn := _turn_of(plan, memory)) and (when := _when(plan, turn, today))
    ]
    turns = list(memory.turns()) if due else []
    closed = {tie.id for turn in turns for tie in turn.ties if tie.how in CLOSING}
    due = [matter for matter in due if matter.turn.id not in closed]
    due.sort(key=lambda matter: (get_args(When).index(matter.when), matter.first))
    found: dict[str, DueMatter] = {}
    for matter in due:
        if not _is_settled(matter, turns, today, message) and not _was_asked(matter, turns):
            found.setdefault(matter.turn.id, matter)
    return tuple(found.values())


def find_anniversaries(memory: PersonMemory, today: date) -> tuple[DueMatter, ...]:
    """Find what was told of a wedding, a birth or a death on today's day of an earlier year.

    Returns:
        the longest ago first; what was archived or put away is left out.
    """
    found = [
        DueMatter(turn, day, day, "anniversary")
        for turn in memory.turns()
        if turn.trace.is_active and turn.date < today.isoformat()
        for day in _milestones(turn)
        if (day.month, day.day) == (today.month, today.day) and day.year < today.year
    ]
    return tuple(sorted(found, key=lambda it: (it.first, it.turn.date, it.turn.position)))


def was_spoken_of(turn: Turn, turns: Iterable[Turn], *, since: date) -> bool:
    """Return True if the companion spoke of what a turn told since a day, in a reply or unasked."""
    day = since.isoformat()
    return any(said >= day for said in turn.spoken_of) or any(
        later.date >= day and _is_quoted(turn.query, later.response) for later in turns
    )


def said_first(memory: PersonMemory, today: date) -> tuple[Turn, ...]:
    """Return the turns that the companion spoke of today before it was asked."""
    return tuple(turn for turn in memory.turns() if today.isoformat() in turn.spoken_of)


def _turn_of(plan: Planned, memory: PersonMemory) -> Turn | None:
    """Return the turn that told a plan: the one that names its days, else the most similar one."""
    ids = _sources(plan.memory) or (plan.memory.id,)
    turns = [turn for id_ in ids if isinstance(turn := memory.find(id_), Turn)]
    for turn in turns:
        if DateSpan(plan.first, plan.last) in spoken_times(turn, memory.profile.zone):
            return turn
    words = content_set(own_words(plan.memory))
    return max(turns, key=lambda turn: len(words & content_set(turn.query)), default=None)


def _when(plan: Planned, turn: Turn, today: date) -> When | None:
    if plan.first <= today <= plan.last:
        return "today" if plan.first == plan.last else "during"
    if plan.last < today:
        return "past" if (today - plan.last).days <= DAYS_AFTER else None
    # Who told of it today knows it today.
    is_soon = (plan.first - today).days <= DAYS_AHEAD and turn.date < today.isoformat()
    return "soon" if is_soon and not read_message(turn.query).asks_for_reminder else None


def _is_settled(matter: DueMatter, turns: Sequence[Turn], today: date, message: str) -> bool:
    """True if the person told of it once its day had come, or told before that it was done."""
    about = _matter(matter.turn.query)
    enough = 1 if matter.is_reminder else min(2, len(about))
    place = (matter.turn.date, matter.turn.position)
    later = [(turn.date, turn.query) for turn in turns if (turn.date, turn.position) > place]
    for day, words in [*later, (today.isoformat(), message)]:
        has_come = day >= matter.first.isoformat()
        for sentence in split_sentences(words):
            shares = about & content_set(sentence)
            tells = has_come or (len(shares) >= enough and tells_of_done(sentence))
            if shares and tells and not Message(sentence).ends_as_question:
                return True
    return False


def _was_asked(matter: DueMatter, turns: Sequence[Turn]) -> bool:
    since = matter.first
    if matter.when == "soon":
        since -= timedelta(days=DAYS_AHEAD)
    elif matter.when == "past" and not matter.is_reminder:
        since = matter.last + timedelta(days=1)
    return was_spoken_of(matter.turn, turns, since=since)


def _is_quoted(words: str, reply: str) -> bool:
    line = " ".join(reply.split())
    sentences = [" ".join(it.split()) for it in split_sentences(words) if content_words(it)]
    return any(sentence.rstrip(" .!。！")[:40] in line for sentence in sentences)


def _milestones(turn: Turn) -> Iterator[date]:
    told = date.fromisoformat(turn.date)
    for sentence in split_sentences(turn.query):
        if Message(sentence).ends_as_question or not matches("tense", "milestone", fold(sentence)):
            continue
        for span in find_dates_said_on(sentence, told):
            if span.first == span.last <= told and not span.vague:
                yield span.first


def _was_changed(index: ScopeIndex, planned: Turn | Event) -> bool:
    """Return True if it was told later that the same matter was given up or put on another day."""
    words = own_words(planned)
    names = name_words(find_names(words, frequency=index.word_index.frequency))
    about = {token for _, token in content_words(undated(words))} - names
    rows = {int(row) for token in about for row in index.word_index.rows(token)}
    for later in (index.rows.memory(row) for row in sorted(rows) if index.rows["alive"][row]):
        if (
            isinstance(later, Turn | Event)
            and (later.date, later.position) > (planned.date, planned.position)
            and planned.id not in _sources(later)
            and any(
                any(matches("tense", key, fold(sentence)) for key in ("changed", "cancelled"))
                and not about.isdisjoint(word_set(sentence))
                for sentence in split_sentences(own_words(later))
            )
        ):
            return True
    return False


def _matter(words: str) -> frozenset[str]:
    return content_set(without_matches("message", "remind", fold(undated(words))))


def _sources(memory: Turn | Event) -> tuple[str, ...]:
    return memory.provenance.from_ids if isinstance(memory, Event) else ()
