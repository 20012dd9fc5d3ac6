"""Writes docs/reflection.md: a stream built from a sample person, and what it reflects.

Everything on the page is computed here and now but the model's words. Those come from
docs/reflection_answers.toml, so that the page can be made again to the letter on a machine
without a model; with ``--model`` they are asked of the model the settings name.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.clock import noon_of
from siliconfriend.config import load_settings
from siliconfriend.importance import offline_importance
from siliconfriend.models.base import ChatModel
from siliconfriend.runtime import Runtime
from siliconfriend.stream import Memory, MemoryStream, generate_insight, generate_reflection
from siliconfriend.stream.insights import Insight
from siliconfriend.testing import MovingClock, ScriptedChatModel

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reflection.md"
ANSWERS = ROOT / "docs" / "reflection_answers.toml"
WINDOW, THRESHOLD, TOP = 15, 3.0, 8
ZONE = ZoneInfo("UTC")

OPENING = """# Reflection, worked through

<!-- Written by `python docs/make_reflection.py`; do not edit by hand. -->

A memory stream is built from what a sample person said, one memory a message. When the importance
of the last {window} memories adds up to {threshold:g}, a model is asked what questions they raise;
each question recalls what bears on it; what follows from that is condensed, and each insight becomes
a memory that points at its evidence. The formulas stand in `siliconfriend/recall/scoring.py`, the
prompts in `prompts/en` and `prompts/cn`.

Two things to see in the tables. Recency is 0.99 to the seconds since the last access, as the
description has it, so nothing but the last minutes has any: here what was said on the last day. And
what one question retrieved was accessed just now, so it comes up more easily for the next.

{whose}

    .venv/bin/python docs/make_reflection.py            # this page
    .venv/bin/python docs/make_reflection.py --model    # in the words of the model you have set
"""
SCRIPTED = """**Whose words these are.** Importance (by rule), vectors (the `{embedder}` embedder), scores,
the choice of memories and the check of the evidence are computed by the program. The questions and
insights are a script, `docs/reflection_answers.toml`, in place of a model: they show the form of an
answer and what becomes of it, not how well any model thinks."""
ASKED = """**Whose words these are.** Importance, questions and insights are those of `{model}`, vectors
those of the `{embedder}` embedder."""


class Watched(MemoryStream):
    """A stream that keeps what each question retrieved."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.retrieved: list[list[dict[str, Any]]] = []

    def retrieve_memories(self, query_memory: Memory, filter_statement: str | None = None) -> Any:
        """As :meth:`MemoryStream.retrieve_memories`."""
        found = super().retrieve_memories(query_memory, filter_statement)
        self.retrieved.append(found.to_dict("records"))
        return found


@dataclass(slots=True)
class Example:
    """One person's stream and what came of it."""

    name: str
    stream: Watched
    days: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    insights: list[list[Insight]] = field(default_factory=list)


def build(sample: Path, chat: ChatModel | None, **means: Any) -> Example:
    """The stream of all a sample person said, at noon of each day, seen at 20:00 of the last."""
    ((name, person),) = json.loads(sample.read_text(encoding="utf-8")).items()
    last = noon_of(date.fromisoformat(max(person["history"])), ZONE)
    clock = MovingClock(last + timedelta(hours=8))
    stream = Watched([], 1, 1, 1, 0.99, TOP, chat=chat, clock=clock, **means)
    example = Example(name, stream)
    for day, turns in person["history"].items():
        noon = noon_of(date.fromisoformat(day), ZONE)
        for turn in turns:
            memory = Memory(f"{name}: {turn['query']}", noon, noon, "observation")
            if chat is None:
                memory.importance = offline_importance(turn["query"])
            stream.add_memory(memory)
            example.days.append(day)
    return example


def reflect(example: Example, chat: ChatModel) -> None:
    """Ask, retrieve, infer, condense, and put the insights into the stream."""
    found = generate_insight(example.stream, WINDOW, THRESHOLD, chat=chat)
    if found is None:
        msg = f"the last {WINDOW} memories of {example.name} do not reach {THRESHOLD}"
        raise SystemExit(msg)
    example.questions, example.insights = found
    for insights, rows in zip(example.insights, example.stream.retrieved, strict=True):
        shown = {row["pointer"] for row in rows}
        for insight, evidence in insights:
            if not shown.issuperset(evidence):
                print(f"not all of its evidence was shown: {insight} {evidence}", file=sys.stderr)
    generate_reflection(example.stream, example.insights)


def section(example: Example) -> Iterator[str]:
    """The page's part on one person."""
    stream = example.stream
    said = len(example.days)
    recent = range(said - WINDOW, said)
    total = sum(stream.memories[at].importance for at in recent)
    yield f"## {example.name}\n"
    yield (
        f"{said} memories from {example.days[0]} to {example.days[-1]}. The importance of the last "
        f"{WINDOW} adds up to {total:.1f}, so there is a reflection.\n"
    )
    yield from table(
        ("", "day", "importance", "the last memories"),
        (
            (at, example.days[at], f"{stream.memories[at].importance:.1f}", words(stream, at))
            for at in recent
        ),
    )
    for number, question in enumerate(example.questions):
        yield f"\n### {question}\n"
        yield f"The memories with relevance above 0.5 that score best, {TOP} at most:\n"
        yield from table(
            ("", "importance", "recency", "relevance", "score", "memory"),
            (
                (
                    row["pointer"],
                    f"{row['importance']:.1f}",
                    f"{row['recency']:.2f}",
                    f"{row['relevance']:.2f}",
                    f"{row['score']:.2f}",
                    words(stream, row["pointer"]),
                )
                for row in stream.retrieved[number]
            ),
        )
        yield "\nWhat follows, with the memories it rests on:\n"
        for insight, evidence in example.insights[number]:
            yield f"- {insight} ({cited(example, evidence)})"
    made = [memory for memory in stream.memories if memory.is_a("reflection")]
    yield (
        f"\nThe stream now has {len(made)} reflections more, at positions {said} to "
        f"{said + len(made) - 1}; the next reflection may rest on them.\n"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table in Markdown."""
    yield "| " + " | ".join(head) + " |"
    yield "| " + " | ".join("---" for _ in head) + " |"
    for row in rows:
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"


def words(stream: MemoryStream, pointer: int) -> str:
    """What a memory says, on one line."""
    return " ".join(stream.memories[pointer].description.split())


def cited(example: Example, evidence: Sequence[int]) -> str:
    """The evidence by position and day; a reflection among it has no day of its own."""
    days = [example.days[at] if at < len(example.days) else "reflection" for at in evidence]
    return ", ".join(f"[{at}] {day}" for at, day in zip(evidence, days, strict=True))


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", action="store_true", help="ask the model the settings name")
    parser.add_argument("--out", type=Path, default=PAGE)
    options = parser.parse_args()
    settings = load_settings()
    runtime = Runtime(settings)
    model = runtime.chat if options.model else None
    if options.model and model is None:
        parser.error("no model is set: SILICONFRIEND_LLM is offline")
    means = {} if runtime.embedder is None else {"embedder": runtime.embedder}
    scripts = tomllib.loads(ANSWERS.read_text(encoding="utf-8"))
    whose = (ASKED if model else SCRIPTED).format(
        model=model.name if model else "", embedder=settings.embedding
    )
    parts = [OPENING.format(window=WINDOW, threshold=THRESHOLD, whose=whose)]
    for sample, script in scripts.items():
        example = build(ROOT / "memories" / "samples" / f"{sample}.json", model, **means)
        reflect(example, model or ScriptedChatModel(script["answers"]))
        parts.append("\n".join(section(example)))
    options.out.write_text("\n".join(parts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
