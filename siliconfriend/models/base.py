"""The interface of chat models, and a second model for failures of the first.

A failure, a refusal, an empty or a truncated answer raises, since answers are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from operator import add
from time import monotonic
from typing import Any, Literal, Protocol, TypeVar

from siliconfriend.errors import ModelError, ModelUnavailable
from siliconfriend.prompts.escape import escape_special_tokens
from siliconfriend.texts import Language, counted, text

Schema = Mapping[str, Any]
"""A JSON schema."""
Part = TypeVar("Part")
Ask = Callable[["ChatModel", ModelError | None], Iterator[Part]]
"""Calls a model; the error is the reason for a fallback, if any."""
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
        said = text("models", "usage", language, **counted(asdict(self)))
        if self.fallback_calls:
            said += text("models", "usage_fallback", language, calls=self.fallback_calls)
        return said


class CompletionModel(Protocol):
    """A model that returns whole answers; ``name`` is recorded as the author."""

    name: str

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer together."""

    def complete(self, messages: Sequence[Message], schema: Schema | None = None) -> Answer:
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


class FallbackModel:
    """A model with a fallback; name and address are those of the first.

    The second model is called only if the first one's service fails before the first piece.
    Refusals and invalid answers do not trigger it.
    """

    def __init__(self, first: ChatModel, second: ChatModel) -> None:
        self.first, self.second = first, second
        self.name, self.address = first.name, first.address
        self.ability = getattr(first, "ability", "")
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
        return self.ask(lambda model, _why: model.stream(messages))

    def complete(self, messages: Sequence[Message], schema: Schema | None = None) -> Answer:
        """Ask for a whole answer of the first that has one; see :class:`ChatModel`."""

        def ask(model: ChatModel, _why: ModelError | None) -> Iterator[Answer]:
            yield replace(model.complete(messages, schema), model=model.name)

        return next(self.ask(ask))

    def ask(self, ask: Ask[Part]) -> Iterator[Part]:
        """Yield the pieces of the first model, or of the second if the first fails.

        Raises:
            ModelError: of the first model if it triggers no fallback; else of both, combined.
        """
        cause = self._cause if monotonic() < self._rests_until else None
        while True:
            model, why, has_begun = self.first, None, False
            if cause is not None:
                model = self.second
                said: dict[str, Any] = {"name": model.name, "address": model.address}
                why = ModelUnavailable("fell_back", cause=cause, **said)
            try:
                for part in ask(model, why):
                    has_begun = True
                    yield part
                return
            except ModelError as error:
                is_gone = isinstance(error, ModelUnavailable)
                if has_begun or not (is_gone or (cause is None and error.key in _NO_ANSWER)):
                    raise
                if cause is not None:
                    wait = getattr(cause, "retry_after", None)
                    details = {"first": cause, "second": error}
                    raise ModelUnavailable("both_failed", retry_after=wait, **details) from error
                if isinstance(error, ModelUnavailable):
                    rest = REST_SECONDS if error.retry_after is None else error.retry_after
                    self._rests_until, self._cause = monotonic() + rest, error
                cause = error


def ask_in_turn(chat: ChatModel, ask: Ask[Part]) -> Iterator[Part]:
    """Yield what ``ask`` gives of a model, or of its second; see :meth:`FallbackModel.ask`."""
    return chat.ask(ask) if isinstance(chat, FallbackModel) else ask(chat, None)


def second_sentence(chat: ChatModel, language: Language) -> str:
    """Return the sentence that names the fallback of ``chat``; empty without one."""
    if not isinstance(chat, FallbackModel):
        return ""
    second = chat.second
    return text("models", "second", language, model=second.name, address=second.address)
