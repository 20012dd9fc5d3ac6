"""The page as a person meets it: served from an empty data directory and driven in Chromium."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from starlette.applications import Starlette
from starlette.testclient import TestClient

from siliconfriend.cli.samples import read_sample
from siliconfriend.clock import Clock, SystemClock
from siliconfriend.config import Settings, prepare_home
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import COMPANIONS
from siliconfriend.memory.import_export import import_bank
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.night import report_store
from siliconfriend.passwords import Authenticator, PasswordFile
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import LANGUAGES
from tests.webui.chromium import find_chromium
from tests.webui.tabs import PATIENCE, Tabs
from tests.webui.talker import Doorman, Open, Visitor
from webui.app import launch
from webui.backend import Backend
from webui.talk.routes import talk_route

SWITCHES = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-gpu",
    "--js-flags=--no-opt --no-maglev",  # no script runs long enough to be worth an optimizing compiler
]
expect.set_options(timeout=PATIENCE)

ADA, BEN = "correct horse", "battery staple"
"""The passwords of Ada and Ben."""

PRELOADING = "warming"
"""The name of the threads that load what the first reply needs."""

ACTIONS = re.compile("^(Actions for|对“)")
"""How the names of the buttons begin that open the actions of a memory."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of the page.

    It ends with this folder: Playwright leaves an event loop running in the thread of the tests,
    and whatever starts one of its own after it would fail.
    """
    try:
        path = find_chromium()
    except FileNotFoundError as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(f"NOT TESTED: {missing}")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def tabs(browser: Browser) -> Tabs:
    """Its tabs, which tests use in turn."""
    return Tabs(browser)


@pytest.fixture
def clock() -> MovingClock:
    """The morning after the samples' last day."""
    return MovingClock("2026-11-21T09:00+00:00")


@dataclass
class Served:
    """A page that is being served.

    Attributes:
        url: its address.
        home: its data directory.
        store: the same memory, as another process would read it.
        watched: addresses that any browser asked for so far; None where nobody looks.
        blocks: what Gradio serves.
        is_house: later tests are at the same address.
    """

    url: str
    home: Path
    store: FileStore
    tabs: Tabs
    watched: list[str] | None
    blocks: Any
    is_house: bool

    @property
    def requests(self) -> list[str]:
        """Addresses that any browser asked for so far, of a page that is ``watched``."""
        assert self.watched is not None
        return self.watched

    def open(self, *, alone: bool = False, **how: Any) -> Page:
        """What is at the address, in a browser that was never there.

        A tab that a test changes in what no reload takes back is opened ``alone``.
        """
        is_kept = self.is_house and not alone
        return self.tabs.open(self.url, self.watched, is_kept=is_kept, **how)

    def visit(self, **how: Any) -> Page:
        """The page in a browser that was never there."""
        page = self.open(**how)
        page.wait_for_selector("#name")
        return page

    def log_in(self, name: str, password: str, **how: Any) -> Page:
        """The page after a person has logged in."""
        page = self.open(**how)
        fill_in(page, name, password)
        page.wait_for_selector(f"#chat-notice :text('{name}')")
        return page

    def talk_as(self, name: str, **how: Any) -> Page:
        """The page after a person has given their name."""
        page = self.visit(**how)
        page.fill("#name", name)
        page.click("#start")
        page.wait_for_selector(f"#chat-notice :text('{name}')")
        page.wait_for_selector(f"html[data-settled='{name}']")
        return page

    def memory(self, name: str) -> PersonMemory:
        """What is on disk about a person."""
        return self.store.load(Scope.of(name))


def say(page: Page, words: str) -> None:
    """Send a message."""
    page.fill("#message textarea", words)
    page.press("#message textarea", "Enter")


def bot(page: Page, words: str) -> None:
    """Wait until the companion has said these words."""
    expect(page.locator("#chat .bot", has_text=words).last).to_be_visible()


def tab(page: Page, name: str) -> None:
    """Open a panel by its name in the bar."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()


def switch_language(page: Page) -> None:
    """Let the page speak its other language."""
    before = page.locator("html").get_attribute("lang")
    page.click("#sf-language")
    expect(page.locator("html")).not_to_have_attribute("lang", before or "")


def go_back_to_beginning(page: Page) -> None:
    """Let nobody use the page any more."""
    page.click("#sf-who")
    page.wait_for_selector("#name")


def notice(page: Page) -> Locator:
    """Open what is said of who hears what is said here."""
    page.click("#sf-about")
    return page.locator("#notice")


def card(page: Page, where: str, words: str) -> Locator:
    """The first memory in a list that holds these words."""
    return page.locator(f"#{where} .sf-card", has_text=words).first


def act(page: Page, where: str, words: str, verb: str) -> None:
    """Choose an action of a memory from its menu."""
    found = card(page, where, words)
    found.get_by_role("button", name=ACTIONS).first.click()
    found.get_by_role("menuitem", name=verb, exact=True).click()


def told(page: Page, words: str) -> None:
    """Wait until a short notice says these words."""
    expect(page.locator("#sf-notices")).to_contain_text(words)


def erase_for_good(page: Page, words: str) -> None:
    """Say yes to the question whether what holds these words shall be erased."""
    expect(page.locator("#sf-erase")).to_contain_text(words)
    page.locator("#sf-erase .sf-danger").click()


def fill_in(page: Page, name: str, password: str) -> None:
    """Write into the log-in's form and send it."""
    page.locator("input[name=username]").fill(name)
    page.locator("input[type=password]").fill(password)
    page.locator("input[type=password]").press("Enter")


@dataclass
class Lent:
    """Stands for what the present test gives to a page that outlives it: a clock, a model."""

    thing: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.thing, name)


@dataclass
class House:
    """A page that all tests of its kind use in turn, empty at the beginning of each.

    Attributes:
        clock, chat: those of the present test; the model is None for ever where there is none.
    """

    url: str
    settings: Settings
    clock: Lent
    chat: Lent | None
    blocks: Any

    @classmethod
    def build(cls, home: Path, settings: Settings, chat: ChatModel | None, **how: Any) -> House:
        """Serve it, with nobody in it."""
        own = replace(settings, home=home)
        prepare_home(home)
        clock = Lent(SystemClock())
        lent = None if chat is None else Lent(chat)
        blocks, url = launch(own, clock=cast(Clock, clock), chat=cast(Any, lent), **how)
        return cls(url, own, clock, lent, blocks)

    def leave(self) -> None:
        """Let nobody be known any more."""
        for thread in threading.enumerate():
            if thread.name == PRELOADING:
                thread.join()
        store = Runtime(self.settings).store
        for scope in store.scopes():
            store.delete(scope)
        for folder in (report_store.FOLDER, COMPANIONS):
            shutil.rmtree(self.settings.home / folder, ignore_errors=True)


Houses = dict[tuple[bool, bool], House]


@pytest.fixture(scope="package")
def houses() -> Iterator[Houses]:
    """The pages that stand, by whether people log in and whether there is a model."""
    standing: Houses = {}
    yield standing
    for house in standing.values():
        house.blocks.close(verbose=False)


@pytest.fixture(scope="package")
def password_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pages with log-in look for passwords."""
    return tmp_path_factory.mktemp("passwords") / "passwords.json"


@pytest.fixture
def auth(password_file: Path) -> Path:
    """A file with the passwords of Ada and Ben."""
    password_file.unlink(missing_ok=True)
    PasswordFile(password_file).set("Ada", ADA)
    PasswordFile(password_file).set("Ben", BEN)
    return password_file


Serve = Callable[..., Served]


@pytest.fixture
def serve(
    tabs: Tabs,
    settings: Settings,
    clock: MovingClock,
    houses: Houses,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Serve]:
    """Serve a page with both sample people in it, offline unless a model is given.

    To build one takes longer than most tests, so they share pages, and nobody of one test is
    known in the next. A page with settings of its own, or ``alone``, is built for its test. What
    browsers ask for is noted where the page is ``watched``.
    """
    opened: list[Any] = []
    used: list[House] = []

    def start(
        *,
        chat: ChatModel | None = None,
        samples: bool = True,
        auth: Path | None = None,
        alone: bool = False,
        watched: bool = False,
        **changes: Any,
    ) -> Served:
        how: dict[str, Any] = {"port": 0, "auth": auth, "block": False}
        is_house = not (alone or changes)
        if not is_house:
            own = replace(settings, **changes)
            prepare_home(own.home)
            page, url = launch(own, clock=clock, chat=chat, **how)
            opened.append(page)
        else:
            kind = (auth is not None, chat is not None)
            if kind not in houses:
                home = tmp_path_factory.mktemp("house") / "home"
                houses[kind] = House.build(home, settings, chat, **how)
            house = houses[kind]
            used.append(house)
            house.clock.thing = clock
            if house.chat is not None:
                house.chat.thing = chat
            own, page, url = house.settings, house.blocks, house.url
        store = Runtime(own).store
        assert isinstance(store, FileStore)
        if samples:
            for language in LANGUAGES:
                name, person = read_sample(language)
                now = clock.now(own.zone)
                import_bank(store, {name: person}, language=language, zone=own.zone, now=now)
        return Served(url, own.home, store, tabs, [] if watched else None, page, is_house)

    yield start
    tabs.rest()
    for page in opened:
        page.close(verbose=False)
    for house in used:
        house.leave()


@pytest.fixture
def talk_with(settings: Settings, clock: MovingClock) -> Iterator[Open]:
    """A tab of Ada's, with a model or offline."""
    opened: list[Backend] = []

    def start(chat: ScriptedChatModel | None = None, auth: Path | None = None) -> Visitor:
        backend = Backend(settings, clock, chat, log_in=auth is not None)
        opened.append(backend)
        log_in = None if auth is None else Doorman(Authenticator(PasswordFile(auth)), "en")
        app = Starlette(routes=[talk_route(backend, log_in)])
        return Visitor(backend, TestClient(app))

    yield start
    for backend in opened:
        backend.replies.close(20)


def users(page: Page, *words: str) -> None:
    """Wait until the person's own lines are these."""
    expect(page.locator("#chat .user")).to_have_text(list(words))


def bots(page: Page, *words: str) -> None:
    """Wait until the companion's lines are these."""
    expect(page.locator("#chat .bot")).to_have_text(list(words))


def files_with(home: Path, words: str) -> list[Path]:
    """Every file under the data directory that holds these words."""
    held = words.encode()
    return [it for it in home.rglob("*") if it.is_file() and held in it.read_bytes()]
