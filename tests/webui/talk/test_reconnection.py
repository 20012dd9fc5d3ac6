"""The tab comes back by itself: after a cut connection, a closed tab and a new start of the server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from siliconfriend.config import Settings, prepare_home
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Message
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import Language, text
from tests.webui.conftest import ADA, Serve, bots, fill_in, say, users
from tests.webui.tabs import PATIENCE
from webui.app import free_port, launch

PHONE = {"viewport": {"width": 390, "height": 844}, "locale": "zh-CN", "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}


class Gate:
    """A model that says half of its answer, and the rest when it may go on."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.model = ScriptedChatModel(otherwise=self._answer)

    def _answer(self, messages: Sequence[Message]) -> Iterable[str]:
        yield "You said: "
        assert self.may_go_on.wait(60)
        yield messages[-1].content


def told(key: str, language: Language) -> str:
    """A text of the talk."""
    return text("web_talk", key, language)


@pytest.mark.parametrize(
    ("language", "context"), [("en", DESKTOP), ("cn", PHONE)], ids=["desktop", "phone"]
)
def test_a_cut_connection_loses_nothing(
    serve: Serve, language: Language, context: dict[str, Any]
) -> None:
    """The reply goes on without the tab, and what was said meanwhile is sent once, later."""
    gate = Gate()
    served = serve(chat=gate.model, samples=False)
    page = served.talk_as("Ada", **context)
    say(page, "Which colour was it?")
    bots(page, "You said:")
    page.context.set_offline(True)
    say(page, "And the oars?")
    expect(page.locator("#chat [data-state=unsent]")).to_contain_text(
        told("waiting.offline", language)
    )
    expect(page.locator("#chat-notice")).to_contain_text(told("connection.lost", language))
    gate.may_go_on.set()
    page.fill("#message textarea", "And the")
    page.context.set_offline(False)
    bots(page, "You said: Which colour was it?", "You said: And the oars?")
    users(page, "Which colour was it?", "And the oars?")
    expect(page.locator("#message textarea")).to_have_value("And the")
    queries = [it.query for it in served.memory("Ada").turns()]
    assert queries == ["Which colour was it?", "And the oars?"]


WATCH = """(words) => {
    const chat = document.getElementById('chat');
    window.wasGone = false;
    new MutationObserver(() => {
        if (!chat.textContent.includes(words)) window.wasGone = true;
    }).observe(chat, {childList: true, subtree: true, characterData: true});
}"""


def test_a_reply_stays_in_the_page_while_it_is_being_stored(serve: Serve) -> None:
    """Between its last word and the server's own telling of the line it stands where it was."""
    gate = Gate()
    page = serve(chat=gate.model, samples=False).talk_as("Ada")
    say(page, "Which colour was it?")
    bots(page, "You said:")
    page.evaluate(WATCH, "You said:")
    gate.may_go_on.set()
    expect(page.locator("#chat [data-state=said]")).to_contain_text("You said: Which colour")
    assert not page.evaluate("window.wasGone")


SLEEP = """(asleep) => {
    Object.defineProperty(document, 'hidden', {get: () => asleep, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_a_phone_that_slept_shows_what_was_said_meanwhile(serve: Serve) -> None:
    """Asleep it follows nothing; awake it has the rest of the reply, each word once."""
    gate = Gate()
    page = serve(chat=gate.model, samples=False).talk_as("Ada", **PHONE)
    say(page, "Which colour was it?")
    bots(page, "You said:")
    page.evaluate(SLEEP, True)
    gate.may_go_on.set()
    awake = page.context.new_page()  # another tab of the same phone hears the end
    awake.goto(page.url)
    bots(awake, "You said: Which colour was it?")
    bots(page, "You said:")
    page.evaluate(SLEEP, False)
    bots(page, "You said: Which colour was it?")


def test_a_tab_that_is_closed_ends_no_reply(serve: Serve) -> None:
    """At the desk and on a phone the next one has it whole, as has one opened in mid-reply."""
    gate = Gate()
    served = serve(chat=gate.model, samples=False)
    desk, phone = served.talk_as("Ada"), served.talk_as("Ada", **PHONE)
    say(phone, "什么颜色？")
    for page in (desk, phone):
        bots(page, "You said:")
    early = desk.context.new_page()
    early.goto(served.url)
    bots(early, "You said:")
    late = phone.context.new_page()
    for page in (desk, phone):
        page.close()
    gate.may_go_on.set()
    bots(early, "You said: 什么颜色？")
    late.goto(served.url)
    for page in (early, late):
        bots(page, "You said: 什么颜色？")
        users(page, "什么颜色？")
        expect(page.locator("#chat .talk-end")).to_be_hidden()
    expect(late.locator("html")).to_have_attribute("lang", "zh-CN")
    (turn,) = served.memory("Ada").turns()
    assert (turn.response, turn.interrupted) == ("You said: 什么颜色？", False)


Start = Callable[..., str]


@pytest.fixture
def start(settings: Settings, clock: MovingClock) -> Iterator[Start]:
    """Start the server, again at the same address where it was started before."""
    prepare_home(settings.home)
    port = free_port()
    running: list[Any] = []

    def begin(model: ScriptedChatModel, auth: Path | None = None) -> str:
        while running:
            running.pop().close(verbose=False)
        page, url = launch(settings, port=port, clock=clock, chat=model, auth=auth, block=False)
        running.append(page)
        return url

    yield begin
    for page in running:
        page.close(verbose=False)


def in_mid_reply(browser: Browser, start: Start, gate: Gate, context: dict[str, Any]) -> Page:
    """A tab of Ada's in which a reply has begun and waits at the gate."""
    page = browser.new_context(**context).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(start(gate.model))
    page.fill("#name", "Ada")
    page.click("#start")
    say(page, "Which colour was it?")
    bots(page, "You said:")
    return page


@pytest.mark.parametrize(
    ("language", "context"), [("en", DESKTOP), ("cn", PHONE)], ids=["desktop", "phone"]
)
def test_a_server_that_is_started_anew_is_found_again(
    browser: Browser, settings: Settings, start: Start, language: Language, context: dict[str, Any]
) -> None:
    """The tab knows who it is; the reply is shown as broken off, the draft and what waited stay."""
    gate = Gate()
    page = in_mid_reply(browser, start, gate, context)
    say(page, "And the oars?")
    expect(page.locator("#chat [data-state=waiting]")).to_have_count(1)
    page.fill("#message textarea", "And the")
    threading.Timer(0.2, gate.may_go_on.set).start()
    start(ScriptedChatModel(["They were red.", "It was blue."]))
    users(page, "Which colour was it?", "And the oars?")
    expect(page.locator("#chat .bot").last).to_have_text("They were red.")
    expect(page.locator("#message textarea")).to_have_value("And the")
    expect(page.locator("#chat .talk-end").first).to_contain_text(told("end.cut", language))
    store = Runtime(settings).store
    assert isinstance(store, FileStore)
    first, second = store.load(Scope.of("Ada")).turns()
    assert first.interrupted
    assert first.response.startswith("You said:")
    assert (second.query, second.response) == ("And the oars?", "They were red.")
    page.locator("[data-line-act=again]").click()
    expect(page.locator("#chat .bot").last).to_have_text("It was blue.")
    page.context.close()


def test_a_reply_that_the_server_broke_off_can_be_asked_for_again(
    browser: Browser, start: Start
) -> None:
    """Or asked to go on, below the words that were kept."""
    gate = Gate()
    page = in_mid_reply(browser, start, gate, DESKTOP)
    threading.Timer(0.2, gate.may_go_on.set).start()
    start(ScriptedChatModel(["As I said: blue.", "Blue."]))
    page.click(".talk-end .talk-go-on")
    expect(page.locator("#chat .bot").last).to_have_text("As I said: blue.")
    users(page, "Which colour was it?", told("end.go_on_words", "en"))
    page.context.close()


def test_a_log_in_outlives_the_server(
    browser: Browser, settings: Settings, start: Start, auth: Path
) -> None:
    """The tab comes back logged in, with the talk; nobody else is let in by it."""
    gate = Gate()
    gate.may_go_on.set()
    page = browser.new_context(**DESKTOP).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(start(gate.model, auth))
    fill_in(page, "Ada", ADA)
    say(page, "Which colour was it?")
    bots(page, "You said: Which colour was it?")
    page.fill("#message textarea", "And the oars?")
    page.evaluate("window.isOld = true")
    start(gate.model, auth)
    page.wait_for_function("!window.isOld")
    expect(page.locator("#message textarea")).to_have_value("And the oars?")
    page.press("#message textarea", "Enter")
    bots(page, "You said: Which colour was it?", "You said: And the oars?")
    stranger = browser.new_context().new_page()
    stranger.goto(page.url)
    expect(stranger.locator("input[type=password]")).to_be_visible()
    for it in (page, stranger):
        it.context.close()
