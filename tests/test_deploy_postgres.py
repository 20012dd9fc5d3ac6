"""The files for several hosts over PostgreSQL: what can be known of them, and run, without a container.

The compose file and the Kubernetes example are held against their schemas; their commands, ports
and health checks against the program. The script that makes the database's roles, the commands of
the containers and the proxy's file run here as plain processes over a real database.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import compose_spec
import kubernetes_validate
import pytest
import yaml

from siliconfriend.cli.main import program
from siliconfriend.config import load_settings
from siliconfriend.server.gate import PUBLIC
from tests.postgres_server import APP, OWNER, PostgresServer, programs
from tests.test_deploy import DOCKERFILE
from tests.waiting import free_ports, until, until_listens

if TYPE_CHECKING:
    from webui.backend import Backend

DEPLOY = Path(__file__).parents[1] / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.postgres.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: it for name, it in SERVICES.items() if it["image"] == "siliconfriend"}
CADDYFILE = DEPLOY / "postgres" / "Caddyfile"
KUBERNETES: list[dict[str, Any]] = yaml.safe_load(
    (DEPLOY / "kubernetes" / "siliconfriend.yaml").read_text("utf-8")
)["items"]
VERSIONS = ("1.31", "1.37")
"""The oldest and the newest Kubernetes whose schemas the example is held against."""
SECONDS = 90


def _of_kind(*kinds: str) -> list[dict[str, Any]]:
    return [it for it in KUBERNETES if it["kind"] in kinds]


def _named(item: Mapping[str, Any]) -> str:
    return f"{item['kind']} {item['metadata']['name']}"


def _parse(words: Sequence[str]) -> dict[str, Any]:
    """The options of a command of ours, as the command line reads them.

    Raises:
        click.UsageError: it has no such command or option.
    """
    command: click.Command = program
    rest = list(words)
    with click.Context(program) as context:
        while isinstance(command, click.Group):
            found = command.get_command(context, rest.pop(0))
            assert found is not None, words
            command = found
        return command.make_context(command.name, rest).params


def test_the_compose_file_is_one() -> None:
    """It holds against the Compose Specification."""
    compose_spec.PyCompose.from_json(json.dumps(COMPOSE)).to_spec()


def test_there_are_two_of_each_and_no_open_port() -> None:
    """A database, two of each program, and a proxy that alone is reached, from this machine."""
    kinds = sorted(re.sub(r"-\d$", "", name) for name in SERVICES)
    assert kinds == sorted(["database", "proxy", *["serve", "web", "worker"] * 2, "upgrade"])
    for name, service in SERVICES.items():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
        assert bool(service.get("ports")) == (name == "proxy")
        assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}
    for service in OURS.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "outside" not in service["networks"]


def test_secrets_are_files_and_stand_nowhere_else() -> None:
    """Each that is read is a file, given to that service alone; no address holds a password."""
    words = json.dumps(COMPOSE)
    assert not re.search(r"postgresql://[^@/]*:[^@/]*@", words)
    for service in SERVICES.values():
        read = set(re.findall(r"/run/secrets/(\w+)", json.dumps(service)))
        assert read <= set(service.get("secrets", ()))
    for secret in COMPOSE["secrets"].values():
        assert secret["file"].startswith("./secrets/")
    ignored = (DEPLOY.parent / ".gitignore").read_text("utf-8").splitlines()
    assert "/deploy/secrets/" in ignored


@pytest.mark.parametrize("name", OURS)
def test_the_containers_run_commands_of_ours(name: str) -> None:
    """Each command, and each option in it, is one; ports are those of the health checks."""
    service = OURS[name]
    options = _parse(service["command"])
    if "serve" in name:
        assert options["port"] == 8010
        assert ":8010/health" in DOCKERFILE.read_text("utf-8")
    if "web" in name:
        assert f":{options['port']}/" in service["healthcheck"]["test"][-1]
    assert service.get("depends_on", {}).keys() & {"upgrade", "database"}


def test_the_image_brings_what_a_database_needs() -> None:
    """The Dockerfile installs the extra."""
    (extras,) = re.findall(r"'\.\[([\w,]+)\]'", DOCKERFILE.read_text("utf-8"))
    assert "postgres" in extras.split(",")


@pytest.mark.parametrize("item", KUBERNETES, ids=_named)
def test_the_kubernetes_example_is_valid(item: dict[str, Any]) -> None:
    """Strictly: no unknown field, in the oldest and the newest version there is a schema of."""
    for version in VERSIONS:
        kubernetes_validate.validate(item, version, strict=True)


def _containers() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    pods = [it["spec"]["template"]["spec"] for it in _of_kind("Deployment", "Job")]
    return [(pod, container) for pod in pods for container in pod["containers"]]


def test_pods_run_commands_of_ours_and_are_asked_at_paths_of_ours() -> None:
    """Commands, ports, and health paths that need no key."""
    for _, container in _containers():
        options = _parse(container["args"])
        ports = [it["containerPort"] for it in container.get("ports", ())]
        assert ports in ([], [options.get("port")])
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            if container["name"] == "serve":
                assert container[probe]["httpGet"]["path"] in PUBLIC
            elif container["name"] == "web":
                assert container[probe]["httpGet"]["path"] == "/"
            else:
                assert probe not in container


def test_pods_have_limits_and_no_rights() -> None:
    """Requests, limits, no root, no rights, nothing written but what is mounted."""
    for pod, container in _containers():
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert container["resources"].keys() == {"requests", "limits"}
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        uid = pod["securityContext"]["runAsUser"]
        assert f"USER {uid}:" in DOCKERFILE.read_text("utf-8")


def test_what_points_at_pods_finds_them() -> None:
    """Services, budgets and policies select labels that pods have, and ports that they listen on."""
    pods = {
        it["metadata"]["name"]: it["spec"]["template"]["metadata"]["labels"]
        for it in _of_kind("Deployment")
    }
    for it in _of_kind("Service"):
        assert it["spec"]["selector"] in pods.values()
    for it in _of_kind("PodDisruptionBudget"):
        assert it["spec"]["selector"]["matchLabels"] == pods[it["metadata"]["name"]]
        assert it["spec"]["minAvailable"] == 1
    assert {_named(it) for it in _of_kind("PodDisruptionBudget")} == {
        f"PodDisruptionBudget {name}" for name in pods
    }
    services = {it["metadata"]["name"] for it in _of_kind("Service")}
    for it in _of_kind("Ingress"):
        for path in it["spec"]["rules"][0]["http"]["paths"]:
            assert path["backend"]["service"]["name"] in services
    closed, opened = _of_kind("NetworkPolicy")
    assert closed["spec"]["podSelector"] == {}
    listened = {it["containerPort"] for _, box in _containers() for it in box.get("ports", ())}
    assert {it["port"] for it in opened["spec"]["ingress"][0]["ports"]} == listened


def test_every_secret_of_a_pod_is_one_that_the_page_makes() -> None:
    """The page's command makes the secret with just the keys that are read."""
    page = (DEPLOY.parent / "docs" / "container.md").read_text("utf-8")
    made = set(re.findall(r"--from-file (?:deploy/secrets/)?(\w+)|--from-file \S*/(\w+)", page))
    keys = {one or other for one, other in made}
    read = {
        (it["valueFrom"]["secretKeyRef"]["name"], it["valueFrom"]["secretKeyRef"]["key"])
        for _, container in _containers()
        for it in container["env"]
        if "valueFrom" in it
    }
    assert read == {("siliconfriend", key) for key in keys}


def _caddy() -> str:
    found = shutil.which("caddy", path=Path(sys.executable).parent)
    assert found is not None
    return found


def test_the_proxy_s_file_is_valid_and_in_order() -> None:
    """Caddy takes it, and would write it no other way."""
    for words in (["validate", "--config", str(CADDYFILE), "--adapter", "caddyfile"], ["fmt"]):
        command = [_caddy(), *words, *([str(CADDYFILE)] if words == ["fmt"] else [])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


# What is started here.


def _secrets(folder: Path) -> Path:
    folder.mkdir()
    for name in COMPOSE["secrets"]:
        (folder / name).write_text(f"{name} with ' and : in it\n", encoding="utf-8")
    return folder


def _started(name: str, address: str, secrets: Path, home: Path, *more: str) -> list[str]:
    """A container's entrypoint and command for this machine."""
    service = SERVICES[name]
    shell, dash_c, script, *rest = service["entrypoint"]
    script = script.replace("$$", "$").replace("/run/secrets", str(secrets))
    script = script.replace("exec siliconfriend", f"exec {sys.executable} -m siliconfriend")
    words = ["127.0.0.1" if it == "0.0.0.0" else it for it in service["command"]]
    return [
        *("env", f"SILICONFRIEND_HOME={home}", "SILICONFRIEND_EMBEDDING=none"),
        *(f"SILICONFRIEND_STORE={address}", shell, dash_c, script, *rest, *words, *more),
    ]


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    """A database made by the script of the compose file, with the tables of its `upgrade`."""
    folder = tmp_path_factory.mktemp("installation")
    secrets = _secrets(folder / "secrets")
    server = PostgresServer()
    try:
        for role in (OWNER, APP):
            server.run(f"DROP ROLE {role}")
        server.run("CREATE DATABASE siliconfriend ENCODING UTF8 TEMPLATE template0")
        environ = {**os.environ, "PATH": f"{programs()}:{os.environ['PATH']}"}
        environ |= {"PGHOST": str(server.folder), "SECRETS": str(secrets)}
        script = str(DEPLOY / "postgres" / "roles.sh")
        subprocess.run(["sh", script], env=environ, check=True, capture_output=True)
        owner = server.address("siliconfriend", OWNER)
        command = _started("upgrade", owner, secrets, folder / "home")
        subprocess.run(command, check=True, capture_output=True)
        yield server, secrets
    finally:
        server.close()


@pytest.mark.slow
def test_the_script_makes_roles_with_their_passwords(
    installation: tuple[PostgresServer, Path],
) -> None:
    """Both may log in, the programs' own owns nothing and is under the wall."""
    server, _ = installation
    roles = server.run(
        "SELECT rolname, rolcanlogin, rolsuper, rolbypassrls FROM pg_authid"
        " WHERE rolname LIKE 'siliconfriend%' AND rolpassword LIKE 'SCRAM%' ORDER BY rolname"
    )
    assert roles == [(APP, True, False, False), (OWNER, True, False, False)]
    owners = server.run(
        "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'siliconfriend'",
        "siliconfriend",
    )
    assert owners == [(OWNER,)]


def _ask(url: str, key: str = "", body: Any = None) -> tuple[int, str]:
    """Status and body of an answer; 0 where nobody answers."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as it:
            return it.status, it.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


@pytest.mark.slow
def test_two_front_ends_behind_the_proxy_are_one(
    installation: tuple[PostgresServer, Path], tmp_path: Path
) -> None:
    """What is said at one is known at the other, also when the one that heard it is killed."""
    server, secrets = installation
    address = server.address("siliconfriend")
    first, second, page, before = free_ports(4)
    environ = {**os.environ, "SITE": f"http://127.0.0.1:{before}"}
    environ |= {"SERVE": f"127.0.0.1:{first} 127.0.0.1:{second}", "WEB": f"127.0.0.1:{page}"}
    environ |= {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    site = f"http://127.0.0.1:{before}"
    key = (secrets / "operator_key").read_text("utf-8").strip()
    with ExitStack() as stack:

        def start(command: Sequence[str]) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(command, env=environ, stdout=-3, stderr=-3)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        ends = {
            port: start(
                _started(f"serve-{number}", address, secrets, tmp_path, "--port", str(port))
            )
            for number, port in enumerate((first, second), 1)
        }
        start([_caddy(), "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"])
        for port in ends:
            until_listens(port)
            assert _ask(f"http://127.0.0.1:{port}/ready")[0] == 200
        until(lambda: _ask(f"{site}/health")[0] == 200)
        assert _ask(f"{site}/v1/people", "wrong key")[0] == 401
        chat = f"{site}/v1/people/Ada/chat"
        assert _ask(chat, key, {"message": "I moved to Lisbon."})[0] == 200
        for port in ends:
            assert "Lisbon" in _ask(f"http://127.0.0.1:{port}/v1/people/Ada/memories", key)[1]
        ends[first].kill()
        for said in ("It is warm here.", "I like it."):
            until(lambda said=said: _ask(chat, key, {"message": said})[0] == 200)
        # What was on its way to the one that was killed fails once, and is never said twice.
        known = _ask(f"{site}/v1/people/Ada/memories", key)[1]
        assert all(it in known for it in ("Lisbon", "warm", "I like it"))


@pytest.mark.slow
def test_a_worker_of_the_compose_file_runs_and_ends(
    installation: tuple[PostgresServer, Path], tmp_path: Path
) -> None:
    """With nothing to do it is done at once."""
    server, secrets = installation
    command = _started("worker-1", server.address("siliconfriend"), secrets, tmp_path, "--once")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_page_of_the_compose_file_may_be_reached_from_elsewhere(
    installation: tuple[PostgresServer, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs no file of passwords: who may log in stands in the database."""
    from webui import app  # Gradio takes seconds to load, also where no test is run

    server, _ = installation
    options = _parse(SERVICES["web-1"]["command"])
    settings = load_settings(
        home=str(tmp_path), embedding="none", store=server.address("siliconfriend")
    )
    begun: list[bool] = []

    def built(backend: Backend) -> None:
        begun.append(backend.log_in)
        raise InterruptedError

    monkeypatch.setattr(app, "build", built)
    with pytest.raises(InterruptedError):
        app.launch(settings, host=options["host"], port=options["port"])
    assert begun == [True]
