"""What the panels share: the parts of the running program, and the replies under way in it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from siliconfriend.clock import Clock, day_of
from siliconfriend.config import Settings
from siliconfriend.control.erasure.erase import erase
from siliconfriend.dialogue.first_words import speak_first
from siliconfriend.errors import SiliconFriendError
from siliconfriend.lore.companions import speaking_as
from siliconfriend.memory.lookalike_names import check_newcomer
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language

from .access.chosen_companion import check_companion, named_companion
from .privacy import gr
from .replies.answers import Answers
from .replies.preloader import Preloader
from .replies.talks import RunningReplies
from .words.labels import say


class Backend:
    """Everything that is opened once for all who use the page.

    Args:
        settings, clock: of the server.
        chat: opened from the settings unless given.
        log_in: people come by log-in, and a name that a browser sends counts for nothing.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        chat: ChatModel | None = None,
        *,
        log_in: bool = False,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.runtime = Runtime(settings, clock, chat=chat, answers_meanwhile=True)
        self.log_in = log_in or self.runtime.shared.always_logs_in
        self.store = self.runtime.store
        self.chat = self.runtime.chat
        self.policy = self.runtime.policy
        self.recaller = self.runtime.recaller
        self.preloader = Preloader(self.store, self.recaller, self.chat)
        answers = Answers(self.runtime, self.preloader.embed_reply)
        self.replies = RunningReplies(answers.answer_for, self.runtime.shared.replicas)

    def scope(self, person: str, request: gr.Request) -> Scope | None:
        """Return whose memory a request may reach; None where nobody has given a name.

        With log-in it is the person who logged in, whatever else the browser sends. The
        companion is the one that the tab's address names.

        Raises:
            RefusedName: where one of them cannot be a name, or there is no such companion.
        """
        return self.scope_of(person, request.username, request.query_params)

    def scope_of(self, person: str, user: str | None, query: Mapping[str, str]) -> Scope | None:
        """Return whose memory somebody may reach who names a person, logged in as a user or not.

        Args:
            person: the name that was sent; it counts for nothing where people log in.
            user: who is logged in.
            query: of the tab's address.

        Raises:
            RefusedName: where one of them cannot be a name, or there is no such companion.
        """
        name = user if self.log_in else person
        return Scope.of(name, self.chosen_companion(query)) if name else None

    def chosen_companion(self, query: Mapping[str, str]) -> str:
        """Return the companion that the query of an address names; the page's own without one.

        Raises:
            RefusedName: there is none of that name.
        """
        named = named_companion(query, self.settings.companion)
        return check_companion(named, self.settings, self.store)

    def known(self, person: str, request: gr.Request) -> tuple[Scope, PersonMemory] | None:
        """Return the scope of a request and its newest memory; None where there is none yet."""
        scope = self.scope(person, request)
        if scope is None or not self.store.exists(scope):
            return None
        return scope, self.store.load(scope)

    def check_newcomer(self, scope: Scope) -> None:
        """Refuse a typed name that looks like a known one; a log-in is nobody's slip.

        Raises:
            RefusedName: naming the one it looks like.
        """
        if not self.log_in:
            check_newcomer(self.store, scope)

    def now(self, memory: PersonMemory) -> datetime:
        """Return the present moment for a person."""
        return self.clock.now(memory.profile.zone)

    def erase(self, scope: Scope, identifier: str, language: Language) -> str:
        """Erase one memory with all that was made of it; returns the sentence that proves it."""
        done = erase(
            self.store,
            scope,
            [identifier],
            home=self.settings.home,
            rewrite_index=self.runtime.rewrite_index,
            jobs=self.runtime.shared.jobs,
        )
        key = "erased_left" if done.left else "erased"
        return say(key, language, searched=done.searched, left=done.left)

    def runtime_of(self, scope: Scope) -> Runtime:
        """Return the running program's parts for the companion of a scope."""
        return self.runtime.for_companion(scope.companion)

    def greeting(self, scope: Scope, language: Language) -> str:
        """Return the companion's first words; empty where nobody wrote any in this language."""
        # The reply says so when a companion cannot be read.
        with suppress(SiliconFriendError):
            lore = self.runtime.lore(scope.companion)
            if lore is None:
                return ""
            return lore.greeting(language, scope.person, self._days_before_today(scope))
        return ""

    def first_words(self, scope: Scope) -> str:
        """Return what is due, and mark it as said; empty where nothing is, or nobody asked for it.

        Hours of the night count for nothing here: whoever opens the page is awake.
        """
        if self.settings.speaks_first == "no" or not self.store.exists(scope):
            return ""
        # The reply says so when a memory or an embedder cannot be opened.
        with suppress(SiliconFriendError):
            memory = self.store.load(scope)
            settings = speaking_as(self.runtime_of(scope).settings, memory.profile.language)
            words = speak_first(
                self.store,
                self.recaller,
                scope,
                now=self.now(memory),
                companion_name=settings.companion_name,
            )
            return words.text if words else ""
        return ""

    def _days_before_today(self, scope: Scope) -> int:
        """On how many days they talked; today does not count, so that a greeting stays."""
        if not self.runtime.store.exists(scope):
            return 0
        memory = self.runtime.store.load(scope)
        today = day_of(self.now(memory), memory.profile.zone).isoformat()
        return sum(1 for day in memory.days.values() if day.turns and day.date < today)
