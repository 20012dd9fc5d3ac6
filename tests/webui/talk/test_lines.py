"""What stands at each line of the talk, and what can be done there, in a browser."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from playwright.sync_api import Locator, Page, expect

from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.changes import Erase, PutDerived, PutTurn
from siliconfriend.memory.records import Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.memory.people import a_turn, an_insight
from tests.webui.conftest import Serve, Served, bot, bots, say, switch_language, tab

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
CHINESE: dict[str, Any] = {"locale": "zh-CN"}
NORA = Scope.of("Nora")
MARKDOWN = """\
**Three things**, see https://example.org/a:

- one
- two

```python
print("soup")
```

![a map](https://example.org/map.png)
<img src=x onerror=alert(1)>\
"""


def lines(page: Page) -> Locator:
    """The lines of the talk."""
    return page.locator("#chat .talk-line")


def act(line: Locator, name: str) -> Locator:
    """A button at a line."""
    return line.locator(f'[data-line-act="{name}"]')


def separators(page: Page, *words: str) -> None:
    """Wait until these stand between the lines."""
    expect(page.locator("#chat .talk-separator")).to_have_text(list(words))


def large_enough(buttons: Locator) -> None:
    """Each can be met by a finger."""
    for it in buttons.all():
        box = it.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def remember(served: Served, *said: tuple[str, str], zone: str = "Europe/Berlin") -> None:
    """Let Nora have said these words at these moments."""
    created = datetime.fromisoformat("2020-01-01T00:00+00:00")
    served.store.create(NORA, Profile("Nora", "en", zone, created))
    with served.store.edit(NORA) as edit:
        for place, (moment, words) in enumerate(said):
            turn = a_turn(words, "I see.", day=moment[:10], position=place, scope=NORA)
            edit.add(PutTurn(replace(turn, time=datetime.fromisoformat(moment))))


def test_a_reply_is_drawn_as_markdown_in_which_nothing_loads(serve: Serve) -> None:
    """While it is written and after a reload; code is copied by a button; words stay words."""
    served = serve(chat=ScriptedChatModel([MARKDOWN]), samples=False, watched=True)
    page = served.talk_as("Ada", permissions=["clipboard-read", "clipboard-write"])
    say(page, "What **should** I pack?")
    for _ in range(2):
        reply = page.locator("#chat .bot")
        expect(reply.locator("strong")).to_have_text("Three things")
        expect(reply.locator("li")).to_have_text(["one", "two"])
        expect(reply.locator("img")).to_have_count(0)
        expect(reply).to_contain_text("<img src=x onerror=alert(1)>")
        link = reply.get_by_role("link", name="https://example.org/a")
        expect(link).to_have_attribute("target", "_blank")
        expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
        expect(page.locator("#chat .user")).to_have_text("What **should** I pack?")
        page.reload()
    reply.get_by_role("button", name="Copy").click()
    expect(reply.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == 'print("soup")'
    assert not [it for it in served.requests if "example.org" in it]


def test_days_and_times_stand_on_the_persons_clock(serve: Serve, clock: MovingClock) -> None:
    """In both languages, wherever the browser is; a day that begins renames the one before."""
    served = serve(chat=ScriptedChatModel(otherwise=lambda _: ["Yes."]), samples=False)
    remember(
        served,
        ("2025-11-20T08:05+00:00", "A year ago."),
        ("2026-11-14T23:30+00:00", "A week ago."),
        ("2026-11-16T06:00+00:00", "On Monday."),
        ("2026-11-20T21:40+00:00", "Last night."),
        ("2026-11-21T07:00+00:00", "This morning."),
    )
    page = served.talk_as("Nora", timezone_id="Asia/Tokyo")
    old = ["Thursday, 20 November 2025", "Saturday, 14 November 2026", "Monday"]
    separators(page, *old[:1], *old[1:], "Yesterday", "Today")
    times = page.locator("#chat .line-time")
    expect(times).to_have_text(["09:05", "00:30", "07:00", "22:40", "08:00"])
    switch_language(page)
    separators(page, "2025年11月20日星期四", "2026年11月14日星期六", "星期一", "昨天", "今天")
    switch_language(page)
    clock.moment = datetime.fromisoformat("2026-11-22T05:00+00:00")
    say(page, "A new day.")
    separators(page, *old, "Friday", "Yesterday", "Today")
    expect(times.last).to_have_text("06:00")


def test_what_came_since_the_last_visit_is_marked_as_new(serve: Serve) -> None:
    """From another device, say; after the next visit it is new no more."""
    served = serve(samples=False)
    remember(served, ("2026-11-20T09:00+00:00", "Seen."))
    page = served.talk_as("Nora")
    separators(page, "Yesterday")
    page.goto("about:blank")
    later = a_turn("Said at the terminal.", "Yes.", day="2026-11-20", position=1, scope=NORA)
    with served.store.edit(NORA) as edit:
        edit.add(PutTurn(later))
    page.goto(served.url)
    separators(page, "Yesterday", "New since your last visit")
    expect(page.locator(".talk-new + .talk-line .user")).to_have_text("Said at the terminal.")
    page.reload()
    expect(lines(page)).to_have_count(2)
    separators(page, "Yesterday")


def test_a_line_is_forgotten_and_remembered_again(serve: Serve) -> None:
    """At once and after a reload it looks so; a small notice undoes it, by finger and in Chinese."""
    served = serve(samples=False)
    remember(
        served,
        ("2026-11-20T09:00+00:00", "我的盒子在台阶下。"),
        ("2026-11-20T09:01+00:00", "下雨了。"),
    )
    page = served.talk_as("Nora", **PHONE, **CHINESE)
    first = lines(page).first
    large_enough(first.locator(".line-act"))
    act(first, "unkeep").tap()
    notice = page.locator("#sf-notices")
    expect(notice).to_contain_text("已忘记")
    expect(first).to_contain_text("不会记住")
    assert [it.unkept for it in served.memory("Nora").turns()] == [True, False]
    page.reload()
    expect(first).to_contain_text("不会记住")
    act(first, "rekeep").tap()
    expect(notice).to_contain_text("已记住")
    expect(first).not_to_contain_text("不会记住")
    notice.get_by_role("button", name="撤销").tap()
    expect(first).to_contain_text("不会记住")
    assert [it.unkept for it in served.memory("Nora").turns()] == [True, False]


def test_a_keyboard_reaches_what_can_be_done_at_every_line(serve: Serve) -> None:
    """One stop of Tab for the talk; arrows along a line and from line to line; each says of what."""
    served = serve(samples=False)
    remember(served, *((f"2026-11-20T09:0{it}+00:00", f"Line {it}.") for it in range(3)))
    page = served.talk_as("Nora")
    stops = page.locator('.line-act[tabindex="0"]')
    expect(stops).to_have_count(1)
    expect(stops).to_have_accessible_name("Copy: “Line 2.”")
    page.locator("#chat").focus()
    page.keyboard.press("Tab")
    expect(stops).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(act(lines(page).nth(1), "copy")).to_be_focused()
    page.keyboard.press("End")
    named = page.get_by_role("button", name="Don't remember this: “Line 1.”")
    expect(named).to_be_focused()
    page.keyboard.press("Enter")
    expect(lines(page).nth(1)).to_contain_text("not to be remembered")
    expect(page.get_by_role("button", name="Remember it after all: “Line 1.”")).to_be_focused()
    act(lines(page).first, "why").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#remembered .sf-card")).to_contain_text("Line 0.")


def test_answers_are_compared_and_either_is_kept(serve: Serve) -> None:
    """What stands changes only by choice; when the model fails nothing is lost."""
    failing = ModelUnavailable("model_unreachable", address="http://here")
    model = ScriptedChatModel(["One.", "*Two.*", failing, "Three.", "On."])
    served = serve(chat=model, samples=False)
    page = served.talk_as("Nora")
    say(page, "Count for me.")
    bots(page, "One.")
    last = lines(page).last
    act(last, "again").click()
    group = page.get_by_role("group", name="Answers to this message")
    expect(group).to_contain_text("2 of 2")
    expect(group).to_contain_text("The others can be looked at until your next message.")
    page.get_by_role("button", name="Earlier answer").click()
    bots(page, "One.")
    assert [it.response for it in served.memory("Nora").turns()] == ["*Two.*"]
    group.get_by_role("button", name="Keep this one").click()
    expect(group).to_contain_text("1 of 2")
    expect(group).to_contain_text("This one is kept")
    assert [it.response for it in served.memory("Nora").turns()] == ["One."]
    act(last, "again").click()
    expect(page.locator("#chat-notice")).to_contain_text("⚠")
    expect(group).to_contain_text("1 of 2")
    act(last, "reword").click()
    page.locator(".talk-reword textarea").fill("Count on.")
    page.get_by_role("button", name="Say it so").click()
    expect(group).to_contain_text("3 of 3")
    page.get_by_role("button", name="Earlier answer").click()
    expect(page.locator("#chat .user")).to_have_text("Count for me.")
    expect(page.locator("#chat .bot em")).to_have_text("Two.")
    group.get_by_role("button", name="Keep this one").click()
    expect(group).to_contain_text("2 of 3")
    page.reload()
    expect(group).to_contain_text("2 of 3")
    (turn,) = served.memory("Nora").turns()
    assert (turn.query, turn.response) == ("Count for me.", "*Two.*")
    say(page, "Good.")
    bot(page, "On.")
    expect(group).to_have_count(0)


def test_the_talk_is_searched_and_the_line_is_pointed_out(serve: Serve) -> None:
    """By words in any order, from the keyboard; scrolling goes on from there until now."""
    served = serve(samples=False)
    told = [f"Row {row} of beans." for row in range(120)]
    told[7] = "The otter slept by the sea."
    told[90] = "海边的旧地图"
    remember(served, *(("2026-11-19T09:00+00:00", words) for words in told))
    page = served.talk_as("Nora")
    expect(lines(page)).to_have_count(30)
    page.locator("body").press("Control+k")
    page.keyboard.type("sea OTT")
    found = page.locator(".talk-found a")
    expect(found).to_have_count(1)
    expect(found.locator("mark")).to_have_text(["otter", "sea"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    pointed = page.locator(".talk-line.is-found")
    expect(pointed).to_contain_text("The otter slept")
    expect(pointed).to_be_in_viewport()
    expect(page.locator("#talk-search")).to_be_hidden()
    expect(page.locator(".talk-past")).to_contain_text("earlier part of the talk")
    assert "line=turn-2026-11-19-7-" in page.url
    page.reload()
    expect(pointed).to_be_in_viewport()
    for _ in range(8):
        page.locator("#chat").evaluate("it => { it.scrollTop = it.scrollHeight; }")
        if lines(page).last.locator(".user").text_content() == "Row 119 of beans.":
            break
        expect(page.locator("#later")).not_to_be_in_viewport()
    expect(page.locator(".talk-past")).to_be_hidden()
    said = page.locator("#chat .user").all_text_contents()
    assert said[-120:] == told[-len(said) :]
    page.keyboard.press("/")
    page.keyboard.insert_text("地图 海边")
    expect(found).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#talk-search")).to_be_hidden()


def test_a_line_is_in_sight_also_where_its_panel_is_drawn_only_then(serve: Serve) -> None:
    """The talk may have been read before Gradio has drawn the panel that it is shown in."""
    served = serve(samples=False)
    remember(served, *(("2026-11-19T09:00+00:00", f"Row {row} of beans.") for row in range(90)))
    page = served.talk_as("Nora")
    (turns,) = (day.turns for day in served.memory("Nora").days.values())
    page.evaluate(
        "id => { talk = document.querySelector('.talk'); talk.remove(); location.hash = `#/chat?line=${id}`; }",
        turns[30].id,
    )
    page.wait_for_function("talk.querySelector('.is-found')")
    page.evaluate("document.dispatchEvent(new CustomEvent('sf-talk-place'))")
    pointed = page.locator(".talk-line.is-found")
    expect(pointed).to_contain_text("Row 30 of beans.")
    expect(pointed).to_be_in_viewport()


def test_earlier_lines_come_as_one_scrolls_and_the_view_keeps_its_place(serve: Serve) -> None:
    """None twice, none missing; what is said meanwhile stands at the end."""
    served = serve(samples=False)
    told = [f"Row {row} of beans." for row in range(100)]
    remember(served, *(("2026-11-19T09:00+00:00", words) for words in told))
    page = served.talk_as("Nora", **PHONE)
    expect(lines(page)).to_have_count(30)
    chat = page.locator("#chat")
    while lines(page).count() < 100:
        count = lines(page).count()
        top = page.locator(f"#chat .user:text-is('{told[100 - count]}')")
        chat.evaluate("it => { it.scrollTop = 5; }")
        expect(lines(page)).not_to_have_count(count)
        expect(top).to_be_in_viewport()
    assert page.locator("#chat .user").all_text_contents() == told
    expect(page.locator("#earlier")).to_be_hidden()


def test_a_memory_leads_to_the_place_where_it_was_said(serve: Serve) -> None:
    """Its card opens the talk there and Back leads back; what was erased is no place any more."""
    served = serve(samples=False)
    said = (("2026-11-18T09:00+00:00", f"Row {row} of beans.") for row in range(60))
    remember(served, *said)
    source, other, *_ = served.memory("Nora").turns()
    evidence = [source.id, other.id]
    thought = an_insight("Nora gardens.", evidence=evidence, day="2026-11-19", scope=NORA)
    with served.store.edit(NORA) as edit:
        edit.add(PutDerived(thought))
    page = served.talk_as("Nora")
    expect(lines(page).last).to_be_in_viewport()
    tab(page, "Memories")
    page.get_by_role("link", name="In the talk: Nora gardens.").click()
    found = page.locator(".talk-line.is-found")
    expect(found).to_contain_text("Row 0 of beans.")
    expect(found).to_be_in_viewport()
    with served.store.edit(NORA) as edit:
        edit.add(Erase((source.id, other.id)))
    act(found, "unkeep").click()
    expect(page.locator("#chat .user", has_text="Row 0 of")).to_have_count(0)
    page.go_back()
    expect(page.locator("#panel-memories")).to_be_visible()
    page.go_forward()
    expect(page.locator("#chat-notice")).to_contain_text("not there any more")
    expect(page.locator("#chat .user", has_text="Row 59")).to_be_in_viewport()
