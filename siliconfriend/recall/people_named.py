"""Whom a question or a sentence is about: the person, a relative, somebody by name.

"Where is my mother living?" must not be answered by where the person lives, and what was told of
Kit answers for "my brother" where Kit was called so once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from siliconfriend.language.characters import HAN, fold, is_chinese
from siliconfriend.language.dictionary import meanings
from siliconfriend.language.kinship import (
    Relation,
    is_same_relation,
    relatives_in,
    words_for,
)
from siliconfriend.language.word_lists import any_of, stop_words
from siliconfriend.recall.matters import (
    LASTING,
    OF_ANYONE,
    tells_change,
    tells_past,
    where_told,
)
from siliconfriend.texts import LANGUAGES, lookup

Aliases = Mapping[str, frozenset[Relation]]
"""What people with a name are to the person, by their names, folded."""

PARTNER: Relation = ("m",)

UNNAMED = 0.7
"""How surely a sentence that names nobody is told of the one who speaks."""

_LATIN = r"(?-i:[A-Z][a-zé]+)"
_AFTER_KIN = re.compile(rf",? (?P<name>{_LATIN})(?![\w-])")
_BEFORE_KIN = re.compile(rf"\b(?P<name>{_LATIN})(?:,| is| was) $")
_AFTER_CHINESE_KIN = re.compile(
    rf"(?:叫做?|名叫)?(?P<name>[A-Z][a-z]+|[小阿老][{HAN}])|(?:叫做?|名叫)(?P<called>[{HAN}]{{2,3}})"
)
_SELF = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|me|we|we're|we've|us|my|our|mine)\b|我|咱|俺", re.I)
_OTHER = re.compile(r"\b(?:he|she|they|his|her|their)\b|[他她]", re.I)
_COMPANION = re.compile(r"\b(?:you|your|yours)\b|[你您]", re.IGNORECASE)
_KNOWING = re.compile(
    r"\b(?:do|can|could|would) you (?:still |happen to )?(?:know|remember|recall|tell)\b"
    r"|[你您](?:还|是否)?(?:记得|知道|晓得|记不记得|知不知道)",
    re.IGNORECASE,
)
_HAVING = re.compile(r"(?<=\bhave )(?:an?|any)\b|(?<=\bgot )(?:an?|any)\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"(?:\b(?:with|for|to|from|at|by|like|about|in|into|on|near|behind|above|over|since|until) |[跟和与同陪给对向帮替比]我?的?)$"
)
_NAME = re.compile(
    rf"(?<![.!?]\s)(?<!^)(?<!\bDr\s)(?<!\bDr\.\s)(?<![\w'])(?!Dr\b)(?-i:[A-Z][a-zé]+)\b"
    rf"|^(?:Mrs|Mr|Ms)?\.? ?(?!Dr)(?-i:[A-Z][a-zé]+)(?='s? | (?:has|is|was|had|will|and I)\b)"
    # What is counted, and an animal, is nobody: 一只小橘猫.
    rf"|(?<![只条匹头个])(?:阿|小(?![猫狗鸟兔鸡鸭猪羊牛马鱼]))[{HAN}](?![{HAN}]?[孩时说学])",
)


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a question is about.

    Attributes:
        relations: what they are to the person; empty for the person and for mere names.
        names: what they are called, folded.
        through: relatives who lead to them, by name, with the words for what they are to these:
            "Priya's parents" are the parents-in-law of whom Priya is to marry.
    """

    relations: tuple[Relation, ...] = ()
    names: frozenset[str] = frozenset()
    through: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def is_person(self) -> bool:
        """True if it is the person themselves."""
        return not self.relations and not self.names

    def is_in(self, sentence: str) -> bool:
        """True if a sentence names them."""
        return self.last_place(sentence, len(sentence)) >= 0

    def last_place(self, sentence: str, before: int) -> int:
        """Where they are named last before a place; -1 where they are not."""
        places = [
            match.start()
            for name in self.names
            for match in _named(name).finditer(sentence)
            if match.start() < before
        ]
        places += [
            relative.start
            for relative in relatives_in(sentence)
            if relative.start < before
            and any(is_same_relation(relative.relation, it) for it in self.relations)
        ]
        places += [
            match.start()
            for name, words in self.through
            for match in _named_relative(name, words).finditer(sentence)
            if match.start() < before
        ]
        return max(places, default=-1)


def whom_asked(question: str, names: Iterable[str], aliases: Aliases) -> Whom:
    """Whom a question is about, with what else they are called.

    Args:
        question: as it was asked.
        names: those of people in it.
        aliases: who is who.
    """
    relations = [relative.relation for relative in relatives_in(as_own(question))]
    called = {fold(name) for name in names if fold(name) in aliases}
    for name in aliases:
        if _named(name).search(question):
            called.add(name)
    for name in list(called):
        relations += aliases[name]
    for name, known in aliases.items():
        if any(is_same_relation(one, other) for one in relations for other in known):
            called.add(name)
    through = tuple(
        (name, words_for(relation[1:]))
        for relation in dict.fromkeys(relations)
        for name, known in aliases.items()
        if len(relation) > 1 and any(is_same_relation(relation[:1], it) for it in known)
    )
    return Whom(tuple(dict.fromkeys(relations)), frozenset(called), through)


def as_own(question: str) -> str:
    """A question for someone of one's own with the word for it: "Do I have my grandson?"."""
    return _HAVING.sub("my", question)


def asks_of_companion(question: str) -> bool:
    """True if a question is about the companion itself: "Where do you live?"."""
    plain = _KNOWING.sub(" ", question)
    return bool(_COMPANION.search(plain)) and not _SELF.search(plain)


def aliases_of(texts: Iterable[str]) -> dict[str, frozenset[Relation]]:
    """Who is called what in some texts: "my brother Kit", 我弟弟以川."""
    found: dict[str, frozenset[Relation]] = {}
    for text in texts:
        for name, relation in _aliases_in(text):
            found[name] = found.get(name, frozenset()) | {relation}
    return found


def person_share(sentence: str, start: int, end: int) -> float:
    """How surely what stands from ``start`` to ``end`` is told of the one who speaks, 0 to 1.

    Whoever is named last before it is the one: the speaker in "I speak Welsh with my mother".
    """
    own = max((it.start() for it in _SELF.finditer(sentence, 0, end)), default=-1)
    relatives = relatives_in(sentence)
    # In "with my son Finn" Finn is no more the one than the son.
    beside = {it.end for it in relatives if _BESIDE.search(sentence, 0, it.start)}
    named = (
        it
        for it in _NAME.finditer(sentence)
        if fold(it.group()) not in stop_words() and not beside & {it.start(), it.start() - 1}
    )
    others = [it.start() for it in (*_OTHER.finditer(sentence), *named) if it.start() < start]
    others += [it.start for it in relatives if it.start < end]
    others = [place for place in others if not _BESIDE.search(sentence, 0, place)]
    # "My brother" begins with a word of the speaker's and is somebody else.
    if own > max(others, default=-1):
        return 1.0
    return 0.0 if others else UNNAMED


def matter_of_oneself(sentence: str) -> str:
    """The lasting matter that a sentence tells of the speaker without any doubt; empty for none.

    That something began, ended or is owned must be said: who went swimming once has no sport.
    """
    if not tells_change(sentence) or tells_past(sentence):
        return ""
    for matter in LASTING:
        place = where_told(matter, sentence)
        if place is not None and (matter in OF_ANYONE or person_share(sentence, *place) == 1):
            return matter
    return ""


def speaks_of_another(sentence: str) -> bool:
    """True if a sentence goes on about someone who was named before it: "She ..."."""
    return _OTHER.match(sentence.lstrip("\"'“‘ ")) is not None


@lru_cache(maxsize=8192)
def _aliases_in(text: str) -> tuple[tuple[str, Relation], ...]:
    found: list[tuple[str, Relation]] = []
    for relative in relatives_in(text):
        is_han = is_chinese(text[relative.end - 1])
        pattern = _AFTER_CHINESE_KIN if is_han else _AFTER_KIN
        named = pattern.match(text, relative.end)
        if named is None and not is_han:
            named = _BEFORE_KIN.search(text, 0, relative.start)
        name = "" if named is None else next(it for it in named.groups() if it)
        if _is_name(name):
            found.append((fold(name), relative.relation))
    for pattern in _partner_patterns():
        for match in pattern.finditer(text):
            name = next((it for it in match.groups() if it), "")
            if _is_name(name):
                found.append((fold(name), PARTNER))
    return tuple(dict.fromkeys(found))


def _is_name(word: str) -> bool:
    """True if a word is no word of the dictionary's, as names are not."""
    return bool(word) and fold(word) not in stop_words() and not meanings(word)


@cache
def _partner_patterns() -> tuple[re.Pattern[str], ...]:
    names = {"en": rf"({_LATIN})", "cn": rf"([小阿老][{HAN}]|[A-Z][a-z]+)"}
    return tuple(
        re.compile(pattern.replace("NAME", names[language]))
        for language in LANGUAGES
        for pattern in lookup("kinship", "partner_named", language)
    )


@cache
def _named_relative(name: str, words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        rf"{re.escape(name)}(?:['’]s? |的|他|她|家)?(?:{any_of(words)})", re.IGNORECASE
    )


@cache
def _named(name: str) -> re.Pattern[str]:
    edge = "" if is_chinese(name) else r"\b"
    return re.compile(edge + re.escape(name) + edge, re.IGNORECASE)
