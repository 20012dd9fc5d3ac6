"""The reply of the companion without a model: a diary that answers with what was told.

It says nothing of its own about the person; whether it is sure of what it quotes stands in
:attr:`OfflineReply.certainty`.
"""

from __future__ import annotations

from collections.abc import Sequence

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.offline_answers import answer_question
from siliconfriend.dialogue.offline_periods import answer_everything, answer_period
from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.language.message import COURTESIES, REQUESTS, Kind, read_message
from siliconfriend.language.sentences import excerpt
from siliconfriend.memory.knowledge import Used
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.time_words import humanize_moment

DAY_BEGINNING = 3
"""Number of messages of a day within which what is due is asked about."""


def reply_offline(
    message: IncomingMessage,
    retrieved: Retrieved,
    companion: str,
    talk: Sequence[Exchange] = (),
) -> OfflineReply:
    """Compose the reply to a message of a talk from what it brought to mind."""
    situation = Situation(message, retrieved, companion, talk)
    if situation.kind == "greeting":
        return _greet(situation)
    if situation.kind in COURTESIES:
        return situation.say(situation.kind)
    return _with_hint(situation, _with_reminder(situation, _answer(situation)))


def _answer(situation: Situation) -> OfflineReply:
    if situation.kind in REQUESTS:
        return _answer_request(situation, situation.kind)
    if situation.kind == "remark" or _is_reminder(situation):
        return _answer_remark(situation)
    if situation.kind == "advice":
        return situation.say("cannot")
    return answer_period(situation) or answer_question(situation)


def _is_reminder(situation: Situation) -> bool:
    """True if the message asks to be reminded on a day, as a wish or as a question."""
    if not situation.keeps or not situation.reading.asks_for_reminder:
        return False
    # A question's Friday may be the last one, a reminder's is the next.
    days = find_dates_said_on(situation.said, situation.today)
    return any(span.last >= situation.today for span in days)


def _with_reminder(situation: Situation, reply: OfflineReply) -> OfflineReply:
    """Add what the person asked to be reminded of today, whatever the first message asks."""
    reminders = {it.turn.id for it in situation.retrieved.due[:1] if it.is_reminder}
    if reminders - {used.id for used in reply.used}:
        return reply.with_more(_due(situation))
    return reply


def _with_hint(situation: Situation, reply: OfflineReply) -> OfflineReply:
    """Add once, on the second day of talking, that a model makes the companion talk."""
    days = situation.days
    is_second = len(days) == 1 and days[0] < situation.today
    if not is_second or situation.number or not situation.keeps:
        return reply
    return reply.with_more(OfflineReply(("\n\n" + situation.wordings.say("hint"),)))


def _greet(situation: Situation) -> OfflineReply:
    if situation.message.is_first:
        return situation.say("hello_new" if situation.keeps else "hello_new_unkept")
    due = _due(situation)
    if due.sentences:
        return situation.say("hello").with_more(due)
    return _with_hint(situation, situation.say("hello"))


def _due(situation: Situation) -> OfflineReply:
    """Ask about what is due, one matter at the beginning of a day."""
    is_beginning = situation.keeps and situation.number < DAY_BEGINNING
    for matter in situation.retrieved.due[:1] if is_beginning else ():
        words = excerpt(matter.turn.query)
        asked = situation.wordings.quote(matter.wording, matter.turn.date, words)
        return OfflineReply((asked,), (Used(matter.turn.id, 0.0),))
    return OfflineReply(())


def _answer_request(situation: Situation, request: Kind) -> OfflineReply:
    if request == "told":
        return answer_everything(situation)
    if request == "keeping" and not situation.keeps:
        return situation.say("keeping_unkept")
    moment = situation.message.now.astimezone(situation.memory.profile.zone)
    written = humanize_moment(moment, situation.wordings.language)
    said = situation.wordings.say(f"asked_{request}", moment=written)
    return OfflineReply((said,), certainty="sure")


def _answer_remark(situation: Situation) -> OfflineReply:
    mood, is_reminder = situation.reading.mood, _is_reminder(situation)
    heard = situation.say(f"kept_{mood}" if situation.keeps else f"unkept_{mood}")
    if is_reminder:
        heard = situation.say("kept_reminder")
    if situation.message.unkept:
        return heard
    if situation.reading.ends_as_farewell(situation.companion):
        return heard.with_more(situation.say("farewell"))
    due = OfflineReply(()) if mood == "heavy" else _due(situation)
    if due.sentences or is_reminder:
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
