"""What an operator sees: readiness, request ids, a log line a request, metrics and the audit log."""

import json
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from siliconfriend.config import Settings, load_settings, prepare_home
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.person.bank import MemoryBank
from tests.loopback import LoopbackServer, refused
from tests.postgres_server import PostgresServer
from tests.server.serving import Server, serving, serving_process

SECRET = "I kissed my boss."


def test_a_server_whose_model_does_not_answer_is_not_ready(
    settings: Settings, loopback: LoopbackServer
) -> None:
    """It names what is missing; with a model that answers it is ready."""
    away = OpenAICompatible("m", base_url="http://127.0.0.1:1/v1", max_retries=0)
    with serving(MemoryBank(settings=settings, chat=away)) as server, server.client() as http:
        answer = http.get("/ready")
        assert (answer.status_code, answer.json()) == (503, {"missing": ["model"]})
        assert int(answer.headers["retry-after"]) > 0
    loopback.pages["/v1/models"] = refused(404)
    there = OpenAICompatible("m", base_url=loopback.url)
    with serving(MemoryBank(settings=settings, chat=there)) as server, server.client() as http:
        assert http.get("/ready").status_code == 200


def test_a_server_whose_database_is_gone_is_not_ready(
    home: Path, postgres_server: PostgresServer, database_name: str
) -> None:
    """However long it was there before."""
    address = postgres_server.address(database_name)
    settings = load_settings(home=home, environ={}, embedding="none", store=address)
    with serving(MemoryBank(settings=settings)) as server, server.client() as http:
        assert http.get("/ready").status_code == 200
        assert "siliconfriend_database_pool_size 1.0" in http.get("/metrics").text
        postgres_server.drop(database_name)
        answer = http.get("/ready")
        assert (answer.status_code, answer.json()) == (503, {"missing": ["store"]})


def test_a_server_lives_under_a_path_of_a_proxy(settings: Settings) -> None:
    """Whether or not the proxy takes the path away."""
    bank = MemoryBank(settings=replace(settings, serve_path="/friend"))
    with serving(bank) as server, server.client(None) as http:
        for path in ("/health", "/friend/health"):
            assert http.get(path).status_code == 200
        assert http.get("/friend/v1/models").json()["error"]["code"] == "unauthorized"
        assert http.get("/v1/openapi.json").json()["servers"] == [{"url": "/friend"}]


def test_a_request_has_an_id_and_a_line_without_words(
    settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    """The client's id is kept; the line has route, status and a hash of the person."""
    bank = MemoryBank(settings=replace(settings, log="json"))
    with serving(bank) as server, server.client_of("Ada") as ada:
        answer = ada.post(
            "/v1/people/Ada/chat", json={"message": SECRET}, headers={"X-Request-Id": "r-1"}
        )
        assert answer.headers["X-Request-Id"] == "r-1"
        for given in ({}, {"X-Request-Id": "r 1"}, {"X-Request-Id": "r" * 129}):
            answer = ada.get("/v1/people/Ada", headers=given)
            assert len(answer.headers["X-Request-Id"]) == 32
    written = capfd.readouterr().err
    lines = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    (said,) = [line for line in lines if line["request_id"] == "r-1"]
    assert (said["method"], said["status"]) == ("POST", 200)
    assert said["route"].endswith("/chat")
    assert said["recall_ms"] > 0
    assert said["store_ms"] > 0
    assert {"wait_ms", "model_ms"} <= said.keys()
    assert "Ada" not in written
    assert "kissed" not in written


@pytest.mark.slow
@pytest.mark.parametrize("log", ["none", "json"])
def test_each_failure_of_the_model_is_a_line_for_the_operator(home: Path, log: str) -> None:
    """Whatever way of logging a library has set; also where a reply has begun to stream."""
    prepare_home(home)
    environ = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": "k"}
    environ |= {"SILICONFRIEND_LLM": "openai", "SILICONFRIEND_LOG": log}
    with serving_process(home, "--no-keys", **environ) as (url, _, process):
        for stream in (False, True):
            asked = {"message": SECRET, "stream": stream}
            httpx.post(f"{url}/v1/people/Ada/chat", json=asked, trust_env=False, timeout=60)
        process.terminate()
        assert process.stderr is not None
        lines = process.stderr.read().splitlines()[1:]  # the first names the model
    failures = [line for line in lines if "model_unreachable: " in line]
    assert len(failures) == 2
    assert not any("kissed" in line for line in lines)
    if log == "json":
        assert all(json.loads(line)["time"] for line in lines)


def test_metrics_are_for_the_operator(server: Server, operator: httpx.Client) -> None:
    """Requests and latencies by route, in Prometheus' text format."""
    operator.get("/v1/people")
    shown = operator.get("/metrics").text
    assert 'siliconfriend_requests_total{method="GET",route="/v1/people",status="200"} 1.0' in shown
    assert "siliconfriend_request_seconds_bucket" in shown
    assert "siliconfriend_snapshots 0.0" in shown


def test_the_audit_log_survives_a_deletion_and_names_nobody(
    server: Server, operator: httpx.Client
) -> None:
    """Who erased, exported and deleted, and which keys were made."""
    with server.client_of("Ada") as ada:
        turn = ada.post("/v1/people/Ada/turns", json={"said": SECRET}).json()["turn"]["id"]
        ada.get("/v1/people/Ada/export")
        ada.delete(f"/v1/people/Ada/memories/{turn}")
        for words in ("My cat Miso is ill.", "Forget what I said about Miso.", "yes"):
            ada.post("/v1/people/Ada/chat", json={"message": words})
    operator.post("/v1/people", json={"name": "Ada"})
    operator.delete("/v1/people/Ada")
    entries = operator.get("/v1/audit").json()["entries"]
    assert [(each["actor"], each["action"]) for each in reversed(entries)] == [
        ("local", "key made"),
        ("person", "export"),
        ("person", "erase"),
        ("person", "erase"),
        ("operator", "delete"),
        *[("operator", "key ended")] * (len(entries) - 5),
    ]
    assert entries[-3]["ids"] == [turn.rpartition("-")[0]]
    assert "Ada" not in {each["person"] for each in entries}
