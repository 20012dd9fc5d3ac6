"""Tie a correction ("no, that's wrong, it's Anna") to the statement that it corrects."""

from dataclasses import replace

from siliconfriend.clock import day_of
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
from siliconfriend.recall.cue import find_names, undated
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.texts import text

FEW_WORDS = 2
"""Maximum number of content words of a correction that does not name what it is about."""


def corrected_turn(message: IncomingMessage, recall: Recall, *, is_sure: bool) -> Turn | None:
    """Find the statement that a correction is about; None where it is not clear.

    It is the first that shares words with the correction: of those that the last reply quoted, the
    last message, and what recall finds. A correction that shares none with them must follow directly,
    and name a value. Unless it ``is_sure`` that the message is one, it must name a value at all.
    """
    talk = live_turns(message.memory, message.now)
    last = talk[-1] if talk else None
    about, names = _about(message.text), content_set(*find_names(message.text))
    before = _said_before(message, last) if last else []
    today = day_of(message.now, message.memory.profile.zone)
    has_value = bool(names or figures_told(message.text) or find_dates_said_on(message.text, today))
    for turn in before:
        if about & _about(turn.query) and (is_sure or has_value):
            return turn
    for found in recall(message.text):
        told = found.memory
        if not isinstance(told, Turn) or read_message(told.query).only_asks:
            continue
        words = _about(told.query)
        shared = about & words
        is_about = 2 * len(shared) >= min(len(about), len(words)) or shared & names
        if shared and (is_about if is_sure else shared & names):
            return told
    is_answer = last is not None and read_message(last.query).only_asks
    is_short = has_value and len(about) <= FEW_WORDS
    follows = is_short or (is_answer and bool(has_value or about))
    return before[0] if is_sure and before and follows else None


def _about(words: str) -> frozenset[str]:
    """Return the content words besides dates: two plans of the same month are not the same matter."""
    return content_set(undated(words))


def _said_before(message: IncomingMessage, last: Turn) -> list[Turn]:
    """Return the last message, or what its answer quoted if it asked; in the correction's language first."""
    if not read_message(last.query).only_asks:
        return [last]
    quoted = (message.memory.find(used.id) for used in last.used)
    turns = [turn for turn in quoted if isinstance(turn, Turn)]
    told = [turn for turn in turns if not read_message(turn.query).only_asks]
    is_cn = is_chinese(message.text)
    return sorted(told, key=lambda turn: is_chinese(turn.query) != is_cn)


def correct(
    store: MemoryStore, scope: Scope, message: IncomingMessage, recall: Recall, *, is_sure: bool
) -> IncomingMessage:
    """Mark the corrected statement as outdated and its facts as doubted; write a confirmation.

    ``is_sure``: False for a message that may be no correction.
    """
    corrected, turn = corrected_turn(message, recall, is_sure=is_sure), message.turn
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
