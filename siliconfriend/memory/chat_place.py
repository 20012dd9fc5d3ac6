"""Where in a client program's chat something was said: what a chat that changes is known by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChatPlace:
    """Where in a client program's chat a turn was said.

    Attributes:
        chat: the client's id of the chat, or one made here where it sends none.
        message: the client's id of the message; empty where it sends none.
        attempt: how often the message was answered anew.
    """

    chat: str
    message: str = ""
    attempt: int = 0
