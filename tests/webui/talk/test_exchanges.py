"""The talk in the hands of the person: stopped, asked again, reworded, taken back, not kept."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from playwright.sync_api import Dialog, expect

from siliconfriend.errors import ModelUnavailable
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from tests.webui.conftest import Serve, bots, files_with, say, switch_language, users


def test_what_was_said_until_the_stop_is_kept(serve: Serve) -> None:
    """While the model is silent all its words are shown and the button is heard at once."""
    may_go_on = threading.Event()

    def answer(_: Sequence[Message]) -> Iterable[str]:
        yield "The boat"
        yield " was"
        assert may_go_on.wait(60)
        yield " blue."

    model = ScriptedChatModel(otherwise=answer)
    served = serve(chat=model, samples=False)
    page = served.talk_as("Ada")
    expect(page.locator("#stop")).to_be_disabled()
    say(page, "Which colour was it?")
    bots(page, "The boat was")
    page.click("#stop")
    expect(page.locator("#chat .talk-end")).to_contain_text("What was said so far is kept")
    expect(page.locator("#stop")).to_be_disabled()
    bots(page, "The boat was")
    may_go_on.set()
    say(page, "And now?")
    bots(page, "The boat was blue.", "The boat was blue.")
    first = next(served.memory("Ada").turns())
    assert first.response.startswith("The boat was")
    assert first.interrupted


def test_a_second_message_waits_in_line(serve: Serve) -> None:
    """What is typed right after Enter belongs to it; it says that it waits, and can be taken back."""
    may_go_on = threading.Event()

    def answer(messages: Sequence[Message]) -> Iterable[str]:
        yield "You said: "
        assert may_go_on.wait(60)
        yield messages[-1].content

    served = serve(chat=ScriptedChatModel(otherwise=answer), samples=False)
    page = served.talk_as("Ada")
    page.locator("#message textarea").focus()
    page.keyboard.type("Which colour was it?\nAnd the oars?\nAnd the sail?\nAnd")
    users(page, "Which colour was it?", "And the oars?", "And the sail?")
    expect(page.locator("#message textarea")).to_have_value("And")
    waiting = page.locator("#chat [data-state=waiting]")
    expect(waiting).to_have_count(2)
    expect(waiting.first).to_contain_text("waits until this reply has ended")
    expect(page.locator("[data-line-act]")).to_have_count(0)
    waiting.last.get_by_role("button", name="Take it back").click()
    expect(waiting).to_have_count(1)
    may_go_on.set()
    bots(page, "You said: Which colour was it?", "You said: And the oars?")
    users(page, "Which colour was it?", "And the oars?")
    expect(page.locator("#message textarea")).to_have_value("And")
    page.fill("#message textarea", "  ")
    page.keyboard.press("Enter")
    users(page, "Which colour was it?", "And the oars?")
    assert len(list(served.memory("Ada").turns())) == 2


def test_a_message_is_answered_again_reworded_and_taken_back(serve: Serve) -> None:
    """Each leaves one exchange or none, in the page and on disk; the words come back at last."""
    served = serve(chat=ScriptedChatModel(["One.", "Two.", "Three."]), samples=False)
    page = served.talk_as("Ada")
    say(page, "Count for me.")
    bots(page, "One.")
    page.click("[data-line-act=again]")
    bots(page, "Two.")
    users(page, "Count for me.")
    page.click("[data-line-act=reword]")
    expect(page.locator(".talk-reword textarea")).to_have_value("Count for me.")
    page.fill(".talk-reword textarea", "Count on, please.")
    page.click(".talk-reword [type=submit]")
    bots(page, "Three.")
    users(page, "Count on, please.")
    assert [it.query for it in served.memory("Ada").turns()] == ["Count on, please."]
    page.click("[data-line-act=undo]")
    expect(page.locator("#message textarea")).to_have_value("Count on, please.")
    expect(page.locator("#chat .user")).to_have_count(0)
    assert list(served.memory("Ada").turns()) == []
    assert files_with(served.home, "Count on") == []


def test_off_the_record_nothing_is_kept(serve: Serve) -> None:
    """The line is marked, no file holds it, and a reload shows that it is gone."""
    served = serve(samples=False)
    page = served.talk_as("Ada", alone=True)
    say(page, "My boat is called Wren.")
    expect(page.locator("#chat .bot")).to_have_count(1)
    page.check("#off-record input")
    say(page, "The treasure is in the barn.")
    expect(page.locator("#chat .bot")).to_have_count(2)
    expect(page.locator("#chat .is-off-record")).to_contain_text("off the record")
    expect(page.locator("#remembered")).to_contain_text("off the record")
    assert files_with(served.home, "barn") == []
    # Unanswered it stands in this tab alone, and the browser asks before it is lost.
    page.route("**/talk/say", lambda _: None)
    say(page, "The map is in the well.")
    expect(page.locator("#chat .user")).to_have_count(3)
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.reload()
    assert asked == ["beforeunload"]
    users(page, "My boat is called Wren.")


def test_a_wish_not_to_be_remembered_is_told_and_can_be_taken_back(serve: Serve) -> None:
    """Said in words or by the button the exchange is marked, and one press unmarks it."""
    served = serve(samples=False)
    page = served.talk_as("Ada")
    say(page, "My tin is under the step. Don't remember this.")
    expect(page.locator("#chat-notice")).to_contain_text("the next night removes it")
    assert [it.unkept for it in served.memory("Ada").turns()] == [True]
    page.locator("#chat-notice").get_by_role("button", name="Remember it after all").click()
    expect(page.locator("#chat-notice")).to_contain_text("remembered after all")
    assert [it.unkept for it in served.memory("Ada").turns()] == [False]
    switch_language(page)
    expect(page.locator("#chat-notice")).to_contain_text("又见面了")  # the change has ended
    page.click("[data-line-act=unkeep]")
    expect(page.locator("#sf-notices")).to_contain_text("下一次夜间整理时清除")
    assert [it.unkept for it in served.memory("Ada").turns()] == [True]


def test_a_model_that_fails_loses_no_word(serve: Serve) -> None:
    """The failure is told, the person's words stand, and so does an answer that was to be better."""
    failing = ModelUnavailable("model_unreachable", address="http://here")
    model = ScriptedChatModel([failing, "Here I am.", ["Or", failing], failing])
    served = serve(chat=model, samples=False)
    page = served.talk_as("Ada")
    say(page, "Are you there?")
    expect(page.locator("#chat-notice")).to_contain_text("⚠")
    users(page, "Are you there?")
    expect(page.locator("#chat .talk-end")).to_contain_text("What you said is kept")
    page.click(".talk-end .talk-again")
    bots(page, "Here I am.")
    page.click("[data-line-act=again]")
    expect(page.locator("#chat-notice")).to_contain_text("the one before it stays")
    bots(page, "Here I am.")
    page.click("[data-line-act=reword]")
    page.fill(".talk-reword textarea", "Are you here?")
    page.click(".talk-reword [type=submit]")
    expect(page.locator("#chat-notice")).to_contain_text("http://here")
    bots(page, "Here I am.")
    users(page, "Are you there?")


def test_an_earlier_exchange_can_be_looked_at_again(serve: Serve) -> None:
    """Choosing a line shows what was remembered for that reply, and its own card."""
    served = serve(samples=False)
    page = served.talk_as("Ada")
    say(page, "My boat is called Wren.")
    expect(page.locator("#chat .bot")).to_have_count(1)
    say(page, "What is my boat called?")
    expect(page.locator("#chat .bot")).to_have_count(2)
    beside = page.locator("#remembered")
    expect(beside.locator("details")).to_have_count(1)
    page.locator("#chat .user").first.click()
    expect(beside).to_contain_text("I called nothing to mind")
    expect(beside.locator(".sf-card")).to_have_count(1)
