"""What of a memory was told, and whether a reply holds it.

A question, a request, a thank-you or "I do not know what to do" tells nothing: quoted as an answer it would be a gap with
quotation marks around it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.weaving import in_second_person
from siliconfriend.language.characters import fold
from siliconfriend.language.content_words import content_words, is_courtesy, is_small_talk
from siliconfriend.language.long_texts import beginning_and_end
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.documents import own_words

RECOGNISED = 40
"""Characters of a sentence by which a quotation of it is recognised."""


_HEAD = re.compile(r"\W*[^,.!?;:，。！？；：~～…\n]{1,30}[,.!?;:，。！？；：~～…\n]+\s*(?=\w)")
"""What stands before the first mark of a message."""


def said_words(memory: Memory) -> str:
    """The person's words of a turn behind its greeting, or kept in a fact; of anything else its text."""
    return without_greeting(memory.query) if isinstance(memory, Turn) else own_words(memory)


@lru_cache(maxsize=4096)
def without_greeting(words: str) -> str:
    """Leave out the greeting that a message begins with: nobody's "hi" is quoted months later.

    What is nothing but a greeting stays.
    """
    while (head := _HEAD.match(words)) and classify_intent(head.group()) == "greeting":
        words = words[head.end() :]
    return words


@lru_cache(maxsize=4096)
def tells_something(words: str) -> bool:
    """True if a sentence of these words tells something: no question, request or courtesy."""
    return any(
        classify_intent(sentence) == "statement"
        and bool(content_words(sentence))
        and not (is_small_talk(sentence) and is_courtesy(sentence))
        and not matches("dialogue", "signs.tells_nothing", fold(sentence))
        for sentence in split_sentences(beginning_and_end(words))
    )


@lru_cache(maxsize=4096)
def telling_share(words: str) -> float:
    """The share of the sentences of these words that tell of the person, and do not turn to the companion.

    "I will try that, thank you" is a statement, and nothing that anybody asks for later.
    """
    sentences = split_sentences(beginning_and_end(words))
    telling = [
        it
        for it in sentences
        if classify_intent(it) == "statement"
        and not is_courtesy(it)
        and not matches("dialogue", "signs.spoken_to", fold(it))
    ]
    return len(telling) / len(sentences) if sentences else 0.0


def is_quoted_in(memory: Memory, reply: str) -> bool:
    """True if a reply holds a sentence of the memory's words, as they were said or woven into one."""
    line = in_second_person(" ".join(reply.split()))
    return any(beginning in line for beginning in _beginnings(said_words(memory)))


@lru_cache(maxsize=1024)
def _beginnings(words: str) -> tuple[str, ...]:
    """What of each sentence is looked for in a reply; of a bare "Well." only where there is no other."""
    sentences = split_sentences(" ".join(words.split()))
    telling = [it for it in sentences if content_words(it)] or sentences
    return tuple(in_second_person(it).rstrip(" .!。！")[:RECOGNISED] for it in telling)
