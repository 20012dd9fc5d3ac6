"""The offline answer to a question: what was found is ranked and quoted, never held back.

How sure recall is only chooses the words around the quotations. That nothing was told is never
said: the companion knows what it found, not what it was told.
"""

from __future__ import annotations

from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.language.message import read_message
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.words import content_set, share_of, word_set
from siliconfriend.memory.knowledge import Used
from siliconfriend.memory.records import Turn
from siliconfriend.recall.results import Recalled

MOST_QUOTES = 3
"""Most quotations in an answer."""

LEAST_LIKELIHOOD = 0.01
"""Likelihood from which the meaning of a memory alone has to do with a question."""


def answer_question(situation: Situation) -> OfflineReply:
    """Answer a question by what was found: what is likely meant, else what comes closest."""
    return (
        _likely(situation)
        or _own_story(situation)
        or _said_above(situation)
        or _closest(situation, situation.wordings.say("closest"))
        or situation.say("nothing")
    )


def answer_advice(situation: Situation) -> OfflineReply:
    """Say that advice needs a model, and what bears on the matter."""
    cannot = situation.wordings.say("cannot")
    likely = _likely(situation)
    if likely:
        return OfflineReply((cannot, *likely.sentences), likely.used, likely.certainty)
    opening = f"{cannot}{situation.wordings.gap}{situation.wordings.say('closest')}"
    return _closest(situation, opening) or situation.say("cannot")


def repeat_last(situation: Situation) -> OfflineReply | None:
    """Quote what the person said last: in this talk, else on the last day of one."""
    if situation.talk:
        quoted = situation.wordings.quote("just_said", "", excerpt(situation.talk[-1].query))
        return OfflineReply((quoted,), certainty="sure")
    turns = [turn for turn in situation.memory.turns() if not turn.is_left_alone]
    if not turns:
        return None
    last = max(turns, key=lambda turn: (turn.date, turn.position))
    quoted = situation.wordings.quote("told", last.date, excerpt(last.query))
    return OfflineReply((quoted,), (Used(last.id, 0.0),), "sure")


def _likely(situation: Situation) -> OfflineReply | None:
    likely = [found for found in situation.found if found.is_likely][:MOST_QUOTES]
    return situation.quote_in_sentences(likely, "told") if likely else None


def _closest(situation: Situation, opening: str) -> OfflineReply | None:
    """Quote the best of what shares anything with the question; None where nothing does."""
    if not word_set(situation.said) and not situation.spans:
        return None
    near = [found for found in situation.found if _has_to_do(found)][:MOST_QUOTES]
    return situation.quote_in_lines(near, opening) if near else None


def _has_to_do(found: Recalled) -> bool:
    """True if a memory shares a word, a name or a day with the question, or something of its meaning."""
    shares = any(found.parts.get(name, 0.0) > 0 for name in ("words", "date"))
    return shares or found.likelihood >= LEAST_LIKELIHOOD


def _own_story(situation: Situation) -> OfflineReply | None:
    for told in situation.retrieved.own_story:
        if told.is_likely and not isinstance(told.memory, Turn):
            words = excerpt(told.memory.text, situation.said)
            quoted = situation.wordings.quote("own_story", "", words)
            return OfflineReply((quoted,), certainty="sure")
    return None


def _said_above(situation: Situation) -> OfflineReply | None:
    """Quote the nearest words of this talk that are not kept: those of a chat begun elsewhere."""
    wanted, said = content_set(situation.said), word_set(situation.said)

    def likeness(words: str) -> int:
        # A Chinese noun may be too short for a content word (船): most words count too.
        shares_most = bool(said) and share_of(said, word_set(words)) > 0.5
        return len(wanted & content_set(words)) + shares_most

    told = [words for words in situation.unkept if read_message(words).tells_something]
    words = max(reversed(told), default="", key=likeness)
    if not likeness(words):
        return None
    quoted = situation.wordings.quote("above", "", excerpt(words, situation.said))
    return OfflineReply((quoted,), certainty="sure")
