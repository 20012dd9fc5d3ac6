"""What someone has of their own and may call by a name: a dog, a cat, a car, a boat, a house.

A name given to a pet stands for it as a relative's name does. Each kind is a relation, of one step
that begins with ``o`` and goes on with the kind, so that what is known of relatives and of their
names holds for these too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from siliconfriend.language.characters import HAN, fold, is_chinese
from siliconfriend.language.kinship import Relation, Relative, kin_words, relatives_in
from siliconfriend.language.tokenizer import segmenter
from siliconfriend.language.word_lists import any_of, stop_words
from siliconfriend.texts import LANGUAGES, lookup

_LATIN = r"(?P<latin>(?-i:[A-Z][a-zé]+))(?![\w-])"
_CHINESE = rf"(?:(?P<latin>[A-Z][a-z]+)|(?P<han>[{HAN}]{{2,6}}))"
_MEASURES = "只条辆匹头艘套台架把"
_COUNT = r"(?:an?|another|one|two|three|four|five|six|some|several|a few|a couple of|\d+)"
_HAVING = re.compile(
    r"\b(?:i|we)(?:.ve)? (?:also |still |now |only |just |once )?(?:have|had|got|have got|own|owned|keep|kept|bought"
    r"|adopted|rescued|took in|inherited) (?!to\b|been\b)[^.!?;]{0,40}$",
    re.IGNORECASE,
)
"""What stands before "a dog" where it is one's own: "we have three cats and a dog"."""


@lru_cache(maxsize=8192)
def belongings_in(text: str) -> tuple[Relative, ...]:
    """What of the speaker's own a text names, in order; not what is somebody else's."""
    plain = text.replace("’", "'")
    matches = [it for pattern in (_english(), _chinese()) for it in pattern.finditer(plain)]
    matches += [it for it in _english_had().finditer(plain) if _HAVING.search(plain[: it.start()])]
    found = [
        Relative(_kinds()[word.casefold()], match.start(), match.end())
        for match in matches
        if (word := next(filter(None, match.groups())))
    ]
    return tuple(sorted(found, key=lambda it: it.start))


@lru_cache(maxsize=8192)
def names_of_belongings(text: str) -> tuple[tuple[str, Relation], ...]:
    """What the speaker's own is called in a text, folded: "our dog Pixel", 我家猫叫团子."""
    found = [
        (fold(name), _kinds()[match["thing"].casefold()])
        for pattern, is_sure in _called()
        for match in pattern.finditer(text)
        if (name := match["latin"] or _chinese_name(match, is_sure=is_sure))
        and fold(name) not in stop_words()
    ]
    return tuple(dict.fromkeys(found))


def words_for_belonging(relation: Relation) -> tuple[str, ...]:
    """The words of every language for a kind of belonging."""
    return tuple(word for word, kind in _kinds().items() if kind == relation)


def is_belonging(relation: Relation) -> bool:
    """True for what is owned, and nobody."""
    return relation[0].startswith("o")


def _chinese_name(match: re.Match[str], *, is_sure: bool) -> str:
    """The name at the place of a match, as the segmenter ends it; empty where it is no name.

    Without a word for calling only a noun is one, and none that says a part of the thing.
    """
    words = [(word, kind) for word, kind in segmenter().tag(match.groupdict().get("han") or "")]
    if not words:
        return ""
    (name, kind), *rest = words
    if len(name) == 1 and is_sure and rest and len(rest[0][0]) == 1:
        name += rest[0][0]
    if len(name) < 2 or relatives_in(name):
        return ""
    is_part = any(name.startswith(it) for it in _beside("cn"))
    return name if is_sure or (kind.startswith("n") and not is_part) else ""


@cache
def _kinds() -> dict[str, Relation]:
    """The kind of each word of both languages."""
    return {
        word: (f"o{kind}",)
        for language in LANGUAGES
        for group in ("animals", "things")
        for kind, *words in lookup("belongings", group, language)
        for word in words
    }


@cache
def _beside(language: str) -> tuple[str, ...]:
    words: str = lookup("belongings", "beside", "cn" if language == "cn" else "en")
    return tuple(words.split())


def _words(*, in_chinese: bool) -> str:
    return any_of(word for word in _kinds() if is_chinese(word) is in_chinese)


@cache
def _english() -> re.Pattern[str]:
    """A pattern for "my old car" and "the cat"; not for "my friend's dog" or "my car keys"."""
    return _english_after("(?:my|our|the)")


@cache
def _english_had() -> re.Pattern[str]:
    """A pattern for "a dog" and "two old cats", which are one's own behind "I have"."""
    return _english_after(_COUNT)


def _english_after(determiner: str) -> re.Pattern[str]:
    no_adjective = (
        rf"(?:{any_of(kin_words(in_chinese=False))}|an?|and|the|with|for|to|on|in|of|got|\w+s)\b"
    )
    return re.compile(
        rf"\b{determiner} (?:(?!{no_adjective})[\w-]+ ){{0,2}}?"
        rf"(?P<thing>{_words(in_chinese=False)})s?(?![\w'-])(?! (?:{any_of(_beside('en'))})\b)",
        re.IGNORECASE,
    )


@cache
def _chinese() -> re.Pattern[str]:
    """A pattern for 我家的狗, 把车 and 猫 alone; not for 邻居的狗, 热狗 or 车票."""
    own = rf"(?:我|咱|俺)们?(?:自己)?家?(?:里|养|新?买)?的?(?:[一那这]?[{_MEASURES}])?[老小新旧破]?"
    having = rf"(?:养着?|有没有|有|买)(?:了|过)?(?:[一两二三四五六七八九十几那这\d]*[{_MEASURES}])?"
    first = rf"(?:^|(?<=[，。！？；、\s])|[把将](?:[那这][{_MEASURES}])?|那[{_MEASURES}]|给)"
    others = "(?<![热熊野浪天海斑河别他她你您它的家只条头匹么])"
    animals = any_of(word for _, *words in lookup("belongings", "animals", "cn") for word in words)
    return re.compile(
        rf"(?:(?:{own}|(?<![他她你]){having}|{first})(?=(?P<thing>{_words(in_chinese=True)}))"
        rf"|{others}(?=(?P<animal>{animals})))(?:{_words(in_chinese=True)})(?!{any_of(_beside('cn'))})"
    )


@cache
def _called() -> tuple[tuple[re.Pattern[str], bool], ...]:
    """How it is told what something is called, and if a word for calling makes it sure."""
    return tuple(_called_patterns())


def _called_patterns() -> Iterator[tuple[re.Pattern[str], bool]]:
    for language in LANGUAGES:
        name = _CHINESE if language == "cn" else _LATIN
        thing = rf"(?P<thing>{_words(in_chinese=language == 'cn')})"
        for pattern in lookup("belongings", "called", language):
            source = pattern.replace("THINGNAME", f"{thing}{name}").replace("THING", thing)
            flags = re.NOFLAG if language == "cn" else re.IGNORECASE
            yield re.compile(source.replace("NAME", name), flags), "THINGNAME" not in pattern
