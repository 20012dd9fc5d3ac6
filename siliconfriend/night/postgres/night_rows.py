"""The row of a night whose people's nights are jobs: how they are to go, found by its number."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from siliconfriend.control.policy_text import formula
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.postgres.database import Database
from siliconfriend.night.postgres.report_rows import MOST_NIGHTS

_BEGIN = """
INSERT INTO siliconfriend.night (name, form, options, max_calls) VALUES (%s, %s, %s, %s)
ON CONFLICT (name) DO NOTHING RETURNING id
"""
_PRUNE = """
DELETE FROM siliconfriend.night WHERE id <= (
    SELECT id FROM siliconfriend.night ORDER BY id DESC OFFSET %s LIMIT 1)
"""


@dataclass(frozen=True, slots=True)
class JobOptions:
    """How the jobs of a night are to go.

    Attributes:
        stages: names of stages; None for all.
        today: take the person's present day as over.
        allow_large: forget also where more than the policy's share would go at once.
        everyone: it is over everyone, so that who is known to be quiet may be passed over.
    """

    stages: tuple[str, ...] | None = None
    today: bool = False
    allow_large: bool = False
    everyone: bool = True

    @property
    def is_usual(self) -> bool:
        """True for a whole night over everyone, as one begins by itself."""
        return self == JobOptions()


def begin_night(
    database: Database,
    policy: ForgettingPolicy,
    now: datetime,
    options: JobOptions,
    *,
    name: str | None = None,
    max_calls: int | None = None,
) -> int:
    """Begin a night, or find the one of this name; its number.

    Args:
        database: where it is written down.
        policy: what forgetting goes by.
        now: the moment that its report is of.
        options: how its jobs are to go.
        name: of one that there is only one of; None for a new one.
        max_calls: how often all its jobs together may ask a model.
    """
    head = {
        "policy": policy.name,
        "formula": formula(policy, "en"),
        "now": now.isoformat(),
        "dry_run": False,
        "unreadable": [],
    }
    values = (name, Jsonb(head), Jsonb(asdict(options)), max_calls)
    with database.transaction() as connection:
        row = connection.execute(_BEGIN, values).fetchone()
        if row is None:
            query = "SELECT id FROM siliconfriend.night WHERE name = %s"
            row = connection.execute(query, (name,)).fetchone()
        else:
            connection.execute(_PRUNE, (MOST_NIGHTS,))
    assert row is not None
    return int(row[0])


def drop_night(database: Database, night: int) -> None:
    """Forget a night that nobody is in."""
    with database.transaction() as connection:
        connection.execute("DELETE FROM siliconfriend.night WHERE id = %s", (night,))


def options_of(database: Database, night: int) -> JobOptions | None:
    """How the jobs of a night are to go; None where it is so old that its row is gone."""
    query = "SELECT options FROM siliconfriend.night WHERE id = %s"
    with database.transaction() as connection:
        row = connection.execute(query, (night,)).fetchone()
    if row is None:
        return None
    form: dict[str, Any] = row[0]
    stages: Collection[str] | None = form["stages"]
    return JobOptions(
        stages=None if stages is None else tuple(stages),
        today=form["today"],
        allow_large=form["allow_large"],
        everyone=form["everyone"],
    )
