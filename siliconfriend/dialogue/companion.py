"""The reply flow: store the message, recall, answer, store the answer.

Extraction and judging by a model happen at night.
"""

from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, closing
from dataclasses import replace
from functools import partial
from typing import Any, Self

from siliconfriend.characters.companions import companion_name
from siliconfriend.clock import Clock
from siliconfriend.config import Settings, load_settings
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.client_chat import ClientChat
from siliconfriend.dialogue.correcting import correct
from siliconfriend.dialogue.distress import help_opening
from siliconfriend.dialogue.drafting import Drafter, Spoken
from siliconfriend.dialogue.recording import (
    IncomingMessage,
    record_message,
    record_reply,
    resume_message,
    unrecorded_message,
)
from siliconfriend.dialogue.reply import Reply, ReplyStyle
from siliconfriend.dialogue.reply_stream import whole_sentences
from siliconfriend.dialogue.retrieval import Retriever
from siliconfriend.dialogue.standing import read_acts, share_profile
from siliconfriend.dialogue.wish_acts import likely_act, may_correct
from siliconfriend.dialogue.wishes import Wish, erase_wish, list_wish
from siliconfriend.errors import AnswerCut, ModelUnavailable, UnusableAnswer, UsageError
from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import PersonMemory
from siliconfriend.models.base import (
    AnswerOptions,
    Attempt,
    ChatModel,
    Message,
    attempts,
    model_label,
    second_sentence,
)
from siliconfriend.models.output import validate_message
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language, text
from siliconfriend.threads import ReplyThread


class Companion:
    """One person's friend.

    Args:
        user: the person's name.
        settings: read from the environment unless given.
        chat, embedder: opened from the settings unless given.
        clock: the system clock by default.
        runtime: the program's open resources; supplies chat and clock unless given.
        recipe: how memories are ranked.

    Attributes:
        chat: the model, None for the offline companion.
        lore: the companion's description; None if there is none.
        last_reply: None before the first reply has ended.
        last_turn: id of the turn of the last message; empty off the record.
        last_unkept: ids of the turns that the last message asked not to remember; see :attr:`notice`.
        on_recall: called with the recalled memories before the first word of the reply.

    Raises:
        RefusedName: ``user`` cannot be a name.
        ConfigurationError: a setting is bad, or what it names cannot be opened.
    """

    def __init__(
        self,
        user: str,
        *,
        settings: Settings | None = None,
        chat: ChatModel | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        runtime: Runtime | None = None,
        recipe: str = "siliconfriend",
    ) -> None:
        # Without a caller's runtime no worker would be closed, so the night extracts instead.
        self._has_worker = runtime is not None
        self._runtime = runtime or Runtime(
            settings or load_settings(), clock, chat=chat, embedder=embedder
        )
        self.settings = self._runtime.settings
        self.scope = self._runtime.scope(user)
        self.clock = clock or self._runtime.clock
        self.store = self._runtime.store
        self.chat = self._runtime.chat if chat is None else chat
        self.last_reply: Reply | None = None
        self.last_turn = ""
        self.last_unkept: tuple[str, ...] = ()
        self.on_recall: Callable[[tuple[Used, ...]], None] | None = None
        self._last_text = ""
        self._begins_offline = False
        self._unwritten: list[Exchange] = []
        self._recaller = self._runtime.recaller
        self.lore = self._runtime.lore(self.scope.companion)
        retriever = Retriever(self.store, self._recaller, self.scope, recipe, self.lore)
        self._drafter = Drafter(self.settings, self.scope, retriever, self._runtime.talks)

    @property
    def _person_language(self) -> Language:
        return self._memory().profile.language

    @property
    def name(self) -> str:
        """Name of the companion in the person's language."""
        return companion_name(self.settings, self.scope.companion, self._person_language)

    @property
    def label(self) -> str:
        """The sentence that says which model answers and where it runs; shown when a chat starts."""
        name, language = self.name, self._person_language
        if self.chat is None:
            return text("dialogue", "label_offline", language, name=name)
        model, address = model_label(self.chat), self.chat.address
        label = text("dialogue", "label_model", language, name=name, model=model, address=address)
        return label + second_sentence(self.chat, language)

    @property
    def notice(self) -> str:
        """The sentence about :attr:`last_unkept`; with the first reply without a model, what that is."""
        if not self.last_unkept:
            return self.label if self._begins_offline else ""
        key = "notice.marked" if len(self.last_unkept) == 1 else "notice.marked_before"
        return text("control", key, self._person_language)

    @property
    def troubles(self) -> tuple[str, ...]:
        """Sentences about the last reply: the second model answered, or a limit cut it."""
        troubles = self.last_reply.troubles if self.last_reply else ()
        return tuple(trouble.message(self._person_language) for trouble in troubles)

    def reply(self, text: str, **options: Any) -> Reply:
        """Answer a message with a whole reply; options and errors are those of :meth:`stream`."""
        for _ in self.stream(text, **options):
            pass
        assert self.last_reply is not None
        return self.last_reply

    def stream(
        self,
        text: str,
        *,
        off_record: bool = False,
        relationship: str = "",
        style_hint: str = "",
        metadata: Mapping[str, Any] | None = None,
        manner: str = "",
        answer: AnswerOptions | None = None,
        client: ClientChat | None = None,
        again: str = "",
        source: str = "",
    ) -> Generator[str, None, None]:
        """Answer a message piece by piece; then :attr:`last_reply` holds the whole reply.

        Closing the iterator early keeps what was answered so far.

        Args:
            text: the person's words.
            off_record: recall, but write and strengthen nothing.
            relationship: what the companion is to the person, see :class:`ReplyStyle`.
            style_hint: how to put this reply.
            metadata: kept with the turn.
            manner: never stored.
            answer: how long and how free the answer is; the settings' unless given.
            client: the chat of a client program; None for the program's own talk.
            again: id of a turn to answer again, with these words.
            source: idempotency key of the request, 16 hex digits. A repeat returns the stored
                answer, or retries a failed turn.

        Raises:
            RefusedName: a new person's name looks like a known one.
            UsageError: the message is empty or too long, or an option is too long or invalid
                JSON; raised before the first piece.
            ModelError: the model failed; the turn stays with its partial answer.
            StoreError: the memory cannot be read or written.
            LimitReached: the person used today's tokens of the model; nothing is stored.
        """
        text = validate_message(text)
        wishes = (relationship, style_hint, metadata or {}, manner, answer or AnswerOptions())
        style = ReplyStyle(*wishes, source).validated()
        return self._stream(text, style, client, off_record, again)

    def _stream(
        self, text: str, style: ReplyStyle, client: ClientChat | None, off_record: bool, again: str
    ) -> Generator[str, None, None]:
        source = style.source
        self.last_reply, self.last_unkept, self.last_turn, self._last_text = None, (), "", text
        store, scope, clock = self.store, self.scope, self.clock
        known = self._memory().turn_of(source) if source and not off_record else None
        if known is not None and known.query != text:
            raise UsageError("request_reused")
        if known is not None and known.response:
            found = RecallResult(text, "", known.trace.created)
            self.last_unkept, self.last_turn = (known.id,) if known.unkept else (), known.id
            answered = (known.used, known.replied_by, known.interrupted)
            self.last_reply = Reply(known.response, known, found, *answered)
            yield known.response
            return
        if self.chat is not None:
            self._runtime.installation.tokens.check(scope.person)
        act, acts = read_acts(text, self._recaller.embedder)
        if off_record:
            message = unrecorded_message(self._memory(), clock, text, style, client, act)
        elif again:
            message = resume_message(store, scope, clock, text, style, again)
        else:
            if not store.exists(scope):
                store.check_newcomer(scope)
                store.create(scope, self._memory().profile)
            message = record_message(store, scope, clock, text, style, client, act, acts)
            share_profile(store, scope, message.memory.profile)
            is_sure, recall = act == "correct", partial(self._recall_meant, message)
            if is_sure or (act == "other" and may_correct(text, self._recaller.embedder)):
                message = correct(store, scope, message, recall, is_sure=is_sure)
        self.last_unkept = message.unkept
        self._begins_offline = self.chat is None and message.is_first
        self.last_turn = message.turn.id if message.turn else ""
        try:
            if message.wish is not None:
                self.last_reply = self._grant(message, message.wish)
                yield self.last_reply.text
            else:
                yield from self._speak(message)
            if again and self.last_reply is not None and self.last_reply.turn is not None:
                store.rewrite(scope)  # deletes the answer that was replaced from the files
                self._runtime.rewrite_index(scope)
        finally:
            worker = self._runtime.worker if self._has_worker and message.turn else None
            if worker is not None:
                worker.wake(scope)

    def prompt(self, text: str) -> list[Message]:
        """Return the messages that would be sent to a model for these words; store nothing.

        UsageError: the message is empty or too long.
        """
        text = validate_message(text)
        act = likely_act(text, self._recaller.embedder)
        message = unrecorded_message(self._memory(), self.clock, text, ReplyStyle(), None, act)
        return self._drafter.prompt(message, self.chat, message.talk_before(self._unwritten))

    async def areply(self, text: str, **options: Any) -> Reply:
        """Answer as :meth:`reply` does, in an event loop; see :meth:`astream`."""
        async with aclosing(self.astream(text, **options)) as pieces:
            async for _ in pieces:
                pass
        assert self.last_reply is not None
        return self.last_reply

    async def astream(self, text: str, **options: Any) -> AsyncGenerator[str, None]:
        """Answer as :meth:`stream` does, in a thread of its own, one message at a time.

        Close it if you stop early (``contextlib.aclosing``); it keeps what was answered so far.
        """
        reply = ReplyThread(partial(self.stream, text, **options))
        async with aclosing(reply.pieces()) as pieces:
            async for piece in pieces:
                if piece:
                    yield piece

    def close(self) -> None:
        """Close the resources this companion opened; those passed in stay open."""
        if not self._has_worker:
            self._runtime.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _grant(self, message: IncomingMessage, wish: Wish) -> Reply:
        """List what a wish would erase, or erase the listed memories; no model is called."""
        language = message.memory.profile.language
        used: tuple[Used, ...] = ()
        if message.turn is None:
            words = text("control", "wish.off_record", language)
        elif wish.is_confirmed:
            words = erase_wish(wish, self._runtime.eraser, self.scope, language)
        else:
            recall = partial(self._recall_meant, message)
            words, used = list_wish(wish, message.memory, message.now, recall)
        found = RecallResult(message.text, "", message.now)
        reply = Reply(words, None, found, used, replied_by=OFFLINE)
        if message.turn is None:
            return reply
        current = replace(message, memory=self.store.load(self.scope))
        return replace(reply, turn=record_reply(self.store, self.scope, current, reply))

    def _recall_meant(self, message: IncomingMessage, what: str) -> tuple[Recalled, ...]:
        """Recall the memories that a wish may mean, without its own turn."""
        own = {message.turn.id} if message.turn else set[str]()
        now = message.now
        return self._recaller.recall(self.scope, what, now=now, exclude=own, top_facts=0).memories

    def _speak(self, message: IncomingMessage) -> Generator[str, None, None]:
        """Stream the reply, and store its words however it ends."""
        opening = self._help_for(message) if message.reading.is_distress else ""
        opening = opening or self._confirmation(message)
        spoken = Spoken(words=opening)
        try:
            if opening:
                yield opening
            yield from self._pieces(message, spoken)
            spoken.is_whole = True
        except AnswerCut as cut:
            if spoken.words == opening:
                raise
            if cut.key == "model_repeats":
                spoken.words = whole_sentences(spoken.words)
            spoken.troubles.append(cut)
        except UnusableAnswer as error:
            if error.key == "model_thought_aloud":
                spoken.words = opening  # the streamed text was thinking, not part of the reply
            raise
        finally:
            if spoken.words.strip():
                self.last_reply = self._keep(message, spoken)

    def _confirmation(self, message: IncomingMessage) -> str:
        """Return the confirmation line; a model confirms a correction in its own words."""
        is_wish = message.turn is not None and message.turn.asked is not None
        return message.confirmation if is_wish or self.chat is None else ""

    def _pieces(self, message: IncomingMessage, spoken: Spoken) -> Generator[str, None, None]:
        """Stream the answer of the model, or of the second where the first has none."""
        if self.chat is None:
            yield from self._draft(message, spoken)
            return
        for attempt in attempts(self.chat, message.style.answer):
            with attempt:
                for piece in self._draft(message, spoken, attempt):
                    attempt.has_begun = True
                    yield piece

    def _draft(
        self, message: IncomingMessage, spoken: Spoken, attempt: Attempt | None = None
    ) -> Generator[str, None, None]:
        """Draft the answer of a model, or of the rules, and stream it."""
        opening = spoken.words
        model, why = (None, None) if attempt is None else (attempt.model, attempt.why)
        talk = message.talk_before(self._unwritten, with_replies=self.chat is not None)
        spoken.draft = self._drafter.draft(message, model, talk)
        if self.on_recall is not None:
            self.on_recall(spoken.draft.used)
        spoken.troubles = [] if why is None else [why]
        if (cause := spoken.draft.found.memories.trouble) is not None:
            spoken.troubles.append(ModelUnavailable("embedder_failed", cause=cause))
        with closing(spoken.draft.pieces) as pieces:
            for piece in pieces:
                separator = "\n\n" if opening and spoken.words == opening else ""
                spoken.words += separator + piece
                yield separator + piece

    def _keep(self, message: IncomingMessage, spoken: Spoken) -> Reply:
        """Store the answer and reinforce the memories that entered the prompt."""
        draft, answered = spoken.draft, spoken.words
        assert draft is not None
        self._runtime.installation.tokens.record(self.scope.person, draft.usage)
        reply = Reply(
            text=answered,
            turn=None,
            recalled=draft.found.memories,
            used=draft.used,
            replied_by=OFFLINE if draft.model is None else draft.model.name,
            interrupted=not spoken.is_whole,
            troubles=tuple(spoken.troubles),
            usage=draft.usage,
            rests_on=draft.rests_on,
            certainty=draft.certainty,
            is_help=answered.startswith(self._help_for(message)),
        )
        if message.turn is None:
            said, metadata = message.text, message.style.metadata
            self._unwritten.append(Exchange(said, answered, "", draft.used, message.now, metadata))
            return reply
        turn = record_reply(self.store, self.scope, message, reply)
        if not message.turn.unkept:
            self._recaller.reinforce(self.scope, reply.entered, now=message.now)
        return replace(reply, turn=turn)

    def _help_for(self, message: IncomingMessage) -> str:
        return help_opening(self.settings, message.language)

    def _memory(self) -> PersonMemory:
        return self._runtime.memory(self.scope, self._last_text)
