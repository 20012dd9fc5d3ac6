"""Store where a person's browsers can be sent a notice, and the key that signs notices."""

from collections.abc import Callable
from dataclasses import dataclass

from siliconfriend.installation.tables import Tables
from siliconfriend.memory.scope import Scope

MAX_BROWSERS = 8
"""Maximum number of subscriptions of one person; the oldest is removed."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser's address at its push service, with the keys that encrypt for it (base64url).

    Attributes:
        scope: whose due matters are announced.
        told: ISO day of the last notice; empty before the first.
    """

    scope: Scope
    endpoint: str
    p256dh: str
    auth: str
    told: str = ""


class Subscriptions:
    """The browsers that asked for notices; safe across processes."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def signing_keys(self, draw: Callable[[], tuple[str, str]]) -> tuple[str, str]:
        """Return the private and the public key in PEM; ``draw`` makes them the first time."""
        statement = (
            "INSERT INTO push_key (number, private, public) VALUES (1, ?, ?)"
            " ON CONFLICT (number) DO UPDATE SET number = 1 RETURNING private, public"
        )
        kept = self._tables.read("SELECT private, public FROM push_key")
        if not kept:
            with self._tables.write() as transaction:
                kept = transaction.execute(statement, draw())
        ((private, public),) = kept
        return str(private), str(public)

    def add(self, new: Subscription) -> None:
        """Store a subscription; a browser that another person used before changes its owner."""
        person, companion = new.scope.person, new.scope.companion
        with self._tables.write() as transaction:
            transaction.execute(
                "INSERT INTO push_subscription (endpoint, person, companion, p256dh, auth, told, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (endpoint) DO UPDATE SET"
                " person = excluded.person, companion = excluded.companion,"
                " p256dh = excluded.p256dh, auth = excluded.auth, at = excluded.at",
                (new.endpoint, person, companion, new.p256dh, new.auth, "", self._tables.now()),
            )
            transaction.execute(
                "DELETE FROM push_subscription WHERE person = ? AND endpoint NOT IN (SELECT endpoint"
                " FROM push_subscription WHERE person = ? ORDER BY at DESC LIMIT ?)",
                (person, person, MAX_BROWSERS),
            )

    def all(self) -> list[Subscription]:
        """Return every subscription."""
        query = "SELECT person, companion, endpoint, p256dh, auth, told FROM push_subscription"
        return [Subscription(Scope(*row[:2]), *row[2:]) for row in self._tables.read(query)]

    def remove(self, person: str, endpoint: str) -> None:
        """Remove a person's subscription, if it exists."""
        statement = "DELETE FROM push_subscription WHERE person = ? AND endpoint = ?"
        self._tables.change(statement, (person, endpoint))

    def claim(self, endpoint: str, day: str) -> bool:
        """Record a day's notice; return False if another process already did."""
        statement = "UPDATE push_subscription SET told = ? WHERE endpoint = ? AND told <> ?"
        return self._tables.change(statement, (day, endpoint, day)) > 0

    def release(self, endpoint: str) -> None:
        """Undo :meth:`claim` for a notice that could not be sent."""
        self._tables.change(
            "UPDATE push_subscription SET told = '' WHERE endpoint = ?", (endpoint,)
        )
