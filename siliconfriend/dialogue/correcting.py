"""Tie a correction ("no, that's wrong, it's Anna") to the statement that it corrects."""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.dialogue.chat_history import live_turns
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.wishes import Recall
from siliconfriend.language.characters import is_chinese
from siliconfriend.language.message import read_message
from siliconfriend.language.numbers import figures_told
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.words import content_set
from siliconfriend.memory.changes import PutDerived, PutTurn
from siliconfriend.memory.knowledge import Tie
from siliconfriend.memory.records import Asked, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.texts import text

FEW_WORDS = 2
"""Maximum number of content words of a correction that does not name what it is about."""


def corrected_turn(message: IncomingMessage, recall: Recall | None) -> Turn | None:
    """Find the statement that a correction is about; None where it is not clear.

    It is the one that the last reply quoted, else the last message where that told something
    about the same, else the first that recall finds with half of its words in the correction.
    Without ``recall`` the message may be no correction, so it must share words with the statement.
    """
    talk = live_turns(message.memory, message.now)
    last = talk[-1] if talk else None
    about, is_sure = content_set(message.text), recall is not None
    if last is not None and read_message(last.query).only_asks:
        quoted = [message.memory.find(used.id) for used in last.used]
        told = [turn for turn in quoted if isinstance(turn, Turn) and turn.id != last.id]
        told = [turn for turn in told if is_sure or about & content_set(turn.query)]
        if told:
            is_cn = is_chinese(message.text)
            return next((turn for turn in told if is_chinese(turn.query) == is_cn), told[0])
    if last is not None and not read_message(last.query).only_asks:
        says_what = bool(about) or bool(figures_told(message.text))
        is_short = is_sure and says_what and len(about) <= FEW_WORDS
        if is_short or about & content_set(last.query):
            return last
    for found in recall(message.text) if recall else ():
        turn = found.memory
        words = content_set(turn.query) if isinstance(turn, Turn) else frozenset()
        if isinstance(turn, Turn) and words and 2 * len(about & words) >= len(words):
            return turn
    return None


def correct(
    store: MemoryStore, scope: Scope, message: IncomingMessage, recall: Recall | None
) -> IncomingMessage:
    """Mark the corrected statement as outdated and its facts as doubted; write a confirmation.

    ``recall``: None for a message that may be no correction.
    """
    corrected, turn = corrected_turn(message, recall), message.turn
    if corrected is None or turn is None or turn.unkept:
        return message
    with store.edit(scope) as edit:
        old, own = edit.memory.find(corrected.id), edit.memory.find(turn.id)
        if not (isinstance(old, Turn) and isinstance(own, Turn)):
            return message
        edit.add(PutTurn(replace(old, outdated_by=turn.id)))
        asked, ties = (
            Asked("correct", own.query, is_whole=False),
            (*own.ties, Tie(old.id, "replaces")),
        )
        edit.add(PutTurn(replace(own, asked=asked, ties=ties)))
        for fact in edit.memory.facts():
            if fact.is_active and set(fact.provenance.from_ids) == {old.id}:
                edit.add(PutDerived(replace(fact, doubted_by=turn.id)))
    language, words = message.memory.profile.language, excerpt(corrected.query)
    return replace(message, confirmation=text("control", "asked.correct", language, words=words))
