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

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.message import PersonText, read_message
from siliconfriend.language.sentences import join_sentences, split_sentences
from siliconfriend.language.word_lists import matches, without_matches
from siliconfriend.language.words import content_set, content_words, word_set
from siliconfriend.memory.knowledge import OFFLINE, Event
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.recall.cue import find_names, name_words, undated
from siliconfriend.recall.dates import DateSpan, find_dates_by_part, find_dates_said_on
from siliconfriend.recall.dates.tense import tells_of_done
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.elapsed import last_talk
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.times import spoken_times

LONGEST = timedelta(days=31)
"""The longest span that is a plan: "in August" is one, "next year" is not."""

AHEAD = timedelta(days=365)  # maximum time between mentioning a plan and its day
AFTERWARDS = timedelta(days=7)  # time after a plan's last day in which its outcome may be asked
DAYS_AHEAD = 2  # days before its day from which on a plan is due; a reminder is due on its day
DAYS_AFTER = 5  # days after its day until which a plan is asked about
DAYS_AWAY = 60  # most days since the last talk of which plans are asked about in the next

MOST_BETWEEN = 2
"""Messages after a question about a due matter in which it can be put off."""

DUE = "due"
"""Key in :class:`Used` parts that marks a due memory; the value is its distance in days."""

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

    ``later`` are memories told after it that have words in common with it.
    """

    turn: Turn
    first: date
    last: date
    when: When
    later: tuple[Turn | Event, ...] = field(default=(), compare=False)

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
    def words(self) -> str:
        """The sentence that names the day, with the request of a reminder; all where none does."""
        sentences = split_sentences(self.turn.query)
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
            return self.turn.query
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
    return _asked_from(memory, today), today + timedelta(days=DAYS_AHEAD)


def _asked_from(memory: PersonMemory, today: date) -> date:
    """Return the earliest day whose plans are asked about: the last talk, or a few days ago."""
    last = last_talk(memory, today) or today
    return max(min(last, today - timedelta(days=DAYS_AFTER)), today - timedelta(days=DAYS_AWAY))


def find_due(
    planned: Iterable[Planned], memory: PersonMemory, today: date, message: str = ""
) -> tuple[DueMatter, ...]:
    """Find what is due, in the order of :data:`When`.

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
        turn = _put_off_by(turn, memory) or turn
        if when := _when(plan, turn, today, since):
            due.append(DueMatter(turn, plan.first, plan.last, when, plan.later))
    due.sort(key=lambda matter: (get_args(When).index(matter.when), matter.first))
    found: dict[str, DueMatter] = {}
    for matter in due:
        if not _is_settled(matter, today, message) and not _was_asked(
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


def was_spoken_of(turn: Turn, memory: PersonMemory, *, since: date) -> bool:
    """Return True if the companion mentioned a turn's matter since a day, in a reply or unasked."""
    return any(True for _ in _answers(turn, memory, since))


def said_first(memory: PersonMemory, today: date) -> tuple[Turn, ...]:
    """Return the turns that the companion spoke of today before it was asked."""
    day = today.isoformat()
    return tuple(memory.turns_that(lambda turn: turn.spoken_of and day in turn.spoken_of))


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
    # The person mentioned it today, so no reminder is needed.
    is_soon = (plan.first - today).days <= DAYS_AHEAD and turn.date < today.isoformat()
    matter = DueMatter(turn, plan.first, plan.last, "soon")
    return "soon" if is_soon and not matter.is_reminder and not matter.is_birthday else None


def _is_settled(matter: DueMatter, today: date, message: str) -> bool:
    """True if the person mentioned it on or after its day, or said earlier that it was done.

    A reminder asked once too often costs less than one that is lost: half of its words are needed.
    """
    if matter.is_birthday:
        return False
    words_of_matter = without_matches("message", "remind", fold(undated(matter.turn.query)))
    about, size = _carrying(words_of_matter), len(content_set(words_of_matter))
    enough = (size + 1) // 2 if matter.is_reminder else min(2, size)
    later = [(turn.date, turn.query) for turn in matter.later if isinstance(turn, Turn)]
    for day, words in [*later, (today.isoformat(), message)]:
        has_come = day >= matter.first.isoformat()
        for sentence in split_sentences(words):
            needed = enough if matter.is_reminder or not has_come else 1
            is_about = len(about & _carrying(sentence)) >= max(needed, 1)
            is_told = has_come or tells_of_done(sentence)
            if is_about and is_told and not PersonText(sentence).ends_as_question:
                return True
    return False


def _was_asked(matter: DueMatter, memory: PersonMemory, today: date, message: str) -> bool:
    """True if the companion already asked at this position, or a model was given it to ask.

    An answer that it is not done yet makes it due again the next day; one that puts it off, or that
    it is done, settles it.
    """
    since = matter.first
    if matter.when == "soon":
        since -= timedelta(days=DAYS_AHEAD)
    elif matter.when == "past" and not (matter.is_reminder or matter.is_birthday):
        since = matter.last + timedelta(days=1)
    was_asked = any(
        matter.turn.id in _due_in(later) and later.response and later.replied_by != OFFLINE
        for later in _turns_since(memory, since)
    )
    for asked, answer in _answers(matter.turn, memory, matter.first - timedelta(days=DAYS_AHEAD)):
        day, words = (answer.date, answer.query) if answer else (today.isoformat(), message)
        folded = fold(words)
        is_open = matches("tense", "answers_open", folded)
        is_done = not is_open and matches("tense", "answers_done", folded)
        if asked >= matter.first and (is_done or puts_off(words, date.fromisoformat(day))):
            return True
        was_asked |= asked >= since and not (is_open and day < today.isoformat())
    return was_asked


def _answers(turn: Turn, memory: PersonMemory, since: date) -> Iterator[tuple[date, Turn | None]]:
    """Yield the days since a day on which the companion spoke of a turn, and the turn said next, if any."""
    recent = _turns_since(memory, since)
    for said in turn.spoken_of:
        if said >= since.isoformat():
            after = next((later for later in recent if later.date >= said), None)
            yield date.fromisoformat(said), after
    for later, after in zip(recent, (*recent[1:], None), strict=False):
        was_asked = _is_quoted(turn.query, later.response) or turn.id in _asked_in(later)
        if later.id != turn.id and was_asked:
            yield date.fromisoformat(later.date), after


def _put_off_by(turn: Turn, memory: PersonMemory) -> Turn | None:
    """Return the turn that "on Friday, please" postpones: the one the companion just asked about."""
    if not puts_off(turn.query, date.fromisoformat(turn.date)):
        return None
    day = memory.days[turn.date].turns if turn.date in memory.days else ()
    before = [earlier for earlier in day if earlier.position < turn.position][-MOST_BETWEEN:]
    spoken_of = [identifier for earlier in reversed(before) for identifier in _asked_in(earlier)]
    found = [memory.find(identifier) for identifier in spoken_of]
    found += reversed(said_first(memory, date.fromisoformat(turn.date)))
    return next((one for one in found if isinstance(one, Turn) and one.id != turn.id), None)


def puts_off(words: str, day: date) -> bool:
    """Return True if words said on a day name a day to come, and no matter of their own."""
    is_coming = any(span.first > day for span in find_dates_said_on(words, day))
    return is_coming and not _matter(without_matches("tense", "put_off", fold(words)))


def was_just_asked(memory: PersonMemory, today: date) -> bool:
    """Return True if the companion's last words, today, asked about something due."""
    day = memory.days.get(today.isoformat())
    if day and day.turns:
        return bool(_asked_in(day.turns[-1]))
    return bool(said_first(memory, today))


def _asked_in(turn: Turn) -> list[str]:
    """Return the ids of what the reply by rules to a turn asked about as due."""
    return _due_in(turn) if turn.replied_by == OFFLINE else []


def _due_in(turn: Turn) -> list[str]:
    """Return the ids of what the reply to a turn was given as due."""
    return [used.id for used in turn.used if DUE in used.parts]


def _turns_since(memory: PersonMemory, since: date) -> list[Turn]:
    days = [day for day in memory.days if day >= since.isoformat()]
    return [turn for day in days for turn in memory.days[day].turns]


def _is_quoted(words: str, reply: str) -> bool:
    line = " ".join(reply.split())
    sentences = (sentence for sentence in split_sentences(words) if content_words(sentence))
    return any(" ".join(one.split()).rstrip(" .!。！")[:40] in line for one in sentences)


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
    """Return the memories told after a plan that share a content word with it, oldest first."""
    about = _carrying(undated(own_words(planned)))
    found = {int(row) for token in about for row in index.word_index.rows(token)}
    later = []
    for row in sorted(found):
        memory = index.rows.memory(row) if index.rows["alive"][row] else None
        if (
            isinstance(memory, Turn | Event)
            and (memory.date, memory.position) > (planned.date, planned.position)
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


def _matter(words: str) -> frozenset[str]:
    return _carrying(without_matches("message", "remind", fold(undated(words))))


def _carrying(words: str) -> frozenset[str]:
    """Return the content words, and Chinese words within them: 水管 in 给水管."""
    whole = content_set(words)
    parts = (part for part in word_set(words) if is_chinese(part) and len(part) > 1)
    return whole | {part for part in parts if any(part in word for word in whole)}


def _sources(memory: Turn | Event) -> tuple[str, ...]:
    return memory.provenance.from_ids if isinstance(memory, Event) else ()
