"""What a person asks not to remember: understood, marked at once, gone by the morning."""

import pytest

from siliconfriend.control.edit import act
from siliconfriend.memory.memorybank_format import export_memorybank
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import Language
from tests.control.erasure.test_at_work import _echo
from tests.control.world import World

SAID: dict[Language, tuple[str, str]] = {
    "en": ("I was fired from Zanzifrax. Please don't remember this.", "What about Zanzifrax?"),
    "cn": ("我被绿鳐公司裁了，别记这个。", "绿鳐公司怎么了？"),
}


@pytest.mark.parametrize("language", SAID)
def test_a_marked_turn_is_neither_recalled_nor_in_any_prompt(
    world: World, language: Language
) -> None:
    secret, question = SAID[language]
    chat = ScriptedChatModel(["I hear you.", "I do not know."])
    companion = world.companion(chat)
    reply = companion.reply(secret)
    assert reply.turn is not None
    assert companion.last_unkept == (reply.turn.id,)
    assert companion.notice
    companion.reply(question)
    assert not companion.last_unkept
    assert all(secret not in message.content for message in chat.calls[1])
    found = world.new_recaller().recall(
        world.scope, secret, now=world.clock.now(world.settings.zone)
    )
    assert reply.turn.id not in [recalled.memory.id for recalled in found.memories]
    assert secret not in str(export_memorybank(world.memory()))


@pytest.mark.parametrize("said", ["Please forget what I just said.", "别记这个"])
def test_a_wish_alone_takes_the_words_before_with_it(world: World, said: str) -> None:
    companion = world.companion(ScriptedChatModel(["Oh.", "Fine."]))
    companion.reply("I was fired today.")
    companion.reply(said)
    assert len(companion.last_unkept) == 2
    assert "just before" in companion.notice
    assert all(turn.unkept for turn in world.memory().turns())


@pytest.mark.parametrize("said", ["Please don't remember what I say next.", "接下来我说的别记。"])
def test_a_wish_about_what_comes_next_covers_one_message(world: World, said: str) -> None:
    companion = world.companion(ScriptedChatModel(["Oh.", "Yes?", "I see.", "Fine."]))
    for words in ("I bought a boat.", said, "I was fired today.", "I planted tulips."):
        companion.reply(words)
    assert [turn.unkept for turn in world.memory().turns()] == [False, True, True, False]


def test_the_mark_can_be_taken_back(world: World) -> None:
    companion = world.companion(ScriptedChatModel(["Oh."]))
    companion.reply("I was fired today. Don't remember this.")
    marked = companion.last_unkept
    act(world.store, world.scope, "rekeep", marked, world.clock.moment)
    world.clock.move(days=1)
    world.night()
    summary = world.memory().days["2026-03-14"].summary
    assert summary is not None
    assert "fired" in summary.text


@pytest.mark.parametrize("with_model", [False, True])
def test_the_night_removes_it_and_reports_it(files: World, with_model: bool) -> None:
    companion = files.companion()
    companion.reply(SAID["en"][0])
    companion.reply("I planted beans.")
    files.recaller.update_index(files.scope)
    assert files.files_with("zanzifrax")
    files.clock.move(days=1)
    chat = _echo("Zanzifrax") if with_model else None
    planned = files.night(chat, dry_run=True)
    assert planned.people[0].stages["tidy"] == {"due": 1, "done": 0}
    report = files.night(chat)
    assert report.people[0].stages["tidy"] == {"due": 1, "done": 1}
    assert files.files_with("zanzifrax") == []
    assert [turn.query for turn in files.memory().turns()] == ["I planted beans."]
    assert files.memory().days["2026-03-14"].summary is not None
    again = files.night(chat)
    assert again.people[0].stages["tidy"] == {"due": 0, "done": 0}
