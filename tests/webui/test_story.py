"""A person's days with the page: what they remember, put away, bring back and destroy."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.webui.conftest import (
    ACTIONS,
    Serve,
    act,
    bot,
    card,
    erase_for_good,
    files_with,
    say,
    switch_language,
    tab,
    told,
)

OTTERS = "two otters sharing a crab"
UNPIN = """id => document.dispatchEvent(
    new CustomEvent("sf:act", {detail: {act: "unpin", id}}))"""


def test_a_memory_is_pinned_put_away_brought_back_and_erased(serve: Serve) -> None:
    """All of it from beside the reply that it was recalled for; erased it is in no file."""
    served = serve()
    page = served.talk_as("Maya")
    say(page, "What did I see at Harrow Light?")
    bot(page, OTTERS)
    beside = card(page, "remembered", OTTERS)
    expect(beside.locator(".sf-why")).to_contain_text("has words that you used")
    expect(beside.get_by_text("Score")).to_be_hidden()
    identifier = str(beside.get_attribute("data-memory"))

    act(page, "remembered", OTTERS, "Pin")
    told(page, "Pinned")
    expect(beside).to_contain_text("never fades")
    pinned = served.memory("Maya").find(identifier)
    assert pinned is not None
    assert pinned.trace.pinned

    act(page, "remembered", OTTERS, "Forget")
    told(page, "Put away")
    expect(beside).to_contain_text("archived")
    act(page, "remembered", OTTERS, "Restore")
    told(page, "Back again")
    expect(beside).to_contain_text("vivid")

    assert files_with(served.home, OTTERS)
    # The cards are drawn anew whenever the talk changes: a menu that is open meanwhile stays open.
    beside.get_by_role("button", name=ACTIONS).first.click()
    page.evaluate(UNPIN, identifier)
    expect(beside.get_by_role("menuitem", name="Pin", exact=True)).to_be_visible()
    expect(beside.get_by_role("menuitem").first).to_be_focused()
    beside.get_by_role("menuitem", name="Erase", exact=True).click()
    erase_for_good(page, OTTERS)
    told(page, "it is in none of them any more")
    assert files_with(served.home, OTTERS) == []
    expect(page.locator("#chat")).not_to_contain_text(OTTERS)

    tab(page, "Memories")
    page.fill("#sf-search", "otters crab Harrow Light")
    page.press("#sf-search", "Enter")
    expect(page.locator("#memories")).not_to_contain_text(OTTERS)
    expect(page.locator("#memories .sf-card").first).to_be_visible()


def test_a_reload_goes_on_where_it_stopped(serve: Serve) -> None:
    """The name, the talk and the language are there again, and the talk goes on."""
    served = serve(samples=False)
    page = served.talk_as("Ada")
    say(page, "My boat is called Wren.")
    expect(page.locator("#chat .bot")).to_have_count(1)
    switch_language(page)
    page.reload()
    expect(page.locator("#chat-notice")).to_contain_text("Ada，又见面了")
    expect(page.locator("#chat .user")).to_have_text(["My boat is called Wren."])
    expect(page.locator("#sf-who")).to_have_text("Ada")
    say(page, "What is my boat called?")
    expect(page.locator("#chat .bot")).to_have_count(2)
    assert len(list(served.memory("Ada").turns())) == 2


def test_a_chinese_person_sees_and_erases_their_own_words(serve: Serve) -> None:
    """The reply names the day, the memory beside it says so too, and erasing proves itself."""
    served = serve(language="cn")
    page = served.talk_as("林晓", locale="zh-CN")
    named = page.locator("#chat .bot", has_text="5月10日")
    before = named.count()
    say(page, "老码头那条渡船是谁做的？")
    expect(named).not_to_have_count(before)
    expect(page.locator("#remembered h4").first).to_have_text("5月10日")
    parts = page.locator("#remembered td:first-child").all_text_contents()
    assert parts
    assert [it for it in parts if it.isascii()] == []
    words = "陆水生"
    act(page, "remembered", words, "固定")
    told(page, "已固定")
    act(page, "remembered", words, "忘掉")
    told(page, "已收进归档")
    act(page, "remembered", words, "恢复")
    told(page, "已恢复")
    line = "码头边上倒扣着一条旧木渡船"
    act(page, "remembered", line, "删除")
    erase_for_good(page, line)
    told(page, "哪里都没有它了")
    assert files_with(served.home, line) == []


def test_the_slider_tells_what_would_be_left(serve: Serve) -> None:
    """A memory of today is vivid in a week and archived in two years; the pointer reads it."""
    served = serve(samples=False)
    page = served.talk_as("Ada")
    say(page, "My boat is called Wren.")
    expect(page.locator("#chat .bot")).to_have_count(1)
    tab(page, "Fading")
    expect(page.locator("#curves polyline")).to_have_count(1)
    expect(page.locator("#policy")).to_contain_text("R = e^(-(t/")
    left = page.locator("#curves [data-left]")
    for days, words in (("7", "1 vivid, 0 faded, 0 in"), ("700", "0 vivid, 0 faded, 1 in")):
        page.locator("#days-ahead input[type=range]").fill(days)
        expect(left).to_contain_text(f"In {days} days")
        expect(left).to_contain_text(words)
        expect(page.locator("#curves svg text", has_text=f"in {days} days")).to_be_visible()
        page.locator("#curves .sf-plot svg").hover()
        # Halfway across the drawing is the third of seven days; e^(-3 / 43.3) is 0.93.
        share = {"7": "A 93%", "700": "A 0%"}[days]
        expect(page.locator("#curves .sf-readout b")).to_have_text(share)
    plot = page.get_by_role("slider", name="Retention of the chosen memories")
    plot.press("Home")
    expect(plot).to_have_attribute("aria-valuetext", "today: A 100%")
    plot.press("ArrowRight")
    expect(plot).to_have_attribute("aria-valuetext", "tomorrow: A 98%")  # e^(-1 / 43.3)


def test_a_night_runs_for_oneself_and_is_reported(serve: Serve) -> None:
    """A look changes nothing; the night itself sums up, and its report stays."""
    served = serve()
    page = served.talk_as("Maya")
    tab(page, "Night")
    expect(page.locator("#night-reports")).to_contain_text("no night yet")
    before = (served.memory("Maya"), served.memory("林晓"))
    page.click("#night-dry")
    expect(page.locator("#night-progress")).to_contain_text("Maya")
    assert served.memory("Maya") == before[0]
    page.click("#night-run")
    expect(page.locator("#night-reports")).to_contain_text("summed up")
    expect(page.locator("#panel-night .sf-night")).to_have_count(1)
    expect(page.locator("#night-progress")).to_contain_text("Done.")
    after = served.memory("Maya")
    assert after.overall_history is not None
    assert after.overall_history != before[0].overall_history
    assert served.memory("林晓") == before[1]
    tab(page, "Portrait")
    expect(page.locator("#portrait")).to_contain_text("Pieced together from what you said.")


def test_what_would_archive_nearly_all_waits_for_a_yes(serve: Serve) -> None:
    """Months after the last talk the night archives nothing and says so; with the box it does."""
    served = serve()
    page = served.talk_as("Maya")
    tab(page, "Night")
    page.click("#night-run")
    expect(page.locator("#night-reports")).to_contain_text("you still have them all")
    turns = list(served.memory("Maya").turns())
    assert [it for it in turns if it.trace.archived] == []
    page.get_by_label("Let go of all that has faded").check()
    page.click("#night-run")
    expect(page.locator("#night-reports .sf-card")).to_have_count(2)
    archived = [it for it in served.memory("Maya").turns() if it.trace.archived]
    assert len(archived) > len(turns) / 2


def test_what_is_pressed_before_the_panels_are_the_person_s_is_done_for_them(serve: Serve) -> None:
    """The panels are nobody's, then Maya's: "Run my night" waits, and runs hers."""
    served = serve()
    page = served.visit()
    held: list[Route] = []
    page.route(
        "**/gradio_api/queue/join*", lambda it: it.continue_() if let_go else held.append(it)
    )
    let_go = False
    page.fill("#name", "Maya")
    page.click("#start")
    tab(page, "Night")
    page.get_by_label("Let go of all that has faded").click()
    page.click("#night-run")
    assert page.locator("html").get_attribute("data-settled") != "Maya"
    let_go = True
    for it in held:
        it.continue_()
    expect(page.locator("#night-reports .sf-card")).to_have_count(1)
    expect(page.locator("#night-progress")).to_contain_text("Done.")
    assert served.memory("Maya").overall_history
    assert [it for it in served.memory("Maya").turns() if it.trace.archived]
