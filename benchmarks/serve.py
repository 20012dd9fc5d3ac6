"""Measure chats through two servers over one PostgreSQL, and compare with another checkout.

``python benchmarks/serve.py [--before CHECKOUT] [--people N] [--seconds S]``

Each server process belongs to one version, each version has a database of its own, and the model is
a stub on the loopback that answers at once. People have some turns and vectors already. For each
rate (chats a second, sent without waiting for the answers before) it prints the percentiles of
the time to the whole answer, the processor time of the servers and of PostgreSQL for each chat, and
how many were answered. At the end 120 chats come at once.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.model_server import serve_model, served  # noqa: E402
from tests.postgres_server import OWNER, PostgresServer  # noqa: E402

RATES, AT_ONCE, TURNS = (1.5, 3.0, 8.0), 120, 6
KEY = {"Authorization": "Bearer operator-key-of-the-benchmark"}
THINGS = [
    "garden",
    "boat",
    "violin",
    "bakery",
    "train",
    "winter",
    "doctor",
    "lemon",
    "piano",
    "school",
    "kitchen",
    "book",
]
NAMES, DAYS = ("Ruth", "Tom", "Ines", "Omar"), ("Monday", "Friday", "Sunday")


def remark(draw: random.Random) -> str:
    """Write something that a person tells."""
    thing, place = draw.sample(THINGS, 2)
    return f"On {draw.choice(DAYS)} I took my {thing} to the {place} with {draw.choice(NAMES)}."


@dataclass(frozen=True)
class Version:
    """A version of the program: two servers over its database.

    Attributes:
        name: shown in the table.
        urls: of the servers.
        processes: of the servers.
    """

    name: str
    urls: tuple[str, ...]
    processes: tuple[int, ...]


def processor_seconds(*processes: int) -> float:
    """Return the user and system time of some processes."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def postgres_seconds() -> float:
    """Return the processor time of all processes of PostgreSQL and of those that ended."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
        except OSError:
            continue
        if "(postgres)" in stat:
            fields = stat.rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


@contextmanager
def version(
    name: str, checkout: Path, database: PostgresServer, model: str, people: int
) -> Iterator[Version]:
    """Start two servers of a checkout, and let them know some people."""
    address = database.fresh(None)
    environ = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(checkout),
        "SILICONFRIEND_EMBEDDING": "bundled",
        "SILICONFRIEND_LLM": "openai",
        "SILICONFRIEND_OPERATOR_KEY": KEY["Authorization"].split()[1],
        "OPENAI_BASE_URL": model,
        "OPENAI_API_KEY": "k",
    }
    program = [sys.executable, "-m", "siliconfriend"]
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        environ["SILICONFRIEND_HOME"] = home
        owner = {**environ, "SILICONFRIEND_STORE": database.address(address, OWNER)}
        upgrade = [*program, "database", "upgrade", "--role", "siliconfriend_app"]
        subprocess.run(upgrade, env=owner, cwd=checkout, check=True, capture_output=True)
        environ["SILICONFRIEND_STORE"] = database.address(address)
        urls, processes = [], []
        for _ in range(2):
            command = [*program, "serve", "--port", "0"]
            process = stack.enter_context(
                subprocess.Popen(command, env=environ, cwd=checkout, stderr=subprocess.PIPE)
            )
            stack.callback(process.send_signal, signal.SIGTERM)
            assert process.stderr is not None
            line = next(line for line in process.stderr if b"http://" in line and b"/v1" in line)
            urls.append("http://" + line.decode().split("http://")[1].split("/v1")[0])
            processes.append(process.pid)
        begun = Version(name, tuple(urls), tuple(processes))
        asyncio.run(meet(begun, people))
        yield begun


async def meet(servers: Version, people: int) -> None:
    """Give people a past, and let both servers embed it."""
    draw = random.Random(1)
    async with httpx.AsyncClient(timeout=600, headers=KEY, trust_env=False) as client:
        for number in range(people):
            name = f"User{number:03d}"
            turns = [{"query": remark(draw), "response": "I see."} for _ in range(TURNS)]
            past = {name: {"name": name, "history": {"2026-03-02": turns}}}
            path = f"/v1/people/{name}"
            done = await client.post(f"{servers.urls[0]}{path}/import", json=past)
            done.raise_for_status()
            for url in servers.urls:
                asked = {"question": "Where did I take my violin?"}
                (await client.post(f"{url}{path}/recall", json=asked)).raise_for_status()


async def chat(
    client: httpx.AsyncClient, servers: Version, name: str, draw: random.Random
) -> tuple[int, float]:
    """Send one message; return the status and the seconds until the whole answer."""
    url, began = draw.choice(servers.urls), time.perf_counter()
    try:
        answer = await client.post(f"{url}/v1/people/{name}/chat", json={"message": remark(draw)})
    except httpx.HTTPError:
        return 0, time.perf_counter() - began
    return answer.status_code, time.perf_counter() - began


async def load(servers: Version, people: int, rate: float, seconds: float) -> str:
    """Send chats at a rate, or all at once where it is 0; return a row of the table."""
    draw = random.Random(int(rate * 10))
    number = round(rate * seconds) or AT_ONCE
    names = [f"User{at:03d}" for at in draw.choices(range(people), k=number)]
    names = names if rate else [f"User{at % people:03d}" for at in range(number)]
    before, before_postgres = processor_seconds(*servers.processes), postgres_seconds()
    limits = httpx.Limits(max_connections=None)
    began = time.perf_counter()
    async with httpx.AsyncClient(
        timeout=300, limits=limits, headers=KEY, trust_env=False
    ) as client:
        tasks = []
        for at, name in enumerate(names):
            if rate and (pause := began + at / rate - time.perf_counter()) > 0:
                await asyncio.sleep(pause)
            tasks.append(asyncio.create_task(chat(client, servers, name, draw)))
        done = await asyncio.gather(*tasks)
    cpu = (processor_seconds(*servers.processes) - before) / number * 1000
    postgres = (postgres_seconds() - before_postgres) / number * 1000
    times = sorted(taken * 1000 for status, taken in done if status == 200)
    points = [times[min(int(len(times) * share), len(times) - 1)] for share in (0.5, 0.95, 0.99)]
    what = f"{rate:g} a second" if rate else f"{AT_ONCE} at once"
    statuses = ", ".join(
        f"{count} × {status}" for status, count in Counter(s for s, _ in done).items()
    )
    shown = " | ".join(f"{point:,.0f}" for point in points)
    return (
        f"| {servers.name} | {what} | {shown} | {max(times):,.0f} | {cpu:.0f} | {postgres:.0f}"
        f" | {statuses} | {os.getloadavg()[0]:.1f} |"
    )


def main() -> None:
    """Measure all versions in one run."""
    parser = ArgumentParser()
    parser.add_argument("--before", type=Path)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    asked = parser.parse_args()
    checkouts = {"now": ROOT, **({"before": asked.before.resolve()} if asked.before else {})}
    database = PostgresServer()
    try:
        with served(serve_model, 0.0, 0.0) as model, ExitStack() as stack:
            versions = [
                stack.enter_context(version(name, checkout, database, model, asked.people))
                for name, checkout in checkouts.items()
            ]
            print(
                "| version | chats | p50 ms | p95 | p99 | longest | CPU ms | PostgreSQL ms"
                " | answers | load |"
            )
            print("| --- " * 10 + "|")
            for rate in (*RATES, 0.0):
                for servers in versions:
                    print(asyncio.run(load(servers, asked.people, rate, asked.seconds)), flush=True)
    finally:
        database.close()


if __name__ == "__main__":
    main()
