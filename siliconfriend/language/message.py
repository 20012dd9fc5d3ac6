"""Classify a message: question, courtesy, request, wish, or words of distress.

Recording, recall, the prompt and the offline reply share one cached :class:`PersonText`. The patterns
are in ``texts/*/message.toml``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import Literal, get_args

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import CLAUSE, CLOSING, split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import any_of, filled_pattern, matches, without_matches
from siliconfriend.language.words import beginning_and_end, content_set, content_words, is_courtesy
from siliconfriend.texts import LANGUAGES, Language, lookup

AREA = "message"
ENOUGH_WORDS = 3  # minimum content words of a clause that tells something before a question
FEW_WORDS = 2  # maximum content words of a text that depends on its pronoun

Courtesy = Literal["farewell", "thanks", "greeting"]
"""Courtesies by priority: "Thanks, good night" counts as the first in this order."""

COURTESIES: tuple[Courtesy, ...] = get_args(Courtesy)

Covered = Literal["this", "before", "next"]
"""Target of an opt-out: the message itself, the previous one, or the next."""

_ASKING_MARK = re.compile(rf"[?？][\"')\]{CLOSING}]*$|吗[。！!～~…]*$")
_PARTICLE = re.compile(r"呢[。！!～~…]*$")
_STATED = re.compile(r"[.!。…~][\s\"'”’」』)]*$")
_CLAUSE_END = re.compile(r"[,;.!?，；。！？…]+")
_PART_END = re.compile(r"[,，;；:：、]|\s[-–—]+\s|——")
_EDGES = " \t.!?。！？…~～\"'“”‘’()（）"


@dataclass(frozen=True)
class PersonText:
    """A text by the person: a message, a turn, or one of its sentences."""

    text: str

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences; a very long text is limited to its beginning and end."""
        return tuple(split_sentences(beginning_and_end(self.text)))

    @cached_property
    def _last(self) -> PersonText:
        return PersonText(self.sentences[-1] if self.sentences else "")

    @cached_property
    def _line(self) -> str:
        return " ".join(fold(beginning_and_end(self.text)).replace("’", "'").split())

    def courtesy(self, companion: str = "") -> Courtesy | None:
        """Return the courtesy of a message without other content; ``companion`` is a name."""
        return _courtesy(self.text, companion)

    def ends_as_farewell(self, companion: str = "") -> bool:
        """Return True if the last clause is a farewell: "Off to bed, good night."."""
        clauses = [clause for clause in _CLAUSE_END.split(self.text) if clause.strip()]
        return bool(clauses) and _courtesy(clauses[-1], companion) == "farewell"

    @cached_property
    def is_question(self) -> bool:
        """True if a sentence may be a question, by its end, question word, phrase or order."""
        folded = fold(self.text)
        # "When he comes I will be out." tells something, "Tell me when he comes." asks.
        is_stated = _STATED.search(folded) and not _is("asks_to_be_told", folded)
        is_worded = _is("question", folded) or self._asks_by_order
        is_order = _is("asks_by_imperative", folded)
        return self.ends_as_question or is_order or (is_worded and not is_stated)

    @cached_property
    def ends_as_question(self) -> bool:
        """True if a sentence ends as a question, unlike "I know what he did" and 我不知道怎么办."""
        if _ASKING_MARK.search(self.text):
            return True
        asks = _PARTICLE.search(self.text) is not None
        return asks and not _is("tells_with_particle", fold(self.text))

    @cached_property
    def _asks_by_order(self) -> bool:
        is_of_name = _is("asks_by_order_of_name", self.text)
        signs = ("asks_by_order", "asks_by_imperative")
        return is_of_name or any(_is(sign, fold(self.text)) for sign in signs)

    @cached_property
    def asks(self) -> bool:
        """True if a sentence is a question by its end or word order; reminders are not."""
        return (self.ends_as_question or self._asks_by_order) and not self.asks_for_reminder

    @cached_property
    def asks_memory(self) -> bool:
        """True if the last sentence asks about something told, not for advice or an opinion."""
        last, folded = self._last, fold(self._last.text)
        if _is("asks_companion", folded) or _is("says_of_all", folded):
            return False
        return last.is_question

    def has_sign(self, *signs: str) -> bool:
        """Return True if a sentence matches a pattern of questions about memories."""
        return any(_is(f"past_question.{sign}", fold(self.text)) for sign in signs)

    @cached_property
    def asks_only_for_fact(self) -> bool:
        """True if the message only asks about something told."""
        asks = self.asks_memory and self.has_sign("fact") and not self.has_sign("deliberate")
        return asks and not self.tells_something

    @cached_property
    def asks_ahead(self) -> bool:
        """True if a question is about the future: "What is happening in November?"."""
        line = self._line
        if self.asks_of_reminders:
            return True
        is_coming = matches("tense", "ahead", line) and not matches("tense", "behind", line)
        return _is("asks_ahead", line) or (is_coming and not is_chinese(line))

    @cached_property
    def asks_who(self) -> bool:
        """True if it asks who somebody is: "who's Ben?", 老曾是谁."""
        return _is("asks_who", self._line)

    @cached_property
    def asks_for_all(self) -> bool:
        """True if it wants all there is: "List everything about the garden."."""
        return _is("asks_for_all", self._line)

    @cached_property
    def asks_about_companion(self) -> bool:
        """True if a sentence asks about the companion only, not about the person or past words."""
        for sentence in map(PersonText, self.sentences):
            signs = ("wants_story", "companion", "person", "looks_back")
            story, companion, *others = (_is(f"itself.{sign}", sentence._line) for sign in signs)
            if story or (companion and not any(others) and sentence.is_question):
                return True
        return False

    @cached_property
    def addresses_companion(self) -> bool:
        """True if it says "you" or "your"."""
        return _is("itself.companion", self._line)

    @cached_property
    def speaks_of_self(self) -> bool:
        """True if it says "I" or "my" and does not address the companion."""
        return _is("itself.person", self._line) and not self.addresses_companion

    @cached_property
    def asks_for_reminder(self) -> bool:
        """True if the message requests a reminder or a later question."""
        is_wish = _is("remind", fold(self.text)) and not self.asks_of_reminders
        return is_wish or self.asks_to_be_asked

    @cached_property
    def asks_of_reminders(self) -> bool:
        """True if it asks which reminders there are: "What did you have to remind me of?"."""
        return _is("asks_of_reminders", self._line)

    @cached_property
    def asks_to_be_asked(self) -> bool:
        """True if it asks the companion to ask about something later."""
        return _is("ask_later", fold(self.text))

    @cached_property
    def opts_out(self) -> frozenset[Covered]:
        """Target of the opt-out; ``before`` also if the message has no other content."""
        wishes = [_opt_out(sentence) for sentence in self.sentences]
        kinds, rest = (
            {kind for kind, _ in wishes},
            [clause for _, others in wishes for clause in others],
        )
        covered: set[Covered] = {"this"} if any(kinds) else set()
        is_alone, is_next = not any(map(_says_something, rest)), "wish_next" in kinds
        if covered and ("wish_before" in kinds or (is_alone and not is_next)):
            covered.add("before")
        if is_alone and is_next:
            covered.add("next")
        return frozenset(covered)

    @cached_property
    def asks_to_forget(self) -> str:
        """Person or thing to forget, as written; empty if there is no such request."""
        for sentence in self.sentences:
            words = " ".join(sentence.replace("’", "'").split())
            if found := next(filter(None, (pattern.search(words) for pattern in _wishes())), None):
                what = found["what"].strip(" \"'“”‘’「」《》")
                return "" if _is("wishes.nothing_named", fold(what)) else what
        return ""

    @cached_property
    def answer(self) -> str:
        """``consent`` or ``refusal`` for a plain yes or no; else empty."""
        words = fold(self.text).strip()
        return next(
            (answer for answer in ("consent", "refusal") if _is(f"wishes.{answer}", words)), ""
        )

    @cached_property
    def is_distress(self) -> bool:
        """True if the message mentions self-harm or suicide, except as idiom or accident."""
        plain = fold(beginning_and_end(self.text)).replace("’", "'")
        return _is("distress.signs", without_matches(AREA, "distress.not_meant", plain))

    @cached_property
    def _statements(self) -> list[PersonText]:
        """The sentences that ask nothing, also without a question mark."""
        sentences = map(PersonText, self.sentences)
        return [said for said in sentences if not (said.asks or said.asks_memory)]

    @cached_property
    def tells_something(self) -> bool:
        """True if a sentence is a statement: no question and no courtesy."""
        told = (said.text for said in self._statements if not is_courtesy(said.text))
        return any(map(content_words, told))

    @cached_property
    def tells_before_asking(self) -> bool:
        """True if a clause about the person comes before a question: "Ben hit me, was I wrong?"."""
        clauses = [PersonText(clause) for clause in CLAUSE.split(self.text) if clause]
        return any(
            _is("itself.person", clause._line)
            and not clause.is_question
            and len(content_words(clause.text)) >= ENOUGH_WORDS
            for clause in clauses
        )

    @cached_property
    def only_asks(self) -> bool:
        """True if a sentence asks, also without a question mark, and none states anything."""
        return len(self._statements) < len(self.sentences) and not self.tells_something

    @cached_property
    def lacks_noun(self) -> bool:
        """True for a short message with a pronoun ("two of them, behind the sofa")."""
        return _is("refers_back", fold(self.text)) and len(content_words(self.text)) <= FEW_WORDS


@lru_cache(maxsize=4096)
def read_message(text: str) -> PersonText:
    """Return the cached classification of a text."""
    return PersonText(text)


def takes_up(message: str, reply: str, memory: str) -> bool:
    """Return True if a reply may rest on a memory.

    A reply to a remark does if it has a word in common with the memory, or is in another language;
    the reply to a question, which may be "five times", does at any rate.
    """
    if read_message(message).is_question or is_chinese(reply) != is_chinese(memory):
        return True
    return not content_set(reply).isdisjoint(content_set(memory))


def _is(sign: str, plain: str) -> bool:
    return matches(AREA, sign, plain)


def _courtesy(text: str, companion: str) -> Courtesy | None:
    """Return the courtesy of a text of courtesies only, or None."""
    plain = re.sub(r"['’]", "", fold(text).strip())
    for language, kind in product(LANGUAGES, COURTESIES):
        if _courtesy_pattern(kind, language, companion.lower()).fullmatch(plain):
            return kind
    return None


@lru_cache(maxsize=256)
def _courtesy_pattern(kind: Courtesy, language: Language, companion: str) -> re.Pattern[str]:
    phrases = lookup(AREA, "courtesies", language)
    begins, ends = (r"(?:^|\W)", r"(?:\W+|$)") if language == "en" else ("", r"\W*")
    has = rf"(?s:.*?){begins}(?:{any_of(phrases[kind])}){ends}"
    both = any_of([companion, *(word for words in phrases.values() for word in words)])
    return re.compile(rf"(?={has})\W*(?:(?:{both}){ends})++")


def _opt_out(sentence: str) -> tuple[str, list[str]]:
    """Return the kind of wish in a sentence, or an empty text, and the remaining clauses."""
    whole = fold(sentence).replace("’", "'").strip(_EDGES)
    clauses = [clause.strip(_EDGES) for clause in _PART_END.split(whole)]
    is_no_wish = _is("wishes.no_wish", whole)
    for kind in () if is_no_wish else ("wish_next", "wish_before", "wish"):
        if _is(f"wishes.{kind}", whole):
            return kind, []
        rest = [clause for clause in clauses if not _is(f"wishes.{kind}", clause)]
        if len(rest) < len(clauses):
            return kind, rest
    return "", [whole]


def _says_something(clause: str) -> bool:
    is_long_chinese = is_chinese(clause) and len(clause) > 3
    return bool(tokenize(clause)) or len(clause.split()) >= 3 or is_long_chinese


@cache
def _wishes() -> list[re.Pattern[str]]:
    rows = ((wish, lang) for lang in LANGUAGES for wish in lookup(AREA, "wishes.wish_about", lang))
    return [re.compile(filled_pattern(AREA, *row), re.IGNORECASE) for row in rows]
