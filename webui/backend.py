"""State shared by the panels: the parts of the program, and the visitor."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from markupsafe import Markup
from starlette.responses import JSONResponse

from siliconfriend.characters.companions import companion_name
from siliconfriend.clock import Clock
from siliconfriend.config import Settings
from siliconfriend.errors import RefusedName, SiliconFriendError, UsageError
from siliconfriend.installation.accounts import Passwords
from siliconfriend.language.sentences import excerpt
from siliconfriend.memory.records import PersonMemory, is_put_away
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope
from siliconfriend.models.base import ChatModel, model_label, second_sentence
from siliconfriend.person import Person
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.raised import said_first
from siliconfriend.recall.silenced import silenced_names, speaks_of
from siliconfriend.recall.time_words import humanize_day
from siliconfriend.texts import LANGUAGES, Language
from siliconfriend.threads import in_background

from .notices import Notices
from .rendering import address, render
from .replies import LiveTalk, TalkEntry
from .words import LANGUAGE_COOKIE, error_words, say

USER = "siliconfriend.user"
"""Key of the ASGI scope that holds the visitor found by the guard."""
PARAMETER = "companion"
"""Query parameter of the page that names a tab's companion."""
PICTURE = "/companions/picture"
SHORTEST_TOLD = 12
"""Characters of a message below which nothing can be asked about it."""
RECENT_DAYS, MOST_NAMES = 40, 2
"""Days whose facts are searched for names to ask about, and how many names are suggested."""


class Backend:
    """Objects shared by all visitors of the page."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        chat: ChatModel | None = None,
        *,
        log_in: bool,
        contact: str = "",
    ) -> None:
        self._clock = clock
        self.open(settings, chat)
        self.log_in = log_in or self.installation.is_shared
        self.passwords: Passwords | None = None
        self.notices: Notices | None = None
        if contact:
            self.notices = Notices(lambda: self.bank, self.installation, contact)
        self._talks: dict[Scope, LiveTalk] = {}
        self._lock = threading.Lock()

    def open(self, settings: Settings, chat: ChatModel | None = None) -> None:
        """Open the parts of the program; what is said from now on is answered by their model."""
        self.bank = MemoryBank(
            settings=settings, clock=self._clock, chat=chat, answers_while_indexing=True
        )
        self.settings, self.companions = self.bank.settings, self.bank.companions
        self.installation = self.bank.installation
        in_background(self.bank.preload)

    def talk(self, scope: Scope) -> LiveTalk:
        """Return the talk of a person with a companion."""
        with self._lock:
            if scope not in self._talks:
                self._talks[scope] = LiveTalk(scope, lambda: self.bank, self.installation)
            return self._talks[scope]

    def scope_of(self, connection: Any, person: str) -> Scope:
        """Return a person with the companion that an address names; the server's own without one.

        Raises:
            RefusedName: it is neither described, nor did this person tell it anything.
        """
        scope = Scope.of(person, connection.query_params.get(PARAMETER) or self.settings.companion)
        own = (DEFAULT_COMPANION, self.settings.companion)
        is_described = scope.companion in own or self.companions.exists(scope.companion)
        if is_described or self.bank.person(scope.person, scope.companion).is_known():
            return scope
        raise RefusedName("companion_not_here", name=scope.companion)

    def language_of(self, connection: Any) -> Language:
        """Return the language chosen in this browser, else the one it asks for first."""
        chosen = connection.query_params.get("language", connection.cookies.get(LANGUAGE_COOKIE))
        if chosen in LANGUAGES:
            found: Language = chosen
            return found
        wanted = connection.headers.get("accept-language", "").strip().lower()
        return "cn" if wanted.startswith("zh") else "en" if wanted else self.settings.language

    def visit(self, request: Any, drawn_for: str | None = None) -> Visit:
        """Return who makes a request, with which companion and language.

        ``drawn_for`` is the person of the page that asks, which may be an older tab's.

        Raises:
            RefusedName: there is no such companion.
            UsageError: no person is logged in, or the page belongs to another person.
        """
        person = request.scope.get(USER)
        if not person or drawn_for not in (None, person):
            raise UsageError("talk_nobody")
        return Visit(self, self.scope_of(request, person), self.language_of(request))

    def picture_address(self, companion: str) -> str:
        """Return the address of a companion's picture; without one a pattern made from its name."""
        if companion == DEFAULT_COMPANION:
            return address("avatar.svg")
        version = 0
        with suppress(SiliconFriendError):
            if path := self.companions.card(companion)[1]:
                version = path.stat().st_mtime_ns
        return f".{PICTURE}?{urlencode({'name': companion, 'version': version})}"

    def refuse(self, request: Any, error: Any) -> JSONResponse:
        """Answer a route's error by its words; the handler of errors of all routes."""
        return JSONResponse({"message": error_words(error, self.language_of(request))}, 409)

    def close(self, seconds: float) -> None:
        """End the replies, and wait so long for each until what was said is kept."""
        if self.notices:
            self.notices.close()
        with self._lock:
            talks = list(self._talks.values())
        for talk in talks:
            talk.close()
        for talk in talks:
            talk.keep(seconds)
        self.bank.close()


@dataclass(frozen=True)
class Visit:
    """One request: its person and companion, and the page's language."""

    backend: Backend
    scope: Scope
    language: Language

    @property
    def talk(self) -> LiveTalk:
        """The talk of the person with the companion."""
        return self.backend.talk(self.scope)

    @cached_property
    def person(self) -> Person:
        """The person's memory, and what can be done with it."""
        return self.backend.bank.person(self.scope.person, self.scope.companion)

    @cached_property
    def memory(self) -> PersonMemory | None:
        """Memory at the first access; None before the first message. A copy reloads it."""
        return self.person.memory() if self.person.is_known() else None

    @property
    def known(self) -> PersonMemory:
        """Current memory; UsageError before the first message."""
        if self.memory is None:
            raise UsageError("unknown_person", name=self.scope.person)
        return self.memory

    @cached_property
    def companion_name(self) -> str:
        """The companion's name in the language of the page."""
        return self.called(self.scope.companion)

    def called(self, companion: str) -> str:
        """Return a companion's name in the language of the page."""
        return companion_name(self.backend.settings, companion, self.language)

    @cached_property
    def picture(self) -> str:
        """Address of the companion's picture."""
        return self.backend.picture_address(self.scope.companion)

    @cached_property
    def zone(self) -> ZoneInfo:
        """The person's time zone."""
        return self.memory.profile.zone if self.memory else self.backend.settings.zone

    @cached_property
    def now(self) -> datetime:
        """Current time in the person's time zone."""
        return self.person.now().astimezone(self.zone)

    def say(self, key: str, /, **values: object) -> str:
        """Return a text of the page."""
        return say(key, self.language, **values)

    @property
    def model(self) -> str:
        """The model's name without its service or folder; empty without a model."""
        chat = self.backend.bank.chat
        return "" if chat is None else model_label(chat)

    def hears(self) -> str:
        """Return which model receives messages, or that none does."""
        if (chat := self.backend.bank.chat) is None:
            return self.say("hears_offline")
        told = self.say("hears_model", model=self.model, address=chat.address)
        return told + second_sentence(chat, self.language)

    def draw(self, template: str, /, **values: Any) -> Markup:
        """Return the HTML of a template, which may ask the visit and its texts."""
        return render(template, visit=self, say=self.say, **values)

    def day(self, day: date | str) -> str:
        """Return the name of a day alone, "yesterday" or "4 May"."""
        found = date.fromisoformat(day) if isinstance(day, str) else day
        return humanize_day(found, self.now.date(), self.language, alone=True)

    def day_title(self, day: date | str) -> str:
        """Return the name of a day as a title begins, "Yesterday" or "4 May"."""
        name = self.day(day)
        return name[:1].upper() + name[1:]

    def chips(self) -> list[str]:
        """Return three things to say: open threads of the talk, else beginnings."""
        if self.memory is None or not self.memory.days:
            return [self.say(f"begin.say.{place}") for place in ("one", "two", "three")]
        days = sorted(self.memory.days)[-RECENT_DAYS:]
        facts = [fact for iso in reversed(days) for fact in self.memory.days[iso].facts]
        silenced = silenced_names(self.memory, "")
        names = dict.fromkeys(
            fact.entity
            for fact in facts
            if fact.entity_type == "specific" and not fact.entity[:1].islower()  # no mere thing
            if fact.trace.is_active and not speaks_of(fact.text, silenced)
        )
        threads = [self.say("thread.name", name=name) for name in list(names)[:MOST_NAMES]]
        usual = [self.say(f"thread.{key}") for key in ("today", "other", "talk")]
        return [*threads, *usual][:3]

    def greeting(self) -> str:
        """Return the companion's first words to a new person."""
        name, called = self.scope.person, self.companion_name
        written = self.written_greeting(self.scope.companion)
        return written or self.say("begin.greeting", name=name, companion=called)

    def written_greeting(self, companion: str) -> str:
        """Return the written greeting of a companion; empty if there is none."""
        with suppress(SiliconFriendError):  # a companion that cannot be read says so in its reply
            person = self.backend.bank.person(self.scope.person, companion)
            return person.greeting(language=self.language)
        return ""

    def prepare(self) -> None:
        """Load this person's search index in a thread, and greet them in another."""
        if self.memory is not None:
            in_background(self.person.index)
            in_background(self._greet)

    def _greet(self) -> None:
        """Greet a returning person with one line: what is due, else the last talk."""
        day = self.now.date().isoformat()
        key = f"due:{self.now.isoformat()}"
        words = self.person.due(mark=True, unasked=False, returns=True).text
        if not words and not said_first(self.known, self.now.date()):
            key, words = f"return:{day}", self._last_talk(day)
        if words:
            self.talk.say(TalkEntry(key, "", "opening", day, self.now, response=words))

    def _last_talk(self, today: str) -> str:
        """Return a question about what was said last, before today; empty where that was sad."""
        days = [iso for iso in self.known.days if self.known.days[iso].turns]
        turns = self.known.days[max(days)].turns if days else ()
        told = [one.query for one in turns if not (one.unkept or one.distress or is_put_away(one))]
        told = [
            words
            for words in told
            if len(words) >= SHORTEST_TOLD and not words.rstrip().endswith(("?", "？"))
        ]
        if not told or turns[-1].date >= today:
            return ""
        return self.say("thread.last", day=self.day(turns[-1].date), words=excerpt(told[-1]))


def steps_of(
    work: Callable[[Callable[..., None]], Any], draw: Callable[..., Any]
) -> Generator[Any, None, Any]:
    """Run a function in its own thread, which continues when the tab is closed.

    ``work`` gets a function that reports a step; ``draw`` turns each step into a yielded value.
    Returns the result of ``work``, or raises its error.
    """
    told: queue.SimpleQueue[Any] = queue.SimpleQueue()
    result = in_background(partial(work, lambda *step: told.put(draw(*step))))
    result.add_done_callback(lambda _: told.put(None))
    yield from iter(told.get, None)
    return result.result()
