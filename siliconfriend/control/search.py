"""Search memories by ids, by words they contain, or by recall.

Memories found by words may be erased next, so a match must contain every word. Results of
:func:`search` are ranked by meaning and never used for an erasure.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from siliconfriend.control.dependents import sentences_of
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.identifiers import (
    find_identifiers,
    has_identifiers,
    is_named_in_another_script,
    stands_alone,
)
from siliconfriend.language.sentences import excerpt
from siliconfriend.language.tokenizer import surface_forms, tokenize
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Memory, PersonMemory, Turn, is_put_away, kind_of
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.recaller import Recaller


class SearchResult(NamedTuple):
    """A search result; ``is_likely`` if its estimated probability is above 0.5."""

    memory: Memory
    is_likely: bool


def memories_with_words(memory: PersonMemory, query: str) -> list[Memory]:
    """Find the memories whose own words contain every word of ``query``, oldest first.

    In a turn only the person's words count, since a reply may quote other memories.

    ``query``: words in any order. Letter case, width and English endings are ignored, except in
    capitalized names: "Robin" matches "Robin's" but not "robins". Addresses and numbers match as a
    whole in any notation. If some memory contains the full name, memories with the separate words
    do not match.
    """
    found = [
        (record, words)
        for record in memory.memories()
        if _has_every_word(words := _own_words(record), query)
    ]
    name = query.strip()
    is_name = len(name.split()) > 1 and all(part[:1].isupper() for part in name.split())
    together = [pair for pair in found if stands_alone(name, pair[1])] if is_name else []
    return [record for record, _ in together or found]


def search(
    recaller: Callable[[], Recaller],
    scope: Scope,
    memory: PersonMemory,
    query: str,
    *,
    now: datetime,
    kind: str | None = None,
    entity: str | None = None,
    put_away: bool = False,
) -> list[SearchResult]:
    """Search by meaning and words, best first; without a query list all matches, oldest first.

    Likely results come first, then memories with all the words, then the rest by rank.

    ``recaller``: opened only for a query; ModelUnavailable if its embedder fails.
    ``entity``: filter by a person or thing. Facts match by entity name or words of the name ("May"
    finds "Aunt May"), other memories by their words.
    ``put_away``: include memories that were put away, matched by words.
    """
    everything = list(memory.memories())
    fitting = {
        record.id: record
        for record in everything
        if kind in (None, kind_of(record))
        and (put_away or not query.strip() or not is_put_away(record))
        and (not entity or _has_every_word(_names_in(record), entity))
    }
    if not query.strip() or not fitting:
        return [SearchResult(record, is_likely=True) for record in fitting.values()]
    most = len(everything)
    found = recaller().recall(scope, query, now=now, top=most, top_facts=most)
    ranked = {one.memory.id: one.is_likely for one in (*found.memories, *found.facts)}
    likely = [identifier for identifier, is_likely in ranked.items() if is_likely]
    named = dict.fromkeys(record.id for record in memories_with_words(memory, query))
    return [
        SearchResult(
            fitting[identifier] if put_away else _without_put_away(fitting[identifier], memory),
            identifier in named or ranked[identifier],
        )
        for identifier in dict.fromkeys([*likely, *named, *ranked])
        if identifier in fitting
    ]


def _without_put_away(record: Memory, memory: PersonMemory) -> Memory:
    """Return a turn with an ellipsis in its reply for each put-away memory that the reply quotes."""
    if not isinstance(record, Turn):
        return record
    response = record.response
    for quoted in (memory.find(used.id) for used in record.used):
        if quoted is not None and is_put_away(quoted):
            response = response.replace(excerpt(_own_words(quoted)), "…")
    return replace(record, response=response)


def _has_every_word(text: str, query: str) -> bool:
    """Return True if a text contains the words of a query, or the query literally."""
    identifiers, name = find_identifiers(query), query.strip()
    if identifiers:
        others = (word for word in name.split() if not find_identifiers(word))
        return has_identifiers(text, identifiers) and all(
            _has_every_word(text, word) for word in others if tokenize(word)
        )
    is_name = name[:1].isupper()
    if is_name and len(name.split()) == 1 and name.isascii() and not stands_alone(name, text):
        return is_named_in_another_script(name, text)
    words_of = surface_forms if is_name else tokenize
    wanted, whole = set(words_of(query)), fold(name)
    if wanted and wanted <= set(words_of(text)):
        return True
    if is_named_in_another_script(name, text):
        return True
    pattern = re.escape(whole) if is_chinese(whole) else rf"(?<!\w){re.escape(whole)}(?!\w)"
    return bool(whole) and re.search(pattern, fold(text)) is not None


def _own_words(record: Memory) -> str:
    return record.query if isinstance(record, Turn) else _all_words(record)


def _names_in(record: Memory) -> str:
    return record.entity if isinstance(record, Fact) else _all_words(record)


def _all_words(record: Memory) -> str:
    if isinstance(record, Turn):
        return record.text
    names = (getattr(record, name, "") for name in ("place", "entity", "key_word"))
    parts = (sentences_of(record), *names, *getattr(record, "key_words", ()))
    return "\n".join(part for part in parts if part)
