"""A person's memory as association sees it.

Association keeps no store of its own: it works over what is remembered already, so that
what is erased, archived or corrected is so for it too.
"""

from __future__ import annotations

from collections.abc import Iterator

from siliconfriend.config import Settings
from siliconfriend.memory.records import DaySummary, Insight, PersonMemory, kind_of
from siliconfriend.recall.association import Concept, OwnWeights
from siliconfriend.recall.candidates import ORDINARY_IMPORTANCE
from siliconfriend.recall.documents import searched_text


def own_weights(settings: Settings) -> OwnWeights:
    """The person's own three weights, as the settings name them."""
    return OwnWeights(
        settings.reverie_recency, settings.reverie_relevance, settings.reverie_importance
    )


def concepts_of(memory: PersonMemory) -> Iterator[Concept]:
    """Turns and insights as concepts, oldest day first.

    Left out are day summaries (they retell their turns), what is archived, and turns that
    only ask about what they recalled. What has expired is in, since it is for the
    :class:`~siliconfriend.recall.association.Association` to know the moment.
    """
    for record in memory.memories():
        words = searched_text(record)
        if isinstance(record, DaySummary) or record.trace.archived is not None or not words:
            continue
        trace = record.trace
        yield Concept(
            id=record.id,
            kind=kind_of(record),
            description=words,
            created=trace.created,
            last_accessed=trace.last_recall,
            importance=trace.importance or ORDINARY_IMPORTANCE,
            depth=record.depth if isinstance(record, Insight) else 0,
            expires=trace.expires,
        )
