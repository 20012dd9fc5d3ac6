"""The interface of chat models, and a second model for failures of the first.

A failure, a refusal, an empty or a truncated answer raises, since answers are stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from operator import add
from time import monotonic
from typing import Any, Literal, Protocol

from siliconfriend.errors import ModelError, ModelUnavailable
from siliconfriend.prompts.escape import escape_special_tokens
from siliconfriend.texts import Language, plural, text

JsonSchema = Mapping[str, Any]
"""A JSON schema."""
REST_SECONDS = 60.0
"""Default seconds before a failed model is called again."""
_NO_ANSWER = ("model_empty", "model_cut_thinking")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, as chat models take it.

    Special tokens of chat templates in ``content`` are escaped, unless it is a rendered prompt:
    ``<|im_end|>`` in what a person says must not end their message.
    """

    role: Literal["system", "user", "assistant"]
    content: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", escape_special_tokens(self.content))


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer of a model.

    Attributes:
        text: the words, without fences or a model's private thinking.
        data: what the text holds as JSON where a schema was given, valid under it and without
            broken characters; else None.
        input_tokens, output_tokens: as the server reports them, else 0.
        model: the answering model if there are several, else empty.
        requests: number of requests, including retries for invalid answers.
    """

    text: str
    data: Any = None
    input_tokens: int = 0
    output_tokens: int = 0
    model: str = ""
    requests: int = 1


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """A client's options for one answer, by OpenAI's names; None uses the settings."""

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Requests to models, failed ones included, and tokens as servers counted them; thinking is output.

    The second model answered ``fallback_calls`` of the requests.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    fallback_calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Add two counts."""
        return Usage(*map(add, astuple(self), astuple(other)))

    def document(self) -> dict[str, int]:
        """Return the counts as JSON; the second model only if it was called."""
        return {
            name: count for name, count in asdict(self).items() if count or name != "fallback_calls"
        }

    def sentence(self, language: Language) -> str:
        """Write the counts in words, without an end to the sentence."""
        said = plural("models", "usage", self.calls, language, **asdict(self))
        if self.fallback_calls:
            said += text("models", "usage_fallback", language, calls=self.fallback_calls)
        return said


class CompletionModel(Protocol):
    """A model that returns whole answers; ``name`` is recorded as the author."""

    name: str

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer together."""

    def complete(self, messages: Sequence[Message], schema: JsonSchema | None = None) -> Answer:
        """Ask for a whole answer; with a JSON schema, for one that is valid under it.

        Raises:
            ModelUnavailable: 401, 429, 5xx, no connection, timed out, also in mid-answer.
            UnusableAnswer: empty, cut, refused, or not of the schema, nor when shown its answer.
        """


class ChatModel(CompletionModel, Protocol):
    """A chat model, wherever it runs."""

    @property
    def address(self) -> str:
        """Recipient of the words, shown when a chat starts."""

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Stream the answer piece by piece; errors as for :meth:`complete`."""


@dataclass(slots=True)
class Attempt:
    """One model's turn to answer: a context for its request.

    A failure that falls back is kept in ``failure`` instead of being raised.

    Attributes:
        model: the model to ask.
        why: why it is the second model's turn; None for the first.
        falls_back: another model, or a sentence about both, follows a failure.
        has_begun: a piece was passed on; failures are raised from then on.
    """

    model: ChatModel
    why: ModelError | None = None
    falls_back: bool = False
    has_begun: bool = False
    failure: ModelError | None = None

    def __enter__(self) -> Attempt:
        return self

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> bool:
        if self.falls_back and not self.has_begun and isinstance(error, ModelError):
            has_no_answer = self.why is None and error.key in _NO_ANSWER
            if has_no_answer or isinstance(error, ModelUnavailable):
                self.failure = error
        return self.failure is not None


class FallbackModel:
    """A model with a fallback; name and address are those of the first.

    The second model is called only if the first one's service fails before the first piece.
    Refusals and invalid answers do not trigger it.
    """

    def __init__(self, first: ChatModel, second: ChatModel) -> None:
        self.first, self.second = first, second
        self.name, self.address = first.name, first.address
        self._rests_until = 0.0
        self._cause: ModelError | None = None

    @property
    def context_tokens(self) -> int:
        """The smaller of the two: a prompt must fit both."""
        return min(self.first.context_tokens, self.second.context_tokens)

    @property
    def usage(self) -> Usage:
        """The usage of both in this process."""
        first, second = (getattr(model, "usage", Usage()) for model in (self.first, self.second))
        return replace(first + second, fallback_calls=second.calls)

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Stream the answer of the first that has one; see :class:`ChatModel`."""
        for attempt in self.attempts():
            with attempt:
                for piece in attempt.model.stream(messages):
                    attempt.has_begun = True
                    yield piece

    def complete(self, messages: Sequence[Message], schema: JsonSchema | None = None) -> Answer:
        """Ask for a whole answer of the first that has one; see :class:`ChatModel`."""
        for attempt in self.attempts():
            with attempt:
                return replace(attempt.model.complete(messages, schema), model=attempt.model.name)
        raise AssertionError

    def attempts(self) -> Iterator[Attempt]:
        """Yield the first model, unless it failed a short while ago, then the second if it fails.

        Raises:
            ModelUnavailable: both failed.
        """
        cause = self._cause if monotonic() < self._rests_until else None
        if cause is None:
            yield (first := Attempt(self.first, falls_back=True))
            if first.failure is None:
                return
            cause = first.failure
            if isinstance(cause, ModelUnavailable):
                rest = REST_SECONDS if cause.retry_after is None else cause.retry_after
                self._rests_until, self._cause = monotonic() + rest, cause
        said: dict[str, Any] = {"name": self.second.name, "address": self.second.address}
        why = ModelUnavailable("fell_back", cause=cause, **said)
        yield (second := Attempt(self.second, why, falls_back=True))
        if second.failure is not None:
            details = {"first": cause, "second": second.failure}
            wait = getattr(cause, "retry_after", None)
            raise ModelUnavailable("both_failed", retry_after=wait, **details) from second.failure


def attempts(chat: ChatModel, options: AnswerOptions) -> Iterator[Attempt]:
    """Yield the attempts at one answer; see :meth:`FallbackModel.attempts`.

    A model that takes ``options`` is copied with them, since other threads use the same model.
    """
    tried = chat.attempts() if isinstance(chat, FallbackModel) else iter([Attempt(chat)])
    for attempt in tried:
        if (copied := getattr(attempt.model, "with_options", None)) is not None:
            attempt.model = copied(options)
        yield attempt


def model_label(chat: ChatModel) -> str:
    """Return the name of a model without its service and its folder."""
    return chat.name.partition(":")[2].rpartition("/")[2] or chat.name


def second_sentence(chat: ChatModel, language: Language) -> str:
    """Return the sentence that names the fallback of ``chat``; empty without one."""
    if not isinstance(chat, FallbackModel):
        return ""
    second = chat.second
    return text("models", "second", language, model=model_label(second), address=second.address)
