"""The page's colours: that what is read and used stands out enough, by day and by night.

The ratios are those of WCAG 2.2: 4.5 for text, 3 for the borders of what can be used and for
icons. No browser is asked; the tokens are read and reckoned with.
"""

import re
from pathlib import Path

import pytest

import webui

FOLDER = Path(webui.__file__).parent
TOKENS = (FOLDER / "look/tokens.css").read_text(encoding="utf-8")
TIMES = ("day", "night")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\(")

Rgb = tuple[float, float, float]

STANDING = ("paper", "surface", "raised", "mine")
TEXTS = [(ink, on) for ink in ("ink", "soft", "accent") for on in STANDING]
TEXTS += [("danger", on) for on in ("paper", "surface")]
TEXTS += [("on-accent", "accent"), ("on-accent", "accent-strong"), ("on-danger", "danger")]
TEXTS += [("accent-strong", "raised"), ("paper", "ink")]
TEXTS += [("curve", on) for on in ("paper", "surface")]
BORDERS = [(edge, on) for edge in ("edge", "accent", "danger") for on in ("paper", "surface")]


def colour(name: str, time: str) -> Rgb:
    """A token's colour, each part from 0 to 1."""
    found = re.search(rf"--sf-{name}: light-dark\(#(\w{{6}}), #(\w{{6}})\);", TOKENS)
    assert found, f"no token {name}"
    told = found[1 + TIMES.index(time)]
    red, green, blue = (int(told[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def luminance(of: Rgb) -> float:
    """The relative luminance of a colour."""
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in of
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    """How much two colours differ, from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize(("ink", "on"), TEXTS, ids=[f"{each[0]} on {each[1]}" for each in TEXTS])
def test_what_is_read_stands_out(ink: str, on: str, time: str) -> None:
    assert contrast(colour(ink, time), colour(on, time)) >= 4.5


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize(
    ("edge", "on"), BORDERS, ids=[f"{each[0]} on {each[1]}" for each in BORDERS]
)
def test_what_is_used_has_an_edge(edge: str, on: str, time: str) -> None:
    assert contrast(colour(edge, time), colour(on, time)) >= 3


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("on", ["paper", "surface"])
def test_a_memory_that_is_nearly_gone_can_still_be_read(on: str, time: str) -> None:
    """At a retention of 0 its words have the least opacity, which stands in the rule."""
    page = (FOLDER / "look/style.css").read_text(encoding="utf-8")
    found = re.search(r"\.sf-fades \{[^}]* opacity: calc\((\.\d+) \+ (\.\d+) \* ", page)
    assert found
    least, added = float(found[1]), float(found[2])
    assert least + added == pytest.approx(1)
    paper, ink = colour(on, time), colour("ink", time)
    red, green, blue = (
        least * each + (1 - least) * under for each, under in zip(ink, paper, strict=True)
    )
    assert contrast((red, green, blue), paper) >= 4.5


def test_no_other_sheet_names_a_colour() -> None:
    """Else a pair would be read that nothing here has looked at."""
    sheets = [each for each in FOLDER.rglob("*.css") if each.name != "tokens.css"]
    assert sheets
    named = {each.name: COLOUR.findall(each.read_text(encoding="utf-8")) for each in sheets}
    assert {name: found for name, found in named.items() if found} == {}


SET_BY_SCRIPTS = {"--sf-height", "--sf-retention"}
"""What a script or an element sets by itself."""


@pytest.mark.parametrize(
    "sheet", sorted(each.relative_to(FOLDER).as_posix() for each in FOLDER.rglob("*.css"))
)
def test_every_token_that_a_sheet_uses_is_there(sheet: str) -> None:
    """A name that nothing sets draws a curve in no colour at all, and says nothing."""
    words = (FOLDER / sheet).read_text(encoding="utf-8")
    used = set(re.findall(r"var\((--sf-[\w-]+)", words))
    named = set(re.findall(r"(--sf-[\w-]+):", TOKENS + words))
    assert used - named - SET_BY_SCRIPTS == set()
