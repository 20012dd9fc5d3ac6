"""Measure the page in Chromium: its start, its first load, its first word, and its panels.

``python benchmarks/page.py`` serves a person of 5,000 turns in a process of its own, without an
embedder. It prints the
processor time of the start; for a first visit on the usual line and on one of 400 kbit/s and 400
ms the requests, bytes and seconds to the box and to the talk; the milliseconds from a model's
first word, and from Enter, to that word on the page; and the seconds until each panel is filled.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.long_life import BEGAN, NORA, first_turns, remember  # noqa: E402
from benchmarks.serve import processor_seconds  # noqa: E402
from tests.loopback import Answered, LoopbackServer, streamed  # noqa: E402
from tests.webui.chromium import find_chromium  # noqa: E402

DAYS, WORDS = 250, 20
SLOW: dict[str, Any] = {
    "offline": False,
    "latency": 400,
    "downloadThroughput": 5e4,
    "uploadThroughput": 5e4,
}
FILLED = "#panel-{} :is(.sf-day, .sf-companion)"
HEARD = """(word) => { window.heard = new Promise((done) => {
  const look = () => document.getElementById("chat").textContent.includes(word) && done(Date.now());
  new MutationObserver(look).observe(document.getElementById("chat"), { childList: true, subtree: true, characterData: true });
}); }"""
BYTES = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, each) => sum + each.transferSize, 0)"""


@contextmanager
def page_served(home: Path, model: str) -> Iterator[tuple[str, float]]:
    """Serve the page of a data directory; its address, and the processor time of the start."""
    now = BEGAN + timedelta(days=DAYS - 1, hours=13)
    options = ["--home", str(home), "--now", now.isoformat(), "web", "--port", "0"]
    environ = {**os.environ, "SILICONFRIEND_LLM": "openai", "SILICONFRIEND_LLM_ADDRESS": model}
    environ |= {
        "SILICONFRIEND_MODEL": "stub",
        "SILICONFRIEND_EMBEDDING": "none",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(ROOT),
    }
    program = [sys.executable, "-m", "siliconfriend", *options]
    how: dict[str, Any] = {
        "env": environ,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.DEVNULL,
        "text": True,
    }
    with subprocess.Popen(program, **how) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[4], processor_seconds(process.pid)
        finally:
            process.terminate()


def visit(browser: Browser, url: str, line: dict[str, Any] | None) -> tuple[Page, list[str]]:
    """Open the page as Nora in a browser that was never there; the page, and a row about it."""
    cookie = {"name": "sf-name", "value": NORA.person, "url": url}
    context = browser.new_context()
    context.add_cookies([cookie])
    page, requests = context.new_page(), list[str]()
    page.on("request", lambda request: requests.append(request.url))
    if line:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", line)
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    took = list[str]()
    for goal in (".talk-box textarea", ".talk-line"):
        page.locator(goal).first.wait_for()
        took.append(f"{time.perf_counter() - began:.2f} s")
    page.wait_for_load_state("load")
    return page, [str(len(requests)), f"{page.evaluate(BYTES) / 1000:.0f} kB", *took]


def first_words(page: Page, model: LoopbackServer) -> list[list[float]]:
    """Return the milliseconds to each first word: since the model said it, and since Enter."""
    spoke, took = dict[str, float](), list[list[float]]()

    def answer(asked: dict[str, Any]) -> Answered:
        number = ["0", *re.findall(r"walk (\d+)", str(asked["messages"]))][-1]
        spoke.setdefault(number, 1000 * time.time())
        return streamed(f"heard{number}.", " That", " is", " all.")

    model.answers_by(answer)
    for number in range(1, WORDS + 2):
        page.evaluate(HEARD, f"heard{number}.")
        page.fill(".talk-box textarea", f"Tell me about walk {number} by the river.")
        pressed = 1000 * time.time()
        page.press(".talk-box textarea", "Enter")
        seen = page.evaluate("window.heard")
        took.append([seen - spoke[str(number)], seen - pressed])
        page.locator("#stop").wait_for(state="hidden")
    return took[1:]  # the first message also waited for the index of words


def panels(page: Page) -> Iterator[tuple[str, float]]:
    """Open each panel twice; how long it takes until it is filled."""
    for turn in ("first", "again"):
        for panel in ("memories", "story", "companions"):
            page.click("#sf-nav [data-panel=chat]")
            page.evaluate(
                "document.querySelectorAll('.sf-view-block .sf-view').forEach((each) => each.replaceChildren())"
            )
            began = time.perf_counter()
            page.click(f"#sf-nav [data-panel={panel}]")
            page.locator(FILLED.format(panel)).first.wait_for()
            yield f"{panel}, {turn}", time.perf_counter() - began


def main() -> None:
    """Print the tables."""
    model = LoopbackServer()
    model.answers([streamed("Yes.")])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        remember(Path(folder), first_turns(DAYS))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        with page_served(Path(folder), model.url) as (url, seconds):
            print(f"start: {seconds:.1f} s of processor time\n")
            visit(browser, url, None)  # the first one of all also loads the memory
            print(
                "| line | requests | bytes | box after | talk after |\n| --- " + "| --- " * 4 + "|"
            )
            for name, line in (("usual", None), ("400 kbit/s, 400 ms", SLOW)):
                page, row = visit(browser, url, line)
                print(f"| {' | '.join([name, *row])} |")
            page, _ = visit(browser, url, None)
            print("\n| first word on the page | median | worst of 20 |\n| --- | --- | --- |")
            named = ("after the model's", "after Enter")
            for name, times in zip(named, zip(*first_words(page, model), strict=True), strict=True):
                print(f"| {name} | {median(times):.0f} ms | {max(times):.0f} ms |")
            print("\n| panel | filled after |\n| --- | --- |")
            for name, took in panels(page):
                print(f"| {name} | {took:.2f} s |")
    model.close()


if __name__ == "__main__":
    main()
