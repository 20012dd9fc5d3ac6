"""Who is speaking, and in which chat.

A person's key speaks for that person, whatever the client says beside it. Only the operator's
key vouches for a client that speaks for several people, and only by the field or header that
the settings name.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from siliconfriend.config import Settings
from siliconfriend.dialogue.client_chat import OWN_ID
from siliconfriend.keys import Caller
from siliconfriend.models.output import clean
from siliconfriend.server.openai_door.request import ChatCompletionRequest
from siliconfriend.server.problems import ProblemError

USER_HEADERS = {
    "name": "x-openwebui-user-name",
    "email": "x-openwebui-user-email",
    "id": "x-openwebui-user-id",
}
CHAT_HEADERS = ("x-siliconfriend-chat-id", "x-openwebui-chat-id")
MESSAGE_HEADERS = ("x-siliconfriend-message-id", "x-openwebui-message-id")
LONGEST_ID = 200


def speaker_of(
    caller: Caller, request: ChatCompletionRequest, headers: Mapping[str, str], settings: Settings
) -> str:
    """Find the name of who is speaking.

    Raises:
        ProblemError: the operator's key came without anybody's name.
    """
    if caller.person is not None:
        return caller.person
    by = settings.forwarded_users
    if by == "field":
        named = request.user
    else:
        named = unquote(headers.get(USER_HEADERS.get(by, ""), "")) or None
    named = (named or "").strip() or settings.user
    if not named:
        raise ProblemError(403, "nobody_speaks", param="user")
    return named


def chat_id_of(request: ChatCompletionRequest, headers: Mapping[str, str]) -> str:
    """The client's id of the chat; empty where it sends none."""
    return _identifier(request, headers, CHAT_HEADERS, "chat_id")


def message_id_of(request: ChatCompletionRequest, headers: Mapping[str, str]) -> str:
    """The client's id of the message; empty where it sends none."""
    return _identifier(request, headers, MESSAGE_HEADERS, "message_id")


def _identifier(
    request: ChatCompletionRequest, headers: Mapping[str, str], names: tuple[str, ...], field: str
) -> str:
    """An id from a header, the request's metadata or a field of its own.

    Raises:
        ProblemError: it is too long, or could be taken for one that is made here.
    """
    sent = next((headers[name] for name in names if headers.get(name)), None)
    if sent is None:
        sent = (request.metadata or {}).get(field) or (request.model_extra or {}).get(field)
    if sent is None:
        return ""
    identifier = clean(str(sent)).strip()
    if len(identifier) > LONGEST_ID or identifier.startswith(OWN_ID):
        raise ProblemError(400, "bad_identifier", {"name": field}, param=field)
    return identifier
