"""For everyone: nothing serious that axe-core finds, and what is used most by keyboard alone."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Literal

from playwright.sync_api import Page, ViewportSize, expect

from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from tests.webui.axe import faults
from tests.webui.conftest import Serve, say, switch_language
from tests.webui.drawn_panels import DRAWN
from webui.page import PANELS

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SETTLED = """
(isDark) => (!document.querySelector('#sf-main') || document.body.classList.contains('dark') === isDark)
    && document.getAnimations().every((it) => it.playState !== 'running')
"""


def go(page: Page, panel: str) -> None:
    """Open a panel by its address and wait until it is filled."""
    page.evaluate("(panel) => { location.hash = `#/${panel}`; }", panel)
    page.locator(f"#panel-{panel} {DRAWN[panel]}").first.wait_for()


def colours(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Let the page be light or dark, and wait until nothing changes its colour any more."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_function(SETTLED, arg=scheme == "dark")


def look(page: Page, where: str) -> list[str]:
    """Faults by day with all rules, and by night those of colours, which alone are others then."""
    colours(page, "light")
    found = faults(page)
    colours(page, "dark")
    found += faults(page, rules=["color-contrast"])
    return [f"{where}: {it}" for it in found]


def test_axe_finds_nothing_serious(serve: Serve) -> None:
    """In no panel, dialog or beginning, by day and by night: English at a desk, Chinese on a phone."""
    page = serve().visit(viewport=DESKTOP)
    found = look(page, "beginning")
    page.fill("#name", "Maya")
    page.click("#start")
    page.locator("#chat .bot").first.wait_for()
    page.wait_for_selector("html[data-settled='Maya']")
    page.evaluate("location.hash = '#/night'")
    page.click("#night-run")
    page.locator(DRAWN["night"]).first.wait_for()
    for language, size in (("en", DESKTOP), ("cn", PHONE)):
        page.set_viewport_size(size)
        for panel in (*PANELS, "companion"):
            if panel == "companion":
                page.locator(".sf-companion button").first.click()
                page.wait_for_selector("#companion-save")
            else:
                go(page, panel)
            found += look(page, f"{panel} {language} {size['width']}")
        page.click("#companion-delete")
        page.get_by_role("dialog").wait_for()
        found += look(page, f"dialog {language}")
        page.keyboard.press("Escape")
        page.click("#companion-back")
        switch_language(page)
    assert found == []


def test_the_log_in_is_open_to_all(serve: Serve, auth: object) -> None:
    """The form before the page, in both languages and colours."""
    page = serve(auth=auth, samples=False).open()
    found = look(page, "log-in")
    page.get_by_role("link", name="中文").click()
    page.wait_for_selector("html[lang=zh-CN]")
    assert [*found, *look(page, "log-in cn")] == []


def test_the_page_has_its_landmarks(serve: Serve) -> None:
    """One heading of the page, one content with a way past the rest, and each panel has a name."""
    page = serve().talk_as("Maya")
    for role in ("banner", "navigation", "main"):
        expect(page.get_by_role(role)).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    go(page, "memories")
    expect(page.get_by_role("region", name="Memories")).to_be_visible()
    expect(page.get_by_role("link", name="Memories")).to_have_attribute("aria-current", "page")
    page.evaluate("document.activeElement.blur()")
    page.locator(".sf-skip").focus()
    expect(page.locator(".sf-skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#sf-main")).to_be_focused()
    assert page.url.endswith("#/memories")


def test_keys_reach_what_is_used_most(serve: Serve) -> None:
    """Ctrl-K opens the search from any panel, a slash does where nobody writes, Esc closes it."""
    page = serve().talk_as("Maya")
    go(page, "portrait")
    page.keyboard.press("Control+k")
    search = page.locator("#talk-search input")
    expect(search).to_be_focused()
    page.keyboard.press("Escape")
    expect(search).to_be_hidden()
    page.locator("#message textarea").press("/")
    expect(page.locator("#message textarea")).to_have_value("/")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    expect(search).to_be_focused()


def test_a_reply_is_read_out_once_and_stopped_by_esc(serve: Serve) -> None:
    """The region that is spoken gets the reply at its end, and not each piece of it."""
    may_go_on = threading.Event()

    def answer(messages: Sequence[Message]) -> Iterable[str]:
        yield "The boat"
        if "slowly" in messages[-1].content:
            assert may_go_on.wait(60)
        yield " was blue."

    page = serve(chat=ScriptedChatModel(otherwise=answer), samples=False).talk_as("Ada")
    spoken = page.locator(".talk > .sf-hidden[role=status]")
    say(page, "Which colour was it?")
    expect(spoken).to_have_text("The boat was blue.")
    say(page, "And now slowly?")
    expect(page.locator("#chat .bot")).to_have_count(2)
    expect(page.locator("#chat .bot").last).to_contain_text("The boat")
    expect(spoken).not_to_have_text("The boat")
    page.locator("#message textarea").press("Escape")
    expect(page.locator("#chat .talk-end").last).to_contain_text("What was said so far is kept")
    may_go_on.set()


def test_whoever_wants_no_motion_gets_none(serve: Serve) -> None:
    """Nothing moves for longer than an eye sees, not to other colours; more contrast leaves no soft words."""
    page = serve(samples=False).visit(reduced_motion="reduce", contrast="more")
    lasts = page.evaluate(
        "[...document.querySelectorAll('*')].map((it) => getComputedStyle(it))"
        ".flatMap((it) => [it.transitionDuration, it.animationDuration])"
        ".flatMap((it) => it.split(',')).map(parseFloat)"
    )
    assert max(lasts) <= 0.01
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("document.getAnimations().length") == 0
    soft, ink = (
        page.evaluate("(name) => getComputedStyle(document.body).getPropertyValue(name)", name)
        for name in ("--sf-soft", "--sf-ink")
    )
    assert soft == ink
