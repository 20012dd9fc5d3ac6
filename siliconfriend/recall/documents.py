"""What of a memory is searched: its document.

The index is made of these and of nothing else, so what is not in a document cannot be
found by its words, and erasing a memory is done with once its document is gone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from siliconfriend.memory.records import Day, Memory, Turn, kind_of


@dataclass(frozen=True, slots=True)
class Document:
    """A memory as the index sees it.

    Attributes:
        id: the memory's id.
        kind: its kind.
        date: its ISO day.
        text: the words it is found by.
        digest: SHA-256 of the text; what the cache knows it by.
        archived: out of the ordinary candidates.
    """

    id: str
    kind: str
    date: str
    text: str
    digest: str
    archived: bool


def documents_of(day: Day) -> list[Document]:
    """The documents of a day: a turn each in their order, then its summary and its insights.

    A turn that only asks about what it then recalled has none.
    """
    records: list[Memory] = [*day.turns]
    if day.summary is not None:
        records.append(day.summary)
    records.extend(day.insights)
    return [
        Document(
            record.id,
            kind_of(record),
            record.date,
            text,
            hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
            record.trace.archived is not None,
        )
        for record in records
        if (text := searched_text(record))
    ]


def searched_text(memory: Memory) -> str:
    """The words a memory is found by; empty where it is not to be found."""
    if not isinstance(memory, Turn):
        return memory.text.strip()
    if memory.index_text is not None:
        return memory.index_text.strip()
    return "\n".join(part.strip() for part in (memory.query, memory.response) if part.strip())
