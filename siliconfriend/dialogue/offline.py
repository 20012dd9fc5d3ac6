"""Replies without a model: a diary that answers with quotations.

Replies only quote memories about the person; :attr:`OfflineReply.certainty` gives their confidence.
"""

from collections.abc import Sequence

from siliconfriend.dialogue.acts import ASKING, COURTESIES, Act
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.offline_answers import (
    NEAREST,
    answer_about_name,
    answer_advice,
    answer_question,
    repeat_last,
)
from siliconfriend.dialogue.offline_periods import answer_everything, answer_period, answer_time
from siliconfriend.dialogue.offline_remarks import (
    acknowledge,
    answer_about_due,
    ask_about_due,
    is_reminder,
)
from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.language.characters import fold
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import content_set
from siliconfriend.recall.cue import find_names
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.time_words import humanize_moment


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
        return _greet(situation)
    if answer := answer_about_due(situation):
        return answer
    if situation.act in COURTESIES:
        return situation.say(situation.act)
    if situation.act in ASKING and not is_reminder(situation):
        return _with_reminder(situation, _answer(situation))
    return _with_reminder(situation, acknowledge(situation))


def _answer(situation: Situation) -> OfflineReply:
    if situation.act == "advice":
        return answer_about_name(situation) or answer_advice(situation)
    if situation.act == "create":
        return answer_advice(situation)
    if situation.act == "today" and matches("message", "asks_date", fold(situation.said)):
        return _answer_fixed(situation)
    found = answer_time(situation) or answer_period(situation) or answer_about_name(situation)
    if found:
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
        return reply.with_more(ask_about_due(situation))
    return reply


def _greet(situation: Situation) -> OfflineReply:
    if situation.message.is_first:
        return situation.say("hello_new" if situation.keeps else "hello_new_unkept")
    return situation.say("hello").with_more(ask_about_due(situation))
