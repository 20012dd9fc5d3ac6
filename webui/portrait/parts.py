"""The texts of a portrait: what was written about the person, from which days, by whom.

Each can be put right under its id, which is the id of a memory or of one of the texts about all
days and about one day.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from siliconfriend.control.listing import words_of
from siliconfriend.control.portrait import grouped_facts
from siliconfriend.errors import UsageError
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.texts import Language

from ..cards.action_menu import menu
from ..words.labels import say
from ..words.markup import day_link, day_name, plain
from ..words.phrases import tell

NEWEST_DAYS = 10
MOST_LINKS = 5
"""Days that are linked in a line; of more, it says how many, and the newest are folded."""
MOST_FOLDED = 60


@dataclass(frozen=True, slots=True)
class Part:
    """One text of the portrait.

    Attributes:
        id: under which it is put right.
        title: what it is about; empty where its group says so.
        words: the text.
        provenance: what it was made from.
        memory: the record, where it is a memory by itself.
    """

    id: str
    title: str
    words: str
    provenance: Provenance
    memory: Memory | None = None


def overall_parts(memory: PersonMemory, language: Language) -> Iterator[Part]:
    """Yield the texts over all days."""
    for name, overall in (
        ("overall_personality", memory.overall_personality),
        ("overall_history", memory.overall_history),
    ):
        if overall is not None and overall.text:
            yield Part(name, say(name, language), overall.text, overall.provenance)


def fact_parts(memory: PersonMemory) -> Iterator[tuple[str, Part]]:
    """Yield the facts that hold, each with its group."""
    for group, fact in grouped_facts(memory):
        title = fact.entity if group == "around" else ""
        yield group, Part(fact.id, title, fact.text, fact.provenance, fact)


def insight_parts(memory: PersonMemory) -> Iterator[Part]:
    """Yield the companion's own thoughts, newest first."""
    for it in sorted(memory.insights(), key=lambda it: it.date, reverse=True):
        yield Part(it.id, "", it.text, it.provenance, it)


def day_parts(memory: PersonMemory, today: date, language: Language) -> Iterator[Part]:
    """Yield how the person was on the newest days."""
    shown = 0
    for iso in sorted(memory.days, reverse=True):
        own = memory.days[iso].personality
        if own is not None and shown < NEWEST_DAYS:
            shown += 1
            title = day_name(iso, today, language)
            yield Part(f"personality-{iso}", title, own.text, own.provenance)


def words_of_part(memory: PersonMemory, identifier: str) -> str:
    """Return the words of a memory or of a text of the portrait.

    Raises:
        UsageError: there is none with this id.
    """
    record = memory.find(identifier)
    if record is not None:
        return words_of(record)
    overall = {
        "overall_history": memory.overall_history,
        "overall_personality": memory.overall_personality,
    }.get(identifier)
    if overall is not None:
        return overall.text
    day = memory.days.get(identifier.removeprefix("personality-"))
    if day is not None and day.personality is not None:
        return day.personality.text
    raise UsageError("memory_unknown", id=identifier)


def part_line(part: Part, today: date, language: Language) -> str:
    """Return a text as a line of HTML, with the days it rests on and what can be done with it."""
    if part.memory is None:
        acts = ["correct"]
    else:
        acts = ["unpin" if part.memory.trace.pinned else "pin", "correct", "erase"]
    title = f"<b>{plain(part.title)}</b> " if part.title else ""
    meta = f"{rests_on(part.provenance, today, language)}<span>{made_by(part.provenance, language)}</span>"
    return (
        f'<li data-memory="{plain(part.id)}"><div><p>{title}{plain(part.words)}</p>'
        f'<div class="sf-meta">{meta}</div></div>'
        f"{menu(acts, part.id, part.words, language)}</li>"
    )


def rests_on(provenance: Provenance, today: date, language: Language) -> str:
    """Return the days that a text rests on as links; empty where there are none."""
    found = set()
    for identifier in provenance.from_ids:
        place = parse_memory_id(identifier)
        found.add(place.date if place else identifier.removeprefix("personality-"))
    return linked_days(sorted(it for it in found if it[:4].isdigit()), today, language)


def linked_days(days: list[str], today: date, language: Language) -> str:
    """Return days as links, newest first; of many how many there are, with the newest folded."""
    if not days:
        return ""
    between = f'<span aria-hidden="true">{plain(tell("portrait.between_days", language))}</span>'
    links = [day_link(it, today, language) for it in days[: -MOST_FOLDED - 1 : -1]]
    if len(days) <= MOST_LINKS:
        return f"<span>{between.join(links)}</span>"
    ends = {
        "first": day_name(days[0], today, language),
        "last": day_name(days[-1], today, language),
    }
    many = say("rests_on_many", language, count=len(days), **ends)
    return f"<details><summary>{plain(many)}</summary>{between.join(links)}</details>"


def made_by(provenance: Provenance, language: Language) -> str:
    """Return who wrote a text, in words."""
    if provenance.made_by in ("person", "offline", "import"):
        return plain(say(f"made_by.{provenance.made_by}", language))
    return plain(say("made_by.model", language, model=provenance.made_by))
