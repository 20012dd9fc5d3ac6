"""The container's files: what can be known of them without starting one.

No container runs in the tests: the commands of the compose file and its health checks run as
plain processes on a data directory of their own.
"""

import configparser
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from packaging.utils import canonicalize_name

from siliconfriend.installation.installation import installation_in
from tests.waiting import free_ports, until_listens

ROOT = Path(__file__).parents[1]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
POSTGRES: dict[str, Any] = yaml.safe_load(
    (ROOT / "deploy" / "compose.postgres.yaml").read_text("utf-8")
)
GRACE = 40
"""Seconds until what does not end is killed: twice what a server waits for its requests, and more."""


def _dockerfile_list(instruction: str) -> list[str]:
    """The list that an instruction of the Dockerfile ends with."""
    text = DOCKERFILE.read_text("utf-8").replace("\\\n", " ")
    found = re.findall(rf"^{instruction}[^\[\n]*(\[.*\])$", text, re.MULTILINE)
    words: list[str] = yaml.safe_load(found[-1])
    return words


def _command(words: Sequence[str], home: Path, port: int) -> list[str]:
    """A command of the containers for this machine: our program, directory and port."""
    ported = [str(port) if word in ("7860", "8010") else word for word in words]
    local = ["127.0.0.1" if word == "0.0.0.0" else word for word in ported]
    if "--port" not in local:
        local += ["--port", str(port)]
    placed = [word.replace("/data", str(home)) for word in local]
    return [sys.executable, "-m", "siliconfriend", *placed]


@contextmanager
def _running(command: Sequence[str], home: Path) -> Iterator[subprocess.Popen[bytes]]:
    environ = {**os.environ, "SILICONFRIEND_HOME": str(home), "SILICONFRIEND_EMBEDDER": "none"}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=-3) as process:
        try:
            yield process
        finally:
            process.kill()


def _is_healthy(check: Sequence[str], port: int) -> bool:
    """Ask as the container's health check does, up to three times, once somebody listens."""
    asked = [re.sub(r":(7860|8010)/", f":{port}/", word) for word in check]
    assert asked[0] == "python"
    until_listens(port)
    words = [sys.executable, *asked[1:]]
    return any(subprocess.run(words, check=False).returncode == 0 for _ in range(3))


def test_the_image_holds_what_it_copies() -> None:
    """Each path that is copied exists, and the list of what is sent to the builder names it."""
    text = DOCKERFILE.read_text("utf-8")
    copied = [
        source
        for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    sent = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert copied
    for path in copied:
        assert (ROOT / path).exists()
        assert f"!{path}" in sent


def test_nothing_is_open_by_accident() -> None:
    """Ports of this machine only, no rights, a read-only file system, a page with passwords."""
    for service in COMPOSE["services"].values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["volumes"] == ["memories:/data"]
    assert "--auth" in COMPOSE["services"]["web"]["command"]
    assert "--no-keys" not in COMPOSE["services"]["serve"]["command"]
    assert re.search(r"^USER \d+", DOCKERFILE.read_text("utf-8"), re.MULTILINE)


def test_the_image_alone_serves_as_the_compose_file_does() -> None:
    """What runs without the compose file is what is tried below."""
    assert _dockerfile_list("CMD") == COMPOSE["services"]["serve"]["command"]


@pytest.mark.parametrize("file", [COMPOSE, POSTGRES], ids=["compose", "postgres"])
def test_servers_are_asked_whether_they_are_ready_and_are_given_time_to_end(
    file: dict[str, Any],
) -> None:
    """Each service of ours; the servers by what a request needs, not by a process that lives."""
    own = {
        name: item for name, item in file["services"].items() if item["image"] == "siliconfriend"
    }
    servers = [each for name, each in own.items() if name.startswith("serve")]
    assert servers
    assert {one["stop_grace_period"] for one in own.values()} == {f"{GRACE}s"}
    assert all(":8010/ready'" in other["healthcheck"]["test"][-1] for other in servers)


def test_systemd_starts_the_server_with_no_more_rights_than_it_needs() -> None:
    """The unit can be read, starts ``serve``, and may write to its own directory alone."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy" / "siliconfriend.service")
    service = dict(unit["Service"])
    assert service["ExecStart"].split()[1:] == ["serve"]
    assert int(service["TimeoutStopSec"]) == GRACE
    assert service["User"] not in ("", "root")
    assert (service["CapabilityBoundingSet"], service["UMask"]) == ("", "0077")
    assert (service["ProtectSystem"], service["NoNewPrivileges"]) == ("strict", "yes")
    assert service["StateDirectory"] == "siliconfriend"
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_kubernetes_runs_the_commands_that_compose_runs() -> None:
    """Probes, secrets and rights; the service finds the servers by their labels and port."""
    text = (ROOT / "deploy" / "kubernetes.yaml").read_text("utf-8")
    found = {
        (item["kind"], item["metadata"]["name"]): item["spec"] for item in yaml.safe_load_all(text)
    }
    assert len(found) == 3
    commands = {"serve": POSTGRES["services"]["serve-1"]["command"], "worker": ["worker"]}
    for part, command in commands.items():
        deployment = found["Deployment", f"siliconfriend-{part}"]
        pod = deployment["template"]
        (container,) = pod["spec"]["containers"]
        assert deployment["selector"]["matchLabels"] == pod["metadata"]["labels"]
        assert container["args"] == command
        assert pod["spec"]["terminationGracePeriodSeconds"] == GRACE
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        named = {one["name"]: one for one in container["env"]}
        assert "secretKeyRef" in named["PGPASSWORD"]["valueFrom"]
        mounted = {other["name"] for other in container["volumeMounts"]}
        assert mounted == {each["name"] for each in pod["spec"]["volumes"]}
    deployment, service = (
        found["Deployment", "siliconfriend-serve"],
        found["Service", "siliconfriend"],
    )
    (container,) = deployment["template"]["spec"]["containers"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert container["livenessProbe"]["httpGet"]["path"] == "/health"
    assert service["selector"] == deployment["selector"]["matchLabels"]
    assert service["ports"][0]["targetPort"] == container["ports"][0]["name"]


@pytest.mark.slow
@pytest.mark.parametrize("service", ["serve", "web"])
def test_a_service_starts_is_healthy_and_stops(service: str, home: Path) -> None:
    """The same command, its own health check, and an end within the time a container is given."""
    home.mkdir(exist_ok=True)
    installation_in(home).passwords.set("Ada", "correct horse battery")
    words = COMPOSE["services"][service]["command"]
    health = COMPOSE["services"][service].get("healthcheck")
    check = health["test"][1:] if health else _dockerfile_list("HEALTHCHECK")
    (port,) = free_ports(1)
    with _running(_command(words, home, port), home) as process:
        assert _is_healthy(check, port)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) in (0, 143, -signal.SIGTERM)


@pytest.mark.slow
def test_the_night_runs_and_ends_when_it_is_told(home: Path) -> None:
    """The loop of the container runs the night at once and stops at a signal while it waits."""
    home.mkdir(exist_ok=True)
    shell, dash_c, loop = COMPOSE["services"]["night"]["entrypoint"]
    program = f"{sys.executable} -m siliconfriend nightly >&2 && echo done"
    command = [shell, dash_c, loop.replace("$$", "$").replace("siliconfriend nightly", program)]
    with _running(command, home) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"done\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == -signal.SIGTERM


def test_the_hashed_requirements_are_the_tested_versions() -> None:
    """``requirements.lock`` holds with hashes what ``constraints.txt`` pins."""
    pinned = dict(_pins("constraints.txt"))
    locked = dict(_pins("requirements.lock"))
    assert {name: version for name, version in locked.items() if pinned.get(name) != version} == {}
    assert {"gradio", "httpx2", "faiss-cpu"} <= locked.keys()


def _pins(name: str) -> Iterator[tuple[str, str]]:
    for line in (ROOT / name).read_text("utf-8").splitlines():
        if found := re.match(r"([\w.-]+)==([^\s;\\]+)", line):
            yield canonicalize_name(found[1]), found[2]
