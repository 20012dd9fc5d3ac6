"""Build the documents: the searchable text of each memory.

The index is built from documents alone: words outside of them are not found, and an erased memory
has left the index once its document is gone.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.message import PersonText, read_message
from siliconfriend.language.sentences import CLAUSE
from siliconfriend.language.words import word_set
from siliconfriend.memory.knowledge import OFFLINE, Event, Fact
from siliconfriend.memory.records import Day, Memory, Turn, is_put_away

TELLING = 8
"""Number of words besides a question that make a turn a full statement."""


@dataclass(frozen=True, slots=True)
class Document:
    """A memory, its searchable text, and the SHA-256 of that text (the cache key)."""

    memory: Memory
    text: str
    digest: str

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id


def documents_of(day: Day) -> list[Document]:
    """Build the documents of a day: its turns in order, its summary, then derived memories.

    No document is made of an unkept turn, of a memory that the person put away, of a superseded fact,
    or of a text that rules made of turns which are still there (it holds their words alone).
    """
    turns = {turn.id for turn in day.turns if turn.trace.is_active}
    return [
        Document(memory, text, digest_of(text))
        for memory in day.memories()
        if not _repeats(memory, turns) and (text := searched_text(memory))
    ]


def _repeats(memory: Memory, turns: set[str]) -> bool:
    if isinstance(memory, Turn) or memory.provenance.made_by != OFFLINE:
        return False
    return not turns.isdisjoint(memory.provenance.from_ids)


def digest_of(text: str) -> str:
    """Return the key of a text in the index: its SHA-256, 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def searched_text(memory: Memory) -> str:
    """Return the searchable text of a memory; empty if it must not be found."""
    if is_put_away(memory):
        return ""
    if isinstance(memory, Fact):
        text, rest = memory.text, memory.text.removeprefix(memory.entity)
        if rest != text and is_chinese(rest[:1]):
            # The segmenter joins a name that it does not know to the verb behind it.
            text = f"{memory.entity} {rest}"
        return "" if memory.superseded_by else _joined(text, (memory.entity, memory.key_word))
    if isinstance(memory, Event):
        if memory.superseded_by:
            return ""
        return _joined(memory.text, (memory.place, memory.scene, *memory.key_words, memory.insight))
    if not isinstance(memory, Turn):
        return memory.text.strip()
    if memory.is_left_alone:
        return ""
    said = [memory.query, "" if memory.replied_by == OFFLINE else memory.response]
    return "\n".join(part.strip() for part in said if part.strip())


def own_words(memory: Memory) -> str:
    """Return the person's words for a turn, and the text for any other memory."""
    return memory.query if isinstance(memory, Turn) else memory.text


def asking_share(memory: Memory) -> float:
    """Return the share of a turn that only asks: 1 if it states nothing, 0 for a full statement.

    Other clauses and the reply lower the share, the more new words they add. The reply to a
    question about the past adds nothing new.
    """
    if not isinstance(memory, Turn):
        return 0.0
    reading = read_message(memory.query)
    if reading.tells_something or not reading.is_question:
        return 0.0
    clauses = (part for sentence in reading.sentences for part in CLAUSE.split(sentence))
    told = word_set(*(part for part in clauses if not PersonText(part.rstrip("?？")).is_question))
    if memory.replied_by != OFFLINE and not reading.asks_only_for_fact:
        told |= word_set(memory.response) - word_set(memory.query)
    return max(0.0, 1.0 - len(told) / TELLING)


def _joined(text: str, others: Iterable[str]) -> str:
    """Append the words that the text lacks, on a line of their own."""
    missing = [word for other in others if (word := other.strip()) and word not in text]
    return "\n".join([text.strip(), *([" ".join(missing)] if missing else [])])
