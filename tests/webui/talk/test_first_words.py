"""The page says first what is due, below what was said before, and once."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from siliconfriend.memory.import_export import import_bank
from siliconfriend.testing import MovingClock
from tests.cli.conftest import bank_of
from tests.webui.conftest import Serve, Served, bot, say

ZONE = ZoneInfo("UTC")
PLAN = "On 22 November I sit my harp exam."
SAID = "on 22 November you sit your harp exam"


def _tell_of_the_exam(served: Served, clock: MovingClock) -> None:
    bank = bank_of("Ada", ("2026-11-10", [(PLAN, "Good luck!")]))
    now = clock.now(ZONE)
    import_bank(served.store, bank, language="en", zone=ZONE, now=now)


def test_the_page_opens_with_what_is_due(serve: Serve, clock: MovingClock) -> None:
    """Behind the last words of the talk; it stays while one talks, and a second tab has it not."""
    served = serve(samples=False, speaks_first="yes")
    _tell_of_the_exam(served, clock)
    clock.set("2026-11-22T09:00+00:00")
    page = served.talk_as("Ada")
    expect(page.locator("#chat .bot").last).to_contain_text(SAID)
    say(page, "I slept well.")
    bot(page, "remember")
    shown = page.locator("#chat .bot").all_inner_texts()
    assert SAID in shown[-2]
    assert SAID not in shown[-1]
    again = served.talk_as("Ada")
    bot(again, "remember")
    assert [text for text in again.locator("#chat .bot").all_inner_texts() if SAID in text] == []


def test_unless_it_is_asked_to_the_page_waits(serve: Serve, clock: MovingClock) -> None:
    """Switched off, as it is for everybody at first, nothing is said unasked."""
    served = serve(samples=False)
    _tell_of_the_exam(served, clock)
    clock.set("2026-11-22T09:00+00:00")
    page = served.talk_as("Ada")
    expect(page.locator("#chat .bot").last).to_have_text("Good luck!")
