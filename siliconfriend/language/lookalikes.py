"""Fold characters that look alike: widths, invisible ones, letters of another alphabet.

A reader takes two names that look alike for one, and a model a tag with a Cyrillic letter for a
tag. The table has letters of Greek, Cyrillic, Armenian and Lisu that look like Latin ones, and
bars, slashes and colons that look like those of ASCII. It is made from the prototypes of UTS #39
(© Unicode, Inc., Unicode License v3), without pairs of letters such as ``rn`` and ``m``.
"""

from __future__ import annotations

import unicodedata

_LATIN = {
    "a": "аɑα",
    "b": "Ьᖯ",
    "c": "сϲⅽ",
    "d": "ԁⅾ",
    "e": "еҽ",
    "g": "ɡց",
    "h": "һհ",
    "i": "іɩι",
    "j": "јϳ",
    "k": "κк",
    "l": "ӏⅼ",
    "m": "ⅿ",
    "n": "ոռ",
    "o": "оοօჿ",
    "p": "рρ",
    "q": "ԛգ",
    "r": "гᴦ",
    "s": "ѕꜱ",
    "u": "υսᴜ",
    "v": "νѵᴠ",
    "w": "ѡԝաᴡ",
    "x": "хⅹ",
    "y": "уγү",
    "z": "ᴢ",
    "A": "АΑꓮ",
    "B": "ВΒꓐ",
    "C": "СϹꓚ",
    "D": "ꓓ",
    "E": "ЕΕꓰ",
    "F": "Ϝꓝ",
    "G": "Ԍꓖ",
    "H": "НΗꓧ",
    "I": "ІΙӀꓲ",
    "J": "ЈͿꓙ",
    "K": "КΚꓗ",
    "L": "ꓡ",
    "M": "МΜꓟ",
    "N": "Νꓠ",
    "O": "ОΟՕꓳ",
    "P": "РΡꓑ",
    "Q": "Ԛ",
    "R": "ꓣ",
    "S": "ЅՏꓢ",
    "T": "ТΤꓔ",
    "U": "Սꓴ",
    "V": "Ѵꓦ",
    "W": "Ԝꓪ",
    "X": "ХΧꓫ",
    "Y": "ΥҮꓬ",
    "Z": "Ζꓜ",
    "|": "∣❘¦│ǀ┃❙❚︱⏐",
    "/": "∕⁄╱⧸",
    ":": "꞉ː׃",
}
_PLAIN = str.maketrans({seen: plain for plain, all_seen in _LATIN.items() for seen in all_seen})
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0")
"""Fillers of Hangul, letters without a shape."""


def plain_letters(words: str) -> str:
    """Return the words in NFKC, with lookalike letters replaced by Latin ones."""
    return unicodedata.normalize("NFKC", words).translate(_PLAIN)


def without_accents(words: str) -> str:
    """Remove accents: ``é`` is ``e``, ``≮`` is ``<``."""
    parts = unicodedata.normalize("NFD", words)
    bare = "".join(it for it in parts if unicodedata.category(it) != "Mn")
    return bare if len(bare) == len(words) else words


def is_invisible(character: str) -> bool:
    """Return True for an invisible character: control, joiner, direction mark or filler."""
    return unicodedata.category(character) in ("Cc", "Cf") or character in _INVISIBLE


def skeleton(name: str) -> str:
    """Fold a name so that names which look alike are equal."""
    before, seen = "", name
    while seen != before:
        before = seen
        plain = "".join(it for it in plain_letters(seen) if not is_invisible(it))
        seen = " ".join(plain.casefold().split())
    return seen
