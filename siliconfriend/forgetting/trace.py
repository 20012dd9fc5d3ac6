"""The state of one memory for forgetting: a log of recalls, from which strength is derived."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.clock import Moment, day_of

KINDS = ("turn", "day", "event", "fact", "insight", "topic")
"""The kinds of memories, as ids and the command line name them; ``day`` is a day's summary."""

DAY_SECONDS = 86_400.0

GRACE = timedelta(days=1)
"""A restored memory is not archived again for this long."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The state of a memory for forgetting. All moments are aware and in UTC.

    Attributes:
        created: when it was said or made.
        first_strength: S at creation; 1, or what an imported memory brings.
        recalls: when it was recalled, oldest first, at most once a day of the person.
        importance: 0.1 to 1.0, or None if it was never rated.
        archived: when its fate was reached, else None.
        forgotten: when the person put it away, else None; it stays away until it is restored.
        with_source: put away together with its source.
        restored: when it was last brought back, else None.
        expires: after this moment it is not recalled, else None.
        brought: time of the import, else None. Fading starts then; an import is no recall and adds
            no strength.
    """

    created: Moment
    first_strength: float = 1.0
    recalls: tuple[Moment, ...] = ()
    importance: float | None = None
    pinned: bool = False
    archived: Moment | None = None
    forgotten: Moment | None = None
    with_source: bool = False
    restored: Moment | None = None
    expires: Moment | None = None
    brought: Moment | None = None

    @property
    def is_active(self) -> bool:
        """True if the memory may be recalled: neither archived nor put away."""
        return self.archived is None and self.forgotten is None

    @property
    def begun(self) -> datetime:
        """Moment at which the companion learned of the memory: said, made or imported."""
        return max(self.created, self.brought or self.created)

    @property
    def fades_from(self) -> datetime:
        """Moment from which t of the curve is counted: the last recall or its import."""
        return max(self.begun, self.last_recall)

    @property
    def last_recall(self) -> datetime:
        """The last recall; creation counts as the first, a restoring as a new beginning."""
        return max(self.created, self.restored or self.created, *self.recalls[-1:])

    @property
    def strength(self) -> float:
        """S: ``first_strength`` and 1 more a recall; a restored memory starts again from 1."""
        if self.restored is None:
            return self.first_strength + len(self.recalls)
        return 1.0 + sum(recall > self.restored for recall in self.recalls)

    def recalled(self, now: datetime, zone: ZoneInfo) -> Trace:
        """Return the trace after a recall at ``now``; the same where its day already has one."""
        if self.recalls and day_of(self.recalls[-1], zone) >= day_of(now, zone):
            return self
        return replace(self, recalls=(*self.recalls, now))

    def archived_at(self, now: datetime) -> Trace:
        """Return the trace archived at ``now``."""
        return replace(self, archived=now)

    def put_away_at(self, now: datetime, *, with_source: bool = False) -> Trace:
        """Return the trace put away at ``now``; one that the person put away before stays so."""
        if self.forgotten is not None and (with_source or not self.with_source):
            return self
        return replace(self, forgotten=self.forgotten or now, with_source=with_source)

    def brought_back(self) -> Trace:
        """Return the trace that is no longer put away, with the strength that it had."""
        return replace(self, forgotten=None, with_source=False)

    def restored_at(self, now: datetime) -> Trace:
        """Return the trace brought back at ``now``, with fresh strength."""
        return replace(self, archived=None, forgotten=None, with_source=False, restored=now)

    def days_fading(self, now: datetime) -> float:
        """Return the days since ``fades_from``, to the second; 0 before it."""
        return max((now - self.fades_from).total_seconds(), 0.0) / DAY_SECONDS

    def at(self, moment: datetime) -> Trace:
        """Return the trace as it was at an aware ``moment``, without what came later."""
        return replace(
            self,
            recalls=tuple(recall for recall in self.recalls if recall <= moment),
            archived=self.archived if self.archived and self.archived <= moment else None,
            forgotten=self.forgotten if self.forgotten and self.forgotten <= moment else None,
            restored=self.restored if self.restored and self.restored <= moment else None,
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory as a forgetting pass sees it.

    Attributes:
        summarised: a turn's day has its summary, so that the turn may be archived.
        mentions: times of all mentions; empty if mentioned once.
    """

    id: str
    kind: str
    trace: Trace
    summarised: bool = True
    mentions: tuple[datetime, ...] = ()

    def may_be_archived(self, now: datetime) -> bool:
        """False if pinned, put away, restored within a day, or not yet summarised."""
        trace = self.trace
        if trace.restored is not None and now < trace.restored + GRACE:
            return False
        return self.summarised and not trace.pinned and trace.is_active
