"""Excerpts of long memories: the sentences that answer a question.

Only words that were said are ever quoted; what is left out is marked with an ellipsis.
"""

from __future__ import annotations

from collections.abc import Callable

from siliconfriend.language.overlap import overlap_terms
from siliconfriend.language.sentences import join_sentences, split_sentences

LONGEST_QUOTE = 220
"""Characters of a quotation before it is cut to the sentences that matter."""


def excerpt(
    text: str,
    about: frozenset[str],
    longest: int = LONGEST_QUOTE,
    tells: Callable[[str], bool] = lambda _: False,
) -> str:
    """The text on one line; of a long one the sentences that matter most.

    Args:
        text: what is quoted.
        about: the terms of a question, as :func:`overlap_terms` gives them.
        longest: characters from which on it is cut.
        tells: whether a sentence answers the question, whatever words they share.
    """
    whole = " ".join(text.split())
    if len(whole) <= longest:
        return whole
    sentences = split_sentences(whole)
    best = max(
        range(len(sentences)),
        key=lambda at: (tells(sentences[at]), len(about & overlap_terms(sentences[at])), -at),
    )
    first = last = best
    while True:
        if last + 1 < len(sentences) and _length(sentences[first : last + 2]) <= longest:
            last += 1
        elif first > 0 and _length(sentences[first - 1 : last + 1]) <= longest:
            first -= 1
        else:
            break
    words = join_sentences(sentences[first : last + 1])
    if len(words) > longest:
        words, last = words[:longest].rstrip(), -1
    before = "… " if first > 0 else ""
    after = "" if last == len(sentences) - 1 else " …"
    return f"{before}{words}{after}"


def _length(sentences: list[str]) -> int:
    return len(join_sentences(sentences))
