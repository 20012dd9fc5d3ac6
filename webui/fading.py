"""The fading panel: how memories fade, as curves, with one sentence each and a slider."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.control.listing import MemoryRow, memory_rows
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.prospect import replay
from siliconfriend.memory.records import Turn
from siliconfriend.texts import text

from .backend import Backend, Visit
from .components import LABELS, fills, gr, make_view, shown
from .words import counted, plain, quiet, shortened

FARTHEST_DAYS = 365
WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 30, 30
CURVES = (
    ("none", "M0-5a5 5 0 1 0 .01 0z"),
    ("9 5", "M-4.4-4.4h8.8v8.8h-8.8z"),
    ("2 4", "M0-5.6L5.2 4H-5.2z"),
)
"""Dashes of a curve, and its mark (disc, square, triangle): not by their colours alone."""
BETWEEN = 0.6
"""The retention that the middle curve is chosen nearest to."""


def lay_out(backend: Backend) -> None:
    """Put the panel into the column that is open."""
    with gr.Row(elem_classes="sf-filters"):
        label = LABELS("days_ahead")
        days = gr.Slider(0, FARTHEST_DAYS, 30, step=1, label=label, buttons=[])
    view = make_view("fading", elem_id="curves")
    fills(backend, [view], [view.select], show, [days])


def show(visit: Visit, _event: dict[str, Any], days: int) -> dict[str, Any]:
    """Show three curves that differ, up to so many days ahead."""
    policy = ForgettingPolicy.named(visit.backend.settings.policy)
    rows = _examples(visit.person.list() if visit.memory else ())
    explained = quiet(text("forgetting", f"explanation.{policy.name}", visit.language))
    told = (
        f"{explained}<details data-part='formula'><summary>"
        f"{visit.html('fading.formula')}</summary>{quiet(visit.person.policy_formula(visit.language))}</details>"
    )
    if not rows:
        key = "nobody_yet" if policy.has_curve else "no_curve"
        return shown(quiet(visit.say(key)) + told)
    then = visit.now + timedelta(days=max(0, min(int(days), FARTHEST_DAYS)))
    later = list(memory_rows(visit.known, policy, then))
    left = visit.html("left_then", days=int(days), **_states(later, day_of(then, visit.zone)))
    then_left = {row.memory.id: _kept(row) for row in later}
    legend = "".join(
        f"<li>{_mark(place - 1)}<div><p>{plain(_title(visit, row))}</p>"
        f"{quiet(_sentence(visit, row, then_left[row.memory.id]))}</div></li>"
        for place, row in enumerate(rows, 1)
    )
    return shown(
        f'<p><b>{left}</b></p><div class="sf-curves">'
        f"{_drawing(visit, rows, then)}<ul>{legend}</ul></div>{told}"
    )


def _examples(found: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Choose the memory recalled most, one between, and the dimmest."""
    alive = [it for it in found if it.memory.trace.is_active and not it.memory.trace.pinned]
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


def _states(rows: Sequence[MemoryRow], day: date) -> dict[str, int]:
    """Count the memories by their state at the end of a day, in which a night lets them go."""
    states = Counter(vivid=0, faded=0, archived=0)
    for outlook in (row.prospect for row in rows):
        is_gone = outlook.archived_on is not None and outlook.archived_on <= day
        is_gone |= outlook.state == "forgotten"
        states["archived" if is_gone else outlook.state] += 1
    return states


def _sentence(visit: Visit, row: MemoryRow, then_left: float) -> str:
    recalls = visit.say("fading.never_recalled")
    if row.memory.trace.recalls:
        recalls = counted("fading.recalled", len(row.memory.trace.recalls), visit.language)
    told = {"now": round(100 * _kept(row)), "then": round(100 * then_left), "recalls": recalls}
    if row.prospect.state == "vivid" and row.prospect.dims_on:
        return visit.say("fading.dims", day=visit.day(row.prospect.dims_on), **told)
    return visit.say("fading.dim", **told)


def _title(visit: Visit, row: MemoryRow) -> str:
    record = row.memory
    said = record.query if isinstance(record, Turn) else record.text
    return f"{visit.day(record.date)}: {shortened(said)}"


def _mark(place: int) -> str:
    dashes, shape = CURVES[place]
    line = f'<path class="sf-line" d="M-14 0h28" stroke-dasharray="{dashes}"/><path d="{shape}"/>'
    return f'<svg class="sf-mark sf-curve-{place + 1}" viewBox="-14 -8 28 16">{line}</svg>'


def _drawing(visit: Visit, rows: Sequence[MemoryRow], then: datetime) -> str:
    now = visit.now
    curves = [replay(it.memory.trace, then, it.prospect.unit_days or 1.0) for it in rows]
    first = min((points[0][0] for points in curves if points), default=now)
    span = max(max(then, now) - first, timedelta(days=1))

    def at(moment: datetime, kept: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * ((moment - first) / span)
        return f"{x:.1f} {TOP + (HEIGHT - TOP - BOTTOM) * (1 - kept):.1f}"

    def label(words: str, moment: datetime, kept: float, x: int, y: int, anchor: str) -> str:
        where = f'transform="translate({at(moment, kept)})" x="{x}" y="{y}"'
        return f'<text {where} text-anchor="{anchor}">{plain(words)}</text>'

    last = first + span
    body = [label(visit.day(day_of(first, visit.zone)), first, 0, 0, 22, "start")]
    body.append(label(visit.day(day_of(last, visit.zone)), last, 0, 0, 22, "end"))
    for kept in (0.0, 0.5, 1.0):
        body.append(f'<path class="sf-grid" d="M{at(first, kept)}L{at(last, kept)}"/>')
        body.append(label(f"{100 * kept:.0f}%", first, kept, -8, 5, "end"))
    body.append(f'<path class="sf-moment" d="M{at(now, 0)}L{at(now, 1)}"/>')
    body.append(
        label(visit.say("now"), now, 1, 0, -12, "end" if now - first > span / 2 else "start")
    )
    for place, (row, points) in enumerate(zip(rows, curves, strict=True)):
        dashes, shape = CURVES[place]
        line = "L".join(at(moment, kept) for moment, kept in points)
        recalls = (it for it in (row.memory.trace.begun, *row.memory.trace.recalls) if it <= then)
        marks = "".join(f'<path d="{shape}" transform="translate({at(it, 1)})"/>' for it in recalls)
        line = f'<path class="sf-line" d="M{line}" stroke-dasharray="{dashes}"/>'
        body.append(f'<g class="sf-curve-{place + 1}">{line}{marks}</g>')
    return (
        f'<svg class="sf-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{visit.html("fading.chart")}">{"".join(body)}</svg>'
    )
