"""The fading panel: how memories fade, as curves, with one sentence each and a slider."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.control.listing import MemoryRow, formula
from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.prospect import replay
from siliconfriend.memory.records import Turn
from siliconfriend.texts import text

from .backend import Backend, Visit
from .components import LABELS, fills, gr, make_view, shown
from .words import counted, plain, quiet, shortened

FARTHEST_DAYS = 365
WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 34, 46, 30
LETTER = 20
"""Height of a curve's letter."""
TICKS = 3
CURVES = (
    ("A", "none", "M0-5a5 5 0 1 0 .01 0z"),
    ("B", "9 5", "M-4.4-4.4h8.8v8.8h-8.8z"),
    ("C", "2 4", "M0-5.6L5.2 4H-5.2z"),
)
"""Letter, dashes and mark of a recall (disc, square, triangle): not by their colours alone."""
BETWEEN = 0.6
"""The retention that the middle curve is chosen nearest to."""


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    with gr.Row(elem_classes="sf-filters"):
        days = gr.Slider(0, FARTHEST_DAYS, 30, step=1, label=LABELS("days_ahead"))
    view = make_view("fading", elem_id="curves")
    fills(backend, [view], view.select, show, [days])
    fills(backend, [view], days.change, show, [days])


def show(visit: Visit, _event: dict[str, Any], days: int) -> dict[str, Any]:
    """Show three curves that differ, up to so many days ahead."""
    policy = visit.backend.bank.runtime.policy
    found = list(visit.person.list()) if visit.memory else []
    rows = _examples(found)
    explained = quiet(text("forgetting", f"explanation.{policy.name}", visit.language))
    told = (
        f"{explained}<details data-part='formula'><summary>"
        f"{visit.html('fading.formula')}</summary>{quiet(formula(policy, visit.language))}</details>"
    )
    if not rows:
        key = "nobody_yet" if policy.has_curve else "no_curve"
        return shown(quiet(visit.say(key)) + told)
    then = visit.now + timedelta(days=max(0, min(int(days), FARTHEST_DAYS)))
    left = visit.html("left_then", days=int(days), **_states_at(found, then, visit))
    legend = "".join(
        f'<li class="sf-curve-{place}"><b>{CURVES[place - 1][0]}</b><div>'
        f"<p>{plain(_title(visit, row))}</p>{quiet(_sentence(visit, row, then))}</div></li>"
        for place, row in enumerate(rows, 1)
    )
    return shown(
        f'<p><b>{left}</b></p><div class="sf-curves">'
        f"{_drawing(visit, rows, then)}<ul>{legend}</ul></div>{told}"
    )


def _examples(found: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Choose the memory recalled most, one between, and the dimmest."""
    alive = [it for it in found if it.prospect.state != "archived" and not it.memory.trace.pinned]
    alive = [it for it in alive if it.prospect.retention is not None]
    if not alive:
        return []
    recalled = max(alive, key=lambda it: (len(it.memory.trace.recalls), _kept(it)))
    dim = min(alive, key=_kept)
    others = [it for it in alive if it not in (recalled, dim)]
    between = sorted(others, key=lambda it: abs(_kept(it) - BETWEEN))[:1]
    return list({it.memory.id: it for it in (recalled, *between, dim)}.values())


def _kept(row: MemoryRow) -> float:
    return row.prospect.retention or 0.0


def _sentence(visit: Visit, row: MemoryRow, then: datetime) -> str:
    trace, outlook = row.memory.trace, row.prospect
    left = retention(trace.days_fading(then), trace.strength, outlook.unit_days or 1.0)
    recalls = visit.say("fading.never_recalled")
    if trace.recalls:
        recalls = counted("fading.recalled", len(trace.recalls), visit.language)
    told = {"now": round(100 * _kept(row)), "then": round(100 * left), "recalls": recalls}
    if outlook.state == "vivid" and outlook.dims_on:
        return visit.say("fading.dims", day=visit.day(outlook.dims_on), **told)
    return visit.say("fading.dim", **told)


def _states_at(found: Sequence[MemoryRow], then: datetime, visit: Visit) -> dict[str, int]:
    day = day_of(then, visit.zone)
    states: Counter[str] = Counter(vivid=0, faded=0, archived=0)
    for row in found:
        outlook = row.prospect
        if outlook.state == "archived" or (outlook.archived_on and outlook.archived_on <= day):
            states["archived"] += 1
        elif outlook.state == "faded" or (outlook.dims_on and outlook.dims_on <= day):
            states["faded"] += 1
        else:
            states["vivid"] += 1
    return states


def _title(visit: Visit, row: MemoryRow) -> str:
    record = row.memory
    said = record.query if isinstance(record, Turn) else record.text
    return f"{visit.day(record.date)}: {shortened(said)}"


def _drawing(visit: Visit, rows: Sequence[MemoryRow], then: datetime) -> str:
    now = visit.now
    curves = [replay(it.memory.trace, then, it.prospect.unit_days or 1.0) for it in rows]
    first = min((points[0][0] for points in curves if points), default=now)
    span = max(max(then, now) - first, timedelta(days=1))

    def across(moment: datetime) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((moment - first) / span)

    body = [*_axes(visit, first, span), _moment(across(now), visit.say("now"), "none")]
    if then > now:
        is_near = across(then) - across(now) <= 260
        in_days = visit.say("in_days", days=(then - now).days)
        body.append(_moment(across(then), in_days, "5 4", raised=is_near))
    free = float(HEIGHT - BOTTOM)
    for place in sorted(range(len(rows)), key=lambda place: curves[place][-1][1]):
        height = min(_up(curves[place][-1][1]), free)  # clear of the letters below
        body.append(_curve(place, rows[place], curves[place], across, height))
        free = height - LETTER
    return (
        f'<svg class="sf-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{visit.html("fading.chart")}">{"".join(body)}</svg>'
    )


def _curve(
    place: int,
    row: MemoryRow,
    points: Sequence[tuple[datetime, float]],
    across: Callable[[datetime], float],
    height: float,
) -> str:
    letter, dashes, shape = CURVES[place]
    line = " ".join(f"{across(at):.1f},{_up(kept):.1f}" for at, kept in points)
    until = points[-1][0]
    marks = "".join(
        f'<path d="{shape}" transform="translate({across(at):.1f} {_up(1.0):.1f})"/>'
        for at in row.memory.trace.recalls
        if at <= until
    )
    return (
        f'<g class="sf-curve-{place + 1}"><polyline points="{line}" stroke-dasharray="{dashes}"/>'
        f'{marks}<text x="{across(until) + 8:.1f}" y="{height + 5:.1f}">{letter}</text></g>'
    )


def _up(kept: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - kept)


def _axes(visit: Visit, first: datetime, span: timedelta) -> Iterator[str]:
    for kept in (0.0, 0.5, 1.0):
        y = _up(kept)
        yield (
            f'<line class="sf-grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{100 * kept:.0f}%</text>'
        )
    for step in range(TICKS + 1):
        x = LEFT + (WIDTH - LEFT - RIGHT) * step / TICKS
        anchor = {0: "start", TICKS: "end"}.get(step, "middle")
        narrow = ' class="sf-wide"' if anchor == "middle" else ""
        name = plain(visit.day(day_of(first + span * step / TICKS, visit.zone)))
        yield f'<text{narrow} x="{x:.1f}" y="{HEIGHT - 6}" text-anchor="{anchor}">{name}</text>'


def _moment(x: float, label: str, dashes: str, *, raised: bool = False) -> str:
    anchor = "end" if x > WIDTH / 2 else "start"
    y = TOP - (30 if raised else 7)
    return (
        f'<line class="sf-moment" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" '
        f'stroke-dasharray="{dashes}"/><text x="{x:.1f}" y="{y}" text-anchor="{anchor}">'
        f"{plain(label)}</text>"
    )
