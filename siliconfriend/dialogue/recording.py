"""The two writes of a reply: the person's message before it, the companion's answer after it.

The message is durable before any model hears it, and an answer is written also when it is
broken off. If a reply were written in one go at its end, a crash or a closed page would
lose what the person said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from siliconfriend.clock import Clock, day_of
from siliconfriend.control.dependents import dependents_of_edited, follow_up_changes
from siliconfriend.control.opt_out import opt_out_of
from siliconfriend.dialogue.chat_history import Exchange, live_turns
from siliconfriend.dialogue.client_chat import ClientChat, Reconciled, reconcile
from siliconfriend.dialogue.reply import Reply, ReplyStyle
from siliconfriend.extraction.queue import all_live, newly_pending
from siliconfriend.language.self_harm import speaks_of_self_harm
from siliconfriend.memory.changes import Change, PutContext, PutTurn, apply_all
from siliconfriend.memory.creation import new_turn
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A message that is being answered.

    Attributes:
        text: the person's words.
        now: when, aware and in UTC.
        memory: what was remembered before these words.
        style: how the reply is to be given.
        turn: the stored turn, still without a reply; None off the record.
        unkept: ids of the turns that it asked not to remember: itself, and with it the one
            before where that was meant.
        has_pending: turns before it wait for extraction.
        talk: what was said before as a client program shows it; None for what is kept of the
            conversation.
        is_again: the turn is stored with an answer already, which stands until another is whole.
    """

    text: str
    now: datetime
    memory: PersonMemory
    style: ReplyStyle
    turn: Turn | None = None
    unkept: tuple[str, ...] = ()
    has_pending: bool = False
    talk: tuple[Exchange, ...] | None = None
    is_again: bool = False

    @property
    def is_distress(self) -> bool:
        """True if the words speak of hurting or killing oneself."""
        return speaks_of_self_harm(self.text)

    @property
    def is_first(self) -> bool:
        """True if nothing was ever said before."""
        return not any(day.turns or day.summary for day in self.memory.days.values())

    def talk_before(
        self, unwritten: Sequence[Exchange], *, with_replies: bool = True
    ) -> list[Exchange]:
        """Return what was said before the message: as a client shows it, else as it is kept.

        Args:
            unwritten: what was said off the record before, for a message that is so too.
            with_replies: of them; without a model they quote memories, which would only bring
                themselves back.
        """
        if self.talk is not None:
            talk = list(self.talk)
        else:
            live = live_turns(self.memory, self.now)
            talk = [Exchange(turn.query, turn.response, turn.id) for turn in live]
            talk += [] if self.turn else unwritten
        return talk if with_replies else [replace(it, response="") for it in talk]


def unrecorded_message(
    memory: PersonMemory, clock: Clock, said: str, style: ReplyStyle, client: ClientChat | None
) -> IncomingMessage:
    """Return a message off the record; nothing is stored."""
    now = clock.now(memory.profile.zone)
    talk = None if client is None else client.history
    return IncomingMessage(said, now, memory.kept(), style, talk=talk)


def record_message(
    store: MemoryStore,
    scope: Scope,
    clock: Clock,
    said: str,
    style: ReplyStyle,
    client: ClientChat | None = None,
) -> IncomingMessage:
    """Store the person's words as a turn, and let older turns leave the talk where it is time.

    In a client program's chat what is kept of it is first brought into agreement with it.
    """
    with store.edit(scope) as edit:
        now = clock.now(edit.memory.profile.zone)
        today = day_of(now, edit.memory.profile.zone).isoformat()
        wish = opt_out_of(said, edit.memory, today)
        chat = None if client is None else reconcile(edit.memory, client, said, now)
        mended = [] if chat is None else chat.changes(edit.memory, scope, now)
        edit.add(*mended)
        memory = (apply_all(edit.memory, mended) if mended else edit.memory).kept()
        turn = replace(
            new_turn(scope, edit.memory, said, now=now),
            unkept=wish is not None,
            metadata=style.metadata,
        )
        live = live_turns(memory, now)
        before = live[-1:] if wish is not None and wish.before else []
        if chat is not None:
            turn, again = _placed(turn, chat, edit.memory, scope)
            edit.add(*again)
            before = [chat.last] if before and chat.last is not None else []
        pending = newly_pending(edit.memory, now)
        edit.add(*(PutTurn(replace(earlier, unkept=True)) for earlier in before))
        if pending:
            edit.add(PutContext(pending, "pending"))
        edit.add(PutTurn(turn))
    return IncomingMessage(
        text=said,
        now=now,
        memory=memory,
        style=style,
        turn=turn,
        unkept=() if wish is None else tuple(it.id for it in (*before, turn)),
        has_pending=bool(pending) or any(earlier.context == "pending" for earlier in live),
        talk=None if chat is None else chat.talk,
    )


def _placed(
    turn: Turn, chat: Reconciled, memory: PersonMemory, scope: Scope
) -> tuple[Turn, list[Change]]:
    """The turn in its place in a client's chat, and what its being said again changes elsewhere.

    It takes the place of the one it is said for again; one of another day is taken back.
    """
    turn, again = replace(turn, place=chat.place), chat.replaced
    if again is None:
        return turn, []
    if again.date != turn.date:
        return turn, [PutTurn(replace(again, unkept=True))]
    turn = replace(turn, id=again.id, position=again.position)
    gone = dependents_of_edited(memory, scope, again.id, turn)
    return turn, [*(it.removal for it in gone), *follow_up_changes(memory, gone)]


def record_reply(
    store: MemoryStore,
    scope: Scope,
    message: IncomingMessage,
    reply: Reply,
    index_text: str | None,
) -> Turn | None:
    """Store the reply with its message; return the turn, None if it was erased meanwhile.

    Words that were erased while the model spoke stood in its prompt, so an answer that may
    quote them is not kept.
    """
    assert message.turn is not None
    with store.edit(scope) as edit:
        turn = edit.memory.find(message.turn.id)
        # A message that was sent again meanwhile has, or will have, another answer.
        if isinstance(turn, Turn) and turn.place == message.turn.place:
            turn = replace(turn, replied_by=reply.replied_by)
            if edit.memory.erased != message.memory.erased:
                edit.add(PutTurn(replace(turn, index_text=turn.query)))
            else:
                answered = replace(
                    turn,
                    response=reply.text,
                    interrupted=reply.interrupted,
                    used=reply.used,
                    distress=turn.distress or reply.is_help,
                    index_text=index_text,
                )
                edit.add(PutTurn(answered))
    turn = edit.memory_after.find(message.turn.id)
    return turn if isinstance(turn, Turn) else None


def record_scene_end(store: MemoryStore, scope: Scope) -> int:
    """Let all live turns wait for extraction and mark the last as the end of its scene.

    Returns:
        How many turns leave the talk.
    """
    if not store.exists(scope):
        return 0
    with store.edit(scope) as edit:
        left = all_live(edit.memory)
        last = edit.memory.find(left[-1]) if left else None
        if isinstance(last, Turn):
            ended = replace(last, context="pending", scene_over=True)
            edit.add(PutContext(left, "pending"), PutTurn(ended))
    return len(left)
