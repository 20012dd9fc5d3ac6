"""Offline replies to remarks: confirm storage in a fitting tone, and mention due matters."""

from datetime import date, timedelta

from siliconfriend.dialogue.acts import HARD
from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.language.characters import fold
from siliconfriend.language.message import read_message
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.knowledge import Used
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.due import DEADLINE_AHEAD, deadlines
from siliconfriend.recall.raised import DUE, puts_off, was_just_asked
from siliconfriend.recall.time_words import humanize_day

DAY_BEGINNING = 3
"""Number of messages at the start of a day in which due matters are raised."""

HEAVY = (*HARD, "hard")
"""Acts for which no due matter is raised."""


def acknowledge(situation: Situation) -> OfflineReply:
    """Acknowledge a remark, and quote a related memory."""
    heard, act = _heard(situation), situation.act
    if situation.message.unkept:
        return heard
    if situation.reading.ends_as_farewell(situation.companion):
        return heard.with_more(situation.say("farewell"))
    due = OfflineReply(()) if act in HEAVY else ask_about_due(situation)
    if due.sentences or is_reminder(situation):
        return heard.with_more(due)
    # Skip today's words and requests for reminders.
    likely = [
        found
        for found in situation.found
        if found.is_likely
        and found.memory.date < situation.today.isoformat()
        and found.memory.id not in situation.quoted_lately
        and not read_message(own_words(found.memory)).asks_for_reminder
        and not getattr(found.memory, "is_quiet", False)
    ]
    return heard.with_more(situation.quote_in_sentences(likely[:1], "reminds"))


def _heard(situation: Situation) -> OfflineReply:
    """Acknowledge a message by its act, and confirm the future day that it names."""
    act, wordings = situation.act, situation.wordings
    if is_reminder(situation):
        to_come = _coming_day(situation)
        key = "kept_reminder" if to_come else "kept_reminder_soon"
        return OfflineReply((wordings.say(key, to_come.isoformat() if to_come else ""),))
    if not situation.keeps:
        return situation.say("unkept_heavy" if act in HEAVY else "unkept")
    if act in ("plan", "news"):
        days = [span.first for span in find_dates_said_on(situation.said, situation.today)]
        coming = [day for day in days if day > situation.today]
        if len(set(days)) == 1 and coming:
            day = humanize_day(coming[0], situation.today, wordings.language, alone=True)
            return OfflineReply((wordings.say("kept_for_day", coming=day),))
    return situation.say(f"kept_{act}")


def is_reminder(situation: Situation) -> bool:
    """True if the message asks for a reminder or postpones the last raised matter."""
    if not situation.keeps:
        return False
    is_put_off = _was_just_asked(situation) and puts_off(situation.said, situation.today)
    return is_put_off or situation.reading.asks_for_reminder


def ask_about_due(situation: Situation) -> OfflineReply:
    """Ask about due matters, one at the start of a day."""
    is_beginning = situation.keeps and situation.number < DAY_BEGINNING
    for matter in situation.retrieved.due[:1] if is_beginning else ():
        days = float((matter.first - situation.today).days)
        used = Used(matter.turn.id, 0.0, {DUE: days})
        return OfflineReply((situation.wordings.ask(matter),), (used,))
    return OfflineReply(())


def answer_about_due(situation: Situation) -> OfflineReply | None:
    """Answer "done" or "not yet" to a question about a due matter.

    None for other messages, and for one that names another day.
    """
    if not situation.keeps or not _was_just_asked(situation):
        return None
    if is_reminder(situation) and _coming_day(situation):
        return None
    for key in ("open", "done"):
        if matches("tense", f"answers_{key}", fold(situation.said)):
            return situation.say(f"kept_{key}")
    return None


def _was_just_asked(situation: Situation) -> bool:
    return was_just_asked(situation.memory, situation.today)


def _coming_day(situation: Situation) -> date | None:
    """Return the first future day that the message names, or a day well before its deadline."""
    # "Friday" in a question may be the last one; in a reminder it is the next.
    today, named = situation.today, find_dates_said_on(situation.said, situation.today)
    day = next((span.first for span in named if span.first > today), None)
    if day in deadlines(situation.said, today):
        return max(day - timedelta(days=DEADLINE_AHEAD), today + timedelta(days=1))
    return day
