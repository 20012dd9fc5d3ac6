"""A record of what was taken out of the talk, in the words of the person it is about.

The wrong words stand in more than one field: a place, a key word, what an event was thought
to show. What only the old words said leaves with them, or recall would go on finding it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from siliconfriend.language.characters import fold
from siliconfriend.language.keywords import top_keywords
from siliconfriend.memory.knowledge import Event, Fact, Topic
from siliconfriend.memory.provenance import BY_PERSON
from siliconfriend.memory.records import Derived


def by_hand(record: Derived, text: str, now: datetime) -> Derived:
    """The record with ``text`` as its words and the person as who made it.

    A fact keeps whom and what it is about and counts as looked at for repetitions. An event
    loses its insight and a topic the overviews of its talks, which were made of the old words.
    """
    provenance = replace(record.provenance, made_by=BY_PERSON, made_at=now)
    changed = replace(record, text=text, provenance=provenance)
    old = fold(record.text)
    match changed:
        case Fact():
            named = _still([changed.key_word], old, text) or top_keywords([text], 1)
            return replace(changed, key_word=next(iter(named), ""), merged=True)
        case Event():
            place = next(iter(_still([changed.place], old, text)), "")
            words = tuple(_still(changed.key_words, old, text))
            return replace(changed, place=place, key_words=words, insight="")
        case Topic():
            words = tuple(_still(changed.key_words, old, text))
            talks = tuple(replace(it, overview="") for it in changed.talks)
            return replace(changed, key_words=words, talks=talks)
    return changed


def _still(words: Iterable[str], old: str, text: str) -> list[str]:
    """Those that do not come from the old text alone."""
    new = fold(text)
    return [it for it in words if it and (fold(it) not in old or fold(it) in new)]
