"""What of a memory was told, and whether a reply holds it.

A question, a request, a thank-you or "I do not know what to do" tells nothing: quoted as an answer it would be a gap with
quotation marks around it.
"""

from __future__ import annotations

from functools import lru_cache

from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.weaving import in_second_person
from siliconfriend.language.characters import fold
from siliconfriend.language.content_words import content_words, is_courtesy, is_small_talk
from siliconfriend.language.long_texts import beginning_and_end
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import matches
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
    sentences = split_sentences(" ".join(said_words(memory).split()))
    return any(_beginning(sentence) in line for sentence in sentences)


def _beginning(sentence: str) -> str:
    """What of a sentence is looked for in a reply."""
    return in_second_person(sentence).rstrip(" .!。！")[:RECOGNISED]
