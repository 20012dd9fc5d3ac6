"""Which memories the offline companion hands out as the answer to a question.

Whatever ranks best looks like an answer. Asked how tall someone is, the companion must not give
back the last thing it heard of them, as if it were said there; so it asks first whether the
memory tells of what was asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from siliconfriend.language.overlap import overlap_terms
from siliconfriend.recall.answers import names_asked, own_words, what_else
from siliconfriend.recall.matters import asks_several, matters_asked
from siliconfriend.recall.results import Recalled

MOST_QUOTED = 3
"""Most answers that are quoted, as many again where the question asks for several."""

SHARED = 2
"""So many words of the question, and half of them, a memory must have that tells of no matter
asked about, or that lacks a name in it, to be given as the answer all the same."""


def quotable_answers(said: str, answers: Sequence[Recalled]) -> list[Recalled]:
    """The answers that a reply quotes, best first."""
    return list(answers[: 2 * MOST_QUOTED if asks_several(said) else MOST_QUOTED])


def comes_near(said: str, found: Sequence[Recalled]) -> bool:
    """True if what does not answer may be given as what comes nearest.

    Of a matter that is asked about it must share more than the words that ask for it.
    """
    matters = matters_asked(said)
    words = overlap_terms("\n".join(own_words(recalled.memory) for recalled in found))
    return not matters or bool(what_else(said, *matters) & words)


def may_answer(said: str, found: Sequence[Recalled]) -> bool:
    """True if what ranking found may be given as the answer, and not only as what comes nearest."""
    words = "\n".join(own_words(recalled.memory) for recalled in found)
    plain = words.casefold()
    lacks_name = any(name.casefold() not in plain for name in names_asked(said))
    if not lacks_name and not matters_asked(said):
        return True
    asked = overlap_terms(said)
    shared = asked & overlap_terms(words)
    return len(shared) >= SHARED and 2 * len(shared) >= len(asked)
