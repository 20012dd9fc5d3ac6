"""Who may come in, and that one person's key sees nothing of another."""

import json
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest
from starlette.testclient import TestClient

from siliconfriend.config import Settings
from siliconfriend.errors import StoreError
from siliconfriend.installation.accounts import Caller, Keys
from siliconfriend.installation.installation import installation_in
from siliconfriend.person.bank import MemoryBank
from siliconfriend.server import access
from siliconfriend.server.access import MOST_BYTES
from siliconfriend.server.app import create_app
from siliconfriend.testing import MovingClock
from tests.server.serving import OPERATOR, Server, serving

ADA, BO = "/v1/people/Ada", "/v1/people/Bo"


def _paths(server: Server) -> Iterator[tuple[str, str]]:
    """Every method and path under a person, as the OpenAPI document lists them."""
    with server.client(None) as client:
        document = client.get("/v1/openapi.json").json()
    for path, methods in document["paths"].items():
        if path.startswith("/v1/people/{person}"):
            for method in methods:
                yield method, path


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/health", "/v1/health", "/v1/openapi.json"])
def test_what_tells_nothing_needs_no_key(server: Server, path: str, method: str) -> None:
    """Health and the document are for everyone; a load balancer may ask either way."""
    with server.client(None) as client:
        assert client.request(method, path).status_code == 200


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer wrong", f"Basic {OPERATOR}"])
def test_without_a_right_key_nothing_is_answered(server: Server, header: str | None) -> None:
    """The refusal is a problem, and names the scheme."""
    headers = {} if header is None else {"Authorization": header}
    with server.client(None) as client:
        answer = client.get("/v1/people", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "unauthorized"


def test_a_key_sees_only_its_person(server: Server, ada: httpx.Client) -> None:
    """Another's paths answer as if there were nobody, whichever they are."""
    with server.client_of("Bo") as bo:
        bo.post(f"{BO}/chat", json={"message": "My sister is called Mia."})
        (turn,) = bo.get(f"{BO}/turns").json()["turns"]
    ada.post(f"{ADA}/chat", json={"message": "Hello."})
    bodies = {
        "chat": {"message": "Who is Mia?"},
        "recall": {"question": "Mia"},
        "turns": {"said": "I am Bo."},
        "portrait": {"text": "x"},
    }
    checked = 0
    for method, template in _paths(server):
        answers = []
        for name in ("Bo", "Nobody"):
            path = template.format(
                person=name,
                memory_id=turn["id"],
                action="forget",
                night="0",
                part="overall_history",
            )
            last = next((body for key, body in bodies.items() if f"/{key}" in path), {})
            answer = ada.request(method, path, json=last if method != "get" else None)
            assert answer.status_code == 404, (method, path, answer.text)
            answers.append(answer.text.replace(name, "N"))
            checked += 1
        assert answers[0] == answers[1], (method, template)
    assert checked >= 30
    with server.client_of("Bo") as bo:
        (left,) = bo.get(f"{BO}/turns").json()["turns"]
    assert left == turn


def test_no_name_and_no_id_leads_elsewhere(server: Server, ada: httpx.Client) -> None:
    """Another letter case, dots and slashes reach nothing, nor another's id under one's own name."""
    with server.client_of("Bo") as bo:
        bo.post(f"{BO}/chat", json={"message": "My sister is called Mia."})
        (turn,) = bo.get(f"{BO}/turns").json()["turns"]
    ada.post(f"{ADA}/chat", json={"message": "Hello."})
    for name in ("Bo", "bo", "ADA", "Ada%00", "%2e%2e", "Ada%2f..%2fBo", "A" * 500):
        answer = ada.get(f"/v1/people/{name}/memories")
        assert (answer.status_code, "Mia" in answer.text) == (404, False), name
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/forget")):
        answer = ada.request(method, f"{ADA}/memories/{turn['id']}{path}")
        assert answer.status_code == 404
    assert ada.get(f"{ADA}/memories/..%2f..%2fkeys.json").status_code == 404


def test_a_companion_that_another_told_alone_is_named_to_nobody_else(
    server: Server, ada: httpx.Client, operator: httpx.Client
) -> None:
    """Neither in a list nor by talking to it."""
    server.bank.person("Bo", "Moss").add("Hello.")
    for path in ("/v1/companions", "/v1/models"):
        assert ["Moss" in client.get(path).text for client in (ada, operator)] == [False, True]
    asked = ada.post(f"{ADA}/chat", params={"companion": "Moss"}, json={"message": "Hi."})
    assert (asked.status_code, ada.get(ADA).status_code) == (404, 404)


def test_what_concerns_everyone_is_the_operators(
    server: Server, ada: httpx.Client, operator: httpx.Client
) -> None:
    """A person's key lists that person alone, and is refused elsewhere."""
    for name in ("Ada", "Bo"):
        assert operator.post("/v1/people", json={"name": name}).status_code == 201
    assert [each["user"] for each in operator.get("/v1/people").json()["users"]] == ["Ada", "Bo"]
    assert [each["user"] for each in ada.get("/v1/people").json()["users"]] == ["Ada"]
    for method, path, body in (
        ("POST", "/v1/people", {"name": "Bo"}),
        ("POST", "/v1/nights", {}),
        ("GET", "/v1/nights", None),
        ("GET", "/v1/audit", None),
        ("GET", "/metrics", None),
        ("GET", f"{ADA}/keys", None),
        ("POST", f"{ADA}/key", {}),
        ("DELETE", f"{ADA}/key", None),
    ):
        answer = ada.request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "operator_only")


def test_a_key_ends_with_its_person(server: Server, ada: httpx.Client) -> None:
    """Who is deleted has no key any more, and the file of keys does not name them."""
    ada.post(f"{ADA}/chat", json={"message": "Hello."})
    answer = ada.delete(ADA)
    assert (answer.status_code, answer.json()["left"]) == (200, 0)
    assert ada.get(ADA).status_code == 401
    assert server.keys.of("Ada") == []


def test_keys_of_a_person_without_a_memory_are_deleted_too(
    server: Server, ada: httpx.Client, operator: httpx.Client
) -> None:
    """Deleting a person who never said anything ends their keys; then there is nobody to delete."""
    assert operator.delete(ADA).json() == {"deleted": [], "searched": 0, "left": 0}
    assert (ada.get("/v1/people").status_code, server.keys.of("Ada")) == (401, [])
    assert operator.delete(ADA).status_code == 404


def test_a_new_key_works_before_the_old_one_ends(
    server: Server, operator: httpx.Client, ada: httpx.Client
) -> None:
    """A program changes its key without a gap; the operator sees which keys are used."""
    made = operator.post(f"{ADA}/key", json={"name": "phone", "days": 90}).json()
    assert operator.post(f"{ADA}/key", json={"name": "phone"}).status_code == 422
    assert operator.delete(f"{ADA}/key", params={"name": "fone"}).status_code == 404
    with server.client(made["key"]) as phone:
        assert [each.get("/v1/people").status_code for each in (ada, phone)] == [200, 200]
        first, second = operator.get(f"{ADA}/keys").json()["keys"]
        assert (second["name"], first["until"]) == ("phone", None)
        assert second["until"] > second["made"]
        assert all((first["used"], second["used"]))
        assert operator.delete(f"{ADA}/key", params={"name": first["name"]}).status_code == 204
        assert [each.get("/v1/people").status_code for each in (ada, phone)] == [401, 200]


def test_other_hosts_and_sites_are_refused(server: Server, operator: httpx.Client) -> None:
    """A name that leads here is not this machine's, and a page of another site may not ask."""
    own = server.url.removeprefix("http://")
    for headers, code in (
        ({"Host": "evil.example"}, "host_refused"),
        ({"Origin": "https://evil.example"}, "origin_refused"),
        ({"Origin": "null"}, "origin_refused"),
    ):
        answer = operator.get("/v1/people", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert operator.get("/v1/people", headers={"Origin": f"http://{own}"}).status_code == 200
    assert operator.get("/v1/people", headers={"Host": "localhost:1"}).status_code == 200


def test_sites_and_hosts_that_are_named_may_ask(settings: Settings, clock: MovingClock) -> None:
    """The settings open the server to a proxy's name and to a page of another site."""
    hosts, origins = "a, Friend.Example:8010", "https://Chat.Example"  # letter case counts nowhere
    named = replace(settings, serve_hosts=hosts, serve_origins=origins)
    with serving(MemoryBank(settings=named, clock=clock)) as server, server.client() as client:
        assert client.get("/v1/people", headers={"Host": "friend.example"}).status_code == 200
        answer = client.get("/v1/people", headers={"Origin": "https://chat.example"})
        assert answer.headers["access-control-allow-origin"] == "https://chat.example"
        asked = client.options(
            "/v1/people",
            headers={
                "Origin": "https://chat.example",
                "Access-Control-Request-Method": "GET",
                "Access-Control-Request-Headers": "authorization",
            },
        )
        assert asked.status_code == 200
        for header in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
            assert client.get("/v1/people", headers=header).status_code == 403


def test_too_many_requests_of_a_person_are_told_to_wait(
    settings: Settings, clock: MovingClock
) -> None:
    """The third of two a day is refused; the operator and others are not."""
    with serving(MemoryBank(settings=replace(settings, rate_limit="2/day"), clock=clock)) as server:
        with server.client_of("Ada") as ada:
            statuses = [ada.get("/v1/people").status_code for _ in range(2)]
            last = ada.get("/v1/people")
        assert statuses == [200, 200]
        assert (last.status_code, last.json()["code"]) == (429, "too_many_requests")
        assert int(last.headers["retry-after"]) > 0
        with server.client_of("Bo") as bo, server.client() as operator:
            assert bo.get("/v1/people").status_code == 200
            assert [operator.get("/v1/people").status_code for _ in range(3)] == [200] * 3


def test_guessing_keys_is_slowed_down(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong keys of one address are told to wait; a right one is still let in."""
    monkeypatch.setattr(access, "WRONG_KEYS", "2/day")
    with serving(server.bank) as strict, strict.client("wrong") as guessing:
        found = [guessing.get("/v1/people").status_code for _ in range(3)]
        assert found == [401, 401, 429]
        app = create_app(strict.bank, strict.keys)  # another process of the same installation
        away = TestClient(app, base_url="http://127.0.0.1", client=("198.51.100.7", 1))
        assert away.get("/v1/people").status_code == 401
        with strict.client() as operator:
            assert operator.get("/v1/people").status_code == 200


def test_a_body_that_is_too_long_is_refused(operator: httpx.Client) -> None:
    """By what it says of itself, and by what comes where it says nothing."""
    words = json.dumps({"message": "x" * MOST_BYTES}).encode()
    head = {"Content-Type": "application/json"}
    told = operator.post(f"{ADA}/chat", content=words, headers=head)
    untold = operator.post(f"{ADA}/chat", content=iter([words[:600], words[600:]]), headers=head)
    assert [answer.json()["code"] for answer in (told, untold)] == ["too_large"] * 2
    assert operator.get(ADA).status_code == 404


def test_without_keys_everyone_is_the_operator(settings: Settings, clock: MovingClock) -> None:
    """On this machine only; other names and sites are refused all the same."""
    app = create_app(MemoryBank(settings=settings, clock=clock), None)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.get("/v1/people").json()["users"] == []
        assert client.get("/v1/people", headers={"Host": "evil.example"}).status_code == 403


def test_errors_are_in_the_language_asked_for(ada: httpx.Client) -> None:
    """English, Chinese, and the server's own for any other."""
    found = {
        wanted: ada.get("/v1/people/Bo", headers={"Accept-Language": wanted}).json()["detail"]
        for wanted in ("en-GB", "zh-CN", "fr")
    }
    assert found["en-GB"] == found["fr"] != found["zh-CN"]
    assert "Bo" in found["zh-CN"]


@pytest.mark.parametrize(
    ("method", "path", "way"),
    [
        ("GET", "/v1/people/Nobody", "/v1/people"),
        ("GET", f"{ADA}/turns?before=turn-1", "/memories"),
        ("GET", "/v1/companions/Nobody/lore", "default"),
        ("GET", f"{ADA}/nights/1", "/nights"),
        ("POST", "/mcp?user=Ada&companion=Nobody", "default"),
    ],
)
def test_what_is_not_there_is_named_with_the_way_over_http(
    operator: httpx.Client, method: str, path: str, way: str
) -> None:
    """No sentence sends a program to the terminal."""
    operator.post(f"{ADA}/turns", json={"said": "Hello."})
    answer = operator.request(method, path)
    assert answer.status_code == 404
    assert way in answer.json()["detail"]
    assert "`siliconfriend" not in answer.json()["detail"]


def test_keys_that_cannot_be_looked_up_are_told(settings: Settings, clock: MovingClock) -> None:
    """As a failure that passes: nobody comes in, and nobody is told that their key is wrong."""

    class Lost(Keys):
        def identify(self, key: str) -> Caller | None:
            raise StoreError("database_unreachable", place="db/companions", cause="gone")

    bank = MemoryBank(settings=settings, clock=clock)
    app = create_app(bank, Lost(installation_in(settings.home).tables))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        answer = client.get(ADA, headers={"Authorization": "Bearer anything"})
    assert answer.status_code == 503
    assert answer.json()["code"] == "database_unreachable"
    assert "retry-after" in answer.headers
