"""Answering a message once more: the answer that stands is replaced when another is whole.

Whoever asks for another answer, or says the same in other words, must not lose what they have
when a model fails in the middle. So nothing is written until the new answer is there, and then
words and answer change in one write.
"""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.clock import Clock
from siliconfriend.control.dependents import dependents_of_edited, follow_up_changes
from siliconfriend.control.opt_out import find_opt_out
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import Reply, ReplyStyle
from siliconfriend.errors import UsageError
from siliconfriend.language.self_harm import speaks_of_self_harm
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


def take_up_message(
    store: MemoryStore, scope: Scope, clock: Clock, said: str, style: ReplyStyle, identifier: str
) -> IncomingMessage:
    """Return a stored turn as a message that waits for an answer, in these words; writes nothing.

    Raises:
        UsageError: there is no such turn.
    """
    memory = store.load(scope)
    turn = memory.find(identifier)
    if not isinstance(turn, Turn):
        raise UsageError("memory_unknown", id=identifier)
    without = apply_all(memory, [PutTurn(replace(turn, unkept=True))]).kept()
    is_unkept = turn.unkept or find_opt_out(said) is not None
    return IncomingMessage(
        text=said,
        now=clock.now(memory.profile.zone),
        memory=without,
        style=style,
        turn=replace(
            turn,
            query=said,
            response="",
            interrupted=False,
            unkept=is_unkept,
            distress=speaks_of_self_harm(said),
        ),
        unkept=(turn.id,) if is_unkept and not turn.unkept else (),
        is_again=True,
    )


def record_second_answer(
    store: MemoryStore,
    scope: Scope,
    message: IncomingMessage,
    reply: Reply,
    index_text: str | None,
) -> Turn | None:
    """Put words and answer in the place of those that stand.

    Returns:
        The turn; None where what stands was left: the new answer is not whole, or something
        was erased meanwhile that it may quote.
    """
    assert message.turn is not None
    with store.edit(scope) as edit:
        before = edit.memory.find(message.turn.id)
        is_kept = isinstance(before, Turn) and not (before.response and reply.interrupted)
        if isinstance(before, Turn) and is_kept and edit.memory.erased == message.memory.erased:
            turn = replace(
                before,
                query=message.turn.query,
                response=reply.text,
                interrupted=reply.interrupted,
                used=reply.used,
                replied_by=reply.replied_by,
                unkept=before.unkept or message.turn.unkept,
                distress=message.turn.distress or reply.is_help,
                index_text=index_text,
                context="pending" if before.is_read else before.context,
            )
            gone = dependents_of_edited(edit.memory, scope, turn.id, turn)
            removals = (it.removal for it in gone)
            edit.add(PutTurn(turn), *removals, *follow_up_changes(edit.memory, gone))
            return turn
    return None
