"""A message that is answered once more: one write when the answer is whole, and none before."""

from __future__ import annotations

import pytest

from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import ModelUnavailable, UsageError
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.records import Turn
from siliconfriend.testing import ScriptedChatModel

FAILING = ModelUnavailable("model_unreachable", address="http://here")


@pytest.fixture
def ada(friend: Companion, model: ScriptedChatModel) -> Companion:
    """Ada's companion, who has answered once."""
    model.enqueue("On the river?")
    friend.reply("I row at dawn.")
    return friend


def turns(companion: Companion) -> list[Turn]:
    """What is on disk."""
    return list(companion.store.load(companion.scope).turns())


def test_nothing_is_written_until_the_answer_is_whole(
    ada: Companion, model: ScriptedChatModel
) -> None:
    """Then words and answer change together, in the turn's own place; the moment stays."""
    (before,) = turns(ada)
    model.enqueue(["At", " dawn!"])
    pieces = ada.stream("I row at dusk.", again=before.id)
    assert next(pieces) == "At"
    assert turns(ada) == [before]
    assert list(pieces) == [" dawn!"]
    (after,) = turns(ada)
    assert (after.query, after.response) == ("I row at dusk.", "At dawn!")
    assert (after.id, after.time, after.trace) == (before.id, before.time, before.trace)
    assert ada.last_turn == before.id


def test_an_answer_that_is_stopped_or_fails_leaves_what_stands(
    ada: Companion, model: ScriptedChatModel
) -> None:
    """Be it closed in the middle, cut or never begun."""
    before = turns(ada)
    model.enqueue(["At", " dawn!"], ["At", FAILING], FAILING)
    pieces = ada.stream("I row at dawn.", again=before[0].id)
    next(pieces)
    pieces.close()
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            list(ada.stream("I row at dawn.", again=before[0].id))
    assert turns(ada) == before


def test_the_first_answer_is_told_to_nobody(ada: Companion, model: ScriptedChatModel) -> None:
    """Neither as what was said just before nor as a memory."""
    model.enqueue("Where?")
    list(ada.stream("I row at dawn.", again=turns(ada)[0].id))
    asked = "\n".join(it.content for it in model.calls[-1])
    assert "On the river?" not in asked
    assert asked.count("I row at dawn.") == 1


def test_what_was_erased_meanwhile_comes_into_no_answer(
    ada: Companion, model: ScriptedChatModel
) -> None:
    """Words that were erased while the model spoke stood in its prompt."""
    first = turns(ada)[0]
    model.enqueue("Good.", ["At", " dawn!"])
    ada.reply("My boat is called Wren.")
    second = turns(ada)[1]
    pieces = ada.stream("My boat is called Wren.", again=second.id)
    next(pieces)
    with ada.store.edit(ada.scope) as edit:
        edit.add(Erase((first.id,)))
    list(pieces)
    assert [it.response for it in turns(ada)] == ["Good."]


def test_a_wish_not_to_be_remembered_marks_the_turn(
    ada: Companion, model: ScriptedChatModel
) -> None:
    """Also where it comes with other words."""
    model.enqueue("As you like.")
    list(ada.stream("I row at dawn. Don't remember this.", again=turns(ada)[0].id))
    assert turns(ada)[0].unkept
    assert ada.last_unkept == (turns(ada)[0].id,)


def test_a_turn_that_is_not_there_is_not_answered(ada: Companion) -> None:
    """Nothing is stored under another one."""
    with pytest.raises(UsageError):
        next(ada.stream("I row at dawn.", again="turn-2026-11-21-9-00000000"))
    assert len(turns(ada)) == 1
