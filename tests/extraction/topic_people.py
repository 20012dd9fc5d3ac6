"""A topic as an earlier night left it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import Provenance, Topic, TopicSegment
from siliconfriend.memory.scope import memory_id
from tests.memory.people import NORA

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
DAY = "2026-03-01"


def a_topic(
    text: str,
    on: Sequence[str],
    *,
    position: int = 0,
    day: str = DAY,
    words: Sequence[str] = (),
    **values: object,
) -> Topic:
    """A topic with one talk; its length is that of its pages."""
    identifier, pages = memory_id(NORA, "topic", day, position), tuple(on)
    made = Provenance("scripted", NOW, pages)
    topic = Topic(identifier, day, position, text, Trace(NOW), made, tuple(words))
    talks = (TopicSegment(pages, text),) if on else ()
    topic = replace(topic, talks=talks, length=len(on), last_visit=NOW)
    return replace(topic, **values)  # type: ignore[arg-type]  # the fields under test
