"""A chat model behind any server with OpenAI's chat completions, by the official client.

Answers are always streamed, so that the timeout is how long the server may stay silent, not how
long an answer may take. Most servers lack some parameter: after a 400, the rejected parameter is
dropped from further requests if that helps.
"""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import AsyncGenerator, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import KW_ONLY, asdict, dataclass, field
from functools import cached_property, partial
from math import inf
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from siliconfriend.errors import AnswerCut, ModelError, ModelUnavailable, UnusableAnswer
from siliconfriend.language.characters import is_invisible, language_of
from siliconfriend.models import failures, output, server
from siliconfriend.models.base import Answer, AnswerOptions, JsonSchema, Message, Usage
from siliconfriend.models.labels import MODEL_ROLES, PERSON_ROLES, without_labels
from siliconfriend.models.thinking import ThoughtAloud, opens_thinking_by_template, without_thinking
from siliconfriend.texts import Language, text
from siliconfriend.threads import iterate

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MAX_RETRIES = 1
"""Retries after a 429, a 5xx, or a connection refused or lost before the first piece."""
RETRY_SECONDS, LONGEST_RETRY_SECONDS = 0.5, 5.0
"""Default delay before a retry, and longest accepted delay; a longer request ends the retries and
is reported."""
ASKED_AGAIN_SECONDS, SOON_SECONDS = 3600.0, 10.0
"""Seconds before a local server's properties are queried again: usually, and if they may change
soon."""
THINKING_TOKENS = 8000
"""Tokens for thinking above the length of an answer, since servers count both together."""
WRITTEN_TOKENS = 4000
"""Least tokens of a whole answer, such as a night's facts; a reply in a talk is shorter."""
LONGEST_ANSWER = 4 * 1024 * 1024
"""Maximum characters of an answer; more indicates a runaway server."""
_RETRIED = frozenset(("model_broke_off", "model_busy", "model_down", "model_unreachable"))
_REJECTIONS: Mapping[str, tuple[str, ...]] = {
    "stream_options": ("stream_options", "include_usage"),
    "max_tokens": ("max_completion_tokens",),  # name in newer models
    "extra_body": ("reasoning", "thinking", "chat_template_kwargs"),
    "temperature": ("temperature",),
    "system": ("system role", "system message", "system prompt", "instruction", "must alternate"),
}
"""Words of a 400 by the parameter that it rejects."""


@dataclass(slots=True)
class _Shared:
    """State shared by all copies of a model: learned limits, and usage."""

    left_out: frozenset[str] = frozenset()
    usage: Usage = field(default_factory=Usage)
    served: server.Served = field(default_factory=server.Served)
    asked_again: float = -inf
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(slots=True)
class _Exchange:
    """One request, and the metadata of its response."""

    messages: Sequence[Message]
    most: int
    """The longest answer in tokens."""
    schema: JsonSchema | None = None
    finish_reason: str = ""
    refused: bool = False
    is_counted: bool = False
    """The server sent the usage, which comes after the last word."""
    has_reasoning: bool = False
    """The server sent the thinking in a field of its own."""
    length: int = 0
    """Characters so far, thinking in tags among them."""
    usage: Usage = field(default_factory=lambda: Usage(1))

    def read(self, chunk: Any) -> str:
        """Read a chunk; return its words, thinking tags still among them."""
        if (said := chunk.usage) is not None:
            counts = (said.prompt_tokens, said.completion_tokens)
            self.usage = Usage(
                1, *(count if type(count) is int and count > 0 else 0 for count in counts)
            )
            self.is_counted = True
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self.finish_reason = str(choice.finish_reason or self.finish_reason)
        delta = getattr(choice, "delta", None) or getattr(choice, "message", None)
        if delta is None:  # some servers end with an empty choice
            return ""
        self.refused = self.refused or bool(delta.refusal)
        fields = delta.model_extra or {}
        self.has_reasoning |= bool(fields.get("reasoning") or fields.get("reasoning_content"))
        content = delta.content or ""
        if isinstance(content, list):  # some servers send parts, with the thinking among them
            content = "".join(part["text"] for part in content if part["type"] == "text")
        self.length += len(content)
        if not isinstance(content, str) or self.length > LONGEST_ANSWER:
            raise ValueError
        return content


@dataclass(eq=False)
class OpenAICompatible:
    """A :class:`ChatModel` by the address of its server, which knows options and counts tokens.

    Attributes:
        base_url: the address up to ``/v1``.
        name: what records say they were made by; ``openai:MODEL`` unless given.
        timeout: seconds the server may stay silent, before an answer and within it.
        context: tokens of prompt and answer. A local server is queried as well, since it may serve
            less than its model allows.
        thinks: thinking is enabled, with its own tokens.
        thinking_switch: request parameters that turn thinking on or off.
        variables: where the key and the address are set, as errors name them.
        last_usage: the usage of the last stream of this copy.
    """

    model: str
    _: KW_ONLY
    base_url: str
    api_key: str | None = field(default=None, repr=False)
    name: str = ""
    temperature: float = 0.7
    max_tokens: int = 400
    timeout: float = 60.0
    max_retries: int = MAX_RETRIES
    context: int | None = None
    thinks: bool = False
    thinking_switch: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    last_usage: Usage = field(init=False, default=Usage(1))
    _shared: _Shared = field(init=False, repr=False, default_factory=_Shared)
    _further: Mapping[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.name = self.name or f"openai:{self.model}"

    @property
    def address(self) -> str:
        """The part of the server's address that may be shown."""
        return server.host_of(self.base_url)

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer together, without those reserved for thinking."""
        return self._room()[0]

    @property
    def usage(self) -> Usage:
        """The usage of this model and its copies in this process."""
        return self._shared.usage

    def with_options(self, options: AnswerOptions) -> OpenAICompatible:
        """Return a copy for one answer, with a client's options and ``last_usage`` of its own."""
        self.load()
        other = copy.copy(self)
        other.last_usage = Usage(1)
        given = {
            name: option for name, option in asdict(options).items() if option not in (None, ())
        }
        other.temperature = given.pop("temperature", self.temperature)
        other.max_tokens = given.pop("max_tokens", self.max_tokens)
        other._further = given
        return other

    def served(self) -> server.Served:
        """Query the server's properties."""
        return server.ask_server(self.base_url, self.model, self.api_key)

    def check(self) -> None:
        """Ask the server for its models, as a sign that it answers and takes the key.

        Raises:
            ModelError: it does not.
        """
        import httpx2
        import openai

        try:
            list(iterate(self._models))
        except openai.NotFoundError:
            return  # the server works but has no model list
        except (openai.OpenAIError, httpx2.HTTPError, *server.MALFORMED) as error:
            told = {"name": self.model, "address": self.address, **self.variables}
            raise failures.translate(error, {**told, "seconds": "2"}) from error

    def load(self) -> None:
        """Preload the client library; nothing is sent."""
        _ = self._client.chat.completions

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Stream the answer without thinking; see :class:`ChatModel`. ``AnswerCut`` comes last."""
        exchange = _Exchange(messages, self.max_tokens)
        with closing(self._ask(exchange)) as pieces:
            yield from self._read(exchange, pieces)

    def complete(self, messages: Sequence[Message], schema: JsonSchema | None = None) -> Answer:
        """Ask for a whole answer; with a JSON schema for a valid one; see :class:`ChatModel`."""
        asked, used = list(messages), Usage()
        for _ in range(2):
            exchange = _Exchange(asked, max(self.max_tokens, WRITTEN_TOKENS), schema)
            whole, failure = "".join(self._ask(exchange)), None
            pieces: list[str] = []
            try:
                pieces += self._read(exchange, iter([whole]))
            except ModelUnavailable as error:  # truncated, unless the JSON is complete
                failure = error
            words = output.strip_fence("".join(pieces))
            used += exchange.usage
            data, problem = (None, "") if schema is None else output.parse_valid(words, schema)
            if failure is not None and (problem or schema is None):
                raise failure
            if not problem:
                return Answer(
                    words, data, used.input_tokens, used.output_tokens, requests=used.calls
                )
            again = text("models", "json_again", _language(messages), problem=problem)
            asked += [Message("assistant", words), Message("user", again)]
        raise UnusableAnswer("model_not_json", name=self.model, requests=2)

    def _read(self, exchange: _Exchange, pieces: Iterator[str]) -> Iterator[str]:
        """Pass on the pieces without the model's thinking, then check that they are an answer."""
        has_words, opened = False, opens_thinking_by_template(self.model)
        try:
            heard = without_thinking(pieces, lambda: opened and not exchange.has_reasoning)
            for words in without_labels(heard, MODEL_ROLES, PERSON_ROLES):
                has_words = has_words or not all(
                    char.isspace() or is_invisible(char) for char in words
                )
                yield words
            if next(heard, None) is not None:  # the rest is an invented message of the person
                exchange.finish_reason = "stop"
        except ThoughtAloud as error:
            raise UnusableAnswer("model_thought_aloud", name=self.model) from error
        self.last_usage = exchange.usage
        reason = "refusal" if exchange.refused else exchange.finish_reason
        if key := failures.of_finish(reason, has_words, exchange.is_counted):
            details: dict[str, Any] = {"name": self.model, "address": self.address}
            if key == "model_broke_off":
                raise ModelUnavailable(key, **details)
            kind = AnswerCut if key == "model_cut" else UnusableAnswer
            raise kind(key, **details, longest=self._longest_answer(exchange.most))

    def _ask(self, exchange: _Exchange) -> Generator[str, None, None]:
        """Yield raw pieces of an answer; retry without rejected parameters."""
        import httpx2
        import openai

        left_out, retries = self._shared.left_out, self.max_retries
        while True:
            sent = self._parameters(exchange, left_out)
            try:
                with closing(iterate(partial(self._chunks, sent))) as chunks:
                    for chunk in chunks:
                        yield exchange.read(chunk)
                if not (exchange.finish_reason or exchange.is_counted or exchange.length):
                    raise ValueError
                break
            except (openai.OpenAIError, httpx2.HTTPError, *server.MALFORMED) as error:
                told = {"name": self.model, "address": self.address, **self.variables}
                told |= {"seconds": f"{self.timeout:g}", "secret": self.api_key or ""}
                failure = failures.translate(error, told)
                if rejected := _rejected_part(error, failure, sent):
                    left_out |= {rejected}
                    continue
                wait = getattr(failure, "retry_after", None) or RETRY_SECONDS
                may_pass = failure.key in _RETRIED and wait <= LONGEST_RETRY_SECONDS
                if exchange.length or not (may_pass and retries):
                    raise failure from error
                retries -= 1
                sleep(wait)
        with self._shared.lock:
            self._shared.left_out |= left_out
            self._shared.usage += exchange.usage

    def _parameters(self, exchange: _Exchange, rejected: Collection[str]) -> dict[str, Any]:
        written = [
            {"role": message.role, "content": output.clean(message.content)}
            for message in exchange.messages
        ]
        if "system" in rejected:
            written = _without_system(written)
        limit = "max_completion_tokens" if "max_tokens" in rejected else "max_tokens"
        wanted: dict[str, Any] = {
            limit: self._longest_answer(exchange.most),
            "temperature": 0.0 if exchange.schema else self.temperature,
            "stream_options": {"include_usage": True},
            **self._further,
        }
        if self.thinking_switch:
            wanted["extra_body"] = self.thinking_switch
        if exchange.schema is not None and "response_format" in rejected:
            shown = json.dumps(exchange.schema, ensure_ascii=False)
            order = text("models", "json_form", _language(exchange.messages), schema=shown)
            written[-1]["content"] += f"\n\n{order}"
        elif exchange.schema is not None:
            # Not strict: OpenAI's strict form refuses schemas with length limits, and the answer
            # is validated here anyway.
            asked = {"name": "answer", "schema": dict(exchange.schema), "strict": False}
            wanted["response_format"] = {"type": "json_schema", "json_schema": asked}
        taken = {name: value for name, value in wanted.items() if name not in rejected}
        return {"model": self.model, "messages": written, **taken}

    def _room(self) -> tuple[int, int]:
        """Return the tokens of prompt and answer together, and those for thinking besides."""
        shared = self._shared
        if server.is_own_address(self.base_url) and monotonic() >= shared.asked_again:
            shared.served = self.served()
            seconds = ASKED_AGAIN_SECONDS if shared.served.is_final else SOON_SECONDS
            shared.asked_again = monotonic() + seconds
        served = shared.served.context_tokens
        # The setting can only lower the server's context.
        known = self.context or served or server.UNKNOWN_CONTEXT
        whole = min(known, served or known)
        thinking = min(THINKING_TOKENS, whole // 3) if self.thinks else 0
        return whole - thinking, thinking

    def _longest_answer(self, most: int) -> int:
        room, thinking = self._room()
        return min(most, room // 3) + thinking

    async def _chunks(self, sent: Mapping[str, Any]) -> AsyncGenerator[Any]:
        """Yield the chunks of a stream, or the whole answer of a server that does not stream."""
        async with await self._client.chat.completions.create(stream=True, **sent) as stream:
            if stream.response.headers.get("content-type", "").startswith("application/json"):
                from openai.types.chat import ChatCompletion

                yield ChatCompletion.construct(**json.loads(await stream.response.aread()))
                return
            async for chunk in stream:
                yield chunk

    async def _models(self) -> AsyncGenerator[Any]:
        yield await self._client.with_options(timeout=server.ANSWER_SECONDS).models.list()

    @cached_property
    def _client(self) -> AsyncOpenAI:
        import httpx2
        import openai

        return openai.AsyncOpenAI(
            api_key=self.api_key or "none",
            base_url=self.base_url,
            max_retries=0,
            timeout=httpx2.Timeout(self.timeout, connect=min(self.timeout, 10.0)),
            # Requests to a local server must bypass the proxy.
            http_client=openai.DefaultAsyncHttpxClient(
                trust_env=not server.is_own_address(self.base_url)
            ),
        )


def _rejected_part(error: Exception, failure: ModelError, sent: Mapping[str, Any]) -> str:
    """Return the parameter to drop after a rejection, or an empty text."""
    if failure.key != "model_rejected":
        return ""
    words = str(getattr(error, "body", "")).lower()
    named = [name for name, signs in _REJECTIONS.items() if any(sign in words for sign in signs)]
    if "system" in named and sent["messages"][0]["role"] == "system":
        return "system"
    return next((name for name in (*named, "response_format", "extra_body") if name in sent), "")


def _without_system(messages: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Merge the system message into the first user message, and alternate the roles."""
    merged: list[dict[str, str]] = []
    for message in messages:
        role = "user" if message["role"] == "system" else message["role"]
        if merged and merged[-1]["role"] == role:
            merged[-1]["content"] += f"\n\n{message['content']}"
        else:
            merged.append({"role": role, "content": message["content"]})
    return merged


def _language(messages: Sequence[Message]) -> Language:
    return language_of("\n".join(message.content for message in messages))
