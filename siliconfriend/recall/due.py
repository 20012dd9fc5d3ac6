"""Find matters that are due: plans near their day, reminders, promises to ask, anniversaries.

A flight on 14 February, told on 10 January, is due on the 14th; if nobody talked that day, in the next
talk. Plans are read from the arrays of the index; then the words of the few that are due. A plan that
was done, given up or put on another day since it was told is left out, and so is one that was asked
about already, unless the person answered "not yet".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

from siliconfriend.language.characters import fold
from siliconfriend.language.message import PersonText, read_message
from siliconfriend.language.sentences import join_sentences, split_sentences
from siliconfriend.language.word_lists import matches, without_matches
from siliconfriend.language.words import content_set, content_words, word_set
from siliconfriend.memory.knowledge import OFFLINE, Event
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.memory.scope import parse_memory_id
from siliconfriend.recall.cue import find_names, name_words, undated
from siliconfriend.recall.dates import DateSpan, find_dates_by_part, find_dates_said_on
from siliconfriend.recall.dates.tense import tells_of_done
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.elapsed import last_talk
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.raised import (
    answers_about,
    carrying_words,
    due_in,
    put_off_by,
    puts_off,
    turns_since,
)
from siliconfriend.recall.times import spoken_times

LONGEST = timedelta(days=31)
"""The longest span that is a plan: "in August" is one, "next year" is not."""

AHEAD = timedelta(days=365)  # maximum time between mentioning a plan and its day
AFTERWARDS = timedelta(days=7)  # time after a plan's last day in which its outcome may be asked
DAYS_AHEAD = 2  # days before its day from which on a plan is due; a reminder is due on its day
DEADLINE_AHEAD = 7  # days before it from which on a reminder "before Christmas" is due
DAYS_AFTER = 5  # days after its day until which a plan is asked about
DAYS_AWAY = 60  # most days since the last talk of which plans are asked about in the next


When = Literal["today", "soon", "past", "during", "anniversary"]
"""Position of today relative to the days, in display order; "during" is within several days."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A memory and the future days it speaks of, both inclusive.

    ``later`` are memories told after it that have words in common with it.
    """

    memory: Turn | Event
    first: date
    last: date
    later: tuple[Turn | Event, ...] = ()


@dataclass(frozen=True)
class DueMatter:
    """A turn and the days it speaks of (both inclusive), relative to today.

    ``later`` are memories told after it that have words in common with it; ``corrects`` is the
    statement that the turn puts right.
    """

    turn: Turn
    first: date
    last: date
    when: When
    later: tuple[Turn | Event, ...] = field(default=(), compare=False)
    corrects: str = ""

    @property
    def is_reminder(self) -> bool:
        """True if the person asked to be reminded of it, or to be asked about it."""
        return self.when != "anniversary" and read_message(self.turn.query).asks_for_reminder

    @property
    def is_promise(self) -> bool:
        """True if the person wanted to be asked about it."""
        return self.is_reminder and read_message(self.turn.query).asks_to_be_asked

    @property
    def is_birthday(self) -> bool:
        """True if it is the person's own birthday."""
        return self.when != "anniversary" and matches("tense", "own_birthday", fold(self.words))

    @cached_property
    def days_ahead(self) -> int:
        """Number of days before its first from which on it is due; 0 for a plain reminder."""
        if not self.is_reminder:
            return DAYS_AHEAD
        told = date.fromisoformat(self.turn.date)
        return DEADLINE_AHEAD if self.first in deadlines(self.turn.query, told) else 0

    @cached_property
    def words(self) -> str:
        """The sentence that names the day, with the request of a reminder; all where none does.

        A correction stands behind the statement that it puts right.
        """
        if self.corrects:
            return f"{self.corrects} … {self.turn.besides_wish}"
        sentences = split_sentences(self.turn.besides_wish)
        named = find_dates_by_part(tuple(sentences), date.fromisoformat(self.turn.date))
        day = (self.first.month, self.first.day)
        places = [
            at
            for at, spans in enumerate(named)
            if day in {(span.first.month, span.first.day) for span in spans}
        ][:1]
        if places and self.is_reminder:
            asks = (read_message(sentence).asks_for_reminder for sentence in sentences)
            places += [at for at, is_asking in enumerate(asks) if is_asking]
        if not places:
            return self.turn.besides_wish
        return join_sentences(sentences[min(places) : max(places) + 1])

    @property
    def wording(self) -> str:
        """The wording that speaks of it: ``due_today``, ``due_anniversary``, ``due_reminder`` ..."""
        if self.is_birthday:
            return "due_birthday_past" if self.when == "past" else "due_birthday"
        if self.is_promise:
            return "due_promise"
        if self.is_reminder:
            return "due_missed" if self.when == "past" else "due_reminder"
        is_yearly = self.when == "today" and matches("tense", "yearly", fold(self.words))
        return "due_yearly" if is_yearly else f"due_{self.when}"


def deadlines(words: str, day: date) -> list[date]:
    """Return the days before which something is to be done: "before Christmas", 周五之前."""
    found = list[date]()
    for span in find_dates_said_on(words, day):
        before, _, after = words.partition(span.words)
        if matches("tense", "deadline", fold(f"{before}<{span.words}>{after}")):
            found.append(span.first)
    return found


def find_planned(index: ScopeIndex, first: date, last: date) -> tuple[Planned, ...]:
    """Find plans for the days ``first`` to ``last``, told before those days; hold the lock."""
    rows, (row, begins, ends) = index.rows, index.times.spans
    is_due = (begins <= last.toordinal()) & (ends >= first.toordinal())
    is_due &= (rows["day"][row] < begins) & (ends - begins < LONGEST.days)
    is_due &= rows["alive"][row] & ~rows["archived"][row]
    found = dict[str, list[Planned]]()
    for at, *days in index.times.spans[:, is_due].T.tolist():
        if isinstance(memory := rows.memory(at), Turn | Event):
            first, last = map(date.fromordinal, days)
            found.setdefault(memory.id, []).append(Planned(memory, first, last))
    kept = list[Planned]()
    for plans in found.values():
        memory = plans[0].memory
        later = _told_later(index, memory)
        if found.keys().isdisjoint(_sources(memory)) and not _was_changed(index, memory, later):
            kept += [Planned(memory, plan.first, plan.last, later) for plan in plans]
    return tuple(
        sorted(kept, key=lambda plan: (plan.first, plan.memory.date, plan.memory.position))
    )


def has_open_plan(memory: Memory, zone: ZoneInfo, today: date) -> bool:
    """Return True if a memory has plans for days ahead or days that ended within a week.

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


def due_range(memory: PersonMemory, today: date) -> tuple[date, date]:
    """Return the range of days whose plans may be due."""
    return _asked_from(memory, today), today + timedelta(days=DEADLINE_AHEAD)


def _asked_from(memory: PersonMemory, today: date) -> date:
    """Return the earliest day whose plans are asked about: the last talk, or a few days ago."""
    last = last_talk(memory, today) or today
    return max(min(last, today - timedelta(days=DAYS_AFTER)), today - timedelta(days=DAYS_AWAY))


def find_due(
    planned: Iterable[Planned], memory: PersonMemory, today: date, message: str = ""
) -> tuple[DueMatter, ...]:
    """Find what is due: of today first, then reminders, then in the order of :data:`When`.

    Args:
        planned: what was told of the days of :func:`due_range` before they came.
        memory: the person's memory; other matters are not due.
        today: the person's day.
        message: the current message, which may say that a matter is done.
    """
    since = _asked_from(memory, today)
    due = []
    for plan in planned:
        turn = _turn_of(plan, memory)
        if turn is None or turn.outdated_by:
            continue
        turn = put_off_by(turn, memory) or turn
        if when := _when(plan, turn, today, since):
            corrected = map(memory.find, (tie.id for tie in turn.ties if tie.how == "replaces"))
            corrects = next((old.besides_wish for old in corrected if isinstance(old, Turn)), "")
            due.append(DueMatter(turn, plan.first, plan.last, when, plan.later, corrects))
    order = get_args(When)
    due.sort(
        key=lambda matter: (
            matter.when != "today",
            not matter.is_reminder,
            order.index(matter.when),
            matter.first,
        )
    )
    found: dict[str, DueMatter] = {}
    for matter in due:
        if not _is_settled(matter, memory, today, message) and not _was_asked(
            matter, memory, today, message
        ):
            found.setdefault(matter.turn.id, matter)
    return tuple(found.values())


def find_anniversaries(memory: PersonMemory, today: date) -> tuple[DueMatter, ...]:
    """Find weddings, births and deaths told on this day of an earlier year.

    Returns:
        the oldest first, without archived or put-away memories.
    """
    found = [
        DueMatter(turn, day, day, "anniversary")
        for turn in memory.turns()
        if turn.trace.is_active and turn.date < today.isoformat()
        for day in _milestones(turn)
        if day.year < today.year and day + relativedelta(years=today.year - day.year) == today
    ]
    return tuple(
        sorted(found, key=lambda matter: (matter.first, matter.turn.date, matter.turn.position))
    )


def _turn_of(plan: Planned, memory: PersonMemory) -> Turn | None:
    """Return the turn that told a plan: the one that names its days, else the most similar one."""
    ids = _sources(plan.memory) or (plan.memory.id,)
    turns = [turn for id_ in ids if isinstance(turn := memory.find(id_), Turn)]
    for turn in turns:
        if DateSpan(plan.first, plan.last) in spoken_times(turn, memory.profile.zone):
            return turn
    words = content_set(own_words(plan.memory))
    return max(turns, key=lambda turn: len(words & content_set(turn.query)), default=None)


def _when(plan: Planned, turn: Turn, today: date, since: date) -> When | None:
    if plan.first <= today <= plan.last:
        return "today" if plan.first == plan.last else "during"
    if plan.last < today:
        return "past" if plan.last >= since else None
    matter = DueMatter(turn, plan.first, plan.last, "soon")
    # The person mentioned it today, so no reminder is needed.
    is_soon = (plan.first - today).days <= matter.days_ahead and turn.date < today.isoformat()
    return "soon" if is_soon and not matter.is_birthday else None


def _is_settled(matter: DueMatter, memory: PersonMemory, today: date, message: str) -> bool:
    """True if the person mentioned it on or after its day, or said earlier that it was done.

    "Not yet" does not settle it. A reminder asked once too often costs less than one that is lost:
    half of its words are needed.
    """
    if matter.is_birthday:
        return False
    words_of_matter = without_matches("message", "remind", fold(undated(matter.turn.query)))
    about, size = carrying_words(words_of_matter), len(content_set(words_of_matter))
    enough = (size + 1) // 2 if matter.is_reminder else min(2, size)
    lately = turns_since(memory, today - timedelta(days=1))  # also what the prompt has already
    told = (matter.turn.date, matter.turn.position)
    turns = [turn for turn in (*matter.later, *lately) if isinstance(turn, Turn)]
    later = [(one.date, one.query) for one in turns if (one.date, one.position) > told]
    for day, words in [*later, (today.isoformat(), message)]:
        has_come = day >= matter.first.isoformat()
        for sentence in split_sentences(words):
            needed = enough if matter.is_reminder or not has_come else 1
            is_about = len(about & carrying_words(sentence)) >= max(needed, 1)
            is_told = has_come or tells_of_done(sentence)
            is_open = matches("tense", "answers_open", fold(sentence))
            if is_about and is_told and not (is_open or PersonText(sentence).ends_as_question):
                return True
    return False


def _was_asked(matter: DueMatter, memory: PersonMemory, today: date, message: str) -> bool:
    """True if the companion already asked at this position, or a model was given it to ask.

    An answer that it is not done yet makes it due again the next day; one that puts it off, or that
    it is done, settles it.
    """
    since = matter.first
    if matter.when == "soon":
        since -= timedelta(days=matter.days_ahead)
    elif matter.when == "past" and not (matter.is_reminder or matter.is_birthday):
        since = matter.last + timedelta(days=1)
    was_asked, turns = False, turns_since(memory, since)
    for given, after in zip(turns, (*turns[1:], None), strict=False):
        if matter.turn.id in due_in(given) and given.response and given.replied_by != OFFLINE:
            said = f"{given.query}\n{after.query if after else message}"
            is_open = matches("tense", "answers_open", fold(said))
            was_asked |= not (is_open and given.date < today.isoformat())
    begins = matter.first - timedelta(days=matter.days_ahead if matter.is_reminder else 0)
    earliest = matter.first - timedelta(days=matter.days_ahead or DAYS_AHEAD)
    for asked, answer in answers_about(matter.turn, memory, earliest):
        day, words = (answer.date, answer.query) if answer else (today.isoformat(), message)
        folded = fold(words)
        is_open = matches("tense", "answers_open", folded)
        is_done = not is_open and matches("tense", "answers_done", folded)
        if asked >= begins and (is_done or puts_off(words, date.fromisoformat(day))):
            return True
        was_asked |= asked >= since and not (is_open and day < today.isoformat())
    return was_asked


def _milestones(turn: Turn) -> Iterator[date]:
    told = date.fromisoformat(turn.date)
    for sentence in split_sentences(turn.query):
        if PersonText(sentence).ends_as_question or not matches(
            "tense", "milestone", fold(sentence)
        ):
            continue
        for span in find_dates_said_on(sentence, told):
            if span.first == span.last <= told and not span.vague:
                yield span.first


def _told_later(index: ScopeIndex, planned: Turn | Event) -> tuple[Turn | Event, ...]:
    """Return the memories told after a plan that share a content word with it, oldest first.

    An event was told with the last of its turns.
    """
    about = carrying_words(undated(own_words(planned)))
    found = {int(row) for token in about for row in index.word_index.rows(token)}
    later = []
    for row in sorted(found):
        memory = index.rows.memory(row) if index.rows["alive"][row] else None
        if (
            isinstance(memory, Turn | Event)
            and _place_told(memory) > _place_told(planned)
            and planned.id not in _sources(memory)
        ):
            later.append(memory)
    return tuple(later)


def _was_changed(index: ScopeIndex, planned: Turn | Event, later: Iterable[Turn | Event]) -> bool:
    """Return True if a later memory cancels or postpones the same matter."""
    words = own_words(planned)
    names = name_words(find_names(words, frequency=index.word_index.frequency))
    about = {token for _, token in content_words(undated(words))} - names
    return any(
        any(matches("tense", key, fold(sentence)) for key in ("changed", "cancelled"))
        and not about.isdisjoint(word_set(sentence))
        for memory in later
        for sentence in split_sentences(own_words(memory))
    )


def _place_told(memory: Turn | Event) -> tuple[str, int]:
    """Return the day on which a memory was told, and the place of its last turn on that day."""
    if isinstance(memory, Turn):
        return memory.date, memory.position
    places = [place for source in _sources(memory) if (place := parse_memory_id(source))]
    told = [place.position for place in places if place.date == memory.date]
    return memory.date, max(told, default=memory.position)


def _sources(memory: Turn | Event) -> tuple[str, ...]:
    return memory.provenance.from_ids if isinstance(memory, Event) else ()
