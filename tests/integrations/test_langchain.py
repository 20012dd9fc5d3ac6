"""The memory behind LangChain's interfaces: a retriever and a message history."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_tests.integration_tests import RetrieversIntegrationTests

from siliconfriend import MemoryBank
from siliconfriend.integrations.langchain import (
    SiliconFriendChatMessageHistory,
    SiliconFriendRetriever,
)
from siliconfriend.testing import MovingClock


@pytest.mark.anyio
class TestRetriever(RetrieversIntegrationTests):
    """LangChain's own tests for retrievers."""

    @pytest.fixture(autouse=True)
    def remembered(self, bank: MemoryBank, clock: MovingClock) -> None:
        self.person = bank.person("Ada")
        for plant in ("tulips", "beans", "garlic", "roses"):
            self.person.add(f"I planted {plant} in the garden.", "Good.")
            clock.move(days=2)

    @property
    def retriever_constructor(self) -> type[SiliconFriendRetriever]:
        return SiliconFriendRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"person": self.person}

    @property
    def retriever_query_example(self) -> str:
        return "What did I plant in the garden?"


def test_a_document_says_when_it_was_told(bank: MemoryBank, clock: MovingClock) -> None:
    """The words, the day, the kind and the state of what was recalled; it counts as recalled."""
    ada = bank.person("Ada")
    turn = ada.add("I planted tulips.", "Good.", at="2026-03-01").turn
    (document,) = SiliconFriendRetriever(person=ada).invoke("Which tulips did I plant?")
    assert "I planted tulips." in document.page_content
    assert document.metadata["date"] == "2026-03-01"
    assert (document.metadata["id"], document.metadata["kind"]) == (turn.id, "turn")
    assert [each.trace.last_recall for each in ada.turns()] == [clock.moment]


def test_a_stranger_has_no_documents(bank: MemoryBank) -> None:
    """Nothing is remembered of somebody not met yet, and asking makes nobody known."""
    assert SiliconFriendRetriever(person=bank.person("Nobody")).invoke("Where was I?") == []
    assert bank.people() == []


def test_messages_become_turns(bank: MemoryBank) -> None:
    """What was said and answered is stored in pairs; system and tools are nobody's words."""
    ada = bank.person("Ada")
    history = SiliconFriendChatMessageHistory(ada)
    history.add_messages(
        [
            SystemMessage("Be kind."),
            HumanMessage("I am back from Oslo."),
            AIMessage("", tool_calls=[{"name": "weather", "args": {}, "id": "1"}]),
            ToolMessage("rain", tool_call_id="1"),
            AIMessage("Was it cold?"),
            HumanMessage("Very."),
        ]
    )
    assert [(turn.query, turn.response) for turn in ada.turns()] == [
        ("I am back from Oslo.", "Was it cold?"),
        ("Very.", ""),
    ]
    history.add_message(AIMessage("Then tea."))
    assert [(type(each).__name__, each.content) for each in history.messages] == [
        ("HumanMessage", "I am back from Oslo."),
        ("AIMessage", "Was it cold?"),
        ("HumanMessage", "Very."),
        ("AIMessage", "Then tea."),
    ]


def test_clearing_ends_the_conversation_and_forgets_nothing(bank: MemoryBank) -> None:
    """The window is empty afterwards, the memory is not."""
    ada = bank.person("Ada")
    history = SiliconFriendChatMessageHistory(ada)
    history.add_messages([HumanMessage("我把钥匙放在抽屉里。"), AIMessage("好的。")])
    history.clear()
    assert history.messages == []
    assert [turn.query for turn in ada.turns()] == ["我把钥匙放在抽屉里。"]
