"""Tie a correction ("no, that's wrong, it's Anna") to the statement that it corrects."""

from dataclasses import replace

from siliconfriend.clock import day_of
from siliconfriend.dialogue.chat_history import live_turns
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.wishes import Recall
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.message import read_message
from siliconfriend.language.numbers import figures_told
from siliconfriend.language.sentences import CLAUSE, excerpt
from siliconfriend.language.word_lists import matches, spelled_out, without_matches
from siliconfriend.language.words import content_set
from siliconfriend.memory.changes import PutDerived, PutTurn
from siliconfriend.memory.knowledge import Tie
from siliconfriend.memory.records import Asked, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.cue import find_names, undated
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.raised import carrying_words
from siliconfriend.texts import text


def corrected_turn(message: IncomingMessage, recall: Recall, *, is_sure: bool) -> Turn | None:
    """Find the statement that a correction is about; None where it is not clear.

    It is the first that shares words with the correction: of those that the last reply quoted, the
    last message, and what recall finds. A correction that shares none with them must follow directly,
    and contain a value alone. Unless it ``is_sure`` that the message is one, it must name a
    value that the statement lacks, and share a name and something else with an older one.
    """
    talk = live_turns(message.memory, message.now)
    last = talk[-1] if talk else None
    about, written = _about(message.text), find_names(message.text)
    names = content_set(*written)
    before = _said_before(message, last) if last else []
    before = before if is_sure else [turn for turn in before if not _asks(turn)]
    today = day_of(message.now, message.memory.profile.zone)
    figures, days = figures_told(message.text), find_dates_said_on(message.text, today)
    has_value = bool(names or figures or days)
    is_announced = matches("message", "wishes.correct_forms", fold(message.text))
    for turn in before:
        known = content_set(turn.query)
        is_new = bool(names - known or set(figures) - set(figures_told(turn.query)) or days)
        if about & _about(turn.query) and (is_sure or is_new):
            return turn
    for found in recall(message.text):
        told = found.memory
        if not isinstance(told, Turn) or read_message(told.query).only_asks:
            continue
        if not is_sure and _asks(told):
            continue
        words = _about(told.query)
        shared = about & words
        named = [name for name in written if content_set(name) & words]
        is_about = 2 * len(shared) >= min(len(about), len(words)) or bool(named) or is_announced
        if shared and (is_about if is_sure else named and len(named) + len(shared - names) > 1):
            return told
    is_answer = last is not None and read_message(last.query).only_asks
    names_only_value = has_value and about <= names
    follows = names_only_value or (is_answer and bool(has_value or about))
    return before[0] if is_sure and before and follows else None


def _asks(turn: Turn) -> bool:
    """Return True if a clause of a message asks: "what is it called, I told you"."""
    return any(read_message(clause).is_question for clause in CLAUSE.split(turn.query))


def _about(words: str) -> frozenset[str]:
    """Return the content words, besides dates and the words of a correction or a reminder."""
    rest = without_matches("message", "wishes.correct_forms", spelled_out(fold(words)))
    return carrying_words(undated(without_matches("message", "remind", rest)))


def _said_before(message: IncomingMessage, last: Turn) -> list[Turn]:
    """Return the last message if it tells something, or what its answer quoted if it asked.

    Statements in the correction's language come first.
    """
    if not read_message(last.query).only_asks:
        return [last] if read_message(last.query).tells_something else []
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
    turn, language = message.turn, message.memory.profile.language
    if turn is None or turn.unkept:
        return message
    corrected = corrected_turn(message, recall, is_sure=is_sure)
    if corrected is None:
        is_announced = matches("message", "wishes.correct_forms", fold(message.text))
        said = text("control", "asked.correct_unknown", language) if is_announced else ""
        return replace(message, confirmation=message.confirmation or said)
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
    said = text("control", "asked.correct", language, words=excerpt(corrected.query))
    return replace(message, confirmation=said)
