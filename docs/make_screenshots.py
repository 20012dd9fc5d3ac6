"""Draw every panel of the page in both languages to ``docs/screenshots/``.

    python docs/make_screenshots.py

It serves the page from a fresh data directory with the sample people, offline, on a fixed
day, so that the pictures change only when the page does. It needs Chromium and Playwright.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ["OMP_NUM_THREADS"] = "1"

from PIL import Image  # noqa: E402 - the path comes first
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from siliconfriend.cli.samples import read_sample  # noqa: E402
from siliconfriend.clock import FixedClock  # noqa: E402
from siliconfriend.config import load_settings, prepare_home  # noqa: E402
from siliconfriend.memory.import_export import import_bank  # noqa: E402
from siliconfriend.runtime import Runtime  # noqa: E402
from siliconfriend.texts import LANGUAGES, Language  # noqa: E402
from webui.app import launch  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
QUESTIONS = {"en": "What did I see at Harrow Light?", "cn": "老码头那条渡船是谁做的？"}
WAITS = {
    "chat": "#remembered .sf-card details",
    "memories": "#memories .sf-card",
    "portrait": "#portrait .sf-glance",
    "fading": "#curves polyline",
    "night": "#night-reports .sf-card",
}
"""The panels in the order of their tabs, each with what is there once it is drawn."""

WIDE: dict[str, Any] = {"viewport": {"width": 1100, "height": 880}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 780}, "color_scheme": "dark"}
EVENING = datetime(2026, 7, 5, 20, tzinfo=UTC)


def main() -> None:
    """Serve the page in each language, click through it and draw."""
    FOLDER.mkdir(exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    expect.set_options(timeout=60_000)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for language in LANGUAGES:
            draw(browser, Path(folder) / language, language)
        browser.close()


def draw(browser: Browser, home: Path, language: Language) -> None:
    """One picture a panel, after a night so that there is something to see, and one of a phone."""
    clock = FixedClock(EVENING)
    settings = load_settings(
        home=home, environ={}, embedding="none", timezone="UTC", language=language
    )
    prepare_home(home)
    name, person = read_sample(language)
    now = clock.now(settings.zone)
    store = Runtime(settings).store
    import_bank(store, {name: person}, language=language, zone=settings.zone, now=now)
    served, url = launch(settings, clock=clock, port=0, block=False)
    page = begin(browser, url, name, WIDE)
    page.fill("#message textarea", QUESTIONS[language])
    page.press("#message textarea", "Enter")
    page.wait_for_selector(WAITS["chat"])
    page.get_by_role("tab").last.click()
    page.click("#night-run")
    for number, panel in reversed(list(enumerate(WAITS))):
        page.get_by_role("tab").nth(number).click()
        picture(page, panel, f"{panel}_{language}", home)
    picture(begin(browser, url, name, PHONE), "chat", f"phone_{language}", home)
    served.close(verbose=False)


def begin(browser: Browser, url: str, name: str, profile: dict[str, Any]) -> Page:
    """The page after the name was given."""
    page = browser.new_page(**profile)
    page.set_default_timeout(60_000)
    page.goto(url)
    page.fill("#name", name)
    page.click("#start")
    expect(page.locator("#chat-notice")).to_contain_text(name)
    return page


def picture(page: Page, panel: str, name: str, home: Path) -> None:
    """Draw what is to be seen, once the panel is filled and nothing moves any more."""
    page.wait_for_selector(WAITS[panel])
    # The folder of this run is nobody's; the page names one that a person would have.
    page.evaluate(
        "(home) => { const it = document.querySelector('#notice p');"
        " it.textContent = it.textContent.replace(home, '~/SiliconFriend/memories'); }",
        str(home),
    )
    page.mouse.move(0, 0)
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path, animations="disabled")
    with Image.open(path) as drawn:
        drawn.convert("RGB").quantize(64).save(path, optimize=True)  # a third of the size


if __name__ == "__main__":
    main()
