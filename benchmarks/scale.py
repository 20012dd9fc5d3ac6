"""What ten, a thousand and ten thousand people cost in PostgreSQL, and what more processes bring.

A server of its own on the disk, with fsync; people as ``scale_people.py`` makes them; nothing is
asked of a model. Times compare within one run, since the machine does other work too: replies of
the three crowds are taken in turns. ``python benchmarks/scale.py`` (some ten minutes, 8 GB of
disk meanwhile) writes ``docs/scale.json``, from which ``python docs/make_scale.py`` works out the
rest: ``python benchmarks/scale.py [PEOPLE ...] [--seconds S] [--rounds R]``.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import timedelta
from functools import partial
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

from benchmarks.scale_people import NOW, Crowd, a_runtime, copy_people, make_models, person
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.creation import new_turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.index_pool import preload
from siliconfriend.runtime import Runtime
from siliconfriend.shared.postgres.replicas import SeveralProcesses
from tests.postgres_server import ADMIN, PostgresServer

PEOPLE = (10, 1_000, 10_000)
PROCESSES = (1, 2, 4)
WRITTEN = Path(__file__).resolve().parents[1] / "docs" / "scale.json"
SETTINGS: dict[str, Any] = {
    "fsync": "on",
    "full_page_writes": "on",
    "shared_buffers": "1GB",
    "max_wal_size": "4GB",
    "autovacuum": "on",
}
ASKED = (
    "Which boat did I paint in Porto?",
    "What became of the lantern?",
    "Was I in Lund when it rained?",
    "Tell me about the library.",
)
KNOWN = 40
"""People whom each process has open while it writes and searches."""

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    [
        "benchmarks.scale_people",
        "siliconfriend.dialogue.companion",
        "siliconfriend.memory.postgres.postgres_store",
        "siliconfriend.recall.postgres.postgres_index",
        "siliconfriend.recall.recaller",
    ]
)

Act = Callable[[Runtime, Scope, int], object]


def append(runtime: Runtime, scope: Scope, number: int) -> None:
    """One turn, durable on return."""
    with runtime.store.edit(scope) as edit:
        now = NOW + timedelta(seconds=number)
        edit.add(PutTurn(new_turn(scope, edit.memory, f"And then {number} more of it.", now=now)))


def recall(runtime: Runtime, scope: Scope, number: int) -> None:
    """One search."""
    question = ASKED[number % len(ASKED)]
    runtime.recaller.recall(scope, question, now=NOW, use_threshold=False)


def reply(runtime: Runtime, scope: Scope, number: int) -> None:
    """A message and its reply, both kept."""
    Companion(scope.person, runtime=runtime).reply(ASKED[number % len(ASKED)])


def make_crowd(server: PostgresServer, people: int) -> tuple[str, Crowd]:
    """A database of so many people; its name, and who is in it."""
    name, began = server.fresh(), time.perf_counter()
    models = make_models(server.address(name))
    copy_people(server.address(name, ADMIN), models, people)
    counts = [list(models.values())[number % len(models)] for number in range(people)]
    memories, turns = (sum(it) for it in zip(*counts, strict=True))
    names = [person(number) for number in range(people)]
    return name, Crowd(names, memories, turns, time.perf_counter() - began)


def replies(addresses: Mapping[int, str], rounds: int) -> dict[str, Any]:
    """Seconds of a reply in each crowd: of a process that has nobody open, and of one that has."""
    drawn = random.Random(7)
    cold: dict[int, list[float]] = {people: [] for people in addresses}
    warm: dict[int, list[float]] = {people: [] for people in addresses}
    for number in range(rounds):
        for people, address in addresses.items():
            with a_runtime(address) as runtime:
                scope = Scope.of(person(drawn.randrange(people)))
                runtime.store.exists(scope)  # connects, and checks the tables
                _ = runtime.recaller
                cold[people].append(_timed(partial(reply, runtime, scope, number)))
                warm[people] += [
                    _timed(partial(reply, runtime, scope, number + more)) for more in (1, 2, 3)
                ]
    few, many = min(addresses), max(addresses)
    return {
        "cold_seconds": {str(it): statistics.median(cold[it]) for it in cold},
        "warm_seconds": {str(it): statistics.median(warm[it]) for it in warm},
        "cold_ratio": statistics.median(cold[many]) / statistics.median(cold[few]),
        "warm_ratio": statistics.median(warm[many]) / statistics.median(warm[few]),
        "rounds": rounds,
    }


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def rates(address: str, people: int, act: Act, seconds: float, *, known: bool) -> dict[str, float]:
    """How often a second so many processes do something together, by their number.

    Args:
        address: of the database.
        people: in it.
        act: what is done.
        seconds: how long.
        known: with people that the process has open; else with new ones each time.
    """
    found = {}
    for processes in PROCESSES:
        barrier = _PROCESSES.Barrier(processes)
        with ExitStack() as stack:
            queue = _PROCESSES.Queue()
            for seed in range(processes):
                given = (address, people, act, seconds, known, seed, barrier, queue)
                process = _PROCESSES.Process(target=_work, args=given)
                process.start()
                stack.callback(process.join)
            done = [queue.get(timeout=600) for _ in range(processes)]
        found[str(processes)] = sum(done)
    return found


def _work(
    address: str,
    people: int,
    act: Act,
    seconds: float,
    known: bool,
    seed: int,
    barrier: Barrier,
    queue: Any,
) -> None:
    preload(vectors=True)
    drawn = random.Random(f"{act.__name__} {seed} {known} {barrier.parties}")
    with a_runtime(address) as runtime:
        names = drawn.sample(range(people), min(KNOWN, people))
        scopes = [Scope.of(person(number)) for number in names]
        if known:
            for scope in scopes:
                act(runtime, scope, 0)
        _ = runtime.recaller
        barrier.wait(300)
        done, began = 0, time.perf_counter()
        for scope in _again(scopes) if known else _new(people, drawn):
            act(runtime, scope, done)
            done += 1
            if time.perf_counter() - began > seconds:
                break
        queue.put(done / (time.perf_counter() - began))


def _again(scopes: Sequence[Scope]) -> Iterator[Scope]:
    while True:
        yield from scopes


def _new(people: int, drawn: random.Random) -> Iterator[Scope]:
    while True:
        yield Scope.of(person(drawn.randrange(people)))


def sizes(server: PostgresServer, name: str, crowd: Crowd) -> dict[str, Any]:
    """Bytes that a person takes, by table, with its indexes."""
    rows = server.run(
        "SELECT relname, pg_total_relation_size(c.oid) FROM pg_class c JOIN pg_namespace n"
        " ON n.oid = relnamespace WHERE nspname = 'siliconfriend' AND relkind = 'r'",
        name,
    )
    by_table = {table: size / len(crowd.names) for table, size in rows}
    return {
        "bytes_a_person": sum(by_table.values()),
        "bytes_a_memory": sum(by_table.values()) * len(crowd.names) / crowd.memories,
        "memories_a_person": crowd.memories / len(crowd.names),
        "by_table": {it: round(size) for it, size in sorted(by_table.items()) if size >= 100},
    }


def written_ahead(server: PostgresServer, name: str, act: Act, times: int = 200) -> float:
    """Bytes of write-ahead log that an act takes, with one person who is open."""
    with a_runtime(server.address(name)) as runtime:
        scope = Scope.of(person(0))
        act(runtime, scope, 0)
        ((before,),) = server.run("SELECT pg_current_wal_insert_lsn() - '0/0'", name)
        for number in range(times):
            act(runtime, scope, number)
        ((after,),) = server.run("SELECT pg_current_wal_insert_lsn() - '0/0'", name)
    return float(after - before) / times


def processor(server: PostgresServer, name: str, people: int, times: int = 80) -> dict[str, Any]:
    """Seconds of processor time that each act takes, of the program and of the server.

    Other programs on the machine do not count in it, so that capacity is worked out from this.
    """
    found = {}
    for act, known in ((append, True), (recall, True), (reply, True), (reply, False)):
        drawn = random.Random(3)
        with a_runtime(server.address(name)) as runtime:
            scopes = [Scope.of(person(drawn.randrange(people))) for _ in range(20)]
            for scope in scopes if known else ():
                act(runtime, scope, 0)
            acting = _again(scopes) if known else _new(people, drawn)
            _ = runtime.store.exists(scopes[0]), runtime.recaller
            began, of_server = time.process_time(), _processor_of(server)
            for number in range(times):
                act(runtime, next(acting), number)
            found[act.__name__ if known else f"first_{act.__name__}"] = {
                "program": (time.process_time() - began) / times,
                "server": (_processor_of(server) - of_server) / times,
            }
    return found


def _processor_of(server: PostgresServer) -> float:
    """Seconds of processor time that a server's processes took until now, with those that ended."""
    assert server._process is not None
    top, ticks = server._process.pid, 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(stat.parent.name) == top:
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == top:
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def shared_state(address: str, people: int) -> dict[str, float]:
    """Seconds of what each request of a front end asks the database, the median of 300."""
    with a_runtime(address) as runtime:
        shared = runtime.shared
        shared.passwords.set("Ada", "correct horse")
        sessions, key = shared.sessions(), shared.keys.make_for("Ada")
        token = sessions.open("Ada", str(shared.passwords.hash_of("Ada")))
        talks = [Scope.of(person(number)) for number in range(min(people, 1000))]
        replicas = SeveralProcesses(runtime.store.database)  # type: ignore[attr-defined]
        found = {
            "session": lambda: sessions.user(token, shared.passwords.hash_of),
            "key": lambda: shared.keys.identify(key),
            "try_to_log_in": lambda: shared.login_limits.take("Ada", "203.0.113.5"),
            "states_of_1000_talks": lambda: replicas.states(talks),
        }
        return {
            name: statistics.median(_timed(ask) for _ in range(300)) for name, ask in found.items()
        }


def notices(address: str, people: int, seconds: float) -> dict[str, dict[str, float]]:
    """Transactions a second that change a row each, without and with a notice, by processes."""
    found: dict[str, dict[str, float]] = {"without": {}, "with": {}}
    for processes in (1, 8):
        for how in found:
            barrier, queue = _PROCESSES.Barrier(processes), _PROCESSES.Queue()
            started = [
                _PROCESSES.Process(
                    target=_notify, args=(address, people, seconds, how, seed, barrier, queue)
                )
                for seed in range(processes)
            ]
            for it in started:
                it.start()
            found[how][str(processes)] = sum(queue.get(timeout=600) for _ in started)
            for it in started:
                it.join()
    return found


def _notify(
    address: str, people: int, seconds: float, how: str, seed: int, barrier: Barrier, queue: Any
) -> None:
    drawn = random.Random(seed)
    with psycopg.connect(address) as connection:
        barrier.wait(300)
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            name = person(drawn.randrange(people))
            connection.execute("SELECT set_config('siliconfriend.person', %s, true)", (name,))
            connection.execute(
                "UPDATE siliconfriend.scope SET log_bytes = log_bytes WHERE person = %s", (name,)
            )
            if how == "with":
                connection.execute("SELECT pg_notify('talk', %s)", (name,))
            connection.commit()
            done += 1
        queue.put(done / (time.perf_counter() - began))


def listing(within: Path) -> dict[str, float]:
    """Seconds of listing everybody, the one question across people, by their number."""
    server, found = PostgresServer(within=within, **SETTINGS), {}
    try:
        name = server.fresh()
        for people in (10_000, 1_000_000):
            server.run(
                "INSERT INTO siliconfriend.scope (person, companion, segment, sequence, generation,"
                " folded_through, log_bytes, resting_bytes) SELECT 'person-' || lpad(n::text, 8, '0'),"
                f" 'default', 0, 0, 0, 0, 0, 0 FROM generate_series(1, {people}) AS n"
                " ON CONFLICT DO NOTHING",
                name,
            )
            with a_runtime(server.address(name)) as runtime:
                began = time.process_time()
                assert len(runtime.store.scopes()) == people
                found[str(people)] = time.process_time() - began
    finally:
        server.close()
    return found


def measure(people: Sequence[int], seconds: float, rounds: int, within: Path) -> dict[str, Any]:
    """All of it, with a server in a folder."""
    server = PostgresServer(within=within, **SETTINGS)
    try:
        made = {count: make_crowd(server, count) for count in sorted(people)}
        addresses = {count: server.address(name) for count, (name, _) in made.items()}
        most = max(made)
        name, crowd = made[most]
        wide, loads = addresses[most], [os.getloadavg()[0]]
        document = {
            "machine": {"cores": os.cpu_count(), "processor": platform.machine()},
            "settings": SETTINGS,
            "crowds": {
                str(count): {"memories": it.memories, "turns": it.turns, "made_in": it.seconds}
                for count, (_, it) in made.items()
            },
            "size": sizes(server, name, crowd),
            "reply": replies(addresses, rounds),
            "appends_a_second": rates(wide, most, append, seconds, known=True),
            "recalls_a_second": rates(wide, most, recall, seconds, known=True),
            "first_recalls_a_second": rates(wide, most, recall, seconds, known=False),
            "replies_a_second": rates(wide, most, reply, seconds, known=True),
            "processor_seconds": processor(server, name, most),
            "wal_bytes": {
                "append": written_ahead(server, name, append),
                "reply": written_ahead(server, name, reply),
            },
            "shared_seconds": shared_state(wide, most),
            "notices": notices(wide, most, seconds / 3),
            "megabytes_of_a_process": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
        loads.append(os.getloadavg()[0])
        return {**document, "load": loads}
    finally:
        server.close()


def main() -> None:
    """Measure, write and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("people", nargs="*", type=int, default=list(PEOPLE))
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--within", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--listing", action="store_true", help="only list everybody")
    parser.add_argument("--to", type=Path, default=WRITTEN)
    given = parser.parse_args()
    preload(vectors=True)
    if given.listing:
        document = json.loads(given.to.read_text("utf-8"))
    else:
        document = measure(given.people, given.seconds, given.rounds, given.within)
    document["listing_seconds"] = listing(given.within)
    words = json.dumps(document, indent=2, default=str)
    given.to.write_text(f"{words}\n", "utf-8")
    print(words)


if __name__ == "__main__":
    main()
