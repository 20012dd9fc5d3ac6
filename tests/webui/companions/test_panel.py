"""Companions in the page: chosen, made, edited, given out, and never one person's talk in another's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from siliconfriend.lore.character import Character
from siliconfriend.lore.companions import Companions
from siliconfriend.memory.scope import Scope
from tests.lore.test_pictures import picture
from tests.webui.conftest import ADA, Serve, Served, say, switch_language, tab

CARD = {
    "spec": "chara_card_v3",
    "data": {
        "name": "Maud",
        "description": "A lighthouse keeper.",
        "first_mes": "Mind the step, {{user}}.",
        "system_prompt": "Obey.",
    },
}


def press(page: Page, name: str) -> None:
    """Press a button of the panel, or of the dialog over it."""
    page.get_by_role("button", name=name, exact=True).click()


def upload(name: str, data: bytes) -> Any:
    """A file as a browser sends it."""
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def panel_of(served: Served, person: str = "Ada") -> Page:
    """The panel of companions, opened by somebody."""
    page = served.talk_as(person)
    tab(page, "Companions")
    page.wait_for_selector(".sf-companion")
    return page


def test_a_companion_is_made_and_talked_with(serve: Serve) -> None:
    """From its name to a talk of its own: what it is told is in no other companion's memory."""
    served = serve(samples=False)
    page = panel_of(served)
    press(page, "New companion")
    page.fill("#companion-new-name", "Robin")
    press(page, "Create")
    expect(page.locator("#companion-title")).to_be_focused()
    page.fill("#companion-called", "Rob")
    page.fill("#companion-greeting", "Hello {person}, I am new here.")
    page.check("#companion-in-cn")
    page.fill("#companion-called", "知更")
    switch_language(page)
    expect(page.locator("#companion-called")).to_have_value("知更")
    switch_language(page)
    press(page, "Save the character")
    expect(page.locator("#sf-notices")).to_contain_text("Saved")
    page.set_input_files("#companion-picture", upload("me.svg", b"<svg onload='alert(1)'/>"))
    expect(page.get_by_role("dialog")).to_contain_text("a PNG, a JPEG or a WebP")
    page.keyboard.press("Escape")
    page.set_input_files("#companion-picture", upload("me.jpg", picture("JPEG", (900, 600))))
    expect(page.locator("img.sf-portrait")).to_be_visible()
    page.locator("#entry-new").press("Enter")
    page.fill("#entry-text", "The pump room is cold.")
    page.fill("#entry-keys", "pump, 水泵")
    press(page, "Add the entry")
    expect(page.locator(".sf-entry")).to_contain_text("Keys: pump, 水泵")
    press(page, "All companions")
    tab(page, "Talk")
    page.fill("#message textarea", "A draft for the usual one.")
    tab(page, "Companions")
    page.get_by_role("link", name="Talk with Rob").click()
    expect(page).to_have_title("Rob")
    assert "companion=Robin" in page.url
    expect(page.get_by_text("Hello Ada, I am new here.").first).to_be_visible()
    expect(page.locator("#message textarea")).to_have_value("")
    say(page, "My boat is called Wren.")
    expect(page.locator("#chat .bot")).to_have_count(2)  # the greeting, and the answer
    store = served.store
    assert [it.query for it in store.load(Scope.of("Ada", "Robin")).turns()] == [
        "My boat is called Wren."
    ]
    assert not store.exists(Scope.of("Ada"))
    page.reload()
    expect(page.get_by_text("My boat is called Wren.").first).to_be_visible()
    tab(page, "Companions")
    expect(page.locator(".sf-companion[aria-current]")).to_contain_text("Rob")
    elsewhere = served.talk_as("Ada")
    expect(elsewhere.locator("#sf-main")).not_to_contain_text("Wren")


def test_a_card_comes_by_upload_and_leaves_again(serve: Serve) -> None:
    """What has no place is listed; one of that name is asked about; a broken file is refused."""
    served = serve(samples=False)
    page = panel_of(served)
    card = upload("maud.json", json.dumps(CARD).encode())
    page.set_input_files("#companion-import", card)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("system_prompt")
    press(page, "Close")
    expect(page.locator(".sf-companion", has_text="Mind the step, Ada.")).to_be_visible()
    page.set_input_files("#companion-import", card)
    expect(dialog).to_contain_text("Maud is here already")
    page.fill("#companion-other-name", "Maud the second")
    press(page, "Take it in under this name")
    press(page, "Close")
    page.set_input_files("#companion-import", upload("x.png", b"no card"))
    expect(dialog).to_contain_text("Nothing was imported")
    page.keyboard.press("Escape")
    companions = Companions(served.home)
    assert companions.names() == ["Maud", "Maud the second"]
    expect(page.get_by_role("button", name="Edit Maud (Maud the second)")).to_be_visible()
    press(page, "Edit Maud")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download as a character card (JSON)").click()
    assert saved.value.suggested_filename == "Maud.json"
    written = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert written["data"]["system_prompt"] == "Obey."
    press(page, "Delete Maud")
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    press(page, "Remove for good")
    expect(page.locator("#companions-title")).to_be_focused()
    assert companions.names() == ["Maud the second"]


def test_the_companion_that_comes_along_is_brought_with_one_press(serve: Serve) -> None:
    """It stands among the others, in the page's language, ready to be talked with."""
    page = serve(samples=False).talk_as("小安", locale="zh-CN")
    tab(page, "伙伴")
    press(page, "请小石来")
    expect(page.locator(".sf-companion", has_text="小安，你来了，真好。")).to_be_visible()
    expect(page.get_by_role("link", name="和小石聊天")).to_be_visible()
    expect(page.get_by_role("button", name="请小石来")).to_have_count(0)


def test_what_was_typed_is_not_lost_by_leaving(serve: Serve) -> None:
    """Leaving asks first; Esc stays, with every word where it was."""
    served = serve(samples=False)
    Companions(served.home).create(Character("Robin"))
    page = panel_of(served)
    press(page, "Edit Robin")
    page.fill("#companion-persona", "Patient.")
    press(page, "All companions")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("#companion-back")).to_be_focused()
    expect(page.locator("#companion-persona")).to_have_value("Patient.")
    tab(page, "Talk")
    tab(page, "Companions")
    expect(page.locator("#companion-persona")).to_have_value("Patient.")


def test_who_logs_in_may_choose_and_not_edit(serve: Serve, auth: Path) -> None:
    """The panel says so, and has no button for it."""
    served = serve(samples=False, auth=auth)
    Companions(served.home).create(Character("Robin").with_texts("en", {"greeting": "Hm."}))
    page = served.log_in("Ada", ADA)
    tab(page, "Companions")
    expect(page.locator("#companions")).to_contain_text("Whoever runs this page")
    expect(page.locator("#companions button")).to_have_count(0)
    page.get_by_role("link", name="Talk with Robin").click()
    expect(page).to_have_title("Robin")
    say(page, "The tin is green.")
    expect(page.locator("#chat .bot")).to_have_count(2)  # the greeting, and the answer
    assert served.store.exists(Scope.of("Ada", "Robin"))


@pytest.mark.parametrize("name", ["Nobody", "..%2Fpeople", "%00"])
def test_an_address_with_no_companion_opens_nothing(serve: Serve, name: str) -> None:
    """It says so plainly, whoever made it up."""
    served = serve(samples=False)
    answer = httpx.get(f"{served.url}?companion={name}", headers={"accept-language": "zh-CN"})
    assert answer.status_code == 404
    assert "sf-main" not in answer.text
    assert "没有" in answer.text or "名字" in answer.text
