"""`demo`: the samples, moved to end yesterday, and what becomes of a talk with them."""

from __future__ import annotations

from pathlib import Path

from siliconfriend.person.sample_people import read_sample
from tests.cli.conftest import Run


def test_the_demo_shows_recall_a_portrait_and_a_faded_memory(run: Run, home: Path) -> None:
    """In a data directory of its own: the sample person, summed up, with some of it dim."""
    done = run("demo", said="What did I tell you about my grandmother?\n/quit\n")
    assert done.code == 0
    name, _ = read_sample("en")
    assert f"Preparing {name}'s memory" in done.err
    assert f"{name}: What did I tell you about my grandmother?" in done.out
    own = ("--home", str(home / "demo"))
    shown = run(*own, "users", "show", name, "--json").json
    assert (shown["last"], shown["days"]) == ("2026-03-14", 15)
    assert shown["summaries"] >= 14
    listed = run(*own, "memories", "list", "--user", name, "--json").json["memories"]
    assert {"vivid", "faded"} <= {it["state"] for it in listed}
    assert run("users", "list", "--json").json == {"users": []}
    last = lambda: run(*own, "users", "show", name, "--json").json["last"]  # noqa: E731 - short
    run("demo", said="", now="2026-03-20T09:00")
    assert last() == "2026-03-14"
    run("demo", "--fresh", said="", now="2026-03-20T09:00")
    assert last() == "2026-03-19"
