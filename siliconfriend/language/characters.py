"""Fold characters, find Chinese ones, and detect the language of a text.

Readers confuse names that look alike, and models accept tags with Cyrillic letters. The table has
letters of Greek, Cyrillic, Armenian and Lisu that look like Latin ones, and
bars, slashes and colons that look like those of ASCII. It is made from the prototypes of UTS #39
(© Unicode, Inc., Unicode License v3), without pairs of letters such as ``rn`` and ``m``.
"""

import re
import unicodedata

from siliconfriend.texts import Language

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Chinese characters, as the inside of a character class of a regular expression."""

_CHINESE = re.compile(rf"[{HAN}]")
_CHINESE_RUN = re.compile(rf"[{HAN}]+")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_ALIKE = (
    "aаɑα bЬᖯ cсϲⅽ dԁⅾ eеҽ gɡց hһհ iіɩι jјϳ kκк lӏⅼ mⅿ "
    "nոռ oоοօჿ pрρ qԛգ rгᴦ sѕꜱ uυսᴜ vνѵᴠ wѡԝաᴡ xхⅹ yуγү zᴢ "
    "AАΑꓮ BВΒꓐ CСϹꓚ Dꓓ EЕΕꓰ FϜꓝ GԌꓖ HНΗꓧ IІΙӀꓲ JЈͿꓙ KКΚꓗ Lꓡ "
    "MМΜꓟ NΝꓠ OОΟՕꓳ PРΡꓑ QԚ Rꓣ SЅՏꓢ TТΤꓔ UՍꓴ VѴꓦ WԜꓪ XХΧꓫ "
    "YΥҮꓬ ZΖꓜ "
    "|∣❘¦│ǀ┃❙❚︱⏐ /∕⁄╱⧸ :꞉ː׃"
)
"""Groups of characters that look alike, the plain one of each first."""
_PLAIN = str.maketrans({seen: group[0] for group in _ALIKE.split() for seen in group[1:]})
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0")
"""Fillers of Hangul, letters without a shape."""


def fold(text: str) -> str:
    """Fold letter case and width (NFKC, case folded)."""
    return unicodedata.normalize("NFKC", text).casefold()


def is_chinese(text: str) -> bool:
    """Return True if a text has Chinese characters."""
    return _CHINESE.search(text) is not None


def chinese_runs(text: str) -> list[str]:
    """Return the runs of Chinese characters of a text, in order."""
    return _CHINESE_RUN.findall(text)


LETTERS_OF_NAMES = 3
"""Most Chinese characters for each Latin word in an English text."""


def language_of(text: str, otherwise: Language = "en") -> Language:
    """Detect the language: Chinese if there are more Chinese characters than Latin words.

    Return ``otherwise`` for a text with neither.
    """
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN_WORD.findall(text))
    if not chinese and not latin:
        return otherwise
    return "cn" if chinese > latin else "en"


def is_written_in(text: str, language: Language) -> bool:
    """Return True if a text may be in a language: names in it may be in the other's letters."""
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN_WORD.findall(text))
    return chinese > 0 or not latin if language == "cn" else chinese <= LETTERS_OF_NAMES * latin


def plain_letters(words: str) -> str:
    """Return the words in NFKC, with lookalike letters replaced by Latin ones."""
    return unicodedata.normalize("NFKC", words).translate(_PLAIN)


def without_accents(words: str) -> str:
    """Remove accents: ``é`` is ``e``, ``≮`` is ``<``."""
    parts = unicodedata.normalize("NFD", words)
    bare = "".join(char for char in parts if unicodedata.category(char) != "Mn")
    return bare if len(bare) == len(words) else words


def is_invisible(character: str) -> bool:
    """Return True for an invisible character: control, joiner, direction mark or filler."""
    return unicodedata.category(character) in ("Cc", "Cf") or character in _INVISIBLE


def is_blank(words: str) -> bool:
    """Return True for a text without a visible character."""
    return all(char.isspace() or is_invisible(char) for char in words)


def skeleton(name: str) -> str:
    """Fold a name so that names which look alike are equal."""
    before, seen = "", name
    while seen != before:
        before = seen
        plain = "".join(char for char in plain_letters(seen) if not is_invisible(char))
        seen = " ".join(plain.casefold().split())
    return seen
