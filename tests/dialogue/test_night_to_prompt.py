"""What a model's night takes out of a talk reaches the prompt of a message that asks for it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Message
from siliconfriend.night.run import run_night
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.extraction.world import a_fact, an_event
from tests.night.world import NOTHING_READ, obedient

TOLD = (
    "My tea is called Rex, and Nell gave it to me.",
    "In Ghent Nell and I climbed the belfry in the rain.",
    "I misspoke: my tea is called Max, not Rex.",
)


class Reader:
    """A model that reads facts and events out of what was told, and answers a talk."""

    def __call__(self, messages: Sequence[Message]) -> Any:
        """Answer a call of the night or of the talk."""
        asked = messages[-1].content
        if "<talk>" not in asked:
            return obedient(messages) if len(messages) == 1 else "Mm, tea."
        told = asked.rpartition("[1]")[2]
        read = {**NOTHING_READ, "importance": [5]}
        if "belfry" in told:
            words = "Ada climbed the belfry of Ghent with Nell."
            event = an_event(words, place="Ghent", key_words=["belfry"])
            return {**read, "events": [event]}
        name = "Max" if "Max" in told else "Rex"
        fact = a_fact(f"Ada's tea is called {name}.", key_word="tea")
        return {**read, "facts": [fact | ({"corrects": 1} if name == "Max" else {})]}


@pytest.fixture
def model() -> ScriptedChatModel:
    """The reader."""
    return ScriptedChatModel(otherwise=Reader())


@pytest.fixture
def friend(settings: Settings, clock: MovingClock, model: ScriptedChatModel) -> Companion:
    """Ada's companion after three days with a night each, of whose words few fit into a prompt."""
    runtime = Runtime(replace(settings, memory_tokens=20), clock, chat=model)
    friend = Companion("Ada", runtime=runtime)
    for words in TOLD:
        friend.reply(words)
        clock.move(days=1)
        run_night(runtime)
    return friend


def _last(friend: Companion, model: ScriptedChatModel, words: str) -> str:
    friend.reply(words)
    return model.calls[-1][-1].content


def test_a_fact_stands_once_and_newest(friend: Companion, model: ScriptedChatModel) -> None:
    """The one that was corrected is history; the words that told it need no fact beside them."""
    asked = _last(friend, model, "What is my tea called?")
    assert ("Ada's tea is called Max." in asked) != (TOLD[2] in asked)
    assert "Ada's tea is called Rex." not in asked


def test_an_event_stands_as_a_note_of_the_companion(
    friend: Companion, model: ScriptedChatModel
) -> None:
    """Under its day, unless the words that it was made from stand there themselves."""
    asked = _last(friend, model, "What did Nell and I do in Ghent, at the belfry?")
    assert ("note) Ada climbed the belfry" in asked) or (TOLD[1] in asked)


def test_what_faded_after_a_night_by_rules_reaches_a_model_in_the_persons_words(
    settings: Settings, clock: MovingClock, model: ScriptedChatModel
) -> None:
    """The rules' note leads to it, and never stands there itself."""
    few = replace(settings, memory_tokens=20)
    alone = Runtime(few, clock)
    Companion("Ada", runtime=alone).reply(TOLD[1])
    clock.move(days=300)
    run_night(alone)
    memory = alone.store.load(Scope("Ada"))
    assert [turn.trace.archived is not None for turn in memory.turns()] == [True]
    friend = Companion("Ada", runtime=Runtime(few, clock, store=alone.store, chat=model))
    asked = _last(friend, model, "What did we climb when it rained?")
    assert f"Ada: {TOLD[1]}" in asked


def test_after_a_season_words_are_archived_and_come_back_by_their_day(
    friend: Companion, settings: Settings, clock: MovingClock, model: ScriptedChatModel
) -> None:
    """What was recalled stays longer, and what a night made of them for years."""
    clock.move(days=120)
    runtime = Runtime(replace(settings, memory_tokens=20), clock, chat=model)
    run_night(runtime)
    memory = runtime.store.load(friend.scope)
    assert [turn.trace.archived is not None for turn in memory.turns()] == [False, True, True]
    assert not any(noted.trace.archived for noted in (*memory.facts(), *memory.events()))
    asked = _last(Companion("Ada", runtime=runtime), model, "What did I tell you on 15 March?")
    assert TOLD[1] in asked
