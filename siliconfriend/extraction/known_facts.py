"""Which known facts a batch may repeat or correct: few, so that the prompt stays short.

What one has only one of (birthday, home, job) is always among them, since a correction may
come in another language and share no word with what it corrects.
"""

from __future__ import annotations

from collections.abc import Iterable

from siliconfriend.extraction.comparison import statement_of
from siliconfriend.extraction.queue import Batch
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import PersonMemory

MAX_SHOWN = 12
MAX_SINGLE_VALUED = 4
"""Of them those that one has only one of, the last told first."""


def related_facts(memory: PersonMemory, batch: Batch) -> list[Fact]:
    """At most :data:`MOST` facts that hold, those that share most words with the batch first."""
    facts = list(active_facts(memory.facts()))
    said = {word for turn in batch.turns for word in tokenize(f"{turn.query}\n{turn.response}")}
    single = [fact for fact in facts if _is_single_valued(fact)]
    single.sort(key=lambda it: it.last, reverse=True)
    shared = {it.id: len(said.intersection(tokenize(f"{it.text} {it.key_word}"))) for it in facts}
    near = sorted(
        (it for it in facts if shared[it.id]), key=lambda it: (shared[it.id], it.last), reverse=True
    )
    chosen = {it.id: it for it in (*single[:MAX_SINGLE_VALUED], *near)}
    return list(chosen.values())[:MAX_SHOWN]


def active_facts(facts: Iterable[Fact]) -> Iterable[Fact]:
    """Facts that are neither history nor put away."""
    return (it for it in facts if not it.superseded_by and it.trace.archived is None)


def _is_single_valued(fact: Fact) -> bool:
    """True if a fact of the person states what one has only one of."""
    statement = statement_of(fact)
    return fact.entity_type == "object" and statement is not None and statement.is_single
