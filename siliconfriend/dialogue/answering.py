"""Chooses what answers a question, and says how sure it is that it does.

Recall always finds something that comes near. Whether it was told what the question asks is
judged by the words: where the memory holds nearly all that the question names, it is quoted as
the answer; where it holds less, it is called what comes nearest; and a name that stands nowhere
in it was not spoken of there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from itertools import islice
from typing import Literal

from siliconfriend.dialogue.dearness import dearness, once_a_day, spread
from siliconfriend.dialogue.handful import told_within
from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.likelihood import Judged
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.quoting import Quoter, in_own_words, is_own, without_repeats
from siliconfriend.dialogue.told_words import said_words, tells_something
from siliconfriend.importance import LEAST
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.content_words import content_words
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_coverage import base_form, content_forms, held_in
from siliconfriend.language.word_lists import matches, word_list
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.recall.cue import days_remembered, find_names, name_words, remove_dates
from siliconfriend.recall.dates import DateSpan, asks_ahead, find_dates
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.matters import MEASURED, asks_several, matters_asked, where_told
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.time_spans import tokens_of_anything

_SPACE = re.compile(r"(?<=[^\x00-\x7f]) | (?=[^\x00-\x7f])")

Certainty = Literal["sure", "unsure", "nearest"]

ANSWERED = 0.75
"""The share of a question's content words that a memory must hold to be quoted as its answer:
one in four may be worded otherwise."""

ANSWERED_OF_DAY = 0.5
"""The same where the memory is of the days that the question names, which answer a part of it."""

HELD = 0.75
"""What holds nearly all that a question names is its answer from this share of the likelihood on
that others need. With half of it a school that a godchild went to was surely one's own."""

EXACT = MEASURED | {"name"}
"""Matters that are told in few forms of words: where none of these was found nothing was told."""

WHOLE = 2
"""A question of so many content words, a name among them, is answered by what holds them all."""

FEW, SEVERAL = 3, 5
"""Most memories in the answer to a question for one thing, and for several."""

ALIKE = 0.4
"""From this share of the best memory's likelihood on, as many as for several are quoted whatever is
asked: of four plans for a year none is likelier than another to be the one."""

WEEK = 7
"""Of a span of more days all that was told is looked at, and not only what was found."""

PIECES = 12
"""A span is told of all over: of a year each month counts, of a season each week."""

LIKELY = 0.5
"""What the likelihood of a memory of the days that are asked for counts beside its dearness."""

NEAREST_OF_FEW = 2
"""Most memories that are called nearest where there are few."""

FEW_TURNS = 50
"""Of fewer turns the learned signs say little: something always lies nearest."""

STANDING_OUT = 1.5
"""Standard deviations from which on a memory that shares nothing with a question may be meant."""

NEAR, NEAR_ELSE = 0.25, 0.05
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
    best_first = sorted(own, key=lambda pair: -pair[0])
    ranked = without_repeats(it for _, it in best_first)
    likelihood = {it.memory.id: share for share, it in sorted(own, key=lambda pair: pair[0])}
    if question.asks_only_days:
        found = [it for it in ranked if question.is_of_time(it)]
        if of_days := [*found, *_told_besides(found, context)]:
            return Answer(_dearest(of_days, likelihood, named_spans(context)), "sure")
    if not ranked or likelihood[ranked[0].memory.id] < judged.some:
        holding = tuple(it for it in ranked if question.is_half_held_by(it))
        return Answer(tuple(with_sequels(holding[:FEW], context)), "unsure")
    first = ranked[0]
    best = likelihood[first.memory.id]
    certainty = question.certainty(first, best, judged)
    ranked = _worth_quoting(ranked, certainty, is_of_few=has_few_turns(context.memory))
    if not ranked:
        return Answer((), certainty)
    first = ranked[0]
    most = SEVERAL if question.wants_several and certainty != "nearest" else FEW
    near = NEAR if certainty == "sure" and not question.wants_several else NEAR_ELSE
    others = [
        it
        for at, it in enumerate(ranked[1:SEVERAL], start=1)
        if likelihood[it.memory.id] >= (near if at < most else max(near, ALIKE)) * best
        and (likelihood[it.memory.id] >= judged.some or may_be_meant(it))
        and (question.holds_name(it) or not question.holds_name(first))
    ]
    chosen = with_sequels([first, *others], context)
    if question.wants_several:
        chosen = sorted(chosen, key=lambda it: (it.memory.date, it.memory.id))
    return Answer(tuple(chosen), certainty)


def known_answer(context: ReplyContext, quoter: Quoter) -> Answer | None:
    """Choose a fact that holds all that a question names; None where there is none.

    What it was learned from may have faded: the words of a year ago are put away, and what they
    said of somebody is known all the same.
    """
    question, matters = _Question(context, quoter), matters_asked(context.said)
    held = (
        it
        for it in context.facts
        if question.is_all_held_by(it)
        and is_own(it, context.memory)
        and all(where_told(matter, own_words(it.memory)) for matter in matters)
    )
    fact = next(held, None)
    return None if fact is None else Answer((_as_told(fact, context.memory),), "sure")


def _as_told(fact: Recalled, memory: PersonMemory) -> Recalled:
    """The turn in which a fact was told last, as long as it is not put away; else the fact."""
    sources = fact.memory.provenance.from_ids if isinstance(fact.memory, Fact) else ()
    turns = (memory.find(identifier) for identifier in reversed(sources))
    told = (it for it in turns if isinstance(it, Turn) and it.trace.archived is None)
    turn = next(told, None)
    return fact if turn is None else replace(fact, memory=turn)


def _told_besides(found: Sequence[Recalled], context: ReplyContext) -> Iterator[Recalled]:
    """What was told within a longer span that is asked for, beside what was found: recall finds few."""
    spans = named_spans(context)
    is_long = all(it.length > WEEK and it.first <= context.today for it in spans)
    if is_long and not asks_ahead(context.said):
        seen = {said_words(it.memory).casefold() for it in found}
        for turn in told_within(context.memory, spans):
            if turn.query.casefold() not in seen:
                yield Recalled(turn, 0.0, {}, "vivid", turn.trace.strength, None, is_relevant=False)


def _dearest(
    of_days: Sequence[Recalled], likelihood: Mapping[str, float], spans: Sequence[DateSpan]
) -> tuple[Recalled, ...]:
    """Return what a friend would tell of some days, in their order: the dearest, from all over them.

    No trifles, where there is anything else; and of a day what is plain comes last.
    """
    telling = [it for it in of_days if dearness(it.memory) > 0] or of_days
    span = max(spans, key=lambda it: it.length)

    def worth(it: Recalled) -> float:
        return dearness(it.memory) + LIKELY * likelihood.get(it.memory.id, 0.0)

    def piece_of(it: Recalled) -> int:
        day = date.fromisoformat(it.memory.date)
        return (day - span.first).days * PIECES // max(span.length, PIECES)

    dearest = spread(sorted(telling, key=lambda it: -worth(it)), worth, piece_of)
    chosen = once_a_day(dearest, lambda it: it.memory.date)[:SEVERAL]
    return tuple(
        sorted(
            chosen,
            key=lambda it: (it.memory.date, dearness(it.memory) <= LEAST, it.memory.id),
        )
    )


def _worth_quoting(
    ranked: list[Recalled], certainty: Certainty, *, is_of_few: bool
) -> list[Recalled]:
    """Leave out what only lies near: beside an answer where there is little, and in place of one."""
    if certainty == "nearest":
        meant = [it for it in ranked if may_be_meant(it)]
        return meant[:NEAREST_OF_FEW] if is_of_few else meant
    if is_of_few:
        return [ranked[0], *(it for it in ranked[1:] if may_be_meant(it))]
    return ranked


def may_be_meant(recalled: Recalled) -> bool:
    """True if a memory shares something with a question, or stands out of all by its meaning."""
    signs = recalled.signs
    if signs is None:
        return True
    shared = (signs.words, signs.related, signs.situation, signs.date)
    return signs.standing >= STANDING_OUT or any(it > 0 for it in shared)


def has_few_turns(memory: PersonMemory) -> bool:
    """True if so little was told that the learned signs say little."""
    return sum(1 for _ in islice(memory.turns(), FEW_TURNS)) < FEW_TURNS


def with_sequels(chosen: Sequence[Recalled], context: ReplyContext) -> list[Recalled]:
    """What was chosen, the first of it with what was told later and changes it behind it.

    Asked whether somebody still watches the stars, the telescope they bought is half an answer.
    """
    if not chosen:
        return []
    known = {it.memory.id for it in chosen}
    sequels = context.sequels.get(chosen[0].memory.id, ())
    return [chosen[0], *(it for it in sequels if it.memory.id not in known), *chosen[1:]]


def named_spans(context: ReplyContext) -> tuple[DateSpan, ...]:
    """The days that the message names."""
    now = datetime.combine(context.today, time(12), tzinfo=UTC)
    days = days_remembered(context.memory)
    return find_dates(context.said, now=now, zone=context.memory.profile.zone, days=days)


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
        is_exact = matters_asked(context.said) & EXACT
        self._is_untold = bool(is_exact) and not context.answers
        of_days = {token for span in self._spans for token in tokenize(span.words)}
        besides = {it for it in tokenize(words) if is_chinese(it)} - of_days
        names_nothing = not self._words and besides <= tokens_of_anything()
        self.asks_only_days = bool(self._spans) and (names_nothing or _asks_review(words))
        self.wants_several = classify_intent(context.said) == "told" or asks_several(context.said)

    def may_answer(self, recalled: Recalled) -> bool:
        """True if something was told in it, or if the companion's answer in it may be meant."""
        memory = recalled.memory
        if not isinstance(memory, Turn) or tells_something(memory.query):
            return True
        return self._quoter.answer_is_ours(memory)

    def certainty(self, recalled: Recalled, likelihood: float, judged: Judged) -> Certainty:
        """Whether a memory answers the question."""
        is_of_time = self.is_of_time(recalled)
        least = ANSWERED_OF_DAY if is_of_time else ANSWERED
        is_held = self.is_held_by(recalled, least)
        is_likely = likelihood >= judged.sure * (HELD if is_held else 1.0)
        is_answered = self._is_all_in(recalled) or (is_likely and self._is_spoken_of(recalled))
        if is_answered and not self._is_untold:
            return "sure"
        return "unsure" if self._coverage(recalled.memory) > 0 or is_of_time else "nearest"

    def _is_all_in(self, recalled: Recalled) -> bool:
        """True if a memory holds all that a question names, and that is a name or a time and more.

        It need not be likely as well: what has each word of a question tells of just that.
        """
        return (
            bool(self._names or self._spans)
            and len(self._words) >= WHOLE
            and self.is_held_by(recalled, 1.0)
        )

    def is_all_held_by(self, recalled: Recalled) -> bool:
        """True if a memory holds each word and name of a question that names no days."""
        return bool(self._words) and not self._spans and self.is_held_by(recalled, 1.0)

    def _is_spoken_of(self, recalled: Recalled) -> bool:
        """True unless a question names somebody or a time and nothing else it asks is told of it.

        Much was told of Karin, and nothing of a boat: what she said about it is not known, however
        surely it is Karin who is meant. Nor is how long somebody ran on a day known by whatever
        was told on it.
        """
        if not (self._names or self._spans):
            return True
        words = self._words_of(recalled.memory)
        others = self._words - {form for name in self._names for form in content_forms(name)}
        is_related = recalled.signs is not None and recalled.signs.related > 0
        holds_other = not others or is_related or bool(held_in(words, others))
        return holds_other and (self.holds_name(recalled) or not self._names)

    def holds_name(self, recalled: Recalled) -> bool:
        """True if a memory holds one of the names that the question names."""
        words = fold(self._words_of(recalled.memory))
        return any(_holds(words, name) for name in self._names)

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


def asks_to_sum_up(context: ReplyContext) -> bool:
    """True if some days are to be told of: "Sum up my year", 回顾一下去年."""
    spans = named_spans(context)
    rest = _plain(remove_dates(context.said, spans))
    return bool(spans) and matches("dialogue", "signs.sum_up", rest)


def _asks_review(rest: str) -> bool:
    """True if a question asks for nothing but the days that it names, beside these words."""
    plain = _plain(rest)
    return any(matches("dialogue", key, plain) for key in ("signs.sum_up", "signs.review"))


def _plain(words: str) -> str:
    """Folded words with no more space than between two English ones."""
    return _SPACE.sub("", " ".join(fold(words).replace("’", "'").split()))


def _holds(words: str, name: str) -> bool:
    """True if folded words hold a name, whole or by one of its words."""
    if fold(name) in words:
        return True
    return bool(set(tokenize(name)) & set(tokenize(words)))
