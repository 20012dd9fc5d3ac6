"""Repeated questions: what a turn adds beyond what was asked, so that no question hides its answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import READ_WHOLE
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.candidate_set import CandidateSet, Mask
from siliconfriend.recall.cue import Cue, remove_dates
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import asking_sentences, searched_text
from siliconfriend.recall.named_days import asks_only_for_time

REPEATED = 0.5
"""From this share of its words on, a sentence of a reply repeats what it was given; of what a
person says, more than this share must stand in one memory alone, since all that was brought to
mind together holds half of the words of nearly anything."""

_ANY_DAY = date(2024, 2, 29)
"""Which words name a day does not depend on the day; a leap day, that none is refused."""

_CLAUSE = re.compile(
    r"[,;]\s+|[，；、]\s*|\s+(?:and|but)\s+(?=(?:do|did|what|which|where|when|who) )"
)

Content = frozenset[str]


def index_text_for(
    query: str,
    response: str,
    used: Iterable[Memory],
    *,
    day: str = "",
    turn: str = "",
) -> str | None:
    """Select the words a turn is found by: None for all of it, empty for none.

    Args:
        query: what the person said.
        response: what was answered; empty where it can hold nothing new.
        used: the memories that were brought to mind for the answer.
        day: the ISO date it was said on; what was said on it already is nothing new. On another
            day it is: who feels ill again says something.
        turn: id of the turn; what a night made of it while the answer was on its way holds the
            message itself, and is not looked at.
    """
    if len(query) > READ_WHOLE:
        return None  # no question, whatever is asked beside it
    used = [memory for memory in used if not _rests_on(memory, turn)]
    given = [_content_of(memory) for memory in used]
    asked = split_sentences(query)
    if _was_said_today(query, [memory for memory in used if memory.date == day]):
        news = []
    elif not any(_looks_back(sentence, given) for sentence in asked):
        news = asked
    else:
        news = [kept for sentence in asked for kept in _news_of(sentence, given)]
        if not news:
            # The answer to a question about the past is that past again, or that it is not known.
            return ""
    everything = Content().union(*given)
    answered = [sentence for sentence in split_sentences(response) if _content(sentence)]
    new_answers = [sentence for sentence in answered if not _repeats(sentence, everything)]
    if news == asked and new_answers == answered:
        return None
    return "\n".join([" ".join(news), " ".join(new_answers)]).strip()


def _rests_on(memory: Memory, turn: str) -> bool:
    return not isinstance(memory, Turn) and turn in memory.provenance.from_ids


def _was_said_today(query: str, today: Iterable[Memory]) -> bool:
    """True if each sentence says what one sentence said: several hold what none of them says."""
    asked = [content for content in map(_content, split_sentences(query)) if content]
    said = [_content(sentence) for it in today for sentence in split_sentences(_words_of(it))]
    return bool(asked) and all(any(content <= it for it in said) for content in asked)


def _news_of(sentence: str, given: Sequence[Content]) -> list[str]:
    """What of a sentence is new, where somebody asks about the past in the same breath."""
    if not is_question(sentence):
        return [] if _is_known(sentence, given) or _is("talk", sentence) else [sentence]
    if not _looks_back(sentence, given):
        # Of "What was it about? And its name?" the second says nothing by itself.
        return [sentence] if len(_content(sentence)) > 1 else []
    return [
        clause
        for clause in _clauses(sentence)
        if len(_content(clause)) > 1
        and not is_question(clause)
        and not _is("talk", clause)
        and not _is("memory", clause)
        and not _is_known(clause, given)
    ]


def _looks_back(sentence: str, given: Sequence[Content]) -> bool:
    """True for a question about what was said or happened, or that what it recalled answers.

    A question that weighs what to do ("Should I take the job in Berlin?") tells of the
    person's life unless every word of it was there before.
    """
    if not is_question(sentence):
        return False
    if _is("memory", sentence) or _is("talk", sentence):
        return True
    content = _content(sentence)
    if _is("deliberate", sentence):
        return any(content and content <= memory for memory in given)
    asks_for_a_fact = _is("fact", sentence)
    is_past = _is("past", sentence) or bool(find_dates_said_on(sentence, _ANY_DAY))
    # "What do I drink?" can only be answered from what was said, and itself tells nothing.
    is_of_oneself = _is("oneself", sentence) and len(content) < 2
    return (asks_for_a_fact and (is_past or is_of_oneself)) or _is_known(sentence, given)


def _is_known(sentence: str, given: Sequence[Content]) -> bool:
    """True if most of its words occur in one memory, or it has none but those for a day."""
    content = _content(sentence)
    return not content or any(len(content & memory) > REPEATED * len(content) for memory in given)


def _repeats(sentence: str, given: Content) -> bool:
    content = _content(sentence)
    return bool(content & given) and len(content & given) >= REPEATED * len(content)


def _clauses(sentence: str) -> list[str]:
    """Split a sentence into clauses; one without a word of its own (", right?") goes with the last."""
    found: list[str] = []
    for clause in _CLAUSE.split(sentence):
        if found and not _content(clause):
            found[-1] = f"{found[-1]}, {clause}"
        else:
            found.append(clause)
    return found


def _content(sentence: str) -> Content:
    """The tokens of a sentence but for those that name days."""
    return frozenset(tokenize(remove_dates(sentence, find_dates_said_on(sentence, _ANY_DAY))))


def _content_of(memory: Memory) -> Content:
    return frozenset(tokenize(_words_of(memory)))


def _words_of(memory: Memory) -> str:
    return f"{memory.query}\n{memory.response}" if isinstance(memory, Turn) else memory.text


def _is(sign: str, sentence: str) -> bool:
    """True if a sentence matches the patterns of a sign, in either language."""
    return matches("recall", f"echo.{sign}", fold(sentence))


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
