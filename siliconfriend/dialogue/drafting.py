"""Draft a reply: recall what bears on a message, and prompt a model with it, or the rules offline.

A message that speaks of self-harm is drafted apart, without memories, so that nothing
cheerful is recalled beside it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import Exchange, to_utterances
from siliconfriend.dialogue.chat_prompt import PromptPlan, plan_prompt
from siliconfriend.dialogue.distress import Help, replace_mark
from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.retrieval import Retrieved, Retriever
from siliconfriend.dialogue.speaker_label import without_speaker
from siliconfriend.errors import ModelError, UnusableAnswer
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.used import Used
from siliconfriend.models.base import ChatModel, Message
from siliconfriend.models.tokens import estimate_message_tokens
from siliconfriend.recall.references import resolve_references
from siliconfriend.recall.results import RecallResult


@dataclass(frozen=True, slots=True)
class Draft:
    """A reply before it is spoken: who speaks, its pieces as they come, what it is made from."""

    model: ChatModel | None
    pieces: Iterator[str]
    found: Retrieved
    used: tuple[Used, ...]
    dropped: tuple[str, ...] = ()

    def stream(self) -> Generator[str, None, None]:
        """The pieces as a generator, which closes the model's stream when it is closed."""
        yield from self.pieces


@dataclass(slots=True)
class Spoken:
    """A reply while it is spoken.

    Attributes:
        draft: the one that is spoken; another once the second model had to answer.
        words: what was said so far.
        troubles: what the person should be told beside it.
        is_whole: it was said to its end.
    """

    draft: Draft | None = None
    words: str = ""
    troubles: list[ModelError] = field(default_factory=list)
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Drafter:
    """Drafts the replies of one companion to one person.

    Attributes:
        settings: for the prompt, and for whom one can call.
        scope: whose memory it is.
        retriever: of what a message brings to mind.
    """

    settings: Settings
    scope: Scope
    retriever: Retriever

    def draft(
        self,
        message: IncomingMessage,
        model: ChatModel | None,
        talk: Sequence[Exchange],
        unwritten: Sequence[Exchange],
    ) -> Draft:
        """Draft the reply to a message.

        Args:
            message: what is answered.
            model: who answers; None for the rules.
            talk: what was said before it, oldest first.
            unwritten: of it what was said off the record.
        """
        if message.is_distress:
            return self._draft_help(message, model, talk)
        name = self._companion_name(message)
        own = {message.turn.id} if message.turn else set[str]()
        spoken = to_utterances(message.talk_before(unwritten))
        asked = replace(message, text=resolve_references(message.text, spoken))
        if model is None:
            found = self.retriever.retrieve(asked, companion_name=name, talk=talk, exclude=own)
            context = ReplyContext.of(asked, found, companion_name=name, unwritten=unwritten)
            reply = reply_offline(context)
            pieces = reply.pieces(message.memory.profile.language)
            return Draft(None, pieces, found, reply.used)
        plan = self._plan(message, model, talk)
        found = self.retriever.retrieve(
            asked, companion_name=name, talk=talk, exclude=own | plan.turn_ids
        )
        prompt = plan.complete(found)
        help_words = Help.of(self.settings, message.memory.profile.language).opening
        speakers = (name, message.memory.profile.name)
        pieces = without_speaker(_ask(model, prompt.messages), speakers)
        pieces = replace_mark(pieces, f"{help_words}\n\n")
        return Draft(model, pieces, found, prompt.used, prompt.dropped)

    def _draft_help(
        self, message: IncomingMessage, model: ChatModel | None, talk: Sequence[Exchange]
    ) -> Draft:
        """Draft what a model says after where help is, with the talk and no memories."""
        nothing = Retrieved(RecallResult(message.text, "", message.now))
        if model is None:
            return Draft(None, iter(()), nothing, ())
        profile = message.memory.profile
        care = Help.of(self.settings, profile.language).instructions(profile.name)
        messages = self._plan(message, model, talk, care).complete(nothing).messages
        speakers = (self._companion_name(message), profile.name)
        pieces = without_speaker(_ask(model, messages), speakers)
        return Draft(model, replace_mark(pieces, ""), nothing, ())

    def _plan(
        self,
        message: IncomingMessage,
        model: ChatModel,
        talk: Sequence[Exchange],
        care: str = "",
    ) -> PromptPlan:
        return plan_prompt(
            message,
            talk,
            self.settings,
            companion_name=self._companion_name(message),
            context_tokens=model.context_tokens,
            lore=self.retriever.lore,
            care=care,
        )

    def _companion_name(self, message: IncomingMessage) -> str:
        language = message.memory.profile.language
        return companion_name(self.settings, self.scope.companion, language)


def _ask(model: ChatModel, messages: Sequence[Message]) -> Iterator[str]:
    """Stream a model's answer to a prompt that its context can hold.

    Many a server would cut the beginning off one it cannot, and with it who the companion is,
    without a word.

    Raises:
        UnusableAnswer: the prompt is too long.
    """
    if estimate_message_tokens(messages) > model.context_tokens:
        raise UnusableAnswer("model_too_long", name=model.name)
    yield from model.stream(messages)
