"""The asynchronous twins, lists of messages and metadata in searches."""

import asyncio
from typing import Any

import pytest

from siliconfriend import MemoryBank
from siliconfriend.config import Settings
from siliconfriend.errors import UsageError
from siliconfriend.person import Person
from siliconfriend.testing import MovingClock
from tests.embedding import WordEmbedder

MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind."},
    {"role": "assistant", "content": "Hello!"},
    {"role": "user", "content": "I planted beans."},
    {"role": "assistant", "content": "By the wall?"},
    {"role": "assistant", "content": "Or by the pond?"},
    {"role": "user", "content": [{"type": "text", "text": "By the wall."}, {"type": "image_url"}]},
    {"role": "user", "content": "And peas."},
    {"role": "assistant", "content": None, "tool_calls": []},
]


@pytest.fixture
def ada(settings: Settings) -> Person:
    """Somebody new."""
    bank = MemoryBank(settings=settings, clock=MovingClock(), embedder=WordEmbedder())
    return bank.person("Ada")


def test_a_list_of_messages_becomes_exchanges(ada: Person) -> None:
    """Each with its answer, in order; sent again with its key it is not stored again."""
    for _ in range(2):
        stored = ada.add(messages=MESSAGES, source="0123456789abcdef", metadata={"app": "bot"})
    assert [(each.turn.query, each.turn.response) for each in stored] == [
        ("I planted beans.", "By the wall?\n\nOr by the pond?"),
        ("By the wall.", ""),
        ("And peas.", ""),
    ]
    assert [turn.query for turn in ada.turns()] == [each.turn.query for each in stored]
    assert {turn.metadata["app"] for turn in ada.turns()} == {"bot"}


@pytest.mark.parametrize(
    "messages", [[], [{"role": "user"}], [{"role": "me", "content": "Hi"}], [MESSAGES[0]]]
)
def test_messages_that_cannot_be_read_store_nothing(
    ada: Person, messages: list[dict[str, Any]]
) -> None:
    """The number of the message is named."""
    with pytest.raises(UsageError):
        ada.add(messages=[*messages])
    assert not ada.is_known()


def test_metadata_chooses_what_is_found(ada: Person) -> None:
    """In a recall and in a search; other turns are as if they were not there."""
    for channel in ("work", "home"):
        ada.add(f"The {channel} beans are growing.", metadata={"channel": channel, "n": 1})
    ada.add("Beans again.")
    found = ada.recall("beans", metadata={"channel": "work"})
    assert [each.memory.text for each in found.memories] == ["The work beans are growing."]
    assert found.facts == ()
    for words in ("beans", ""):
        rows = ada.search(words, metadata={"channel": "home", "n": 1})
        assert [row.memory.text for row in rows] == ["The home beans are growing."]
    assert len(ada.recall("beans").memories) == 3
    assert ada.search("beans", metadata={"channel": "none"}) == ()


def test_the_twins_do_the_same(ada: Person) -> None:
    """Awaited side by side, and none blocks the loop."""

    async def live() -> list[str]:
        turn = (await ada.aadd("I planted beans.", "Nice.")).turn
        await ada.aadd(messages=MESSAGES[2:4])
        found, rows, about = await asyncio.gather(
            ada.arecall("beans"), ada.alist(), ada.ashow(turn.id)
        )
        assert len(found.memories) == len(rows) == 2
        assert about["id"] == turn.id
        await ada.aforget(turn.id)
        assert [row.memory.id for row in await ada.alist(state="forgotten")] == [turn.id]
        await ada.arestore(turn.id)
        assert (await ada.aerase(turn.id)).left == 0
        assert (await ada.areply("Hello!")).text
        return [each.query for each in (await ada.amemory()).turns()]

    assert asyncio.run(live()) == ["I planted beans.", "Hello!"]
