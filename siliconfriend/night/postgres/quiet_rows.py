"""Notes of quiet people in the database, where every worker finds them.

The state of a memory is the state of its row: each change counts its sequence up, and a log that
begins anew has another segment. With it stands the state of the index, which a night brings level.
"""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.types.json import Jsonb
from pydantic import ValidationError

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.night.postgres.scope_key import scope_key
from siliconfriend.night.quiet_notes import QuietNote

_STATE = """
SELECT s.segment, s.sequence, s.generation, i.stamps, i.erasures, i.associated
FROM siliconfriend.scope s LEFT JOIN siliconfriend.index_state i USING (person, companion)
WHERE person = %s AND companion = %s
"""
_PUT = """
INSERT INTO siliconfriend.quiet_note (scope, conditions, note) VALUES (%s, %s, %s)
ON CONFLICT (scope) DO UPDATE SET conditions = excluded.conditions, note = excluded.note
"""


class QuietRows:
    """The notes in a database, each written as soon as it is made.

    Args:
        database: where they are.
        conditions: a hash of all that is the same for everyone and decides what is due.
    """

    def __init__(self, database: Database, conditions: str) -> None:
        self._database = database
        self._conditions = conditions

    def state(self, scope: Scope) -> str | None:
        """The state of a person's memory and index; None where there is no memory."""
        with self._database.transaction(scope.person) as connection:
            row = connection.execute(_STATE, (scope.person, scope.companion)).fetchone()
        return None if row is None else repr(row)

    def get(self, scope: Scope) -> QuietNote | None:
        """The note of a person that was made under the same conditions."""
        query = "SELECT note FROM siliconfriend.quiet_note WHERE scope = %s AND conditions = %s"
        with self._database.transaction() as connection:
            row = connection.execute(query, (scope_key(scope), self._conditions)).fetchone()
        try:
            return None if row is None else QuietNote.model_validate(row[0])
        except ValidationError:
            return None  # of an earlier version: looked at as ever

    def put(self, scope: Scope, note: QuietNote | None) -> None:
        """Put a note in the place of the one there is; None for no note."""
        key = scope_key(scope)
        with self._database.transaction() as connection:
            if note is None:
                connection.execute("DELETE FROM siliconfriend.quiet_note WHERE scope = %s", (key,))
            else:
                form = Jsonb(note.model_dump(mode="json"))
                connection.execute(_PUT, (key, self._conditions, form))

    def save(self, scopes: Sequence[Scope]) -> None:
        """Each is written already, and of who is gone it names nobody."""
