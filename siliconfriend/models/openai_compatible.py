"""A chat model behind any server with OpenAI's chat completions.

Answers are always streamed, so that the timeout is how long the server may stay silent, not how
long an answer may take. Most servers lack some parameter: after a 400, the rejected parameter is
dropped from further requests if that helps.
"""

from __future__ import annotations

import copy
import json
import re
import threading
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import KW_ONLY, asdict, dataclass, field
from functools import partial
from http import HTTPStatus
from math import inf
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

from siliconfriend.errors import AnswerCut, ModelError, ModelUnavailable, UnusableAnswer
from siliconfriend.language.characters import is_blank, language_of
from siliconfriend.models import connection, failures, output, server
from siliconfriend.models.base import Answer, AnswerOptions, JsonSchema, Message, Usage
from siliconfriend.models.labels import MODEL_ROLES, PERSON_ROLES, unless_named, without_labels
from siliconfriend.models.model_request import ModelRequest
from siliconfriend.models.thinking import OPENED_BY_TEMPLATE, ThoughtAloud, without_thinking
from siliconfriend.texts import Language, text
from siliconfriend.threads import iterate

MAX_RETRIES = 1
"""Retries after a 429, a 5xx, or a connection refused or lost before the first piece."""
ASKED_AGAIN_SECONDS, SOON_SECONDS = 3600.0, 10.0
"""Seconds before a local server's properties are queried again: usually, and if they may change
soon."""
THINKING_TOKENS = 8000
"""Tokens for thinking above the length of an answer, since servers count both together."""
WRITTEN_TOKENS = 4000
"""Least tokens of a whole answer, such as a night's facts; a reply in a talk is shorter."""
_NO_SYSTEM = re.compile(
    r"(?:system|developer)\W.{0,30}(?:role|message|prompt|instruction)|role.{0,60}system"
    r"|'user' or 'assistant'|instruction is not enabled|must alternate",
    re.IGNORECASE,
)
"""Matches a rejection of the system message."""
_MOST_OUTPUT = re.compile(
    r"max_(?:completion_)?tokens.{0,60}?(?:\[\d+, ?|at most |<= ?|(?:equal|up) to |maximum (?:is|of) )"
    r"\W?(\d+)",
    re.IGNORECASE,
)
"""Matches the longest answer that a server allows, where it rejects a longer one."""
_REJECTING = frozenset((400, 422, 424, 500))


@dataclass(slots=True)
class _Shared:
    """State shared by all copies of a model: learned limits, and usage."""

    left_out: frozenset[str] = frozenset()
    most_output: float = inf
    """The longest answer in tokens that the server allows, thinking included."""
    usage: Usage = field(default_factory=Usage)
    served: server.Served = field(default_factory=server.Served)
    asked_again: float = -inf
    lock: threading.Lock = field(default_factory=threading.Lock)


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
        self.base_url = connection.without_path_of_request(self.base_url)

    @property
    def address(self) -> str:
        """The part of the server's address that may be shown."""
        return connection.host_of(self.base_url)

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

        options = self._options() | {"timeout": server.ANSWER_SECONDS}
        try:
            with httpx2.Client(**options) as client:
                answer = client.get("models")
            if not answer.is_success and answer.status_code != HTTPStatus.NOT_FOUND:
                connection.parsed(answer)
        except connection.failures() as error:
            raise failures.translate(error, {**self._told(), "seconds": "2"}) from error

    def load(self) -> None:
        """Preload what the first request needs; nothing is sent."""
        self._options()

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Stream the answer without thinking; see :class:`ChatModel`. ``AnswerCut`` comes last."""
        request = ModelRequest(messages, self.max_tokens)
        with closing(self._ask(request)) as pieces:
            yield from self._read(request, pieces)

    def complete(self, messages: Sequence[Message], schema: JsonSchema | None = None) -> Answer:
        """Ask for a whole answer; with a JSON schema for a valid one; see :class:`ChatModel`.

        The details of an error have the ``usage``.
        """
        requests: list[ModelRequest] = []
        try:
            return self._complete(messages, schema, requests)
        except ModelError as error:
            error.details["usage"] = _usage_of(requests)
            raise

    def _complete(
        self, messages: Sequence[Message], schema: JsonSchema | None, requests: list[ModelRequest]
    ) -> Answer:
        asked = list(messages)
        for _ in range(2):
            request = ModelRequest(asked, max(self.max_tokens, WRITTEN_TOKENS), schema)
            requests.append(request)
            whole, failure = "".join(self._ask(request)), None
            pieces: list[str] = []
            try:
                pieces += self._read(request, iter([whole]))
            except ModelUnavailable as error:  # truncated, unless the JSON is complete
                failure = error
            words = output.strip_fence("".join(pieces))
            data, problem = None, ""
            if schema is not None:
                data, problem = output.parse_valid(words, schema, is_whole=failure is None)
            if failure is not None and (problem or schema is None):
                raise failure
            if not problem:
                used = _usage_of(requests)
                return Answer(
                    words, data, used.input_tokens, used.output_tokens, requests=used.calls
                )
            again = text("models", "json_again", _language(messages), problem=problem)
            asked += [Message("assistant", words), Message("user", again)]
        raise UnusableAnswer("model_not_json", name=self.model)

    def _read(self, request: ModelRequest, pieces: Iterator[str]) -> Iterator[str]:
        """Pass on the pieces without the model's thinking, then check that they are an answer."""
        has_words, opened = False, OPENED_BY_TEMPLATE.search(self.model) is not None
        end_turn = partial(setattr, request, "finish_reason", "stop")
        said = request.messages[-1].content
        own, others = unless_named(MODEL_ROLES, said), unless_named(PERSON_ROLES, said)
        try:
            heard = without_thinking(pieces, lambda: opened and not request.has_reasoning, end_turn)
            for words in without_labels(heard, own, others, end_turn):
                has_words = has_words or not is_blank(words)
                yield words
        except ThoughtAloud as error:
            raise UnusableAnswer("model_thought_aloud", name=self.model) from error
        self.last_usage = request.usage
        reason = "refusal" if request.is_refused else request.finish_reason
        if key := failures.of_finish(reason, has_words, request.is_ended):
            details: dict[str, Any] = {"name": self.model, "address": self.address}
            if key == "model_broke_off":
                raise ModelUnavailable(key, **details)
            kind = AnswerCut if key == "model_cut" else UnusableAnswer
            raise kind(key, **details, longest=self._longest_answer(request.most))

    def _told(self) -> dict[str, Any]:
        """Return the details of errors; ``secret`` is for their translation alone."""
        told = {"name": self.model, "address": self.address, **self.variables}
        return told | {"seconds": f"{self.timeout:g}", "secret": self.api_key or ""}

    def _ask(self, request: ModelRequest) -> Generator[str, None, None]:
        """Yield raw pieces of an answer; retry without rejected parameters."""
        left_out, retries = self._shared.left_out, self.max_retries
        while True:
            sent = self._parameters(request, left_out)
            try:
                path = "v1/chat/completions" if "path" in left_out else "chat/completions"
                made = partial(connection.documents, self._options(), path, sent)
                with closing(iterate(made)) as documents:
                    for document in documents:
                        yield request.read(document)
                if not (request.finish_reason or request.length or request.usage.output_tokens):
                    raise ValueError
                break
            except connection.failures() as error:
                failure = failures.translate(error, self._told())
                if rejected := self._rejected_part(error, failure, sent, left_out):
                    left_out |= {rejected}
                    continue
                wait = failures.retry_wait(failure)
                if request.length or wait is None or not retries:
                    raise failure from error
                retries -= 1
                sleep(wait)
        with self._shared.lock:
            self._shared.left_out |= left_out
            self._shared.usage += request.usage

    def _parameters(self, request: ModelRequest, rejected: Collection[str]) -> dict[str, Any]:
        written = [
            {"role": message.role, "content": output.clean(message.content)}
            for message in request.messages
        ]
        if "system" in rejected:
            written = _without_system(written)
        limit = "max_completion_tokens" if "max_tokens" in rejected else "max_tokens"
        wanted: dict[str, Any] = {
            limit: self._longest_answer(request.most),
            # Thinking models repeat themselves without chance.
            "temperature": 0.0 if request.schema and not self.thinks else self.temperature,
            "stream_options": {"include_usage": True},
            **self._further,
            **self.thinking_switch,
        }
        if request.schema is not None and "response_format" in rejected:
            shown = json.dumps(request.schema, ensure_ascii=False)
            order = text("models", "json_form", _language(request.messages), schema=shown)
            written[-1]["content"] += f"\n\n{order}"
        elif request.schema is not None:
            # Not strict: OpenAI's strict form refuses schemas with length limits, and the answer
            # is validated here anyway.
            asked = {"name": "answer", "schema": dict(request.schema), "strict": False}
            wanted["response_format"] = {"type": "json_schema", "json_schema": asked}
        taken = {name: value for name, value in wanted.items() if name not in rejected}
        return {"model": self.model, "messages": written, "stream": True, **taken}

    def _room(self) -> tuple[int, int]:
        """Return the tokens of prompt and answer together, and those for thinking besides."""
        shared = self._shared
        if connection.is_own_address(self.base_url) and monotonic() >= shared.asked_again:
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
        return int(min(min(most, room // 3) + thinking, self._shared.most_output))

    def _options(self) -> dict[str, Any]:
        """Return the options of the HTTP client of one request."""
        return connection.client_options(self.base_url, self.api_key, self.timeout)

    def _rejected_part(
        self,
        error: Exception,
        failure: ModelError,
        sent: Mapping[str, Any],
        left_out: Collection[str],
    ) -> str:
        """Return the part of the request to drop or change after a rejection, or an empty text."""
        if failure.key == "model_no_api":
            has_root_alone = not urlsplit(self.base_url).path and "path" not in left_out
            return "path" if has_root_alone else ""
        if getattr(error, "status", 0) not in _REJECTING:
            return ""
        words = " ".join(connection.messages(getattr(error, "body", "")))
        limit = sent.get("max_tokens") or sent.get("max_completion_tokens", 0)
        if (found := _MOST_OUTPUT.search(words)) and int(found[1]) < limit:
            self._shared.most_output = int(found[1])
            return "longer answers"
        if _NO_SYSTEM.search(words) and sent["messages"][0]["role"] == "system":
            return "system"
        switch = [*self.thinking_switch] if re.search("think|reason", words) else []
        optional = [name for name in sent if name not in ("model", "messages", "stream")]
        named = [name for name in optional if re.search(rf"\b{name}\b", words)]
        # A model may be "not found" in a sentence about a parameter that it does not support.
        if failure.key == "model_rejected":
            named += [*switch, "response_format", *self.thinking_switch]
        elif failure.key != "model_missing":
            named = []
        return next((name for name in named if name in sent), "")


def _usage_of(requests: Sequence[ModelRequest]) -> Usage:
    return sum((request.usage for request in requests), Usage())


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
