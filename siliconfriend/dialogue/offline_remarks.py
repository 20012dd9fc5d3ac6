"""Offline replies to what is told: that it is kept, in a tone that fits, and what is due."""

from __future__ import annotations

from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.language.message import read_message
from siliconfriend.language.sentences import excerpt
from siliconfriend.memory.knowledge import Used
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.time_words import humanize_day

DAY_BEGINNING = 3
"""Number of messages of a day within which what is due is asked about."""

HEAVY = ("loss", "worry", "anger")
"""Acts beside which nothing that is due is brought up."""


def acknowledge(situation: Situation) -> OfflineReply:
    """Say that something told was heard, and what it brings to mind."""
    heard, act = _heard(situation), situation.act
    if situation.message.unkept:
        return heard
    if situation.reading.ends_as_farewell(situation.companion):
        return heard.with_more(situation.say("farewell"))
    due = OfflineReply(()) if act in HEAVY else ask_about_due(situation)
    if due.sentences or is_reminder(situation):
        return heard.with_more(due)
    # Nobody needs to be reminded of what they said today, nor that they asked for a reminder.
    likely = [
        found
        for found in situation.found
        if found.is_likely
        and found.memory.date < situation.today.isoformat()
        and found.memory.id not in situation.quoted_lately
        and not read_message(own_words(found.memory)).asks_for_reminder
    ]
    return heard.with_more(situation.quote_in_sentences(likely[:1], "reminds"))


def _heard(situation: Situation) -> OfflineReply:
    """Say that a message was heard: by what it does, and with the day to come that it names."""
    act, wordings = situation.act, situation.wordings
    if is_reminder(situation):
        return situation.say("kept_reminder")
    if not situation.keeps:
        return situation.say("unkept_heavy" if act in HEAVY else "unkept")
    if act == "plan":
        days = [span.first for span in find_dates_said_on(situation.said, situation.today)]
        coming = [day for day in days if day > situation.today]
        if len(set(days)) == 1 and coming:
            day = humanize_day(coming[0], situation.today, wordings.language, alone=True)
            return OfflineReply((wordings.say("kept_for_day", coming=day),))
    return situation.say(f"kept_{act}")


def is_reminder(situation: Situation) -> bool:
    """True if the message asks to be reminded on a day, as a wish or as a question."""
    if not situation.keeps or not situation.reading.asks_for_reminder:
        return False
    # A question's Friday may be the last one, a reminder's is the next.
    days = find_dates_said_on(situation.said, situation.today)
    return any(span.last >= situation.today for span in days)


def ask_about_due(situation: Situation) -> OfflineReply:
    """Ask about what is due, one matter at the beginning of a day."""
    is_beginning = situation.keeps and situation.number < DAY_BEGINNING
    for matter in situation.retrieved.due[:1] if is_beginning else ():
        words = excerpt(matter.turn.query)
        asked = situation.wordings.quote(matter.wording, matter.turn.date, words)
        return OfflineReply((asked,), (Used(matter.turn.id, 0.0),))
    return OfflineReply(())
