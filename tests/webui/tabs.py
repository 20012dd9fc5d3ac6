"""Tabs of one browser that tests use in turn.

Each load is a whole one, by a browser that knows nobody: cookies and storage are emptied after
each test. What the browser has of the page's scripts it keeps, and a load costs a fifth of what it
costs in a new profile, which has to fetch and compile them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page

from webui.look.static_files import address

PATIENCE = 60_000
"""Milliseconds that an element is waited for: the machine may be busy with other things."""
MOST_AT_REST = 6
"""Tabs kept between tests; each takes some eighty megabytes."""
VIEWPORT = {"width": 1280, "height": 720}
MEDIA = {"color_scheme": "light", "reduced_motion": "no-preference", "contrast": "no-preference"}
"""How a tab is unless asked for otherwise; both can be changed in a tab that stands."""
RESTING_PLACE = "look/tokens.css"
"""A file of the page's own: beside the page no scripts run, and on its site the browser keeps them."""


@dataclass(eq=False)
class Tab:
    """A page of the browser in a profile of its own.

    Attributes:
        kind: the site it is for and how its profile was made.
        is_kept: a later test may have it.
    """

    page: Page
    kind: tuple[str, str]
    is_kept: bool


class Tabs:
    """The tabs that are open, and those at rest."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._used: list[Tab] = []
        self._resting: list[Tab] = []

    def open(self, url: str, requests: list[str] | None, *, is_kept: bool, **how: Any) -> Page:
        """What is at an address, in a profile that no other tab of the present test has.

        Args:
            url: the address.
            requests: gets the addresses that the tab asks for, which then is not kept.
            is_kept: later tests may have the tab; not where the test changes it for good.
            how: ``viewport``, what media it prefers, and what makes a profile for Playwright.
        """
        viewport = how.pop("viewport", VIEWPORT)
        media = MEDIA | {it: how.pop(it) for it in MEDIA if it in how}
        kind = (url, repr(sorted(how.items())))
        tab = next((it for it in self._resting if is_kept and it.kind == kind), None)
        if tab is None:
            tab = self._make(kind, is_kept, how)
        else:
            self._resting.remove(tab)
        if requests is not None:
            # Of each of a hundred requests a load the browser would tell: only who asks pays.
            tab.is_kept = False
            tab.page.context.on("request", lambda request: requests.append(request.url))
        self._used.append(tab)
        tab.page.set_viewport_size(viewport)
        tab.page.emulate_media(**media)
        tab.page.goto(url)
        return tab.page

    def _make(self, kind: tuple[str, str], is_kept: bool, how: dict[str, Any]) -> Tab:
        context = self._browser.new_context(**{"locale": "en-US", **how})
        tab = Tab(context.new_page(), kind, is_kept)
        tab.page.set_default_timeout(PATIENCE)
        return tab

    def rest(self) -> None:
        """Let nothing of the present test be left in a tab."""
        while self._used:  # a tab that cannot be emptied is nobody's any more
            tab = self._used.pop()
            if tab.is_kept and not tab.page.is_closed():
                self._empty(tab)
                self._resting.append(tab)
            else:
                tab.page.context.close()
        for tab in self._resting[:-MOST_AT_REST]:
            tab.page.context.close()
        del self._resting[:-MOST_AT_REST]

    def _empty(self, tab: Tab) -> None:
        page, context = tab.page, tab.page.context
        for other in context.pages[1:]:
            other.close()
        page.unroute_all()
        context.set_offline(False)
        page.goto(urljoin(tab.kind[0], address(RESTING_PLACE)))
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        context.clear_cookies()
