"""Arguments and results of the façade: timestamps, and results of people and banks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.clock import check_day, day_of, noon_of
from siliconfriend.control.listing import grouped_facts
from siliconfriend.errors import UsageError
from siliconfriend.memory.days import standing_wishes
from siliconfriend.memory.knowledge import BY_PERSON
from siliconfriend.memory.records import PersonMemory, is_put_away
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language

if TYPE_CHECKING:
    from siliconfriend.control.erasure.proof import Proof
    from siliconfriend.importers.ledger import TakenIn
    from siliconfriend.importers.reading import Past

AHEAD = timedelta(days=1)
"""Longest time that a timestamp may lie ahead, for programs in another time zone."""


@dataclass(frozen=True, slots=True)
class PersonSummary:
    """One person with one companion in numbers.

    Attributes:
        user: the name that finds them.
        name: what they are called.
        first, last: ISO days on which something was said.
    """

    user: str
    name: str
    companion: str
    language: Language
    timezone: str
    days: int
    turns: int
    summaries: int
    first: str | None
    last: str | None

    def to_json(self) -> dict[str, Any]:
        """Return one item of ``users list --json``."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PortraitPart:
    """A text of the portrait that the person can correct with :meth:`Person.edit`.

    Attributes:
        id: ``overall_history``, ``overall_personality``, ``personality-DATE`` or a memory's id.
        group: ``overall``, ``days``, ``thoughts``, or the heading of a fact.
        title: the day, the question, the key word or the subject.
    """

    id: str
    group: str
    title: str
    text: str
    made_by: str
    from_ids: tuple[str, ...]


def portrait_parts(memory: PersonMemory) -> Iterator[PortraitPart]:
    """List the texts of the portrait, those of the newest day first among the days."""
    for name in ("overall_history", "overall_personality"):
        overall = getattr(memory, name)
        if overall is not None and overall.text:
            yield _part(name, "overall", name, overall)
    for group, fact in grouped_facts(memory):
        yield _part(fact.id, group, fact.entity if group == "around" else fact.key_word, fact)
    for asked, turn in standing_wishes(memory):
        yield PortraitPart(turn.id, "wishes", asked.act, asked.words, BY_PERSON, (turn.id,))
    for insight in memory.insights():
        if is_put_away(insight):
            continue
        yield _part(insight.id, "thoughts", insight.question, insight)
    for day in reversed(list(memory.days.values())):
        if day.personality is not None:
            yield _part(f"personality-{day.date}", "days", day.date, day.personality)


def _part(identifier: str, group: str, title: str, text: Any) -> PortraitPart:
    made = text.provenance
    return PortraitPart(identifier, group, title, text.text, made.made_by, tuple(made.from_ids))


class Imported(NamedTuple):
    """Result of an import of another program's talks; a ``dry_run`` has written nothing."""

    scope: Scope
    past: Past
    taken: TakenIn
    dry_run: bool

    def to_json(self) -> dict[str, Any]:
        """Return the document of ``import --json``."""
        past, taken, days = self.past, self.taken, self.past.dates
        counts = {"turns": taken.added, "grown": taken.grown, "skipped": taken.known}
        erased = {"kept_erased": taken.kept_erased, "dates": sorted(taken.dates)}
        read = {"messages": past.messages, "turns": len(past.drafts), "days": len(days)}
        span = {"first": min(days, default=None), "last": max(days, default=None)}
        left_out = dict(past.left_out)
        return {
            "people": [self.scope.to_json() | counts | erased],
            "turns": taken.added,
            "dry_run": self.dry_run,
            "formats": list(past.formats),
            "chats": past.chats,
            "speakers": [{"person": me, "companion": other} for me, other in past.speakers],
            "read": read | span,
            "keys_left_out": left_out.pop("keys", 0),
            "left_out": left_out,
        }


class Deleted(NamedTuple):
    """Result of deleting a person: deleted memories, and the search for remaining words."""

    scopes: tuple[Scope, ...]
    proof: Proof

    def to_json(self) -> dict[str, Any]:
        """Return the document of ``users delete --json``."""
        proof = {"searched": self.proof.searched, "left": len(self.proof.found_in)}
        return {"deleted": [scope.to_json() for scope in self.scopes]} | proof


def parse_timestamp(
    at: datetime | date | str | None, *, zone: ZoneInfo, now: datetime
) -> tuple[datetime, bool]:
    """Parse ``YYYY-MM-DD HH:MM:SS`` or any ISO 8601 form, a day alone too; None is now.

    Returns the moment in UTC, and whether a time was named; noon where only the day was.
    UsageError: it is no timestamp, or lies more than a day ahead.
    """
    written = (at.isoformat() if isinstance(at, date) else at or "").strip()
    if not written:
        return now, True
    has_time = len(written) > len("2026-03-14")
    try:
        if has_time:
            moment = datetime.fromisoformat(written)
            moment = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
        else:
            moment = noon_of(date.fromisoformat(written), zone)
        check_day(day_of(moment, zone))  # nor can a file hold it
    except (ValueError, OverflowError) as error:
        raise UsageError("service_moment", written=written) from error
    if moment - now > AHEAD:
        raise UsageError("service_moment_ahead", written=written)
    return moment, has_time
