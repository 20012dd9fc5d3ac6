"""A chat model behind any server with OpenAI's chat completions, by the official client.

Answers are always streamed, so that the timeout is how long the server may stay silent, not how
long an answer may take.
"""

from __future__ import annotations

import copy
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from siliconfriend.errors import AnswerCut, ModelError, UnusableAnswer
from siliconfriend.language.characters import language_of
from siliconfriend.models.base import Answer, AnswerOptions, Message
from siliconfriend.models.capabilities import Capabilities
from siliconfriend.models.output import ThinkingFilter, clean, mismatch, parse_json, strip_thinking
from siliconfriend.models.served_context import ContextSize, Served
from siliconfriend.models.server_errors import Server, error_text, host_of
from siliconfriend.models.usage import Usage
from siliconfriend.texts import Language, text

if TYPE_CHECKING:
    from openai import OpenAI

MAX_RETRIES = 1
"""Retries after a 429, a 5xx or a connection that was refused or lost before a word came."""
RETRY_SECONDS = 0.5
"""Wait before a retry, where the server does not say."""
LONGEST_RETRY_SECONDS = 5.0
"""A server that asks for a longer wait is not waited for: the person is told how long."""
CONNECT_SECONDS = 10.0
"""Most seconds for opening the connection."""
WRITTEN_TOKENS = 1500
"""Least room for a whole answer, a night's summary say; a reply in a talk is shorter."""
LONGEST_ANSWER = 4 * 1024 * 1024
"""Characters; a server that sends more has lost its end."""


@dataclass(slots=True)
class _Shared:
    """State shared by all copies of a model: its server and usage."""

    capabilities: Capabilities
    thinks_unopened: bool = False
    """True for a model that streams thinking without an opening tag."""
    usage: Usage = field(default_factory=Usage)
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(slots=True)
class _Exchange:
    """One request, and what its response said beside its words."""

    messages: Sequence[Message]
    most: int
    """The longest answer in tokens."""
    schema: Mapping[str, Any] | None = None
    finish_reason: str = ""
    refused: bool = False
    has_thought: bool = False
    usage: Usage = field(default_factory=lambda: Usage(1))

    def read(self, chunk: Any) -> str:
        """Read a chunk; return its words, thinking tags still among them."""
        if (said := chunk.usage) is not None:
            before = self.usage
            self.usage = Usage(
                1,
                _count(said.prompt_tokens) or before.input_tokens,
                _count(said.completion_tokens) or before.output_tokens,
            )
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self.finish_reason = str(choice.finish_reason or self.finish_reason)
        delta = choice.delta
        extra = delta.model_extra or {}
        self.refused = self.refused or bool(delta.refusal)
        self.has_thought = self.has_thought or bool(
            extra.get("reasoning_content") or extra.get("reasoning")
        )
        return self._words(delta.content)

    def _words(self, content: object) -> str:
        if isinstance(content, list):  # some servers give parts of several kinds
            self.has_thought = self.has_thought or any(it["type"] == "thinking" for it in content)
            content = "".join(part["text"] for part in content if part["type"] == "text")
        if content is not None and not isinstance(content, str):
            raise TypeError
        return content or ""


class OpenAICompatible:
    """A chat model by the address of its server; a :class:`ServedModel`.

    Args:
        model: the name the server knows it by.
        base_url: the address up to ``/v1``.
        api_key: None where the server asks for none.
        name: what records say they were made by; ``openai:MODEL`` unless given.
        temperature: 0 to 2.
        max_tokens: longest answer.
        timeout: seconds the server may stay silent, before an answer and within it.
        max_retries: see :data:`MAX_RETRIES`.
        context_tokens, ask_served, thinks: as for :class:`ContextSize`.
        thinking_switch: what a request holds to have it think or not, as its server wants it.
        is_known: its server is known to understand the switch.
        key_variable, address_variable: where the key and the address are set, for errors.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
        name: str | None = None,
        temperature: float = 0.7,
        max_tokens: int = 400,
        timeout: float = 60.0,
        max_retries: int = MAX_RETRIES,
        context_tokens: int | None = None,
        ask_served: Callable[[], Served] | None = None,
        thinks: bool = False,
        thinking_switch: Mapping[str, Any] | None = None,
        is_known: bool = True,
        key_variable: str = "OPENAI_API_KEY",
        address_variable: str = "OPENAI_BASE_URL",
    ) -> None:
        self.model = model
        self.name = name or f"openai:{model}"
        self.address = host_of(base_url)
        self.max_tokens = max_tokens
        self.temperature = temperature
        self.last_usage = Usage(1)
        self._context = ContextSize(model, context_tokens, ask_served, thinks=thinks)
        self._base_url = base_url
        self._api_key = api_key
        self._max_retries = max_retries
        self._timeout = timeout
        self._thinking_switch = dict(thinking_switch or {})
        switch = Capabilities(thinking_switch=bool(thinking_switch), is_known=is_known)
        self._shared = _Shared(switch)
        self._server = Server(model, self.address, timeout, key_variable, address_variable)
        self._further: dict[str, Any] = {}

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer together, without those reserved for thinking."""
        return self._context.without_thinking()

    @property
    def usage(self) -> Usage:
        """The usage of this model and its copies in this process."""
        return self._shared.usage

    def with_options(self, options: AnswerOptions) -> OpenAICompatible:
        """Return a copy for one answer, with a client's options and ``last_usage`` of its own."""
        self.load()
        other = copy.copy(self)
        other.last_usage = Usage(1)
        if options.temperature is not None:
            other.temperature = options.temperature
        if options.max_tokens is not None:
            other.max_tokens = options.max_tokens
        other._further = options.further_parameters()
        return other

    def load(self) -> None:
        """Load the client, which the first answer would else wait for; nothing is sent."""
        _ = self._client.chat.completions

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Stream the answer without the model's thinking; see :class:`ChatModel` for errors.

        Raises:
            AnswerCut: after the last piece, where the length limit ended the answer.
        """
        exchange, has_words = _Exchange(messages, self.max_tokens), False
        thinking = ThinkingFilter(may_be_open=self._shared.thinks_unopened)
        for piece in self._ask(exchange):
            words = thinking.feed(piece)
            if thinking.has_leaked:
                self._shared.thinks_unopened = True
                raise UnusableAnswer("model_thought_aloud", name=self.model)
            has_words = has_words or bool(words)
            if words:
                yield words
        exchange.has_thought = exchange.has_thought or thinking.is_inside
        if rest := thinking.end():
            yield rest
        self.last_usage = exchange.usage
        self._check_whole(exchange, has_words=has_words or bool(rest))

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """Ask for a whole answer; with a JSON schema for a valid one; see :class:`ChatModel`."""
        words, used = self._whole(messages, schema)
        data, problem = (None, "") if schema is None else _validate(words, schema)
        if schema is not None and problem:
            again = text("models", "json_again", _language(messages), problem=problem)
            shown = [*messages, Message("assistant", words), Message("user", again)]
            words, more = self._whole(shown, schema)
            data, problem = _validate(words, schema)
            if problem:
                raise UnusableAnswer("model_not_json", name=self.model)
            used += more
        return Answer(words, data, used.input_tokens, used.output_tokens)

    def _whole(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None
    ) -> tuple[str, Usage]:
        exchange = _Exchange(messages, max(self.max_tokens, WRITTEN_TOKENS), schema)
        raw = "".join(self._ask(exchange))
        words = strip_thinking(raw)
        exchange.has_thought = exchange.has_thought or bool(raw.strip() and not words)
        self._check_whole(exchange, has_words=bool(words))
        return words, exchange.usage

    def _check_whole(self, exchange: _Exchange, *, has_words: bool) -> None:
        if exchange.refused or exchange.finish_reason == "content_filter":
            key = "model_filtered" if has_words else "model_refused"
            raise UnusableAnswer(key, name=self.model)
        if exchange.finish_reason == "length":
            longest = self._context.longest_answer(exchange.most)
            if not has_words and exchange.has_thought:
                raise UnusableAnswer("model_cut_thinking", name=self.model, longest=longest)
            kind = AnswerCut if has_words else UnusableAnswer
            raise kind("model_cut", name=self.model, longest=longest)
        if not has_words:
            raise UnusableAnswer("model_empty", name=self.model)

    def _ask(self, exchange: _Exchange) -> Iterator[str]:
        """Yield raw pieces of an answer; what a server rejects is left out and asked again."""
        import httpx2
        import openai

        retries, length = self._max_retries, 0
        while True:
            capabilities = self._shared.capabilities
            try:
                for piece in self._request(exchange, capabilities):
                    length += len(piece)
                    if length > LONGEST_ANSWER:
                        raise self._server.unavailable("model_broke_off")
                    yield piece
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                failure = self._server.translate(error)
                has_schema = exchange.schema is not None
                fewer = capabilities.without_rejected(error_text(error), with_schema=has_schema)
                if fewer is None or failure.key == "model_too_long":
                    raise failure from error
                self._shared.capabilities = fewer
                continue
            except openai.OpenAIError as error:
                failure = self._server.translate(error)
                wait = _wait_before_retry(failure)
                if wait is None or not retries or length:
                    raise failure from error
                retries -= 1
                time.sleep(wait)
                continue
            except httpx2.HTTPError as error:
                raise self._server.translate(error) from error
            except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
                raise self._server.unavailable("model_broke_off") from error
            if not exchange.finish_reason:
                raise self._server.unavailable("model_broke_off")
            self._context.renew()
            with self._shared.lock:
                self._shared.usage += exchange.usage
            return

    def _request(self, exchange: _Exchange, capabilities: Capabilities) -> Iterator[str]:
        sent, schema = list(exchange.messages), exchange.schema
        if schema is not None and capabilities.json_form != "json_schema":
            form = json.dumps(schema, ensure_ascii=False)
            last = text("models", "json_form", _language(sent), schema=form)
            words = sent[-1].content
            sent[-1] = Message(sent[-1].role, type(words)(f"{words}\n\n{last}"))
        parameters = capabilities.parameters(
            max_tokens=self._context.longest_answer(exchange.most),
            temperature=self.temperature,
            schema=schema,
        )
        parameters |= self._further
        if capabilities.thinking_switch:
            parameters["extra_body"] = self._thinking_switch
        written = [{"role": it.role, "content": clean(it.content)} for it in sent]
        with self._client.chat.completions.create(
            model=self.model, messages=cast(Any, written), stream=True, **parameters
        ) as chunks:
            for chunk in chunks:
                yield exchange.read(chunk)

    @cached_property
    def _client(self) -> OpenAI:
        return self._connect()

    def _connect(self) -> OpenAI:
        import httpx2
        import openai

        connect = min(self._timeout, CONNECT_SECONDS)
        # Words for this machine's own server must not take the way over a proxy.
        is_local = httpx2.URL(self._base_url).host in ("127.0.0.1", "localhost", "::1")
        return openai.OpenAI(
            api_key=self._api_key or "none",
            base_url=self._base_url,
            max_retries=0,
            timeout=httpx2.Timeout(self._timeout, connect=connect),
            http_client=openai.DefaultHttpxClient(trust_env=not is_local),
        )


def _wait_before_retry(failure: ModelError) -> float | None:
    """Seconds to wait before asking again after a failure; None where that is no use."""
    if failure.key not in ("model_broke_off", "model_busy", "model_down", "model_unreachable"):
        return None
    asked = failure.details.get("retry_after")
    wait = float(asked) if isinstance(asked, int | float) else RETRY_SECONDS
    return wait if wait <= LONGEST_RETRY_SECONDS else None


def _count(said: object) -> int:
    return said if type(said) is int and said > 0 else 0


def _language(messages: Sequence[Message]) -> Language:
    return language_of("\n".join(message.content for message in messages))


def _validate(words: str, schema: Mapping[str, Any]) -> tuple[Any, str]:
    """Validate the JSON of an answer: the data and "", or None and why it is not valid."""
    try:
        data = parse_json(words)
    except ValueError as error:
        return None, str(error)[:300]
    wrong = mismatch(data, schema)
    return (None, wrong) if wrong else (data, "")
