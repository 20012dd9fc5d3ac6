"""Erase reaches everything a turn's words went to, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from siliconfriend.control.choosing import holding
from siliconfriend.control.quoted import telling
from siliconfriend.errors import UsageError
from siliconfriend.memory.backup import back_up
from siliconfriend.memory.changes import (
    PutOverallHistory,
    PutOverallPersonality,
    PutPersonality,
    PutSummary,
)
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.interchange import export_memorybank, export_native, import_bank
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    DayPersonality,
    DaySummary,
    Overall,
    kind_of,
)
from siliconfriend.memory.restore import restore
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import Language
from tests.control.world import NORA, World

SECRET = "My parrot is called Zanzifrax."


def test_the_turn_and_what_was_made_of_it_are_gone(world: World) -> None:
    """Its day's summary, the portraits and the turn leave at once; the rest stays."""
    said = world.say(SECRET)
    other = world.say("It rained.", on="2026-03-03")
    world.night()
    done = world.erase(said)
    assert done.erased == (said,)
    summary = memory_id(NORA, "day", "2026-03-02", 0)
    assert {*done.derived} == {
        summary,
        "personality-2026-03-02",
        "overall_history",
        "overall_personality",
        *(memory_id(NORA, kind, "2026-03-02", 0) for kind in ("event", "topic")),
    }
    assert (done.left, done.places) == (0, ())
    memory = world.memory()
    assert memory.find(said) is None
    assert memory.days["2026-03-02"].summary is None
    assert memory.days["2026-03-03"].summary is not None
    assert world.turn(other).query == "It rained."
    assert memory.overall_history is None
    assert memory.erased == {
        said,
        *(memory_id(NORA, kind, "2026-03-02", 0) for kind in ("event", "topic")),
    }


def test_the_night_makes_the_texts_again_without_it(world: World) -> None:
    """What was derived is there again the next morning, from what is left of the day."""
    said = world.say(SECRET)
    world.say("Later I planted beans.")
    world.night()
    world.erase(said)
    world.night()
    summary = world.memory().days["2026-03-02"].summary
    assert summary is not None
    assert "beans" in summary.text
    assert "Zanzifrax" not in summary.text


def test_a_reply_that_was_given_the_turn_loses_its_words(world: World) -> None:
    """By `used`: the question about something else stays, its reply goes."""
    said = world.say(SECRET)
    asked = world.say("Good morning!", "Morning! How is your parrot?", used=[said])
    done = world.erase(said)
    assert asked in done.derived
    turn = world.turn(asked)
    assert (turn.query, turn.response, turn.used) == ("Good morning!", "", ())


@pytest.mark.parametrize(
    "question",
    [
        "What is Zanzifrax?",
        "Do you remember Zanzifrax the parrot?",
        "Tell me about Zanzifrax!",
        "说说Zanzifrax吧。",
    ],
)
def test_a_turn_that_only_asks_about_it_goes_too(world: World, question: str) -> None:
    """The question names the secret and has no news of its own, whether it was answered or not."""
    said = world.say(SECRET)
    asked = world.say(question, "Your parrot Zanzifrax.", on="2026-03-04")
    done = world.erase(said)
    assert done.erased == (said, asked)
    assert (world.memory().find(asked), done.left) == (None, 0)


def test_the_same_words_said_again_are_a_memory_of_their_own(world: World) -> None:
    """A statement in another turn stays, whatever its reply used, and is no trace of the other."""
    said = world.say(SECRET)
    again = world.say(SECRET, "You told me.", on="2026-03-05", used=[said])
    done = world.erase(said)
    assert done.erased == (said,)
    assert world.turn(again).query == SECRET
    assert world.turn(again).response == ""
    assert done.left == 0


def test_a_word_that_travelled_without_a_trace_is_found(world: World) -> None:
    """From the talk itself or a portrait a reply can take a word no list of it names."""
    said = world.say(SECRET)
    chat = world.say("Good night!", "Good night to Zanzifrax as well.", on="2026-03-06")
    other = world.say("I planted beans.", "How do they grow?", on="2026-03-06")
    done = world.erase(said)
    assert chat in done.derived
    assert world.turn(chat).response == ""
    assert world.turn(other).response == "How do they grow?"


def test_replies_that_used_the_summary_of_its_day_lose_their_words(world: World) -> None:
    """From turn to summary to reply: every step is followed."""
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


def test_a_summary_can_be_erased_by_itself(world: World) -> None:
    """It goes until the next night; its turns stay."""
    said = world.say(SECRET)
    world.night()
    summary = memory_id(NORA, "day", "2026-03-02", 0)
    done = world.erase(summary)
    assert done.erased == (summary,)
    assert done.derived == ("overall_history",)
    assert world.turn(said).query == SECRET
    world.night()
    assert world.memory().days["2026-03-02"].summary is not None


def test_imported_texts_go_by_their_day(world: World) -> None:
    """Texts from a file name no turns: a day's go with any turn of it, the overall ones always."""
    said = world.say(SECRET)
    world.say("It rained.", on="2026-03-03")
    made = Provenance("import", world.clock.now(world.settings.zone))
    day = DaySummary(
        memory_id(NORA, "day", "2026-03-02", 0), "2026-03-02", "A.", world.turn(said).trace, made
    )
    other = replace(day, id=memory_id(NORA, "day", "2026-03-03", 0), date="2026-03-03", text="B.")
    world.store.update(
        NORA,
        lambda _memory: [
            PutSummary("2026-03-02", day),
            PutSummary("2026-03-03", other),
            PutPersonality("2026-03-02", DayPersonality("2026-03-02", "C.", made)),
            PutOverallHistory(Overall("D.", made)),
            PutOverallPersonality(Overall("E.", made)),
        ],
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
    """One of two ids is wrong: the other turn is still there."""
    said = world.say(SECRET)
    with pytest.raises(UsageError):
        world.erase(said, memory_id(NORA, "turn", "2026-03-02", 9))
    assert world.turn(said).query == SECRET


def test_an_erased_position_is_never_given_again(world: World) -> None:
    """The tombstone keeps the place, so no later turn gets the id of an erased one."""
    said = world.say(SECRET)
    world.erase(said)
    assert world.say("New words.") != said


def test_nothing_of_it_is_in_any_file(files: World) -> None:
    """Journal, backups, torn lines set aside and the index: every byte is looked at."""
    said = files.say(SECRET, "Zanzifrax is a grand name.")
    files.store.fold(NORA)
    files.say("It rained.", on="2026-03-03")
    files.store.fold(NORA)
    folder = files.store.folder(NORA)  # type: ignore[attr-defined]  # the store here has files
    with (folder / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"seq": 99, "put": "turn", "turn": {"query": "Zanzifrax')
    files.memory()
    (folder / "index.sqlite.12345.new").write_bytes(b"zanzifrax parrot")
    files.recaller.refresh(NORA)
    assert any("index.sqlite" in it for it in files.files_with("zanzifrax"))
    assert any("damaged" in it for it in files.files_with("zanzifrax"))
    assert any("backup" in it for it in files.files_with("zanzifrax"))
    done = files.erase(said)
    assert files.files_with("zanzifrax") == []
    assert done.left == 0
    assert done.searched >= 4


def test_a_file_of_unknown_form_is_named(files: World) -> None:
    """What cannot be mended is told, not passed over."""
    said = files.say(SECRET)
    (files.home / "notes.txt").write_text(f"She said: {SECRET}\n", encoding="utf-8")
    done = files.erase(said)
    assert (done.left, done.places) == (1, ("notes.txt",))


@pytest.mark.parametrize("form", ["memorybank", "native"])
def test_exports_in_the_data_directory_lose_it_too(files: World, form: str) -> None:
    """The file is written anew without the turn, quotations and summaries, and can be imported."""
    said = files.say(SECRET, "A fine name.")
    files.say("Good morning!", "Morning! My parrot is called Zanzifrax. You said so.", used=[said])
    files.say("It rained.", on="2026-03-03")
    files.night()
    export = export_memorybank if form == "memorybank" else export_native
    bank = export(files.memory()) | {
        "Otto": {"name": "Otto", "history": {"2026-03-02": [[SECRET, "His own."]]}, "summary": {}}
    }
    path = files.home / "mine.json"
    path.write_text(json.dumps(bank), encoding="utf-8")
    done = files.erase(said)
    assert (done.left, done.places) == (0, ())
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["Otto"] == bank["Otto"]
    assert "Zanzifrax" not in json.dumps(after["Nora"])
    assert [it["query"] for day in after["Nora"]["history"].values() for it in day] == [
        "Good morning!",
        "It rained.",
    ]
    now, zone = files.clock.now(files.settings.zone), files.settings.zone
    import_bank(files.store, after, language="en", zone=zone, now=now)
    others = [it for it in files.files_with("zanzifrax") if "otto" not in it]
    assert others == ["mine.json"]


def test_backups_in_the_data_directory_lose_it_too(files: World) -> None:
    """Also a backup in a backup; who restores one has all but what was erased, others included."""
    said = files.say(SECRET, "A fine name.")
    kept = files.say("It rained.", on="2026-03-03")
    otto = World(files.store, files.settings, Scope.of("Otto"))
    theirs = otto.say(SECRET)
    files.recaller.refresh(NORA)
    (files.home / "mine.json").write_text(
        json.dumps({"Nora": export_native(files.memory())["Nora"]})
    )
    made = datetime(2026, 3, 4, tzinfo=UTC)
    back_up(files.home, files.home / "first.tar.gz", now=made)
    back_up(files.home, files.home / "second.tar.gz", now=made)
    done = files.erase(said)
    assert (done.left, done.places) == (0, ())
    again = files.home.parent / "again"
    assert restore(files.home / "second.tar.gz", again).made == made.isoformat()
    store = FileStore(again)
    assert [turn.id for turn in store.load(NORA).turns()] == [kept]
    assert [turn.id for turn in store.load(otto.scope).turns()] == [theirs]
    assert restore(again / "first.tar.gz", files.home.parent / "first").scopes == 2


def test_a_companion_that_shares_loses_its_quotations(files: World) -> None:
    """What another companion said from a shared memory goes; what it was told itself stays."""
    said = files.say(SECRET)
    sol = World(files.store, files.settings, Scope.of("Nora", "Sol"))
    quoting = sol.say("Any news?", "Zanzifrax is well, I hope!", used=[said])
    own = sol.say("Zanzifrax bit me.", "Ouch.")
    done = files.erase(said)
    assert quoting in done.derived
    assert (sol.turn(quoting).query, sol.turn(quoting).response) == ("Any news?", "")
    assert sol.turn(own).query == "Zanzifrax bit me."
    found = files.files_with("Zanzifrax is well")
    assert found == []


def test_what_others_said_is_theirs(files: World) -> None:
    """The same words of another person neither leave nor count."""
    said = files.say(SECRET)
    otto = World(files.store, files.settings, Scope.of("Otto"))
    theirs = otto.say(SECRET)
    assert files.erase(said).left == 0
    assert otto.turn(theirs).query == SECRET


def test_a_reply_on_its_way_does_not_bring_it_back(world: World) -> None:
    """What is erased while the model speaks is not stored by the reply that quotes it."""
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
    """Planted, asked about, summed up, erased while another night thinks, and one more night."""
    planted, question, news, canary = CANARIES[language]
    scope = Scope.of("小雨" if language == "cn" else "Ada")
    it = World(files.store, files.settings, scope, language)
    it.clock.set("2026-03-10T09:00+00:00")
    chat = ScriptedChatModel(otherwise=lambda _messages: f"{canary}!") if with_model else None
    it.companion(chat).reply(planted)
    it.companion(chat).reply(question)
    it.clock.move(days=1)
    it.companion(chat).reply(question)
    it.companion(chat).reply(news)
    it.clock.move(days=1)
    assert it.night(_echo(canary)).exit_code == 0
    assert it.files_with(canary.lower())
    held = {kind_of(record) for record in holding(it.memory(), canary)}
    assert held >= {"turn", "day", "event", "fact", "topic"}
    it.clock.move(days=1)
    it.companion(chat).reply(news)
    it.clock.move(days=1)
    said = next(turn.id for turn in it.memory().turns() if turn.query == planted)
    erased: list[int] = []

    def answer(messages: object) -> object:
        if not erased:
            erased.append(1)
            erased.append(it.erase(said).left)
        return _echoed(canary, str(messages))

    it.night(ScriptedChatModel(otherwise=answer))  # type: ignore[arg-type]  # a plain answer
    assert erased == [1, 0]
    it.clock.move(days=1)
    model = ScriptedChatModel(otherwise=lambda asked: _echoed(canary, str(asked)))
    assert it.night(model).exit_code == 0
    assert it.files_with(canary.lower()) == []
    assert it.memory().overall_history is not None
    assert [turn.query for turn in it.memory().turns()].count(news) == 2


def _echo(canary: str) -> ScriptedChatModel:
    return ScriptedChatModel(otherwise=lambda asked: _echoed(canary, str(asked)))


def _read(heard: str) -> dict[str, Any]:
    """An event, a fact and a theme of the first turn, with a word in every field of them."""
    event = {"text": f"{heard}.", "time": "", "place": heard, "scene": heard}
    event |= {"key_words": [heard], "insight": f"{heard}!", "turns": [1]}
    fact = {"entity": heard, "entity_type": "general", "aspect": "attribute", "key_word": heard}
    fact |= {"description": f"{heard}?", "said_by": "person", "turns": [1]}
    fact |= {"corrects": None, "repeats": None}
    theme = {"summary": f"{heard}.", "key_words": [heard], "turns": [1], "continues": False}
    return {"events": [event], "facts": [fact], "themes": [theme], "importance": []}


def _echoed(canary: str, asked: str) -> str | dict[str, Any]:
    """A model of the night that repeats the canary wherever it hears it."""
    heard = canary if canary in asked else "beans"
    if "<memory>" in asked:
        return "5"
    if "<talk>" in asked:
        return _read(heard)
    if "JSON" in asked:
        return {"summary": heard, "traits": heard, "mood": heard, "strategy": heard}
    return f"{heard}."


def test_telling_words() -> None:
    """Stop words tell nothing; names that no dictionary knows are found by their pairs."""
    assert telling("My parrot is called Zanzifrax") == {"parrot", "call", "zanzifrax"}
    assert "绿鳐" in telling("我的秘密暗号是绿鳐计划")
