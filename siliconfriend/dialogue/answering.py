"""Chooses what answers a question, and says how sure it is that it does.

Recall always finds something that comes near. Whether it was told what the question asks is
judged by the words: where the memory holds nearly all that the question names, it is quoted as
the answer; where it holds less, it is called what comes nearest; and a name that stands nowhere
in it was not spoken of there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Literal

from siliconfriend.dialogue.intent import asks_what_companion_said
from siliconfriend.dialogue.matching import own_match
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.quoting import Quoter, in_own_words, is_own, without_repeats
from siliconfriend.dialogue.told_words import said_words, telling_share, tells_something
from siliconfriend.language.characters import fold
from siliconfriend.language.content_words import content_words
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_coverage import base_form, content_forms, held_in
from siliconfriend.language.word_lists import matches, word_list
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.recall.cue import find_names, name_words, remove_dates
from siliconfriend.recall.dates import DateSpan, find_dates
from siliconfriend.recall.results import Recalled

Certainty = Literal["sure", "unsure", "nearest"]

ANSWERED = 0.75
"""The share of a question's content words that a memory must hold to be quoted as its answer:
one in four may be worded otherwise."""

ANSWERED_OF_DAY = 0.5
"""The same where the memory is of the days that the question names, which answer a part of it."""

WORDS_COUNT = 0.5
"""What holding all of the question's words is worth, of the best memory's score."""

FEAST_COUNTS, TIME_COUNTS = 0.5, 1.0
"""What being of the time that the question names is worth beside it: less for a feast of no year,
since one of another year may be asked about."""

RARE_COUNTS = 0.7
"""What having nothing but rare words is worth: small talk has common ones."""

TELLING_COUNTS = 0.3
"""What telling of the person in every sentence is worth, and turning to the companion in none."""

MATCH_OF_TIME = 0.3
"""What matching counts where nothing but the time is to go by: more tells then what has rare words."""

ASKED_IN_TURN = 0.3
"""What a turn that only asks the companion something counts less, of the best memory's score."""

NOTED = 0.2
"""What a note counts less than the words themselves."""

FEW, SEVERAL = 2, 4
"""Most memories in the answer to a question for one thing, and for several."""

NEAR = 0.4
"""From this share of the best memory's rank on, another is worth quoting beside it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is quoted in answer to a question.

    Attributes:
        found: the memories, best first; none where nothing comes near.
        certainty: whether they answer it.
    """

    found: tuple[Recalled, ...]
    certainty: Certainty


def choose_answer(context: ReplyContext, quoter: Quoter) -> Answer:
    """Choose the memories that answer the message best."""
    question = _Question(context, quoter)
    ranked_ones = (it for it in context.recalled if "answer" not in it.parts)
    told = (in_own_words(it, context.memory, context.said) for it in ranked_ones)
    own = [it for it in told if it and is_own(it, context.memory) and question.may_answer(it)]
    if not any(it.is_relevant for it in own):
        return Answer((), "nearest")
    by_time = question.is_of_time_alone(own)
    if by_time:
        own = [it for it in own if question.is_of_time(it)]
    best = max(map(own_match, own), default=0.0)
    ranks = {it.memory.id: question.rank(it, best, by_time=by_time) for it in own}
    ranked = without_repeats(sorted(own, key=lambda it: -ranks[it.memory.id]))
    first, most = ranked[0], SEVERAL if question.wants_several else FEW
    least = NEAR * ranks[first.memory.id]
    others = [it for it in ranked[1:most] if ranks[it.memory.id] >= least]
    certainty = question.certainty(first)
    if question.wants_several:
        in_order = sorted([first, *others], key=lambda it: (it.memory.date, it.memory.id))
        return Answer(tuple(in_order), certainty)
    if certainty == "sure":
        others = [it for it in others if question.certainty(it) != "nearest"]
    return Answer((first, *others), certainty)


def named_spans(context: ReplyContext) -> tuple[DateSpan, ...]:
    """The days that the message names."""
    now = datetime.combine(context.today, time(12), tzinfo=UTC)
    return find_dates(context.said, now=now, zone=context.memory.profile.zone)


class _Question:
    """What a question names, and how much of it a memory holds."""

    def __init__(self, context: ReplyContext, quoter: Quoter) -> None:
        profile = context.memory.profile
        self._spans = named_spans(context)
        self._is_firm = bool(self._spans) and all(
            span.has_year or not span.told_after for span in self._spans
        )
        words = remove_dates(context.said, self._spans)
        speakers = name_words((profile.name, context.companion_name))
        of_anything = word_list("words", "of_anything") if self._spans else frozenset[str]()
        self._words = {
            base_form(word.root)
            for word in content_words(words)
            if word.root not in speakers and not {word.root, word.shown} & of_anything
        }
        if self._is_firm:
            self._words -= {form for span in self._spans for form in content_forms(span.words)}
        self._names = find_names(words, speakers)
        self._said, self._quoter = context.said, quoter
        self.wants_several = bool(self._spans and not self._words) or matches(
            "dialogue", "signs.several", fold(context.said)
        )

    def may_answer(self, recalled: Recalled) -> bool:
        """True if something was told in it, or if the companion's answer in it may be meant.

        What came only beside another memory has nothing of its own to answer with.
        """
        memory = recalled.memory
        if not recalled.is_relevant and own_match(recalled) <= 0:
            return False
        if not isinstance(memory, Turn) or tells_something(memory.query):
            return True
        if memory.replied_by == OFFLINE:  # such an answer holds nothing but quotations
            return False
        is_wanted = asks_what_companion_said(self._said) or self._coverage(memory) > 0
        return is_wanted and self._quoter.answer_is_ours(memory)

    def rank(self, recalled: Recalled, best: float, *, by_time: bool) -> float:
        """How well a memory itself matches, what of the question it holds, what it tells, and when."""
        memory = recalled.memory
        rank = own_match(recalled) / best if best > 0 else 0.0
        if by_time:
            rank *= MATCH_OF_TIME
        rank += WORDS_COUNT * self._coverage(memory) + RARE_COUNTS * recalled.rareness
        if self.is_of_time(recalled):
            rank += TIME_COUNTS if self._is_firm else FEAST_COUNTS
        rank += TELLING_COUNTS * telling_share(said_words(memory))
        if not isinstance(memory, Turn):
            return rank - NOTED
        return rank if tells_something(memory.query) else rank - ASKED_IN_TURN

    def certainty(self, recalled: Recalled) -> Certainty:
        """Whether a memory answers the question."""
        coverage, is_of_time = self._coverage(recalled.memory), self.is_of_time(recalled)
        if is_of_time and not self._words:
            return "sure"
        least = ANSWERED_OF_DAY if is_of_time else ANSWERED
        words = fold(self._words_of(recalled.memory))
        holds_names = all(_holds(words, name) for name in self._names)
        if coverage >= least and holds_names and is_of_time == bool(self._spans):
            return "sure"
        return "unsure" if coverage > 0 or is_of_time else "nearest"

    def is_of_time_alone(self, found: Sequence[Recalled]) -> bool:
        """True if the time is all by which something can be found, and is not just any such feast."""
        return (
            self._is_firm
            and not any(self._coverage(it.memory) > 0 for it in found)
            and any(self.is_of_time(it) for it in found)
        )

    def is_of_time(self, recalled: Recalled) -> bool:
        """True if a memory is of the days that the question names, or speaks of them by name."""
        words = fold(self._words_of(recalled.memory))
        is_named = any(fold(span.words) in words for span in self._spans)
        return bool(self._spans) and (recalled.parts.get("date", 0.0) > 0 or is_named)

    def _coverage(self, memory: Memory) -> float:
        """The share of the question's content words that a memory holds; 0 of none."""
        if not self._words:
            return 0.0
        return len(held_in(self._words_of(memory), self._words)) / len(self._words)

    def _words_of(self, memory: Memory) -> str:
        words = said_words(memory)
        if isinstance(memory, Turn) and self._quoter.answer_is_ours(memory):
            return f"{words}\n{memory.response}"
        return words


def _holds(words: str, name: str) -> bool:
    """True if folded words hold a name, whole or by one of its words."""
    if fold(name) in words:
        return True
    return bool(set(tokenize(name)) & set(tokenize(words)))
