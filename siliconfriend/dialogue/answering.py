"""Chooses what answers a question, and says how sure it is that it does.

Recall always finds something that comes near. Whether it was told what the question asks is
judged by the words: where the memory holds nearly all that the question names, it is quoted as
the answer; where it holds less, it is called what comes nearest; and a name that stands nowhere
in it was not spoken of there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Literal

from siliconfriend.dialogue.intent import asks_what_companion_said, classify_intent
from siliconfriend.dialogue.introductions import asked_name, introduces
from siliconfriend.dialogue.likelihood import Judged
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.quoting import Quoter, in_own_words, is_own, without_repeats
from siliconfriend.dialogue.told_words import said_words, tells_something
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

HELD = 0.75
"""What holds nearly all that a question names is its answer from this share of the likelihood on
that others need. With half of it a school that a godchild went to was surely one's own."""

FEW, SEVERAL = 3, 5
"""Most memories in the answer to a question for one thing, and for several."""

NEAR, NEAR_ELSE = 0.25, 0.1
"""From this share of the best memory's likelihood on, another is quoted beside it: beside a sure
answer to one thing, and beside what is unsure or one of several."""


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
    question, judged = _Question(context, quoter), context.judged
    told = (
        (judged.likelihood(it), in_own_words(it, context.memory, context.said))
        for it in context.found
    )
    own = [
        (share, it)
        for share, it in told
        if it and is_own(it, context.memory) and question.may_answer(it)
    ]
    best_first = sorted(own, key=lambda pair: (not question.is_introduced_by(pair[1]), -pair[0]))
    ranked = without_repeats(it for _, it in best_first)
    likelihood = {it.memory.id: share for share, it in sorted(own, key=lambda pair: pair[0])}
    if ranked and question.is_introduced_by(ranked[0]):
        return Answer((ranked[0],), "sure")
    if not ranked or likelihood[ranked[0].memory.id] < judged.some:
        holding = tuple(it for it in ranked if question.is_half_held_by(it))
        return Answer(holding[:FEW], "unsure")
    first = ranked[0]
    best = likelihood[first.memory.id]
    certainty = question.certainty(first, best, judged)
    most = SEVERAL if question.wants_several and certainty != "nearest" else FEW
    near = NEAR if certainty == "sure" and not question.wants_several else NEAR_ELSE
    others = [it for it in ranked[1:most] if likelihood[it.memory.id] >= near * best]
    later = _last_word_on(first, [it for it in ranked if it not in others])
    if later is not None:
        others = [later, *others][: most - 1]
    if question.wants_several:
        in_order = sorted([first, *others], key=lambda it: (it.memory.date, it.memory.id))
        return Answer(tuple(in_order), certainty)
    return Answer((first, *others), certainty)


def _last_word_on(answer: Recalled, found: Sequence[Recalled]) -> Recalled | None:
    """What was told later of something in an answer and takes it back: “望远镜让我卖了”.

    Asked whether somebody still watches the stars, the telescope they bought is half an answer.
    """
    about = content_forms(said_words(answer.memory))
    for later in found:
        words = said_words(later.memory)
        is_later = later.memory.date > answer.memory.date
        if is_later and matches("dialogue", "signs.takes_back", fold(words)):
            shared = held_in(words, about)
            if any(len(word) > 1 for word in shared) and _is_of_few(shared, found):
                return later
    return None


def _is_of_few(words: Iterable[str], found: Sequence[Recalled]) -> bool:
    """True if one of the words stands in hardly any other of the memories that were found."""
    texts = [said_words(it.memory) for it in found]
    return any(sum(bool(held_in(text, [word])) for text in texts) <= FEW for word in words)


def named_spans(context: ReplyContext) -> tuple[DateSpan, ...]:
    """The days that the message names."""
    now = datetime.combine(context.today, time(12), tzinfo=UTC)
    return find_dates(context.said, now=now, zone=context.memory.profile.zone)


class _Question:
    """What a question names, and how much of it a memory holds."""

    def __init__(self, context: ReplyContext, quoter: Quoter) -> None:
        profile = context.memory.profile
        self._spans = named_spans(context)
        is_firm = bool(self._spans) and all(
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
        if is_firm:
            self._words -= {form for span in self._spans for form in content_forms(span.words)}
        self._names = find_names(words, speakers)
        self._said, self._quoter = context.said, quoter
        self._who = asked_name(context.said)
        self.wants_several = (
            bool(self._spans and not self._words)
            or classify_intent(context.said) == "told"
            or matches("dialogue", "signs.several", fold(context.said))
        )

    def may_answer(self, recalled: Recalled) -> bool:
        """True if something was told in it, or if the companion's answer in it may be meant."""
        memory = recalled.memory
        if not isinstance(memory, Turn) or tells_something(memory.query):
            return True
        if memory.replied_by == OFFLINE:  # such an answer holds nothing but quotations
            return False
        is_wanted = asks_what_companion_said(self._said) or self._coverage(memory) > 0
        return is_wanted and self._quoter.answer_is_ours(memory)

    def is_introduced_by(self, recalled: Recalled) -> bool:
        """True if it is asked who bears a name, and a memory tells it."""
        return bool(self._who) and introduces(said_words(recalled.memory), self._who)

    def certainty(self, recalled: Recalled, likelihood: float, judged: Judged) -> Certainty:
        """Whether a memory answers the question."""
        is_of_time = self.is_of_time(recalled)
        if is_of_time and not self._words:
            return "sure"
        least = ANSWERED_OF_DAY if is_of_time else ANSWERED
        if likelihood >= judged.sure * (HELD if self.is_held_by(recalled, least) else 1.0):
            return "sure"
        return "unsure" if self._coverage(recalled.memory) > 0 or is_of_time else "nearest"

    def is_half_held_by(self, recalled: Recalled) -> bool:
        """True if a memory holds half of what the question names, or of all it was searched by."""
        searched = recalled.signs.coverage if recalled.signs and recalled.is_relevant else 0.0
        return searched >= ANSWERED_OF_DAY or self.is_held_by(recalled, ANSWERED_OF_DAY)

    def is_held_by(self, recalled: Recalled, least: float) -> bool:
        """True if a memory holds this share of what the question names, its names and its time."""
        words = fold(self._words_of(recalled.memory))
        holds_names = all(_holds(words, name) for name in self._names)
        holds_words = self._coverage(recalled.memory) >= least
        return holds_words and holds_names and self.is_of_time(recalled) == bool(self._spans)

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
