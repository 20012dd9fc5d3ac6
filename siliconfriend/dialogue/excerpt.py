"""Which words of a memory answer a question: whose they are, and which part of them.

Only words that were said are ever quoted; what is left out is marked with an ellipsis.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from siliconfriend.texts import LANGUAGES, area

LONGEST_QUOTE = 220
"""Characters of a quotation before it is cut to the sentences that matter."""
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？…]|\n|$)", re.DOTALL)
_STEM = 5


def content_words(text: str) -> frozenset[str]:
    """What a text is about: its words by their first letters, its Chinese in pairs.

    Words every sentence has are left out, so that sharing one means something.
    """
    plain = unicodedata.normalize("NFKC", text).lower()
    idle = _stop_words()
    found = {
        word[:_STEM] for word in re.findall(r"[^\W_\u3400-\u9fff]+", plain) if word not in idle
    }
    for stretch in re.findall(r"[\u3400-\u9fff]+", _idle_chinese().sub(" ", plain)):
        found.update(stretch[at : at + 2] for at in range(len(stretch) - 1))
    return frozenset(found)


@cache
def _idle_chinese() -> re.Pattern[str]:
    words = (word for word in _stop_words() if not word.isascii())
    return re.compile("|".join(sorted(words, key=len, reverse=True)))


@cache
def _stop_words() -> frozenset[str]:
    lists = (area("dialogue", language)["signs"]["stop_words"] for language in LANGUAGES)
    return frozenset(word for words in lists for word in words.split())


def sentences_in(text: str) -> list[str]:
    """The sentences of a text, in both languages' marks."""
    found = (it.group().strip() for it in _SENTENCE.finditer(text))
    return [it for it in found if it]


def excerpt(text: str, about: frozenset[str], longest: int = LONGEST_QUOTE) -> str:
    """The text, or where it is long the sentences of it that have most to do with ``about``."""
    whole = " ".join(text.split())
    if len(whole) <= longest:
        return whole
    sentences = sentences_in(whole)
    best = max(
        range(len(sentences)), key=lambda at: (len(about & content_words(sentences[at])), -at)
    )
    first = last = best
    while True:
        if last + 1 < len(sentences) and _length(sentences[first : last + 2]) <= longest:
            last += 1
        elif first > 0 and _length(sentences[first - 1 : last + 1]) <= longest:
            first -= 1
        else:
            break
    words = _joined(sentences[first : last + 1])
    if len(words) > longest:
        words, last = words[:longest].rstrip(), -1
    before = "… " if first > 0 else ""
    after = "" if last == len(sentences) - 1 else " …"
    return f"{before}{words}{after}"


def _joined(sentences: list[str]) -> str:
    return re.sub(r"(?<=[。！？…]) ", "", " ".join(sentences))


def _length(sentences: list[str]) -> int:
    return len(_joined(sentences))
