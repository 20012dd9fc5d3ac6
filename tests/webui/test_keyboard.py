"""The page by keyboard alone: at a desk and on a phone, in both languages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.webui.axe import faults
from tests.webui.conftest import DESKTOP, PANELS, SIZES, Serve, filled
from tests.webui.test_journeys import Slow

MOST_STOPS = 150

STOP = """async (goal) => {
  // What is asked for is there, and the letters have their last size: nothing moves any more.
  do await new Promise(requestAnimationFrame); while (document.querySelector("[data-busy]"));
  await document.fonts.ready;
  const held = document.activeElement;
  if (held === document.body) return { goal: false, fault: "", end: true };
  (window.stops ??= new Set()).add(held);
  const ring = held.type === "radio" && held.closest("label").matches("fieldset *") ? held.closest("label") : held;
  const [style, box] = [getComputedStyle(ring), ring.getBoundingClientRect()];
  const wide = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
  const seen = { left: box.left - wide, right: box.right + wide, top: box.top - wide, bottom: box.bottom + wide };
  let fault = style.outlineStyle === "solid" ? "" : "no ring";
  for (let around = ring.parentElement; around?.closest("#sf-main") && !ring.closest(":popover-open"); around = around.parentElement) {
    const room = around.getBoundingClientRect();
    const is_cut = seen.left < room.left || seen.right > room.right || seen.top < room.top || seen.bottom > room.bottom;
    if (getComputedStyle(around).overflowY !== "visible" && is_cut) fault = "cut off";
  }
  if (box.bottom < 0 || box.top > innerHeight) fault = "not in view";
  return { goal: Boolean(goal) && held.matches(goal), fault: fault && `${fault}: ${held.outerHTML.slice(0, 90)}`, end: false };
}"""
"""Looks at what is in focus: whether it is the goal, and what keeps somebody from seeing it."""

PASSED_OVER = """(panel) => [...document.querySelectorAll(":is(a[href], button, input:not([type=radio]:not(:checked)), textarea, summary):not([tabindex='-1'])")]
  .filter((each) => (each.closest(panel) || !each.closest("#sf-main")) && each.checkVisibility() && !window.stops.has(each))
  .map((each) => each.outerHTML.slice(0, 90))"""


def tab(page: Page, goal: str, key: str = "Tab") -> None:
    """Go from stop to stop, each of which can be seen, until one matches."""
    page.locator(f"{goal} >> visible=true").first.wait_for()
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        found = page.evaluate(STOP, goal)
        assert not found["fault"]
        if found["goal"]:
            return
    pytest.fail(f"no way to {goal}")


def press(page: Page, *goals: str) -> None:
    """Go to each and press it, which opens the way to the next."""
    for goal in goals:
        tab(page, goal)
        page.keyboard.press("Space" if "input" in goal else "Enter")


@contextmanager
def changing(page: Page) -> Iterator[None]:
    """Do something that changes memories, and wait until the panel was drawn with it.

    The stream of the talk tells of each change, perhaps after what was done is seen.
    """
    told = "new Promise((done) => document.addEventListener('sf:changed', done, { once: true }))"
    page.evaluate(f"window.told = {told}; undefined")
    yield
    page.evaluate(
        """async () => { await window.told;
        do await new Promise(requestAnimationFrame); while (document.querySelector("[data-busy]")); }"""
    )


def go(page: Page, panel: str) -> None:
    """Open a panel by its link, and wait until it is filled."""
    page.focus(f"#sf-nav [data-panel={panel}]")
    page.keyboard.press("Enter")
    expect(filled(page, panel)).to_be_visible()
    page.focus("#sf-main")


def walk(page: Page, panel: str) -> None:
    """Go through a panel from the first stop of the page to its end, passing nothing over."""
    go(page, panel)
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        found = page.evaluate(STOP, "")
        assert not found["fault"]
        if found["end"]:
            break
    else:
        pytest.fail(f"a trap in {panel}")
    assert page.evaluate(PASSED_OVER, f"#panel-{panel}") == []


@SIZES
def test_every_panel_is_used_by_keyboard(serve: Serve, size: dict[str, Any]) -> None:
    """All can be reached and seen, and what is done leaves the focus where it was, or beside it."""
    served = serve(samples=True)
    page = served.open(**size, reduced_motion="reduce")
    expect(page.locator("#username")).to_be_focused()
    tab(page, "[value=Maya]", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".talk-line").first).to_be_visible()
    go(page, "chat")
    press(page, "#model button")
    expect(page.locator("dialog [name=kind]").first).to_be_focused()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#model button")).to_be_focused()
    go(page, "memories")
    card = page.locator(".sf-card").first
    with changing(page):
        press(page, ".sf-card .sf-menu", "[data-act=pin]")
    expect(card.locator("[data-act=unpin]").first).to_be_attached()
    expect(card.locator(".sf-menu").first).to_be_focused()
    with changing(page):
        page.keyboard.press("Control+z")
    expect(card.locator("[data-act=pin]").first).to_be_attached()
    press(page, ".sf-card .sf-menu", "[data-act=erase]", "dialog [value=cancel]")
    expect(page.locator(".sf-card .sf-menu:focus")).to_have_count(1)
    page.keyboard.press("Shift+Tab")
    with changing(page):
        press(page, ".sf-card .sf-menu", "[data-act=erase]", "dialog .sf-danger")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#memories .sf-card :focus")).to_have_count(1)
    go(page, "memories")
    tab(page, "#memories [name=words]")
    page.keyboard.type("Harrow")
    expect(page.locator("#memories mark").first).to_be_visible()
    tab(page, "input[value=all]")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#memories .sf-card")).to_have_count(0)
    expect(page.locator("input[value=pinned]")).to_be_focused()
    press(page, "#carrying > summary")
    expect(page.locator("#carrying a")).to_have_count(2)
    press(page, "#carrying [data-view=import]")
    page.on("filechooser", lambda _: None)  # before it is asked for
    expect(page.locator("dialog [type=file]")).to_be_focused()
    with page.expect_file_chooser():
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    go(page, "story")
    with changing(page):
        press(page, "#night-run")
    expect(page.locator("#nights .sf-night")).to_be_visible()
    expect(page.locator("#night-run")).to_be_focused()
    press(page, "#story .sf-spark")
    expect(page.locator("dialog [type=range]")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("dialog[open]")).to_contain_text("31")
    page.keyboard.press("Escape")
    expect(page.locator("#story .sf-spark:focus")).to_have_count(1)
    go(page, "companions")
    press(page, "[data-act=edit]", "#companions p > a", "summary")
    page.focus("#sf-language")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-panel", "companions")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN" if size is DESKTOP else "en")
    for panel in PANELS:
        walk(page, panel)
        assert faults(page) == [], panel


@SIZES
def test_a_talk_is_had_by_keyboard(serve: Serve, size: dict[str, Any]) -> None:
    """Send, stop, again, reword, not to be remembered, take back, off the record."""
    slow = Slow()
    page = serve(chat=slow.model()).begin("Nora", **size, reduced_motion="reduce")
    rest = page.locator(".talk-box textarea" if size is DESKTOP else "#chat")
    expect(rest).to_be_focused()
    page.focus(".sf-skip")
    page.keyboard.press("Enter")
    expect(page.locator(".talk-box textarea")).to_be_focused()
    page.keyboard.type("One")
    page.keyboard.press("Enter")
    last = page.locator(".talk-line").last
    expect(page.locator("#chat .bot", has_text="1-2")).to_be_visible()
    press(page, "#stop")
    expect(last).to_have_attribute("data-state", "stopped")
    expect(rest).to_be_focused()
    slow.may_go_on.set()
    for act, answer in (("again", "2-5"), ("reword", "3-5")):
        tab(page, ".sf-menu", "Shift+Tab" if size is DESKTOP else "Tab")
        page.keyboard.press("Enter")
        press(page, f".sf-menu-items [data-act={act}]")
        if act == "reword":
            expect(page.locator(".talk-box textarea")).to_be_focused()
            page.keyboard.press("Enter")
        expect(last.locator(".bot")).to_contain_text(answer)
    tab(page, ".sf-menu", "Shift+Tab")
    page.keyboard.press("Enter")
    press(page, ".sf-menu-items [data-act=unkeep]")
    expect(last.locator("[data-act=rekeep]")).to_be_attached()
    page.keyboard.press("Enter")
    press(page, ".sf-menu-items [data-act=undo]")
    expect(page.locator(".talk-box textarea")).to_have_value("One")
    expect(page.locator(".talk-box textarea")).to_be_focused()
    tab(page, "#off-record", "Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator("#off-record:focus")).to_have_attribute("aria-pressed", "true")


def test_a_dialog_that_closes_leaves_the_focus_where_it_was_put_since(serve: Serve) -> None:
    """The browser tells of the closing later: the focus may have gone on by then."""
    page = serve(samples=True).open(**DESKTOP, reduced_motion="reduce")
    page.evaluate("document.body.focus()")
    tab(page, "[value=Maya]", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".talk-line").first).to_be_visible()
    go(page, "memories")
    page.locator("#carrying > summary").click()
    page.locator("#carrying [data-view=import]").click()
    expect(page.locator("dialog [type=file]")).to_be_focused()
    page.evaluate(
        """async () => {
          const closed = new Promise((done) => document.querySelector("dialog[open]").addEventListener("close", done));
          document.querySelector("dialog[open]").close();
          document.querySelector("#sf-nav [data-panel=story]").focus();
          await closed;
        }"""
    )
    expect(page.locator("#sf-nav [data-panel=story]")).to_be_focused()
