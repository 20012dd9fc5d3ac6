"""The hashes of keys: the operator's, and one a person."""

from __future__ import annotations

from siliconfriend.keys import Caller, hash_key, new_key
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import clean_name


class KeyRows:
    """The :class:`~siliconfriend.keys.Keys` of a database.

    Args:
        database: where they are.
        operator_key: the operator's key as the settings give it; it holds beside the one that is
            kept, and is never written.
    """

    def __init__(self, database: Database, operator_key: str | None = None) -> None:
        self._database = database
        self._given = None if operator_key is None else hash_key(operator_key)

    def identify(self, key: str) -> Caller | None:
        """Find whose key this is; None for nobody's."""
        hashed = hash_key(key)
        if hashed == self._given:
            return Caller()
        with self._database.connection() as connection:
            row = connection.execute(
                "SELECT person FROM siliconfriend.key_owner(%s)", (hashed,)
            ).fetchone()
        return None if row is None else Caller(row[0])

    def ensure_operator(self) -> str | None:
        """Make the operator's key if there is none; return it then, else None."""
        if self._given is not None:
            return None
        key = new_key()
        with self._database.connection() as connection:
            row = connection.execute(
                "SELECT siliconfriend.make_operator_key(%s)", (hash_key(key),)
            ).fetchone()
        return key if row is not None and row[0] else None

    def make_for(self, person: str) -> str:
        """Make a person's key in the place of the one they may have had, and return it."""
        key = new_key()
        self.adopt(person, hash_key(key))
        return key

    def hash_of(self, person: str) -> str | None:
        """Return the hash of a person's key; None if they have none."""
        name = clean_name(person)
        with self._database.reading(name) as connection:
            row = connection.execute(
                "SELECT hash FROM siliconfriend.key WHERE person = %s", (name,)
            ).fetchone()
        return None if row is None else str(row[0])

    def adopt(self, person: str, kept: str) -> None:
        """Keep the hash of a person's key as another place kept it."""
        name = clean_name(person)
        with self._database.transaction(name) as connection:
            connection.execute(
                "INSERT INTO siliconfriend.key (person, hash) VALUES (%s, %s)"
                " ON CONFLICT (person) DO UPDATE SET hash = excluded.hash",
                (name, kept),
            )

    def remove(self, person: str) -> bool:
        """Remove a person's key; True if they had one."""
        name = clean_name(person)
        with self._database.transaction(name) as connection:
            done = connection.execute("DELETE FROM siliconfriend.key WHERE person = %s", (name,))
            return done.rowcount > 0
