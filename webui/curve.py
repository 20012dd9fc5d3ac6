"""Retention curve of a memory: small beside it, and in a dialog with a forecast."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.control.listing import MemoryRow
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.prospect import replay
from siliconfriend.memory.records import Turn
from siliconfriend.texts import text

from .backend import Visit
from .components import Event, sheet, shown
from .words import counted, plain, quiet, shortened

FARTHEST_DAYS, USUAL_DAYS = 365, 30
WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 30, 30
SPARK_WIDTH, SPARK_HEIGHT, SPARK_POINTS = 56, 16, 14


def view(visit: Visit, event: Event) -> dict[str, Any]:
    """Show the dialog with the curve of a memory and its forecast in days."""
    live = event["live"]
    identifier = event.get("id") or live.get("id", "")
    days = max(0, min(int(live.get("days") or USUAL_DAYS), FARTHEST_DAYS))
    (row,) = visit.person.rows(identifier)
    then = visit.now + timedelta(days=days)
    slider = (
        f'<form data-live=""><input type="hidden" name="id" value="{plain(identifier)}">'
        f'<label>{visit.html("curve.ahead", days=days)}<input type="range" name="days" min="0" '
        f'max="{FARTHEST_DAYS}" value="{days}"></label></form>'
    )
    formula, record = visit.person.policy_formula(visit.language), row.memory
    said = record.query if isinstance(record, Turn) else record.text
    title = f"{visit.day_title(record.date)}: {shortened(said)}"
    body = (
        f"<p>{plain(_sentence(visit, row, then))}</p>{_drawing(visit, row, then)}"
        f"{explained(visit)}<details data-part='formula'>"
        f"<summary>{visit.html('curve.formula')}</summary>{quiet(formula)}</details>"
    )
    return shown(sheet=slider + sheet(visit, "curve", identifier, title, body))


def explained(visit: Visit) -> str:
    """Return how memories fade here, as a paragraph."""
    policy = ForgettingPolicy.named(visit.backend.settings.policy)
    return quiet(text("forgetting", f"explanation.{policy.name}", visit.language))


def draw_spark(visit: Visit, row: MemoryRow) -> str:
    """Return the small curve of a memory up to now, which opens the dialog; empty without a curve."""
    unit = row.prospect.unit_days
    if unit is None or row.prospect.retention is None:
        return ""
    trace, now = row.memory.trace, row.now
    points = replay(trace, now, unit, points=SPARK_POINTS) or [(now, 1.0)]
    first, span = points[0][0], max(now - points[0][0], timedelta(hours=1))
    line = "L".join(
        f"{1 + (SPARK_WIDTH - 6) * ((at - first) / span):.1f} {1 + (SPARK_HEIGHT - 4) * (1 - kept):.1f}"
        for at, kept in points
    )
    end = line.rpartition("L")[2].split(" ")
    name = visit.html("curve.open", kept=round(100 * row.prospect.retention))
    return (
        f'<button type="button" class="sf-spark" data-view="curve" data-act="open" data-id="{plain(row.memory.id)}" '
        f'aria-label="{name}" title="{name}"><svg viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" aria-hidden="true">'
        f'<path d="M{line}"/><circle cx="{end[0]}" cy="{end[1]}" r="2.5"/></svg></button>'
    )


def _sentence(visit: Visit, row: MemoryRow, then: datetime) -> str:
    outlook, trace = row.prospect, row.memory.trace
    if outlook.retention is None or outlook.unit_days is None:
        return visit.say("no_curve")
    if trace.pinned:
        return visit.say("fate_pinned")
    recalls = visit.say("curve.never_recalled")
    if trace.recalls:
        recalls = counted("curve.recalled", len(trace.recalls), visit.language)
    left = replay(trace, then, outlook.unit_days, points=1)[-1][1]
    told = {"now": round(100 * outlook.retention), "then": round(100 * left), "recalls": recalls}
    if outlook.state == "vivid" and outlook.dims_on:
        return visit.say("curve.dims", day=visit.day(outlook.dims_on), **told)
    return visit.say("curve.dim", **told)


def _drawing(visit: Visit, row: MemoryRow, then: datetime) -> str:
    now, trace, unit = visit.now, row.memory.trace, row.prospect.unit_days
    if unit is None:
        return ""
    points = replay(trace, then, unit) or [(now, 1.0)]
    first = points[0][0]
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
    side = "end" if now - first > span / 2 else "start"
    body.append(label(visit.say("now"), now, 1, 0, -12, side))
    line = "L".join(at(moment, kept) for moment, kept in points)
    body.append(f'<path class="sf-line" d="M{line}"/>')
    recalls = (day for day in (trace.begun, *trace.recalls) if first <= day <= then)
    body += [f'<circle r="5" transform="translate({at(day, 1)})"/>' for day in recalls]
    return (
        f'<svg class="sf-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{visit.html("curve.chart")}">{"".join(body)}</svg>'
    )
