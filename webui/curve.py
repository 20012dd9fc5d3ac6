"""Retention curve of a memory: small beside it, and in a dialog with a forecast."""

from datetime import datetime, timedelta
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.control.listing import MemoryRow
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.prospect import replay
from siliconfriend.memory.records import Turn
from siliconfriend.texts import text

from .backend import Visit
from .components import ViewEvent, shown
from .words import counted

FARTHEST_DAYS, USUAL_DAYS = 365, 30
WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 30, 30
SPARK_WIDTH, SPARK_HEIGHT, SPARK_POINTS = 56, 16, 14


def view(visit: Visit, event: ViewEvent) -> dict[str, Any]:
    """Show the dialog with the curve of a memory and its forecast in days."""
    live = event["live"]
    identifier = event.get("id") or live.get("id", "")
    days = max(0, min(int(live.get("days") or USUAL_DAYS), FARTHEST_DAYS))
    (row,) = visit.person.rows(identifier)
    then, record = visit.now + timedelta(days=days), row.memory
    said = record.query if isinstance(record, Turn) else record.text
    sheet = visit.draw(
        "curve.html",
        id=identifier,
        days=days,
        most=FARTHEST_DAYS,
        day=record.date,
        said=said,
        sentence=_sentence(visit, row, then),
        plot=_plot(visit, row, then),
        explained=explained(visit),
        formula=visit.person.policy_formula(visit.language),
    )
    return shown(sheet=sheet)


def explained(visit: Visit) -> str:
    """Return how memories fade here."""
    policy = ForgettingPolicy.named(visit.backend.settings.policy)
    return text("forgetting", f"explanation.{policy.name}", visit.language)


def spark_of(row: MemoryRow) -> dict[str, Any] | None:
    """Return the box, the points and the end of the small curve up to now; None without a curve."""
    unit = row.prospect.unit_days
    if unit is None or row.prospect.retention is None:
        return None
    points = replay(row.memory.trace, row.now, unit, points=SPARK_POINTS) or [(row.now, 1.0)]
    first, span = points[0][0], max(row.now - points[0][0], timedelta(hours=1))
    places = [
        f"{1 + (SPARK_WIDTH - 6) * ((at - first) / span):.1f} {1 + (SPARK_HEIGHT - 4) * (1 - kept):.1f}"
        for at, kept in points
    ]
    box = f"0 0 {SPARK_WIDTH} {SPARK_HEIGHT}"
    return {"box": box, "points": places, "end": places[-1].split(" ")}


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


def _plot(visit: Visit, row: MemoryRow, then: datetime) -> dict[str, Any] | None:
    """Return what the large curve is drawn of, and where a moment lies; None without a curve."""
    now, trace, unit = visit.now, row.memory.trace, row.prospect.unit_days
    if unit is None:
        return None
    points = replay(trace, then, unit) or [(now, 1.0)]
    first = points[0][0]
    span = max(max(then, now) - first, timedelta(days=1))

    def at(moment: datetime, kept: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * ((moment - first) / span)
        return f"{x:.1f} {TOP + (HEIGHT - TOP - BOTTOM) * (1 - kept):.1f}"

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "at": at,
        "ends": [(first, "start"), (first + span, "end")],
        "day": lambda moment: visit.day(day_of(moment, visit.zone)),
        "now": now,
        "is_late": now - first > span / 2,
        "line": [at(moment, kept) for moment, kept in points],
        "recalls": [day for day in (trace.begun, *trace.recalls) if first <= day <= then],
    }
