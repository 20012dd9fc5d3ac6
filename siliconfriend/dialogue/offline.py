"""Replies without a model: a diary that answers with quotations.

Replies only quote memories about the person; :attr:`OfflineReply.certainty` gives their confidence.
"""

from collections.abc import Sequence
from datetime import date, timedelta

from siliconfriend.dialogue.acts import ASKING, COURTESIES, HARD, Act
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.offline_answers import (
    NEAREST,
    answer_advice,
    answer_question,
    is_only_of_day,
    repeat_last,
)
from siliconfriend.dialogue.offline_periods import answer_everything, answer_period, answer_time
from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.language.characters import fold
from siliconfriend.language.message import read_message
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import content_set
from siliconfriend.memory.knowledge import DUE, Used
from siliconfriend.recall.cue import find_names
from siliconfriend.recall.dates import DateSpan, find_dates_said_on
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.due import DEADLINE_AHEAD, deadlines
from siliconfriend.recall.raised import puts_off, was_just_asked
from siliconfriend.recall.time_words import humanize_day, humanize_moment

DAY_BEGINNING = 3
"""Number of messages at the start of a day in which due matters are raised."""

HEAVY = (*HARD, "hard")
"""Acts for which no due matter is raised."""


def reply_offline(
    message: IncomingMessage,
    retrieved: Retrieved,
    companion: str,
    act: Act,
    talk: Sequence[Exchange] = (),
) -> OfflineReply:
    """Compose the reply to a message from its act and its recalled memories."""
    situation = Situation(message, retrieved, companion, act, talk)
    if situation.act == "greeting":
        if situation.message.is_first:
            return situation.say("hello_new" if situation.keeps else "hello_new_unkept")
        return situation.say("hello").with_more(_ask_about_due(situation))
    if answer := _answer_about_due(situation):
        return answer
    if situation.act in COURTESIES:
        return situation.say(situation.act)
    if situation.act in ASKING and not _is_reminder(situation):
        reply = _answer(situation)
        is_asked = situation.reading.is_question or situation.act in ("advice", "create")
        if is_asked or reply.certainty != "nothing":
            return _with_reminder(situation, reply)
        # Without the form of a question, and with nothing found, it is rather a remark.
        situation.act = "news"
    return _with_reminder(situation, _acknowledge(situation))


def _answer(situation: Situation) -> OfflineReply:
    if situation.act in ("advice", "create"):
        return answer_advice(situation)
    if situation.act == "today" and matches("message", "asks_date", fold(situation.said)):
        return _answer_fixed(situation)
    if found := answer_time(situation) or answer_period(situation):
        return found
    if situation.act == "about_me":
        return answer_everything(situation)
    if situation.act == "just_said":
        return repeat_last(situation) or answer_question(situation)
    if situation.act in ("recall", "period") or _asks_of_something_kept(situation):
        return answer_question(situation)
    return _answer_fixed(situation)


def _asks_of_something_kept(situation: Situation) -> bool:
    """Return True for "Do you remember my sister?", "What am I?", "Who is Ben?" and the like."""
    reading = situation.reading
    if situation.act == "keeping" and reading.has_sign("memory"):
        return bool(content_set(situation.said))
    if situation.act == "today":
        return True
    if reading.addresses_companion:
        return False
    own = {situation.companion, "SiliconFriend"}
    names_other = any(name not in own for name in find_names(situation.said))
    is_of_other = situation.act == "identity" and (reading.speaks_of_self or names_other)
    asked, near = content_set(situation.said), situation.found[:NEAREST]
    return is_of_other or any(asked & content_set(own_words(found.memory)) for found in near)


def _answer_fixed(situation: Situation) -> OfflineReply:
    """Answer questions about the companion, the program, the day or the person's name."""
    if situation.act == "keeping" and not situation.keeps:
        return situation.say("keeping_unkept")
    is_of_companion = situation.act == "name" and situation.reading.asks_about_companion
    act = "identity" if is_of_companion else situation.act
    moment = situation.message.now.astimezone(situation.memory.profile.zone)
    written = humanize_moment(moment, situation.wordings.language)
    said = situation.wordings.say(f"asked_{act}", moment=written)
    return OfflineReply((said,), certainty="sure")


def _with_reminder(situation: Situation, reply: OfflineReply) -> OfflineReply:
    """Add today's reminders to the reply to any first message."""
    reminders = {due.turn.id for due in situation.retrieved.due[:1] if due.is_reminder}
    if reminders - {used.id for used in reply.used}:
        return reply.with_more(_ask_about_due(situation))
    return reply


def _acknowledge(situation: Situation) -> OfflineReply:
    """Acknowledge a remark, and quote a related memory."""
    heard, act = _heard(situation), situation.act
    if situation.message.unkept:
        return heard
    if situation.reading.ends_as_farewell(situation.companion):
        return heard.with_more(situation.say("farewell"))
    due = OfflineReply(()) if act in HEAVY else _ask_about_due(situation)
    if due.sentences or _is_reminder(situation):
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
        and not is_only_of_day(situation, found)
    ]
    return heard.with_more(situation.quote_in_sentences(likely[:1], "reminds"))


def _heard(situation: Situation) -> OfflineReply:
    """Acknowledge a message by its act, and confirm the future day that it names."""
    act, coming = situation.act, _coming_days(situation)
    if _is_reminder(situation):
        key = "kept_reminder" if coming else "kept_reminder_soon"
        day = _reminding_day(situation, coming[0].first).isoformat() if coming else ""
        return OfflineReply((situation.wordings.say(key, day),))
    if not situation.keeps:
        return situation.say("unkept_heavy" if act in HEAVY else "unkept")
    is_off = matches("tense", "cancelled", fold(situation.said))
    if act in ("plan", "news") and len(coming) == 1 and coming[0].length == 1 and not is_off:
        language = situation.wordings.language
        named = humanize_day(coming[0].first, situation.today, language, alone=True)
        return OfflineReply((situation.wordings.say("kept_for_day", coming=named),))
    return situation.say(f"kept_{act}")


def _is_reminder(situation: Situation) -> bool:
    """True if the message asks for a reminder or postpones the last raised matter."""
    if not situation.keeps:
        return False
    was_asked = was_just_asked(situation.memory, situation.today)
    is_put_off = was_asked and puts_off(situation.said, situation.today)
    return is_put_off or situation.reading.asks_for_reminder


def _ask_about_due(situation: Situation) -> OfflineReply:
    """Ask about due matters, one at the start of a day."""
    is_beginning = situation.keeps and situation.number < DAY_BEGINNING
    for matter in situation.retrieved.due[:1] if is_beginning else ():
        days = float((matter.first - situation.today).days)
        used = Used(matter.turn.id, 0.0, {DUE: days})
        return OfflineReply((situation.wordings.ask(matter),), (used,))
    return OfflineReply(())


def _answer_about_due(situation: Situation) -> OfflineReply | None:
    """Answer "done" or "not yet" to a question about a due matter.

    None for other messages, and for one that names another day.
    """
    if not situation.keeps or not was_just_asked(situation.memory, situation.today):
        return None
    if _is_reminder(situation) and _coming_days(situation):
        return None
    for key in ("open", "done"):
        if matches("tense", f"answers_{key}", fold(situation.said)):
            return situation.say(f"kept_{key}")
    return None


def _coming_days(situation: Situation) -> list[DateSpan]:
    """Return the future days that the message names, each once."""
    # "Friday" in a question may be the last one; in a reminder it is the next.
    named = find_dates_said_on(situation.said, situation.today)
    return list({span.first: span for span in named if span.first > situation.today}.values())


def _reminding_day(situation: Situation, named: date) -> date:
    """Return the day of a reminder: the one it names, or one well before that as a deadline."""
    if named not in deadlines(situation.said, situation.today):
        return named
    well_before = named - timedelta(days=DEADLINE_AHEAD)
    return max(well_before, situation.today + timedelta(days=1))
