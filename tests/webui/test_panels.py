"""The panels beside the talk: finding, mending and carrying memories, in either language."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from siliconfriend.texts import Language, area
from tests.webui.conftest import ACTIONS, Serve, act, card, say, switch_language, tab, told

HARMFUL = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title='owned'\">"
TEMPLATE = "${document.title = 'owned'} {{value}} `"

EVERY_TEXT = """
() => {
    const found = [];
    for (const it of document.querySelectorAll('body *')) {
        if (it.closest('script, style')) continue;
        for (const node of it.childNodes) if (node.nodeType === 3) found.push(node.textContent);
        for (const name of ['placeholder', 'aria-label', 'title'])
            found.push(it.getAttribute(name) || '');
        if (it.tagName === 'INPUT') found.push(it.value);
    }
    return found.map((it) => it.trim()).filter((it) => it);
}
"""

ALL_ARE_OF_KIND = """
(kind) => {
    const heads = document.querySelectorAll('#memories .sf-kind');
    const cards = document.querySelectorAll('#memories [data-memory]');
    return heads.length > 0 && heads.length === cards.length
        && [...heads].every((it) => it.innerText === kind);
}
"""


def labels(language: Language) -> set[str]:
    """Every text of the page that stands alone."""

    def strings(it: Any) -> Iterator[str]:
        if isinstance(it, Mapping | list):
            for value in it.values() if isinstance(it, Mapping) else it:
                yield from strings(value)
        elif "{" not in it:
            yield it.removeprefix("### ").strip()

    areas = ("web", "web_panels", "web_talk")
    return {words for it in areas for words in strings(area(it, language))}


def shown(page: Page) -> set[str]:
    """Every text that is anywhere on the page."""
    return set(page.evaluate(EVERY_TEXT))


def search(page: Page, words: str) -> None:
    """Look for words in the memories."""
    page.fill("#sf-search", words)
    page.press("#sf-search", "Enter")


def choose(page: Page, which: str, name: str) -> None:
    """Choose from a dropdown."""
    page.select_option(f"#sf-{which}", label=name)


def run_night(page: Page, label: str, words: str) -> None:
    """Run the night from its panel and wait for the report."""
    tab(page, label)
    page.click("#night-run")
    expect(page.locator("#night-reports")).to_contain_text(words)


def test_the_language_turns_every_label_at_once(serve: Serve) -> None:
    """After all panels were seen in English none of their words is left, and back again."""
    english, chinese = labels("en") - labels("cn"), labels("cn") - labels("en")
    served = serve()
    page = served.talk_as("Maya")
    for name, shows in (
        ("Memories", "#memories .sf-card"),
        ("Portrait", "#portrait .sf-glance"),
        ("Fading", "#policy p"),
        ("Night", "#night-reports p"),
        ("Talk", "#chat .user"),
    ):
        tab(page, name)
        expect(page.locator(shows).first).to_be_visible()
    assert len(shown(page) & english) > 40
    switch_language(page)
    expect(page.locator("#policy")).to_contain_text("归档")
    expect(page.locator("#remembered")).to_contain_text("这段对话留下的记忆")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    assert page.title() == "硅友"
    assert shown(page) & english == set()
    assert len(shown(page) & chinese) > 25
    switch_language(page)
    expect(page.locator("#policy")).to_contain_text("archive")
    expect(page.locator("#remembered")).to_contain_text("This exchange as a memory")
    expect(page.locator("#night-reports")).to_contain_text("no night")
    assert shown(page) & chinese == set()


def test_memories_are_found_filtered_and_mended(serve: Serve) -> None:
    """By words, by kind and by state; an edit shows at once and is on disk."""
    served = serve()
    page = served.talk_as("Maya")
    run_night(page, "Night", "summed up")
    tab(page, "Memories")
    expect(page.locator("#memories")).to_contain_text("in the archive.")
    search(page, "otters")
    expect(card(page, "memories", "two otters sharing a crab")).to_be_visible()
    search(page, "")
    choose(page, "kind", "summary of the day")
    page.wait_for_function(ALL_ARE_OF_KIND, arg="summary of the day")
    choose(page, "kind", "All")
    choose(page, "state", "vivid")
    expect(page.locator("#memories .sf-archived")).to_have_count(0)
    choose(page, "state", "All")
    search(page, "otters")
    act(page, "memories", "two otters sharing a crab", "Edit")
    page.fill("#sf-words", "I saw three herons at Harrow Light.")
    page.locator("#sf-correct .sf-primary").click()
    told(page, "Corrected")
    search(page, "herons")
    expect(card(page, "memories", "three herons")).to_be_visible()
    assert any("three herons" in turn.query for turn in served.memory("Maya").turns())


def test_a_memory_is_carried_out_and_in_again(serve: Serve, tmp_path: Path) -> None:
    """The download holds everything; imported under the same name elsewhere it is all there."""
    served = serve()
    page = served.talk_as("Maya")
    tab(page, "Memories")
    with page.expect_download() as native:
        page.click("#export-native")
    with page.expect_download() as bank:
        page.click("#export-bank")
    path = tmp_path / "bank.json"
    bank.value.save_as(path)
    held = json.loads(path.read_text(encoding="utf-8"))
    days = held["Maya"]["history"]
    assert sum(map(len, days.values())) == len(list(served.memory("Maya").turns()))
    assert "otters" in native.value.path().read_text(encoding="utf-8")

    other = serve(samples=False, home=tmp_path / "elsewhere")
    page = other.talk_as("Maya")
    tab(page, "Memories")
    expect(page.locator("#memories")).to_contain_text("Nothing is remembered yet")
    page.set_input_files("#import", path)
    expect(page.locator("#import-export-notice")).to_contain_text("turns are new")
    expect(page.locator("#memories .sf-card").first).to_be_visible()
    assert len(list(other.memory("Maya").turns())) == len(list(served.memory("Maya").turns()))


def test_a_wrong_portrait_is_put_right(serve: Serve) -> None:
    """Each text names the days it rests on; the right words stay, as the person's own."""
    served = serve()
    page = served.talk_as("Maya")
    run_night(page, "Night", "summed up")
    # What is read from the index may take long: all else stands before it.
    page.route("**/memories/portrait?*ahead=true*", lambda _: None)
    tab(page, "Portrait")
    expect(page.locator("#portrait .sf-glance")).to_be_visible()
    page.unroute("**/memories/portrait?*ahead=true*")
    story = page.locator("#portrait details[data-part=overall_history]")
    story.locator("summary").first.click()
    story.get_by_role("button", name=ACTIONS).click()
    story.get_by_role("menuitem", name="Put this right").click()
    page.fill("#sf-words", "I grew up at the shipyard.")
    page.locator("#sf-correct .sf-primary").click()
    told(page, "Corrected")
    expect(story).to_contain_text("I grew up at the shipyard.")
    expect(story).to_contain_text("In your own words")
    overall = served.memory("Maya").overall_history
    assert overall is not None
    assert overall.text == "I grew up at the shipyard."


def test_no_words_of_a_memory_can_act_in_any_panel(serve: Serve) -> None:
    """Tags and templates that were said are shown as they are, in every list of memories."""
    served = serve(samples=False, watched=True)
    page = served.talk_as("Ada")
    say(page, f"{HARMFUL} {TEMPLATE}")
    expect(page.locator("#remembered .sf-card")).to_contain_text("{{value}}")
    tab(page, "Memories")
    expect(page.locator("#memories .sf-card")).to_contain_text("<script>")
    expect(page.locator("#memories .sf-card")).to_contain_text("${document.title = 'owned'}")
    act(page, "memories", "<script>", "Erase")
    expect(page.locator("#sf-erase")).to_contain_text("<script>")
    page.keyboard.press("Escape")
    expect(page.locator("#sf-erase")).to_have_count(0)
    tab(page, "Fading")
    expect(page.locator("#curves")).to_contain_text("<script>")
    assert page.locator("#memories img, #remembered img, #curves img, #chat img").count() == 0
    assert page.title() == "SiliconFriend"
    assert [it for it in served.requests if not it.startswith((served.url, "data:"))] == []


def test_an_empty_page_says_what_to_do(serve: Serve) -> None:
    """Whoever has said nothing yet is told so in words by every panel, on a phone as well."""
    served = serve(samples=False)
    page = served.talk_as("Zoe", viewport={"width": 390, "height": 800}, color_scheme="dark")
    for name, where, words in (
        ("Memories", "memories", "Nothing is remembered yet"),
        ("Portrait", "portrait", "There is no portrait yet"),
        ("Fading", "curves", "Nothing is remembered yet"),
        ("Night", "night-reports", "There has been no night yet"),
    ):
        tab(page, name)
        expect(page.locator(f"#{where}")).to_contain_text(words)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
