"""The processes of the page, tied together by a database.

Who says a reply holds a row for some seconds and takes it anew while the reply goes on. A lock of
a connection would need one for each reply, and a pooler between would lose it; a row that nobody
takes anew runs out by itself, where a process was killed or cut off.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Collection, Mapping
from datetime import timedelta

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.shared.replicas import OnEnd, TalkState

HELD = timedelta(seconds=10)
"""How long a reply's row holds that nobody takes anew."""
RENEWED_EVERY = 2.0
"""Seconds until a row is taken anew, and until a reply hears that it is to end."""

_LOG = logging.getLogger(__name__)


class SeveralProcesses:
    """The :class:`~siliconfriend.shared.replicas.Replicas` of a database.

    Args:
        database: where the rows are.
        every: seconds until rows are taken anew.
    """

    are_several = True

    def __init__(self, database: Database, every: float = RENEWED_EVERY) -> None:
        self._database, self._every = database, every
        self._lock = threading.Lock()
        self._held: dict[str, HeldTurn] = {}
        self._is_closed = threading.Event()
        self._keeper: threading.Thread | None = None

    def turn(self, scope: Scope, on_end: OnEnd) -> HeldTurn:
        """Return the right to say a reply in a talk, not taken yet."""
        return HeldTurn(self, self._database, scope, on_end)

    def stop(self, scope: Scope) -> None:
        """End the reply that another process says, when it takes its row anew."""
        with self._database.transaction(scope.person) as connection:
            connection.execute(
                "UPDATE siliconfriend.reply SET is_stopped = true"
                " WHERE person = %s AND companion = %s",
                (scope.person, scope.companion),
            )

    def states(self, scopes: Collection[Scope]) -> Mapping[Scope, TalkState]:
        """Return what stands of some talks, in one question for them all."""
        people, companions = [it.person for it in scopes], [it.companion for it in scopes]
        with self._database.connection() as connection:
            rows = connection.execute(
                "SELECT person, companion, sequence, is_answered"
                " FROM siliconfriend.talk_states(%s, %s)",
                (people, companions),
            )
            return {Scope(row[0], row[1]): TalkState(row[2], row[3]) for row in rows}

    def close(self) -> None:
        """Take no row anew any more."""
        self._is_closed.set()

    def keep(self, turn: HeldTurn) -> None:
        """Take the row of a reply anew until it is let go of."""
        with self._lock:
            self._held[turn.holder] = turn
            if self._keeper is None:
                self._keeper = threading.Thread(target=self._renew, name="replies", daemon=True)
                self._keeper.start()

    def let_go(self, turn: HeldTurn) -> None:
        """Take the row of a reply anew no more."""
        with self._lock:
            self._held.pop(turn.holder, None)

    def _renew(self) -> None:
        while not self._is_closed.wait(self._every):
            with self._lock:
                held = dict(self._held)
            try:
                stopped = self._hold(list(held)) if held else {}
            except SiliconFriendError as error:  # until it is back nobody else can take them
                _LOG.warning("rows of replies cannot be taken anew: %s", error.key)
                continue
            for holder, turn in held.items():
                turn.heard(stopped.get(holder))

    def _hold(self, holders: list[str]) -> dict[str, bool]:
        """Take rows anew; whether each is to end, those that are lost left out."""
        with self._database.connection() as connection:
            rows = connection.execute(
                "SELECT holder, is_stopped FROM siliconfriend.hold_replies(%s, %s)",
                (holders, HELD),
            )
            return {str(holder): bool(is_stopped) for holder, is_stopped in rows}


class HeldTurn:
    """The right to say one reply, as a row.

    Attributes:
        holder: drawn for this reply.
    """

    def __init__(
        self, replicas: SeveralProcesses, database: Database, scope: Scope, on_end: OnEnd
    ) -> None:
        self.holder = secrets.token_hex(16)
        self._replicas, self._database = replicas, database
        self._scope, self._on_end = scope, on_end
        self._lock = threading.Lock()
        self._is_over = self._is_told = False

    def take(self) -> bool:
        """Take it; False while another reply is said."""
        taken = self._insert()
        if taken:
            self._replicas.keep(self)
        return taken

    def give_back(self) -> None:
        """Let the next reply begin."""
        self._replicas.let_go(self)
        with self._lock:
            self._is_over = True
        with self._database.transaction(self._scope.person) as connection:
            connection.execute(
                "DELETE FROM siliconfriend.reply WHERE person = %s AND holder = %s",
                (self._scope.person, self.holder),
            )

    def heard(self, is_stopped: bool | None) -> None:
        """Take what became of the row: stopped or not, or None where it is lost."""
        with self._lock:  # or what was given back meanwhile would be taken again
            if self._is_over or self._is_told:
                return
            # Rows that went with a crash of the database are nobody's: then it is taken once more.
            was_lost = is_stopped is None and not self._insert()
            self._is_told = was_lost or bool(is_stopped)
        if self._is_told:
            self._on_end(was_lost=was_lost)

    def _insert(self) -> bool:
        with self._database.transaction(self._scope.person) as connection:
            row = connection.execute(
                "INSERT INTO siliconfriend.reply AS held (person, companion, holder, until)"
                " VALUES (%s, %s, %s, clock_timestamp() + %s)"
                " ON CONFLICT (person, companion) DO UPDATE SET holder = excluded.holder,"
                " until = excluded.until, is_stopped = false"
                " WHERE held.until < clock_timestamp() OR held.holder = excluded.holder"
                " RETURNING true",
                (self._scope.person, self._scope.companion, self.holder, HELD),
            ).fetchone()
            return row is not None
