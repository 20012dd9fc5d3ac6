"""The hashes of passwords, one row a person."""

from __future__ import annotations

from siliconfriend.errors import RefusedName
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import clean_name
from siliconfriend.passwords import check_length, hash_password


class PasswordRows:
    """The :class:`~siliconfriend.passwords.Passwords` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def place(self) -> str:
        """Host and name of the database."""
        return self._database.place

    def check(self) -> None:
        """A password may be set at any time, from any host."""

    def hash_of(self, name: str) -> str | None:
        """Return the hash of a person's password as it is now."""
        if not _is_clean(name):
            return None
        with self._database.reading(name) as connection:
            row = connection.execute(
                "SELECT hash FROM siliconfriend.password WHERE person = %s", (name,)
            ).fetchone()
        return None if row is None else str(row[0])

    def set(self, name: str, password: str) -> None:
        """Keep the hash of a person's password."""
        check_length(password)
        self.adopt(name, hash_password(password))

    def adopt(self, name: str, kept: str) -> None:
        """Keep the hash of a person's password as another place kept it."""
        name = clean_name(name)
        with self._database.transaction(name) as connection:
            connection.execute(
                "INSERT INTO siliconfriend.password (person, hash) VALUES (%s, %s)"
                " ON CONFLICT (person) DO UPDATE SET hash = excluded.hash",
                (name, kept),
            )

    def remove(self, name: str) -> bool:
        """Remove a person's password, and their sessions with it; True if they had one."""
        name = clean_name(name)
        with self._database.transaction(name) as connection:
            connection.execute("DELETE FROM siliconfriend.session WHERE person = %s", (name,))
            done = connection.execute(
                "DELETE FROM siliconfriend.password WHERE person = %s", (name,)
            )
            return done.rowcount > 0


def _is_clean(name: str) -> bool:
    """True if a typed name is written as names are kept."""
    try:
        return clean_name(name) == name
    except RefusedName:
        return False
