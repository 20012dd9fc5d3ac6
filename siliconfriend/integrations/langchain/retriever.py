"""A LangChain retriever over one person's memory; documents keep day, kind and state."""

from __future__ import annotations

from itertools import chain, zip_longest

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from siliconfriend.memory.records import kind_of
from siliconfriend.person import Person
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.results import Recalled


class SiliconFriendRetriever(BaseRetriever):
    """Retrieves memories and facts alternately, best first.

    Attributes:
        person: whose memory, from ``MemoryBank(...).person(name)``.
        k: most documents.
        reinforce: strengthen what is relevant, as a reply does; for documents that enter a prompt.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    person: Person
    k: int = Field(default=10, ge=1)
    reinforce: bool = True

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        """Recall; return nothing for an unknown person."""
        most = self.k if k is None else k
        if not self.person.is_known():
            return []
        found = self.person.recall(query, top=most, reinforce=self.reinforce)
        mixed = chain.from_iterable(zip_longest(found.memories, found.facts))
        return [_document(recalled) for recalled in mixed if recalled is not None][:most]


def _document(recalled: Recalled) -> Document:
    memory = recalled.memory
    return Document(
        id=memory.id,
        page_content=searched_text(memory),
        metadata={
            "id": memory.id,
            "kind": kind_of(memory),
            "date": memory.date,
            "score": recalled.score,
            "state": recalled.state,
        },
    )
