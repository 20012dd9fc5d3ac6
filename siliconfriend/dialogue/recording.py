"""Store the person's message and the companion's answer.

The message is stored before a model reads it, and a partial answer is stored too. On a retry the
first answer stays until the new one is complete.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, NamedTuple

from siliconfriend.clock import Clock
from siliconfriend.control.dependents import changes_after_edit
from siliconfriend.dialogue.chat_history import Exchange, live_turns
from siliconfriend.dialogue.client_chat import ClientChat, Reconciled, reconcile
from siliconfriend.dialogue.reply import Reply, ReplyStyle
from siliconfriend.dialogue.standing import read_request, withdrawn_wish
from siliconfriend.dialogue.wish_acts import WishAct
from siliconfriend.dialogue.wishes import Wish, find_wish, read_wish
from siliconfriend.errors import UsageError
from siliconfriend.extraction.queue import SCENE_GAP, live_in_queue, newly_pending
from siliconfriend.language.characters import language_of
from siliconfriend.language.message import Covered, PersonText, read_message
from siliconfriend.memory.changes import Change, PutContext, PutField, PutTurn, apply_all
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.knowledge import Used
from siliconfriend.memory.records import Memory, PersonMemory, Turn, is_put_away
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.raised import is_quoted
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A message that is being answered.

    Attributes:
        memory: the memory before this message.
        turn: the stored turn, still without a reply; None off the record.
        unkept: ids of the turns it asked not to remember: its own, or the previous one too.
        talk: the preceding exchanges as sent by a client; None for the stored ones.
        is_again: the turn has a stored answer, which stays until the new one is complete.
        wish: the request to forget, or the answer to its list.
        confirmation: the line that confirms a wish about how to talk; empty for none.
    """

    text: str
    now: datetime
    memory: PersonMemory
    style: ReplyStyle
    turn: Turn | None = None
    unkept: tuple[str, ...] = ()
    talk: tuple[Exchange, ...] | None = None
    is_again: bool = False
    wish: Wish | None = None
    confirmation: str = ""

    @property
    def reading(self) -> PersonText:
        """What the message is."""
        return read_message(self.text)

    @property
    def language(self) -> Language:
        """Language of the message (for help lines), else the person's language."""
        return language_of(self.text, self.memory.profile.language)

    @property
    def is_first(self) -> bool:
        """True for the first message ever."""
        return not any(day.turns or day.summary for day in self.memory.days.values())

    def talk_before(
        self, unwritten: Sequence[Exchange], *, with_replies: bool = True
    ) -> list[Exchange]:
        """Return the preceding exchanges: those sent by a client, else the stored ones.

        ``unwritten`` was said off the record. ``with_replies`` is False without a model, whose
        quotations would only bring themselves back.
        """
        talk = [Exchange.of(turn) for turn in live_turns(self.memory, self.now)]
        talk += [] if self.turn else unwritten
        if self.talk is not None:
            talk = list(self.talk)
            for at, shown in enumerate(talk):
                turn = self.memory.find(shown.id) if shown.id else None
                if isinstance(turn, Turn):
                    kept = Exchange.of(turn)
                    talk[at] = replace(kept, query=shown.query, response=shown.response)
        return talk if with_replies else [replace(exchange, response="") for exchange in talk]


def _in_mind(memory: PersonMemory, now: datetime) -> PersonMemory:
    """Return the memory for a conversation: without what was put away, also where a reply quoted it."""
    days = (day for day in memory.days.values() if day.has_left_alone)
    away = [own_words(one) for day in days for one in day.memories() if is_put_away(one)]
    kept = memory.in_mind()
    live = live_turns(kept, now) if away else []
    quoting = [turn for turn in live if any(is_quoted(words, turn.response) for words in away)]
    return apply_all(kept, [PutTurn(replace(turn, response="")) for turn in quoting])


def unrecorded_message(
    memory: PersonMemory,
    clock: Clock,
    text: str,
    style: ReplyStyle,
    client: ClientChat | None,
    act: WishAct,
) -> IncomingMessage:
    """Return a message off the record; nothing is stored."""
    now = clock.now(memory.profile.zone)
    talk = None if client is None else client.history
    what = read_wish(text, act)
    wish = None if what is None else Wish(what)
    return IncomingMessage(text, now, _in_mind(memory, now), style, talk=talk, wish=wish)


def record_message(
    store: MemoryStore,
    scope: Scope,
    clock: Clock,
    text: str,
    style: ReplyStyle,
    client: ClientChat | None = None,
    act: WishAct = "other",
    acts: Sequence[tuple[str, WishAct]] = (),
) -> IncomingMessage:
    """Store the person's words as a turn, and queue older turns for extraction when due.

    A repeated request reuses its turn. Stored turns of a client's chat are synchronised with it
    first.
    """
    with store.edit(scope) as edit:
        known = edit.memory.turn_of(style.source)
        if known is not None:
            return _resumed(edit.memory, known, clock, text, style)
        now = clock.now(edit.memory.profile.zone)
        turn = new_turn(scope, edit.memory, text, now=now, is_present=True)
        shown = (
            None if client is None else "".join(exchange.query for exchange in client.history[-1:])
        )
        asked = find_wish(text, act, edit.memory, now, shown)
        wish = _opt_out_of(text, edit.memory, turn.date) if asked is None else frozenset()
        request = None
        if asked is None and not wish:
            today = date.fromisoformat(turn.date)
            request = read_request(text, act, acts, edit.memory.profile, today)
            if withdrawn := withdrawn_wish(text, act, acts, edit.memory):
                request, ended = withdrawn
                edit.add(PutTurn(replace(ended, outdated_by=turn.id)))
        if request is not None and request.profile != edit.memory.profile:
            edit.add(PutField("profile", request.profile))
        chat = None if client is None else reconcile(edit.memory, client, text, now)
        mended = [] if chat is None else chat.changes(edit.memory, scope, now)
        edit.add(*mended)
        memory = _in_mind(apply_all(edit.memory, mended) if mended else edit.memory, now)
        turn = replace(
            turn,
            unkept=bool(wish) or asked is not None,
            asked=None if request is None else request.asked,
            metadata=style.metadata,
            sources=(style.source,) if style.source else (),
        )
        live = live_turns(memory, now)
        before = live[-1:] if "before" in wish else []
        if chat is not None:
            turn, again = _placed(turn, chat, edit.memory)
            edit.add(*again)
            before = [chat.last] if before and chat.last is not None else []
        pending = newly_pending(edit.memory, now)
        edit.add(*(PutTurn(replace(earlier, unkept=True)) for earlier in before))
        if pending:
            edit.add(PutContext(pending, "pending"))
        edit.add(PutTurn(turn))
    return IncomingMessage(
        text=text,
        now=now,
        memory=memory,
        style=style,
        turn=turn,
        unkept=tuple(earlier.id for earlier in (*before, turn)) if wish else (),
        talk=None if chat is None else chat.talk,
        wish=asked,
        confirmation="" if request is None else request.said,
    )


def _placed(turn: Turn, chat: Reconciled, memory: PersonMemory) -> tuple[Turn, list[Change]]:
    """Return the turn in its place in a client's chat, and the changes where it is said again.

    It takes the place of the one it is said for again; one of another day is marked as unkept.
    """
    turn, again = replace(turn, place=chat.place), chat.replaced
    if again is None:
        return turn, []
    if again.date != turn.date:
        return turn, [PutTurn(replace(again, unkept=True))]
    turn = replace(turn, id=again.id, position=again.position)
    return turn, changes_after_edit(memory, turn.id, turn)[0]


def resume_message(
    store: MemoryStore, scope: Scope, clock: Clock, text: str, style: ReplyStyle, identifier: str
) -> IncomingMessage:
    """Return a stored turn as a message to answer, in these words; UsageError if there is none."""
    memory = store.load(scope)
    turn = memory.find(identifier)
    if not isinstance(turn, Turn):
        raise UsageError("memory_unknown", id=identifier)
    return _resumed(memory, turn, clock, text, style)


def _resumed(
    memory: PersonMemory, turn: Turn, clock: Clock, text: str, style: ReplyStyle
) -> IncomingMessage:
    now = clock.now(memory.profile.zone)
    without = _in_mind(apply_all(memory, [PutTurn(replace(turn, unkept=True))]), now)
    is_unkept = turn.unkept or bool(read_message(text).opts_out)
    unkept = (turn.id,) if is_unkept and not turn.unkept else ()
    turn = replace(turn, query=text, response="", interrupted=False, unkept=is_unkept)
    turn = replace(turn, distress=read_message(text).is_distress)
    return IncomingMessage(text, now, without, style, turn, unkept, is_again=True)


def record_reply(
    store: MemoryStore, scope: Scope, message: IncomingMessage, reply: Reply
) -> Turn | None:
    """Store the reply with its message; return the turn, or None if it was erased or unchanged.

    If words were erased during the answer, it is not stored, since it may quote them. An incomplete
    second answer does not replace the first.
    """
    assert message.turn is not None
    asked, is_again = message.turn, message.is_again
    with store.edit(scope) as edit:
        turn = edit.memory.find(asked.id)
        # A message that was sent again meanwhile has, or will have, another answer.
        if not isinstance(turn, Turn) or turn.place != asked.place:
            return turn if isinstance(turn, Turn) and not is_again else None
        is_clean = edit.memory.erased == message.memory.erased
        if is_again and (not is_clean or (turn.response and reply.interrupted)):
            return None
        turn = replace(turn, replied_by=reply.replied_by)
        if is_clean:
            turn = replace(
                turn,
                response=reply.text,
                interrupted=reply.interrupted,
                used=reply.used,
                is_helped=reply.is_help,
            )
        if is_again:
            turn = replace(
                turn,
                query=asked.query,
                unkept=turn.unkept or asked.unkept,
                distress=asked.distress,
                is_helped=reply.is_help,
                context="pending" if turn.is_read else turn.context,
            )
            edit.add(*changes_after_edit(edit.memory, turn.id, turn)[0])
        edit.add(PutTurn(turn))
    turn = edit.memory_after.find(asked.id)
    return turn if isinstance(turn, Turn) else None


def record_scene_end(store: MemoryStore, scope: Scope) -> int:
    """Queue all live turns for extraction and end their scene; return their number."""
    if not store.exists(scope):
        return 0
    with store.edit(scope) as edit:
        left = live_in_queue(edit.memory)
        if left:
            ended = replace(left[-1], context="pending", scene_over=True)
            edit.add(PutContext(tuple(earlier.id for earlier in left), "pending"), PutTurn(ended))
    return len(left)


class RecordedExchange(NamedTuple):
    """A stored exchange from another program, and ids of turns it asked not to remember."""

    turn: Turn
    unkept: tuple[str, ...]


def record_external_exchange(
    store: MemoryStore,
    scope: Scope,
    query: str,
    response: str,
    moment: datetime,
    *,
    has_time: bool,
    replied_by: str,
    metadata: Mapping[str, Any],
    recalled: Iterable[Memory],
    source: str,
    act: WishAct = "other",
    is_present: bool = False,
) -> RecordedExchange:
    """Store an exchange of another program as a turn of an existing person.

    ``moment`` is noon where ``has_time`` is False; with ``is_present`` it is now. The answer was given
    the ``recalled`` memories. ``source`` is the key of the request, empty for none; one that came
    before is not stored again.
    """
    with store.edit(scope) as edit:
        newest = edit.memory
        known = newest.turn_of(source)
        if known is not None and known.query != query:
            raise UsageError("request_reused")
        if known is not None:
            return RecordedExchange(known, (known.id,) if known.unkept else ())
        turn = new_turn(scope, newest, query, now=moment, is_present=is_present)
        wish = _opt_out_of(query, newest, turn.date)
        live = live_turns(newest.in_mind(), moment)
        before = live[-1:] if "before" in wish else []
        # One older than the conversation going on must not end it.
        times = [live.time for live in live_in_queue(newest) if live.time is not None]
        is_late = not is_present and bool(times) and times[-1] - moment >= SCENE_GAP
        left = () if is_late else newly_pending(newest, moment)
        if left:
            edit.add(PutContext(left, "pending"))
        edit.add(*(PutTurn(replace(earlier, unkept=True)) for earlier in before))
        added = replace(
            turn,
            response=response,
            time=turn.time if has_time else None,
            replied_by=replied_by,
            unkept=bool(wish) or read_wish(query, act) is not None,
            used=tuple(Used(memory.id, 0.0) for memory in recalled),
            metadata=metadata,
            sources=(source,) if source else (),
            context="pending" if is_late else "live",
        )
        edit.add(PutTurn(added))
    return RecordedExchange(
        added, tuple(kept.id for kept in (*before, added)) if added.unkept else ()
    )


def _opt_out_of(message: str, memory: PersonMemory, day: str) -> frozenset[Covered]:
    """Find the opt-out that covers a message: its own, or one in the previous message."""
    found = read_message(message).opts_out
    last = memory.days[day].turns[-1:] if day in memory.days else ()
    is_announced = any(turn.unkept and "next" in read_message(turn.query).opts_out for turn in last)
    return found or frozenset[Covered](("this",) if is_announced else ())
