"""What pages that belong to one talk are about together: one text, updated as they come.

Each page of a linked talk is recalled with it, so a page from the middle is understood.
"""

from __future__ import annotations

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import split_sentences

LONGEST = 600
"""Characters of an overview; from then on its oldest sentences make room."""


def updated(overview: str, summary: str) -> str:
    """The overview with the sentences of a summary that it lacks, the newest at its end."""
    found = split_sentences(overview)
    known = {fold(it) for it in found}
    found += [it for it in split_sentences(summary) if fold(it) not in known]
    while len(found) > 1 and sum(map(len, found)) > LONGEST:
        del found[0]
    text = found[0] if found else ""
    for sentence in found[1:]:
        text += sentence if is_chinese(text[-2:]) else f" {sentence}"
    return text
