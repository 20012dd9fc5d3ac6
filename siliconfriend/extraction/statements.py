"""What kind of thing a told fact says, and of what: the same in every language.

"Ada's birthday is 4 May" and 小林的生日是五月四号 are both a birthday on (5, 4). Were facts compared
as sentences, the same fact told in two languages would stand twice, or the one would pass for
a correction of the other. The kinds and their patterns are data (``texts/*/extraction.toml``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from siliconfriend.extraction.figures import month_and_day, numbers
from siliconfriend.extraction.things import Embed, same_thing
from siliconfriend.extraction.wording import kin_kind, patterns, words_of
from siliconfriend.language.characters import fold
from siliconfriend.texts import LANGUAGES

SINGLE = frozenset(("birthday", "home", "job", "age"))
"""Kinds of which one has only one: another value is a correction."""
AGAINST = {"likes": "dislikes", "dislikes": "likes"}
"""Kinds of which both cannot hold of the same thing."""
_ALIKE = {"role": "job"}
"""Kinds that may say the same as another though they are told apart."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a sentence says of someone.

    Attributes:
        kind: ``birthday``, ``likes``, ``pet_name`` and so on.
        value: of what, as it was told.
        what: what more it takes to know that (the sort of animal, whose name, which favourite).
        count: how many, as it was told; empty where it is not counted.
    """

    kind: str
    value: str
    what: str = ""
    count: str = ""

    @property
    def is_single(self) -> bool:
        """Whether one has only one of it."""
        return self.kind in SINGLE


@lru_cache(maxsize=8192)
def statement(text: str, entity: str) -> Statement | None:
    """What a sentence that begins with its entity says; None where no kind is known for it."""
    if not fold(text).startswith(fold(entity)):
        return None
    rest = text[len(entity) :]
    for language in LANGUAGES:
        for kind in words_of("statements", language):
            for pattern in patterns(f"statements.{kind}", language):
                found = pattern.search(rest)
                if found is None:
                    continue
                parts = {
                    name: (it or "").strip(" .。!！") for name, it in found.groupdict().items()
                }
                if parts["value"]:
                    what, count = parts.get("what", ""), parts.get("count", "")
                    return Statement(str(kind), parts["value"], what, count)
    return None


def says_the_same(one: Statement, other: Statement, embed: Embed | None) -> bool:
    """Whether two statements of one entity say the same."""
    if _ALIKE.get(one.kind, one.kind) != _ALIKE.get(other.kind, other.kind):
        return False
    if one.kind == "birthday":
        days = month_and_day(one.value), month_and_day(other.value)
        return days[0] == days[1] and (days[0] is not None or _alike(one, other, embed))
    if one.kind == "family":
        return _count(one) == _count(other) and _same_kin(one.value, other.value)
    if one.kind == "kin_name" and not _same_kin(one.what, other.what):
        return False
    if one.kind in ("pet_name", "favourite") and not same_thing(one.what, other.what, embed):
        return False
    return _alike(one, other, embed)


def speak_against(newer: Statement, older: Statement, embed: Embed | None) -> bool:
    """Whether only one of two statements of one entity can hold."""
    if AGAINST.get(newer.kind) == older.kind:
        return _alike(newer, older, embed)
    if newer.kind != older.kind or not newer.is_single:
        return False
    return not says_the_same(newer, older, embed)


@lru_cache(maxsize=8192)
def same_entity(one: str, other: str) -> bool:
    """Whether two names mean the same one: "Ada's sister" is Ada的妹妹, and 姐姐 is not 妹妹."""
    if fold(one) == fold(other):
        return True
    (whose, kin), (other_whose, other_kin) = _kin_of(one), _kin_of(other)
    return bool(kin) and whose == other_whose and _same_kin(kin, other_kin)


def key_of(entity: str) -> tuple[str, str]:
    """The same for all names of one entity, and perhaps for another's: it sorts, no more."""
    whose, kin = _kin_of(entity)
    return whose, kin_kind(kin)


@lru_cache(maxsize=4096)
def _kin_of(entity: str) -> tuple[str, str]:
    """Whose, and what they are to them."""
    plain = fold(entity)
    for between in ("'s ", "’s ", "的"):
        whose, found, kin = plain.rpartition(between)
        if found and kin_kind(kin):
            return whose, kin
    return plain, ""


def _same_kin(one: str, other: str) -> bool:
    """Within a language by the word, since 姐姐 and 妹妹 are two; else by what they are."""
    one, other = fold(one), fold(other)
    if one.isascii() == other.isascii():
        return one.removesuffix("s") == other.removesuffix("s")
    return bool(kin_kind(one)) and kin_kind(one) == kin_kind(other)


def _alike(one: Statement, other: Statement, embed: Embed | None) -> bool:
    return same_thing(one.value, other.value, embed)


def _count(it: Statement) -> frozenset[int]:
    return numbers(f"{it.count}个" if not it.count.isascii() else it.count) or frozenset((1,))
