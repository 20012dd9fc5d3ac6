"""How soon each panel of the page stands, over a memory of years.

Somebody told four things a day on 1,250 days (5,000 turns), and a night has read them without a
model. Each panel is opened in Chromium by its name in the bar, right after the page was started
and once more, and the seconds are taken until what it shows first is drawn; the talk's until its
newest line stands. ``python benchmarks/panels.py [--keep FOLDER]``: the memory is kept there and
taken again, since the night takes minutes.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings, load_settings, prepare_home
from siliconfriend.memory.import_export import import_bank
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.run import run_night
from siliconfriend.runtime import Runtime
from tests.webui.chromium import find_chromium
from tests.webui.drawn_panels import DRAWN
from webui.app import launch

NAME, DAYS, A_DAY = "Nora", 1250, 4
FIRST = date(2022, 1, 1)
NOW = datetime(2026, 7, 5, 20, tzinfo=UTC)
PEOPLE = ("Theo", "Anna", "Pickle", "Gerald", "Inês", "Kit")
THINGS = ("boat", "garden", "letter", "museum", "choir", "bakery", "race", "radio", "beans")
MOODS = ("happy", "sad", "worried", "proud", "tired", "calm")


def settle(settings: Settings, clock: FixedClock) -> None:
    """Make the memory, unless it is there."""
    prepare_home(settings.home)
    runtime = Runtime(settings, clock)
    if runtime.store.exists(runtime.scope(NAME)):
        return
    dice = random.Random(1)
    history: dict[str, Any] = {}
    for number in range(DAYS):
        day = FIRST + timedelta(days=round(number * 1.3))
        history[day.isoformat()] = [
            {
                "query": f"I saw {dice.choice(PEOPLE)} at the {dice.choice(THINGS)} for the "
                f"{number * A_DAY + at}th time and felt {dice.choice(MOODS)}.",
                "response": "That sounds like a day to keep.",
            }
            for at in range(A_DAY)
        ]
    bank = {NAME: {"name": NAME, "history": history}}
    now = clock.now(settings.zone)
    import_bank(runtime.store, bank, language="en", zone=settings.zone, now=now)
    run_night(runtime, NightOptions(allow_large=True), users=[NAME])


def seconds_to(page: Page, panel: str) -> float:
    """Seconds from the press of a panel's name until it is drawn."""
    began = time.perf_counter()
    page.click(f"#sf-nav a[data-panel={panel}]")
    page.locator(f"#panel-{panel}").locator(DRAWN[panel]).first.wait_for()
    return time.perf_counter() - began


def main(home: Path) -> None:
    clock = FixedClock(NOW)
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC", language="en")
    settle(settings, clock)
    served, url = launch(settings, clock=clock, port=0, block=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(120_000)
        page.goto(url)
        page.fill("#name", NAME)
        began = time.perf_counter()
        page.press("#name", "Enter")
        page.locator(f"#panel-chat {DRAWN['chat']}").last.wait_for()
        print(f"the talk from its beginning   {time.perf_counter() - began:.2f} s")
        page.wait_for_selector(f"html[data-settled='{NAME}']")
        panels = [*(it for it in DRAWN if it != "chat"), "chat"]
        first = {panel: seconds_to(page, panel) for panel in panels}
        again = {panel: seconds_to(page, panel) for panel in panels}
        for panel in panels:
            print(f"{panel:12} first {first[panel]:5.2f} s   again {again[panel]:5.2f} s")
        browser.close()
    served.close(verbose=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", type=Path, help="where the memory is kept for the next time")
    kept = parser.parse_args().keep
    if kept is not None:
        main(kept)
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder))
