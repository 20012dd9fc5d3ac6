"""Echoes: what a memory adds beyond what is asked, so that no question buries its own answer.

"What happened in Lima?", asked yesterday, is nearer to the same question today than "I was in
Lima in 2012" can ever be, in words and in meaning. But it adds nothing. So a question is
answered by what a memory tells: the words outside its own questions, and within them those that
are not asked for now. A memory that asks and adds little is lowered by that, one that adds
nothing answers nothing. :mod:`siliconfriend.recall.index_text` keeps what only looks back out of
the index where that can be told when it is said; bypassed here, each time somebody asks the same
in other words pushes the answer further down.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.candidate_set import CandidateSet, Numbers
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.documents import searched_text

ENOUGH = 10
"""The candidates nearest in words and in meaning are read until so many of each tell something.
What is farther away cannot stand before those; to read all would take longer than to find them."""

ASKED = 0.5
"""What a word counts that somebody only asked with, beside one that was told: "Should I take the
job in Berlin?" tells of a job in Berlin, though less than having taken it."""


def new_shares(candidates: CandidateSet, cue: Cue) -> Numbers:
    """Weigh what each candidate adds beyond a message: 1 all that it says, 0 nothing.

    What asks nothing itself adds all that it says, even where the message has each word of it.
    Else it is ``n / (n + 1)`` with n new words: two tell more than one, and twenty hardly more
    than ten. A remark looks for no answer, so for a remark each adds all that it says.
    """
    shares = np.ones(len(candidates))
    if not cue.is_question:
        return shares
    message = fold(cue.message).strip()
    searched = frozenset(token for _, token in cue.tokens)
    for nearness in (candidates.dense, candidates.lexical):
        telling = 0
        for at in np.argsort(-nearness, kind="stable"):
            if nearness[at] <= 0 or telling == ENOUGH:
                break
            text = searched_text(candidates.memories[at])
            shares[at] = _new_share(text, message, searched)
            telling += shares[at] == 1.0
    return shares


def without_echoes(candidates: CandidateSet, shares: Numbers) -> CandidateSet:
    """The candidates, each as near to the message as what it adds is worth."""
    mean = candidates.dense_mean
    lowered = mean + shares * (candidates.dense - mean)
    return replace(
        candidates,
        dense=np.where(shares < 1.0, np.minimum(lowered, candidates.dense), candidates.dense),
        lexical=shares * candidates.lexical,
    )


def _new_share(text: str, message: str, searched: frozenset[str]) -> float:
    """What a text adds beyond a message and the words that are searched for it."""
    if fold(text).strip() == message:
        return 0.0
    if not is_question(text) and "\n" not in text:
        return 1.0
    asked, told = set[str](), set[str]()
    is_asking = False
    for sentence in split_sentences(text):
        is_asking = is_asking or is_question(sentence)
        (asked if is_question(sentence) else told).update(tokenize(sentence))
    if not is_asking:
        return 1.0
    new = len(told - asked - searched) + ASKED * len(asked - searched)
    return new / (new + 1.0)
