"""A whole night: what it does, what it leaves alone, and that it can be run again."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from siliconfriend.control.edit import edit_memory
from siliconfriend.dialogue.first_words import FirstWords, speak_first
from siliconfriend.errors import ModelUnavailable, UnknownPerson, UnusableAnswer, UsageError
from siliconfriend.memory.changes import PutSummary, PutTrace, PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Asked, DaySummary, PersonMemory, Turn
from siliconfriend.models.base import Message, Usage
from siliconfriend.runtime import Runtime
from siliconfriend.testing import ScriptedChatModel
from tests.embedding import WordEmbedder
from tests.memory.stored import put
from tests.night.world import ADA, JUNE_5, XIAO, World, obedient, working_model


def _summary(world: World, date: str) -> DaySummary:
    found = world.memory().days[date].summary
    assert found is not None
    return found


def test_a_night_writes_all_texts_of_the_days_before_today(two_days: World) -> None:
    two_days.say("It is late.", on="2026-06-05")
    chat = working_model(confirms=False)
    person = two_days.person_night(chat)
    assert person["status"] == "ok"
    assert person["summarised"] == ["2026-06-01", "2026-06-03"]
    assert person["llm"]["calls"] == 7 == len(chat.calls)
    memory = two_days.memory()
    day = memory.days["2026-06-03"]
    assert day.summary is not None
    assert day.summary.provenance.made_by == "scripted"
    assert day.summary.provenance.from_ids == tuple(turn.id for turn in day.turns)
    assert day.personality is not None
    assert day.personality.text == "Traits: Patient.\nMood: Glad.\nReply strategy: Ask on."
    assert memory.days["2026-06-05"].summary is None
    assert memory.overall_history is not None
    assert memory.overall_history.provenance.from_ids == tuple(
        _summary(two_days, date).id for date in ("2026-06-01", "2026-06-03")
    )
    assert memory.overall_personality is not None


def test_a_second_night_does_nothing_and_says_so(two_days: World) -> None:
    two_days.night(working_model())
    before = two_days.memory()
    report = two_days.night(ScriptedChatModel())
    assert two_days.memory() == before
    (person,) = report.to_json()["users"]
    assert (person["summarised"], person["archived"], person["dimmed"]) == ([], {}, {})
    assert "There was nothing to do" in report.to_text("en")


def test_a_day_talked_on_is_summed_up_again_from_every_turn(two_days: World) -> None:
    two_days.night(working_model())
    first = _summary(two_days, "2026-06-03")
    turn = two_days.memory().days["2026-06-03"].turns[0]
    recalled = first.trace.recalled(JUNE_5, two_days.memory().profile.zone)
    changes = [PutTrace(turn.id, turn.trace.archived_at(JUNE_5)), PutTrace(first.id, recalled)]
    put(two_days.store, ADA, *changes)
    two_days.say("The exam went well after all.", on="2026-06-03")
    chat = working_model()
    assert two_days.person_night(chat)["summarised"] == ["2026-06-03"]
    assert "marine biology" in chat.calls[0][0].content
    assert "went well" in chat.calls[0][0].content
    again = _summary(two_days, "2026-06-03")
    assert again.trace == recalled
    assert again.id == first.id
    assert len(again.provenance.from_ids) == 3


def test_a_failed_day_stays_pending_and_the_others_go_on(two_days: World) -> None:
    failure = UnusableAnswer("model_empty", name="scripted")
    chat = ScriptedChatModel([failure], otherwise=obedient)
    report = two_days.night(chat)
    (person,) = report.to_json()["users"]
    assert (person["status"], person["summarised"]) == ("failed", ["2026-06-03"])
    assert person["pending"] == ["2026-06-01"]
    assert person["errors"] == ["2026-06-01: model_empty"]
    assert two_days.memory().days["2026-06-01"].summary is None
    assert "left for the next night: 1 June 2026" in report.to_text("en")
    again = two_days.person_night(working_model())
    assert (again["status"], again["summarised"]) == ("ok", ["2026-06-01"])


def test_a_refused_key_is_asked_once_and_not_for_every_day(two_days: World) -> None:
    refused = ModelUnavailable("model_key", name="m", address="a", status=401)
    two_days.say("Hello from me, I like my garden a lot.", on="2026-06-02", scope=XIAO)
    chat = ScriptedChatModel([refused])
    report = two_days.night(chat)
    people = report.to_json()["users"]
    assert [person["status"] for person in people] == ["failed", "failed"]
    assert people[0]["pending"] == ["2026-06-01", "2026-06-03", "reading"]
    assert people[0]["errors"] == ["2026-06-01: model_key"]
    assert "refused the model's key" in report.to_text("en")
    assert len(chat.calls) == 1
    assert len(people[1]["errors"]) == 1


def test_tokens_of_answers_of_no_use_are_counted(two_days: World) -> None:
    """A server takes money for them too."""
    wasted = UnusableAnswer("model_not_json", name="m", usage=Usage(2, 14, 6))
    used = two_days.night(ScriptedChatModel([wasted] * 20)).to_json()["users"][0]["llm"]
    assert used["calls"] > 0
    assert used == Usage(used["calls"], 7 * used["calls"], 3 * used["calls"]).document()


def meanwhile(happens: Callable[[], object], at_call: int = 1) -> ScriptedChatModel:
    """A model during one of whose answers something happens to the memory."""
    calls = count(1)

    def answer(messages: Sequence[Message]) -> Any:
        if next(calls) == at_call:
            happens()
        return obedient(messages)

    return ScriptedChatModel(otherwise=answer)


def test_what_is_said_while_the_model_thinks_is_not_marked_as_summed_up(world: World) -> None:
    world.say("I planted beans in the garden.", on="2026-06-05")
    chat = meanwhile(lambda: world.say("And two rows of peas.", on="2026-06-05"))
    person = world.person_night(chat, today=True)
    assert (person["summarised"], person["pending"]) == ([], ["2026-06-05"])
    assert person["status"] == "pending"
    assert world.memory().days["2026-06-05"].summary is None
    assert len(world.memory().days["2026-06-05"].turns) == 2
    assert world.person_night(working_model(), today=True)["summarised"] == ["2026-06-05"]


def test_a_portrait_made_from_what_changed_meanwhile_is_dropped(two_days: World) -> None:

    def change() -> None:
        put(two_days.store, ADA, PutSummary("2026-06-01", None))

    person = two_days.person_night(meanwhile(change, at_call=5))
    assert person["pending"] == ["portrait"]
    assert two_days.memory().overall_history is None
    assert two_days.memory().overall_personality is None


def test_a_correction_by_the_person_stands(two_days: World) -> None:

    def correct() -> None:
        summary = _summary(two_days, "2026-06-01")
        edit_memory(two_days.store, ADA, summary.id, JUNE_5, text="Nora moved to Bergen.")

    two_days.night()
    two_days.night(meanwhile(correct))
    assert _summary(two_days, "2026-06-01").text == "Nora moved to Bergen."
    two_days.night(working_model())
    assert _summary(two_days, "2026-06-01").text == "Nora moved to Bergen."


def test_offline_texts_are_redone_by_a_model_and_never_the_other_way(two_days: World) -> None:
    person = two_days.person_night()
    assert person["llm"] == {"calls": 0, "input_tokens": 0, "output_tokens": 0}
    assert _summary(two_days, "2026-06-01").provenance.made_by == "offline"
    assert two_days.person_night(working_model())["summarised"] == ["2026-06-01", "2026-06-03"]
    by_model = two_days.memory()
    assert two_days.person_night()["summarised"] == []
    assert two_days.memory() == by_model


def test_a_dry_run_says_what_would_be_done_and_does_nothing(two_days: World) -> None:
    before = two_days.memory()
    report = two_days.night(ScriptedChatModel(), dry_run=True)
    (person,) = report.to_json()["users"]
    assert person["summarised"] == ["2026-06-01", "2026-06-03"]
    assert person["stages"]["portrait"] == {"due": 2, "done": 0}
    assert two_days.memory() == before
    assert not (two_days.settings.home / "night").exists()
    assert "would sum up: 1 June 2026, 3 June 2026" in report.to_text("en")


def test_a_dry_run_foretells_what_would_be_archived(two_days: World) -> None:
    two_days.clock.moment += timedelta(days=120)
    foretold = two_days.person_night(dry_run=True)
    done = two_days.person_night()
    assert foretold["archived"] == done["archived"] == {"turn": 2}


def test_what_newly_grew_dim_is_counted_once(two_days: World) -> None:
    """On the 36th day two turns are past their half-life, the exam is not; the next night none."""
    two_days.night()
    two_days.clock.moment += timedelta(days=30)
    assert two_days.person_night()["dimmed"] == {"turn": 2}
    assert two_days.person_night()["dimmed"] == {}


def test_one_persons_fault_does_not_end_the_others_night(
    two_days: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_days.say("I like my garden a lot, the beans are up.", on="2026-06-02", scope=XIAO)
    whole = two_days.store.load

    def load(scope: Any) -> PersonMemory:
        if scope == ADA:
            raise ValueError("my sister Nora")
        return whole(scope)

    monkeypatch.setattr(two_days.store, "load", load)
    broken, fine = two_days.night().to_json()["users"]
    assert broken["status"] == "failed"
    assert broken["errors"] == ["ValueError: night_unexpected"]
    assert "Nora" not in json.dumps(broken)
    assert (fine["status"], fine["summarised"]) == ("ok", ["2026-06-02"])


def test_only_those_named_have_their_night(two_days: World) -> None:
    two_days.meet(XIAO, "cn")
    assert [one["user"] for one in two_days.night(users=[" 小林 "]).to_json()["users"]] == ["小林"]
    with pytest.raises(UnknownPerson):
        two_days.night(users=["Nobody"])
    with pytest.raises(UsageError, match="reflect, forget, index, report"):
        two_days.night(stages=["dream"])


def test_a_chinese_person_gets_chinese_texts(world: World) -> None:
    world.meet(XIAO, "cn")
    world.say("我今天在西湖边画了一下午的荷花。", "真好。", on="2026-06-01", scope=XIAO)
    world.night()
    day = world.memory(XIAO).days["2026-06-01"]
    assert day.summary is not None
    assert day.summary.text == "我今天在西湖边画了一下午的荷花。"
    chat = working_model()
    world.night(chat)
    assert "请根据小林和AI伴侣硅友在2026-06-01（星期一）的对话写出总结" in chat.calls[0][0].content
    assert "小林：我今天在西湖边" in chat.calls[0][0].content


class _Away(WordEmbedder):
    """An embedder whose service cannot be had."""

    def passages(self, texts: Any) -> Any:
        raise ModelUnavailable("model_unreachable", name=self.name, address="nowhere")


def test_an_index_that_cannot_be_made_is_reported(two_days: World) -> None:
    two_days.store = FileStore(two_days.settings.home)
    two_days.say("I helped carry a piano.", on="2026-06-01")
    person = two_days.person_night(embedder=_Away())
    assert person["summarised"] == ["2026-06-01"]
    assert person["errors"] == ["index: model_unreachable"]


def test_the_first_words_of_the_day_are_a_models(two_days: World) -> None:
    two_days.say("I have my exam on 5 June. Never mention my ex Dave again.", on="2026-06-04")

    def answer(messages: Sequence[Message]) -> Any:
        found = obedient(messages)
        if isinstance(found, dict) and "overall_history" in found:
            return {**found, "first_words": "Today is your exam. How do you feel?"}
        return found

    chat = ScriptedChatModel(otherwise=answer)
    two_days.night(chat)
    (asked,) = [call[0].content for call in chat.calls if "overall_history" in call[0].content]
    assert "<due>\n[2026-06-04] I have my exam on 5 June." in asked
    said = _greet(two_days)
    assert said.text == "Today is your exam. How do you feel?"
    two_days.clock.move(days=1)
    assert "How do you feel?" not in _greet(two_days).text


def test_first_words_are_written_for_a_day_before_which_nobody_talked(two_days: World) -> None:
    """The portrait of an earlier night has none; a wish about what not to mention holds for them."""
    told = "My driving exam is on 9 June. On 9 June I also pick up the piano."
    two_days.say(told, on="2026-06-04")
    two_days.say("Dave's hearing is on 9 June.", on="2026-06-04")

    def answer(messages: Sequence[Message]) -> Any:
        found = obedient(messages)
        words = "The piano comes today!" if "<due>" in messages[-1].content else ""
        is_portrait = isinstance(found, dict) and "overall_history" in found
        return {**found, "first_words": words} if is_portrait else found

    two_days.night(ScriptedChatModel(otherwise=answer))
    wish = "Please don't mention Dave."
    identifier = two_days.say(wish, on="2026-06-04")
    turn = two_days.memory().find(identifier)
    assert isinstance(turn, Turn)
    with two_days.store.edit(ADA) as edit:
        edit.add(PutTurn(replace(turn, asked=Asked("silence", wish))))
    two_days.clock.set("2026-06-09T04:00:00+00:00")
    chat = ScriptedChatModel(otherwise=answer)
    two_days.night(chat)
    (asked,) = [call[0].content for call in chat.calls if "overall_history" in call[0].content]
    assert "piano" in asked.partition("<due>")[2]
    assert "hearing" not in asked.partition("<due>")[2]
    assert _greet(two_days).text == "The piano comes today!"


def _greet(world: World) -> FirstWords:
    runtime = Runtime(world.settings, world.clock, store=world.store)
    now = world.clock.now(world.settings.zone)
    return speak_first(world.store, runtime.recaller, ADA, now=now, companion_name="Kai")
