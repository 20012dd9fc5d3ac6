"""Curves of retention as one drawing (SVG) that needs no library and no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .cards import plain

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 14, 30
COLOURS = ("#4f6bed", "#d9730d", "#2f9e6e", "#c2417c", "#8a63d2", "#7a7a20")


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
    curves: Sequence[Curve], now: datetime, then: datetime, *, now_label: str, then_label: str
) -> str:
    """The curves with lines at now, at the moment looked ahead to, and at one half."""
    first = min((it.points[0][0] for it in curves if it.points), default=now)
    last = max(then, now)
    span = max(last - first, timedelta(days=1))

    def across(moment: datetime) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((moment - first) / span)

    def up(kept: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - kept)

    body = [
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(kept):.1f}" y2="{up(kept):.1f}" '
        f'stroke="currentColor" opacity="{0.4 if kept == 0.5 else 0.15}"/>'
        f'<text x="4" y="{up(kept) + 4:.1f}" font-size="12" fill="currentColor">'
        f"{100 * kept:.0f}%</text>"
        for kept in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        title = f"<title>{plain(curve.title)}</title>"
        line = " ".join(f"{across(at):.1f},{up(kept):.1f}" for at, kept in curve.points)
        body.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5">{title}'
            "</polyline>"
        )
        body += [
            f'<circle cx="{across(at):.1f}" cy="{up(1.0):.1f}" r="4.5" fill="{colour}">{title}'
            "</circle>"
            for at in curve.recalls
        ]
    body += _upright(
        [(now, now_label, "0"), *([(then, then_label, "5 4")] if then > now else [])], across
    )
    return (
        f'<div class="sf-plot"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"{''.join(body)}</svg></div>"
    )


def _upright(lines: Iterable[tuple[datetime, str, str]], across: object) -> list[str]:
    assert callable(across)
    shown = []
    for moment, label, dashes in lines:
        x = across(moment)
        anchor = "end" if x > WIDTH / 2 else "start"
        shown.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" '
            f'stroke="currentColor" stroke-dasharray="{dashes}"/>'
            f'<text x="{x:.1f}" y="{HEIGHT - 10}" font-size="12" text-anchor="{anchor}" '
            f'fill="currentColor">{plain(label)}</text>'
        )
    return shown


def colour_of(number: int) -> str:
    """The colour of the curve at a place."""
    return COLOURS[number % len(COLOURS)]
