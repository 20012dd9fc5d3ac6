"""English contractions written out, so that a pattern need know one way of saying a thing.

People leave the apostrophe out as often as not ("im", "dont"), and drag words out ("sooo").
"""

from __future__ import annotations

import re

from siliconfriend.language.characters import fold

_WRITTEN_OUT = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"([a-z])\1{2,}", r"\1"),
        (r"\bi'?m\b", "i am"),
        (r"\b(?:can'?t|cannot)\b", "can not"),
        (r"\bwon'?t\b", "will not"),
        (r"\bain'?t\b", "is not"),
        (
            r"\b(do|does|did|is|are|was|were|has|have|had|could|would|should|must|need)n'?t\b",
            r"\1 not",
        ),
        (r"\b(\w+)'ve\b|\b(i|you|we|they)ve\b", r"\1\2 have"),
        (r"\b(\w+)'re\b|\b(you|they)re\b", r"\1\2 are"),
        (r"\b(\w+)'ll\b", r"\1 will"),
        (r"\b(\w+)'s (?=been\b|got\b)|\b(it|he|she)s (?=been\b|got\b)", r"\1\2 has "),
        (r"\b(\w+)'s\b|\b(he|she|that|what|there)s\b", r"\1\2 is"),
        (r"\bits (?=(?:an?|not|so|just|really|too)\b)", "it is "),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
    )
)


def written_out(text: str) -> str:
    """The folded text with its contractions written out: "Amara's pregnant" has "is".

    Whose something is reads as "is" too: "mum is ring" is mum's.
    """
    plain = fold(text).replace("’", "'")
    for pattern, instead in _WRITTEN_OUT:
        plain = pattern.sub(instead, plain)
    return plain
