"""The reply flow: keep what was said, recall, answer, keep the answer.

The person's words are on disk before any model hears them, and what was answered is
written also when the answer is broken off, so that neither a crash nor a closed page
loses a word. Nothing here asks a model to extract or judge; that is the night's work,
and a reply must not wait for it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from siliconfriend.clock import Clock, day_of
from siliconfriend.config import Settings, load_settings
from siliconfriend.control.wishes import wish_of
from siliconfriend.dialogue import offline
from siliconfriend.dialogue.chat_history import Exchange, live_turns
from siliconfriend.dialogue.chat_prompt import ChatPrompt
from siliconfriend.dialogue.reply import Reply
from siliconfriend.dialogue.reply_in_progress import ReplyInProgress
from siliconfriend.dialogue.reply_style import ReplyStyle
from siliconfriend.dialogue.retrieval import MemoryRetrieval
from siliconfriend.errors import AnswerCut, UsageError
from siliconfriend.extraction.queue import all_live, newly_pending
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.changes import PutContext, PutTurn
from siliconfriend.memory.people import new_turn
from siliconfriend.memory.records import PersonMemory, Profile, Turn
from siliconfriend.models.base import ChatModel
from siliconfriend.models.output import clean
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index_text import index_text_for
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language, text


class Companion:
    """One person's friend.

    Args:
        user: the person's name.
        settings: read from the environment unless given.
        chat, embedder: opened from the settings unless given.
        clock: the machine's own unless given.
        runtime: what a program has open already, with its settings, embedder and worker; chat
            and clock are those of the runtime unless given.
        language: for a person who is new; the settings' unless given.
        recipe: how memories are ranked.

    Attributes:
        scope: whose memory it is.
        chat: the model, None for the offline companion.
        lore: who the companion is; None where nobody described it.
        last_reply: what the last reply was; None before the first has ended.
        last_unkept: ids of the turns that the last message asked not to remember: its own,
            and with it the one before where that was meant. Show :attr:`notice`.

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
        language: Language | None = None,
        recipe: str = "siliconfriend",
    ) -> None:
        # Whoever gives no runtime would not close its worker either: the night reads for them.
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
        self.last_unkept: tuple[str, ...] = ()
        self._language = language
        self._unwritten: list[Exchange] = []
        self._recaller = self._runtime.recaller
        self.lore = self._runtime.lore(self.scope.companion)
        self._recalling = MemoryRetrieval(self.store, self._recaller, self.scope, recipe, self.lore)

    @property
    def name(self) -> str:
        """What the companion calls itself in the person's language."""
        return self._name_for(self._memory().profile)

    @property
    def label(self) -> str:
        """Who speaks and who hears it, to be shown once when a chat starts."""
        profile = self._memory().profile
        name = self._name_for(profile)
        if self.chat is None:
            return text("dialogue", "label_offline", profile.language, name=name)
        return text(
            "dialogue",
            "label_model",
            profile.language,
            name=name,
            model=self.chat.name,
            address=self.chat.address,
        )

    @property
    def notice(self) -> str:
        """What the person is to be told of :attr:`last_unkept`; empty where there is nothing."""
        if not self.last_unkept:
            return ""
        key = "notice.marked" if len(self.last_unkept) == 1 else "notice.marked_before"
        return text("control", key, self._memory().profile.language)

    def reply(
        self,
        said: str,
        *,
        off_record: bool = False,
        relationship: str = "",
        style_hint: str = "",
        metadata: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Answer, and give back the whole reply; see :meth:`stream`."""
        pieces = self.stream(
            said,
            off_record=off_record,
            relationship=relationship,
            style_hint=style_hint,
            metadata=metadata,
        )
        for _ in pieces:
            pass
        assert self.last_reply is not None
        return self.last_reply

    def stream(
        self,
        said: str,
        *,
        off_record: bool = False,
        relationship: str = "",
        style_hint: str = "",
        metadata: Mapping[str, Any] | None = None,
    ) -> Generator[str, None, None]:
        """Answer piece by piece; :attr:`last_reply` holds the reply when it has ended.

        Off the record memories may be recalled, but nothing is written or strengthened.
        Closing the iterator early keeps what was answered so far.

        Args:
            said: the person's words.
            off_record: write nothing.
            relationship: what the companion is to the person in this talk (``friend``); as
                MemoryOS has it.
            style_hint: how to put this reply.
            metadata: what the program around knows about the talk, a JSON object; told to
                the model as data and kept with the turn.

        Raises:
            UsageError: nothing was said, or a wish is too long or no JSON.
            ModelError: the model failed; the person's turn stays, and so does what it had
                answered until then.
            StoreError: the memory cannot be read or written.
        """
        said = clean(said).strip()
        if not said:
            raise UsageError("nothing_said")
        style = ReplyStyle(relationship, style_hint, metadata or {}).validated()
        self.last_reply, self.last_unkept = None, ()
        attempt = self._begin(said, style, off_record=off_record)
        try:
            with closing(self._pieces(attempt)) as pieces:
                for piece in pieces:
                    attempt.answered += piece
                    yield piece
            attempt.finished = True
        except AnswerCut:
            if not attempt.answered:
                raise
        finally:
            if attempt.answered.strip():
                self.last_reply = self._end(attempt)
            if attempt.to_read:
                self._wake_worker()

    def change_scene(self) -> int:
        """Let the talk so far go on its way into memory; how many turns leave it.

        What is said next begins another scene, and the last turn is marked so. Nothing is
        read before the next night, or by a worker if there is one.
        """
        if not self.store.exists(self.scope):
            return 0
        with self.store.edit(self.scope) as edit:
            left = all_live(edit.memory)
            last = edit.memory.find(left[-1]) if left else None
            if isinstance(last, Turn):
                ended = replace(last, context="pending", scene_over=True)
                edit.add(PutContext(tuple(left), "pending"), PutTurn(ended))
        if left:
            self._wake_worker()
        return len(left)

    def _begin(self, said: str, style: ReplyStyle, *, off_record: bool) -> ReplyInProgress:
        """The person's turn on disk, unless off the record, and what is remembered before it."""
        if off_record:
            memory = self._memory().kept()
            return ReplyInProgress(said, self.clock.now(memory.profile.zone), memory, None, style)
        if not self.store.exists(self.scope):
            self.store.create(self.scope, self._memory().profile)
        wish = wish_of(said)
        with self.store.edit(self.scope) as edit:
            newest = edit.memory
            now = self.clock.now(newest.profile.zone)
            turn = replace(
                new_turn(self.scope, newest, said, now=now),
                unkept=wish is not None,
                metadata=style.metadata,
            )
            before = newest.kept()
            last = live_turns(before, now)[-1:] if wish is not None and wish.before else []
            left = newly_pending(newest, now)
            waits = left or any(it.context == "pending" for it in live_turns(before, now))
            self.last_unkept = tuple(it.id for it in (*last, turn) if wish is not None)
            edit.add(*(PutTurn(replace(it, unkept=True)) for it in last))
            if left:
                edit.add(PutContext(left, "pending"))
            edit.add(PutTurn(turn))
        return ReplyInProgress(said, now, before, turn, style, to_read=bool(waits))

    def _memory(self) -> PersonMemory:
        return self._runtime.memory(self.scope, self._language)

    def _wake_worker(self) -> None:
        worker = self._runtime.worker if self._has_worker else None
        if worker is not None:
            worker.wake(self.scope)

    def _name_for(self, profile: Profile) -> str:
        return companion_name(self.settings, self.scope.companion, profile.language)

    def _pieces(self, attempt: ReplyInProgress) -> Generator[str, None, None]:
        live = live_turns(attempt.before, attempt.now)
        own = {attempt.turn.id} if attempt.turn else set()
        name = self._name_for(attempt.before.profile)
        if self.chat is None:
            # Offline the talk is recalled like the rest, and an offline reply is itself a
            # memory, which would only bring that back.
            self._recalling.retrieve(attempt, companion_name=name, last_reply="", exclude=own)
            yield from self._offline(attempt)
            return
        talk = [Exchange(turn.query, turn.response, turn.id) for turn in live]
        conversation = ChatPrompt(
            attempt=attempt,
            talk=talk if attempt.turn else [*talk, *self._unwritten],
            settings=self.settings,
            companion_name=name,
            context_tokens=self.chat.context_tokens,
            lore=self.lore,
        )
        last = next((turn.response for turn in reversed(live) if turn.response), "")
        spoken = {exchange.id for exchange in conversation.spoken()}
        self._recalling.retrieve(
            attempt, companion_name=name, last_reply=last, exclude=own | spoken
        )
        yield from self.chat.stream(conversation.messages())

    def _offline(self, attempt: ReplyInProgress) -> Iterator[str]:
        profile = attempt.before.profile
        today = day_of(attempt.now, profile.zone)
        replied = offline.reply_offline(
            offline.ReplyContext(
                said=attempt.said,
                memory=attempt.before,
                recalled=attempt.recollection.memories,
                today=today,
                number=attempt.before.next_position(today.isoformat()),
                companion_name=self._name_for(profile),
                off_record=attempt.turn is None or attempt.turn.unkept,
                own_story=_told(attempt),
            )
        )
        attempt.used = replied.used
        return replied.pieces(profile.language)

    def _end(self, attempt: ReplyInProgress) -> Reply:
        """Keep the answer, and strengthen what it was given."""
        replied_by = offline.MADE_BY if self.chat is None else self.chat.name
        reply = Reply(
            text=attempt.answered,
            turn=None,
            recollection=attempt.recollection,
            used=attempt.used,
            dropped=attempt.dropped,
            replied_by=replied_by,
            interrupted=not attempt.finished,
        )
        if attempt.turn is None:
            self._unwritten.append(Exchange(attempt.said, attempt.answered))
            return reply
        identifier = attempt.turn.id
        used_ids = {used.id for used in attempt.used}
        given = tuple(it for it in attempt.recollection.memories if it.memory.id in used_ids)
        facts = tuple(it for it in attempt.recollection.facts if it.memory.id in used_ids)
        recalled = [it.memory for it in attempt.recollection.memories]
        told = "" if self.chat is None else attempt.answered
        words = index_text_for(attempt.said, told, recalled, day=attempt.turn.date)

        with self.store.edit(self.scope) as edit:
            found = edit.memory.find(identifier)
            if not isinstance(found, Turn):
                pass  # erased while the model spoke
            elif edit.memory.erased != attempt.before.erased:
                # What was erased meanwhile stood in the prompt, so the answer may quote it.
                edit.add(PutTurn(replace(found, replied_by=replied_by, index_text=found.query)))
            else:
                answered = replace(
                    found,
                    response=attempt.answered,
                    replied_by=replied_by,
                    interrupted=reply.interrupted,
                    used=attempt.used,
                    index_text=words,
                )
                edit.add(PutTurn(answered))
        if (given or facts) and not attempt.turn.unkept:
            entered = replace(attempt.recollection, memories=given, facts=facts)
            self._recaller.reinforce(self.scope, entered, now=attempt.now)
        turn = edit.memory_after.find(identifier)
        return replace(reply, turn=turn if isinstance(turn, Turn) else None)


def _told(attempt: ReplyInProgress) -> tuple[str, ...]:
    """What can be quoted of the companion's own story, facts first.

    What only comes nearest is quoted where the question has no word it could be found by.
    """
    story = attempt.own_story
    found = (*story.facts, *story.memories) if story else ()
    is_open = not overlap_terms(attempt.said)
    return tuple(
        it.memory.text
        for it in found
        if not isinstance(it.memory, Turn) and (it.own or (is_open and it.score > 0))
    )
