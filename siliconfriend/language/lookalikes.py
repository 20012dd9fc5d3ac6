"""Fold characters that look alike: widths, invisible ones, letters of another alphabet.

A reader takes two names that look alike for one, and a model a tag with a Cyrillic letter for a
tag. The table has letters of Greek, Cyrillic, Armenian and Lisu that look like Latin ones, and
bars, slashes and colons that look like those of ASCII. It is made from the prototypes of UTS #39
(© Unicode, Inc., Unicode License v3), without pairs of letters such as ``rn`` and ``m``.
"""

from __future__ import annotations

import unicodedata

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
