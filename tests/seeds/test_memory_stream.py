"""Retrieval: the scores worked out by hand, the order, the filter, what is marked as accessed."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from siliconfriend.stream import Memory, MemoryStream
from siliconfriend.testing import MovingClock
from tests.embedding import WordEmbedder

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
COLUMNS = ["description", "importance", "recency", "relevance", "pointer", "score"]


def memory(words: str, seconds_ago: float = 0, importance: float = 0.5, **named: str) -> Memory:
    """A memory of half an hour ago, last accessed so many seconds ago."""
    accessed = NOON - timedelta(seconds=seconds_ago)
    made = Memory(words, NOON - timedelta(minutes=30), accessed, named.get("type", "observation"))
    made.importance = importance
    return made


def stream_of(
    *memories: Memory,
    alphas: tuple[float, float, float] = (1, 1, 1),
    decay: float = 0.99,
    k: int = 5,
) -> MemoryStream:
    return MemoryStream(
        memories, *alphas, decay, k, embedder=WordEmbedder(), clock=MovingClock(NOON)
    )


def question(words: str) -> Memory:
    return Memory(words, NOON, NOON, "observation")


def test_the_score_by_hand() -> None:
    """A decay of a half over 0, 1 and 2 seconds; words shared: one of one, one of two, none."""
    stream = stream_of(
        memory("tea", 2, 0.2),
        memory("tea choir", 1, 0.4),
        memory("garden", 0, 0.6),
        alphas=(1, 2, 4),
        decay=0.5,
    )
    found = stream.retrieve_memories(question("tea"))
    assert list(found.columns) == COLUMNS
    assert list(found["description"]) == ["tea", "tea choir", "garden"]
    assert list(found["pointer"]) == [0, 1, 2]
    assert list(found["importance"]) == [0.2, 0.4, 0.6]
    # 0.5 to the 2, 1, 0: 0.25, 0.5, 1, over their range 0, a third, 1.
    assert list(found["recency"]) == pytest.approx([0, 1 / 3, 1])
    # Cosines 1, 1/sqrt 2, 0: the range is 0 to 1 already.
    assert list(found["relevance"]) == pytest.approx([1, 2**-0.5, 0])
    assert list(found["score"]) == pytest.approx(
        [0 + 0.4 + 4, 1 / 3 + 0.8 + 4 * 2**-0.5, 1 + 1.2 + 0]
    )


def test_an_empty_stream_gives_an_empty_frame() -> None:
    """With the same columns, with and without a filter, and so does a window of none."""
    for filter_statement in (None, "relevance > 0.5"):
        found = stream_of().retrieve_memories(question("tea"), filter_statement)
        assert list(found.columns) == COLUMNS
        assert len(found) == 0
    assert len(stream_of(memory("tea"), k=0).retrieve_memories(question("tea"))) == 0
    assert len(stream_of().get_memory_df()) == 0


def test_the_filter_comes_before_the_window() -> None:
    """It sees the scores over the whole stream, and the window counts what is left."""
    stream = stream_of(
        memory("garden", 0, 1.0), memory("tea", 0, 0.1), memory("tea choir", 0, 0.1), k=2
    )
    # Scores: garden 1 + 1 + 0, tea 1 + 0.1 + 1, tea choir 1 + 0.1 + 0.71.
    assert list(stream.retrieve_memories(question("tea"))["pointer"]) == [1, 0]
    filtered = stream.retrieve_memories(question("tea"), "importance < 0.5 and score > 1")
    assert list(filtered["pointer"]) == [1, 2]
    assert list(filtered["relevance"]) == pytest.approx([1, 2**-0.5])
    few = stream.retrieve_memories(question("tea"), "importance > 0.5")
    assert list(few["pointer"]) == [0]
    assert list(few.index) == [0]


def test_a_filter_reaches_nothing_outside() -> None:
    """It is a condition on the columns and sees no variable of the program."""
    with pytest.raises(NameError):
        stream_of(memory("tea")).retrieve_memories(question("tea"), "score > @k")


def test_only_what_is_retrieved_counts_as_accessed() -> None:
    """Retrieved memories are accessed now; the others keep their time."""
    stream = stream_of(memory("tea", 500), memory("garden", 700), k=1)
    stream.retrieve_memories(question("tea"))
    assert stream.memories[0].most_recent_access_timestamp == NOON
    assert stream.memories[1].most_recent_access_timestamp == NOON - timedelta(seconds=700)
    assert stream.memories[0].creation_timestamp == NOON - timedelta(minutes=30)


def test_times_stay_as_they_were_written() -> None:
    """A local time without offset stays one, another zone stays that zone; all compare."""
    naive = (NOON - timedelta(hours=1)).astimezone().replace(tzinfo=None)
    there = timezone(timedelta(hours=8))
    stream = stream_of(
        Memory("tea", naive, naive, "O"), Memory("tea", NOON, NOON.astimezone(there), "O")
    )
    found = stream.retrieve_memories(question("tea"))
    assert list(found["pointer"]) == [1, 0]
    first, second = (one.most_recent_access_timestamp for one in stream.memories)
    assert first == NOON.astimezone().replace(tzinfo=None)
    assert second.tzinfo == there
    assert second == NOON


def test_the_query_is_a_question_unless_it_brings_a_vector() -> None:
    """Embedders may embed questions in another way; a vector that was set is used as it is."""
    asked: list[list[str]] = []

    class Asymmetric(WordEmbedder):
        def queries(self, texts: Sequence[str]) -> np.ndarray:
            asked.append(list(texts))
            return super().queries(texts)

    stream = MemoryStream(
        [memory("tea"), memory("garden")],
        *(0, 0, 1, 0.99, 1),
        embedder=Asymmetric(["tea", "garden"]),
    )
    query = question("tea")
    assert list(stream.retrieve_memories(query)["description"]) == ["tea"]
    _ = query.importance
    query.embedding_vector = [0, 1]
    assert list(stream.retrieve_memories(query)["description"]) == ["garden"]
    assert asked == [["tea"]]


def test_vectors_of_two_embedders_never_meet() -> None:
    """A different dimension is an error, among the memories or between them and the query."""
    one, two = memory("tea"), memory("garden")
    one.embedding_vector, two.embedding_vector = [1, 0], [1, 0, 0]
    with pytest.raises(ValueError, match="shapes"):
        stream_of(one, two).retrieve_memories(question("tea"))
    query = question("tea")
    query.embedding_vector = [1, 0, 0]
    with pytest.raises(ValueError, match="3 numbers"):
        stream_of(one).retrieve_memories(query)


def test_the_frame_of_all_memories() -> None:
    """Every attribute in its column, in the order of the stream, types as given."""
    stream = stream_of(memory("tea", 5, 0.2), memory("garden", 7, 0.9, type="P"))
    frame = stream.get_memory_df()
    assert list(frame.columns) == [
        "description",
        "importance",
        "creation_timestamp",
        "most_recent_access_timestamp",
        "memory_type",
        "embedding_vector",
    ]
    assert list(frame["description"]) == ["tea", "garden"]
    assert list(frame["importance"]) == [0.2, 0.9]
    assert list(frame["memory_type"]) == ["observation", "P"]
    assert list(frame["most_recent_access_timestamp"]) == [
        NOON - timedelta(seconds=5),
        NOON - timedelta(seconds=7),
    ]
    assert frame["embedding_vector"][1] @ stream.memories[1].embedding_vector == pytest.approx(1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha_recency": float("nan")},
        {"alpha_relevance": float("inf")},
        {"decay_factor": 0},
        {"decay_factor": 1.5},
        {"context_window_size": -1},
    ],
)
def test_a_stream_that_cannot_score_is_refused(wrong: dict[str, float]) -> None:
    """What is wrong is named; weights of 0 or below are the user's affair."""
    right = {"alpha_recency": 1, "alpha_importance": 0, "alpha_relevance": -1}
    right |= {"decay_factor": 1, "context_window_size": 0}
    MemoryStream([], **right)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=next(iter(wrong))):
        MemoryStream([], **{**right, **wrong})  # type: ignore[arg-type]
