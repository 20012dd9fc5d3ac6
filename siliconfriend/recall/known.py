"""What is known, in the groups and the order a model reads it in (dynamic memory, part 7).

The person's attributes, the person's relations, the companion's, then each named entity with
its attributes and relations. A fact that stood in the wrong group would turn a friend's
birthday into the person's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from siliconfriend.memory.knowledge import Fact, FactGroup
from siliconfriend.prompts.escape import Escaped, escaped_text, join
from siliconfriend.recall.formatting import MemoryFormatter
from siliconfriend.recall.results import Recalled

_ORDER: dict[FactGroup, int] = {
    "attributes": 0,
    "relations": 1,
    "scenes": 1,
    "companion": 2,
    "named": 3,
    "general": 4,
    "promises": 5,
}
"""The order of the headings; a scene stands among the relations."""


def fact_of(recalled: Recalled) -> Fact:
    """The fact that was recalled.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(recalled.memory, Fact):
        msg = f"{recalled.memory.id} is no fact"
        raise TypeError(msg)
    return recalled.memory


def stays_first(recalled: Recalled) -> int:
    """The rank in which facts are kept where the budget cuts: pinned, the person's, the companion's last."""
    fact = fact_of(recalled)
    if fact.trace.pinned:
        return 0
    return {"object": 1, "specific": 2, "general": 2, "subject": 3}[fact.entity_type]


def format_facts(recalled: Iterable[Recalled], teller: MemoryFormatter) -> Escaped:
    """All but the companion's promises, under the headings of their groups; empty for none."""
    blocks: dict[str, list[Recalled]] = {}
    for it in sorted(recalled, key=lambda it: (_order(fact_of(it)), fact_of(it).first)):
        if fact_of(it).group != "promises":
            blocks.setdefault(_heading(fact_of(it), teller), []).append(it)
    return join(
        line for heading, facts in blocks.items() for line in (heading, *_lines(facts, teller))
    )


def format_promises(recalled: Iterable[Recalled], teller: MemoryFormatter) -> Escaped:
    """What the companion promised or recommended, each with its day; empty for nothing."""
    promises = [it for it in recalled if fact_of(it).group == "promises"]
    promises.sort(key=lambda it: fact_of(it).first)
    return join(_lines(promises, teller))


def _lines(facts: Iterable[Recalled], teller: MemoryFormatter) -> Iterator[Escaped]:
    for it in facts:
        line = teller.fact(fact_of(it), dim=it.state != "vivid")
        yield escaped_text("recall", "item", teller.language, words=line)


def _order(fact: Fact) -> tuple[int, str, bool]:
    """Sort by the heading, of named ones by the entity, and what is undated first."""
    is_dated = fact.aspect != "attribute"
    entity = fact.entity if fact.group in ("named", "general") else ""
    return _ORDER[fact.group], entity, is_dated


def _heading(fact: Fact, teller: MemoryFormatter) -> Escaped:
    if fact.entity_type == "object":
        key = "attributes" if fact.group == "attributes" else "relations"
        return escaped_text("recall", f"groups.{key}", teller.language, name=teller.person)
    name = teller.companion if fact.entity_type == "subject" else fact.entity
    return escaped_text("recall", "groups.about", teller.language, name=name)
