"""A second model for failures of the first.

Only a failure of the service counts: a refusal or an answer in the wrong form is an answer, and a
begun reply is not taken over. Replies name the second model, since another service read the words.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from siliconfriend.errors import ModelError, ModelUnavailable
from siliconfriend.models.base import Answer, ChatModel, Message, Usage
from siliconfriend.texts import Language, text

Part = TypeVar("Part")
Ask = Callable[[ChatModel, ModelError | None], Iterator[Part]]
"""Asks a model; where that is the second, the error says why it is not the first."""
REST_SECONDS = 60.0
"""Seconds until a failed model is asked again, unless its server names a time."""
_NO_ANSWER = ("model_empty", "model_cut_thinking")


class FallbackModel:
    """Two models behind the interface of one; its name and address are those of the first.

    The second is asked where the first cannot answer. ``now`` gives seconds that only grow.
    """

    def __init__(
        self, first: ChatModel, second: ChatModel, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.first, self.second = first, second
        self.name, self.address = first.name, first.address
        self._now, self._rests_until = now, 0.0
        self._cause: ModelError | None = None

    @property
    def context_tokens(self) -> int:
        """The smaller of the two: a prompt must fit both."""
        return min(self.first.context_tokens, self.second.context_tokens)

    @property
    def usage(self) -> Usage:
        """The usage of both in this process."""
        first, second = (getattr(it, "usage", Usage()) for it in (self.first, self.second))
        return replace(first + second, fallback_calls=second.calls)

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Stream the answer of the first that has one; see :class:`ChatModel`."""
        return self.ask(lambda model, _cause: model.stream(messages))

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """Ask for a whole answer of the first that has one; see :class:`ChatModel`."""

        def ask(model: ChatModel, _cause: ModelError | None) -> Iterator[Answer]:
            yield replace(model.complete(messages, schema), model=model.name)

        return next(self.ask(ask))

    def ask(self, ask: Ask[Part]) -> Iterator[Part]:
        """Yield what ``ask`` gives of the first model, or of the second where that gives nothing.

        Raises:
            ModelError: of the first, where it is no reason to ask the second; of both, in one.
        """
        cause = self._cause if self._now() < self._rests_until else None
        while True:
            has_begun = False
            try:
                for part in ask(self.first if cause is None else self.second, cause):
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
                    self._rests_until, self._cause = self._now() + rest, error
                cause = error


def ask_in_turn(chat: ChatModel, ask: Ask[Part]) -> Iterator[Part]:
    """Yield what ``ask`` gives of a model, or of its second; see :meth:`FallbackModel.ask`."""
    return chat.ask(ask) if isinstance(chat, FallbackModel) else ask(chat, None)


def fell_back(model: ChatModel, cause: ModelError) -> ModelUnavailable:
    """Build what the person is told of an answer that the second model gave."""
    return ModelUnavailable("fell_back", cause=cause, name=model.name, address=model.address)


def second_sentence(chat: ChatModel, language: Language) -> str:
    """Return the sentence that says who answers where ``chat`` cannot; empty without anyone."""
    if not isinstance(chat, FallbackModel):
        return ""
    second = chat.second
    return text("models", "second", language, model=second.name, address=second.address)
