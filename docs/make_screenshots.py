"""Draw every panel of the page: both languages, light and dark, on a desk and on a phone.

    python docs/make_screenshots.py

It serves the page from a fresh data directory with the sample people, offline, on a fixed
day, so that the pictures change only when the page does. Those that a page of ``docs`` or a
README shows go to ``docs/screenshots/``, all others to ``build/screenshots/`` to be looked at.
It needs Chromium and Playwright.
"""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ["OMP_NUM_THREADS"] = "1"

from PIL import Image  # noqa: E402 - the path comes first
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from siliconfriend.characters.companions import Companions  # noqa: E402
from siliconfriend.characters.importing import import_companion  # noqa: E402
from siliconfriend.clock import FixedClock  # noqa: E402
from siliconfriend.config import Settings, load_settings, prepare_home  # noqa: E402
from siliconfriend.memory.changes import PutDerived  # noqa: E402
from siliconfriend.memory.drafts import FactDraft  # noqa: E402
from siliconfriend.memory.import_export import import_bank  # noqa: E402
from siliconfriend.memory.knowledge import Aspect, EntityType, Provenance  # noqa: E402
from siliconfriend.person.companions import (  # noqa: E402
    SAMPLE_COMPANION,
    read_sample,
    read_sample_companion,
)
from siliconfriend.runtime import Runtime  # noqa: E402
from siliconfriend.texts import LANGUAGES, Language  # noqa: E402
from tests.webui.chromium import find_chromium  # noqa: E402
from webui.app import launch  # noqa: E402

DRAWN = {
    "chat": ".talk-line",
    "memories": ".sf-card",
    "story": ".sf-day",
    "companions": ".sf-companion",
}
"""By panel a selector of what stands in it once it is filled."""
SHOWN, OTHERS = ROOT / "docs" / "screenshots", ROOT / "build" / "screenshots"
QUESTIONS = {"en": "How many steps does Harrow Light have?", "cn": "老码头那条渡船是谁做的？"}
PORTRAITS = {
    "en": "Maya notices small things and keeps them: a train that is late, a hen with a name, the "
    "way light falls on water. She makes plans with her hands, a letter, a quilt, a boat.\n"
    "When she is tired she writes shorter, and likes to be asked about Theo.",
    "cn": "林晓把小事看得很细：晚点的车、有名字的猫、水面上的光。她喜欢动手做点什么，写信、收拾旧东西。\n"
    "累的时候她话少，喜欢有人问起外婆。",
}
"""As a night with a model writes them; the pictures are made without one."""
FACTS: dict[Language, tuple[tuple[str, int, str, str, Aspect], ...]] = {
    "en": (
        ("2026-03-02", 1, "", "Maya handled insurance claims for eleven years.", "attribute"),
        ("2026-03-02", 2, "", "Maya lives in a flat above a bakery.", "attribute"),
        (
            "2026-03-06",
            1,
            "Theo",
            "Theo has been Maya's best friend since they were 12.",
            "relation",
        ),
        (
            "2026-03-06",
            2,
            "Theo",
            "Theo likes loud concerts, climbing walls and chilli.",
            "attribute",
        ),
        ("2026-03-15", 2, "Mum", "Maya's mother was the one her father listened to.", "attribute"),
        (
            "2026-03-15",
            4,
            "Nadia",
            "Nadia is Maya's sister and lives in Porto with Rui.",
            "relation",
        ),
        (
            "2026-04-26",
            1,
            "Harrow Light",
            "Harrow Light has a hundred and nine steps.",
            "attribute",
        ),
        (
            "2026-05-12",
            4,
            "",
            "I promised to remind Maya why she goes, should she waver.",
            "promise",
        ),
        (
            "2026-06-09",
            0,
            "Pickle",
            "Pickle is a one-eyed grey cat who lives with Maya.",
            "attribute",
        ),
        ("2026-06-09", 3, "Dad", "Maya's father has hearing aids since June.", "attribute"),
        ("2026-06-29", 0, "Inês", "Inês is Nadia's daughter, born in June.", "relation"),
        ("2026-06-29", 5, "", "Maya has begun a letter by hand to Inês.", "scene"),
    ),
    "cn": (
        ("2026-03-05", 1, "", "林晓在地铁上修信号，上了九年夜班。", "attribute"),
        ("2026-03-05", 4, "沈禾", "沈禾是林晓的女朋友，在图书馆上班。", "relation"),
        ("2026-03-17", 1, "大鹏", "大鹏是林晓的大学室友，爱吃辣，爱唱歌。", "relation"),
        ("2026-03-09", 3, "外婆", "外婆八十三了，爱听评弹。", "attribute"),
        ("2026-04-11", 3, "外婆", "外婆年轻时在缫丝厂上班。", "attribute"),
        ("2026-05-10", 2, "石埠镇", "石埠镇是外婆出生的地方。", "attribute"),
        ("2026-05-10", 5, "", "我答应替林晓记着和外婆去石埠镇的那一天。", "promise"),
        ("2026-05-20", 2, "哨子", "哨子是一只玄凤鹦鹉，会吹口哨。", "attribute"),
        ("2026-05-29", 3, "邱师傅", "邱师傅带了林晓九年，把手电给了他。", "relation"),
        ("2026-06-08", 0, "", "林晓从六月起上白班，教新来的人修信号。", "attribute"),
    ),
}
"""Facts as such a night finds them: day and place of the turn, about whom, words, aspect."""
EVENING = datetime(2026, 7, 5, 20, tzinfo=UTC)
COLOURS = 256
"""Colours of a picture that is kept; a third of the size, and no eye sees it."""


@dataclass(frozen=True)
class View:
    """How one looks at the page."""

    language: Language
    size: Literal["desktop", "phone"]
    colours: Literal["light", "dark"]

    @property
    def profile(self) -> dict[str, Any]:
        """Of the browser."""
        is_phone = self.size == "phone"
        return {
            "viewport": {"width": 390, "height": 844}
            if is_phone
            else {"width": 1280, "height": 800},
            "has_touch": is_phone,
            "is_mobile": is_phone,
            "color_scheme": self.colours,
            "locale": "zh-CN" if self.language == "cn" else "en-GB",
        }

    def name(self, panel: str) -> str:
        """Of a panel's picture: ``chat_en``, ``chat_cn_phone_dark``."""
        size = "_phone" if self.size == "phone" else ""
        return f"{panel}_{self.language}{size}{'_dark' if self.colours == 'dark' else ''}.png"


def main() -> None:
    """Serve the page in each language, go through it and draw."""
    for folder in (SHOWN, OTHERS):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    expect.set_options(timeout=60_000)
    with tempfile.TemporaryDirectory() as homes, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for language in LANGUAGES:
            draw_language(browser, Path(homes) / language, language)
        browser.close()


def draw_language(browser: Browser, home: Path, language: Language) -> None:
    """Draw all panels in one language, after a night so that there is something to see."""
    clock = FixedClock(EVENING)
    settings = load_settings(
        home=home, environ={}, embedding="bundled", timezone="UTC", language=language
    )
    name = settle(settings, clock)
    served, url = launch(settings, clock=clock, port=0, block=False)
    sizes: tuple[Literal["desktop", "phone"], ...] = ("desktop", "phone")
    colours: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for number, (size, colour) in enumerate(product(sizes, colours)):
        view = View(language, size, colour)
        page = browser.new_page(**view.profile)
        page.set_default_timeout(60_000)
        page.goto(url)
        page.wait_for_selector("#username")
        draw(page, view.name("beginning"))
        page.fill("#username", name)
        page.press("#username", "Enter")
        page.wait_for_selector(DRAWN["chat"])
        if number == 0:
            make_something_to_see(page, language)
        for panel in DRAWN:
            go(page, panel)
            draw(page, view.name(panel))
        draw_more(page, view)
        page.close()
    served.close()


def settle(settings: Settings, clock: FixedClock) -> str:
    """Fill a data directory with the sample person and companion; returns the person's name."""
    prepare_home(settings.home)
    now = clock.now(settings.zone)
    name, person = read_sample(settings.language)
    runtime = Runtime(settings)
    person["overall_personality"] = PORTRAITS[settings.language]
    import_bank(
        runtime.store, {name: person}, language=settings.language, zone=settings.zone, now=now
    )
    import_companion(
        Companions(settings.home),
        SAMPLE_COMPANION,
        read_sample_companion(settings, SAMPLE_COMPANION),
        settings.timezone,
        now,
    )
    for day, place, about, words, aspect in FACTS[settings.language]:
        with runtime.store.edit(runtime.scope(name)) as edit:
            turn = edit.memory.days[day].turns[place]
            kind: EntityType = "specific" if about else "object"
            draft = FactDraft(words, (turn.id,), about or name, kind, aspect)
            made, told = Provenance("import", now, (turn.id,)), {"first": day, "last": day}
            edit.add(
                PutDerived(
                    draft.to_fact(
                        edit.memory, runtime.scope(name), **told, trace=turn.trace, provenance=made
                    )
                )
            )
    runtime.recaller.update_index(
        runtime.scope(name)
    )  # else the question is asked before it is there
    return name


def make_something_to_see(page: Page, language: Language) -> None:
    """Ask a question and run a night."""
    go(page, "chat")
    page.fill(".talk-box textarea", QUESTIONS[language])
    page.press(".talk-box textarea", "Enter")
    expect(page.locator(".talk > .sf-hidden[role=status]")).to_have_text(re.compile("."))
    go(page, "story")
    page.click("#night-run")
    page.locator(".sf-night").first.wait_for()
    page.reload()  # without what is told for some seconds


def draw_more(page: Page, view: View) -> None:
    """Draw what stands behind a button: a curve, the choice of a model, and a companion's texts."""
    go(page, "memories")
    page.locator("#memories .sf-day").last.locator(".sf-spark").first.click()
    page.wait_for_selector("dialog[open] .sf-plot")
    draw(page, view.name("fading"))
    page.keyboard.press("Escape")
    page.click("#model button")
    page.wait_for_selector("dialog[open] .sf-kinds")
    draw(page, view.name("model"))
    page.keyboard.press("Escape")
    go(page, "companions")
    page.locator(".sf-companion").last.locator("a[href*=open]").click()
    page.wait_for_selector("form[data-act=texts]")
    draw(page, view.name("companion"))


def go(page: Page, panel: str, *, waits: bool = True) -> None:
    """Open a panel, and wait until it is filled."""
    page.evaluate("(panel) => { location.hash = `#/${panel}`; }", panel)
    if waits:
        page.locator(f"#panel-{panel}").locator(DRAWN[panel]).first.wait_for()


def draw(page: Page, name: str) -> None:
    """Draw what is to be seen, once nothing moves any more."""
    page.mouse.move(0, 0)
    page.evaluate("document.fonts.ready")
    page.evaluate("document.activeElement?.blur()")
    folder = SHOWN if name in shown_pictures() else OTHERS
    page.screenshot(path=folder / name, animations="disabled")
    with Image.open(folder / name) as drawn:
        drawn.convert("RGB").quantize(COLOURS).save(folder / name, optimize=True)


def shown_pictures() -> frozenset[str]:
    """The names of the pictures that a page shows."""
    pages = [*ROOT.glob("README*.md"), *(ROOT / "docs").rglob("*.md")]
    return frozenset(name for page in pages for name in _names(page))


def _names(page: Path) -> Iterator[str]:
    yield from re.findall(r"screenshots/(\w+\.png)", page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
