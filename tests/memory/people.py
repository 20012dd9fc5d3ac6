"""Records to test with: a person, turns and summaries."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from siliconfriend.clock import noon_of
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import Insight, Provenance
from siliconfriend.memory.records import DaySummary, Profile, Turn
from siliconfriend.memory.scope import Scope, memory_id

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
NORA = Scope.of("Nora")
DATES = ("2026-03-01", "2026-03-02", "2026-03-05")


def a_profile(scope: Scope = NORA) -> Profile:
    """Somebody met on 14 March 2026, in UTC."""
    return Profile(scope.person, language="en", timezone="UTC", created=NOW)


def a_turn(
    query: str = "I planted beans.",
    response: str = "Which ones?",
    *,
    day: str = DATES[0],
    position: int = 0,
    scope: Scope = NORA,
) -> Turn:
    """A turn of which only the day is known."""
    return Turn(
        id=memory_id(scope, "turn", day, position),
        date=day,
        position=position,
        query=query,
        response=response,
        time=None,
        trace=Trace(noon_of(date.fromisoformat(day), ZoneInfo("UTC"))),
    )


def a_summary(text: str, *, day: str = DATES[0], scope: Scope = NORA) -> DaySummary:
    """A day's summary made offline."""
    return DaySummary(
        memory_id(scope, "day", day, 0), day, text, Trace(NOW), Provenance("offline", NOW)
    )


def an_insight(
    text: str,
    *,
    evidence: Sequence[str],
    day: str = DATES[0],
    position: int = 0,
    scope: Scope = NORA,
) -> Insight:
    """A thought a model had."""
    return Insight(
        id=memory_id(scope, "insight", day, position),
        date=day,
        position=position,
        text=text,
        trace=Trace(NOW),
        provenance=Provenance("scripted", NOW, tuple(evidence)),
        question="What does Nora need?",
    )
