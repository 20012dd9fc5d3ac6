"""Bring the stored turns of a client's chat into agreement with the history it sends.

A chat is identified by the client's id, else by common exchanges. Many clients send no history or
only its end: omitted turns stay. A turn is withdrawn (marked as unkept, which can be undone) only
where the client shows what stands on both sides of it and not the turn itself; it is overwritten only
where the client sends its message again or edited, behind the exchange before it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from itertools import pairwise

from siliconfriend.control.edit import edit_changes
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.memory.changes import Change, PutTurn, apply_all
from siliconfriend.memory.knowledge import ChatPlace
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope

OWN_ID = "~"
"""Prefix of the id of a chat whose client sent none."""

REWORDED = 0.6
"""Minimum share of equal characters for a message to be a rewording of an earlier one."""
COMPARED = 2000
"""Characters of a message that are compared."""
TRIED_AGAIN = timedelta(minutes=15)
"""Time in which the same words after a message without a whole answer are the same message."""


@dataclass(frozen=True, slots=True)
class ClientChat:
    """The chat of a message, as sent by the client; its ids may be empty.

    It may leave out the oldest of the ``history``.
    """

    id: str = ""
    message: str = ""
    history: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Reconciled:
    """Changes to the stored turns of a chat.

    Attributes:
        replaced: the turn whose message was sent again or reworded.
        reworded: stored turns with the client's new words.
        dropped: stored turns that the client has removed.
        talk: the history, with the ids of stored turns.
        last: the stored turn before the message.
    """

    place: ChatPlace
    replaced: Turn | None = None
    reworded: tuple[tuple[Turn, Exchange], ...] = ()
    dropped: tuple[Turn, ...] = ()
    talk: tuple[Exchange, ...] = ()
    last: Turn | None = None

    def changes(self, memory: PersonMemory, scope: Scope, now: datetime) -> list[Change]:
        """Return the changes to the stored turns, without the message itself."""
        changes: list[Change] = [PutTurn(replace(turn, unkept=True)) for turn in self.dropped]
        for turn, shown in self.reworded:
            before = apply_all(memory, changes) if changes else memory
            words = {"query": shown.query, "response": shown.response or None}
            changes += edit_changes(before, turn.id, now, **words)[0]
        return changes


def reconcile(memory: PersonMemory, client: ClientChat, query: str, now: datetime) -> Reconciled:
    """Match the stored turns of a chat with the client's history."""
    chats: dict[str, list[Turn]] = {}
    for turn in memory.turns_that(lambda turn: turn.place is not None and not turn.unkept):
        assert turn.place is not None
        chats.setdefault(turn.place.chat, []).append(turn)
    if client.id:
        chat, stored = client.id, chats.get(client.id, [])
    else:
        chat, stored = _find_unnamed(chats, client.history, query, now)
        # The number of the last change is unique to each new chat.
        chat = chat or f"{OWN_ID}{now:%Y%m%d%H%M%S}-{memory.sequence}"
    pairs = _match(stored, client.history)
    after, at_end = _after_the_last(stored, pairs, client.history, query)
    replaced = _said_again(stored, client, query, after if pairs else None, now)
    attempt = 0 if replaced is None or replaced.place is None else replaced.place.attempt + 1
    reworded, dropped = _differences(stored, pairs, client.history)
    if pairs and pairs[-1][1] == len(client.history) - 1:
        # The message follows the last exchange that both have. One without an answer is on its way.
        dropped += [turn for turn in stored[after:] if turn is not replaced and turn.response]
    ids, gone = {at: stored[own].id for own, at in pairs}, {turn.id for turn in dropped}
    stays = [turn for turn in stored[:after] if turn.id not in gone]
    return Reconciled(
        place=ChatPlace(chat, client.message, attempt),
        replaced=replaced,
        reworded=(*reworded, *at_end),
        dropped=tuple(dropped),
        talk=tuple(
            replace(exchange, id=ids.get(at, "")) for at, exchange in enumerate(client.history)
        ),
        last=stays[-1] if stays else None,
    )


def _said_again(
    stored: Sequence[Turn], client: ClientChat, query: str, after: int | None, now: datetime
) -> Turn | None:
    """Find the turn that a message repeats or rewords, by its id or by the exchange before it.

    ``after``: number of stored turns before the message; None if the client shows none of them.
    """
    for turn in reversed(stored) if client.message else ():
        if turn.place is not None and turn.place.message == client.message:
            return turn
    if after is not None and after < len(stored) and _alike(stored[after].query, query):
        return stored[after]
    return stored[-1] if after is None and _is_tried_again(stored, query, now) else None


def _is_tried_again(stored: Sequence[Turn], query: str, now: datetime) -> bool:
    """Return True for the words of the last turn, if it was told just now without a whole answer.

    The libraries of clients send a message again by themselves when the model is down or slow.
    """
    if not stored or not _same(stored[-1].query, query):
        return False
    told, is_answered = stored[-1].time, stored[-1].response and not stored[-1].interrupted
    return not is_answered and told is not None and now - told <= TRIED_AGAIN


def _find_unnamed(
    chats: Mapping[str, list[Turn]], history: Sequence[Exchange], query: str, now: datetime
) -> tuple[str, list[Turn]]:
    """Find the chat with most exchanges of a history, the newest of equals; empty for none.

    Without a history it is the one whose last message is tried again.
    """
    own = {chat: turns for chat, turns in chats.items() if chat.startswith(OWN_ID)}
    if not history:
        tried = (chat for chat in own.items() if _is_tried_again(chat[1], query, now))
        return next(tried, ("", []))
    best: tuple[tuple[int, bool], str] = (0, False), ""
    asked = {_plain(exchange.query) for exchange in history}
    for chat, turns in own.items():
        if asked.isdisjoint(_plain(turn.query) for turn in turns):
            continue
        pairs = _match(turns, history)
        equal = sum(_same(turns[at].response, history[sent].response) for at, sent in pairs)
        tail = turns[pairs[-1][0] + 1 :]
        goes_on = not tail or _same(tail[0].query, query)
        if equal and (equal, goes_on) >= best[0]:
            best = (equal, goes_on), chat
    return best[1], own.get(best[1], [])


def _match(stored: Sequence[Turn], history: Sequence[Exchange]) -> list[tuple[int, int]]:
    """Return the positions of the exchanges that both have by their messages, ascending."""
    own, sent = (
        [_plain(exchange.query) for exchange in exchanges] for exchanges in (stored, history)
    )
    blocks = SequenceMatcher(None, own, sent, autojunk=False).get_matching_blocks()
    return [(block.a + step, block.b + step) for block in blocks for step in range(block.size)]


def _after_the_last(
    stored: Sequence[Turn],
    pairs: Sequence[tuple[int, int]],
    history: Sequence[Exchange],
    query: str,
) -> tuple[int, list[tuple[Turn, Exchange]]]:
    """Count the kept turns before the message, with the reworded ones behind the last equal one.

    Other exchanges that the client shows there were never kept: another model's answer, say.
    """
    own, sent = pairs[-1] if pairs else (-1, -1)
    position, reworded = own + 1, list[tuple[Turn, Exchange]]()
    for shown in history[sent + 1 :]:
        if position == len(stored) or _same(stored[position].query, query):
            break
        if _alike(stored[position].query, shown.query):
            reworded.append((stored[position], shown))
            position += 1
    return position, reworded


def _differences(
    stored: Sequence[Turn], pairs: Sequence[tuple[int, int]], history: Sequence[Exchange]
) -> tuple[list[tuple[Turn, Exchange]], list[Turn]]:
    """Find the stored turns, up to the last equal exchange, that the client reworded or removed.

    Where both have as many exchanges between two equal ones, each stands for the other. Kept turns
    before the first equal one may only have left the client's window, and stay.
    """
    reworded: list[tuple[Turn, Exchange]] = []
    dropped: list[Turn] = []
    for (own, sent), (next_own, next_sent) in pairwise([(-1, -1), *pairs]):
        own_gap, sent_gap = stored[own + 1 : next_own], history[sent + 1 : next_sent]
        if len(own_gap) == len(sent_gap):
            both = zip(own_gap, sent_gap, strict=True)
            reworded += [
                (turn, shown)
                for turn, shown in both
                if shown.query.strip() and (own >= 0 or _alike(turn.query, shown.query))
            ]
        elif own >= 0:
            dropped += own_gap
        turn, shown = stored[next_own], history[next_sent]
        if shown.response.strip() and not _same(shown.response, turn.response):
            reworded.append((turn, shown))
    return reworded, dropped


def _alike(one: str, other: str) -> bool:
    one, other = _plain(one)[:COMPARED], _plain(other)[:COMPARED]
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= REWORDED


def _same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(words: str) -> str:
    return " ".join(words.split())  # clients trim what they send back
