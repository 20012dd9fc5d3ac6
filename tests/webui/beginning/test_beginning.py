"""Who begins: their companion's greeting, their own panels, and the talk as far back as it goes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from siliconfriend.config import Settings, prepare_home
from siliconfriend.lore.character import Character, CharacterTexts
from siliconfriend.lore.companions import Companions
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language
from tests.webui.conftest import (
    Serve,
    act,
    bot,
    card,
    erase_for_good,
    go_back_to_beginning,
    notice,
    say,
    switch_language,
    tab,
)

PHONE = {"width": 360, "height": 740}
GREETINGS: dict[Language, str] = {"en": "Hello {person}, <b>come in</b>.", "cn": "{person}，请进。"}


def begin(page: Page, name: str) -> None:
    """Give another name on the page that is open."""
    go_back_to_beginning(page)
    page.fill("#name", name)
    page.click("#start")
    expect(page.locator("#chat-notice")).to_contain_text(name)


def test_a_companion_greets_in_the_empty_talk(serve: Serve, settings: Settings) -> None:
    """In the language of the page, as plain words; nothing of it is kept, nor can be taken back."""
    prepare_home(settings.home)
    robin = Character(
        "Robin", {it: CharacterTexts(greeting=words) for it, words in GREETINGS.items()}
    )
    Companions(settings.home).create(robin)
    served = serve(samples=False, companion="Robin")
    page = served.talk_as("Ada")
    bot(page, "Hello Ada, <b>come in</b>.")
    expect(notice(page)).to_contain_text("You are talking with Robin, an AI")
    page.keyboard.press("Escape")
    switch_language(page)
    expect(page.locator("#chat .bot")).to_have_text(["Ada，请进。"])
    expect(page.locator("[data-line-act=again], [data-line-act=undo]")).to_have_count(0)
    page.locator("#chat .bot").click()
    say(page, "I row at dawn.")
    expect(page.locator("#chat .bot")).to_have_count(2)
    expect(page.locator("#chat .bot").first).to_have_text("Ada，请进。")
    (turn,) = served.store.load(Scope.of("Ada", "Robin")).turns()
    assert turn.query == "I row at dawn."
    people = [it for it in served.home.rglob("*.jsonl") if "请进" in it.read_text(encoding="utf-8")]
    assert people == []
    page.reload()
    expect(page.locator("#chat .bot")).to_have_count(1)


def test_earlier_exchanges_are_shown_on_request(serve: Serve) -> None:
    """Thirty at first, thirty more at each press, with the last of them in sight, until all are."""
    served = serve()
    queries = [turn.query for turn in served.memory("林晓").turns()]
    page = served.talk_as("林晓")
    switch_language(page)
    mine = page.locator("#chat .user")
    expect(mine).to_have_text(queries[-30:])
    for added, shown in ((30, 60), (len(queries) - 60, len(queries))):
        page.get_by_role("button", name="更早的对话").click()
        expect(mine).to_have_text(queries[-shown:])
        expect(page.locator("#chat .bot").nth(added - 1)).to_be_in_viewport()
    expect(page.locator("#earlier")).to_be_hidden()


def test_an_erased_exchange_brings_no_older_one_to_the_end(serve: Serve) -> None:
    """The talk is one line shorter, and the rest stands as it stood."""
    served = serve()
    queries = [turn.query for turn in served.memory("Maya").turns()][-30:]
    page = served.talk_as("Maya")
    expect(page.locator("#chat .user")).to_have_text(queries)
    act(page, "remembered", queries[-1], "Erase")
    erase_for_good(page, queries[-1])
    expect(page.locator("#chat .user")).to_have_text(queries[:-1])


def test_nothing_of_one_person_is_left_for_the_next(serve: Serve) -> None:
    """Lists, an open question, what was searched and a report go when another name is given."""
    served = serve()
    page = served.talk_as("Maya")
    tab(page, "Night")
    page.click("#night-run")
    expect(page.locator("#night-reports")).to_contain_text("Maya")
    tab(page, "Portrait")
    expect(page.locator("#portrait")).to_contain_text("Maya")
    tab(page, "Fading")
    expect(page.locator("#curves polyline").first).to_be_visible()
    tab(page, "Memories")
    page.fill("#sf-search", "otters")
    page.press("#sf-search", "Enter")
    expect(card(page, "memories", "two otters")).to_be_visible()
    begin(page, "Ben")
    expect(page.locator("#message")).to_be_visible()
    for name in ("memories", "portrait", "curves", "night-reports", "night-progress"):
        expect(page.locator(f"#{name}")).not_to_contain_text("Maya")
    assert "otters" not in page.content()


def test_nobody_begins_with_a_name_that_looks_like_a_known_one(serve: Serve) -> None:
    """The page says which character differs, in its language; there is nothing to say words to."""
    served = serve()
    page = served.visit()
    page.fill("#name", "M\u0430ya")
    page.click("#start")
    refused = page.locator("#begin-refused")
    expect(refused).to_contain_text("looks like Maya, who is known here")
    expect(refused).to_contain_text("U+0430")
    expect(page.locator("#message")).to_be_hidden()
    switch_language(page)
    page.fill("#name", "M\u0430ya")
    page.click("#start")
    expect(refused).to_contain_text("看起来和已有的 Maya 一样")
    assert "M\u0430ya" not in [it.person for it in served.store.scopes()]


@pytest.mark.parametrize(
    ("language", "typed", "meant", "other"),
    [
        ("en", "maya", "Maya", "No, I am maya, and new here"),
        ("cn", "Maia", "Maya", "不是，我叫Maia，第一次来"),
    ],
    ids=["en", "cn"],
)
def test_a_slip_in_ones_name_is_asked_about(
    serve: Serve, language: str, typed: str, meant: str, other: str
) -> None:
    """Whoever is known stands as a button; a name nearly theirs may be new all the same."""
    served = serve()
    page = served.visit(locale="zh-CN" if language == "cn" else "en-GB", viewport=PHONE)
    expect(page.locator("#known button")).to_have_text(["Maya", "林晓"])
    page.fill("#name", typed)
    page.press("#name", "Enter")
    expect(page.locator("#meant button")).to_have_text([meant, other])
    expect(page.locator("#meant button").first).to_be_focused()
    expect(page.locator("#message")).to_be_hidden()
    page.click("#begin-new")
    expect(page.locator("#sf-who")).to_have_text(typed)
    go_back_to_beginning(page)
    page.fill("#name", typed)
    page.press("#name", "Enter")
    page.locator("#meant button", has_text=meant).or_(page.locator("#known button")).first.click()
    expect(page.locator("#sf-who")).to_have_text(meant)
    assert page.title() == ("SiliconFriend" if language == "en" else "硅友")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
