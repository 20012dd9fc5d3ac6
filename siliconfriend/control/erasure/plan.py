"""Plan an erasure: turns, later questions about them, and every text derived from them.

The plan is a pure function of the memory, so a preview equals the executed plan.

Each reply records its memories (``used``), but words also reach replies through the chat history
and portraits. So a reply with a word that only the erased turn introduced counts as a quote. A reply
that was only shown an erased memory among many keeps its words if it has none of that memory's. A
question that only asks about erased turns is erased too; a statement is never.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from siliconfriend.control.dependents import dependents_of, derived_texts, follow_up_changes
from siliconfriend.control.edit import find_memories
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.exact_words import beginning_of, identifying_words, searchable
from siliconfriend.language.message import PersonText
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import content_set, share_of, word_set
from siliconfriend.memory.changes import Change, Erase, PutDerived, PutTurn
from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope, file_place_id, source_tombstone

KNOWN = 0.5
"""A question asks about an erased turn if more than this share of its words occur there."""


class ErasurePlan(NamedTuple):
    """The changes of an erasure, and the affected ids and words.

    Attributes:
        gone: ids of everything removed or rebuilt.
        erased: the requested ids, and turns that only asked about them.
        derived: all other affected ids, including ``unquoted`` and ``rebuilt``.
        unquoted: ids of turns that are kept without their reply.
        rebuilt: ids of topics that are rebuilt at once from their remaining turns.
        words: texts that no file may contain afterwards.
    """

    gone: tuple[str, ...]
    erased: tuple[str, ...]
    derived: tuple[str, ...]
    unquoted: tuple[str, ...]
    rebuilt: tuple[str, ...]
    words: tuple[str, ...]
    changes: tuple[Change, ...]


def plan_erasure(
    memory: PersonMemory, scope: Scope, ids: Collection[str], *, quoted: Collection[str] = ()
) -> ErasurePlan:
    """Plan the erasure of these ids (UsageError: an id is unknown).

    ``quoted``: ids erased from another companion's memory that replies here may quote.
    """
    records = find_memories(memory, ids)
    turns = {record.id: record for record in records if isinstance(record, Turn)}
    chosen = {record.id for record in records}
    reached = set(chosen)
    while True:  # until no more quotes are found
        derived = dependents_of(memory, reached)
        taken = [*quoted, *(made.id for made in derived)]
        asking, quoting = find_quotations(memory, turns.values(), taken)
        further = {turn.id for turn in (*asking, *quoting)} - reached
        if not further:
            break
        reached |= further
    stay = [turn.id for turn in quoting]
    derived = dependents_of(memory, reached, quoting)
    turns |= {turn.id: turn for turn in asking}
    left = [made for made in derived if made.id not in chosen]
    gone = dict.fromkeys((*turns, *chosen, *(made.id for made in derived)))
    unquoted = [without_quotes(turn, {*gone, *quoted}) for turn in quoting]
    words = [part for turn in turns.values() for part in (turn.query, turn.response, turn.text)]
    words += [turn.response for turn in quoting] + [made.text for made in derived]
    return ErasurePlan(
        gone=tuple(gone),
        erased=tuple(dict.fromkeys((*ids, *turns))),
        derived=(*stay, *(made.id for made in left)),
        unquoted=tuple(stay),
        rebuilt=tuple(made.id for made in left if isinstance(made.removal, PutDerived)),
        words=tuple(words),
        changes=(
            *([Erase((*turns, *_file_places(turns.values(), scope)))] if turns else ()),
            *(PutTurn(turn) for turn in unquoted),
            *(made.removal for made in derived),
            *follow_up_changes(memory, derived, erased=ids),
        ),
    )


def _file_places(turns: Iterable[Turn], scope: Scope) -> Iterator[str]:
    """Return the tombstones by which an import recognises an erased turn."""
    for turn in turns:
        if turn.brought_from is not None:
            yield file_place_id(scope, turn.date, turn.brought_from)
        yield from map(source_tombstone, turn.sources)


def all_texts(memory: PersonMemory) -> Iterator[str]:
    """Yield every text of a memory; a message and its reply form one text."""
    for turn in memory.turns():
        yield turn.text
    for derived in derived_texts(memory):
        yield derived.text
    profile = memory.profile
    yield json.dumps([profile.meta_information, profile.extra], ensure_ascii=False)


def find_quotations(
    memory: PersonMemory, erased: Iterable[Turn], gone: Collection[str]
) -> tuple[list[Turn], list[Turn]]:
    """Find later turns to erase because they only ask about erased ones, and turns to unquote."""
    turns = {turn.id: turn for turn in erased}
    if not turns:
        made = [known.text for identifier in gone if (known := memory.find(identifier))]
        own = content_set(*made)
        return [], [turn for turn in memory.turns() if _may_quote(turn, memory, gone, own)]
    gone = {*gone, *turns}
    said_in_order = list(memory.turns())
    first = next(at for at, turn in enumerate(said_in_order) if turn.id in turns)
    before = said_in_order[:first]
    later = [turn for turn in said_in_order[first:] if turn.id not in turns]
    said = list(turns.values())
    # A reply by rules quotes other memories: a list of what may be erased names what stays.
    texts = [turn.query if turn.replied_by == OFFLINE else turn.text for turn in said]
    rare = identifying_words("\n".join(texts))
    rare -= _said_in((turn.text for turn in before), rare)  # words that the erased turns introduced
    told = content_set(*texts)
    named = {word for word in rare if word in told or is_chinese(word)}
    asking = [turn for turn in later if _said_in([turn.query], named) and _only_asks(turn, said)]
    gone.update(turn.id for turn in asking)
    own = rare & identifying_words("\n".join(turn.query for turn in said))
    own -= _said_in((turn.query for turn in memory.turns() if turn.id not in gone), own)
    quoting = [
        turn
        for turn in later
        if turn.id not in gone
        and turn.response
        and (_may_quote(turn, memory, gone, told) or _said_in([turn.response], own))
    ]
    return asking, quoting


def _may_quote(
    turn: Turn, memory: PersonMemory, gone: Collection[str], words: frozenset[str]
) -> bool:
    """Return True if a reply rests on an erased memory, or was shown one and has a word of it.

    One of another companion's memory may always be quoted: its words are not known here.
    """
    erased = [source for source in turn.used if source.id in gone]
    if not (turn.response and erased):
        return False
    rests = (one.is_likely or one.is_due or memory.find(one.id) is None for one in erased)
    if turn.replied_by == OFFLINE or any(rests):
        return True
    return not words.isdisjoint(content_set(turn.response) - content_set(turn.query))


def without_quotes(turn: Turn, gone: Collection[str]) -> Turn:
    """Return the turn without its reply, which may contain erased words."""
    used = tuple(source for source in turn.used if source.id not in gone)
    return replace(turn, response="", used=used)


def _said_in(texts: Iterable[str], words: Collection[str]) -> frozenset[str]:
    beginnings = {word: beginning_of(word) for word in words}
    found: set[str] = set()
    for text in texts if words else ():
        looked_into = searchable(text)
        if any(value in looked_into for word, value in beginnings.items() if word not in found):
            found |= identifying_words(text) & beginnings.keys()
            if len(found) == len(beginnings):
                break
    return frozenset(found)


def _only_asks(turn: Turn, erased: Collection[Turn]) -> bool:
    """Return True if the turn only asks about erased turns, or for an answer; a reminder never does."""
    if PersonText(turn.query).asks_for_reminder:
        return False
    known = [word_set(memory.text) for memory in erased]

    def asks(sentence: str) -> bool:
        said, words = PersonText(sentence), word_set(sentence)
        is_known = any(share_of(words, own) > KNOWN for own in known)
        return said.is_question and (is_known or said.has_sign("memory", "talk", "fact"))

    return all(
        matches("message", "wishes.request", fold(sentence)) or asks(sentence)
        for sentence in split_sentences(turn.query)
    )
