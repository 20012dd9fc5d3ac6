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
from siliconfriend.models.base import Answer, ChatModel, Message, ServedModel, Usage
from siliconfriend.texts import Language, text

Part = TypeVar("Part")

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
        first, second = (
            model.usage if isinstance(model, ServedModel) else Usage()
            for model in (self.first, self.second)
        )
        return replace(first + second, fallback_calls=second.calls)

    def load(self) -> None:
        """Load the first; the second when it is needed."""
        if isinstance(self.first, ServedModel):
            self.first.load()

    def begin(self) -> tuple[ChatModel, ModelError | None]:
        """Return the model to ask now, and where that is the second why it is not the first."""
        cause = self._cause if self._now() < self._rests_until else None
        return (self.first if cause is None else self.second), cause

    def next_after(self, cause: ModelError | None, error: ModelError) -> ChatModel:
        """Return the model to ask after the first failed.

        Raises:
            ModelError: the second one failed, which was asked because of ``cause``; or the first in
                a way that is no reason to ask it.
        """
        if cause is not None:
            if not isinstance(error, ModelUnavailable):
                raise error
            wait = cause.retry_after if isinstance(cause, ModelUnavailable) else None
            raise ModelUnavailable(
                "both_failed", retry_after=wait, first=cause, second=error
            ) from error
        if isinstance(error, ModelUnavailable):
            rest = REST_SECONDS if error.retry_after is None else error.retry_after
            self._rests_until, self._cause = self._now() + rest, error
        elif error.key not in _NO_ANSWER:
            raise error
        return self.second

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Stream the answer of the first that has one; see :class:`ChatModel`."""
        return self.ask(lambda model: model.stream(messages))

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """Ask for a whole answer of the first that has one; see :class:`ChatModel`."""

        def ask(model: ChatModel) -> Iterator[Answer]:
            yield replace(model.complete(messages, schema), model=model.name)

        return next(self.ask(ask))

    def ask(self, ask: Callable[[ChatModel], Iterator[Part]]) -> Iterator[Part]:
        """Yield what ``ask`` gives of the first model, or of the second where that gives nothing."""
        model, cause = self.begin()
        while True:
            has_begun = False
            try:
                for part in ask(model):
                    has_begun = True
                    yield part
                return
            except ModelError as error:
                if has_begun:
                    raise
                model, cause = self.next_after(cause, error), error


def fell_back(model: ChatModel, cause: ModelError) -> ModelUnavailable:
    """Build what the person is told of an answer that the second model gave."""
    return ModelUnavailable("fell_back", cause=cause, name=model.name, address=model.address)


def second_sentence(chat: ChatModel, language: Language) -> str:
    """Return the sentence that says who answers where ``chat`` cannot; empty without anyone."""
    if not isinstance(chat, FallbackModel):
        return ""
    second = chat.second
    return text("models", "second", language, model=second.name, address=second.address)
