"""A LangChain retriever over one person's memory.

Chains take documents; what is recalled keeps its day, its kind and its state in their
metadata, or a model would read what was said two years ago as if it were said today.
"""

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
    """Retrieves memories and facts that matter to a question, in turns, the best first.

    Attributes:
        person: whose memory, from ``MemoryBank(...).person(name)``.
        k: at most so many documents.
        reinforce: strengthen what is relevant, as a reply of the companion does. Leave it on
            where the documents enter a prompt; otherwise what is talked about fades.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    person: Person
    k: int = Field(default=10, ge=1)
    reinforce: bool = True

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        """Recall; nothing for a person who is not known yet."""
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
