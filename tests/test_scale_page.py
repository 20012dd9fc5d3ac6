"""docs/scale.md is what its measurements and assumptions give."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from docs.make_scale import DOCS, MEASURED, WORDS, Assumptions, bytes_a_year, need, page

A_HUNDRED = {
    "crowds": {"10": {"memories": 1, "turns": 1}, "100": {"memories": 300, "turns": 200}},
    "size": {"bytes_a_memory": 1000.0},
    "processor_seconds": {"reply": {"program": 0.02, "server": 0.004}},
}
ROUND = Assumptions(
    active=0.5,
    messages=10,
    busiest_hour=0.36,
    embedding_seconds=0.01,
    texts=2,
    night_seconds=0.2,
    night_hours=10,
    busy=0.5,
    cores=10,
    machine_price=100,
    disk_terabytes=4,
    commits=1000,
    commits_a_reply=2,
    standby=2,
    years=2,
)


@pytest.mark.parametrize(("at", "place"), [(0, "scale.md"), (1, "cn/scale.md")], ids=["en", "cn"])
def test_the_page_is_what_the_measurements_give(at: int, place: str) -> None:
    """Whoever changes them runs ``python docs/make_scale.py``."""
    measured = json.loads(MEASURED.read_text("utf-8"))
    assert (DOCS / place).read_text("utf-8") == page(measured, at)
    assert "<" not in page(measured, at).replace("<!--", "")


def test_a_million_people_by_hand() -> None:
    """Half talk, ten messages each: 5 million a day, 500 a second in the busiest hour."""
    found = need(1_000_000, A_HUNDRED, ROUND)
    assert found.replies == pytest.approx(500)
    # 500 * (0.02 + 2 * 0.01) = 20 cores, of which a machine gives 5
    assert found.front == 4
    # 500,000 nights * 0.2 s = 100,000 s in 36,000 s: 2.8 cores
    assert found.workers == 1
    # 0.5 * 10 * 365 = 1825 turns, 2737.5 memories, 2.7375 MB a year; two years of a million
    assert bytes_a_year(A_HUNDRED, ROUND) == pytest.approx(2_737_500)
    assert found.terabytes == pytest.approx(5.475)
    assert (found.by_disk, found.by_commits) == (pytest.approx(1.36875), pytest.approx(1.0))
    assert found.by_processor == pytest.approx(0.4)
    assert found.shards == 2
    assert found.month == (4 + 1 + 2 * 2) * 100


def test_more_commits_need_more_databases() -> None:
    """Whichever is short decides."""
    assert need(1_000_000, A_HUNDRED, replace(ROUND, commits_a_reply=10)).shards == 5


def test_every_assumption_is_told_in_both_languages() -> None:
    assert set(WORDS) == set(Assumptions.__dataclass_fields__)
    assert all(english and chinese for english, chinese in WORDS.values())
