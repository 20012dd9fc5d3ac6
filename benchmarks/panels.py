"""Measure in Chromium how fast the page is with 5,000 turns: its first load, and each panel.

The page is served with a person of 250 days of twenty turns. In each of five rounds a browser that
was never there loads it, and opens each panel once. It prints the medians and the worst, in
milliseconds: of the first load from the beginning of the request until the newest turn stands there
and the box can be written into, of a panel from the click until its first content stands there. At
the end it counts the requests in ten seconds in which nothing happens. The goals: no panel takes a
second, and no request. ``python benchmarks/panels.py [PICTURES]``, the pictures being a folder for
what each panel then shows.
"""

import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Browser, sync_playwright

from benchmarks.long_life import NORA, TURNS_A_DAY, first_turns, remember
from benchmarks.model_server import served
from siliconfriend.config import load_settings
from tests.webui.chromium import find_chromium
from webui.app import launch

DAYS = 250
ROUNDS = 5
IDLE = 10.0
SETTLING = 4.0
"""Seconds in which what the last panel asked for may still arrive."""
PANELS = {"memories": ".sf-card", "story": ".sf-day", "companions": ".sf-companion"}
"""By panel what stands in it once it is filled."""
WAIT = """const shows = (selector) => document.querySelector(selector)?.checkVisibility();
    const frame = () => new Promise(requestAnimationFrame);"""
FIRST_LOAD = f"""async () => {{ {WAIT}
    while (!shows('.talk-line:last-child .said') || !shows('.talk-box textarea')) await frame();
    return performance.now();
}}"""
OPEN = f"""async ([panel, selector]) => {{ {WAIT}
    const began = performance.now();
    document.querySelector(`#sf-nav a[data-panel=${{panel}}]`).click();
    while (!shows(`#panel-${{panel}} ${{selector}}`)) await frame();
    return performance.now() - began;
}}"""


def serve_page(home: str, pipe: Connection) -> None:
    """Serve the page of a data directory, and say where."""
    settings = load_settings(home=Path(home), environ={}, embedding="none")
    _, url = launch(settings, port=0, block=False)
    pipe.send(url)
    threading.Event().wait()


def measure(browser: Browser, url: str, times: defaultdict[str, list[float]], into: str) -> int:
    """Load the page and open each panel once; return the requests while nothing happened."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_cookies([{"name": "sf-name", "value": NORA.person, "url": url}])
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(url, wait_until="commit")
    times["first load"].append(page.evaluate(FIRST_LOAD))
    for panel, selector in PANELS.items():
        times[panel].append(page.evaluate(OPEN, [panel, selector]))
        if into:
            page.screenshot(path=Path(into) / f"{panel}.png")
    page.wait_for_timeout(1000 * SETTLING)
    before = len(asked)
    page.wait_for_timeout(1000 * IDLE)
    context.close()
    return len(asked) - before


def main(into: str = "") -> None:
    """Serve, measure and print."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        remember(Path(home), first_turns(DAYS))
        how: dict[str, Any] = {"executable_path": find_chromium(), "args": ["--no-sandbox"]}
        browser = playwright.chromium.launch(**how)
        with served(serve_page, home) as url:
            time.sleep(SETTLING)
            idle = [measure(browser, url, times, into) for _ in range(ROUNDS)]
        browser.close()
    print(f"{DAYS * TURNS_A_DAY} turns, {ROUNDS} rounds, milliseconds:")
    for name, found in times.items():
        print(f"  {name:<12} median {statistics.median(found):5.0f}   worst {max(found):5.0f}")
    print(f"  requests in {IDLE:.0f} idle seconds: {max(idle)}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
