"""A LangChain message history that is one person's memory.

A history is the conversation that goes on; the memory is all of them. So ``clear`` ends the
conversation and forgets nothing: a chain that cleared a person's years with its own window
would destroy what only the person may erase.
"""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from siliconfriend.person import Person

REPLIED_BY = "langchain"


class SiliconFriendChatMessageHistory(BaseChatMessageHistory):
    """Stores each message as it comes and shows the conversation that goes on.

    Messages of a person become turns of their day, a model's words the answer to the message
    before. Those of other roles (system, tools) are nobody's words and are not stored.

    Args:
        person: whose memory, from ``MemoryBank(...).person(name)``.
    """

    def __init__(self, person: Person) -> None:
        super().__init__()
        self._person = person

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # LangChain declares an attribute and lets subclasses make it a property
        """The messages of the conversation that goes on, oldest first; of the last six hours at most."""
        messages: list[BaseMessage] = []
        for turn in self._person.conversation():
            messages.append(HumanMessage(turn.query))
            if turn.response:
                messages.append(AIMessage(turn.response))
        return messages

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store messages; each is durable when this returns."""
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
        """End the conversation; what was said in it stays remembered."""
        self._person.change_scene()

    def _answer(self, said: str, words: str) -> None:
        """Store an exchange, or the answer to the message that was stored last."""
        if said:
            self._person.add(said, words, replied_by=REPLIED_BY)
            return
        last = next(reversed(self._person.conversation()), None)
        if last is not None:
            self._person.answer(last.id, words, replied_by=REPLIED_BY)
