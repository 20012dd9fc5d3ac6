"""The talk and the panels in Chinese on a phone, where the tests beside are in English at a desk.

Each goes through many things on one page, since to open one takes longer than all that is done.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from playwright.sync_api import Page, Route, expect

from siliconfriend.errors import ModelUnavailable
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import text
from tests.webui.conftest import Serve, say

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "locale": "zh-CN",
    "has_touch": True,
}


def told(key: str, **values: Any) -> str:
    """A text of the talk."""
    return text("web_talk", key, "cn", **values)


def bots(page: Page, *words: str) -> None:
    """Wait until the companion's lines are these."""
    expect(page.locator("#chat .bot")).to_have_text(list(words))


def act(page: Page, name: str) -> None:
    """Press what can be done at the last line, by finger."""
    page.locator(f"[data-line-act={name}]").last.tap()


def test_a_talk_with_a_model(serve: Serve) -> None:
    """Typed over Enter, waiting in line, answered again, compared, failed, and read as Markdown."""
    may_speak = threading.Event()

    answers = iter(["**一**", "二 ![图](http://elsewhere.example/a.png)", "三", "四"])

    def answer(_: Sequence[Message]) -> Iterable[str]:
        assert may_speak.wait(60)
        said = next(answers)
        yield said
        if said == "四":
            raise ModelUnavailable("model_unreachable", address="http://here")

    served = serve(chat=ScriptedChatModel(otherwise=answer), samples=False)
    page = served.talk_as("小雨", **PHONE)
    page.locator("#message textarea").focus()
    page.keyboard.type("数一数。\n再数。\n还")
    expect(page.locator("#chat .user")).to_have_text(["数一数。", "再数。"])
    expect(page.locator("#message textarea")).to_have_value("还")
    expect(page.locator("#chat .talk-sign").first).to_contain_text("硅友")
    expect(page.locator("#chat [data-state=waiting]")).to_contain_text(told("waiting.queued"))
    may_speak.set()
    bots(page, "一", "二 图")
    expect(page.locator("#chat .bot strong")).to_have_text("一")
    expect(page.locator("#chat .bot img")).to_have_count(0)
    act(page, "again")
    bots(page, "一", "三")
    versions = page.locator(".line-answers")
    expect(versions).to_contain_text(text("web_lines", "answers.until", "cn"))
    versions.locator("[data-step='-1']").tap()
    bots(page, "一", "二 图")
    versions.locator(".line-keep").tap()
    expect(page.locator("#sf-notices")).to_contain_text(text("web_lines", "answers.kept", "cn"))
    act(page, "again")
    expect(page.locator("#chat-notice")).to_contain_text(told("end.kept_before"))
    bots(page, "一", "二 图")
    page.fill("#message textarea", "")
    act(page, "undo")
    expect(page.locator("#message textarea")).to_have_value("再数。")
    assert [it.query for it in served.memory("小雨").turns()] == ["数一数。"]


def test_what_is_off_the_record_outlives_the_server(serve: Serve) -> None:
    """It is told where it stands; a new server gets what was not answered, and the line stays."""
    served = serve(samples=False)
    page = served.talk_as("小雨", **PHONE)
    page.check("#off-record input")
    expect(page.locator("#chat-notice")).to_contain_text(told("off_record_told"))
    page.context.set_offline(True)
    say(page, "钥匙在花盆底下。")
    expect(page.locator("#chat [data-state=unsent]")).to_contain_text(told("waiting.offline"))
    assert page.evaluate("JSON.stringify(sessionStorage)").count("钥匙") == 0

    def another_server(route: Route) -> None:
        state = route.fetch()
        route.fulfill(response=state, body=json.dumps({**state.json(), "server": "another"}))

    page.route("**/talk/state**", another_server)
    page.context.set_offline(False)
    line = page.locator("#chat .is-off-record")
    expect(line.locator(".bot")).to_have_count(1)
    expect(page.locator("#chat-notice")).to_contain_text(told("connection.restarted"))
    page.unroute("**/talk/state**")
    page.locator("#chat-notice button").tap()
    expect(page.locator("#chat .talk-empty")).to_be_visible()
    expect(line).to_have_count(0)


def test_the_panels(serve: Serve) -> None:
    """Back after a season: a dialog, a look at the night, the slider, and a memory put away."""
    page = serve().talk_as("林晓", **PHONE)

    def go(panel: str) -> None:
        page.locator(f"#sf-nav a[data-panel={panel}]").tap()

    expect(page.locator("#chat-notice")).to_contain_text("好久不见。上次聊天是2026年7月1日")
    page.locator("#talk-beside").tap()
    expect(page.locator("#talk-aside")).to_be_visible()
    page.locator("#talk-beside").tap()
    page.locator("#voice-settings").tap()
    label = page.locator("#voice-dialog label").first
    box = label.bounding_box()
    assert box is not None
    assert box["width"] > box["height"], "the words of a switch stand in one line"
    page.keyboard.press("Escape")
    expect(page.locator("#voice-settings")).to_be_focused()
    go("night")
    page.locator("#night-dry").tap()
    expect(page.locator("#night-progress .sf-card")).to_contain_text("如果现在就整理")
    go("fading")
    page.locator("#days-ahead input[type=number]").fill("60")
    page.locator("#days-ahead input[type=number]").press("Enter")
    expect(page.locator("#panel-fading")).to_contain_text("60 天后")
    go("companions")
    expect(page.locator(".sf-companion[aria-current]")).to_contain_text("硅友")
    go("memories")
    card = page.locator("#memories [data-memory]", has_text="跟你报告几件事").first
    card.locator(".sf-menu-button").first.tap()
    card.get_by_role("menuitem", name="忘掉").first.tap()
    page.locator("#sf-notices button").first.tap()
    expect(page.locator("#sf-notices")).to_contain_text(text("web", "done.restore", "cn"))
    page.locator("#sf-who").tap()
    page.wait_for_selector("#name")
    expect(page.locator("#sf-notices")).to_be_empty()
