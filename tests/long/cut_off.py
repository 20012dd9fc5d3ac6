"""Cut one of two hosts off in the middle of a night, and see the other finish it.

``python -m tests.long.cut_off [TIMES]``, as root with ``ip`` (Debian's ``iproute2``), makes three
network namespaces: a database between two hosts, each on a link of its own. A worker is at the nights
on each host; in the middle of it the link of one goes down. The other has to finish everybody's night,
and the memory must be that of a single machine. Then the link comes up again, and the worker that
comes back must neither harm anything nor ask for what is done.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.night.queue import NightReports
from tests.long.report import write_proof
from tests.night.workers import (
    ROOT,
    SlowModel,
    WorkerProcess,
    enqueue,
    export,
    export_of,
    left_in,
    night,
    runtime_of,
    settle,
    settle_in,
    work_once,
)
from tests.postgres_server import PostgresServer

BETWEEN, HOSTS = "sf-between", ("sf-east", "sf-west")
PORT = 5499
INSIDE = "SILICONFRIEND_CUT_OFF_INSIDE"
PEOPLE = 12
CALL = 0.15
SILENCE = 5


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _address(at: int, host: int) -> str:
    return f"10.77.{at + 1}.{host}"


def make_network() -> None:
    """The three hosts and the two links."""
    for name in (BETWEEN, *HOSTS):
        _ip("netns", "add", name)
        _ip("-n", name, "link", "set", "lo", "up")
    for at, host in enumerate(HOSTS):
        _ip(
            "link",
            "add",
            f"sfb{at}",
            "netns",
            BETWEEN,
            "type",
            "veth",
            "peer",
            "sfh",
            "netns",
            host,
        )
        _ip("-n", BETWEEN, "addr", "add", f"{_address(at, 1)}/24", "dev", f"sfb{at}")
        _ip("-n", host, "addr", "add", f"{_address(at, 2)}/24", "dev", "sfh")
        for name, device in ((BETWEEN, f"sfb{at}"), (host, "sfh")):
            _ip("-n", name, "link", "set", device, "up")


def remove_network() -> None:
    """Nothing of it stays."""
    for name in (BETWEEN, *HOSTS):
        subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


@dataclass(frozen=True, slots=True)
class Trial:
    """What one night with a cut came to.

    Attributes:
        at_cut: people whose night was done when the link went down.
        took_up: people whose night the cut-off host had begun and the other finished.
        seconds: from the cut until everybody's night was done.
        again: calls beyond those a single machine makes.
        fault: what is wrong; empty for nothing.
    """

    at_cut: int
    took_up: int
    seconds: float
    again: int
    fault: str


def one_trial(server: PostgresServer, home: Path, expected: object, needed: int, at: int) -> Trial:
    """One night, cut in the middle at one of the hosts."""
    name = server.fresh()
    address = server.address(name)
    runtime = runtime_of(address, home)
    store = runtime.store
    settle_in(store, PEOPLE)
    enqueue(runtime)
    workers = [
        WorkerProcess(
            f"postgresql://siliconfriend_app@{_address(number, 1)}:{PORT}/{name}",
            home,
            call=CALL,
            ttl=SILENCE,
            at_once=2,
            before=("ip", "netns", "exec", host),
        )
        for number, host in enumerate(HOSTS)
    ]
    cut, other = workers[at], workers[1 - at]
    cut.wait_until(lambda it: len(it.calls) >= 8)
    _ip("-n", HOSTS[at], "link", "set", "sfh", "down")
    began, left = time.monotonic(), left_in(runtime)
    other.wait_until(lambda _it: left_in(runtime) == 0)
    seconds = time.monotonic() - began
    fault = "" if export_of(store) == expected else "after the cut the memory is another"
    report = NightReports(runtime.installation).last(store.scopes())
    if report is None or any(it["status"] != "ok" for it in report["users"]):
        fault = fault or "the report is not that of a whole night"
    _ip("-n", HOSTS[at], "link", "set", "sfh", "up")
    time.sleep(SILENCE)  # it may say now what it could not say
    codes = [it.kill(signal.SIGTERM) for it in workers]
    rest = SlowModel()
    last = runtime_of(address, home, rest)
    enqueue(last)
    work_once(last)
    if export_of(store) != expected:
        fault = fault or "after the return the memory is another"
    if rest.calls or codes != [0, 0]:
        fault = fault or f"{rest.calls} calls were left; exit codes {codes}"
    begun = {it.person for it in cut.calls}
    done = {it.split(" ", 1)[1] for it in cut.ended if it.startswith("done")}
    again = sum(len(it.calls) for it in workers) - needed
    server.drop(name)
    return Trial(PEOPLE - left, len(begun - done), seconds, again, fault)


def inside(times: int) -> None:
    """All trials, from the host between the two."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder, "alone")
        settle(alone, PEOPLE)
        model = SlowModel()
        night(alone, model)
        expected = export(alone)
        hosts = ",".join(_address(at, 1) for at in range(len(HOSTS)))
        server = PostgresServer(PORT, hosts)
        trials: list[Trial] = []
        try:
            for number in range(times):
                home = Path(folder, "home")
                trials.append(one_trial(server, home, expected, model.calls, number % 2))
                print(trials[-1], flush=True)
                if trials[-1].fault:
                    sys.exit(trials[-1].fault)
        finally:
            server.close()
    write_proof(
        "cut_off",
        columns=("what", "figure"),
        rows=[
            ["nights in which the link of one of two hosts went down", times],
            [f"calls a single machine makes for the {PEOPLE} people of each", model.calls],
            ["nights done when it went down, least and most", _span([it.at_cut for it in trials])],
            ["nights taken over half-done, in all", sum(it.took_up for it in trials)],
            [
                f"seconds until all were done, with a silence of {SILENCE} s, least and most",
                _span([round(it.seconds, 1) for it in trials]),
            ],
            ["calls made again, in all", sum(it.again for it in trials)],
            ["memories other than a single machine's, at the end or after the return", 0],
        ],
    )


def _span(figures: list[int] | list[float]) -> str:
    return f"{min(figures)} to {max(figures)}"


def main(times: int = 10) -> None:
    """Make the network, run this again between its hosts, and take it down."""
    if os.environ.get(INSIDE):
        inside(times)
        return
    remove_network()
    make_network()
    command = [sys.executable, "-m", "tests.long.cut_off", str(times)]
    try:
        done = subprocess.run(
            ["ip", "netns", "exec", BETWEEN, *command],
            cwd=ROOT,
            env={**os.environ, INSIDE: "1"},
            check=False,
        )
    finally:
        remove_network()
    sys.exit(done.returncode)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
