"""What is kept of a client's chat follows what the client shows, and never twice."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.client_chat import ClientChat, Reconciled, reconcile
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.knowledge import ChatPlace
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope

ADA = Scope.of("Ada")
NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)


def _memory(**chats: str) -> PersonMemory:
    """Chats by id, each word a message that was answered with itself in capitals."""
    memory = PersonMemory(Profile(ADA.person, language="en", timezone="UTC", created=NOW))
    for chat, words in chats.items():
        for word in words.split():
            turn = new_turn(ADA, memory, word, now=NOW)
            place = ChatPlace(chat.replace("own", "~"))
            turn = replace(turn, response=word.upper(), place=place, trace=Trace(NOW))
            memory = apply_all(memory, [PutTurn(turn)])
            memory = replace(memory, sequence=memory.sequence + 1)
    return memory


def _history(words: str) -> tuple[Exchange, ...]:
    """Exchanges as a client sends them: ``one`` with its answer, ``one/two`` with another."""
    found = []
    for word in words.split():
        query, _, response = word.partition("/")
        found.append(Exchange(query, response or query.upper()))
    return tuple(found)


def _found(memory: PersonMemory, history: str, query: str, chat: str = "c") -> Reconciled:
    return reconcile(memory, ClientChat(chat, history=_history(history)), query, NOW)


def _outcome(found: Reconciled) -> tuple[str | None, list[str], list[str]]:
    """Which message is replaced, which are reworded, and which dropped."""
    return (
        found.replaced.query if found.replaced else None,
        [f"{turn.query}>{shown.query}/{shown.response}" for turn, shown in found.reworded],
        [turn.query for turn in found.dropped],
    )


@pytest.mark.parametrize("chat", ["c", ""])
@pytest.mark.parametrize(
    ("history", "query", "expected"),
    [
        # the next message
        ("first second third", "fourth", (None, [], [])),
        # answered anew: the last, and one further back
        ("first second", "third", ("third", [], [])),
        ("first", "second", ("second", [], ["third"])),
        # the last message reworded, and one further back
        ("first second", "thirds", ("third", [], [])),
        ("first", "seconds", ("second", [], ["third"])),
        # the last exchange taken back, and something else said
        ("first second", "unlike", (None, [], ["third"])),
        # one in the middle deleted
        ("first third", "fourth", (None, [], ["second"])),
        # another reply chosen, or a reply put right by hand
        ("first second third/OTHER", "fourth", (None, ["third>third/OTHER"], [])),
        # a message in the middle reworded in the client
        ("first 2nd/SECOND third", "fourth", (None, ["second>2nd/SECOND"], [])),
        # the client left out the oldest: nothing is taken back
        ("second third", "fourth", (None, [], [])),
        ("third", "fourth", (None, [], [])),
        ("second", "third", ("third", [], [])),
        # the client shows what was never kept: another model's answer, or /why
        ("first other second third", "fourth", (None, [], [])),
        ("first second third /why", "fourth", (None, [], [])),
        ("first second /why", "third", ("third", [], [])),
        # the last exchanges reworded without being sent again
        ("first second thirds", "fourth", (None, ["third>thirds/THIRDS"], [])),
    ],
)
def test_what_the_client_shows_is_what_is_kept(
    chat: str, history: str, query: str, expected: tuple[str | None, list[str], list[str]]
) -> None:
    """The same by the chat's id, and without one by what both have."""
    memory = _memory(**{chat or "own1": "first second third"})
    found = _found(memory, history, query, chat)
    assert _outcome(found) == expected
    assert found.place.chat == (chat or "~1")


def test_the_talk_names_the_turns_that_are_kept() -> None:
    """What the client shows goes into the prompt; what is kept of it is not recalled again."""
    memory = _memory(c="first second")
    found = _found(memory, "elsewhere first second", "third")
    assert [bool(exchange.id) for exchange in found.talk] == [False, True, True]
    assert found.last is not None
    assert found.last.query == "second"


def test_a_named_chat_is_told_from_another_with_the_same_words() -> None:
    """Two chats that begin alike stay two."""
    memory = _memory(a="hello moon", b="hello")
    assert _outcome(_found(memory, "hello", "sun", "b")) == (None, [], [])
    assert _outcome(_found(memory, "", "hello", "new")) == (None, [], [])


def test_a_chat_without_an_id_goes_on_where_it_fits_whole() -> None:
    """Of two that begin alike the one that ends where the client does."""
    memory = _memory(own1="hello moon", own2="hello")
    found = _found(memory, "hello", "sun", "")
    assert (found.place.chat, _outcome(found)) == ("~2", (None, [], []))


def test_the_same_greeting_is_not_the_same_chat() -> None:
    """One equal message with another answer says nothing where more was kept."""
    memory = _memory(own1="hello moon star")
    found = _found(memory, "hello/HI", "sun", "")
    assert _outcome(found) == (None, [], [])
    assert found.place.chat not in ("", "~1")


@pytest.mark.parametrize("chat", ["c", ""])
def test_a_client_without_a_history_loses_nothing(chat: str) -> None:
    """Each message is a turn of its own, also one with the words of another."""
    memory = _memory(**{chat or "own1": "pill sister"})
    for query in ("pill", "sister", "sisters", "other"):
        assert _outcome(_found(memory, "", query, chat)) == (None, [], [])


@pytest.mark.parametrize("chat", ["c", ""])
@pytest.mark.parametrize("reply", ["", "PI"])
def test_a_message_without_a_whole_answer_is_one_turn_when_it_is_sent_again(
    chat: str, reply: str
) -> None:
    """Libraries of clients try again by themselves while the model is down or slow."""
    memory = _memory(**{chat or "own1": "sister pill"})
    unanswered = replace([*memory.turns()][1], response=reply, interrupted=bool(reply))
    memory = apply_all(memory, [PutTurn(unanswered)])
    found = _found(memory, "", "pill", chat)
    assert (found.place.chat, _outcome(found)) == (chat or "~1", ("pill", [], []))
    assert _outcome(_found(memory, "", "pills", chat)) == (None, [], [])
    client, later = ClientChat(chat), NOW + timedelta(hours=1)
    assert _outcome(reconcile(memory, client, "pill", later)) == (None, [], [])


def test_a_message_that_is_still_being_answered_is_not_withdrawn() -> None:
    """A client that sends two messages at once shows neither in the history of the other."""
    memory = _memory(c="first second")
    waiting = replace([*memory.turns()][1], response="")
    memory = apply_all(memory, [PutTurn(waiting)])
    assert _outcome(_found(memory, "first", "other")) == (None, [], [])


def test_a_message_is_the_same_by_its_id() -> None:
    """However other its words are."""
    memory = _memory(c="first second")
    turns = list(memory.turns())
    named = replace(turns[1], place=ChatPlace("c", "m2"))
    memory = apply_all(memory, [PutTurn(named)])
    client = ClientChat("c", "m2", _history("first"))
    assert _outcome(reconcile(memory, client, "quite unlike", NOW))[0] == "second"


def test_an_attempt_is_counted() -> None:
    """So that an answer that comes late is not written over a newer one."""
    found = _found(_memory(c="first second"), "first", "second")
    assert found.place.attempt == 1


def test_turns_of_no_client_are_never_touched() -> None:
    """What was said at the terminal belongs to no chat, whatever a client shows."""
    memory = _memory()
    turn = replace(new_turn(ADA, memory, "first", now=NOW), response="FIRST")
    memory = apply_all(memory, [PutTurn(turn)])
    for chat in ("c", ""):
        assert _outcome(_found(memory, "", "first", chat)) == (None, [], [])
        assert _outcome(_found(memory, "first/OTHER", "second", chat)) == (None, [], [])


def test_clients_that_trim_messages_change_nothing() -> None:
    """White space is not another wording."""
    memory = _memory(c="first second")
    history = (Exchange(" first\n", "FIRST "), Exchange("second", "SECOND\n"))
    found = reconcile(memory, ClientChat("c", history=history), "third", NOW)
    assert _outcome(found) == (None, [], [])


@pytest.mark.parametrize("query", ["fourth", "third", "thirds"])
def test_a_named_chat_with_nothing_in_common_loses_nothing(query: str) -> None:
    """A client that left out all but what was never kept."""
    found = _found(_memory(c="first second third"), "/why", query)
    assert _outcome(found) == (None, [], [])
