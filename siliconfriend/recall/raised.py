"""Read what the companion has raised of due matters, and what the person answered."""

from collections.abc import Iterator
from datetime import date

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import without_matches
from siliconfriend.language.words import content_set, content_words, word_set
from siliconfriend.memory.knowledge import DUE, OFFLINE
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.cue import undated
from siliconfriend.recall.dates import find_dates_said_on

MOST_BETWEEN = 2
"""Messages after a question about a due matter in which it can be put off."""


def was_spoken_of(turn: Turn, memory: PersonMemory, *, since: date) -> bool:
    """Return True if the companion mentioned a turn's matter since a day, in a reply or unasked."""
    return any(True for _ in answers_about(turn, memory, since))


def said_first(memory: PersonMemory, today: date) -> tuple[Turn, ...]:
    """Return the turns that the companion spoke of today before it was asked."""
    day = today.isoformat()
    return tuple(memory.turns_that(lambda turn: turn.spoken_of and day in turn.spoken_of))


def answers_about(
    turn: Turn, memory: PersonMemory, since: date
) -> Iterator[tuple[date, Turn | None]]:
    """Yield the days since a day on which the companion spoke of a turn, and the turn said next, if any."""
    recent = turns_since(memory, since)
    for said in turn.spoken_of:
        if said >= since.isoformat():
            after = next((later for later in recent if later.date >= said), None)
            yield date.fromisoformat(said), after
    for later, after in zip(recent, (*recent[1:], None), strict=False):
        was_asked = is_quoted(turn.query, later.response) or turn.id in _asked_in(later)
        if later.id != turn.id and was_asked:
            yield date.fromisoformat(later.date), after


def put_off_by(turn: Turn, memory: PersonMemory) -> Turn | None:
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
    rest = undated(without_matches("tense", "put_off", fold(words)))
    return is_coming and not carrying_words(without_matches("message", "remind", fold(rest)))


def was_just_asked(memory: PersonMemory, today: date) -> bool:
    """Return True if the companion's last words, today, asked about something due."""
    day = memory.days.get(today.isoformat())
    if day and day.turns:
        return bool(_asked_in(day.turns[-1]))
    return bool(said_first(memory, today))


def _asked_in(turn: Turn) -> list[str]:
    """Return the ids of what the reply by rules to a turn asked about as due."""
    return due_in(turn) if turn.replied_by == OFFLINE else []


def due_in(turn: Turn) -> list[str]:
    """Return the ids of what the reply to a turn was given as due."""
    return [used.id for used in turn.used if DUE in used.parts]


def turns_since(memory: PersonMemory, since: date) -> list[Turn]:
    """Return the turns of a day and of those after it, oldest first."""
    days = [day for day in memory.days if day >= since.isoformat()]
    return [turn for day in days for turn in memory.days[day].turns]


def is_quoted(words: str, reply: str) -> bool:
    """Return True if a reply holds the beginning of a sentence of some words."""
    line = " ".join(reply.split())
    sentences = (sentence for sentence in split_sentences(words) if content_words(sentence))
    return any(" ".join(one.split()).rstrip(" .!。！")[:40] in line for one in sentences)


def carrying_words(words: str) -> frozenset[str]:
    """Return the content words, and Chinese words within them: 水管 in 给水管."""
    whole = content_set(words)
    parts = (part for part in word_set(words) if is_chinese(part) and len(part) > 1)
    return whole | {part for part in parts if any(part in word for word in whole)}
