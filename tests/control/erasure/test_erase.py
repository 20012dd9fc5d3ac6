"""Erase reaches everything a turn's words went to, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from siliconfriend.control.erasure import erase
from siliconfriend.errors import UsageError
from siliconfriend.memory.changes import PutField, PutPersonality, PutSummary, PutTurn
from siliconfriend.memory.knowledge import OFFLINE, Provenance, Used
from siliconfriend.memory.records import DayPersonality, DaySummary, Overall
from siliconfriend.memory.scope import Scope, memory_id
from tests.control.world import NORA, World
from tests.memory.stored import put
from tests.night.world import working_model

SECRET = "My parrot is called Zanzifrax."


def test_the_turn_and_what_was_made_of_it_are_gone(world: World) -> None:
    said = world.say(SECRET)
    other = world.say("It rained.", on="2026-03-03")
    world.night(working_model())
    done = world.erase(said)
    assert done.erased == (said,)
    summary = memory_id(NORA, "day", "2026-03-02", 0)
    assert {*done.derived} == {
        summary,
        "personality-2026-03-02",
        "overall_history",
        "overall_personality",
    }
    assert (done.left, done.found_in) == (0, ())
    memory = world.memory()
    assert memory.find(said) is None
    assert memory.days["2026-03-02"].summary is None
    assert memory.days["2026-03-03"].summary is not None
    assert world.turn(other).query == "It rained."
    assert memory.overall_history is None
    assert memory.erased == {said}


def test_a_reply_that_was_given_the_turn_loses_its_words(world: World) -> None:
    """By `used`: the question about something else stays, its reply goes."""
    said = world.say(SECRET)
    asked = world.say("Good morning!", "Morning! How is your parrot?", used=[said])
    done = world.erase(said)
    assert asked in done.derived
    turn = world.turn(asked)
    assert (turn.query, turn.response, turn.used) == ("Good morning!", "", ())


def test_what_a_reply_by_rules_quoted_of_others_is_not_erased_with_it(world: World) -> None:
    """A list of what may be erased holds words of what stays."""
    asked = world.say("Forget my weight.", "Do you mean this? 1. “I bake on Fridays.”")
    put(world.store, NORA, PutTurn(replace(world.turn(asked), replied_by=OFFLINE, unkept=True)))
    shown = (Used(asked, 0.1),)
    other = world.say("A tip?", "Bake a little more rye.", on="2026-03-04")
    put(world.store, NORA, PutTurn(replace(world.turn(other), used=shown, replied_by="openai:m")))
    world.erase(asked)
    assert world.turn(other).response == "Bake a little more rye."


@pytest.mark.parametrize(
    "kept", ["Remind me tomorrow to ring the dentist.", "Which book would you give a boy?"]
)
def test_a_reminder_and_another_question_stay(world: World, kept: str) -> None:
    """A word that everybody uses makes no question one about what is erased."""
    said = world.say("Could you give me a recipe?", "Leek soup. It will do for tomorrow.")
    other = world.say(kept, "I will. Or Emma.", on="2026-03-04")
    world.erase(said)
    assert (world.turn(other).query, world.turn(other).response) == (kept, "I will. Or Emma.")


def test_a_reply_that_was_only_shown_the_turn_keeps_words_of_its_own(world: World) -> None:
    """A model is shown much that its reply does not rest on; a shared word is enough to go."""
    said = world.say(SECRET)
    shown = (Used(said, 0.1, {"similarity": 0.1}),)
    replies = {"The train comes on Friday.": True, "On Friday, with the parrot?": False}
    for reply in replies:
        asked = world.say("When does the train come?", reply, on="2026-03-04")
        turn = replace(world.turn(asked), used=shown, replied_by="openai:m")
        put(world.store, world.scope, PutTurn(turn))
    world.erase(said)
    kept = [turn.response for turn in world.memory().turns() if turn.date == "2026-03-04"]
    assert kept == [reply if stays else "" for reply, stays in replies.items()]


@pytest.mark.parametrize(
    "question",
    ["What is Zanzifrax?", "说说Zanzifrax吧。", "Tell me about Zanzifrax. What is Zanzifrax?"],
)
def test_a_turn_that_only_asks_about_it_goes_too(world: World, question: str) -> None:
    said = world.say(SECRET)
    asked = world.say(question, "Your parrot Zanzifrax.", on="2026-03-04")
    done = world.erase(said)
    assert done.erased == (said, asked)
    assert (world.memory().find(asked), done.left) == (None, 0)


def test_the_same_words_said_again_are_a_memory_of_their_own(world: World) -> None:
    said = world.say(SECRET)
    again = world.say(SECRET, "You told me.", on="2026-03-05", used=[said])
    done = world.erase(said)
    assert done.erased == (said,)
    assert world.turn(again).query == SECRET
    assert world.turn(again).response == ""
    assert done.left == 0


def test_a_word_that_travelled_without_a_trace_is_found(world: World) -> None:
    said = world.say(SECRET)
    chat = world.say("Good night!", "Good night to Zanzifrax as well.", on="2026-03-06")
    whole = world.say("And again?", f"So: {SECRET}", on="2026-03-06")
    other = world.say("I planted beans.", "How do they grow?", on="2026-03-06")
    done = world.erase(said)
    assert chat in done.derived
    assert world.turn(chat).response == world.turn(whole).response == ""
    assert world.turn(other).response == "How do they grow?"


def test_a_word_that_was_said_before_is_no_trace(world: World) -> None:
    world.say("I bought a parrot.", on="2026-03-01")
    world.say("My sister called.", on="2026-03-01")
    said = world.say(SECRET)
    parrot = world.say("Good night!", "And to the parrot.", on="2026-03-06")
    called = world.say("Good morning!", "Somebody called.", on="2026-03-07")
    name = world.say("Good day!", "And to Zanzifrax.", on="2026-03-08")
    assert world.erase(said).unquoted == (name,)
    assert world.turn(parrot).response == "And to the parrot."
    assert world.turn(called).response == "Somebody called."


def test_replies_that_used_the_summary_of_its_day_lose_their_words(world: World) -> None:
    said = world.say(SECRET)
    world.night()
    summary = memory_id(NORA, "day", "2026-03-02", 0)
    asked = world.say(
        "What a day.", "Like the one with your bird?", on="2026-03-07", used=[summary]
    )
    world.night()
    done = world.erase(said)
    assert world.turn(asked).response == ""
    assert {summary, asked, memory_id(NORA, "day", "2026-03-07", 0)} <= {*done.derived}
    assert {*done.removed} == {*done.derived} - {asked}


def test_what_is_said_while_it_searches_loses_its_words_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, later = world.say(SECRET), list[str]()

    def meanwhile(_home: Path) -> None:
        later.append(world.say("Good night!", "To Zanzifrax!", on="2026-03-06"))

    monkeypatch.setattr(erase, "sweep_everywhere", meanwhile)
    done = world.erase(said)
    assert (done.unquoted, done.left) == (tuple(later), 0)
    assert world.turn(later[0]).response == ""


def test_a_summary_can_be_erased_by_itself(world: World) -> None:
    said = world.say(SECRET)
    world.night(working_model())
    summary = memory_id(NORA, "day", "2026-03-02", 0)
    done = world.erase(summary)
    assert done.erased == (summary,)
    assert done.derived == ("overall_history",)
    assert world.turn(said).query == SECRET
    world.night(working_model())
    assert world.memory().days["2026-03-02"].summary is not None


def test_imported_texts_go_by_their_day(world: World) -> None:
    said = world.say(SECRET)
    world.say("It rained.", on="2026-03-03")
    made = Provenance("import", world.clock.now(world.settings.zone))
    day = DaySummary(
        memory_id(NORA, "day", "2026-03-02", 0), "2026-03-02", "A.", world.turn(said).trace, made
    )
    other = replace(day, id=memory_id(NORA, "day", "2026-03-03", 0), date="2026-03-03", text="B.")
    put(
        world.store,
        NORA,
        PutSummary("2026-03-02", day),
        PutSummary("2026-03-03", other),
        PutPersonality("2026-03-02", DayPersonality("2026-03-02", "C.", made)),
        PutField("overall_history", Overall("D.", made)),
        PutField("overall_personality", Overall("E.", made)),
    )
    done = world.erase(said)
    assert {*done.derived} == {
        day.id,
        "personality-2026-03-02",
        "overall_history",
        "overall_personality",
    }
    assert world.memory().days["2026-03-03"].summary == other


def test_an_unknown_id_erases_nothing(world: World) -> None:
    said = world.say(SECRET)
    with pytest.raises(UsageError):
        world.erase(said, memory_id(NORA, "turn", "2026-03-02", 9))
    assert world.turn(said).query == SECRET


def test_a_companion_that_shares_loses_its_quotations(files: World) -> None:
    said = files.say(SECRET)
    sol = World(files.store, files.settings, Scope.of("Nora", "Sol"))
    quoting = sol.say("Any news?", "Zanzifrax is well, I hope!", used=[said])
    own = sol.say(SECRET, "Ouch.")
    done = files.erase(said)
    assert quoting in done.derived
    assert (sol.turn(quoting).query, sol.turn(quoting).response) == ("Any news?", "")
    assert (sol.turn(own).query, done.left) == (SECRET, 0)
    found = files.files_with("Zanzifrax is well")
    assert found == []
