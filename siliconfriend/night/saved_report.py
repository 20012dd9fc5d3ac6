"""The form of a report that was saved, checked before anything is told from it.

Reports are files that anybody can touch and earlier versions wrote with fewer fields. One
that lacks what is told of a night is passed over, instead of breaking ``nightly --last``.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel

from siliconfriend.forgetting.policy import POLICIES

_Kind = Literal["turn", "day", "event", "fact", "insight", "topic"]


def _known_policy(name: str) -> str:
    if name not in POLICIES:
        msg = "no policy of this program"
        raise ValueError(msg)
    return name


def _day_or_name(name: str) -> str:
    if name[:1].isdigit():
        date.fromisoformat(name)
    return name


class _SavedUsage(BaseModel):
    calls: int
    input_tokens: int
    output_tokens: int
    fallback_calls: int = 0
    cost: float | None = None
    currency: str | None = None


class _SavedHeldBack(BaseModel):
    due: int
    alive: int


class _SavedPerson(BaseModel):
    """One person's night; what an earlier version did not have may be missing."""

    scope: str
    now: datetime | None = None
    stages: dict[str, dict[str, int]]
    summarised: list[date]
    archived: dict[_Kind, int]
    dimmed: dict[_Kind, int]
    errors: list[str]
    pending: list[Annotated[str, AfterValidator(_day_or_name)]]
    llm: _SavedUsage
    held_back: _SavedHeldBack | None = None
    events: int = 0
    facts: int = 0
    topics: int = 0
    knowledge: int = 0
    insights: int = 0
    skipped: tuple[str, ...] = ()


class SavedReport(BaseModel):
    """A report as ``report_store.save`` writes it; fields beside these are let be."""

    policy: Annotated[str, AfterValidator(_known_policy)]
    now: datetime
    dry_run: bool
    users: list[_SavedPerson]
    unreadable: list[str]
    seconds: float
    llm: _SavedUsage | None = None
