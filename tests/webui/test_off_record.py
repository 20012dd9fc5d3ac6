"""Off the record is a state of the browser, which only the person ends."""

from typing import Any

from playwright.sync_api import Page, expect

from siliconfriend.testing import ScriptedChatModel
from tests.webui.conftest import SIZES, Serve, say

BUTTON, BANNER = "#off-record", ".talk-banner"


def is_off(page: Page) -> None:
    """Wait until a tab shows that nothing is kept."""
    expect(page.locator(BUTTON)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(BANNER)).to_be_visible()


def tell(page: Page, words: str) -> None:
    """Say something and wait for the reply; the exchange is marked as kept nowhere."""
    say(page, words)
    line = page.locator(".talk-line", has=page.get_by_text(words, exact=True))
    expect(line.locator(".bot")).to_be_visible()
    expect(line).to_have_class("talk-line is-aside")


@SIZES
def test_off_the_record_ends_by_the_persons_hand_alone(serve: Serve, size: dict[str, Any]) -> None:
    """Through a reload, a second tab, another language and a lost connection."""
    served = serve(chat=ScriptedChatModel(otherwise=lambda _: "Mm."))
    page = served.begin("Nora", **size)
    expect(page.locator(BANNER)).to_be_hidden()
    page.click(BUTTON)
    is_off(page)
    tell(page, "Secret one.")
    page.reload()
    is_off(page)
    tell(page, "Secret two.")
    page.click("#sf-language")
    is_off(page)
    tell(page, "Secret three.")
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(".talk-notice")).not_to_be_empty()
    page.context.set_offline(False)
    is_off(page)
    tell(page, "Secret four.")
    other = page.context.new_page()
    other.goto(served.url)
    is_off(other)
    tell(other, "Secret five.")
    assert not served.bank.person("Nora").is_known()
    other.click(f"{BANNER} button")
    for tab in (other, page):
        expect(tab.locator(BANNER)).to_be_hidden()
        expect(tab.locator(BUTTON)).to_have_attribute("aria-pressed", "false")
    say(page, "This may be kept.")
    kept = page.locator(".talk-line[data-state=whole]", has_text="This may be kept.")
    expect(kept).to_be_visible()
    assert [each.query for each in served.turns("Nora")] == ["This may be kept."]
