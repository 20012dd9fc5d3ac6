"""Measure the share of one text's words that another holds: whether an answer speaks of what is asked.

Looser than tokens: the forms of an irregular verb are one word ("buy", "bought"), and a Chinese
word is held where its characters stand, however the segmenter cuts the text around them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from siliconfriend.language.characters import fold
from siliconfriend.language.content_words import content_words
from siliconfriend.language.tokenizer import stem
from siliconfriend.language.word_lists import word_list


def content_forms(text: str) -> frozenset[str]:
    """The content words of a text, each by one form."""
    return frozenset(base_form(word.root) for word in content_words(text))


def base_form(root: str) -> str:
    """The root of a word in its base form: of an irregular verb's past the verb itself."""
    return _irregular().get(root, root)


def held_in(text: str, words: Collection[str]) -> frozenset[str]:
    """Which of some content forms a text holds."""
    forms, plain = content_forms(text), fold(text)
    return frozenset(
        word for word in words if word in forms or (not word.isascii() and word in plain)
    )


@cache
def _irregular() -> Mapping[str, str]:
    """The roots of irregular forms and of their verbs."""
    pairs = (pair.split("=") for pair in word_list("words", "irregular"))
    return {stem(form): stem(verb) for form, verb in pairs}
