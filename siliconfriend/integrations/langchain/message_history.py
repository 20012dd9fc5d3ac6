"""A LangChain message history over one person's memory.

The history is the present conversation. ``clear`` ends it and forgets nothing: only the person
may erase.
"""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from siliconfriend.person import Person

REPLIED_BY = "langchain"


class SiliconFriendChatMessageHistory(BaseChatMessageHistory):
    """Stores messages and shows the present conversation.

    Messages of a person become turns, a model's words the answer to the message before. Messages
    of other roles (system, tools) are not stored.

    Args:
        person: whose memory, from ``MemoryBank(...).person(name)``.
    """

    def __init__(self, person: Person) -> None:
        super().__init__()
        self._person = person

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # LangChain declares an attribute and lets subclasses make it a property
        """Messages of the present conversation, oldest first, of the last six hours at most."""
        messages: list[BaseMessage] = []
        for turn in self._person.conversation():
            messages.append(HumanMessage(turn.query))
            if turn.response:
                messages.append(AIMessage(turn.response))
        return messages

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store messages durably."""
        said = ""
        for message in messages:
            words = message.text.strip()
            if isinstance(message, HumanMessage) and words:
                if said:
                    self._person.add(said)
                said = words
            elif isinstance(message, AIMessage) and words:
                self._answer(said, words)
                said = ""
        if said:
            self._person.add(said)

    def clear(self) -> None:
        """End the conversation and forget nothing."""
        self._person.change_scene()

    def _answer(self, said: str, words: str) -> None:
        """Store an exchange, or the answer to the last message."""
        if said:
            self._person.add(said, words, replied_by=REPLIED_BY)
            return
        last = next(reversed(self._person.conversation()), None)
        if last is not None:
            self._person.answer(last.id, words, replied_by=REPLIED_BY)
