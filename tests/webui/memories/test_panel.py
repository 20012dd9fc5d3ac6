"""The timeline as one uses it: by keys alone, and on a phone over years of days."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.webui.conftest import ACTIONS, Serve, tab, told


def test_a_memory_is_erased_by_keys_alone(serve: Serve) -> None:
    """Arrows and End go through the menu; Esc leads back to its button, also from the question.

    There "Erase for good" is a Tab away.
    """
    served = serve()
    page = served.talk_as("Maya")
    tab(page, "Memories")
    first = page.locator("#memories .sf-card").first
    expect(first).to_be_visible()
    identifier = str(first.get_attribute("data-memory"))
    button = first.get_by_role("button", name=ACTIONS).first
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Pin")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("menuitem", name="Erase")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("erased for good")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    expect(page.get_by_role("menuitem", name="Erase")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=re.compile("^Erase for good: “"))).to_be_focused()
    page.keyboard.press("Enter")
    told(page, "it is in none of them")
    assert served.memory("Maya").find(identifier) is None
    expect(page.locator(f"#memories [data-memory='{identifier}']")).to_have_count(0)


def test_days_are_gone_to_and_lines_lead_to_the_talk_on_a_phone(serve: Serve) -> None:
    """The newest day first, in Chinese; an address leads to a day, a card to its line."""
    served = serve()
    phone = {"viewport": {"width": 390, "height": 844}, "locale": "zh-CN"}
    page = served.talk_as("林晓", **phone)
    tab(page, "记忆")
    days = page.locator("#memories .sf-day")
    expect(days.first.locator("h3 time")).to_be_visible()
    dates = [it.get_attribute("data-day") for it in days.all()]
    assert dates == sorted(served.memory("林晓").days, reverse=True)
    lines = days.first.locator("article p:first-child").all_text_contents()
    said = [turn.query for turn in served.memory("林晓").days[str(dates[0])].turns]
    assert [it for it in lines if it in said] == said
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate("location.hash = '#/memories?day=2026-05-10'")
    there = page.locator("#memories .sf-day:has(time[datetime='2026-05-10'])")
    expect(there).to_be_in_viewport()
    there.get_by_role("link", name="回到对话").first.click()
    expect(page).to_have_url(re.compile("#/chat[?]line=turn-.*-0-"))
