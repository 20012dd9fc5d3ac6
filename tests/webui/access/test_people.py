"""Several people on one page: each with their own memory, and no way to another's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from siliconfriend.clock import SystemClock
from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.base import Message
from siliconfriend.passwords import PasswordFile
from siliconfriend.testing import ScriptedChatModel
from tests.webui.conftest import ADA, BEN, Serve, Served, fill_in, notice, say, switch_language
from tests.webui.visitor import Visitor
from webui.app import launch
from webui.backend import Backend
from webui.shell.shell import privacy_notice

Come = Callable[..., Visitor]


@pytest.fixture
def come() -> Iterator[Come]:
    """Visitors without a browser, whose connections end with the test."""
    here: list[Visitor] = []

    def start(served: Served, session: str, name: str = "", password: str = "") -> Visitor:
        here.append(Visitor(served.url, session))
        if name:
            assert here[-1].log_in(name, password) == 303
        return here[-1]

    yield start
    for visitor in here:
        visitor.http.close()


def echoing(before: Callable[[], object]) -> ScriptedChatModel:
    """A model that says what was said to it, after something else has happened."""

    def answer(messages: Sequence[Message]) -> Iterable[str]:
        yield "You said: "
        before()
        yield messages[-1].content

    return ScriptedChatModel(otherwise=answer)


def told(page: Page, words: str) -> None:
    """Wait until the companion has said these words."""
    expect(page.locator("#chat .bot", has_text=words)).to_be_visible()


def test_each_log_in_opens_ones_own_memory(serve: Serve, auth: Path) -> None:
    """Nobody is asked for a name, and what is said goes to whoever logged in."""
    served = serve(samples=False, auth=auth)
    ada, ben = served.log_in("Ada", ADA), served.log_in("Ben", BEN)
    assert not ada.locator("#name").is_visible()
    expect(notice(ada)).to_contain_text("you see your own memories alone")
    ada.keyboard.press("Escape")
    say(ada, "My tin is under the third step.")
    say(ben, "My boat is called Wren.")
    for page in (ada, ben):
        expect(page.locator("#chat .bot")).to_have_count(1)
    assert [it.query for it in served.memory("Ada").turns()] == ["My tin is under the third step."]
    assert [it.query for it in served.memory("Ben").turns()] == ["My boat is called Wren."]
    assert "Wren" not in ada.content()
    assert "third step" not in ben.content()


def test_a_wrong_password_opens_nothing(serve: Serve, auth: Path) -> None:
    """The form stays, no panel is there, and the right password still opens it."""
    served = serve(samples=False, auth=auth)
    page = served.open()
    fill_in(page, "Ada", BEN)
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.locator("#message").count() == 0
    fill_in(page, "Ada", ADA)
    page.wait_for_selector("#message")


def test_guessing_shuts_nobody_out_but_who_guesses(serve: Serve, auth: Path, come: Come) -> None:
    """After five tries even the right password waits there; from elsewhere it lets in."""
    served = serve(samples=False, auth=auth, alone=True)
    stranger, ada = come(served, "stranger"), come(served, "ada")
    ada.http.headers["X-Forwarded-For"] = "198.51.100.7"
    assert [stranger.log_in("Ada", f"guess {at}") for at in range(5)] == [400] * 5
    assert stranger.log_in("Ada", ADA) == 429
    assert stranger.log_in("Ben", BEN) == 303
    assert ada.log_in("Ada", ADA) == 303


@pytest.mark.parametrize(
    ("locale", "heading", "label", "wrong", "locked"),
    [
        ("en-GB", "Log in", "Password", "do not go together", "too many tries from here"),
        ("zh-CN", "登录", "密码", "名字和密码对不上", "尝试的次数太多了"),
    ],
)
def test_the_form_says_why_in_the_browsers_language(
    serve: Serve, auth: Path, locale: str, heading: str, label: str, wrong: str, locked: str
) -> None:
    """Also for how long the door is shut; the other language is one click away."""
    served = serve(samples=False, auth=auth, alone=True)
    page = served.open(locale=locale, viewport={"width": 390, "height": 844})
    expect(page.get_by_role("button", name=heading, exact=True)).to_be_visible()
    assert page.get_by_label(label).get_attribute("autocomplete") == "current-password"
    fill_in(page, "Ada", "a guess")
    expect(page.get_by_role("alert")).to_contain_text(wrong)
    expect(page.locator("#username")).to_have_value("Ada")
    for _ in range(5):
        fill_in(page, "Ada", "a guess")
    expect(page.get_by_role("alert")).to_contain_text(locked)
    page.get_by_role("link").click()
    other = "登录" if locale == "en-GB" else "Log in"
    expect(page.get_by_role("button", name=other, exact=True)).to_be_visible()


def test_too_much_is_refused_before_it_is_kept(serve: Serve, auth: Path, come: Come) -> None:
    """A long body, said or not said beforehand; and every answer forbids guessing its type."""
    ada = come(serve(samples=False, auth=auth), "a", "Ada", ADA)
    said = ada.http.post("/gradio_api/queue/join", content=b"x" * 9 * 2**20)
    pieces = (b"x" * 2**20 for _ in range(9))
    unsaid = ada.http.post("/gradio_api/queue/join", content=pieces)
    assert [said.status_code, unsaid.status_code] == [413, 413]
    assert ada.http.get("/").headers["x-content-type-options"] == "nosniff"


def test_a_log_in_ends_with_its_password(serve: Serve, auth: Path, come: Come) -> None:
    """Whoever still has the old password's cookie is out once it is changed or taken away."""
    served = serve(samples=False, auth=auth)
    ada, ben = come(served, "a", "Ada", ADA), come(served, "b", "Ben", BEN)
    assert [it.http.get("/config").status_code for it in (ada, ben)] == [200, 200]
    PasswordFile(auth).set("Ada", "a new password")
    PasswordFile(auth).remove("Ben")
    assert [it.http.get("/config").status_code for it in (ada, ben)] == [401, 401]
    assert (ada.log_in("Ada", ADA), ben.log_in("Ben", BEN)) == (400, 400)
    assert ada.log_in("Ada", "a new password") == 303
    assert ada.http.get("/config").status_code == 200


def test_logging_out_ends_it(serve: Serve, auth: Path) -> None:
    """After the button the form is there again, and leads to what was asked for before it.

    The companion and the panel of the address outlive the form's other language and a slip.
    """
    served = serve(samples=False, auth=auth)
    page = served.log_in("Ada", ADA)
    page.click("#log-out")
    page.wait_for_selector("input[type=password]")
    page.goto(f"{served.url}?companion=default#/memories")
    page.wait_for_selector("input[type=password]")
    assert page.locator("#message").count() == 0
    page.get_by_role("link", name="中文").click()
    page.get_by_role("button", name="登录").wait_for()
    fill_in(page, "Ada", "a slip")
    page.get_by_role("alert").wait_for()
    fill_in(page, "Ada", ADA)
    page.wait_for_url("**/?companion=default#/memories")
    expect(page.locator("#panel-memories")).to_be_visible()


def test_two_replies_run_at_once(serve: Serve, auth: Path) -> None:
    """Each of two replies waits for the other to be under way; one at a time would never end."""
    both = threading.Barrier(2, timeout=15)
    served = serve(chat=echoing(both.wait), samples=False, auth=auth)
    ada, ben = served.log_in("Ada", ADA), served.log_in("Ben", BEN)
    say(ada, "My tin is under the third step.")
    say(ben, "My boat is called Wren.")
    told(ada, "You said: My tin is under the third step.")
    told(ben, "You said: My boat is called Wren.")
    assert "Wren" not in ada.content()
    assert "third step" not in ben.content()


def test_two_tabs_of_one_person_share_one_memory(serve: Serve, auth: Path) -> None:
    """What was said in one tab is known in the other, and both go on from the same words."""
    served = serve(chat=echoing(lambda: None), samples=False, auth=auth)
    first = served.log_in("Ada", ADA)
    second = first.context.new_page()
    second.goto(served.url)
    second.wait_for_selector("#chat-notice :text('Ada')")
    say(first, "One.")
    told(first, "You said: One.")
    say(second, "Two.")
    told(second, "You said: Two.")
    told(second, "You said: One.")
    assert [it.query for it in served.memory("Ada").turns()] == ["One.", "Two."]


def test_what_was_said_outlives_the_tab_and_the_page(serve: Serve, auth: Path) -> None:
    """The talk is there in another browser, and in a page that is served anew."""
    served = serve(chat=echoing(lambda: None), samples=False, auth=auth, alone=True)
    first = served.log_in("Ada", ADA)
    say(first, "My tin is under the third step.")
    told(first, "third step")
    first.context.close()
    told(served.log_in("Ada", ADA), "You said: My tin is under the third step.")
    served.blocks.close(verbose=False)
    again = serve(chat=echoing(lambda: None), samples=False, auth=auth, alone=True)
    told(again.log_in("Ada", ADA), "You said: My tin is under the third step.")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org"])
def test_without_log_in_no_address_of_others_is_listened_on(settings: Settings, host: str) -> None:
    """A page without passwords is this machine's own."""
    with pytest.raises(ConfigurationError):
        launch(settings, host=host, port=0, block=False)


def test_without_log_in_the_page_says_who_can_see_it(serve: Serve) -> None:
    """Whoever can open it can read it, in both languages, and that it is an AI."""
    served = serve(samples=False)
    page = served.visit()
    said = notice(page)
    expect(said).to_contain_text("You are talking with SiliconFriend, an AI")
    expect(said).to_contain_text("whoever can open this page can read it")
    expect(said).to_contain_text(str(served.home))
    page.keyboard.press("Escape")
    expect(page.locator("#sf-about")).to_be_focused()
    switch_language(page)
    expect(notice(page)).to_contain_text("能打开这个页面的人都能看到")


def test_the_notice_names_the_model_that_hears(settings: Settings) -> None:
    """Who hears what is said stands above the talk."""
    chat = ScriptedChatModel(name="m-1", address="http://127.0.0.1:9")
    backend = Backend(settings, SystemClock(), chat)
    for language in ("en", "cn"):
        notice = privacy_notice(backend, backend.settings.companion, language)
        assert "m-1" in notice
        assert "http://127.0.0.1:9" in notice


def test_the_page_lets_nobody_look_at_api_pages(serve: Serve, come: Come) -> None:
    """Neither a page about programs nor a list of what they could call is served."""
    served = serve(samples=False)
    visitor = come(served, "x")
    for path in ("/?view=api", "/gradio_api/info", "/gradio_api/openapi.json", "/docs", "/redoc"):
        assert visitor.http.get(path).status_code == 404, path
    page = served.visit()
    assert page.get_by_text("API", exact=False).count() == 0
