"""The first HTML of the page, around what Gradio draws: drawn whole, in the browser's language.

Gradio's own HTML is empty until its scripts have run, English, and shut to readers of screens.
Here it gets the line on top, the panels' bar, the place of the beginning, and as one block of
JSON every text that the page's scripts say.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import HTTPConnection

from siliconfriend.errors import SiliconFriendError
from siliconfriend.lore.companions import Companions, companion_name
from siliconfriend.models.fallback import second_sentence
from siliconfriend.texts import LANGUAGES, Language, area

from ..access.chosen_companion import PARAMETER
from ..access.chosen_language import chosen_language
from ..access.log_in import LogIn
from ..backend import Backend
from ..look.static_files import address, static_files
from ..words.labels import LANGUAGE_NAMES, Labels, say
from ..words.markup import script_json
from .install import install_links

TOKENS = "look/tokens.css"
COLOURS_COOKIE = "sf-colours"
COLOURS = ("light", "dark")
SCRIPTS = (
    "shell/page.js",
    "talk/talk.js",
    "shell/panels.js",
    "beginning/examples.js",
    "voice/voice.js",
)
"""The scripts that the page begins with; each of them imports what it needs."""
AREAS = ("web", "web_page", "web_talk", "web_lines", "web_companions", "web_panels")
"""The areas of texts that the scripts get; a panel that needs another adds it here."""

_CONFIG = re.compile(r"(window\.gradio_config = )(.*?)(;</script>)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shell:
    """Puts the shell around Gradio's HTML.

    Attributes:
        backend: of the page.
        labels: of Gradio's components.
        panels: the keys of the panels, in order.
        log_in: None where nobody logs in.
    """

    backend: Backend
    labels: Labels
    panels: tuple[str, ...]
    log_in: LogIn | None

    def wrap(self, page: str, connection: HTTPConnection) -> str:
        """Return Gradio's HTML with the shell, for whoever asks."""
        language = chosen_language(connection, self.backend.settings.language)
        colours = connection.cookies.get(COLOURS_COOKIE)
        lang = "zh-CN" if language == "cn" else "en"
        chosen = f' data-colours="{colours}"' if colours in COLOURS else ""
        companion = self.backend.chosen_companion(connection.query_params)
        name = companion_name(self.backend.settings, companion, language)
        page = page.replace('lang="en"', f'lang="{lang}" data-panel="{self.panels[0]}"{chosen}', 1)
        # Gradio names a manifest of its own; the page has one in its head.
        page = page.replace('<link rel="manifest" href="/manifest.json" />', "", 1)
        page = page.replace(
            "shrink-to-fit=no", "viewport-fit=cover, interactive-widget=resizes-content", 1
        )
        page = _CONFIG.sub(lambda it: it[1] + self._config(it[2], language, name) + it[3], page, 1)
        page = page.replace("</head>", self._head(name, connection) + "</head>", 1)
        before, start, rest = page.partition("<gradio-app")
        inside, end, after = rest.partition("</gradio-app>")
        return (
            before
            + self._before(language, companion, connection)
            + start
            + inside
            + end
            + "</main>"
            + after
        )

    def _config(self, config: str, language: Language, name: str) -> str:
        found = json.loads(config)
        found["title"] = name
        self.labels.localize(found["components"], language)
        return script_json(found)

    def _head(self, name: str, connection: HTTPConnection) -> str:
        hidden = "".join(
            f'html:not([data-panel="{it}"]) #panel-{it} {{ display: none !important; }}'
            for it in self.panels
        )
        others = sorted(it for it in static_files() if it.endswith(".css") and it != TOKENS)
        sheets = "".join(
            f'<link rel="stylesheet" href="{address(it)}">' for it in (TOKENS, *others)
        )
        scripts = "".join(f'<script type="module" src="{address(it)}"></script>' for it in SCRIPTS)
        return (
            f"<title>{html.escape(name)}</title>{sheets}<style>{hidden}</style>"
            f'<link rel="icon" href="{address("look/avatar.svg")}" type="image/svg+xml">'
            f"{install_links(connection.query_params.get(PARAMETER, ''))}{scripts}"
        )

    def _before(self, language: Language, companion: str, connection: HTTPConnection) -> str:
        words = {
            key: html.escape(str(it)) for key, it in area("web_page", language)["shell"].items()
        }
        other: Language = "en" if language == "cn" else "cn"
        links = "".join(
            f'<a href="#/{it}" data-panel="{it}">{icon(it)}'
            f"<span>{html.escape(say(f'tabs.{it}', language))}</span></a>"
            for it in self.panels
        )
        data = script_json(self._data(companion, connection))
        return _BEFORE.format(
            **words,
            name=html.escape(companion_name(self.backend.settings, companion, language)),
            avatar=html.escape(self.picture(companion)),
            other=LANGUAGE_NAMES[other],
            other_lang="zh-CN" if other == "cn" else "en",
            links=links,
            data=data,
            log_out_hidden="" if self.log_in else "hidden",
            **{f"icon_{it}": icon(it) for it in ("day", "about", "portrait")},
        )

    def picture(self, name: str) -> str:
        """Return the address of a companion's picture; the project's own where it has none."""
        try:
            has_one = Companions(self.backend.settings.home).card(name)[1] is not None
        except SiliconFriendError:
            has_one = False
        return f"./companions/picture?name={quote(name)}" if has_one else address("look/avatar.svg")

    def _data(self, companion: str, connection: HTTPConnection) -> dict[str, Any]:
        """Return what the page's scripts know from the beginning."""
        settings = self.backend.settings
        languages: Iterable[Language] = LANGUAGES
        return {
            "person": "" if self.log_in is None else self.log_in.user(connection) or "",
            "usual_person": "" if self.log_in else self.backend.settings.user or "",
            "log_in": self.log_in is not None,
            "panels": self.panels,
            "companion": companion,
            "companion_names": {it: companion_name(settings, companion, it) for it in languages},
            "picture": self.picture(companion),
            "icons": address("look/icons.svg"),
            "notice": {it: privacy_notice(self.backend, companion, it) for it in languages},
            "texts": {it: {name: area(name, it) for name in AREAS} for it in languages},
        }


def icon(name: str) -> str:
    """Return one of the page's icons, as a picture beside words that say the same."""
    return f'<svg class="sf-icon" aria-hidden="true"><use href="{address("look/icons.svg")}#{name}"/></svg>'


def privacy_notice(backend: Backend, companion: str, language: Language) -> str:
    """Return who can read what is said, and which model hears it: this is an AI."""
    key = "notice_log_in" if backend.log_in else "notice"
    name = companion_name(backend.settings, companion, language)
    notice = say(key, language, companion=name, home=backend.settings.home)
    if backend.chat is None:
        hears = say("hears_offline", language)
    else:
        model, at = backend.chat.name, backend.chat.address
        hears = say("hears_model", language, model=model, address=at)
        hears += second_sentence(backend.chat, language)
    return f"{notice}\n{hears}"


_BEFORE = """
<a class="sf-skip" href="#sf-main">{skip}</a>
<header id="sf-top">
<div id="sf-companion"><img class="sf-avatar" src="{avatar}" alt=""><h1>{name}</h1></div>
<button type="button" id="sf-who" class="sf-begun" aria-label="{who}">{icon_portrait}<span></span></button>
<a id="log-out" class="sf-link" href="./logout" {log_out_hidden}>{log_out}</a>
<button type="button" id="sf-language" lang="{other_lang}">{other}</button>
<button type="button" id="sf-colours" aria-label="{colours}" title="{colours}">{icon_day}</button>
<button type="button" id="sf-about" aria-label="{about}" title="{about}">{icon_about}</button>
</header>
<nav id="sf-nav" aria-label="{panels}">{links}</nav>
<script type="application/json" id="sf-data">{data}</script>
<div id="sf-notices" role="status"></div>
<main id="sf-main" tabindex="-1">
<section id="sf-beginning" hidden></section>
"""
