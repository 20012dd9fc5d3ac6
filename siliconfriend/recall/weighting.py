"""How much each word counts where key words are weighed and expanded (dynamic memory, version 4).

That version searches with the key words of the last reply and the message and with what
comes to mind with them, each with a weight of its own. Counted alike, a hundred words that
nobody said would outvote the few that were.
"""

from __future__ import annotations

from collections.abc import Mapping

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.association_table import HIGHEST
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.facts import FactQuery

EXPANDED = 0.3
"""A word at level 9 counts this beside a key word of the usual weight."""


def word_weights(question: FactQuery, cue: Cue) -> Mapping[str, float]:
    """The weight of each stem to look for, key words 1 in the mean; those of its days left out."""
    dated = {stem for span in cue.spans for stem in tokenize(span.words)}
    put_in = {
        it.stem: it.weight * len(question.terms) for it in question.terms if it.stem not in dated
    }
    added = {
        stem: EXPANDED * min(level, HIGHEST) / HIGHEST
        for word, level in reversed(question.expanded)
        for stem in tokenize(word)
    }
    return {**added, **put_in}
