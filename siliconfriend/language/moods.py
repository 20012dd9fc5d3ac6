"""Find mood words in both languages from a list, without negated ones."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from siliconfriend.language.characters import fold
from siliconfriend.language.word_lists import word_list, word_pattern
from siliconfriend.texts import LANGUAGES, area

_DENIED = re.compile(
    r"(?:\b(?:not|no|never|without|hardly|nobody|none|cannot|nothing|no one"
    r"|(?:do|does|did|is|are|was|were|have|has|had|could|would|should|ca|wo|ai)n'?t)"
    r"(?:\s+(?!stop|help|but|only|just|so)\w+){0,2}\s+"
    r"|(?:[不没无未]|(?<![特分区级])别)(?:太|怎么|那么|很|再|有|会|用|要|是|人|谁|能|想|觉得|感到|曾|什么|这么|特别|非常|让人?|令人){0,2})$",
    re.IGNORECASE,
)

_PIECE = re.compile(r"[a-z0-9]+|[^\x00-\x7f]")
"""Matches an English word in lower case, or one character of another language."""


def moods_of(sentences: Iterable[str]) -> Counter[str]:
    """Count the sentences that name each mood, by its key in ``moods.toml``, such as ``happy``."""
    found: Counter[str] = Counter()
    for sentence in sentences:
        plain = fold(sentence).replace("’", "'")
        said = _PIECE.findall(plain)
        for mood, beginnings, pattern in _patterns():
            # This check is a hundred times faster than the pattern.
            if beginnings.isdisjoint(said):
                continue
            if any(not _DENIED.search(plain[: match.start()]) for match in pattern.finditer(plain)):
                found[mood] += 1
    return found


@cache
def _patterns() -> list[tuple[str, frozenset[str], re.Pattern[str]]]:
    """Return each mood with the first piece of each of its words, and the pattern of all."""
    found = []
    for key in area("moods", LANGUAGES[0]):
        words = word_list("moods", f"{key}.words")
        beginnings = frozenset(_PIECE.findall(word.casefold())[0] for word in words)
        found.append((key, beginnings, word_pattern("moods", f"{key}.words")))
    return found
