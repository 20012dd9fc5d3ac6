"""One chat completion on its way: who speaks, what for, and the pieces of its answer."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from siliconfriend.dialogue.client_chat import ClientChat
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.reply import Reply
from siliconfriend.keys import Caller
from siliconfriend.models.base import ChatModel, ServedModel
from siliconfriend.models.options import AnswerFacts, AnswerOptions
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.server.context import ServerContext
from siliconfriend.server.openai_door.bounds import Bounds
from siliconfriend.server.openai_door.request import ChatCompletionRequest, read_talk
from siliconfriend.server.openai_door.speaker import chat_id_of, message_id_of, speaker_of
from siliconfriend.server.openai_door.task_answers import answer_task
from siliconfriend.server.openai_door.tasks import Purpose, purpose_of
from siliconfriend.server.openai_door.why import COMMAND, explain
from siliconfriend.server.problems import ProblemError
from siliconfriend.server.routes.chat import used_memories

OVERHEAD_TOKENS = 6


class Completion:
    """One request and its answer.

    Args:
        context: of the server.
        caller: whose key it came with.
        request: as it was sent.
        headers: of the request, in small letters.

    Attributes:
        purpose: what the request is for.

    Raises:
        ProblemError: the request asks for something that cannot be, or for nobody.
        UsageError: there is no such companion.
    """

    def __init__(
        self,
        context: ServerContext,
        caller: Caller,
        request: ChatCompletionRequest,
        headers: Mapping[str, str],
    ) -> None:
        request.check()
        self._context, self._request = context, request
        self._talk = read_talk(request.messages)
        chat = chat_id_of(request, headers)
        self.purpose = purpose_of(request, self._talk, headers, chat)
        if request.model not in context.companions():
            raise ProblemError(404, "model_not_found", {"name": request.model}, param="model")
        person = speaker_of(caller, request, headers, context.settings)
        self._reached = context.reach(caller, person, request.model)
        self._caller = caller
        self._client = ClientChat(chat, message_id_of(request, headers), self._talk.history)
        self._model: ChatModel | None = None
        self._bounds = Bounds(AnswerOptions())
        self._reply: Reply | None = None
        self._troubles: tuple[str, ...] = ()
        self._said = ""

    def pieces(self) -> Generator[str, None, None]:
        """Stream the answer; errors as :meth:`Companion.stream` and :meth:`ServerContext.meet`.

        Here and not before is the model opened, which may take seconds.
        """
        self._context.check_newcomer(self._caller, self._reached)
        self._model = self._reached.runtime.chat
        options = self._request.options
        if isinstance(self._model, ServedModel):
            self._model = self._model.with_options(options)
        elif self._request.must_call:
            name = "tool_choice"
            raise ProblemError(400, "unsupported_parameter", {"name": name}, param=name)
        else:
            self._bounds = Bounds(options)
        for piece in self._bounds.apply(self._unbounded()):
            self._said += piece
            yield piece

    @property
    def kind(self) -> str:
        """Its label in the metrics."""
        return "remembered" if self.purpose.kind == "talk" else self.purpose.kind

    @property
    def finish_reason(self) -> str:
        """Why the answer ended: ``stop``, ``length`` or ``tool_calls``."""
        if self.tool_calls:
            return "tool_calls"
        is_cut = self._reply is not None and self._reply.interrupted and not self._bounds.met_stop
        return "length" if is_cut or self._bounds.met_length else "stop"

    @property
    def tool_calls(self) -> list[dict[str, Any]]:
        """The calls that the model asks the client for."""
        return self._facts.tool_calls

    @property
    def _facts(self) -> AnswerFacts:
        model = self._model
        return model.facts if isinstance(model, ServedModel) else AnswerFacts()

    @property
    def usage(self) -> dict[str, int]:
        """The tokens as the model's server counted them, else as they are estimated."""
        facts = self._facts
        answer, prompt = facts.answer_tokens or estimate_tokens(self._said), facts.prompt_tokens
        if not prompt:
            words = [self._talk.system, self._talk.query]
            words += [part for it in self._talk.history for part in (it.query, it.response)]
            prompt = sum(estimate_tokens(part) + OVERHEAD_TOKENS for part in words if part)
        return {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
        }

    def extras(self) -> dict[str, Any]:
        """Our own fields of the answer: what became of it, and the memories where asked for."""
        turn = self._reply.turn if self._reply else None
        about: dict[str, Any] = {"remembered": turn is not None, "turn": turn.id if turn else None}
        if self._troubles:
            about["troubles"] = list(self._troubles)
        if self.purpose.kind != "talk":
            about["reason"] = f"{self.purpose.kind}: {self.purpose.name}"
        extras: dict[str, Any] = {"siliconfriend": about}
        if self._request.memories:
            used = used_memories(self._reply) if self._reply else []
            extras["memories"] = [it.model_dump() for it in used]
        return extras

    def _unbounded(self) -> Generator[str, None, None]:
        scope, unremembered = self._reached.scope, self._context.unremembered
        if self._talk.query == COMMAND:
            self.purpose = Purpose("task", "why")
            memory = self._reached.runtime.memory(scope)
            yield explain(memory, self._client.id, unremembered.last(scope, self._client.id))
            return
        if self.purpose.kind == "talk":
            unremembered.clear(scope, self._client.id)
            yield from self._reply_to_talk()
            return
        if self.purpose.kind in ("unsure", "private"):
            unremembered.note(scope, self._client.id, self.purpose)
        is_unsure_offline = self.purpose.kind == "unsure" and self._model is None
        if self._talk.query and (is_unsure_offline or self.purpose.kind == "private"):
            yield from self._reply_to_talk(off_record=True)
            return
        words = self._talk.query or self._talk.system
        yield from answer_task(self._model, self._request, self.purpose, words)

    def _reply_to_talk(self, *, off_record: bool = False) -> Generator[str, None, None]:
        companion = Companion(
            self._reached.scope.person, runtime=self._reached.runtime, chat=self._model
        )
        try:
            yield from companion.stream(
                self._talk.query,
                off_record=off_record,
                manner=self._talk.system,
                client=self._client,
            )
        finally:
            self._reply = companion.last_reply
            self._troubles = companion.troubles
