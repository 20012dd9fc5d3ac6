"""Estimate how many tokens a text takes, rather too many: too few cost the whole reply."""

from __future__ import annotations

from collections.abc import Iterable

from siliconfriend.language.sentences import join_sentences, split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.models.base import Message

LATIN_CHARACTERS = 3.5
"""Characters of a token in scripts with an alphabet; common models have about 4."""
MESSAGE_TOKENS = 6
"""Tokens of a message besides its words: the marks of its role."""


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text: one for each Chinese character, one for 3.5 others."""
    wide = sum(mark >= "\u2e80" for mark in text)
    return wide + round((len(text) - wide) / LATIN_CHARACTERS + 0.5)


def estimate_message_tokens(messages: Iterable[Message]) -> int:
    """Estimate the tokens of whole messages."""
    return sum(estimate_tokens(message.content) + MESSAGE_TOKENS for message in messages)


def truncate(text: str, tokens: int) -> str:
    """Truncate the text after about ``tokens``, with an ellipsis, and put it on one line."""
    line = " ".join(text.split())
    length = estimate_tokens(line)
    return line if length <= tokens else line[: len(line) * tokens // length] + "…"


def sentences_within(text: str, tokens: int, about: str = "") -> str:
    """Return the text, or as many of its sentences as fit, in their order.

    Those that share most words with ``about`` are kept first, then those that come first.
    """
    words = text.strip()
    if estimate_tokens(words) <= tokens:
        return words
    sentences, terms = split_sentences(words), set(tokenize(about))
    shared = [len(terms.intersection(tokenize(sentence))) for sentence in sentences]
    kept = set[int]()
    for at in sorted(range(len(sentences)), key=lambda it: -shared[it]):
        longer = " ".join(sentences[it] for it in sorted({*kept, at}))
        if estimate_tokens(longer) <= tokens:
            kept.add(at)
        elif not shared[at]:
            break
    return join_sentences([sentences[it] for it in sorted(kept)])
