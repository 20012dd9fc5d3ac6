"""Facts are grouped by one rule, wherever they are listed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import Aspect, EntityType, Fact, FactGroup, Provenance

NOW = datetime(2026, 6, 1, tzinfo=UTC)
FACT = Fact(
    "fact-2026-06-01-0-00000000",
    "2026-06-01",
    0,
    "Ada likes jazz.",
    Trace(NOW),
    Provenance("offline", NOW),
    "Ada",
    "object",
    "attribute",
)


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
    """Only of the person the aspect counts; a promise is one whomever it names."""
    assert replace(FACT, entity_type=entity_type, aspect=aspect).group == group


def test_a_fact_is_active_until_it_is_superseded_or_archived() -> None:
    """Either is enough."""
    assert FACT.is_active
    assert not replace(FACT, superseded_by="fact-2026-06-02-0-00000000").is_active
    assert not replace(FACT, trace=FACT.trace.archived_at(NOW)).is_active
