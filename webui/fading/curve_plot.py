"""Curves of retention as one drawing (SVG) that needs no library and no network.

The drawing can be read day by day, with the pointer or with the arrow keys: what is at the
day stands in words below it (``static/fading/curves.js``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..words.markup import plain
from .curve_marks import curve_class, dash, letter, mark

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 30, 34, 32
TICKS = 3
LABEL_WIDTH = 150
"""Two moments nearer than this have their labels one above the other."""
LABEL_HEIGHT = 14
LETTER_HEIGHT = 22
"""Of the letters at the ends of curves as a phone draws them."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One memory's line.

    Attributes:
        title: shown when it is pointed at.
        points: moments and R, in order.
        recalls: moments at which it was recalled, with R before each put back to 1.
    """

    title: str
    points: Sequence[tuple[datetime, float]]
    recalls: Sequence[datetime]


@dataclass(frozen=True, slots=True)
class Wording:
    """What the drawing says.

    Attributes:
        name: what is drawn, and how it is read.
        now, then: what stands at the lines of the two moments.
        day: the name of a moment's day, for the axis and for what is read.
        share: what is read of a curve: ``{letter}`` and ``{kept}`` are put in.
        between: what stands between two of these.
    """

    name: str
    now: str
    then: str
    day: Callable[[datetime], str]
    share: str = "{letter} {kept}%"
    between: str = ", "


def drawing(curves: Sequence[Curve], now: datetime, then: datetime, wording: Wording) -> str:
    """Return the curves over time as HTML, with lines at now and at a later moment.

    Args:
        curves: the memories.
        now: the present.
        then: the later moment, up to which the curves run.
        wording: what the drawing says.
    """
    first = min((it.points[0][0] for it in curves if it.points), default=now)
    last = max(then, now)
    span = max(last - first, timedelta(days=1))

    def across(moment: datetime) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((moment - first) / span)

    body = [*_shares(), *_days(first, span, wording.day)]
    body.append(_upright(now, wording.now, "none", across))
    if then > now:
        raised = LABEL_HEIGHT if across(then) - across(now) < LABEL_WIDTH else 0
        body.append(_upright(then, wording.then, "5 4", across, raised))
    heights = letter_heights(curves)
    for number, curve in enumerate(curves):
        body.append(_line(number, curve, across, heights.get(number)))
    days = [wording.day(first + timedelta(days=it)) for it in range(span.days + 1)]
    present = round((now - first) / timedelta(days=1))
    return (
        f'<div class="sf-plot" role="slider" tabindex="0" aria-label="{plain(wording.name)}" '
        f'aria-valuemin="0" aria-valuemax="{span.days}" aria-valuenow="{present}" '
        f'aria-valuetext="{plain(days[min(present, span.days)])}" '
        f'data-edges="{LEFT} {WIDTH - RIGHT} {TOP} {HEIGHT - BOTTOM}" '
        f'data-share="{plain(wording.share)}" data-between="{plain(wording.between)}" '
        f'data-days="{plain(json.dumps(days, ensure_ascii=False))}">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{"".join(body)}'
        '<line class="sf-at" y1="0" y2="0"/></svg></div>'
    )


def _up(kept: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - kept)


def _shares() -> Iterator[str]:
    """Yield the horizontal lines; a memory is faded below the one at a half."""
    for kept in (0.0, 0.25, 0.5, 0.75, 1.0):
        half = " sf-half" if kept == 0.5 else ""
        yield (
            f'<line class="sf-grid{half}" x1="{LEFT}" x2="{WIDTH - RIGHT}" '
            f'y1="{_up(kept):.1f}" y2="{_up(kept):.1f}"/>'
            f'<text x="{LEFT - 6}" y="{_up(kept) + 4:.1f}" text-anchor="end">{100 * kept:.0f}%'
            "</text>"
        )


def _days(first: datetime, span: timedelta, day_label: Callable[[datetime], str]) -> Iterator[str]:
    for step in range(TICKS + 1):
        x = LEFT + (WIDTH - LEFT - RIGHT) * step / TICKS
        anchor = {0: "start", TICKS: "end"}.get(step, "middle")
        # On a phone, where letters are larger, it would stand in the last one.
        narrow = ' class="sf-wide"' if step == TICKS - 1 else ""
        yield (
            f'<text{narrow} x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="{anchor}">'
            f"{plain(day_label(first + span * step / TICKS))}</text>"
        )


def letter_heights(curves: Sequence[Curve]) -> dict[int, float]:
    """Return how high the letter of each curve stands: at its end, and clear of the others."""
    ends = sorted((_up(it.points[-1][1]), number) for number, it in enumerate(curves) if it.points)
    heights: dict[int, float] = {}
    free = float(HEIGHT - BOTTOM)
    for height, number in reversed(ends):
        heights[number] = min(height, free)
        free = heights[number] - LETTER_HEIGHT
    return heights


def _line(
    number: int, curve: Curve, across: Callable[[datetime], float], height: float | None
) -> str:
    line = " ".join(f"{across(at):.1f},{_up(kept):.1f}" for at, kept in curve.points)
    marks = "".join(mark(number, across(at), _up(1.0)) for at in curve.recalls)
    end = ""
    if height is not None:
        at, _ = curve.points[-1]
        end = f'<text x="{across(at) + 6:.1f}" y="{height + 4:.1f}">{letter(number)}</text>'
    return (
        f'<g class="{curve_class(number)}"><title>{plain(curve.title)}</title>'
        f'<polyline class="sf-line" data-letter="{letter(number)}" points="{line}" '
        f'stroke-dasharray="{dash(number)}"/>{marks}{end}</g>'
    )


def _upright(
    moment: datetime,
    label: str,
    dashes: str,
    across: Callable[[datetime], float],
    raised: float = 0,
) -> str:
    x = across(moment)
    anchor = "end" if x > WIDTH / 2 else "start"
    return (
        f'<line class="sf-moment" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" '
        f'stroke-dasharray="{dashes}"/>'
        f'<text x="{x:.1f}" y="{TOP - 9 - raised}" text-anchor="{anchor}">{plain(label)}</text>'
    )
