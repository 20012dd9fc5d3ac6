"""Search memories without ranking: by their ids, or by words that stand in them.

What is chosen here may be erased next, so it must be plain why something was chosen: a
memory matches when it holds every word that was asked for, archived or not. Ranking by
meaning is recall's work and is never followed by a deletion.
"""

from __future__ import annotations

from collections.abc import Collection

from siliconfriend.control.actions import find_memories
from siliconfriend.control.dependents import sentences_of
from siliconfriend.language.characters import fold
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.knowledge import Event, Fact, Topic
from siliconfriend.memory.records import DaySummary, Insight, Memory, PersonMemory, Turn, kind_of


def are_ids(written: Collection[str]) -> bool:
    """True if a person wrote memory ids rather than words."""
    return bool(written) and all(parse_memory_id(it) is not None for it in written)


def select_memories(memory: PersonMemory, written: Collection[str]) -> list[Memory]:
    """Select the memories meant: those with these ids, or else those that hold all these words.

    Raises:
        UsageError: ids were written and one of them is not there.
    """
    if are_ids(written):
        return find_memories(memory, written)
    return memories_with_words(memory, " ".join(written))


def memories_with_words(
    memory: PersonMemory, query: str, *, kind: str | None = None
) -> list[Memory]:
    """Find the memories that hold every word of ``query`` or the whole of it, oldest first.

    Args:
        memory: whose.
        query: words in any order; letter case, width and English endings do not matter.
        kind: only of this kind.
    """
    wanted, whole = set(tokenize(query)), fold(query.strip())
    return [
        record
        for record in memory.memories()
        if kind in (None, kind_of(record)) and _holds(all_words(record), wanted, whole)
    ]


def memories_about(memory: PersonMemory, entity: str) -> list[Memory]:
    """Find the memories about somebody or something, oldest first.

    Facts by whom they are about, whole or by words of the name ("May" finds "Aunt May"), all
    else by its words: nothing but a fact says whom it is about.
    """
    wanted, whole = set(tokenize(entity)), fold(entity.strip())
    return [
        record
        for record in memory.memories()
        if _holds(record.entity if isinstance(record, Fact) else all_words(record), wanted, whole)
    ]


def _holds(text: str, wanted: set[str], whole: str) -> bool:
    return (bool(whole) and whole in fold(text)) or (bool(wanted) and wanted <= set(tokenize(text)))


def all_words(record: Memory) -> str:
    """Everything a record says, its names and key words with it, a line each."""
    parts: tuple[str, ...]
    match record:
        case Turn():
            parts = (record.query, record.response)
        case DaySummary():
            parts = (record.text,)
        case Event():
            parts = (sentences_of(record), record.place, *record.key_words)
        case Fact():
            parts = (record.text, record.entity, record.key_word)
        case Topic():
            parts = (sentences_of(record), *record.key_words)
        case Insight():
            parts = (sentences_of(record),)
    return "\n".join(part for part in parts if part)
