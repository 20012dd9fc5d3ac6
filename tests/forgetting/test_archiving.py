"""What the pass archives, and how a memory's prospect is told."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.forgetting.archiving import due_for_archive, overdue, too_many
from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.prospect import Prospect, prospect, replay
from siliconfriend.forgetting.trace import Candidate, Trace

ZONE = ZoneInfo("UTC")
SAID = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
PAPER = ForgettingPolicy.named("paper")
COMPANION = ForgettingPolicy.named("companion")
ACCUMULATED = ForgettingPolicy.named("accumulated")


def _turns(count: int, trace: Trace | None = None) -> list[Candidate]:
    return [
        Candidate(f"turn-2026-03-01-{i}-0000abcd", "turn", trace or Trace(SAID))
        for i in range(count)
    ]


def _pass(turns: list[Candidate], now: datetime, policy: ForgettingPolicy) -> list[Candidate]:
    gone = {one.id for one in due_for_archive(turns, now, policy)}
    return [
        replace(one, trace=one.trace.archived_at(now)) if one.id in gone else one for one in turns
    ]


def _alive(turns: list[Candidate]) -> int:
    return sum(turn.trace.archived is None for turn in turns)


def _outlook(
    trace: Trace,
    now: datetime,
    policy: ForgettingPolicy = COMPANION,
    **mentions: Sequence[datetime],
) -> Prospect:
    return prospect(
        trace, kind="turn", identifier="turn-x", now=now, policy=policy, zone=ZONE, **mentions
    )


@pytest.mark.slow
@pytest.mark.parametrize("days", [0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("strength", [1.0, 3.0])
def test_under_paper_survival_follows_the_curve(days: float, strength: float) -> None:
    """Of 20,000 memories the share R(t) survives, within four standard errors, from one pass."""
    turns = _turns(20_000, Trace(SAID, first_strength=strength))
    survived = _alive(_pass(turns, SAID + days * DAY, PAPER)) / len(turns)
    expected = retention(days, strength)
    error = math.sqrt(expected * (1 - expected) / len(turns))
    assert abs(survived - expected) < 4 * error


@given(st.floats(0, 400), st.integers(0, 5), st.sampled_from([None, 0.2, 0.9]))
def test_under_companion_nothing_goes_before_a_tenth(
    days: float, recalls: int, importance: float | None
) -> None:
    """Archived exactly when R < 0.1, whatever the strength and importance."""
    log = tuple(SAID + i * DAY for i in range(recalls))
    trace = Trace(SAID, recalls=log, importance=importance)
    now = trace.last_recall + days * DAY
    unit = COMPANION.unit_days("turn", importance)
    kept = retention((now - trace.last_recall).total_seconds() / 86400, trace.strength, unit)
    assert bool(due_for_archive(_turns(1, trace), now, COMPANION)) == (kept < 0.1)


def test_what_must_stay_stays() -> None:
    """Pinned, restored within a day, of a day without a summary, or archived already."""
    now = SAID + 900 * DAY
    plain = _turns(1)[0]
    assert due_for_archive([plain], now, COMPANION) == [plain]
    restored = replace(plain, trace=plain.trace.restored_at(now - DAY))
    assert restored.may_be_archived(now)
    assert not restored.may_be_archived(now - timedelta(seconds=1)), "for a day"
    for kept in (
        replace(plain, trace=replace(plain.trace, pinned=True)),
        replace(plain, summarised=False),
        replace(plain, trace=plain.trace.archived_at(now - DAY)),
    ):
        assert due_for_archive([kept], now, COMPANION) == []


def test_a_prospect_counts_importance_recalls_and_the_persons_days() -> None:
    """A dear turn, recalled once, has a half-life of 180 days and twice the strength; in Tokyo."""
    recalled = SAID + 4 * DAY + timedelta(hours=9)  # six in the morning of 6 March
    outlook = prospect(
        Trace(SAID, importance=1.0, recalls=(recalled,)),
        kind="turn",
        identifier="turn-x",
        now=recalled + 90 * DAY,
        policy=COMPANION,
        zone=ZoneInfo("Asia/Tokyo"),
    )
    unit = 180 / math.log(2)
    assert (outlook.state, outlook.strength) == ("vivid", 2.0)
    assert outlook.unit_days == pytest.approx(unit)
    assert outlook.retention == pytest.approx(0.5 ** (90 / 360))
    assert outlook.dims_on == date(2026, 3, 6) + 360 * DAY
    assert outlook.archived_on == date(2026, 3, 6) + math.ceil(2 * unit * math.log(10)) * DAY


def test_each_memory_has_a_threshold_and_an_end_of_its_own() -> None:
    """Under paper by its id and by how often it was recalled; at exactly one half it is vivid."""
    ends = {
        prospect(
            Trace(SAID), kind="turn", identifier=name, now=SAID, policy=PAPER, zone=ZONE
        ).archived_on
        for name in ("turn-a", "turn-b", "turn-c", "turn-d")
    }
    assert len(ends) > 1
    for log in ((), (SAID,)):
        trace = Trace(SAID, recalls=log)
        limit = PAPER.archive_threshold("turn-x", len(log))
        turn, lives = Candidate("turn-x", "turn", trace), -math.log(limit) * trace.strength * DAY
        assert due_for_archive([turn], SAID + 0.99 * lives, PAPER) == []
        assert due_for_archive([turn], SAID + 1.01 * lives, PAPER) == [turn]
    limit = PAPER.archive_threshold("turn-x", 0)
    end = SAID + timedelta(days=-math.log(limit))
    assert _outlook(Trace(SAID), SAID, PAPER).archived_on == end.date()
    assert _outlook(Trace(SAID), SAID + 30 * DAY).state == "vivid"
    archived = Trace(SAID).archived_at(SAID + timedelta(hours=9))
    late = prospect(
        archived,
        kind="turn",
        identifier="turn-x",
        now=SAID + 50 * DAY,
        policy=COMPANION,
        zone=ZoneInfo("Asia/Tokyo"),
    )
    assert late.archived_on == date(2026, 3, 2), "nine in the evening is another day in Tokyo"


def test_the_past_of_a_memory_is_a_curve_with_its_jumps() -> None:
    """It begins at 1, falls by the unit, and stands at 1 again where it was recalled."""
    trace = replace(Trace(SAID), recalls=(SAID + 10 * DAY,))
    curve = dict(replay(trace, SAID + 20 * DAY, unit_days=10.0, points=4))
    before = SAID + 10 * DAY - timedelta(microseconds=1)
    expected = {
        SAID: 1.0,
        SAID + 5 * DAY: math.exp(-0.5),
        before: math.exp(-1),
        SAID + 10 * DAY: 1.0,
        SAID + 15 * DAY: math.exp(-0.25),
        SAID + 20 * DAY: math.exp(-0.5),
    }
    assert list(curve) == list(expected)
    assert curve == pytest.approx(expected)
    restored = replace(trace, restored=SAID + 12 * DAY)
    assert dict(replay(restored, SAID + 20 * DAY, 10.0, points=1))[SAID + 12 * DAY] == 1.0
    assert len(replay(trace, SAID + 20 * DAY, 10.0)) == 121 + 1
    assert [at for at, _ in replay(trace, SAID + 10 * DAY, 10.0)][-2:] == [before, SAID + 10 * DAY]
    assert replay(trace, SAID, 10.0) == [(SAID, 1.0)]
    assert replay(trace, SAID - DAY, 10.0) == []


def test_a_day_that_no_calendar_has_is_the_last_one() -> None:
    """A strength from an import may put an end beyond the year 9999."""
    outlook = _outlook(Trace(SAID, first_strength=1e9), SAID)
    assert outlook.dims_on == outlook.archived_on == date(9999, 12, 29)


def test_the_states_in_their_order() -> None:
    """Vivid, then faded, then archived with its day; pinned is always vivid and has no dates."""
    assert _outlook(Trace(SAID), SAID + 29 * DAY).state == "vivid"
    assert _outlook(Trace(SAID), SAID + 31 * DAY).state == "faded"
    archived = _outlook(Trace(SAID).archived_at(SAID + 40 * DAY), SAID + 50 * DAY)
    assert (archived.state, archived.archived_on) == ("archived", date(2026, 4, 10))
    assert archived.retention == pytest.approx(0.5 ** (50 / 30))
    pinned = _outlook(replace(Trace(SAID), pinned=True), SAID + 900 * DAY)
    assert (pinned.state, pinned.dims_on, pinned.archived_on) == ("vivid", None, None)


def test_the_pass_that_takes_too_much_is_noticed() -> None:
    """More than a third at once under companion; never for ten or fewer; never under paper."""
    hundred = Counter(turn=100)
    assert too_many(Counter(turn=34), hundred, COMPANION) == (34, 100)
    assert too_many(Counter(turn=33), hundred, COMPANION) is None
    assert too_many(Counter(turn=10), Counter(turn=10), COMPANION) is None
    assert too_many(hundred, hundred, PAPER) is None


def test_what_was_made_of_turns_does_not_hide_that_they_all_go() -> None:
    """By a curve each kind is counted alone, whatever else there is; by numbers only the sum."""
    alive = Counter(turn=90, day=80, event=70, fact=60)
    assert too_many(Counter(turn=90), alive, COMPANION) == (90, 90)
    assert too_many(Counter(turn=20, event=60), alive, COMPANION) == (60, 70)
    assert too_many(Counter(turn=30, day=26, event=23, fact=20), alive, COMPANION) is None
    assert too_many(Counter(turn=60), alive, ACCUMULATED) is None
    assert too_many(Counter(turn=90, fact=11), alive, ACCUMULATED) == (101, 300)


BROUGHT = SAID + 1000 * DAY


def test_what_was_brought_fades_from_that_day() -> None:
    """Said a thousand days before: half after 30 days here, a tenth after 99.66; no recall."""
    trace = Trace(SAID, brought=BROUGHT)
    outlook = _outlook(trace, BROUGHT + 30 * DAY)
    assert outlook.retention == pytest.approx(0.5)
    assert (outlook.strength, trace.last_recall) == (1.0, SAID)
    assert outlook.dims_on == (BROUGHT + 30 * DAY).date()
    assert outlook.archived_on == (BROUGHT + 99.66 * DAY).date()
    turns = _turns(1, trace)
    assert due_for_archive(turns, BROUGHT + 99 * DAY, COMPANION) == []
    assert due_for_archive(turns, BROUGHT + 100 * DAY, COMPANION) == turns


@pytest.mark.parametrize(
    ("last_pass", "counted"), [(99.5, 0), (93, 0), (92, 12), (100, 12), (101, 12), (None, 12)]
)
def test_what_came_due_since_the_last_night_is_not_overdue(
    last_pass: float | None, counted: int
) -> None:
    """On day 100: not after a pass of this day or of day 93; but after an older or later one."""
    turns, now = _turns(12), SAID + 100 * DAY
    before = None if last_pass is None else SAID + last_pass * DAY
    assert len(overdue(due_for_archive(turns, now, COMPANION), before, now, COMPANION)) == counted


def test_a_memory_without_a_curve_has_no_retention_and_no_days() -> None:
    """Strength is told; nothing fades by itself."""
    trace = Trace(SAID, recalls=(SAID + DAY,))
    assert _outlook(trace, SAID + 900 * DAY, ACCUMULATED) == Prospect("vivid", 16)
    archived = trace.archived_at(SAID + 3 * DAY)
    assert _outlook(archived, SAID + 900 * DAY, ACCUMULATED) == Prospect("archived", 16)
    again = _outlook(Trace(SAID), SAID, ACCUMULATED, mentions=(SAID, SAID + 2 * DAY))
    assert again.strength == 1 + 3
