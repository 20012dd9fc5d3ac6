"""Facts are grouped by one rule, wherever they are listed."""

from dataclasses import replace

import pytest

from siliconfriend.memory.knowledge import Aspect, EntityType, FactGroup
from tests.recall.people import NOW, a_fact

FACT = a_fact("Nora likes jazz.")


@pytest.mark.parametrize(
    ("entity_type", "aspect", "group"),
    [
        ("object", "attribute", "attributes"),
        ("object", "relation", "relations"),
        ("subject", "attribute", "companion"),
        ("subject", "promise", "promises"),
        ("object", "promise", "promises"),
        ("specific", "attribute", "named"),
        ("general", "scene", "general"),
    ],
)
def test_a_fact_is_grouped_by_whom_it_is_about(
    entity_type: EntityType, aspect: Aspect, group: FactGroup
) -> None:
    assert replace(FACT, entity_type=entity_type, aspect=aspect).group == group


def test_a_fact_is_active_until_it_is_superseded_or_archived() -> None:
    assert FACT.is_active
    assert not replace(FACT, superseded_by="fact-2026-06-02-0-00000000").is_active
    assert not replace(FACT, trace=FACT.trace.archived_at(NOW)).is_active
