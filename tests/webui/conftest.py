"""The page, served with the sample people and driven in Chromium, or its routes without a browser."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from siliconfriend.config import Settings, prepare_home
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.person.bank import MemoryBank
from siliconfriend.person.companions import read_sample
from siliconfriend.testing import MovingClock
from siliconfriend.texts import LANGUAGES
from tests.webui.chromium import find_chromium
from webui import panels
from webui.app import application, launch
from webui.backend import Backend, Visit
from webui.panels import Panels
from webui.replies import LiveTalk, TalkEntry
from webui.talk_html import read_exchanges

ADA, BEN = "correct horse", "battery staple"
PATIENCE = 60_000
SWITCHES = ["--no-sandbox", "--disable-background-networking", "--disable-gpu"]
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "locale": "zh-CN",
    "has_touch": True,
}
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
PANELS = ("chat", "memories", "story", "companions")
KEYS = count()
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of the page."""
    try:
        path = find_chromium()
    except FileNotFoundError as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(f"NOT TESTED: {missing}")
    panels.load()  # once; the first panel of a test need not wait for Gradio's import
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        yield chromium
        chromium.close()


@pytest.fixture
def clock() -> MovingClock:
    """The morning after the samples' last day."""
    return MovingClock("2026-11-21T09:00+00:00")


@pytest.fixture
def auth(tmp_path: Path) -> Path:
    """A file with the passwords of Ada and Ben."""
    path = tmp_path / "passwords.json"
    installation_in(path.parent, path.name).passwords.set("Ada", ADA)
    installation_in(path.parent, path.name).passwords.set("Ben", BEN)
    return path


@dataclass
class Served:
    """A page that is being served.

    Attributes:
        url: its address.
        bank: the same memories, as another process would read them.
        requests: addresses that any browser asked for.
    """

    url: str
    bank: MemoryBank
    browser: Browser
    requests: list[str]
    page: Any

    def open(self, **how: Any) -> Page:
        """Open the page in a browser that was never there."""
        context = self.browser.new_context(**how)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        context.on("request", lambda request: self.requests.append(request.url))
        page.goto(self.url)
        return page

    def begin(self, name: str, **how: Any) -> Page:
        """Open the page as somebody."""
        page = self.open(**how)
        page.fill("#username", name)
        page.press("#username", "Enter")
        expect(page.locator(".talk-chips")).to_be_visible()
        return page

    def turns(self, name: str) -> list[Turn]:
        """Return what is stored of a person."""
        return list(self.bank.person(name).turns())


Serve = Callable[..., Served]


@pytest.fixture
def serve(browser: Browser, settings: Settings, clock: MovingClock) -> Iterator[Serve]:
    """Serve a page, with both sample people in it, offline unless a model is given."""
    opened: list[Any] = []

    def start(
        *,
        chat: ChatModel | None = None,
        samples: bool = False,
        auth: Path | None = None,
        port: int = 0,
        notices: str = "",
        **changes: Any,
    ) -> Served:
        own = replace(settings, **changes)
        prepare_home(own.home)
        bank = MemoryBank(settings=own, clock=clock)
        if samples:
            for language in LANGUAGES:
                name, person = read_sample(language)
                bank.import_({name: person}, language=language)
        how: Any = {"port": port, "auth": auth, "notices": notices, "block": False}
        page, url = launch(own, clock=clock, chat=chat, **how)
        opened.append(page)
        return Served(url, bank, browser, [], page)

    yield start
    for context in browser.contexts:
        context.close()
    for page in opened:
        page.close()


class Tab:
    """A tab without a browser.

    Attributes:
        backend: of the page.
        http: the client, which has begun as ``person``.
    """

    def __init__(self, backend: Backend, http: TestClient, person: str = "Ada") -> None:
        self.backend, self.http, self.person, self.key = backend, http, person, "tab"
        if person:
            http.cookies.set("sf-name", person)

    @property
    def visit(self) -> Visit:
        """Return this person's visit now."""
        return Visit(self.backend, Scope.of(self.person), "en")

    @property
    def talk(self) -> LiveTalk:
        """Return the talk on the server."""
        return self.backend.talk(Scope.of(self.person))

    def who(self) -> str:
        """Return for whom the page is drawn; empty where it asks who somebody is."""
        found = re.search(r'id="sf-who".*?<span>(.*?)</span>', self.http.get("/").text)
        return found[1] if found else ""

    def post(self, path: str, **body: Any) -> Any:
        """Do something in the talk."""
        return self.http.post(
            f"/talk/{path}", json={"person": self.person, "tab": self.key, **body}
        )

    def say(self, words: str, *, key: str = "", waits: bool = True, **more: Any) -> Any:
        """Send a message, and wait until no reply is under way."""
        answer = self.post("say", key=key or f"k-{next(KEYS)}", words=words, **more)
        if waits:
            self.wait()
        return answer

    def wait(self) -> None:
        """Wait until no reply is under way."""
        while (running := self.talk.running) is not None:
            assert running.is_ended.wait(20)
            if (thread := running.thread) is not None:
                thread.join(20)

    def lines(self) -> list[TalkEntry]:
        """Return the exchanges that the tab sees, without what is said unasked."""
        found = read_exchanges(self.visit, self.key, 40)[0]
        return [each for each in found if each.state != "opening"]

    def said(self) -> list[tuple[str, str, str]]:
        """Return what was said, and how each reply ended."""
        return [(each.query, each.response, each.state) for each in self.lines()]


Open = Callable[..., Tab]


class NoPanels(Panels):
    """Answers in the place of Gradio, which is not imported."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer."""
        await PlainTextResponse("Gradio")(scope, receive, send)

    def warm(self) -> None:
        """Import nothing."""


@pytest.fixture
def open_tab(settings: Settings, clock: MovingClock) -> Iterator[Open]:
    """Open a tab without a browser, of Ada unless another is named."""
    opened: list[Backend] = []

    def start(
        chat: ChatModel | None = None,
        *,
        auth: Path | None = None,
        person: str = "Ada",
        notices: str = "",
        **changes: Any,
    ) -> Tab:
        prepare_home(settings.home)
        own = replace(settings, **changes)
        backend = Backend(own, clock, chat, log_in=auth is not None, contact=notices)
        opened.append(backend)
        passwords = (
            None if auth is None else installation_in(auth.parent, auth.name).passwords.check()
        )
        app = application(backend, passwords, NoPanels())
        http = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
        return Tab(backend, http, "" if auth else person)

    yield start
    for backend in opened:
        backend.close(20)


def say(page: Page, words: str) -> None:
    """Type a message and send it by Enter."""
    page.fill(".talk-box textarea", words)
    page.press(".talk-box textarea", "Enter")


def go(page: Page, panel: str) -> None:
    """Open a panel from the bar, and wait until it is filled."""
    page.click(f"#sf-nav a[data-panel={panel}]")
    expect(filled(page, panel)).to_be_visible()


def filled(page: Page, panel: str) -> Locator:
    """Return the first content of a panel."""
    return page.locator(f"#panel-{panel} :is(.talk-line, .sf-view > *)").first
