"""OpenAI's chat completions, with each companion as a model.

The stored chat follows the client's history. The client's own tasks (titles, tags) are answered by
the model alone and leave nothing; a temporary chat is off the record.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from contextlib import aclosing, suppress
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse

from siliconfriend.dialogue.client_chat import OWN_ID, ClientChat
from siliconfriend.dialogue.reply import Reply
from siliconfriend.errors import RefusedName
from siliconfriend.installation.accounts import Caller
from siliconfriend.language.words import top_keywords
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.base import Message, Usage
from siliconfriend.models.output import clean
from siliconfriend.models.tokens import MESSAGE_TOKENS, estimate_tokens, truncate
from siliconfriend.server.context import AskedLanguage, Asking, Context, ServerContext
from siliconfriend.server.errors import OpenAIError, ProblemError, describe_error, openai_error
from siliconfriend.server.openai_request import (
    ChatCompletionRequest,
    Purpose,
    find_purpose,
    read_talk,
)
from siliconfriend.server.talk_routes import KEEP_ALIVE, event, used_memories
from siliconfriend.texts import Language

USER_HEADERS = {
    "name": "x-openwebui-user-name",
    "email": "x-openwebui-user-email",
    "id": "x-openwebui-user-id",
}
"""Headers that name who is speaking, by the setting ``forwarded_users``."""
CHAT_HEADERS = ("x-siliconfriend-chat-id", "x-openwebui-chat-id")
MESSAGE_HEADERS = ("x-siliconfriend-message-id", "x-openwebui-message-id")
LONGEST_ID = 200
TITLE_TOKENS = 12
_SPEAKER = re.compile(r"^\W{0,3}\w{1,12}\W{0,3}[:：]\s")
_HISTORY = re.compile(r"<chat_history>(.*?)</chat_history>", re.DOTALL)
_ERRORS: dict[int | str, dict[str, Any]] = {
    "default": {"model": OpenAIError, "description": "An error in OpenAI's form."}
}
router = APIRouter(prefix="/v1", tags=["OpenAI"], responses=_ERRORS)


@router.get("/models")
def list_models(context: Context) -> dict[str, Any]:
    """List the companions, each as a model."""
    data = [show_model(context, name) for name in context.companions()]
    return {"object": "list", "data": data}


@router.get("/models/{model}")
def show_model(context: Context, model: str) -> dict[str, Any]:
    """Show a companion as a model."""
    if model not in context.companions():
        raise ProblemError(404, "model_not_found", {"name": model}, param="model")
    return {"id": model, "object": "model", "created": 0, "owned_by": "siliconfriend"}


@router.post(
    "/chat/completions",
    response_model=dict[str, Any],
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def create_chat_completion(
    context: Context,
    caller: Asking,
    language: AskedLanguage,
    http: Request,
    request: ChatCompletionRequest,
) -> Response:
    """Answer as the companion, with what it remembers; the page on clients says what is kept."""
    completion = _Completion(context, caller, request, http.headers)
    reply = context.replies.start(completion.pieces)
    if request.stream:
        return EventSourceResponse(completion.events(await reply.begun(), language))
    await reply.text()
    return JSONResponse(completion.whole())


@router.post("/responses", include_in_schema=False)
def create_response() -> None:
    """Refuse OpenAI's newer form by name: this door speaks chat completions."""
    raise ProblemError(404, "no_responses")


class _Completion:
    """One request and its answer; refuses what is not supported, and a request that names nobody."""

    def __init__(
        self,
        context: ServerContext,
        caller: Caller,
        request: ChatCompletionRequest,
        headers: Mapping[str, str],
    ) -> None:
        self._request, self._bank = request, context.bank
        options = request.stream_options
        self._wants_usage = bool(options and options.include_usage)
        self._head: dict[str, Any] = {
            "id": f"chatcmpl-{secrets.token_hex(12)}",
            "created": int(context.bank.runtime.clock.now(context.settings.zone).timestamp()),
            "model": request.model,
        }
        self._talk = read_talk(request.messages)
        chat = _identifier(request, headers, CHAT_HEADERS, "chat_id")
        message = _identifier(request, headers, MESSAGE_HEADERS, "message_id")
        self._purpose = find_purpose(request, self._talk, headers, chat)
        show_model(context, request.model)
        name, self._called = _speaker(caller, request, headers, context)
        self._person = context.reach(caller, name, request.model)
        self._client = ClientChat(chat, message, self._talk.history)
        self._reply: Reply | None = None
        self._usage = Usage()
        self._said = ""

    def pieces(self) -> Generator[str, None, None]:
        """Stream the answer."""
        for piece in self._answer():
            self._said += piece
            yield piece

    def whole(self) -> dict[str, Any]:
        """Return the answer in one piece."""
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": self._said, "refusal": None},
            "logprobs": None,
            "finish_reason": self._finish_reason(),
        }
        answer = {"object": "chat.completion", "choices": [choice], "usage": self._count()}
        return {**self._head, **answer, **self._extras()}

    async def events(
        self, pieces: AsyncGenerator[str, None], language: Language
    ) -> AsyncIterator[bytes]:
        """Yield the answer as server-sent events."""
        yield event(self._chunk(role="assistant", content=""))
        try:
            async with aclosing(pieces) as incoming:
                async for piece in incoming:
                    yield event(self._chunk(content=piece)) if piece else KEEP_ALIVE
        except Exception as error:  # the status is sent; the client must learn it all the same
            yield event(openai_error(*describe_error(error, language)))
            return
        yield event({**self._chunk(self._finish_reason()), **self._extras()})
        if self._wants_usage:
            yield event({**self._chunk(), "choices": [], "usage": self._count()})
        yield event("[DONE]")

    def _chunk(self, finish_reason: str | None = None, **delta: object) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        made = {**self._head, "object": "chat.completion.chunk", "choices": [choice]}
        return {**made, "usage": None} if self._wants_usage else made

    def _finish_reason(self) -> str:
        return "length" if self._reply is not None and self._reply.interrupted else "stop"

    def _count(self) -> dict[str, int]:
        """Tokens as the model's server counted them, else estimated."""
        took = self._reply.usage if self._reply is not None else self._usage
        answer, prompt = took.output_tokens or estimate_tokens(self._said), took.input_tokens
        if not prompt:
            sent = self._request.messages
            prompt = sum(estimate_tokens(message.words) + MESSAGE_TOKENS for message in sent)
        total = prompt + answer
        return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": total}

    def _extras(self) -> dict[str, Any]:
        """Our own fields: what became of the message, and the memories where asked for."""
        reply = self._reply
        turn = reply.turn if reply else None
        about: dict[str, Any] = {"remembered": turn is not None, "turn": turn.id if turn else None}
        if reply is not None and reply.troubles:
            about["troubles"] = list(self._person.companion.troubles)
        if self._purpose.kind != "talk":
            about["reason"] = f"{self._purpose.kind}: {self._purpose.name}"
        if not self._request.memories:
            return {"siliconfriend": about}
        used = used_memories(reply) if reply else []
        return {"siliconfriend": about, "memories": [memory.model_dump() for memory in used]}

    def _answer(self) -> Generator[str, None, None]:
        kind = self._purpose.kind
        is_unsure_offline = kind == "unsure" and self._bank.runtime.chat is None
        is_off_record = is_unsure_offline or kind == "private"
        if kind == "talk":
            self._person.meet(said=self._talk.query, name=self._called)
        elif not (self._talk.query and is_off_record):
            yield from self._answer_task()
            return
        try:
            yield from self._person.stream(
                self._talk.query,
                off_record=is_off_record,
                manner=self._talk.system,
                answer=self._request.options,
                client=self._client,
            )
        finally:
            self._reply = self._person.companion.last_reply

    def _answer_task(self) -> Generator[str, None, None]:
        """Answer a client's own task by the model alone, without a memory, or by rule without one."""
        wanted = self._request.response_format
        schema: dict[str, Any] | None = None
        if wanted is not None and wanted.type != "text":
            named = (wanted.json_schema or {}).get("schema")
            schema = dict(named) if isinstance(named, dict) else {"type": "object"}
        if self._bank.runtime.chat is None and schema is None:
            yield _task_by_rule(self._purpose, self._talk.query or self._talk.system)
            return
        roles: dict[str, Any] = dict.fromkeys(("developer", "system"), "system")
        roles["assistant"] = "assistant"
        messages = [Message(roles.get(it.role, "user"), it.words) for it in self._request.messages]
        self._usage = yield from self._bank.ask(messages, schema, self._request.options)


def _speaker(
    caller: Caller,
    request: ChatCompletionRequest,
    headers: Mapping[str, str],
    context: ServerContext,
) -> tuple[str, str | None]:
    """Return who speaks, by key or by the operator's client, and what they are called."""
    called = None
    with suppress(RefusedName):  # a name for show may be anything
        called = clean_name(unquote(headers.get(USER_HEADERS["name"], "")))
    if caller.person is not None:
        return caller.person, called
    by = context.settings.forwarded_users
    header = unquote(headers.get(USER_HEADERS.get(by, ""), ""))
    named = ((request.user if by == "field" else header) or "").strip() or context.settings.user
    if not named:
        raise ProblemError(403, "nobody_speaks", param="user")
    return named, called


def _identifier(
    request: ChatCompletionRequest, headers: Mapping[str, str], names: tuple[str, ...], field: str
) -> str:
    sent: object = next((headers[name] for name in names if headers.get(name)), None)
    if sent is None:
        sent = (request.metadata or {}).get(field) or (request.model_extra or {}).get(field)
    if sent is None:
        return ""
    identifier = clean(str(sent)).strip()
    if len(identifier) > LONGEST_ID or identifier.startswith(OWN_ID):
        raise ProblemError(400, "bad_identifier", {"name": field}, param=field)
    return identifier


def _task_by_rule(purpose: Purpose, words: str) -> str:
    """Answer a task without a model: a title and tags from the words, and empty lists."""
    found = _HISTORY.search(words)
    talk = found[1] if found else words
    lines = [_SPEAKER.sub("", line).strip() for line in talk.splitlines()]
    first = next((line for line in lines if line), "")
    name = purpose.name.removesuffix("_generation")
    forms: dict[str, dict[str, Any]] = {
        "title": {"title": truncate(first, TITLE_TOKENS)},
        "tags": {"tags": top_keywords([talk], 3)},
        "follow_ups": {"follow_ups": []},
        "queries": {"queries": []},
        "autocomplete": {"text": ""},
    }
    form = forms.get({"follow_up": "follow_ups", "query": "queries"}.get(name, name))
    return json.dumps(form, ensure_ascii=False) if form else truncate(first, TITLE_TOKENS * 3)
