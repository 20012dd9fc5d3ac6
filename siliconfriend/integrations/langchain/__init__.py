"""This memory for LangChain and LangGraph: a retriever, a message history and a store.

Needs ``pip install 'siliconfriend[langchain]'``.
"""

from siliconfriend.integrations.langchain.message_history import SiliconFriendChatMessageHistory
from siliconfriend.integrations.langchain.retriever import SiliconFriendRetriever
from siliconfriend.integrations.langchain.store import SiliconFriendStore

__all__ = ["SiliconFriendChatMessageHistory", "SiliconFriendRetriever", "SiliconFriendStore"]
