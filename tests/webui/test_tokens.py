"""The page's colours stand out enough, by day and by night: WCAG 2.2 asks 4.5 of text, 3 of borders.

The tokens are read and reckoned with; axe-core looks at the drawn page.
"""

import re
from pathlib import Path

import pytest

import webui

FOLDER = Path(webui.__file__).parent / "look"
TOKENS = (FOLDER / "tokens.css").read_text(encoding="utf-8")
STYLE = (FOLDER / "style.css").read_text(encoding="utf-8")
TIMES = ("day", "night")
STANDING = ("paper", "surface", "raised", "mine")
TEXTS = [(ink, on) for ink in ("ink", "soft", "accent") for on in STANDING]
TEXTS += [("on-accent", "accent"), ("on-accent", "accent-strong"), ("on-danger", "danger")]
TEXTS += [("accent-strong", "raised"), ("paper", "ink")]
TEXTS += [(ink, on) for ink in ("danger", "curve") for on in ("paper", "surface")]
BORDERS = [(edge, on) for edge in ("edge", "accent", "danger") for on in ("paper", "surface")]
SET_BY_SCRIPTS = {"--sf-height", "--sf-retention"}
"""What a script or an element sets by itself."""


def luminance(name: str, time: str) -> float:
    """Return the relative luminance of a token's colour."""
    found = re.search(rf"--sf-{name}: light-dark\(#(\w{{6}}), #(\w{{6}})\);", TOKENS)
    assert found, f"no token {name}"
    told = found[1 + TIMES.index(time)]
    parts = [int(told[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize(("pairs", "least"), [(TEXTS, 4.5), (BORDERS, 3)], ids=["texts", "borders"])
def test_colours_stand_out(pairs: list[tuple[str, str]], least: float, time: str) -> None:
    faint = []
    for pair in pairs:
        low, high = sorted(luminance(name, time) for name in pair)
        if (high + 0.05) / (low + 0.05) < least:
            faint.append(pair)
    assert faint == []


def test_the_style_names_no_colour_and_no_token_that_is_not_there() -> None:
    """Else a pair would be read that nothing looked at, or a curve drawn in no colour at all."""
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\(", STYLE) == []
    used = set(re.findall(r"var\((--sf-[\w-]+)", STYLE + TOKENS))
    assert used - set(re.findall(r"(--sf-[\w-]+):", TOKENS)) <= SET_BY_SCRIPTS
