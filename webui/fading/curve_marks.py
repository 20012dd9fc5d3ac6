"""What tells one curve from another beside its colour: a letter, a dash, the shape of its marks.

Colour alone leaves out whoever sees few colours and every print in grey. The colours
themselves are in the page's tokens, by the number of the curve.
"""

from __future__ import annotations

MOST_CURVES = 6

_DASHES = ("none", "9 5", "2 4", "12 4 2 4", "5 3", "1 3 7 3")
_SHAPES = (
    "M0-5a5 5 0 1 0 .01 0z",  # disc
    "M-4.4-4.4h8.8v8.8h-8.8z",  # square
    "M0-5.6L5.2 4H-5.2z",  # triangle
    "M0-6L6 0L0 6L-6 0z",  # diamond
    "M-1.8-5.4h3.6v3.6h3.6v3.6h-3.6v3.6h-3.6v-3.6h-3.6v-3.6h3.6z",  # cross
    "M0 5.6L5.2-4H-5.2z",  # triangle upside down
)


def letter(number: int) -> str:
    """Return the letter by which a curve is named in words."""
    return chr(ord("A") + number % MOST_CURVES)


def curve_class(number: int) -> str:
    """Return the class that gives a curve its colour."""
    return f"sf-curve-{number % MOST_CURVES + 1}"


def dash(number: int) -> str:
    """Return the dashes of a curve, as SVG writes them."""
    return _DASHES[number % MOST_CURVES]


def mark(number: int, x: float, y: float) -> str:
    """Return a mark of a curve at a place of the drawing, as SVG."""
    shape = _SHAPES[number % MOST_CURVES]
    return f'<path class="sf-mark" d="{shape}" transform="translate({x:.1f} {y:.1f})"/>'


def sample(number: int) -> str:
    """Return a short piece of a curve with its mark and letter, for the list beside the drawing."""
    return (
        f'<svg class="sf-sample {curve_class(number)}" viewBox="0 0 44 16" aria-hidden="true">'
        f'<path class="sf-line" d="M1 8H43" stroke-dasharray="{dash(number)}"/>'
        f'{mark(number, 22, 8)}</svg><b class="{curve_class(number)}">{letter(number)}</b>'
    )
