"""Repeated questions: find what a turn adds beyond its question, which else would hide the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from siliconfriend.language.characters import fold
from siliconfriend.language.message import Message, read_message
from siliconfriend.language.sentences import CLAUSE, split_sentences
from siliconfriend.language.words import READ_WHOLE, share_of, word_set
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.cue import ANY_DAY, Cue, undated
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.documents import asking_sentences, searched_text

REPEATED = 0.5
"""From this share of its words on, a sentence of a reply repeats what it was given; of what a
person says, more than this share must stand in one memory alone, since all that was brought to
mind together holds half of the words of nearly anything."""

Words = frozenset[str]


def index_text_for(
    query: str,
    response: str | None,
    used: Iterable[Memory],
    *,
    day: str = "",
    turn: str = "",
) -> str | None:
    """Select the words a turn is found by: None for all of it, empty for none.

    Args:
        query: what the person said.
        response: what was answered; None where no model did, which only quotes or denies: a
            question for a fact then has no answer that could be found.
        used: the memories that were brought to mind for the answer.
        day: the ISO date it was said on; what was said on it already is nothing new. On another
            day it is: who feels ill again says something.
        turn: id of the turn; what a night made of it while the answer was on its way holds the
            message itself, and is not looked at.
    """
    if len(query) > READ_WHOLE:
        return None  # no question, whatever is asked beside it
    if response is None and read_message(query).asks_only_for_fact:
        return ""
    used = [it for it in used if isinstance(it, Turn) or turn not in it.provenance.from_ids]
    recalled = [word_set(memory.text) for memory in used]
    asked = split_sentences(query)
    if _was_said_today(query, [memory for memory in used if memory.date == day]):
        news = []
    elif not any(_looks_back(sentence, recalled) for sentence in asked):
        news = asked
    else:
        news = [kept for sentence in asked for kept in _news_of(sentence, recalled)]
        if not news:
            # The answer to a question about the past is that past again, or that it is not known.
            return ""
    everything = Words().union(*recalled)
    answered = [sentence for sentence in split_sentences(response or "") if _words(sentence)]
    new_answers = [sentence for sentence in answered if not _repeats(sentence, everything)]
    if news == asked and new_answers == answered:
        return None
    return "\n".join([" ".join(news), " ".join(new_answers)]).strip()


def _was_said_today(query: str, today: Iterable[Memory]) -> bool:
    """True if each sentence says what one sentence said: several hold what none of them says."""
    asked = [words for words in map(_words, split_sentences(query)) if words]
    said = [_words(sentence) for it in today for sentence in split_sentences(it.text)]
    return bool(asked) and all(any(words <= it for it in said) for words in asked)


def _news_of(sentence: str, recalled: Sequence[Words]) -> list[str]:
    whole = Message(sentence)
    if not whole.is_question:
        return [] if _is_known(sentence, recalled) or whole.has_sign("talk") else [sentence]
    if not _looks_back(sentence, recalled):
        # Of "What was it about? And its name?" the second says nothing by itself.
        return [sentence] if len(_words(sentence)) > 1 else []
    said = [it for it in _clauses(sentence) if len(_words(it)) > 1 and not Message(it).is_question]
    told = [it for it in said if not Message(it).has_sign("talk", "memory")]
    return [it for it in told if not _is_known(it, recalled)]


def _looks_back(sentence: str, recalled: Sequence[Words]) -> bool:
    """True for a question about what was said or happened, or that what it recalled answers.

    A question that weighs what to do ("Should I take the job in Berlin?") tells of the
    person's life unless every word of it was there before.
    """
    said, days = Message(sentence), find_dates_said_on(sentence, ANY_DAY)
    if not said.is_question or (said.asks_for_reminder and days):
        return False
    if said.has_sign("memory", "talk"):
        return True
    words = _words(sentence)
    if said.has_sign("deliberate"):
        return any(words and words <= memory for memory in recalled)
    is_past = said.has_sign("past") or bool(days)
    # "What do I drink?" can only be answered from what was said, and itself tells nothing.
    is_of_oneself = said.has_sign("oneself") and len(words) < 2
    asks_for_a_fact = said.has_sign("fact") and (is_past or is_of_oneself)
    return asks_for_a_fact or _is_known(sentence, recalled)


def _is_known(sentence: str, recalled: Sequence[Words]) -> bool:
    """Return True if most of its words occur in one memory, or it has none but those for a day."""
    words = _words(sentence)
    return not words or any(share_of(words, memory) > REPEATED for memory in recalled)


def _repeats(sentence: str, recalled: Words) -> bool:
    words = _words(sentence)
    return bool(words) and share_of(words, recalled) >= REPEATED


def _clauses(sentence: str) -> list[str]:
    """Split a sentence into clauses; one without a word of its own (", right?") goes with the last."""
    found: list[str] = []
    for clause in CLAUSE.split(sentence):
        if found and not _words(clause):
            found[-1] = f"{found[-1]}, {clause}"
        else:
            found.append(clause)
    return found


def _words(sentence: str) -> Words:
    return word_set(undated(sentence))


WHOLE_REPLY = 8
"""A reply with so many new words is an answer to its question; many a short one only passes the
question back ("That's a good question! What do you think?")."""


def new_share(memory: Memory, cue: Cue) -> float:
    """Compute what a memory that asks the question again adds to it: 1 a whole reply, 0 nothing.

    Call it for what the person said in words of the question alone. What asks nothing adds all
    that it says even then.
    """
    text = searched_text(memory)
    if fold(text).strip() == fold(cue.message).strip():
        return 0.0
    if not asking_sentences(memory, text):
        return 1.0
    searched = {token for _, token in cue.tokens}
    return min(1.0, len(word_set(text) - searched) / WHOLE_REPLY)
