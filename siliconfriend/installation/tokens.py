"""Count the tokens that a model read and wrote for each person and day; hold a daily limit.

Counts are those that the model's server reports. A night's are in its report instead.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.errors import LimitReached
from siliconfriend.installation.tables import Tables
from siliconfriend.models.base import Usage

MOST_DAYS = 366
"""Days that are listed, the newest."""


@dataclass(frozen=True, slots=True)
class TokensOfDay:
    """What replies to one person took on one day."""

    day: date
    requests: int
    input_tokens: int
    output_tokens: int


class Tokens:
    """The tokens of an installation by person and day; ``most`` a person and day, None for any.

    Days are those of ``zone``.
    """

    def __init__(self, tables: Tables, most: int | None, zone: ZoneInfo) -> None:
        self._tables, self._most, self._zone = tables, most, zone

    def record(self, person: str, used: Usage) -> None:
        """Add what a reply took."""
        if used.input_tokens or used.output_tokens:
            today, counts = self._now().date(), (used.calls, used.input_tokens, used.output_tokens)
            self._tables.change(
                "INSERT INTO tokens (person, day, requests, input, output) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (person, day) DO UPDATE SET requests = tokens.requests"
                " + excluded.requests, input = tokens.input + excluded.input,"
                " output = tokens.output + excluded.output",
                (person, today.isoformat(), *counts),
            )

    def of(self, person: str) -> list[TokensOfDay]:
        """Return the days of a person, newest first."""
        query = (
            "SELECT day, requests, input, output FROM tokens WHERE person = ?"
            " ORDER BY day DESC LIMIT ?"
        )
        rows = self._tables.read(query, (person, MOST_DAYS))
        return [TokensOfDay(date.fromisoformat(day), *counts) for day, *counts in rows]

    def check(self, person: str) -> None:
        """Raise LimitReached if a person has used the tokens of today."""
        if self._most is None:
            return
        now, query = self._now(), "SELECT input + output FROM tokens WHERE person = ? AND day = ?"
        rows = self._tables.read(query, (person, now.date().isoformat()))
        if rows and rows[0][0] >= self._most:
            tomorrow = datetime.combine(now.date() + timedelta(days=1), time(), self._zone)
            seconds = max(1.0, tomorrow.timestamp() - now.timestamp())
            raise LimitReached("tokens_spent", retry_after=seconds, most=self._most)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._tables.now(), self._zone)
