"""The forgetting pass over a million memories, against building their traces and reading them.

Run it with ``python benchmarks/forgetting_pass.py [COUNT]``. Seconds differ from machine to
machine; the ratios hold.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import TypeVar

import orjson

from siliconfriend.forgetting.archiving import due_for_archive, retentions_at
from siliconfriend.forgetting.policy import POLICIES, ForgettingPolicy
from siliconfriend.forgetting.trace import Candidate, Trace

NOW = datetime(2026, 6, 1, tzinfo=UTC)
_Result = TypeVar("_Result")


def timed(name: str, work: Callable[[], _Result]) -> tuple[float, _Result]:
    began = perf_counter()
    result = work()
    seconds = perf_counter() - began
    print(f"{name:<42} {seconds:8.2f} s")
    return seconds, result


def candidate(number: int, created: datetime) -> Candidate:
    kind = "day" if number % 20 == 0 else "turn"
    return Candidate(f"{kind}-2026-03-01-{number}-0000abcd", kind, Trace(created))


def build(count: int) -> list[Candidate]:
    return [candidate(i, NOW - timedelta(minutes=i % 260_000)) for i in range(count)]


def read(lines: bytes) -> list[Candidate]:
    forms = (orjson.loads(line) for line in lines.splitlines())
    return [candidate(form["n"], datetime.fromisoformat(form["created"])) for form in forms]


def main(count: int) -> None:
    print(f"{count:,} memories")
    building, candidates = timed("build the traces", lambda: build(count))
    lines = b"\n".join(
        orjson.dumps({"n": i, "created": it.trace.created, "query": "word " * 20})
        for i, it in enumerate(candidates)
    )
    reading, candidates = timed("read them from JSON lines in memory", lambda: read(lines))
    for name in POLICIES:
        policy = ForgettingPolicy.named(name)
        if policy.has_curve:
            timed(
                f"R of each, {name}", lambda policy=policy: retentions_at(candidates, NOW, policy)
            )
        seconds, due = timed(
            f"the whole pass, {name}",
            lambda policy=policy: due_for_archive(candidates, NOW, policy),
        )
        share = len(due) / count
        print(
            f"    archives {share:.0%}; {seconds / building:.2f} of building,"
            f" {seconds / reading:.2f} of reading"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
