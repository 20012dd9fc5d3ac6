"""Whom a question or a sentence is about: the person, a relative, somebody by name.

"Where is my mother living?" must not be answered by where the person lives, and what was told of
Kit answers for "my brother" where Kit was called so once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from siliconfriend.language.belongings import belongings_in, is_belonging
from siliconfriend.language.characters import HAN, fold, is_chinese
from siliconfriend.language.dictionary import meanings
from siliconfriend.language.kinship import (
    Relation,
    compose_relation,
    is_same_relation,
    kin_words,
    relations_of,
    relatives_in,
    words_for,
)
from siliconfriend.language.tokenizer import segmenter
from siliconfriend.language.word_lists import any_of, stop_words
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.recall.matters import (
    LASTING,
    OF_ANYONE,
    says_which,
    tells_change,
    tells_past,
    tells_state,
    tells_weighing,
    where_told,
)
from siliconfriend.texts import LANGUAGES, lookup

Aliases = Mapping[str, frozenset[Relation]]
"""What people with a name are to the person, by their names, folded."""

Named = tuple[tuple[str, Relation], ...]
"""Names, folded, each with what its bearer is to the person."""

PARTNER: Relation = ("m",)

UNNAMED = 0.7
"""How surely a sentence that names nobody is told of the one who speaks."""

LONGEST_STATE = 80
"""Characters of a sentence that says how things are; a longer one tells of something else besides."""

_ANY_DAY = date(2024, 2, 29)
"""Whether words name a day does not depend on the day; a leap day, that none is refused."""

_LATIN = r"(?-i:[A-Z][a-zé]+)"
_AFTER_KIN = re.compile(rf",? (?P<name>{_LATIN})(?![\w-])")
_SMALL_AFTER_KIN = re.compile(r",? (?P<name>[a-z]{3,})(?![\w-])")
_CAPITALISED = re.compile(
    r"(?:(?<=[a-z,] )([A-Z][a-z]{2,})\b|\b([A-Z][a-z]{2,})(?=['’]s\b| and [A-Z]))"
)
_BEFORE_KIN = re.compile(rf"\b(?P<name>{_LATIN})(?:,| is| was|['’]s) $")
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
_HAVING = re.compile(
    r"(?<=\bhave )(?:an?|any)\b|(?<=\bgot )(?:an?|any)\b|\bhow many(?= \w+ (?:do|have|did) (?:i|we)\b)",
    re.IGNORECASE,
)
_OR_ANOTHER = re.compile(r"\bmy (\w+) or (?=\w)", re.IGNORECASE)
_BESIDE = re.compile(
    r"(?:\b(?:with|for|to|from|at|by|like|about|in|into|on|near|behind|above|over|since|until) |[跟和与同陪给对向帮替比]我?的?)$"
)
_JOINED = re.compile(rf"\band $|{_BESIDE.pattern}")
_OF_THEIRS = re.compile(rf"['’]s \w|(?<=[{HAN}])的[{HAN}]")
_CLAUSE = re.compile(r"[,;，；。！？]|\b(?:that|because|when|while|but)\b")
_NAME = re.compile(
    rf"(?<![.!?]\s)(?<!^)(?<!\bDr\s)(?<!\bDr\.\s)(?<![\w'])(?!Dr\b)(?-i:[A-Z][a-zé]+)\b"
    rf"|^(?:Mrs|Mr|Ms)?\.? ?(?!Dr)(?-i:[A-Z][a-zé]+)(?='s? | (?:has|is|was|had|will|and I)\b)"
    # What is counted, and an animal, is nobody: 一只小橘猫.
    rf"|(?<![只条匹头个])(?:阿|小(?![猫狗鸟兔鸡鸭猪羊牛马鱼]))[{HAN}](?![{HAN}]?[孩时说学])"
    # Who stands first is somebody, be it 小马, and 老魏, but no 老家; so is 秦老师.
    rf"|^(?:小(?![时孩学说区心组狗猫])|老(?![家师板人早是年公婆爸妈天实了说大二三]))[{HAN}](?=[{HAN}])"
    rf"|^[{HAN}]{{1,2}}(?:老师|师傅|大夫|医生|阿姨|大爷|大妈|老板|经理|教练)(?=[{HAN}])",
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
        return not self.relations and not self.names and not self.through

    @property
    def called(self) -> frozenset[str]:
        """The names by which they are known, folded: their own, and of whom they are a relative."""
        return self.names | {name for name, _ in self.through}

    def is_in(self, sentence: str) -> bool:
        """True if a sentence names them."""
        return self.last_place(sentence, len(sentence)) >= 0

    def last_place(self, sentence: str, before: int) -> int:
        """Where they are named last before a place; -1 where they are not."""
        return max((it for it in self.places(sentence) if it < before), default=-1)

    def first_place(self, sentence: str, start: int) -> int:
        """Where they are named first from a place on; -1 where they are not."""
        return min((it for it in self.places(sentence) if it >= start), default=-1)

    def places(self, sentence: str) -> Iterator[int]:
        """Where they are named."""
        for name in self.names:
            yield from (match.start() for match in _named(name).finditer(sentence))
        own = relatives_in(sentence)
        if any(map(is_belonging, self.relations)):
            own += belongings_in(sentence)
        for it in own:
            if any(is_same_relation(it.relation, relation) for relation in self.relations):
                yield it.start
        for name, words in self.through:
            for match in _named_relative(name, words).finditer(sentence):
                yield match.start()


def whom_asked(
    question: str, names: Iterable[str], aliases: Aliases, known: Iterable[Relation] = ()
) -> Whom:
    """Whom a question is about, with what else they are called.

    Args:
        question: as it was asked.
        names: those of people in it.
        aliases: who is who.
        known: what they are known to be to the person.
    """
    others = _relative_of_another(question)
    if others is not None:
        owners, words, relation = others
        own = {(*known, *relation) for name in owners for known in aliases.get(name, ())}
        through = tuple((name, words) for name in owners)
        return Whom(tuple(map(compose_relation, sorted(own))), through=through)
    relations = [*known, *(it.relation for it in relatives_in(as_own(question)))]
    called = {fold(name) for name in names if fold(name) in aliases}
    if not relations and not _SELF.search(question):
        first = _NAME.match(question)
        called |= {fold(first.group())} if first and is_chinese(first.group()) else set()
    for name in aliases:
        if _named(name).search(question):
            called.add(name)
    for name in list(called):
        relations += aliases.get(name, ())
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


def _relative_of_another(
    question: str,
) -> tuple[tuple[str, ...], tuple[str, ...], Relation] | None:
    """Whose relative a question is about, the words for what they are, and the steps to them.

    "What does Priya's mother do?" asks about no mother of one's own. In Chinese a name's beginning
    is not marked, so each ending of what stands before the word may be it.
    """
    for match in _others_relative().finditer(question):
        owner = fold(match["who"] or match["han"])
        if match["han"] and (_SELF.search(owner) or relations_of(owner)):
            continue
        beginnings = range(len(owner) - 1) if match["han"] else (0,)
        relation = relations_of(match["kin"] or match["last"])[0]
        return tuple(owner[at:] for at in beginnings), words_for(relation), relation
    return None


@cache
def _others_relative() -> re.Pattern[str]:
    terms = {language: kin_words(in_chinese=language == "cn") for language in LANGUAGES}
    return re.compile(
        rf"\b(?P<who>{_LATIN})['’]s? (?!(?:my|our)\b)(?:\w+ )?(?P<kin>(?i:{any_of(terms['en'])}))\b"
        rf"|(?P<han>[{HAN}]{{2,4}}?)(?:的|家的?|[他她])(?P<last>{any_of(terms['cn'])})"
    )


def as_own(question: str) -> str:
    """A question for someone of one's own with the word for it: "Do I have my grandson?"."""
    return _OR_ANOTHER.sub(r"my \1 or my ", _HAVING.sub("my", question))


def asks_of_companion(question: str) -> bool:
    """True if a question is about the companion itself: "Where do you live?"."""
    plain = _KNOWING.sub(" ", question)
    return bool(_COMPANION.search(plain)) and not _SELF.search(plain)


def aliases_of(texts: Iterable[str]) -> dict[str, frozenset[Relation]]:
    """Who is called what in some texts: "my brother Kit", 我弟弟以川."""
    found: dict[str, frozenset[Relation]] = {}
    texts, small = [*texts], list[tuple[str, Relation]]()
    for text in texts:
        sure, written_small = _aliases_in(text)
        small += written_small
        for name, relation in sure:
            found[name] = found.get(name, frozenset()) | {relation}
    capitals = frozenset[str]().union(*map(_capitalised_in, texts)) if small else ()
    for name, relation in small:
        if name in capitals:
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


def is_named_last(whom: Whom, sentence: str, start: int, end: int) -> bool:
    """True if what stands from ``start`` to ``end`` is told of someone.

    They are named last before it, or in it, or behind it in the same clause: "stayed in Utrecht
    with our dog".
    """
    place = whom.last_place(sentence, start)
    if place < 0:
        behind = whom.first_place(sentence, start)
        return behind >= 0 and not _CLAUSE.search(sentence, end, max(behind, end))
    if _OF_THEIRS.search(sentence, place, start):
        return False
    others = [it.start() for it in (*_SELF.finditer(sentence), *_NAME.finditer(sentence))]
    others += [it.start for it in relatives_in(sentence)]
    return not any(
        place < it < start
        and not _JOINED.search(sentence, 0, it)
        and it not in whom.places(sentence)
        for it in others
    )


def matter_of_oneself(sentence: str) -> str:
    """The lasting matter that a sentence tells of the speaker without any doubt; empty for none.

    That something began, ended or is so for long must be said: who went swimming once has no sport.
    """
    if tells_past(sentence):
        return ""
    is_new = tells_change(sentence)
    if not is_new and not _tells_lasting_state(sentence):
        return ""
    for matter in LASTING:
        place = where_told(matter, sentence)
        if place is None or not (is_new or says_which(matter, sentence)):
            continue
        if matter in OF_ANYONE or person_share(sentence, *place) == 1:
            return matter
    return ""


def _tells_lasting_state(sentence: str) -> bool:
    """True if a short sentence says how things are, on no day and without weighing them."""
    if len(sentence) > LONGEST_STATE or not tells_state(sentence) or tells_weighing(sentence):
        return False
    return not find_dates_said_on(sentence, _ANY_DAY)


def speaks_of_another(sentence: str) -> bool:
    """True if a sentence goes on about someone who was named before it: "She ..."."""
    return _OTHER.match(sentence.lstrip("\"'“‘ ")) is not None


@lru_cache(maxsize=8192)
def _aliases_in(text: str) -> tuple[Named, Named]:
    """Who is called what in a text, and what may be a name of somebody in it."""
    return _sure_aliases_in(text), _small_aliases_in(text)


def _small_aliases_in(text: str) -> Named:
    """What may be a name behind a word for a relative, written small: "my brother rhodri"."""
    return tuple(
        (named["name"], relative.relation)
        for relative in relatives_in(text)
        if (named := _SMALL_AFTER_KIN.match(text, relative.end)) and _is_name(named["name"])
    )


@lru_cache(maxsize=8192)
def _capitalised_in(text: str) -> frozenset[str]:
    """The words that a text writes with a capital where no sentence begins, or as somebody's."""
    return frozenset(fold(it.group(1) or it.group(2)) for it in _CAPITALISED.finditer(text))


def _sure_aliases_in(text: str) -> Named:
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
    found += [(name, PARTNER) for name in _partners_in_full(text)]
    return tuple(dict.fromkeys(found))


def _partners_in_full(text: str) -> Iterator[str]:
    """Partners whom a Chinese text calls by their full names, as the segmenter knows these."""
    if any(it.search(text) for it in _partner_patterns(rf"([{HAN}]{{2,3}})")):
        names = {word for word, kind in segmenter().tag(text) if kind.startswith("nr")}
        for name in sorted(names):
            if any(it.search(text) for it in _partner_patterns(f"({re.escape(name)})")):
                yield name


def _is_name(word: str) -> bool:
    """True if a word is no word of the dictionary's, as names are not."""
    return bool(word) and fold(word) not in stop_words() and not meanings(word)


@lru_cache(maxsize=256)
def _partner_patterns(
    chinese: str = rf"([小阿老][{HAN}]|[A-Z][a-z]+)",
) -> tuple[re.Pattern[str], ...]:
    """How someone becomes known as a partner, by a name of some form in Chinese."""
    names = {"en": rf"({_LATIN})", "cn": chinese}
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
