"""How often the check for made-up names, days and figures refuses a summary that made up none.

``python -m tests.long.unsaid LOCOMO`` takes LoCoMo's conversations, each of whose sessions has a
summary and single observations that a real model wrote of it. Held against the session they are
of, next to none of them should be refused; held against a session of other people, nearly all that
name anybody should be. What is refused of its own session is printed, to be read: a model makes
things up there too.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siliconfriend.extraction.support import unsupported_in
from siliconfriend.language.numbers import MONTHS
from tests.long.report import write_proof


@dataclass(frozen=True)
class Session:
    """A session of two people, as a prompt tells it, and the texts that a model wrote of it."""

    speakers: tuple[str, str]
    told: str
    summary: str
    observations: tuple[str, ...]


def sessions(conversation: dict[str, Any]) -> Iterator[Session]:
    """The sessions of a conversation that have a summary."""
    talk = conversation["conversation"]
    speakers = (talk["speaker_a"], talk["speaker_b"])
    for number in range(1, 100):
        said = talk.get(f"session_{number}")
        summary = conversation["session_summary"].get(f"session_{number}_summary")
        if not said or not summary:
            continue
        observed = conversation["observation"].get(f"session_{number}_observation", {})
        when = talk[f"session_{number}_date_time"]
        lines = [
            f"{it['speaker']}: {it['text']} {it.get('blip_caption', '')}".strip() for it in said
        ]
        yield Session(
            speakers,
            "\n".join([iso_of(when), when, *lines]),
            summary,
            tuple(text for texts in observed.values() for text, *_ in texts),
        )


def iso_of(when: str) -> str:
    """The ISO day of "1:56 pm on 8 May, 2023", which a prompt names too."""
    day, month, year = when.partition(" on ")[2].replace(",", "").split()
    return f"{year}-{MONTHS[month.lower()]:02}-{int(day):02}"


def main(path: Path) -> None:
    """Hold every text against its own session, and against one of other people."""
    conversations = [list(sessions(it)) for it in json.loads(path.read_text(encoding="utf-8"))]
    counted: dict[str, Counter[str]] = {"summaries": Counter(), "observations": Counter()}
    for number, own in enumerate(conversations):
        others = conversations[(number + 1) % len(conversations)]
        for at, session in enumerate(own):
            other = others[at % len(others)]
            several = {"summaries": (session.summary,), "observations": session.observations}
            for what, texts in several.items():
                for text in texts:
                    found = unsupported_in(text, session.told, session.speakers)
                    counted[what]["texts"] += 1
                    counted[what]["refused"] += bool(found)
                    counted[what]["told apart"] += bool(unsupported_in(text, other.told))
                    if found:
                        print(what, found, "|", text.replace("\n", " "), flush=True)
    columns = ("texts of a real model", "how many", "refused of their own talk", "of another's")
    rows = [[what, it["texts"], it["refused"], it["told apart"]] for what, it in counted.items()]
    write_proof("unsaid", columns=columns, rows=rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
