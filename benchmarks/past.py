"""Measure the import of years: one export of 100,000 messages in two formats.

Prints for each the CPU seconds of reading and of taking in, the memory it needs at most,
and how both compare with a past of a tenth: a ratio near 10 is a cost that grows as the file
does. Then taking the same in again, and a day of 20,000 messages against as many spread over
years. ``python benchmarks/past.py [MESSAGES]``; each measurement is a process of its own.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.model_server import alone
from siliconfriend.importers.ledger import take_in
from siliconfriend.importers.messages import Options
from siliconfriend.importers.reading import Past, read_past
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Profile
from siliconfriend.memory.scope import Scope

ADA = Scope.of("Ada")
ZONE = ZoneInfo("UTC")
NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
BEGAN = datetime(2012, 1, 1, 8, tzinfo=UTC)
A_DAY = 20
"""Messages a day."""
A_TALK = 100
"""Messages of one conversation with an assistant."""


def said(number: int, a_day: int) -> datetime:
    """Return the moment of a message: one a minute from eight in the morning."""
    return BEGAN + timedelta(days=number // a_day, seconds=number % a_day * 4)


def words(number: int) -> str:
    """Return a message of ordinary length."""
    return f"This is message {number}, about beans, the garden and what to do about the snails."


def chatgpt(messages: int, a_day: int) -> Iterator[str]:
    """Conversations of a hundred messages, each a chain of nodes with its usual metadata."""
    yield "["
    for start in range(0, messages, A_TALK):
        ids = [f"n{number}" for number in range(start, min(start + A_TALK, messages))]
        mapping: dict[str, Any] = {}
        for at, identifier in enumerate(ids):
            role = "assistant" if at % 2 else "user"
            mapping[identifier] = {
                "id": identifier,
                "message": {
                    "id": identifier,
                    "author": {"role": role, "name": None, "metadata": {}},
                    "create_time": said(start + at, a_day).timestamp(),
                    "content": {"content_type": "text", "parts": [words(start + at)]},
                    "metadata": {"model_slug": "x", "request_id": identifier, "timestamp_": "y"},
                    "recipient": "all",
                },
                "parent": ids[at - 1] if at else None,
                "children": ids[at + 1 : at + 2],
            }
        form = {"title": "t", "mapping": mapping, "current_node": ids[-1]}
        yield ("," if start else "") + json.dumps(form)
    yield "]"


def whatsapp(messages: int, a_day: int) -> Iterator[str]:
    """Yield an iPhone's chat."""
    for number in range(messages):
        name = "Ben" if number % 2 else "Ada"
        yield f"[{said(number, a_day):%d.%m.%y, %H:%M:%S}] {name}: {words(number)}\r\n"


MAKERS: dict[str, Callable[[int, int], Iterator[str]]] = {"chatgpt": chatgpt, "whatsapp": whatsapp}


def _read(form: str, path: Path) -> Past:
    options = Options("Ada", zone=ZONE)
    return read_past([path], form, options, zone=ZONE, now=NOW, key_mark="[key]")


def measure(form: str, messages: int, a_day: int) -> dict[str, float]:
    """CPU seconds of reading, of taking in, of doing both again; MiB at most; bytes of the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export"
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(MAKERS[form](messages, a_day))
        size = path.stat().st_size
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.process_time()
        past = _read(form, path)
        read = time.process_time() - began
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert past.messages == messages, (form, past.messages, past.left_out)
        store = FileStore(Path(folder) / "home")
        store.create(ADA, Profile(ADA.person, language="en", timezone="UTC", created=NOW))
        began = time.process_time()
        taken = take_in(store, ADA, past.drafts, NOW)
        took = time.process_time() - began
        began = time.process_time()
        again = take_in(FileStore(store.home), ADA, _read(form, path).drafts, NOW)
        twice = time.process_time() - began
        assert (taken.added, again.added) == (len(past.drafts), 0)
    return {"read": read, "take": took, "again": twice, "mib": held / 1024, "size": size}


def main(messages: int = 100_000) -> None:
    print(f"{messages:,} messages, {A_DAY} a day; in brackets: times a tenth of them")
    for form in MAKERS:
        few = alone(measure, form, messages // 10, A_DAY)
        many = alone(measure, form, messages, A_DAY)
        parts = [
            f"{name} {many[name]:5.1f} s ({many[name] / few[name]:4.1f})"
            for name in ("read", "take", "again")
        ]
        size = many["size"] / 2**20
        print(f"{form:12} {'  '.join(parts)}  {many['mib']:4.0f} MiB for a file of {size:.0f} MiB")
    spread = alone(measure, "whatsapp", messages // 5, A_DAY)
    one_day = alone(measure, "whatsapp", messages // 5, messages)
    ratio = one_day["take"] / spread["take"]
    print(f"{messages // 5:,} of one day: taken in {one_day['take']:.1f} s, {ratio:.2f} of spread")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
