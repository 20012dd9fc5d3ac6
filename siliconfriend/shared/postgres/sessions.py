"""Who is logged in to the page, whichever process they ask."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property

from siliconfriend.memory.postgres.database import Database
from siliconfriend.shared.sessions import IDLE, digest_of

_IDLE = timedelta(seconds=IDLE)


class SessionRows:
    """The :class:`~siliconfriend.shared.sessions.Sessions` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @cached_property
    def cookie_id(self) -> str:
        """The suffix of the cookie's name, drawn when the tables were made."""
        with self._database.connection() as connection:
            query = "SELECT cookie_id FROM siliconfriend.installation"
            row = connection.execute(query).fetchone()
        assert row is not None, "the migration has drawn one"
        return str(row[0])

    def open(self, user: str, password: str) -> str:
        """Open a session; returns its token. Some that are idle go meanwhile."""
        token = secrets.token_urlsafe(32)
        with self._database.transaction(user) as connection:
            connection.execute("SELECT siliconfriend.end_idle_sessions(%s)", (_IDLE,))
            connection.execute(
                "INSERT INTO siliconfriend.session (digest, person, password) VALUES (%s, %s, %s)",
                (digest_of(token), user, digest_of(password)),
            )
        return token

    def user(self, token: str, hash_of: Callable[[str], str | None]) -> str | None:
        """Return whose session this is; None where it has ended."""
        with self._database.connection() as connection:
            row = connection.execute(
                "SELECT person, password FROM siliconfriend.see_session(%s, %s)",
                (digest_of(token), _IDLE),
            ).fetchone()
        if row is None:
            return None
        person, password = str(row[0]), str(row[1])
        if digest_of(hash_of(person) or "") != password:
            self.close(token)
            return None
        return person

    def close(self, token: str) -> None:
        """End a session."""
        with self._database.connection() as connection:
            connection.execute("SELECT siliconfriend.end_session(%s)", (digest_of(token),))

    def close_all(self, user: str) -> None:
        """End all sessions of a person."""
        with self._database.transaction(user) as connection:
            connection.execute("DELETE FROM siliconfriend.session WHERE person = %s", (user,))
