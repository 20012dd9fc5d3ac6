"""What a message is: a question, a courtesy, a request, a wish, words of distress.

Recording, recall, the prompt and the offline reply ask the same :class:`Message`, of which everything is
read once. Its signs are the patterns of ``texts/*/message.toml``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import Literal, get_args

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.sentences import CLOSING, split_sentences
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.word_lists import any_of, filled_pattern, matches, without_matches
from siliconfriend.language.words import beginning_and_end, content_words, is_courtesy
from siliconfriend.texts import LANGUAGES, Language, lookup

AREA = "message"
FEW_WORDS = 2  # content words up to which a text with a pronoun cannot be understood alone

Courtesy = Literal["farewell", "thanks", "greeting"]
"""Courtesies by priority: of "Thanks, good night" the earlier is answered."""

COURTESIES: tuple[Courtesy, ...] = get_args(Courtesy)

Covered = Literal["this", "before", "next"]
"""What a wish not to be remembered is about: the message itself, the one before it, the next."""

_ASKING_MARK = re.compile(rf"[?？][\"')\]{CLOSING}]*$|吗[。！!～~…]*$")
_PARTICLE = re.compile(r"呢[。！!～~…]*$")
_STATED = re.compile(r"[.!。…~][\s\"'”’」』)]*$")
_CLAUSE_END = re.compile(r"[,;.!?，；。！？…]+")
_PART_END = re.compile(r"[,，;；:：、]|\s[-–—]+\s|——")
_EDGES = " \t.!?。！？…~～\"'“”‘’()（）"


@dataclass(frozen=True)
class Message:
    """What somebody said, as it was written: a message, a turn, or a sentence of one."""

    text: str

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences; of a very long text those of its beginning and end."""
        return tuple(split_sentences(beginning_and_end(self.text)))

    @cached_property
    def _last(self) -> Message:
        return Message(self.sentences[-1] if self.sentences else "")

    @cached_property
    def _line(self) -> str:
        return " ".join(fold(beginning_and_end(self.text)).replace("’", "'").split())

    def courtesy(self, companion: str = "") -> Courtesy | None:
        """Return what courtesy the message is, if it says nothing else; ``companion`` is its name."""
        return _courtesy(self.text, companion)

    def ends_as_farewell(self, companion: str = "") -> bool:
        """Return True if the last clause is a farewell: "Off to bed, good night."."""
        clauses = [it for it in _CLAUSE_END.split(self.text) if it.strip()]
        return bool(clauses) and _courtesy(clauses[-1], companion) == "farewell"

    @cached_property
    def is_question(self) -> bool:
        """True if a sentence asks or may ask: by its end, a question word, a phrase or its order."""
        folded = fold(self.text)
        # "When he comes I will be out." tells something, "Tell me when he comes." asks.
        is_stated = _STATED.search(folded) and not _is("asks_to_be_told", folded)
        is_worded = _is("question", folded) or self._asks_by_order
        return self.ends_as_question or (is_worded and not is_stated)

    @cached_property
    def ends_as_question(self) -> bool:
        """True if a sentence asks by its end alone, as "I know what he did" and 我不知道怎么办 do not."""
        if _ASKING_MARK.search(self.text):
            return True
        asks = _PARTICLE.search(self.text) is not None
        return asks and not _is("tells_with_particle", fold(self.text))

    @cached_property
    def _asks_by_order(self) -> bool:
        is_of_name = _is("asks_by_order_of_name", self.text)
        return is_of_name or _is("asks_by_order", fold(self.text))

    @cached_property
    def asks(self) -> bool:
        """True if a sentence asks by its end or the order of its words; a reminder asks nothing."""
        return (self.ends_as_question or self._asks_by_order) and not self.asks_for_reminder

    @cached_property
    def asks_memory(self) -> bool:
        """True if it ends by asking for something that was told, not for advice or an opinion."""
        last, folded = self._last, fold(self._last.text)
        if _is("asks_companion", folded) or _is("says_of_all", folded):
            return False
        return last.is_question

    def has_sign(self, *signs: str) -> bool:
        """Return True if a sentence has one of some signs of a question about what was told."""
        return any(_is(f"past_question.{sign}", fold(self.text)) for sign in signs)

    @cached_property
    def asks_only_for_fact(self) -> bool:
        """True if it asks for something that was told, weighs nothing and tells nothing."""
        asks = self.asks_memory and self.has_sign("fact") and not self.has_sign("deliberate")
        return asks and not self.tells_something

    @cached_property
    def asks_ahead(self) -> bool:
        """True if a question asks for what is to come: "What is happening in November?"."""
        line = self._line
        is_coming = matches("tense", "ahead", line) and not matches("tense", "behind", line)
        return _is("asks_ahead", line) or (is_coming and not is_chinese(line))

    @cached_property
    def asks_about_companion(self) -> bool:
        """True if a sentence asks about "you" alone: not about the person, nor about what was said."""
        for sentence in map(Message, self.sentences):
            signs = ("wants_story", "companion", "person", "looks_back")
            story, companion, *others = (_is(f"itself.{it}", sentence._line) for it in signs)
            if story or (companion and not any(others) and sentence.is_question):
                return True
        return False

    @cached_property
    def asks_for_reminder(self) -> bool:
        """True if it asks to be reminded of something, or to be asked about it."""
        return _is("remind", fold(self.text)) or self.asks_to_be_asked

    @cached_property
    def asks_to_be_asked(self) -> bool:
        """True if it asks the companion to ask about something later."""
        return _is("ask_later", fold(self.text))

    @cached_property
    def opts_out(self) -> frozenset[Covered]:
        """What it asks not to remember; ``before`` also where it holds nothing that could be meant."""
        wishes = [_opt_out(sentence) for sentence in self.sentences]
        kinds, rest = {kind for kind, _ in wishes}, [it for _, others in wishes for it in others]
        covered: set[Covered] = {"this"} if any(kinds) else set()
        is_alone, is_next = not any(map(_says_something, rest)), "wish_next" in kinds
        if covered and ("wish_before" in kinds or (is_alone and not is_next)):
            covered.add("before")
        if is_alone and is_next:
            covered.add("next")
        return frozenset(covered)

    @cached_property
    def asks_to_forget(self) -> str:
        """Whom or what it asks to forget, as it is written; empty where it does not."""
        for sentence in self.sentences:
            words = " ".join(sentence.replace("’", "'").split())
            if found := next(filter(None, (it.search(words) for it in _wishes())), None):
                what = found["what"].strip(" \"'“”‘’「」《》")
                return "" if _is("wishes.nothing_named", fold(what)) else what
        return ""

    @cached_property
    def answer(self) -> str:
        """``consent`` or ``refusal`` where it is a yes or a no and nothing else; else empty."""
        words = fold(self.text).strip()
        return next((it for it in ("consent", "refusal") if _is(f"wishes.{it}", words)), "")

    @cached_property
    def is_distress(self) -> bool:
        """True if it speaks of hurting or killing oneself; not as a figure of speech or an accident."""
        plain = fold(beginning_and_end(self.text)).replace("’", "'")
        return _is("distress.signs", without_matches(AREA, "distress.not_meant", plain))

    @cached_property
    def tells_something(self) -> bool:
        """True if a sentence of it tells something: no question and no courtesy."""
        told = (it for it in self.sentences if not (Message(it).asks or is_courtesy(it)))
        return any(map(content_words, told))

    @cached_property
    def lacks_noun(self) -> bool:
        """True if it is short and refers back by a pronoun ("two of them, behind the sofa")."""
        return _is("refers_back", fold(self.text)) and len(content_words(self.text)) <= FEW_WORDS


@lru_cache(maxsize=4096)
def read_message(text: str) -> Message:
    """Return what a text is; the last ones are kept, since several rooms ask for each."""
    return Message(text)


def _is(sign: str, plain: str) -> bool:
    return matches(AREA, sign, plain)


def _courtesy(text: str, companion: str) -> Courtesy | None:
    """Return what a text of nothing but courtesies is; None of any other."""
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
    """Return the kind of a wish in a sentence, empty for none, and the clauses that are not it."""
    whole = fold(sentence).replace("’", "'").strip(_EDGES)
    clauses = [it.strip(_EDGES) for it in _PART_END.split(whole)]
    is_no_wish = _is("wishes.no_wish", whole)
    for kind in () if is_no_wish else ("wish_next", "wish_before", "wish"):
        if _is(f"wishes.{kind}", whole):
            return kind, []
        rest = [it for it in clauses if not _is(f"wishes.{kind}", it)]
        if len(rest) < len(clauses):
            return kind, rest
    return "", [whole]


def _says_something(clause: str) -> bool:
    is_long_chinese = is_chinese(clause) and len(clause) > 3
    return bool(tokenize(clause)) or len(clause.split()) >= 3 or is_long_chinese


@cache
def _wishes() -> list[re.Pattern[str]]:
    rows = ((it, lang) for lang in LANGUAGES for it in lookup(AREA, "wishes.wish_about", lang))
    return [re.compile(filled_pattern(AREA, *row), re.IGNORECASE) for row in rows]
