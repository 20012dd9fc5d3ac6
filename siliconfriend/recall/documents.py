"""Documents: the text by which each memory is indexed.

The index is built from documents alone: words outside of them are not found, and an erased memory
has left the index once its document is gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from siliconfriend.language.characters import is_chinese
from siliconfriend.language.message import Message, read_message
from siliconfriend.language.sentences import CLAUSE
from siliconfriend.language.words import word_set
from siliconfriend.memory.knowledge import OFFLINE, Event, Fact
from siliconfriend.memory.records import Day, Memory, Turn, is_put_away

TELLING = 8
"""Number of words beside a question from which a turn tells as much as any other."""


@dataclass(frozen=True, slots=True)
class Document:
    """A memory, the words it is found by, and their SHA-256, what the cache knows them by."""

    memory: Memory
    text: str
    digest: str

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id


def documents_of(day: Day) -> list[Document]:
    """Build the documents of a day: its turns in their order, its summary, then what it gave.

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
    """Return the words a memory is found by; empty where it is not to be found."""
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
    """Return the person's words of a turn; of anything else its text."""
    return memory.query if isinstance(memory, Turn) else memory.text


def asking_share(memory: Memory) -> float:
    """Return how far a turn only asks: 1 if it tells nothing, 0 if it tells as much as any other.

    A question tells something by its other clauses and by its reply, the more new words they have.
    The answer to a question about the past is that past again, or that it is not known.
    """
    if not isinstance(memory, Turn):
        return 0.0
    reading = read_message(memory.query)
    if reading.tells_something or not reading.is_question:
        return 0.0
    clauses = (part for sentence in reading.sentences for part in CLAUSE.split(sentence))
    told = word_set(*(part for part in clauses if not Message(part.rstrip("?？")).is_question))
    if memory.replied_by != OFFLINE and not reading.asks_only_for_fact:
        told |= word_set(memory.response) - word_set(memory.query)
    return max(0.0, 1.0 - len(told) / TELLING)


def _joined(text: str, others: Iterable[str]) -> str:
    """Return the text, with those of the other words that it lacks on a line below it."""
    missing = [word for other in others if (word := other.strip()) and word not in text]
    return "\n".join([text.strip(), *([" ".join(missing)] if missing else [])])
