"""Sequels: what was told later of the same matter and changes it.

"We get the keys on 19 June" is half of what was told, where in May it was "the keys are put off to
3 July". A question about the house finds the first and lies far from the second, which says no
word of a house. So what changed a memory is looked for from the memory, and not from the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.dictionary import is_proper_name
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import extract_keywords
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import Turn
from siliconfriend.recall.cue import find_names, remove_dates
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.index import ScopeIndex

Sentence = str


def was_changed(index: ScopeIndex, planned: Turn | Event) -> bool:
    """True if it was told later that the same matter was given up or put on another day."""
    matter = _matter(index, own_words(planned))
    return any(True for _ in _later(index, planned, matter, _changes_plan))


def _changes_plan(sentence: Sentence, matter: set[str]) -> bool:
    is_changed = matches("tense", "changed", fold(sentence))
    return is_changed and not matter.isdisjoint(tokenize(sentence))


def _later(
    index: ScopeIndex,
    memory: Turn | Event,
    matter: set[str],
    changes: Callable[[Sentence, set[str]], bool],
) -> Iterator[Turn | Event]:
    """What was told after a memory and has a sentence that changes its matter."""
    for row in sorted({int(row) for token in matter for row in index.word_index.rows(token)}):
        later = index.rows.memories[row]
        if (
            isinstance(later, Turn | Event)
            and index.rows["alive"][row]
            and (later.date, later.position) > (memory.date, memory.position)
            and memory.id not in sources(later)
            and any(changes(it, matter) for it in split_sentences(own_words(later)))
        ):
            yield later


def sources(memory: Turn | Event) -> tuple[str, ...]:
    """The ids of what an event was made from; none of a turn."""
    return memory.provenance.from_ids if isinstance(memory, Event) else ()


def _matter(index: ScopeIndex, words: str) -> set[str]:
    """The tokens that say what something is about: no names and no days."""
    frequency = index.word_index.frequency
    called = find_names(words, frequency=frequency)
    names = {
        token
        for name in called
        if not is_chinese(name) or is_proper_name(name)
        for token in tokenize(name)
    }
    plain = remove_dates(words, find_dates_said_on(words, date(2024, 2, 29)))
    return {token for word in extract_keywords(plain) for token in tokenize(word)} - names
