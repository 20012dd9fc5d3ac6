"""What of a memory was told, and whether a reply holds it.

A question, a request or a thank-you tells nothing: quoted as an answer it would be a gap with
quotation marks around it.
"""

from __future__ import annotations

from functools import lru_cache

from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.language.content_words import content_words, is_courtesy, is_small_talk
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.records import Memory, Turn

RECOGNISED = 40
"""Characters of a sentence by which a quotation of it is recognised."""


def said_words(memory: Memory) -> str:
    """The person's words of a turn; of anything else its text."""
    return memory.query if isinstance(memory, Turn) else memory.text


@lru_cache(maxsize=4096)
def tells_something(words: str) -> bool:
    """True if a sentence of these words tells something: no question, request or courtesy."""
    return any(
        classify_intent(sentence) == "statement"
        and bool(content_words(sentence))
        and not (is_small_talk(sentence) and is_courtesy(sentence))
        for sentence in split_sentences(words)
    )


def is_quoted_in(memory: Memory, reply: str) -> bool:
    """True if a reply holds a sentence of the memory's own words."""
    line = " ".join(reply.split())
    sentences = split_sentences(" ".join(said_words(memory).split()))
    return any(sentence[:RECOGNISED] in line for sentence in sentences)
