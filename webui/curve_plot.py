"""Curves of retention as one drawing (SVG) that needs no library and no network."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .markup import plain

WIDTH, HEIGHT = 720, 280
LEFT, RIGHT, TOP, BOTTOM = 74, 14, 34, 34
TICKS = 3
LABEL_WIDTH = 150
"""Two moments nearer than this have their labels one above the other."""
LABEL_HEIGHT = 14
COLOURS = ("#4f6bed", "#d9730d", "#2f9e6e", "#c2417c", "#8a63d2", "#7a7a20")


READ_AT_POINTER = """
const show = (event) => {
    const plot = event.target.closest('.sf-plot');
    const said = element.querySelector('.sf-readout');
    if (!plot || !said) return;
    const svg = plot.querySelector('svg'), box = svg.getBoundingClientRect();
    const at = Math.min(RIGHT_EDGE, Math.max(LEFT_EDGE,
        (event.clientX - box.left) * WIDTH / box.width));
    const days = JSON.parse(plot.dataset.days);
    const day = Math.round((at - LEFT_EDGE) / (RIGHT_EDGE - LEFT_EDGE) * (days.length - 1));
    const line = plot.querySelector('.sf-at');
    for (const [name, value] of [['x1', at], ['x2', at], ['y1', TOP_EDGE], ['y2', LOW_EDGE]])
        line.setAttribute(name, value);
    said.textContent = days[day] + ': ';
    for (const curve of plot.querySelectorAll('polyline')) {
        const points = [...curve.points];
        const next = points.findIndex((it) => it.x >= at);
        if (next < 0 || (next === 0 && points[0].x > at + 1)) continue;
        const before = points[Math.max(0, next - 1)], after = points[next];
        const part = after.x > before.x ? (at - before.x) / (after.x - before.x) : 1;
        const y = before.y + part * (after.y - before.y);
        const share = document.createElement('b');
        share.style.color = curve.getAttribute('stroke');
        share.textContent = Math.round(100 * (LOW_EDGE - y) / (LOW_EDGE - TOP_EDGE)) + '%  ';
        said.append(share);
    }
};
element.addEventListener('pointermove', show);
element.addEventListener('pointerdown', show);
"""
"""Writes under the curves how much is left of each at the pointer."""
for name, value in (
    ("WIDTH", WIDTH),
    ("LEFT_EDGE", LEFT),
    ("RIGHT_EDGE", WIDTH - RIGHT),
    ("TOP_EDGE", TOP),
    ("LOW_EDGE", HEIGHT - BOTTOM),
):
    READ_AT_POINTER = READ_AT_POINTER.replace(name, str(value))


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


def drawing(
    curves: Sequence[Curve],
    now: datetime,
    then: datetime,
    *,
    now_label: str,
    then_label: str,
    day_label: Callable[[datetime], str],
) -> str:
    """Return the curves over time as HTML, with lines at now and at a later moment.

    Args:
        curves: the memories.
        now: the present.
        then: the later moment, up to which the curves run.
        now_label: what stands at the line of now.
        then_label: what stands at the line of then.
        day_label: the name of a day, for the axis and for what is read at the pointer.
    """
    first = min((it.points[0][0] for it in curves if it.points), default=now)
    last = max(then, now)
    span = max(last - first, timedelta(days=1))

    def across(moment: datetime) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((moment - first) / span)

    body = [*_shares(), *_days(first, span, day_label)]
    for number, curve in enumerate(curves):
        body += _line(curve, colour_of(number), across)
    body.append(_upright(now, now_label, "0", across))
    if then > now:
        raised = LABEL_HEIGHT if across(then) - across(now) < LABEL_WIDTH else 0
        body.append(_upright(then, then_label, "5 4", across, raised))
    days = [day_label(first + timedelta(days=it)) for it in range(span.days + 1)]
    return (
        f'<div class="sf-plot" data-days="{plain(json.dumps(days, ensure_ascii=False))}">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{"".join(body)}'
        '<line class="sf-at" y1="0" y2="0" stroke="currentColor" opacity=".5"/></svg></div>'
    )


def _up(kept: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - kept)


def _shares() -> Iterator[str]:
    """Yield the horizontal lines; a memory is faded below the one at a half."""
    for kept in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield (
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_up(kept):.1f}" y2="{_up(kept):.1f}" '
            f'stroke="currentColor" opacity="{0.4 if kept == 0.5 else 0.15}"/>'
            f'<text x="{LEFT - 6}" y="{_up(kept) + 4:.1f}" text-anchor="end" '
            f'fill="currentColor">{100 * kept:.0f}%</text>'
        )


def _days(first: datetime, span: timedelta, day_label: Callable[[datetime], str]) -> Iterator[str]:
    for step in range(TICKS + 1):
        x = LEFT + (WIDTH - LEFT - RIGHT) * step / TICKS
        anchor = {0: "start", TICKS: "end"}.get(step, "middle")
        # On a phone, where letters are larger, it would stand in the last one.
        narrow = ' class="sf-wide"' if step == TICKS - 1 else ""
        yield (
            f'<text{narrow} x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="{anchor}" '
            f'fill="currentColor" opacity=".8">{plain(day_label(first + span * step / TICKS))}'
            "</text>"
        )


def _line(curve: Curve, colour: str, across: Callable[[datetime], float]) -> Iterator[str]:
    title = f"<title>{plain(curve.title)}</title>"
    line = " ".join(f"{across(at):.1f},{_up(kept):.1f}" for at, kept in curve.points)
    yield (
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5">{title}'
        "</polyline>"
    )
    for at in curve.recalls:
        yield f'<circle cx="{across(at):.1f}" cy="{_up(1.0):.1f}" r="4.5" fill="{colour}"/>'


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
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" '
        f'stroke="currentColor" stroke-dasharray="{dashes}"/>'
        f'<text x="{x:.1f}" y="{TOP - 9 - raised}" text-anchor="{anchor}" '
        f'fill="currentColor">{plain(label)}</text>'
    )


def colour_of(number: int) -> str:
    """Return the colour of the curve with this number."""
    return COLOURS[number % len(COLOURS)]
