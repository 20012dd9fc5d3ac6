"""OpenAI's chat completions, with each companion as a model.

The stored chat follows the client's history. The client's own tasks (titles, tags) are answered by
the model alone and leave nothing; a temporary chat is off the record.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse

from siliconfriend.dialogue.client_chat import OWN_ID, ClientChat
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
    Talk,
    find_purpose,
    read_talk,
)
from siliconfriend.server.replies import answer_of, event, events_of
from siliconfriend.server.talk_routes import used_memories

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
    completion = _Completion(context, request)
    reply = await context.replies.start(partial(completion.answer, caller, http.headers))
    if not request.stream:
        await answer_of(reply)
        return JSONResponse(completion.whole())
    events = events_of(
        reply,
        lambda words: event(completion.chunk(content=words)),
        lambda _: map(event, completion.ending()),
        lambda error: event(openai_error(*describe_error(error, language))),
        event(completion.chunk(role="assistant", content="")),
    )
    return EventSourceResponse(events)


@router.post("/responses", include_in_schema=False)
def create_response() -> None:
    """Refuse OpenAI's newer form by name: this door speaks chat completions."""
    raise ProblemError(404, "no_responses")


class _Completion:
    """One request and its answer in OpenAI's form."""

    def __init__(self, context: ServerContext, request: ChatCompletionRequest) -> None:
        self._context, self._request, self._bank = context, request, context.bank
        self._wants_usage = bool((request.stream_options or {}).get("include_usage"))
        self._head: dict[str, Any] = {
            "id": f"chatcmpl-{secrets.token_hex(12)}",
            "created": int(context.bank.runtime.clock.now(context.settings.zone).timestamp()),
            "model": request.model,
        }
        self._said, self._usage, self._finish = "", Usage(), "stop"
        self._about: dict[str, Any] = {"remembered": False, "turn": None}
        # Our own fields: what became of the message, and the memories where asked for.
        self._extras: dict[str, Any] = {"siliconfriend": self._about}
        self._extras |= {"memories": []} if request.memories else {}

    def answer(self, caller: Caller, headers: Mapping[str, str]) -> Generator[str, None, None]:
        """Stream the answer.

        Raises ProblemError for what is not supported, and a request that names nobody.
        """
        for piece in self._pieces(caller, headers):
            self._said += piece
            yield piece

    def chunk(self, finish_reason: str | None = None, **delta: object) -> dict[str, Any]:
        """Return a part of the streamed answer."""
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        made = {**self._head, "object": "chat.completion.chunk", "choices": [choice]}
        return {**made, "usage": None} if self._wants_usage else made

    def ending(self) -> Iterator[Any]:
        """Yield what ends a streamed answer."""
        yield {**self.chunk(self._finish), **self._extras}
        if self._wants_usage:
            yield {**self.chunk(), "choices": [], "usage": self._count()}
        yield "[DONE]"

    def whole(self) -> dict[str, Any]:
        """Return the answer in one piece."""
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": self._said, "refusal": None},
            "logprobs": None,
            "finish_reason": self._finish,
        }
        answer = {"object": "chat.completion", "choices": [choice], "usage": self._count()}
        return {**self._head, **answer, **self._extras}

    def _count(self) -> dict[str, int]:
        """Tokens as the model's server counted them, else estimated."""
        prompt, answer = self._usage.input_tokens, self._usage.output_tokens
        answer = answer or estimate_tokens(self._said)
        if not prompt:
            sent = self._request.messages
            prompt = sum(estimate_tokens(message.words) + MESSAGE_TOKENS for message in sent)
        total = prompt + answer
        return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": total}

    def _pieces(self, caller: Caller, headers: Mapping[str, str]) -> Generator[str, None, None]:
        context, request = self._context, self._request
        request.refuse_misspelt()
        talk = read_talk(request.messages)
        chat = _identifier(request, headers, CHAT_HEADERS, "chat_id")
        message = _identifier(request, headers, MESSAGE_HEADERS, "message_id")
        purpose, reason = find_purpose(request, talk, headers, chat)
        show_model(context, request.model)
        name, called = _speaker(caller, request, headers, context)
        person = context.reach(caller, name, request.model)
        is_offline = self._bank.runtime.chat is None
        is_off_record = purpose == "private" or (purpose == "unsure" and is_offline)
        if purpose == "talk":
            person.meet(said=talk.query, name=called)
        else:
            self._about["reason"] = f"{purpose}: {reason}"
            if not (talk.query and is_off_record):
                yield from self._task(reason, talk)
                return
        yield from person.stream(
            talk.query,
            off_record=is_off_record,
            manner=talk.system,
            answer=request.options,
            client=ClientChat(chat, message, talk.history),
        )
        reply = person.companion.last_reply
        assert reply is not None
        self._usage, self._finish = reply.usage, "length" if reply.interrupted else "stop"
        if self._request.memories:
            self._extras["memories"] = [it.model_dump() for it in used_memories(person, reply)]
        if reply.turn is not None:
            self._about |= {"remembered": True, "turn": reply.turn.id}
        if reply.troubles:
            self._about["troubles"] = list(person.companion.troubles)

    def _task(self, name: str, talk: Talk) -> Generator[str, None, None]:
        """Answer a client's own task by the model alone, without a memory, or by rule without one."""
        wanted, schema = self._request.response_format, None
        if wanted is not None and self._request.is_structured:
            schema = (wanted.json_schema or {}).get("schema")
            schema = schema if isinstance(schema, dict) else {"type": "object"}
        if self._bank.runtime.chat is None and schema is None:
            yield _task_by_rule(name, talk.query or talk.system)
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


def _task_by_rule(name: str, words: str) -> str:
    """Answer a task without a model: a title and tags from the words, and empty lists."""
    found = _HISTORY.search(words)
    talk = found[1] if found else words
    lines = [_SPEAKER.sub("", line).strip() for line in talk.splitlines()]
    first = next((line for line in lines if line), "")
    name = name.removesuffix("_generation")
    forms: dict[str, dict[str, Any]] = {
        "title": {"title": truncate(first, TITLE_TOKENS)},
        "tags": {"tags": top_keywords([talk], 3)},
        "follow_ups": {"follow_ups": []},
        "queries": {"queries": []},
        "autocomplete": {"text": ""},
    }
    form = forms.get({"follow_up": "follow_ups", "query": "queries"}.get(name, name))
    return json.dumps(form, ensure_ascii=False) if form else truncate(first, TITLE_TOKENS * 3)
