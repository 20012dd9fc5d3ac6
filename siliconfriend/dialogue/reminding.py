"""Chooses what a remark brings to mind, and whether it is said.

A friend is reminded, but not by everything: only what the words bring to mind strongly is
brought up, never what was quoted a moment ago, and not in message after message. What is grave
is not dragged into small matters, and what is cheerful is no answer to what is sad.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.quoting import in_own_words, without_repeats
from siliconfriend.dialogue.told_words import is_quoted_in, said_words, tells_something
from siliconfriend.dialogue.tone import Tone, tone_of
from siliconfriend.dialogue.wording import holds_wording
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.results import Recalled

MOST = 3
"""Most memories that are brought up at once."""

NEARLY = 0.1
"""From this share of the best memory's likelihood on, a second one may be meant as well."""

REMINDING = (
    *("reminds", "reminds_bright", "reminds_heavy", "reminds_softly"),
    *("due_today", "due_during", "due_soon", "due_past", "due_grave"),
)
"""The wordings that bring something up."""

IN_A_ROW = 2
"""After so many replies in a row that brought something up, the next one only listens."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """What a remark brings to mind.

    Attributes:
        found: the memories, the strongest first; none where nothing is to be brought up.
        tone: how grave the first of them is.
    """

    found: tuple[Recalled, ...] = ()
    tone: Tone = "plain"


def choose_reminder(context: ReplyContext) -> Reminder:
    """Choose what the message brings to mind strongly enough to be said."""
    tone, reminded = tone_of(context.said), _reminded_in_a_row(context)
    if reminded >= IN_A_ROW:
        return Reminder()
    judged = context.judged
    own = (
        (judged.likelihood(it), in_own_words(it, context.memory, context.said))
        for it in context.found
    )
    told = [(share, it) for share, it in own if it and _was_told(it.memory, context)]
    likelihood = {it.memory.id: share for share, it in sorted(told, key=lambda pair: pair[0])}
    ranked = [
        it
        for it in without_repeats(it for _, it in sorted(told, key=lambda pair: -pair[0]))
        if _suits(tone, it.memory, context.said)
        and not any(is_quoted_in(it.memory, earlier.response) for earlier in context.earlier)
    ]
    best = likelihood[ranked[0].memory.id] if ranked else 0.0
    if not ranked or best < judged.some:
        return Reminder()
    nearest = [it for it in ranked[:MOST] if likelihood[it.memory.id] >= NEARLY * best]
    if reminded and not _shares_word(context.said, ranked[0].memory):
        return Reminder()
    return Reminder(tuple(nearest), tone_of(said_words(ranked[0].memory)))


def _was_told(memory: Memory, context: ReplyContext) -> bool:
    """True for what the person told this very companion, in their own words, on another day."""
    if not isinstance(memory, Turn) or not tells_something(memory.query):
        return False
    if memory.date >= context.today.isoformat():
        return False
    return context.memory.find(memory.id) is not None


def _suits(tone: Tone, memory: Memory, said: str) -> bool:
    """True unless the memory is too cheerful for what was said, or too grave.

    Who says that it is hard wants to be heard: only what is of the very same matter is added.
    """
    remembered = tone_of(said_words(memory))
    if tone in ("weary", "heavy", "grave"):
        return remembered != "bright" and _shares_word(said, memory)
    if remembered == "grave":
        return tone == "plain" and _shares_word(said, memory)
    return not (tone == "bright" and remembered == "heavy")


def _shares_word(said: str, memory: Memory) -> bool:
    """True if a content word of the message stands in the memory."""
    return bool(held_in(said_words(memory), content_forms(said)))


def _reminded_in_a_row(context: ReplyContext) -> int:
    """How many of the last replies to remarks of today's talk brought a memory up."""
    remarks = [it for it in context.earlier if classify_intent(it.query) == "statement"]
    brought_up = (
        holds_wording(it.response, REMINDING, context.language) for it in reversed(remarks)
    )
    return sum(1 for _ in takewhile(bool, brought_up))
