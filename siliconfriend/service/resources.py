"""The resources a client can read without a tool: the portrait, the days, and one day.

They are written in the person's language as Markdown, for a person or a model to read;
reading strengthens nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from siliconfriend.control.listing import words_of
from siliconfriend.errors import UsageError
from siliconfriend.memory.records import PersonMemory
from siliconfriend.service.context import ServiceContext
from siliconfriend.texts import text

PORTRAIT = "siliconfriend://portrait"
DAYS = "siliconfriend://days"
ONE_DAY = "siliconfriend://days/{date}"
MEDIA_TYPE = "text/markdown"


@dataclass(frozen=True, slots=True)
class Resource:
    """The description of a resource for clients.

    Attributes:
        uri: its address, or the template of addresses.
        name: a short name for lists.
        description: in the person's language.
    """

    uri: str
    name: str
    description: str


def list_resources(context: ServiceContext) -> list[Resource]:
    """The resources with an address of their own."""
    language = context.language
    return [
        Resource(PORTRAIT, "portrait", text("service", "resource_portrait", language)),
        Resource(DAYS, "days", text("service", "resource_days", language)),
    ]


def list_templates(context: ServiceContext) -> list[Resource]:
    """The resources of which there is one a day."""
    return [Resource(ONE_DAY, "day", text("service", "resource_day", context.language))]


def read_resource(context: ServiceContext, uri: str) -> str | None:
    """Read a resource as Markdown; None where there is none with this address.

    Raises:
        UsageError: nobody is set, or nothing is remembered of that day.
        StoreError: the memory cannot be read.
    """
    memory = context.memory()
    if uri == PORTRAIT:
        lines = list(_portrait(memory))
    elif uri == DAYS:
        lines = list(_days(memory))
    elif day := re.fullmatch(rf"{DAYS}/(\d{{4}}-\d\d-\d\d)", uri):
        lines = list(_day(memory.kept(), day[1]))
    else:
        return None
    return "\n\n".join(lines) or text("service", "nothing_yet", memory.profile.language)


def _portrait(memory: PersonMemory) -> Iterator[str]:
    for overall in (memory.overall_personality, memory.overall_history):
        if overall is not None:
            yield overall.text


def _days(memory: PersonMemory) -> Iterator[str]:
    for date in sorted(memory.days, reverse=True):
        summary = memory.days[date].summary
        yield f"- {date}" if summary is None else f"- {date}: {' '.join(summary.text.split())}"


def _day(memory: PersonMemory, date: str) -> Iterator[str]:
    day = memory.days.get(date)
    if day is None:
        raise UsageError("service_no_day", date=date)
    yield f"# {date}"
    if day.summary is not None:
        yield day.summary.text
    for turn in day.turns:
        yield words_of(turn)
