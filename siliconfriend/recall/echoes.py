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

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.candidate_set import CandidateSet, Mask
from siliconfriend.recall.cue import Cue
from siliconfriend.recall.documents import asking_sentences, searched_text
from siliconfriend.recall.time_spans import asks_only_for_time

ENOUGH = 10
"""The candidates nearest in words and in meaning are read until so many of each tell something.
What is farther away cannot stand before those; to read all would take longer than to find them."""

ASKED = 0.5
"""What a word counts that the person only asked with, beside one that they told: "Should I take
the job in Berlin?" tells of a job in Berlin, though less than having taken it."""

WHOLE_REPLY = 8
"""A reply with so many new words is an answer to its question; many a short one only passes the
question back ("That's a good question! What do you think?")."""


def with_new_shares(candidates: CandidateSet, cue: Cue) -> CandidateSet:
    """The candidates with what each adds beyond a question, and lends to the turns beside it.

    A remark looks for no answer, so for a remark each adds all that it says. So does, for who
    asks only what was talked about on a day, what was asked on that day.
    """
    if not cue.is_question:
        return candidates
    is_all_asked = (candidates.told_match > 0) & asks_only_for_time(cue)
    shares, lent = np.ones(len(candidates)), np.ones(len(candidates))
    for nearness in (candidates.dense, candidates.lexical):
        telling = 0
        for at in np.argsort(-nearness, kind="stable"):
            if nearness[at] <= 0 or telling == ENOUGH:
                break
            if candidates.asks[at]:
                memory = candidates.memories[at]
                shares[at] = new_share(memory, cue)
                if is_all_asked[at] and shares[at] > 0:
                    shares[at] = 1.0
                # A question without a reply may be answered by what was said next.
                lent[at] = shares[at] if _is_answered(memory) or not shares[at] else 1.0
            telling += shares[at] == 1.0
    return replace(candidates, new_share=shares, lent_share=lent)


def is_echo(candidates: CandidateSet) -> Mask:
    """Which candidates add nothing to the message, and so answer nothing."""
    return np.broadcast_to(np.asarray(candidates.new_share) <= 0.0, len(candidates))


def new_share(memory: Memory, cue: Cue) -> float:
    """What a memory adds beyond a question: 1 all that it says, 0 nothing.

    What asks nothing itself adds all that it says, even where the message has each word of it.
    Else it is ``n / (n + 1)`` with n new words of the person, for two tell more than one and
    twenty hardly more than ten; of what that leaves open a reply fills its part.
    """
    text = searched_text(memory)
    if fold(text).strip() == fold(cue.message).strip():
        return 0.0
    asking = asking_sentences(memory, text)
    if not asking:
        return 1.0
    asked, told, replied = _words(text, memory, asking)
    searched = {token for _, token in cue.tokens}
    known = asked | searched
    new = len(told - known) + ASKED * len(asked - searched)
    answered = min(1.0, len(replied - told - known) / WHOLE_REPLY)
    return answered + (1.0 - answered) * new / (new + 1.0)


def _is_answered(memory: Memory) -> bool:
    return isinstance(memory, Turn) and bool(memory.response.strip())


def _words(
    text: str, memory: Memory, asking: Collection[str]
) -> tuple[set[str], set[str], set[str]]:
    """The tokens that a person asks with, tells, and is answered with."""
    said = memory.query if isinstance(memory, Turn) else text
    asked, told, replied = set[str](), set[str](), set[str]()
    for sentence in split_sentences(text):
        words = asked if sentence in asking else told if sentence in said else replied
        words.update(tokenize(sentence))
    return asked, told, replied
