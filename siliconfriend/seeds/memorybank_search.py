"""MemoryBank's original search: LangChain's FAISS store over all memory pieces.

It needs the extra ``langchain`` and ranks as the recipe ``memorybank`` does.
"""

import warnings
from dataclasses import replace

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.recipes import Searched


def with_distances(candidates: CandidateSet, searched: Searched) -> CandidateSet:
    """Replace the cosines by ``1 - d² / 2`` from the store's L2 distances d.

    Raises:
        ConfigurationError: LangChain is not installed.
    """
    vector = None if searched.vectors is None else searched.vectors.message
    if searched.index.vector_index is None or vector is None or not len(candidates):
        return candidates
    try:
        with warnings.catch_warnings():
            # Importing the archived package emits a deprecation warning.
            warnings.simplefilter("ignore", DeprecationWarning)
            from langchain_community.vectorstores import FAISS
            from langchain_core.embeddings import FakeEmbeddings
    except ImportError as error:
        raise ConfigurationError("langchain_package") from error
    rows = np.array(searched.index.rows_of(memory.id for memory in candidates.memories))
    vectors = searched.index.vector_index.vectors(rows)
    texts = [str(position) for position in range(len(rows))]
    store = FAISS.from_embeddings(
        list(zip(texts, vectors.tolist(), strict=True)), FakeEmbeddings(size=len(vector))
    )
    found = store.similarity_search_with_score_by_vector(vector.tolist(), k=len(rows))
    dense = np.zeros(len(candidates))
    for document, distance in found:
        dense[int(document.page_content)] = 1.0 - float(distance) / 2.0
    return replace(candidates, dense=dense)
