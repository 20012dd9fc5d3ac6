"""Grade a reply: right, refused or invented.

Rules make the grade reproducible without a model. What can be answered is *right* where
at least half of the content words of the gold answer stand in the reply (but for what stands in
brackets), *refused* where it is not and the reply has one of the ``refusals`` of
``texts/*/evaluation.toml`` outside quotation marks. An unanswerable question is right where the
reply refuses; one with a false premise where the reply denies it, or has words of the answer that
the question does not have, and does not begin by agreeing. Otherwise such a reply has *invented*
something.
"""

import re
from typing import Literal

from siliconfriend.language.characters import fold
from siliconfriend.language.numbers import numbers_to_digits
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import share_of, word_set

FALSE_PREMISE, UNANSWERABLE = "false-premise", "unanswerable"
Grade = Literal["right", "wrong", "refused", "invented"]
RECALL_THRESHOLD = 0.5
"""Minimum share of the gold answer's content words in a reply. Half, since gold answers contain
extra details and replies use other words."""
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|《[^》]*》")
_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|【[^【】]*】")


def grade_reply(kind: str, gold: str, reply: str, question: str = "") -> Grade:
    """Return the grade of a reply to a question of a kind, by the rule above.

    ``question`` matters only for false premises.
    """
    refuses = _has("refusals", reply)
    if kind == UNANSWERABLE:
        return "right" if refuses else "invented"
    if kind == FALSE_PREMISE:
        new = gold_tokens(gold) - _tokens(question)
        answered = bool(new) and share_of(new, _tokens(reply)) >= RECALL_THRESHOLD
        if (answered or _has("denials", reply)) and not _has("agreements", reply):
            return "right"
        return "refused" if refuses else "invented"
    if token_recall(gold, reply) >= RECALL_THRESHOLD:
        return "right"
    return "refused" if refuses else "wrong"


def token_recall(gold: str, reply: str) -> float:
    """Return the share of the gold answer's tokens in the reply; 0 without tokens."""
    wanted = gold_tokens(gold)
    return share_of(wanted, _tokens(reply)) if wanted else 0.0


def gold_tokens(gold: str) -> frozenset[str]:
    """Return the tokens of a gold answer outside brackets, else those inside."""
    outside = _BRACKETS.sub(" ", gold)
    return _tokens(outside) or _tokens(gold)


def _tokens(text: str) -> frozenset[str]:
    """Return the tokens of a text, number words of both languages as digits."""
    return word_set(numbers_to_digits(text))


def _has(phrases: str, reply: str) -> bool:
    """Return True if a reply has such a phrase outside of quotation marks."""
    own = _QUOTED.sub(" ", reply).replace("’", "'")
    return matches("evaluation", phrases, fold(own).strip())
