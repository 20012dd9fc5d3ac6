"""The counts of a night in its row of the database, for however many workers are at it.

Each call is one statement that takes it or does not, so that two workers with a budget of N make
N calls in all. The wait that a server asked for is kept by model and not by night: whoever asks
that server next has to wait, whichever night it is for.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from psycopg.types.json import Jsonb

from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.postgres.database import Database
from siliconfriend.night.call_ledger import BudgetSpentError, ModelGivenUpError
from siliconfriend.night.retries import may_pass

GIVEN_UP_FOR = timedelta(minutes=5)
"""How long nobody asks a model that failed in a way that may pass; else it is all of the night."""

_TAKE = """
WITH paused AS (
    SELECT extract(epoch FROM until - clock_timestamp()) AS wait FROM siliconfriend.model_pause
    WHERE model = %(model)s AND until > clock_timestamp()
), taken AS (
    UPDATE siliconfriend.night SET calls = calls + 1
    WHERE id = %(night)s AND NOT EXISTS (SELECT FROM paused)
        AND (max_calls IS NULL OR calls < max_calls)
        AND (%(most)s::integer IS NULL OR calls < %(most)s)
        AND (given_up IS NULL OR given_up_until <= clock_timestamp())
    RETURNING id
)
SELECT EXISTS (SELECT FROM taken), (SELECT wait::float FROM paused), given_up
FROM siliconfriend.night WHERE id = %(night)s
"""
_PAUSE = """
INSERT INTO siliconfriend.model_pause (model, until)
VALUES (%s, clock_timestamp() + %s * interval '1 second')
ON CONFLICT (model) DO UPDATE SET until = greatest(model_pause.until, excluded.until)
"""


class CallRows:
    """The counts of one night, shared by all who work at it.

    Args:
        database: where they are.
        night: the number of its row.
        model: the name of the model that is asked.
        most: calls that this process lets the night have, beside the limit in its row; None for
            any number.
    """

    def __init__(self, database: Database, night: int, model: str, most: int | None = None) -> None:
        self._database = database
        self._night = night
        self._model = model
        self._most = most

    def take(self) -> float:
        """Take one call and return 0; while nobody may ask, return the seconds left."""
        values = {"night": self._night, "model": self._model, "most": self._most}
        with self._database.transaction() as connection:
            row = connection.execute(_TAKE, values).fetchone()
        is_taken, wait, given_up = row or (False, None, None)
        if is_taken:
            return 0.0
        if wait is not None:
            return max(0.001, float(wait))
        if given_up is not None:
            raise ModelGivenUpError(ModelUnavailable(given_up["key"], **given_up["details"]))
        raise BudgetSpentError

    def pause(self, seconds: float) -> None:
        """Let nobody ask this model for so many seconds from now."""
        with self._database.transaction() as connection:
            connection.execute(_PAUSE, (self._model, seconds))

    def count_failure(self) -> int:
        """Count a failure; how many there were in a row."""
        statement = "UPDATE siliconfriend.night SET failures = failures + 1 WHERE id = %s RETURNING failures"
        with self._database.transaction() as connection:
            row = connection.execute(statement, (self._night,)).fetchone()
        return int(row[0]) if row else 1

    def forget_failures(self) -> None:
        """Begin to count failures anew."""
        statement = "UPDATE siliconfriend.night SET failures = 0 WHERE id = %s AND failures > 0"
        with self._database.transaction() as connection:
            connection.execute(statement, (self._night,))

    def give_up(self, cause: ModelUnavailable) -> None:
        """Let nobody ask any more: for a while where it may pass, else in all of this night."""
        statement = (
            "UPDATE siliconfriend.night SET failures = 0, given_up = %s, given_up_until ="
            " CASE WHEN %s THEN clock_timestamp() + %s ELSE 'infinity' END WHERE id = %s"
        )
        form = Jsonb({"key": cause.key, "details": _plain(cause.details)})
        values = (form, may_pass(cause), GIVEN_UP_FOR, self._night)
        with self._database.transaction() as connection:
            connection.execute(statement, values)


def _plain(details: dict[str, object]) -> dict[str, Any]:
    """What an error names, as JSON has it; another error in its words."""
    return {
        name: it if it is None or isinstance(it, str | int | float) else str(it)
        for name, it in details.items()
    }
