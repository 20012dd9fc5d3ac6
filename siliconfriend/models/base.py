"""The interface of chat models.

A failure, a refusal, an empty or a cut answer raises: text would be remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from operator import add
from typing import Any, Literal, Protocol

from siliconfriend.prompts.escape import escape_special_tokens
from siliconfriend.texts import Language, text


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
        data: what the text holds as JSON where a schema was given, else None.
        input_tokens, output_tokens: as the server counted them, 0 where it does not.
        model: who gave it, where that may be one of several; else empty.
    """

    text: str
    data: Any = None
    input_tokens: int = 0
    output_tokens: int = 0
    model: str = ""


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """A client's options for one answer, as OpenAI names them; None leaves one to the settings."""

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
        """Return the counts as JSON; the second model only where it was asked."""
        return {it: count for it, count in asdict(self).items() if count or it != "fallback_calls"}

    def sentence(self, language: Language) -> str:
        """Write the counts in words, without an end to the sentence."""
        key = "usage_one" if self.calls == 1 else "usage"
        took = {name: f"{count:,}" for name, count in asdict(self).items()}
        said = text("models", key, language, **took)
        if self.fallback_calls:
            said += text("models", "usage_fallback", language, calls=self.fallback_calls)
        return said


class CompletionModel(Protocol):
    """The half of a chat model that gives whole answers and no stream.

    Attributes:
        name: what records say they were made by, ``ollama:qwen3.5:9b`` say.
    """

    name: str

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer together."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """Ask for a whole answer; with a JSON schema, for one that is valid under it.

        Raises:
            ModelUnavailable: 401, 429, 5xx, no connection, timed out, also in mid-answer.
            UnusableAnswer: empty, cut by the length limit, refused, or still not of the
                schema after one retry that shows the model its bad answer.
        """


class ChatModel(CompletionModel, Protocol):
    """A chat model, wherever it runs."""

    @property
    def address(self) -> str:
        """Who hears the words, shown when a chat starts."""

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Stream the answer piece by piece.

        Raises:
            ModelUnavailable: as for :meth:`complete`.
            UnusableAnswer: it ended without a word.
        """
