"""Cut one of two hosts off in the middle of a night, and see the other finish it.

``python -m tests.long.cut_off [TIMES]``, as root with ``ip`` (Debian's ``iproute2``), makes three
network namespaces: a database between two hosts, each on a link of its own. A worker is at the nights
on each host; in the middle of it the link of one goes down. The other has to finish everybody's night,
and the memory must be that of a single machine. Then the link comes up again, and the worker that
comes back must neither harm anything nor ask for what is done.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from siliconfriend.night.queue import NightReports
from tests.long.report import write_proof
from tests.night.workers import (
    ROOT,
    WorkerProcess,
    alone,
    calls_left,
    enqueue,
    export_of,
    left_in,
    runtime_of,
    settle_in,
)
from tests.night.world import JUNE_5
from tests.postgres_server import PostgresServer

BETWEEN, HOSTS = "sf-between", ("sf-east", "sf-west")
PORT = 5499
INSIDE = "SILICONFRIEND_CUT_OFF_INSIDE"
PEOPLE = 12
SILENCE = 5


def _ip(words: str, *, check: bool = True) -> None:
    subprocess.run(["ip", *words.split()], check=check, capture_output=True)


def _address(at: int, host: int) -> str:
    return f"10.77.{at + 1}.{host}"


def make_network() -> None:
    """The three hosts and the two links."""
    for name in (BETWEEN, *HOSTS):
        _ip(f"netns add {name}")
        _ip(f"-n {name} link set lo up")
    for at, host in enumerate(HOSTS):
        _ip(f"link add sfb{at} netns {BETWEEN} type veth peer sfh netns {host}")
        for number, name, device in ((1, BETWEEN, f"sfb{at}"), (2, host, "sfh")):
            _ip(f"-n {name} addr add {_address(at, number)}/24 dev {device}")
            _ip(f"-n {name} link set {device} up")


def remove_network() -> None:
    """Nothing of it stays."""
    for name in (BETWEEN, *HOSTS):
        _ip(f"netns del {name}", check=False)


def one_trial(
    server: PostgresServer, home: Path, expected: object, at: int
) -> tuple[int, int, float, int]:
    """One night, cut in the middle at one of the hosts.

    Returns:
        People whose night was done when the link went down; those whose night the cut-off host had
        begun and the other finished; seconds from the cut until all were done; calls made.
    """
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
            call=0.15,
            ttl=SILENCE,
            at_once=2,
            before=("ip", "netns", "exec", host),
        )
        for number, host in enumerate(HOSTS)
    ]
    cut, other = workers[at], workers[1 - at]

    def nobody_is_left(_worker: WorkerProcess) -> bool:
        # Whom the other found locked it tries again in a minute, and its clock stands still.
        statement = "UPDATE night_person SET due = 0 WHERE night > 0 AND due > ?"
        runtime.installation.tables.change(statement, (JUNE_5.timestamp(),))
        return left_in(runtime) == 0

    cut.wait_until(lambda it: len(it.calls) >= 8)
    _ip(f"-n {HOSTS[at]} link set sfh down")
    began, left = time.monotonic(), left_in(runtime)
    other.wait_until(nobody_is_left)
    seconds = round(time.monotonic() - began, 1)
    assert export_of(store) == expected, "after the cut the memory is another"
    report = NightReports(runtime.installation).last(store.scopes())
    assert report is not None
    assert {it["status"] for it in report["users"]} == {"ok"}, "the night is not whole"
    _ip(f"-n {HOSTS[at]} link set sfh up")
    time.sleep(SILENCE)  # it may say now what it could not say
    assert [it.kill(signal.SIGTERM) for it in workers] == [0, 0]
    assert calls_left(address, home) == 0
    assert export_of(store) == expected, "after the return the memory is another"
    begun = {it.person for it in cut.calls}
    done = {it.split(" ", 1)[1] for it in cut.ended if it.startswith("done")}
    server.drop(name)
    return PEOPLE - left, len(begun - done), seconds, sum(len(it.calls) for it in workers)


def inside(times: int) -> None:
    """All trials, from the host between the two."""
    trials = []
    with tempfile.TemporaryDirectory() as folder:
        expected, needed = alone(Path(folder, "alone"), PEOPLE)
        hosts = ",".join(_address(at, 1) for at in range(len(HOSTS)))
        server = PostgresServer(PORT, hosts)
        try:
            for number in range(times):
                trials.append(one_trial(server, Path(folder, "home"), expected, number % 2))
                print(trials[-1], flush=True)
        finally:
            server.close()
    at_cut, took_up, seconds, calls = zip(*trials, strict=True)
    write_proof(
        "cut_off",
        columns=("what", "figure"),
        rows=[
            ["nights in which the link of one of two hosts went down", times],
            [f"calls a single machine makes for the {PEOPLE} people of each", needed],
            ["nights done when it went down, least and most", _span(at_cut)],
            ["nights taken over half-done, in all", sum(took_up)],
            [f"seconds until all were done, with a silence of {SILENCE} s", _span(seconds)],
            ["calls made again, in all", sum(calls) - needed * times],
            ["memories other than a single machine's, at the end or after the return", 0],
        ],
    )


def _span(figures: Sequence[float]) -> str:
    return f"{min(figures)} to {max(figures)}"


def main(times: int = 10) -> None:
    """Make the network, run this again between its hosts, and take it down."""
    if os.environ.get(INSIDE):
        inside(times)
        return
    remove_network()
    make_network()
    command = ["ip", "netns", "exec", BETWEEN, sys.executable, "-m", "tests.long.cut_off"]
    try:
        environment = {**os.environ, INSIDE: "1"}
        done = subprocess.run([*command, str(times)], cwd=ROOT, env=environment, check=False)
    finally:
        remove_network()
    sys.exit(done.returncode)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
