"""Characters that look like others: widths, invisible ones, letters of another alphabet.

Two names that look alike are taken for one by whoever reads them, and a mark with a letter
of another alphabet in it is a mark to a model. The table holds the letters of Greek,
Cyrillic, Armenian and Lisu that are drawn like a Latin one in common fonts, and the bars, slashes and
colons that are drawn like those of ASCII; it is from the prototypes of Unicode's security
mechanisms (UTS #39), and leaves out what only resembles in some fonts (``rn`` and ``m``).
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
"""Fillers of Hangul: letters without a shape."""


def plain_letters(words: str) -> str:
    """The words in NFKC, with the letters of one alphabet where others look the same."""
    return unicodedata.normalize("NFKC", words).translate(_PLAIN)


def without_accents(words: str) -> str:
    """The words with each letter of an alphabet in its bare form: ``é`` is ``e``, ``≮`` is ``<``."""
    parts = unicodedata.normalize("NFD", words)
    bare = "".join(it for it in parts if unicodedata.category(it) != "Mn")
    return bare if len(bare) == len(words) else words


def is_invisible(character: str) -> bool:
    """True if nothing is seen of a character: controls, joiners, marks of direction, fillers."""
    return unicodedata.category(character) in ("Cc", "Cf") or character in _INVISIBLE


def skeleton(name: str) -> str:
    """Fold a name so that names which look alike are equal, of any case and width."""
    before, seen = "", name
    while seen != before:
        before = seen
        plain = "".join(it for it in plain_letters(seen) if not is_invisible(it))
        seen = " ".join(plain.casefold().split())
    return seen
