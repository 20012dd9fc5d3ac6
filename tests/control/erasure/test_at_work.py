"""Erasing while a reply or a night is at work does not bring the words back."""

from typing import Any

import pytest

from siliconfriend.control.search import memories_with_words
from siliconfriend.memory.records import kind_of
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import Language
from tests.control.world import World
from tests.extraction.world import a_fact, an_answer, an_event

SECRET = "My parrot is called Zanzifrax."


def test_a_reply_on_its_way_does_not_bring_it_back(world: World) -> None:
    said = world.say(SECRET, on="2026-03-14")
    chat = ScriptedChatModel([["Your parrot ", "is Zanzifrax."]])
    pieces = world.companion(chat).stream("Good evening!")
    assert next(pieces) == "Your parrot "
    world.erase(said)
    assert "".join(pieces) == "is Zanzifrax."
    (turn,) = world.memory().turns()
    assert (turn.query, turn.response) == ("Good evening!", "")


CANARIES: dict[Language, tuple[str, str, str, str]] = {
    "en": (
        "My secret code word is ZANZIFRAX, never tell.",
        "Do you remember ZANZIFRAX?",
        "The beans are in the ground.",
        "ZANZIFRAX",
    ),
    "cn": ("我的秘密暗号是绿鳐计划，别告诉别人。", "还记得绿鳐计划吗？", "豆子种下去了。", "绿鳐"),
}


@pytest.mark.parametrize("language", CANARIES)
@pytest.mark.parametrize("with_model", [False, True])
def test_a_canary_is_in_no_byte_after_erasing_in_the_middle_of_a_night(
    files: World, language: Language, with_model: bool
) -> None:
    planted, question, news, canary = CANARIES[language]
    scope = Scope.of("小雨" if language == "cn" else "Ada")
    world = World(files.store, files.settings, scope, language)
    world.clock.set("2026-03-10T09:00+00:00")
    chat = ScriptedChatModel(otherwise=lambda _messages: f"{canary}!") if with_model else None
    world.companion(chat).reply(planted)
    world.companion(chat).reply(question)
    world.clock.move(days=1)
    world.companion(chat).reply(question)
    world.companion(chat).reply(news)
    world.clock.move(days=1)
    assert world.night(_echo(canary)).exit_code == 0
    assert world.files_with(canary.lower())
    held = {kind_of(record) for record in memories_with_words(world.memory(), canary)}
    assert held >= {"turn", "day", "event", "fact"}
    world.clock.move(days=1)
    world.companion(chat).reply(news)
    world.clock.move(days=1)
    said = next(turn.id for turn in world.memory().turns() if turn.query == planted)
    erased: list[int] = []

    def answer(messages: object) -> object:
        if not erased:
            erased.append(1)
            erased.append(world.erase(said).left)
        return _echoed(canary, str(messages))

    world.night(ScriptedChatModel(otherwise=answer))  # type: ignore[arg-type]  # a plain answer
    assert erased == [1, 0]
    world.clock.move(days=1)
    model = ScriptedChatModel(otherwise=lambda asked: _echoed(canary, str(asked)))
    assert world.night(model).exit_code == 0
    assert world.files_with(canary.lower()) == []
    assert world.memory().overall_history is not None
    assert [turn.query for turn in world.memory().turns()].count(news) == 2


def _echo(canary: str) -> ScriptedChatModel:
    return ScriptedChatModel(otherwise=lambda asked: _echoed(canary, str(asked)))


def _read(heard: str) -> dict[str, Any]:
    """An event and a fact of the first turn, with a word in every field of them."""
    told = f"{heard} is a secret code word." if heard == "ZANZIFRAX" else f"{heard}."
    event = an_event(told, place=heard)
    fact = a_fact(f"{heard}?", entity=heard, entity_type="general", key_word=heard)
    return an_answer([event], [fact])


def _echoed(canary: str, asked: str) -> str | dict[str, Any]:
    """A model of the night that repeats the canary wherever it hears it."""
    heard = canary if canary in asked else ("beans" if canary.isascii() else "豆子")
    told = f"{heard} in the ground" if heard.isascii() else f"{heard}种下去了"
    if '"insights"' in asked:
        return {"insights": []}
    if "<talk>" in asked:
        return _read(heard)
    if '"summary"' in asked:
        return {"summary": told, "traits": heard, "mood": heard, "strategy": heard}
    return {"overall_history": told, "overall_personality": told}
