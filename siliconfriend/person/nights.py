"""Nights in the tables of the installation: started in the background, queued, followed, reported.

A night with a model takes minutes, so starting one returns at once.
"""

from __future__ import annotations

import logging
import secrets
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from siliconfriend.errors import SiliconFriendError, UsageError, log_unforeseen
from siliconfriend.installation.leases import Lease
from siliconfriend.installation.tables import scope_key
from siliconfriend.memory.scope import Scope
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.queue import NightReports
from siliconfriend.night.report import error_sentence
from siliconfriend.night.report import report_text as report_text
from siliconfriend.person.bank import MemoryBank
from siliconfriend.threads import in_background

if TYPE_CHECKING:
    from siliconfriend.night.run import BegunNight

NIGHTS_AT_ONCE = 2
"""Number of nights that run concurrently in this process; others wait."""


@dataclass(frozen=True, slots=True)
class Night:
    """Progress of a night.

    Attributes:
        user: name of the person; None for everyone.
        state: ``interrupted`` where the process that ran it ended, and nobody goes on with it yet.
        done, total: numbers of finished people and of all people.
        report: the document of ``nightly --json``; None until the night ends.
    """

    id: str
    user: str | None
    state: Literal["running", "interrupted", "done", "failed"]
    done: int = 0
    total: int = 0
    report: dict[str, Any] | None = None
    error: str = ""


class Nights(NightReports):
    """The nights of an installation, and those that this process runs; thread-safe."""

    def __init__(self, bank: MemoryBank) -> None:
        super().__init__(bank.installation)
        self._bank, self._is_closed = bank, False
        self._leases = bank.installation.leases
        self._places = threading.Semaphore(NIGHTS_AT_ONCE)

    def start(self, user: str | None, options: NightOptions) -> Night:
        """Start a night for one person or everyone; UsageError: unknown stage or person.

        A dry run is synchronous; its id cannot be queried later.
        """
        users = None if user is None else [user]
        if options.dry_run:
            report = self._bank.night(options, users=users).to_json()
            count = len(report["users"])
            return Night("dry-run", user, "done", count, count, report)
        identifier = secrets.token_hex(8)
        name = _name(identifier, user)
        begun = self._bank.begin_night(options, users=users, name=name)
        lease = self._leases.lease(_order(name))
        lease.take()
        # The process exits without waiting for a night; another process resumes it.
        in_background(partial(self._run, begun, lease))
        return Night(identifier, user, "running", total=len(begun.scopes))

    def state(self, identifier: str, user: str | None) -> Night:
        """Return the progress of a night; UsageError: unknown id, or another person's night."""
        name = _name(identifier, user)
        found = self.named(name, self._bank.people())
        if found is None:
            raise UsageError("night_unknown", id=identifier)
        is_over, error, left = found.pop("is_over"), found.pop("error", ""), found["waiting"]
        if error:
            language = self._bank.settings.language
            return Night(identifier, user, "failed", error=error_sentence(error, language))
        done = len(found["users"])
        if is_over or not left:
            return Night(identifier, user, "done", done, done + left, found)
        self._leases.release_dead()
        is_running = self._leases.is_held(_order(name)) or self.is_worked_on(name)
        state: Literal["running", "interrupted"] = "running" if is_running else "interrupted"
        return Night(identifier, user, state, done, done + left)

    def close(self) -> None:
        """Stop starting nights; a running night continues until exit and can be resumed."""
        self._is_closed = True

    def _run(self, begun: BegunNight, lease: Lease) -> None:
        with ExitStack() as held:
            held.callback(lease.give_back)
            held.enter_context(self._places)
            try:
                if not self._is_closed:
                    begun.run()
            except SiliconFriendError as error:
                begun.fail(error.key)
            except Exception as error:  # a failed night must not block its followers forever
                log_unforeseen(logging.getLogger(__name__), "a night failed", error)
                begun.fail(f"{type(error).__name__}: night_unexpected")


def _order(name: str) -> str:
    return f"order/{name}"


def _name(identifier: str, user: str | None) -> str:
    """Return the night's id; only its owner can look it up."""
    return f"{identifier}/{'' if user is None else scope_key(Scope(user, ''))}"
