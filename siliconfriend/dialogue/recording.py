"""The two writes of a reply: the person's message before it, the companion's answer after it.

The message is durable before any model hears it, and an answer is written also when it is
broken off. If a reply were written in one go at its end, a crash or a closed page would
lose what the person said.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from siliconfriend.clock import Clock
from siliconfriend.control.opt_out import find_opt_out
from siliconfriend.dialogue.chat_history import live_turns
from siliconfriend.dialogue.reply import Reply, ReplyStyle
from siliconfriend.extraction.queue import all_live, newly_pending
from siliconfriend.memory.changes import PutContext, PutTurn
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
    """

    text: str
    now: datetime
    memory: PersonMemory
    style: ReplyStyle
    turn: Turn | None = None
    unkept: tuple[str, ...] = ()
    has_pending: bool = False

    @property
    def is_first(self) -> bool:
        """True if nothing was ever said before."""
        return not any(day.turns or day.summary for day in self.memory.days.values())


def record_message(
    store: MemoryStore, scope: Scope, clock: Clock, said: str, style: ReplyStyle
) -> IncomingMessage:
    """Store the person's words as a turn, and let older turns leave the talk where it is time."""
    wish = find_opt_out(said)
    with store.edit(scope) as edit:
        now = clock.now(edit.memory.profile.zone)
        memory = edit.memory.kept()
        turn = replace(
            new_turn(scope, edit.memory, said, now=now),
            unkept=wish is not None,
            metadata=style.metadata,
        )
        live = live_turns(memory, now)
        before = live[-1:] if wish is not None and wish.before else []
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
    )


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
        if isinstance(turn, Turn):
            turn = replace(turn, replied_by=reply.replied_by)
            if edit.memory.erased != message.memory.erased:
                edit.add(PutTurn(replace(turn, index_text=turn.query)))
            else:
                answered = replace(
                    turn,
                    response=reply.text,
                    interrupted=reply.interrupted,
                    used=reply.used,
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
