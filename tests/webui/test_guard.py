"""Who reaches what: hosts, sites, sizes, the log-in, and whose a tab is."""

from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

from siliconfriend.config import load_settings
from siliconfriend.errors import ConfigurationError
from tests.webui.conftest import ADA, BEN, Open, Tab
from webui.app import launch


def log_in(tab: Tab, name: str, password: str, **more: str) -> int:
    form = {"username": name, "password": password, **more}
    return int(tab.http.post("/login", data=form).status_code)


def test_a_host_that_others_could_reach_needs_a_log_in(home: Path) -> None:
    settings = load_settings(home=home, environ={}, embedding="none")
    for host in ("0.0.0.0", "192.168.1.2", "::"):
        with pytest.raises(ConfigurationError, match="--auth"):
            launch(settings, host=host, port=0, block=False)


def test_only_this_machines_names_are_answered_without_a_log_in(open_tab: Open) -> None:
    tab = open_tab()
    for host in ("127.0.0.1", "localhost:7860", "[::1]:7860"):
        assert tab.http.get("/session", headers={"host": host}).status_code == 204
    for host in ("elsewhere.example", "127.0.0.1.example", ""):
        assert tab.http.get("/session", headers={"host": host}).status_code == 403


def test_other_sites_are_refused(open_tab: Open) -> None:
    tab = open_tab()
    for origin, status in (("http://127.0.0.1", 422), ("http://evil.example", 403), ("null", 403)):
        answer = tab.http.post("/talk/say", content=b"{}", headers={"origin": origin})
        assert answer.status_code == status


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/call/x",
        "/gradio_api/file=/etc/passwd",
        "/gradio_api/queue/join",
        "/config",
        "/x",
    ],
)
def test_what_the_page_does_not_need_is_not_there(open_tab: Open, path: str) -> None:
    assert open_tab().http.get(path).status_code == 404


def test_the_browser_loads_nothing_from_elsewhere(open_tab: Open) -> None:
    answer = open_tab().http.get("/session")
    policy = answer.headers["content-security-policy"].split("; ")
    named = ("frame-ancestors 'self'", "form-action 'self'", "base-uri 'self'", "object-src 'none'")
    assert policy[0].startswith("default-src 'self' ")
    assert "http" not in policy[0]
    assert set(named) <= set(policy)
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"


def test_nobody_who_has_not_begun_is_let_in(open_tab: Open, auth: Path) -> None:
    only_named = open_tab(auth=auth)
    only_named.http.cookies.set("sf-name", "Ada")
    for tab in (open_tab(person=""), open_tab(auth=auth), only_named):
        assert tab.who() == ""
        assert tab.http.get("/session").status_code == 401
        assert tab.http.post("/views/memories", data={}).status_code == 401
        assert tab.http.get("/export?form=native").status_code == 401
        assert tab.http.get("/page/any/style.css").status_code == 200


def test_somebody_begins_by_a_name(open_tab: Open) -> None:
    tab = open_tab(person="")
    assert tab.http.post("/login", data={"username": " 小雨 "}).status_code == 303
    assert tab.who() == "小雨"
    tab.http.get("/logout")
    assert tab.who() == "小雨", "a link of another site changes nothing"
    tab.http.post("/logout")
    assert tab.who() == ""


def test_a_name_that_is_nearly_a_known_one_is_asked_about(open_tab: Open) -> None:
    tab = open_tab(person="")
    tab.backend.bank.person("Emily").add("Hello.")
    asked = tab.http.post("/login", data={"username": "emily"})
    assert asked.status_code == 200
    assert 'value="Emily"' in asked.text
    form = {"username": "emily", "known": "Emily"}
    assert tab.http.post("/login", data=form).status_code == 303
    assert tab.who() == "Emily"
    form = {"username": "emily", "sure": "emily"}
    assert tab.http.post("/login", data=form).status_code == 303
    assert tab.who() == "emily"


def test_a_log_in_needs_the_password_and_has_few_tries(open_tab: Open, auth: Path) -> None:
    tab = open_tab(auth=auth)
    assert log_in(tab, "Ada", ADA) == 303
    assert tab.who() == "Ada"
    assert [log_in(tab, "Ben", "wrong password") for _ in range(6)] == [400] * 5 + [429]
    assert log_in(tab, "Ben", BEN) == 429
    assert tab.who() == "Ada"


def test_a_session_outlives_a_new_start_and_ends_with_the_log_out(
    open_tab: Open, auth: Path
) -> None:
    tab = open_tab(auth=auth)
    log_in(tab, "Ada", ADA)
    again = open_tab(auth=auth)
    again.http.cookies.update(tab.http.cookies)
    assert again.who() == "Ada"
    again.http.get("/logout")
    assert tab.who() == "Ada", "a link of another site changes nothing"
    again.http.post("/logout")
    assert tab.who() == ""


def test_one_persons_words_reach_no_other(open_tab: Open, auth: Path) -> None:
    """The canary of Ada stands in nothing that Ben asks for, by her name or her ids."""
    tab = open_tab(auth=auth)
    ada = tab.backend.bank.person("Ada")
    turn = ada.add("My canary is Zanzibar.").turn
    tab.backend.bank.person("Ada", "Wren").add("Hello.")
    tab.backend.bank.person("Ben").add("Hello.")
    log_in(tab, "Ben", BEN)
    for name in ("Ada", "Ben"):
        tab.person = name
        for act in ("say", "undo", "mark", "stop"):
            answer = tab.post(act, id=turn.id, key="k", words="")
            assert "Zanzibar" not in answer.text
    assert "Zanzibar" not in tab.http.get("/export?form=native").text
    told = [tab.http.get(f"/export?companion={each}").text for each in ("Wren", "Moss")]
    assert told[0] == told[1].replace("Moss", "Wren"), "whether somebody has one of that name"
    assert next(ada.turns()).query == "My canary is Zanzibar."
    assert not next(ada.turns()).unkept


def test_the_language_is_kept_when_it_is_chosen(open_tab: Open) -> None:
    tab = open_tab(person="")
    assert 'href="./?language=cn"' in tab.http.get("/?language=en").text
    tab.http.get("/?language=cn&companion=default")
    assert 'lang="zh-CN"' in tab.http.get("/login").text


def test_a_log_in_leads_to_what_was_asked_for_and_nowhere_else(open_tab: Open) -> None:
    tab = open_tab(person="")
    answer = tab.http.post("/?companion=default&x=//evil.example", data={"username": "Ada"})
    assert answer.headers["location"] == "./?companion=default&x=//evil.example"


def test_web_sockets_are_closed(open_tab: Open) -> None:
    with pytest.raises(WebSocketDisconnect) as closed, open_tab().http.websocket_connect("/"):
        pass
    assert closed.value.code == 1008
