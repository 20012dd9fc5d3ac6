"""OpenAI's chat completions, with each companion as a model.

The stored chat follows the client's history. The client's own tasks (titles, tags) are answered by
the model alone and leave nothing; a temporary chat is off the record.
"""

import json
import re
import secrets
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, Response

from siliconfriend.dialogue.client_chat import OWN_ID, ClientChat
from siliconfriend.errors import RefusedName
from siliconfriend.language.words import top_keywords
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.base import Message, Usage
from siliconfriend.models.output import clean
from siliconfriend.models.tokens import MESSAGE_TOKENS, estimate_tokens, truncate
from siliconfriend.person import Person
from siliconfriend.server.access import AskingClient, Client
from siliconfriend.server.api import used_memories
from siliconfriend.server.errors import OpenAIError, ProblemError
from siliconfriend.server.openai_request import (
    ChatCompletionRequest,
    RequestTalk,
    find_purpose,
    read_talk,
)
from siliconfriend.server.replies import STREAMED, ReplyEvents, event

TITLE_TOKENS = 12
_SPEAKER = re.compile(r"^\W{0,3}\w{1,12}\W{0,3}[:：]\s")
_ASKED_FORM = re.compile(r'\{\s*"(title|tags|follow_ups|queries|text)"\s*:')
_HISTORY = re.compile(r"<chat_history>(.*?)</chat_history>", re.DOTALL)
_ERRORS: dict[int | str, dict[str, Any]] = {
    "default": {"model": OpenAIError, "description": "An error in OpenAI's form."}
}
router = APIRouter(prefix="/v1", tags=["OpenAI"], responses=_ERRORS)


@router.get("/models")
def list_models(client: AskingClient) -> dict[str, Any]:
    """List the companions, each as a model."""
    data = [show_model(client, name) for name in client.companions()]
    return {"object": "list", "data": data}


@router.get("/models/{model}")
def show_model(client: AskingClient, model: str) -> dict[str, Any]:
    """Show a companion as a model."""
    if model not in client.companions():
        raise ProblemError(404, "model_not_found", {"name": model}, param="model")
    return {"id": model, "object": "model", "created": 0, "owned_by": "siliconfriend"}


@router.post("/chat/completions", response_model=dict[str, Any], responses=STREAMED)
async def create_chat_completion(client: AskingClient, request: ChatCompletionRequest) -> Response:
    """Answer as the companion, with what it remembers; the page on clients says what is kept."""
    completion = _Completion(client, request)

    events = ReplyEvents(
        piece=lambda words: event(completion.piece(words)),
        done=lambda reply: map(event, completion.ending(reply.said)),
        failed=lambda error: event(client.describe(error)),
        first=event(completion.chunk(role="assistant", content="")),
    )
    return await client.respond(
        completion.answer,
        whole=lambda reply: completion.whole(reply.said),
        events=events if request.stream else None,
    )


@router.post("/responses", include_in_schema=False)
def create_response() -> None:
    """Reject the Responses API by name; only chat completions are supported."""
    raise ProblemError(404, "no_responses")


class _Completion:
    """One request and its answer in OpenAI's form."""

    def __init__(self, client: Client, request: ChatCompletionRequest) -> None:
        self._client, self._request = client, request
        self._wants_usage = bool((request.stream_options or {}).get("include_usage"))
        self._head: dict[str, Any] = {
            "id": f"chatcmpl-{secrets.token_hex(12)}",
            "created": int(client.bank.now().timestamp()),
            "model": request.model,
        }
        self._tool = request.tool_asked
        self._usage, self._finish = Usage(), "tool_calls" if self._tool else "stop"
        self._about: dict[str, Any] = {"remembered": False, "turn": None}
        # Our own fields: what became of the message, and the memories where asked for.
        self._extras: dict[str, Any] = {"siliconfriend": self._about}
        self._extras |= {"memories": []} if request.memories else {}

    def answer(self, recalled: Callable[[], None]) -> Generator[str, None, None]:
        """Stream the answer; call ``recalled`` when what it needs of the memory is read.

        Raises ProblemError for unsupported parameters, and for a request without a person.
        """
        client, request = self._client, self._request
        request.refuse_fields()
        talk = read_talk(request.messages)
        chat = ClientChat(self._identifier("chat"), self._identifier("message"), talk.history)
        purpose, reason = find_purpose(request, talk, self._client.headers, chat.id)
        show_model(client, request.model)
        name, called = self._speaker()
        person = client.reach(name, request.model)
        is_offline = client.bank.chat is None
        is_off_record = purpose == "private" or (purpose == "unsure" and is_offline)
        if purpose != "talk":
            self._about["reason"] = f"{purpose}: {reason}"
            if not (talk.query and is_off_record):
                recalled()
                yield from self._task(talk, person)
                return
        person.companion.on_recall = lambda _used: recalled()
        pieces = person.stream(  # a rejected request creates no person
            talk.query,
            off_record=is_off_record,
            manner=talk.system,
            answer=request.options,
            client=chat,
        )
        if purpose == "talk":
            person.meet(said=talk.query, name=called)
        yield from pieces
        reply = person.companion.last_reply
        assert reply is not None
        self._usage, self._finish = reply.usage, "length" if reply.interrupted else "stop"
        client.note_tokens(reply.usage)
        if request.memories:
            self._extras["memories"] = [used.model_dump() for used in used_memories(person, reply)]
            self._extras["rests_on"] = list(reply.rests_on)
        if reply.turn is not None:
            self._about |= {"remembered": True, "turn": reply.turn.id}
        if reply.troubles:
            self._about["troubles"] = list(person.companion.troubles)

    def chunk(self, finish_reason: str | None = None, **delta: object) -> dict[str, Any]:
        """Return a part of the streamed answer."""
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        made = {**self._head, "object": "chat.completion.chunk", "choices": [choice]}
        return {**made, "usage": None} if self._wants_usage else made

    def piece(self, words: str) -> dict[str, Any]:
        """Return the chunk with these words; a tool call comes in one chunk."""
        delta = self.spoken(words)
        for call in delta.get("tool_calls", ()):
            call["index"] = 0
        return self.chunk(**delta)

    def spoken(self, words: str) -> dict[str, Any]:
        """Return the fields of a message or a delta with the text or the tool call."""
        if self._tool is None:
            return {"content": words}
        function = {"name": self._tool["name"], "arguments": words}
        call = {"id": f"call_{secrets.token_hex(12)}", "type": "function", "function": function}
        return {"content": None, "tool_calls": [call]}

    def ending(self, said: str) -> Iterator[Any]:
        """Yield what ends a streamed answer."""
        yield {**self.chunk(self._finish), **self._extras}
        if self._wants_usage:
            yield {**self.chunk(), "choices": [], "usage": self._count(said)}
        yield "[DONE]"

    def whole(self, said: str) -> dict[str, Any]:
        """Return the answer in one piece."""
        message = {"role": "assistant", "refusal": None, **self.spoken(said)}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": self._finish}
        answer = {"object": "chat.completion", "choices": [choice], "usage": self._count(said)}
        return {**self._head, **answer, **self._extras}

    def _count(self, said: str) -> dict[str, int]:
        """Tokens as the model's server counted them, else estimated."""
        answer = self._usage.output_tokens or estimate_tokens(said)
        sent = self._request.messages
        estimated = sum(estimate_tokens(message.words) + MESSAGE_TOKENS for message in sent)
        prompt = self._usage.input_tokens or estimated
        total = prompt + answer
        return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": total}

    def _task(self, talk: RequestTalk, person: Person) -> Generator[str, None, None]:
        """Answer a client's own task by the model alone, without a memory, or by rule without one.

        Where its words speak of self-harm, the text that names help comes first.
        """
        request, bank = self._request, self._client.bank
        if request.schema_asked is None:
            yield person.help_for(talk.query)
        if bank.chat is None and request.schema_asked is None:
            yield _task_by_rule(talk.query or talk.system)
            return
        roles: dict[str, Any] = {
            "assistant": "assistant",
            "developer": "system",
            "system": "system",
        }
        messages = [Message(roles.get(said.role, "user"), said.words) for said in request.messages]
        asked = (messages, request.schema_asked, request.options, person.scope.person)
        self._usage = yield from bank.ask(*asked)
        self._client.note_tokens(self._usage)

    def _speaker(self) -> tuple[str, str | None]:
        """Return who speaks, by key or by the operator's client, and what they are called."""
        caller, settings = self._client.caller, self._client.bank.settings
        # Open WebUI's headers; the setting ``forwarded_users`` names the one that counts.
        headers = {field: f"x-openwebui-user-{field}" for field in ("name", "email", "id")}
        sent = {
            key: unquote(self._client.headers.get(header, "")) for key, header in headers.items()
        }
        called = None
        with suppress(RefusedName):  # a name for show may be anything
            called = clean_name(sent["name"])
        sent["field"] = self._request.user or ""
        named = sent.get(settings.forwarded_users, "").strip() or settings.user
        if caller.person is None and not named:
            raise ProblemError(403, "nobody_speaks", param="user")
        return caller.person or named or "", called

    def _identifier(self, of: str) -> str:
        """Return the client's id of the chat or of the message; empty where it sends none."""
        headers, request, field = self._client.headers, self._request, f"{of}_id"
        sent = [headers.get(f"x-{client}-{of}-id") for client in ("siliconfriend", "openwebui")]
        sent += [(fields or {}).get(field) for fields in (request.metadata, request.model_extra)]
        identifier = clean(str(next(filter(None, sent), ""))).strip()
        if len(identifier) > 200 or identifier.startswith(OWN_ID):
            raise ProblemError(400, "bad_identifier", {"name": field}, param=field)
        return identifier


def _task_by_rule(words: str) -> str:
    """Answer a task without a model, in the JSON that its prompt asks for: title, tags, else nothing.

    Another task is answered with the first line that was said.
    """
    found = _HISTORY.search(words)
    talk = found[1] if found else words
    lines = (_SPEAKER.sub("", line).strip() for line in talk.splitlines())
    title = truncate(next(filter(None, lines), ""), TITLE_TOKENS)
    if (asked := _ASKED_FORM.search(words)) is None:
        return title
    made = {"title": title, "tags": top_keywords([talk], 3), "text": ""}.get(asked[1], [])
    return json.dumps({asked[1]: made}, ensure_ascii=False)
