"""Compare the first token through `siliconfriend serve` with the model's own.

A tiny model on the loopback begins to answer at once, so that what is left is the way through the
server: its key, what the client's chat shows, the words on disk, recall with the bundled
embedder and the prompt. Prints both medians and their difference:
``python benchmarks/serve.py [TURNS]``. The texts of the old turns repeat, which changes nothing
for a search and saves minutes of embedding.
"""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.long_life import NORA, TURNS_A_DAY, remember, turns_of_day
from benchmarks.model_server import serve_model, served
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.records import Turn
from tests.server.serving import serving_process

DISTINCT = 25
"""Days after which the texts of the old turns repeat."""
MESSAGES = 15
"""Fewer than leave the talk: what a model reads behind it is another matter."""
THINGS = ("beans", "chess", "the ferry", "my sister", "the garden", "a violin", "Porto", "bread")


def old_turns(turns: int) -> Iterator[Turn]:
    """Create old turns; their texts repeat after some days."""
    for day in range(turns // TURNS_A_DAY):
        for turn, same in zip(turns_of_day(day), turns_of_day(day % DISTINCT), strict=True):
            yield replace(turn, query=same.query, response=same.response, context="extracted")


def first_token(client: httpx.Client, url: str, model: str, words: str, chat: str) -> float:
    """Seconds until the first word of an answer, which is then heard to its end."""
    body = {"model": model, "messages": [{"role": "user", "content": words}], "stream": True}
    headers = {"X-SiliconFriend-Chat-Id": chat}
    began, seconds = time.perf_counter(), 0.0
    with client.stream("POST", f"{url}/chat/completions", json=body, headers=headers) as answer:
        for line in answer.iter_lines():
            if not seconds and re.search(r'"content": ?"heard', line):
                seconds = time.perf_counter() - began
    return seconds


def main(turns: int) -> None:
    """Measure, one message through the door and one to the model in turns."""
    with tempfile.TemporaryDirectory() as folder, served(serve_model, 0.0) as model:
        home = Path(folder)
        remember(home, old_turns(turns))
        key = installation_in(home).keys.make_for(NORA.person)
        headers = {"Authorization": f"Bearer {key}"}
        environ = {
            "SILICONFRIEND_EMBEDDING": "bundled",
            "SILICONFRIEND_LLM": "openai",
            "SILICONFRIEND_RATE_LIMIT": "none",
            "OPENAI_BASE_URL": model,
            "OPENAI_API_KEY": "k",
        }
        with (
            serving_process(home, **environ) as (url, *_),
            httpx.Client(headers=headers, timeout=1200, trust_env=False) as client,
        ):
            indexed = first_token(client, f"{url}/v1", "default", "Hello there.", "warm")
            door, direct = [], []
            for number in range(MESSAGES):
                thing = THINGS[number % 8]
                words = f"What did I tell you about {thing}, and when was it, number {number}?"
                door.append(first_token(client, f"{url}/v1", "default", words, f"chat{number}"))
                direct.append(first_token(client, model, "m", words, ""))
    ours, theirs = statistics.median(door) * 1000, statistics.median(direct) * 1000
    print(f"{turns:,} turns; the first message, which indexes them: {indexed:.1f} s")
    print(f"first token through the door: median {ours:.1f} ms, worst {max(door) * 1000:.1f} ms")
    print(f"first token from the model:   median {theirs:.1f} ms")
    print(f"overhead of the door:         median {ours - theirs:.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
