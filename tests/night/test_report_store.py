"""Reports that are kept: few, bounded, and no file that is none breaks what shows them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest

from siliconfriend.forgetting.policy import COMPANION
from siliconfriend.memory.scope import Scope
from siliconfriend.night import report_store
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.night.report_store import ReportFiles

ADA, LIN = Scope.of("Ada"), Scope.of("林晓")
FIRST = datetime(2026, 3, 1, 3, tzinfo=UTC)


def a_report(day: int, *scopes: Scope) -> NightReport:
    """A night with a forgetting pass for these."""
    now = FIRST + timedelta(days=day)
    people = []
    for scope in scopes:
        person = PersonReport(scope, now)
        person.count("forget", due=0, done=0)
        people.append(person)
    return NightReport(COMPANION, tuple(people), now, 0.5)


def names(home: Path) -> list[str]:
    """The days of the reports that are kept."""
    return sorted(path.name[:10] for path in (home / "night").glob("2*.json"))


def test_only_the_last_reports_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest goes when there are more than may stay."""
    monkeypatch.setattr(report_store, "MOST_REPORTS", 2)
    for day in range(4):
        ReportFiles(tmp_path).save(a_report(day, ADA))
    assert names(tmp_path) == ["2026-03-03", "2026-03-04"]


def test_large_reports_take_no_more_than_their_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of thousands of people fewer stay, and the newest whatever its size."""
    monkeypatch.setattr(report_store, "MOST_BYTES", 10)
    for day in range(3):
        ReportFiles(tmp_path).save(a_report(day, ADA, LIN))
    assert names(tmp_path) == ["2026-03-03"]


def test_the_last_pass_outlives_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever was asked for by name in between would be told again what went dim."""
    monkeypatch.setattr(report_store, "MOST_REPORTS", 1)
    ReportFiles(tmp_path).save(a_report(0, ADA, LIN))
    ReportFiles(tmp_path).save(a_report(1, ADA))
    assert ReportFiles(tmp_path).last_passes([ADA, LIN]) == {
        ADA: FIRST + timedelta(days=1),
        LIN: FIRST,
    }


def test_passes_of_earlier_versions_are_read_from_their_reports(tmp_path: Path) -> None:
    """They had no file of passes."""
    ReportFiles(tmp_path).save(a_report(0, LIN))
    ReportFiles(tmp_path).save(a_report(1, ADA))
    (tmp_path / "night" / report_store.PASSES).unlink()
    assert ReportFiles(tmp_path).last_passes([LIN]) == {LIN: FIRST}
    ReportFiles(tmp_path).save(a_report(2, ADA))
    assert ReportFiles(tmp_path).last_passes([LIN]) == {LIN: FIRST}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b'{"users": []}',
        b'{"users": [3], "policy": "companion"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
    ids=["empty", "null", "no fields", "no people", "deep", "no text"],
)
def test_what_is_no_report_is_passed_over(tmp_path: Path, content: bytes) -> None:
    """The newest that is one is shown, and the next night goes on."""
    ReportFiles(tmp_path).save(a_report(0, ADA))
    (tmp_path / "night" / "2026-03-09T030000.000000Z.json").write_bytes(content)
    (tmp_path / "night" / report_store.PASSES).write_bytes(content)
    shown = ReportFiles(tmp_path).last([ADA])
    assert shown is not None
    assert shown["users"][0]["user"] == "Ada"
    assert len(ReportFiles(tmp_path).of(ADA, 5)) == 1
    assert ReportFiles(tmp_path).last_passes([ADA]) == {ADA: FIRST}


@pytest.mark.parametrize("field", ["policy", "now", "seconds", "users", "dry_run"])
def test_a_report_with_a_field_of_another_kind_is_passed_over(tmp_path: Path, field: str) -> None:
    """Shown, it would end in an error."""
    path = ReportFiles(tmp_path).save(a_report(0, ADA))
    path.write_bytes(orjson.dumps({**orjson.loads(path.read_bytes()), field: "nothing"}))
    assert ReportFiles(tmp_path).last([ADA]) is None
