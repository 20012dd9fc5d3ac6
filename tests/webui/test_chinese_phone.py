"""The talk and the panels in Chinese on a phone, where the tests beside are in English at a desk.

Each goes through many things on one page, since to open one takes longer than all that is done.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from playwright.sync_api import Locator, Page, Route, expect

from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.import_export import import_bank
from siliconfriend.models.base import Message
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import text
from tests.cli.conftest import bank_of
from tests.lore.test_pictures import picture
from tests.webui.conftest import ACTIONS, Serve, Served, bots, say
from tests.webui.shell.test_shell import FAKED_VOICE

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "locale": "zh-CN",
    "has_touch": True,
}


ZONE = ZoneInfo("UTC")


def told(key: str, **values: Any) -> str:
    """A text of the talk."""
    return text("web_talk", key, "cn", **values)


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


def go(page: Page, panel: str) -> None:
    """Open a panel from the bar, by finger."""
    page.locator(f"#sf-nav a[data-panel={panel}]").tap()


def noticed(page: Page, key: str) -> None:
    """Wait until a short notice says a text of the page."""
    expect(page.locator("#sf-notices")).to_contain_text(text("web", key, "cn"))


def find_in_the_talk(page: Page) -> None:
    """Look for a word of months ago and be led to its line, on its day."""
    page.locator("#talk-search-open").tap()
    field = page.locator("#talk-search input")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("placeholder", text("web_lines", "search.hint", "cn"))
    field.fill("石埠 两个钟头")
    expect(page.locator(".talk-search-told")).to_have_text(
        text("web_lines", "search.some", "cn", count="1")
    )
    found = page.locator(".talk-found a")
    expect(found.locator("mark")).to_have_text(["石埠", "两个钟头"])
    found.tap()
    line = page.locator(".talk-line.is-found")
    expect(line).to_contain_text("外婆回了趟石埠镇")
    expect(line).to_be_in_viewport()
    expect(page.locator("#talk-search")).to_be_hidden()
    expect(page).to_have_url(re.compile("line=turn-2026-05-10-0-"))
    expect(page.locator(".talk-past")).to_contain_text(text("web_lines", "past.reading", "cn"))


def ask_to_erase_by_keys(page: Page, card: Locator) -> None:
    """The focus moves into the question, Esc says no to it, and the focus is where it was."""
    button = card.get_by_role("button", name=ACTIONS).first
    button.focus()
    for key in ("Enter", "End", "Enter"):
        page.keyboard.press(key)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_have_accessible_name(text("web_panels", "erase.title", "cn"))
    expect(dialog.get_by_role("button", name="保留")).to_be_focused()
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name=re.compile("^永久删除"))).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()


def put_the_portrait_right(page: Page, served: Served) -> None:
    """What the night wrote gives way to one's own words."""
    go(page, "portrait")
    story = page.locator("#portrait details[data-part=overall_history]")
    story.locator("summary").first.tap()
    story.get_by_role("button", name=ACTIONS).tap()
    story.get_by_role("menuitem", name="更正这一段").tap()
    expect(page.locator("#sf-words")).to_be_focused()
    page.fill("#sf-words", "我在船厂长大。")
    page.locator("#sf-correct .sf-primary").tap()
    noticed(page, "corrected")
    expect(story).to_contain_text("我在船厂长大。")
    expect(story).to_contain_text("这是你自己写的")
    overall = served.memory("林晓").overall_history
    assert overall is not None
    assert overall.text == "我在船厂长大。"


def test_the_panels(serve: Serve) -> None:
    """Back after a season: search, a dialog, the night, the slider, and memories asked about."""
    served = serve()
    page = served.talk_as("林晓", **PHONE)
    expect(page.locator("#chat-notice")).to_contain_text("好久不见。上次聊天是2026年7月1日")
    page.locator("#talk-beside").tap()
    expect(page.locator("#talk-aside")).to_be_visible()
    page.locator("#talk-beside").tap()
    find_in_the_talk(page)
    page.locator("#voice-settings").tap()
    label = page.locator("#voice-dialog label").first
    box = label.bounding_box()
    assert box is not None
    assert box["width"] > box["height"], "the words of a switch stand in one line"
    page.keyboard.press("Escape")
    expect(page.locator("#voice-settings")).to_be_focused()
    go(page, "night")
    page.locator("#night-dry").tap()
    expect(page.locator("#night-progress .sf-card")).to_contain_text("如果现在就整理")
    page.locator("#night-run").tap()
    expect(page.locator("#night-reports")).to_contain_text("理了一遍")
    go(page, "fading")
    page.locator("#days-ahead input[type=number]").fill("60")
    page.locator("#days-ahead input[type=number]").press("Enter")
    expect(page.locator("#panel-fading")).to_contain_text("60 天后")
    put_the_portrait_right(page, served)
    go(page, "memories")
    card = page.locator("#memories [data-memory]", has_text="跟你报告几件事").first
    ask_to_erase_by_keys(page, card)
    card.locator(".sf-menu-button").first.tap()
    card.get_by_role("menuitem", name="忘掉").first.tap()
    page.locator("#sf-notices button").first.tap()
    noticed(page, "done.restore")
    page.locator("#sf-who").tap()
    page.wait_for_selector("#name")
    expect(page.locator("#sf-notices")).to_be_empty()


def make_a_companion(page: Page) -> None:
    """From its name to a character, a greeting and a picture."""
    go(page, "companions")
    page.locator("#companion-new").tap()
    page.fill("#companion-new-name", "知更")
    page.get_by_role("button", name="建好").tap()
    expect(page.locator("#companion-title")).to_be_focused()
    page.fill("#companion-persona", "守着一座灯塔，话不多。")
    page.fill("#companion-greeting", "{person}，灯给你留着。")
    page.locator("#companion-save").tap()
    expect(page.locator("#sf-notices")).to_contain_text(text("web_companions", "panel.saved", "cn"))
    photo: Any = {"name": "我.jpg", "mimeType": "image/jpeg", "buffer": picture("JPEG", (90, 60))}
    page.set_input_files("#companion-picture", photo)
    expect(page.locator("img.sf-portrait")).to_be_visible()
    page.locator("#companion-back").tap()


def switch_voice_on(page: Page) -> None:
    """Both at once, where it stands to whom the sound goes."""
    expect(page.locator("#voice-speak")).to_have_count(0)
    page.locator("#voice-settings").tap()
    expect(page.locator("#voice-dialog")).to_contain_text("谷歌")
    page.locator("#voice-listen").tap()
    page.locator("#voice-read").tap()
    page.get_by_role("button", name="关闭").tap()


def test_a_companion_is_made_and_spoken_with(serve: Serve, clock: MovingClock) -> None:
    """The usual one has asked about today unasked; the new one greets, listens and is heard."""
    chat = ScriptedChatModel(otherwise=lambda _: ["早。**风**停了。"])
    served = serve(chat=chat, samples=False, speaks_first="yes")
    bank = bank_of("小雨", ("2026-11-10", [("11月22号我考竖琴。", "加油！")]))
    import_bank(served.store, bank, language="cn", zone=ZONE, now=clock.now(ZONE))
    clock.set("2026-11-22T09:00+00:00")
    page = served.talk_as("小雨", **PHONE)
    expect(page.locator("#chat .bot")).to_have_count(2)
    expect(page.locator("#chat .bot").last).to_contain_text("竖琴")
    make_a_companion(page)
    page.add_init_script(FAKED_VOICE)
    page.get_by_role("link", name="和知更聊天").tap()
    expect(page).to_have_title("知更")
    bots(page, "小雨，灯给你留着。")
    switch_voice_on(page)
    page.locator("#voice-speak").tap()
    expect(page.locator("#voice-speak")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.recognition.lang") == "zh-CN"
    page.evaluate("window.recognition.hear('今早起风了')")
    page.evaluate("window.recognition.hear('今早起风了', '，船没出去。')")
    box = page.locator("#message textarea")
    expect(box).to_have_value("今早起风了，船没出去。")
    box.press("Enter")
    bots(page, "小雨，灯给你留着。", "早。风停了。")
    page.wait_for_function("window.spoken.length > 0")
    heard = page.evaluate("window.spoken.map((it) => [it.text.trim(), it.lang, it.voice.name])")
    assert heard == [["早。风停了。", "zh-CN", "近"]]
    page.locator("#voice-hush").tap()
    expect(page.locator("#voice-hush")).to_have_count(0)
