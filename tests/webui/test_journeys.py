"""The page in a real browser: English at a desk, Chinese on a phone, two people with passwords."""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from siliconfriend.errors import UsageError
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from tests.webui.axe import faults
from tests.webui.conftest import ADA, BEN, DESKTOP, PANELS, PHONE, Serve, filled, go, say
from webui import memories
from webui.backend import Visit
from webui.replies import LiveTalk

LEAST_TALK = 600
"""Pixels of a phone of 844 that are talk."""
SMALL = """() => [...document.querySelectorAll("button, summary, textarea, nav a, header a, a.sf-button, label:has(> input)")]
  .filter((each) => each.checkVisibility() && !each.closest(".talk-why"))
  .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
  .filter(([, box]) => box.height < 44 || box.width < 44).map(([html]) => html)"""
"""What can be touched and is smaller than 44 pixels."""
LOOKS_AWAY = """() => { for (const value of [true, false]) {
  Object.defineProperty(document, "hidden", { value, configurable: true });
  dispatchEvent(new Event("visibilitychange"));
} }"""
"""Goes to another tab and comes back."""


class Slow:
    """A model whose first reply stops after some words until it may go on."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self._asked = 0

    def model(self) -> ScriptedChatModel:
        """Return the model."""
        return ScriptedChatModel(otherwise=self._answer)

    def _answer(self, _messages: Sequence[Message]) -> Iterable[str]:
        self._asked += 1
        number = self._asked
        for place in range(6):
            if place == 3 and number == 1:
                assert self.may_go_on.wait(60)
            yield f"**{number}**-{place} "


def lines(page: Page, *words: str) -> None:
    """Wait until the person's own lines are these."""
    expect(page.locator("#chat .user")).to_have_text(list(words))


def test_a_talk_at_a_desk_loses_nothing(serve: Serve) -> None:
    """Words as typed, a queue, a reload, a second tab, an undo."""
    slow = Slow()
    served = serve(chat=slow.model())
    page = served.begin("Nora", **DESKTOP)
    expect(page.locator(".talk-line .said")).to_contain_text("Hello Nora")
    expect(page.locator(".talk-chips button")).to_have_count(3)
    expect(page.locator(".talk-box textarea")).to_be_focused()
    say(page, "One <b>bold</b> **word**")
    expect(page.locator("#chat .bot", has_text="1-2")).to_be_visible()
    say(page, "Two")
    expect(page.locator("[data-state=waiting]")).to_contain_text("Two")
    lines(page, "One <b>bold</b> **word**", "Two")
    page.reload()
    expect(page.locator("#chat .bot", has_text="1-2")).to_be_visible()
    lines(page, "One <b>bold</b> **word**", "Two")
    other = page.context.new_page()
    other.route("**/talk/events*", lambda _: None)  # not answered before somebody looks away
    other.goto(served.url)
    other.locator(".talk-box").wait_for()
    other.unroute("**/talk/events*")
    other.evaluate(LOOKS_AWAY)
    expect(other.locator("#chat .bot", has_text="1-2")).to_be_visible()
    page.close()
    slow.may_go_on.set()
    expect(other.locator("#chat .bot", has_text="2-5")).to_be_visible()
    expect(other.locator("#chat [data-state=whole]")).to_have_count(2)
    expect(other.locator("#chat .bot strong").first).to_have_text("1")
    expect(other.locator("#chat")).not_to_contain_text("No answer came")
    assert other.locator("#chat").get_attribute("aria-live") == "off"
    other.fill(".talk-box textarea", "A draft")
    last = other.locator(".talk-line").last
    last.locator(".sf-menu").click()
    last.locator("[data-act=undo]").click()
    lines(other, "One <b>bold</b> **word**")
    expect(other.locator(".talk-box textarea")).to_have_value("Two\nA draft")
    assert [each.query for each in served.turns("Nora")] == ["One <b>bold</b> **word**"]
    seen = -1
    for _ in range(5):  # what the last change asked for may still be on its way
        if len(served.requests) == seen:
            break
        seen = len(served.requests)
        other.wait_for_timeout(1500)
    assert len(served.requests) == seen, "no request while nothing happens"
    assert {urlsplit(each).hostname for each in served.requests} == {"127.0.0.1"}


def test_words_typed_before_the_scripts_are_loaded_stay(serve: Serve) -> None:
    page = serve().open(**DESKTOP)

    def hold(_route: Route) -> None:
        """Let nobody answer."""

    page.route("**/talk.js", hold)
    page.fill("#username", "Nora")
    with page.expect_request("**/talk.js"):
        page.press("#username", "Enter")
    page.fill(".talk-box textarea", "Early words")
    page.unroute("**/talk.js", hold)  # lets it go on
    expect(page.locator(".talk-chips")).to_be_visible()
    expect(page.locator(".talk-box textarea")).to_have_value("Early words")


def test_messages_that_are_refused_come_back_before_a_draft(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()

    def refuse(*_: object) -> None:
        assert may_go_on.wait(60)
        raise UsageError("talk_full", most=8)

    page = serve().begin("Nora", **DESKTOP)
    monkeypatch.setattr(LiveTalk, "say", refuse)
    say(page, "First.")
    say(page, "Second.")
    page.fill(".talk-box textarea", "A draft")
    may_go_on.set()
    expect(page.locator(".talk-box textarea")).to_have_value("First.\nSecond.\nA draft")
    expect(page.locator(".talk-notice")).not_to_be_empty()


def test_a_message_outlives_a_lost_connection_and_a_new_start(serve: Serve) -> None:
    served = serve(chat=ScriptedChatModel(otherwise=lambda _: "I hear you."))
    page = served.begin("Nora", **DESKTOP)
    say(page, "First.")
    expect(page.locator("#chat .bot", has_text="I hear you.")).to_be_visible()
    port = urlsplit(served.url).port
    served.page.close()
    expect(page.locator(".talk-notice")).to_contain_text("connection is lost")
    say(page, "While you were away.")
    box = page.locator(".talk-box textarea")
    expect(box).to_have_value("While you were away.")
    assert port is not None
    serve(chat=ScriptedChatModel(otherwise=lambda _: "I am back."), port=port)
    expect(box).to_have_value("While you were away.")
    box.press("Enter")
    expect(page.locator("#chat .bot", has_text="I am back.")).to_be_visible()
    lines(page, "First.", "While you were away.")
    assert [each.query for each in served.turns("Nora")] == ["First.", "While you were away."]


def _choose(card: Locator, act: str) -> None:
    """Open a card's menu and choose from it."""
    card.locator(".sf-menu").first.click()
    card.locator(f"[data-act={act}]").first.click()


def test_what_changes_elsewhere_is_drawn_around_what_is_open(serve: Serve) -> None:
    """A menu and a dialog stay open; the address stays within one page."""
    served = serve(samples=True)
    page = served.open(**DESKTOP)
    assert faults(page) == []
    page.click("button:has-text('Maya')")
    expect(page.locator("#chat .talk-day").first).to_be_visible()
    page.evaluate("window.isLoaded = true")  # a page loaded anew would forget its companion
    for panel in PANELS:
        go(page, panel)
    assert page.evaluate("window.isLoaded")
    go(page, "memories")
    card = page.locator(".sf-card").first
    card.locator(".sf-menu").first.click()
    day = page.locator(".sf-day").first.get_attribute("data-day")
    served.bank.person("Maya").add("A new line of that day.", at=day)
    page.evaluate("document.dispatchEvent(new CustomEvent('sf:changed'))")
    expect(page.locator(".sf-day").first).to_contain_text("A new line of that day.")
    expect(page.locator("#memories :popover-open")).to_be_visible()
    page.keyboard.press("Escape")
    _choose(card, "erase")
    expect(page.get_by_role("dialog").get_by_role("button").first).to_be_focused()
    served.bank.person("Maya").add("A line of another tab.", at=day)
    page.evaluate("document.dispatchEvent(new CustomEvent('sf:changed'))")
    page.keyboard.press("Escape")  # what changes while it is open is drawn when it is closed
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".sf-day").first).to_contain_text("A line of another tab.")


REFUSED_COPY = """async () => {
  Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject("no") } });
  document.execCommand = (name) => { window.copied = [name, document.activeElement.value]; };
  const script = document.querySelector("script[type=module]").src;
  const { copyWords } = await import(new URL("common.js", script));
  await copyWords("two lines");
  return window.copied;
}"""


def test_words_are_copied_where_the_clipboard_is_refused(serve: Serve) -> None:
    page = serve(samples=True).open(**DESKTOP)
    page.click("button:has-text('Maya')")
    expect(page).to_have_title("SiliconFriend")
    assert page.evaluate(REFUSED_COPY) == ["copy", "two lines"]


def test_what_is_done_quickly_is_all_done(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels and an answer that are lost, acts before one is answered, a dialog refused or left, a double click."""
    may_go_on, act_on = threading.Event(), memories.act_on

    def held(visit: Visit, event: dict[str, Any]) -> dict[str, Any]:
        assert may_go_on.wait(60)
        return act_on(visit, event)

    monkeypatch.setattr(memories, "act_on", held)
    page = serve(samples=True).open(**DESKTOP)
    page.click("button:has-text('Maya')")
    expect(page).to_have_title("SiliconFriend")
    page.route("**/views/memories*", lambda route: route.abort(), times=1)
    page.route("**/panels", lambda route: route.abort(), times=1)
    go(page, "memories")
    cards, status = page.locator(".sf-card"), page.locator("#memories .sf-status")
    for place in range(3):
        _choose(cards.nth(place), "pin")
    may_go_on.set()
    expect(page.locator(".sf-card > .sf-head [data-act=unpin]")).to_have_count(3)
    expect(status).to_contain_text("Pinned")
    _choose(cards.first, "edit")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=query]").fill(" ")
    dialog.locator("[name=response]").fill("Typed at length.")
    dialog.locator(".sf-primary").click()
    expect(dialog.locator(".sf-status")).to_contain_text("words are missing")
    expect(dialog.locator("[name=response]")).to_have_value("Typed at length.")
    page.go_back()  # to the talk, which nothing covers
    go(page, "memories")
    _choose(cards.first, "erase")
    page.dblclick("dialog .sf-danger")
    expect(status).to_contain_text("searched")


def test_a_visit_in_chinese_on_a_phone(serve: Serve) -> None:
    """In the dark: first words, the room of the talk, targets, off the record, the language."""
    served = serve(chat=ScriptedChatModel(otherwise=lambda _: "我记住了。"))
    page = served.begin("小雨", **PHONE, color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(page.locator(".talk-line .said")).to_contain_text("你好，小雨")
    chat = page.locator("#chat").bounding_box()
    assert chat is not None
    assert chat["height"] >= LEAST_TALK
    page.locator(".talk-chips button").first.tap()
    expect(page.locator("#chat .bot", has_text="我记住了。")).to_be_visible()
    expect(page.locator(".talk > .sf-hidden[role=status]")).to_have_text("我记住了。")  # read out
    expect(page.locator(".talk-day")).to_have_text("今天")
    expect(page.locator("#chat .user")).to_have_css("font-size", "16px")
    page.locator("#off-record").tap()
    say(page, "钥匙在花盆底下。")
    expect(page.locator(".talk-line.is-aside .bot")).to_be_visible()
    expect(page.locator(".talk-notice")).to_be_empty()
    page.reload()
    expect(page.locator(".talk-line.is-aside")).to_be_visible()
    assert len(served.turns("小雨")) == 1
    for panel in PANELS:
        page.locator(f"#sf-nav a[data-panel={panel}]").tap()
        expect(filled(page, panel)).to_be_visible()
        assert faults(page) == [], panel
        assert page.evaluate(SMALL) == [], panel
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["viewport"]["width"], panel
    bar = (
        "document.querySelector('#night .sf-view').appendChild(document.createElement('progress'))"
    )
    assert page.evaluate(f"getComputedStyle({bar}).appearance") == "auto", "in our colours"
    page.locator("#sf-nav a[data-panel=memories]").tap()
    page.locator("#panel-memories [name=words]").fill("今天")  # without a key, as pasted
    expect(page.locator("#memories mark").first).to_have_text("今天")
    page.locator("#sf-nav a[data-panel=companions]").tap()
    page.locator(".sf-companion").get_by_role("button").first.tap()
    night = "rgb(38, 34, 32)"  # else white, under the light letters of the night
    words = page.locator("form[data-act=texts] textarea").first
    expect(words).to_have_css("background-color", night)
    assert faults(page) == []
    page.locator("#sf-language").tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_two_people_with_passwords(serve: Serve, auth: Path) -> None:
    """Each sees their own words alone, also in one browser after the other."""
    served = serve(chat=ScriptedChatModel(otherwise=lambda _: "Noted."), auth=auth)
    page = served.open(**DESKTOP)
    page.goto(f"{served.url}#/story")
    for name, password, words in (("Ada", ADA, "Zanzibar"), ("Ben", BEN, "Quartzite")):
        page.fill("#username", name)
        page.fill("#password", password)
        page.press("#password", "Enter")
        expect(page.locator("#sf-who")).to_contain_text(name)
        if name == "Ada":
            expect(page.locator("#panel-story")).to_be_visible()
        go(page, "chat")
        say(page, f"My word is {words}.")
        expect(page.locator("#chat .bot", has_text="Noted.")).to_be_visible()
        for panel in PANELS:
            go(page, panel)
        other = "Quartzite" if words == "Zanzibar" else "Zanzibar"
        assert other not in page.content()
        page.click("#sf-who")
        page.click("#sf-leave")
        expect(page.locator("#password")).to_be_visible()
