"""References: whom "she" means in a question, and what "And my brother?" asks.

Nobody repeats a name in every sentence. Searched for as it stands, "Where does she live?" finds
whoever lives somewhere, and what is told of one person would be given for another. So before a
question is read, whoever was named last in the conversation takes the place of the pronoun. Only
what is searched for is written anew; what was said is stored and shown as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from siliconfriend.language.belongings import belongings_in, is_belonging
from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.language.dictionary import dictionary_entries, is_proper_name
from siliconfriend.language.kinship import Relation, relatives_in
from siliconfriend.language.sentences import is_question, split_sentences
from siliconfriend.language.word_lists import stop_words
from siliconfriend.recall.cue import CONTEXT_UTTERANCES, Utterance, find_names
from siliconfriend.texts import LANGUAGES, lookup

Sex = Literal["", "f", "m"]

BESIDE = 2
"""Most characters between a word for a relative and the name: "my sister, Fay"."""

_ENGLISH_PRONOUN = re.compile(r"\b(?:(?P<m>he|him|his)|(?P<f>she|her|hers))\b(?P<of> \w+)?", re.I)
_CHINESE_PRONOUN = re.compile(r"(?<![其吉])(?:(?P<m>他)|(?P<f>她)|它)(?!们|人|家|乡)")
_POSSESSIVE = ("his", "her", "hers")
_NOT_OWNED = re.compile(
    r" (?:a|about|again|an|and|any|anything|at|back|before|by|ever|for|from|here|home|if|in|last|me|money|my|now"
    r"|of|off|on|or|out|over|some|something|that|the|there|this|to|today|up|what|when|where|which|who|why|with"
    r"|yesterday|yet)",
    re.IGNORECASE,
)
"""What follows "her" where nothing of hers is meant: "Did I give her some honey?"."""

_ENGLISH_ELLIPSIS = re.compile(
    r"\W*(?:and |but |so )?(?:and|what about|how about) (?P<rest>[^,.;!?]+?)\W*$", re.IGNORECASE
)
_CHINESE_ELLIPSIS = re.compile(r"\W*(?:那|那么)?(?P<rest>[^，。；！？,]+?)呢\W*$")

_NO_PERSON_AFTER = re.compile(
    r"(?:\b(?:in|to|at|from|on|near|since|until|of|by|for|called|\d+)|[在去到从往回]) ?$",
    re.IGNORECASE,
)
"""What stands before the name of a place, a month or a thing."""

_BEGINS = re.compile(
    r"(?:^|(?<=[.!?] ))(?P<name>[A-Z][a-z]+)(?= (?:called|rang|said|says|told|asked|wants|came|wrote"
    r"|visited|texted|phoned|emailed|thinks|promised|apologi[sz]ed|married|proposed|gave|and I)\b)"
)
"""A sentence that begins with what only somebody does, so that "Kit called" is of no kit."""

_WOMEN = re.compile(r"(?:阿姨|奶奶|婆婆?|姐|妹|嫂|女士|小姐|太太)$|^(?:Mrs|Ms|Miss)\b")
_MEN = re.compile(r"(?:叔叔?|爷爷?|伯伯?|哥|弟|先生|大爷)$|^Mr\b")


@dataclass(frozen=True, slots=True)
class _Mention:
    """Somebody whom a text names, or a pet.

    Attributes:
        words: by which they are named elsewhere.
        start, end: where they stand.
        sex: of a man or a woman; empty where it is not known.
    """

    words: str
    start: int
    end: int
    sex: Sex = ""

    def is_beside(self, other: _Mention) -> bool:
        """True for "Fay" in "my sister Fay", who are one."""
        return other.start <= self.end and self.start - other.end <= BESIDE


def resolve_references(message: str, talk: Sequence[Utterance]) -> str:
    """Write a question out by what was said before it; any other message as it is.

    Args:
        message: what the person said.
        talk: what was said before in this conversation, oldest first.
    """
    talk = talk[-CONTEXT_UTTERANCES:]
    last = next((at for at in reversed(range(len(talk))) if not talk[at].is_reply), None)
    if last is None:
        return message
    ellipsis = _CHINESE_ELLIPSIS if is_chinese(message) else _ENGLISH_ELLIPSIS
    if short := ellipsis.match(message):
        before = resolve_references(talk[last].text, talk[:last])
        if of_another := _asked_of_another(before, short["rest"].strip()):
            return of_another
    asked = next(reversed(split_sentences(message)), "")
    if not is_question(asked) or any(_mentions_in(message)):
        return message
    pronoun = (_CHINESE_PRONOUN if is_chinese(message) else _ENGLISH_PRONOUN).search(message)
    if pronoun is None:
        return message
    meant = next(_named_before(talk, _sex_of(pronoun)), None)
    return message if meant is None else _put_in(message, meant.words)


def _asked_of_another(question: str, rest: str) -> str:
    """The question before with somebody else in it: "And my brother?"; empty where it is none."""
    other = next(_mentions_in(rest), None)
    asked = next(_mentions_in(question), None)
    if other is None or asked is None or not is_question(question):
        return ""
    is_all = other.end == len(rest) and not rest[: other.start].strip("我咱俺们的家 ")
    return (
        f"{question[: asked.start]}{rest[other.start :]}{question[asked.end :]}" if is_all else ""
    )


def _named_before(talk: Sequence[Utterance], sex: Sex) -> Iterator[_Mention]:
    """Who was named before, the latest first: by the person, or else in the answer to it.

    Of several in one message the first is what it is about: "Kit met Tom".
    """
    replies: list[Utterance] = []
    for utterance in reversed(talk):
        if utterance.is_reply:
            replies.append(utterance)
            continue
        for text in (utterance.text, *map(_as_said_by_person, replies)):
            fitting = [it for it in _mentions_in(text) if not (sex and it.sex) or it.sex == sex]
            yield from fitting[:1]
        replies.clear()


def _as_said_by_person(reply: Utterance) -> str:
    return re.sub(r"\byour\b", "my", reply.text, flags=re.IGNORECASE).replace("你", "我")


def _put_in(message: str, words: str) -> str:
    """The message with somebody's words in place of each pronoun for them."""
    if is_chinese(message):
        return _CHINESE_PRONOUN.sub(words, message)

    def instead(pronoun: re.Match[str]) -> str:
        behind = pronoun["of"] or ""
        said = (pronoun["m"] or pronoun["f"]).lower()
        is_owner = said in _POSSESSIVE and behind and not _NOT_OWNED.fullmatch(behind)
        return f"{words}'s{behind}" if is_owner else f"{words}{behind}"

    return _ENGLISH_PRONOUN.sub(instead, message)


def _sex_of(pronoun: re.Match[str]) -> Sex:
    return "m" if pronoun["m"] else "f" if pronoun["f"] else ""


def _mentions_in(text: str) -> Iterator[_Mention]:
    """Who is named in a text, in order: relatives, pets, and people by their names."""
    found = [
        _Mention(text[it.start : it.end], it.start, it.end, _sex_by(it.relation))
        for it in (*relatives_in(text), *belongings_in(text))
        if not is_belonging(it.relation) or it.relation in _animals()
    ]
    people = list(_people_in(text))
    yield from sorted(
        [
            *(_with_name(it, people, text) for it in found),
            *(it for it in people if not any(map(it.is_beside, found))),
        ],
        key=lambda it: it.start,
    )


def _with_name(relative: _Mention, people: Sequence[_Mention], text: str) -> _Mention:
    """A relative with the name that follows: "my cousin Ines"."""
    end = next((it.end for it in people if relative.end <= it.start and it.is_beside(relative)), 0)
    end = max(end, relative.end)
    words = text[relative.start : end]
    return replace(relative, words=words[:1].lower() + words[1:], end=end)


def _sex_by(relation: Relation) -> Sex:
    """The sex that the last step says: a sister is ``sf``, a sibling ``s``, a boss ``xboss``."""
    known = relation[-1][1:]
    return "f" if known == "f" else "m" if known == "m" else ""


def _people_in(text: str) -> Iterator[_Mention]:
    """People by their names, neither places nor months."""
    names = [(it, at) for it in find_names(text) if (at := text.find(it)) >= 0]
    names += [
        (it["name"], it.start())
        for it in _BEGINS.finditer(text)
        if fold(it["name"]) not in stop_words()
    ]
    merged: list[tuple[int, int]] = []
    for start, end in sorted((at, at + len(it)) for it, at in names if not _is_verb_phrase(it)):
        if merged and merged[-1][1] == start:  # 欧阳 and 阿姨
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    for start, end in merged:
        words = text[start:end]
        if _is_name(words) and not _NO_PERSON_AFTER.search(text, 0, start):
            yield _Mention(words, start, end, _sex_named(words))


def _sex_named(words: str) -> Sex:
    """The sex that a title says: Mrs Okafor, 欧阳阿姨."""
    return "f" if _WOMEN.search(words) else "m" if _MEN.search(words) else ""


def _is_name(word: str) -> bool:
    """True if a word that looks like a name is none of the dictionary's other words."""
    return not is_chinese(word) or is_proper_name(word) or not dictionary_entries(word)


def _is_verb_phrase(word: str) -> bool:
    """True for 养蜜蜂, which the segmenter takes for a name: a verb and a word of the dictionary."""
    begins_as_name = word[:1] in lookup("kinship", "surnames", "cn")
    return len(word) > 2 and not begins_as_name and bool(dictionary_entries(word[1:]))


@cache
def _animals() -> frozenset[Relation]:
    words = (lookup("belongings", "animals", language) for language in LANGUAGES)
    return frozenset((f"o{kind}",) for rows in words for kind, *_ in rows)
