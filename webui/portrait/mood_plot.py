"""Moods over time as a small drawing (SVG), with the same in words for whoever cannot see it.

Bright days stand above the line, heavy ones below, mixed ones on it; each side has a shape of
its own, so that no colour is needed to read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from siliconfriend.moods import Mood
from siliconfriend.texts import Language

from ..cards.day_moods import DayMood, Side
from ..words.markup import day_link, day_name, plain
from ..words.phrases import counted, listed, tell

WIDTH, HEIGHT = 440, 112
LEFT, RIGHT = 16, 16
HEIGHTS: dict[Side, int] = {"bright": 24, "mixed": 50, "heavy": 76}
SHAPES: dict[Side, str] = {
    "bright": "M0-6a6 6 0 1 0 .01 0z",
    "mixed": "M0-6L6 0L0 6L-6 0z",
    "heavy": "M0 6L6-5H-6z",
}
MOST_DAYS = 60
"""Days that are drawn one by one; of more, each month is."""
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class _Point:
    """A day or a month, and which side its moods are on."""

    date: str
    side: Side
    title: str


def mood_figure(moods: Sequence[DayMood], today: date, language: Language) -> str:
    """Return the drawing with what it shows in words, and the days one by one, folded."""
    summary = plain(mood_summary(moods, language))
    by_day = "".join(
        f"<li>{day_link(it.date, today, language)} {plain(it.name(language))}</li>"
        for it in reversed(moods[-MOST_DAYS:])
    )
    return (
        f'<figure class="sf-moods">{_drawing(_points(moods, today, language), summary, language)}'
        f"<figcaption>{summary}</figcaption></figure>"
        f'<details data-part="moods"><summary>{plain(tell("portrait.day_by_day", language))}'
        f'</summary><ul class="sf-days">{by_day}</ul></details>'
    )


def mood_summary(moods: Sequence[DayMood], language: Language) -> str:
    """Return the moods of most days in words, with on how many days each was named."""
    counts: Counter[Mood] = Counter(mood for day in moods for mood in day.moods)
    named = [
        tell(
            "portrait.mood_days",
            language,
            mood=mood.name(language),
            days=counted("portrait.days", count, language),
        )
        for mood, count in counts.most_common(MOST_NAMED)
    ]
    return tell("portrait.moods_named", language, moods=listed(named, language))


def _points(moods: Sequence[DayMood], today: date, language: Language) -> list[_Point]:
    if len(moods) <= MOST_DAYS:
        return [
            _Point(
                it.date,
                it.side,
                f"{day_name(it.date, today, language)}: {it.name(language)}",
            )
            for it in moods
        ]
    months: dict[str, list[DayMood]] = {}
    for it in moods:
        months.setdefault(it.date[:7], []).append(it)
    return [
        _Point(f"{month}-15", _side_of(days), f"{month}: {mood_summary(days, language)}")
        for month, days in months.items()
    ]


def _side_of(days: Sequence[DayMood]) -> Side:
    """Return the side of a month: mixed where bright and heavy days are as many."""
    balance = sum({"bright": 1, "mixed": 0, "heavy": -1}[it.side] for it in days)
    return "bright" if balance > 0 else "heavy" if balance < 0 else "mixed"


def _drawing(points: Sequence[_Point], summary: str, language: Language) -> str:
    first, last = (date.fromisoformat(points[place].date) for place in (0, -1))
    span = max((last - first).days, 1)

    def across(point: _Point) -> float:
        days = (date.fromisoformat(point.date) - first).days
        return LEFT + (WIDTH - LEFT - RIGHT) * days / span

    line = " ".join(f"{across(it):.1f},{HEIGHTS[it.side]}" for it in points)
    marks = "".join(
        f'<path class="sf-mood-{it.side}" d="{SHAPES[it.side]}" '
        f'transform="translate({across(it):.1f} {HEIGHTS[it.side]})">'
        f"<title>{plain(it.title)}</title></path>"
        for it in points
    )
    middle = HEIGHTS["mixed"]
    sides = "".join(
        f'<text x="{LEFT}" y="{y}">{plain(tell(f"portrait.{side}", language))}</text>'
        for side, y in (("bright", 11), ("heavy", HEIGHT - 12))
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{summary}">'
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{middle}" y2="{middle}"/>'
        f'<polyline points="{line}"/>{marks}{sides}</svg>'
    )
