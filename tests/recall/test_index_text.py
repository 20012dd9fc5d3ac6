"""Echoes: a companion asked about the past must not bury it under its own answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from siliconfriend.clock import FixedClock
from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.recall.index_text import index_text_for
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language
from tests.memory.people import NORA, a_summary, a_turn
from tests.recall.people import GARDEN, a_recaller, found, remember, turns

PARK = a_turn("I saw a squirrel in Green Meadow Park.", "How lovely!")
公园 = a_turn("我在绿禾公园看到一只松鼠。", "真可爱！")


@pytest.mark.parametrize(
    ("query", "response", "used", "indexed"),
    [
        # A question about what was recalled, answered with it.
        ("What did I see in the park?", "You saw a squirrel in Green Meadow Park.", [PARK], ""),
        ("我在公园看到了什么？", "你在绿禾公园看到一只松鼠。", [公园], ""),
        ("还记得那只松鼠吗？", "记得，在绿禾公园。", [公园], ""),
        # A question about the past that finds nothing says nothing either.
        ("Did I ever tell you my shoe size?", "I do not remember that.", [], ""),
        ("我以前说过我的鞋码吗？", "我不记得了。", [], ""),
        ("What do I drink?", "That I do not know.", [], ""),
        ("When was I born?", "That I do not know.", [], ""),
        ("我什么时候出生的？", "我不知道。", [], ""),
        ("我喝什么？", "我不知道。", [], ""),
        # One that tells of a life, or asks about the world, does not look back.
        ("What do I do about my mother's fall?", "", [], None),
        ("What is osmosis?", "Water passing through a skin.", [], None),
        # News stays whole.
        ("I moved to Berlin.", "How is it there?", [], None),
        ("Should I take the job in Berlin?", "What speaks for it?", [], None),
        ("我搬到柏林了。", "那里怎么样？", [], None),
        ("我该接受柏林的工作吗？", "你怎么想？", [公园], None),
    ],
)
def test_what_of_a_turn_is_found_again(
    query: str, response: str, used: list, indexed: str | None
) -> None:
    """Nothing of an echo, all of what is new, in both languages."""
    assert index_text_for(query, response, used) == indexed


def test_news_inside_a_question_is_kept_and_the_question_is_not() -> None:
    """Only the sentence that says something."""
    kept = index_text_for(
        "I moved to Berlin. Do you remember the squirrel in the park?",
        "You saw a squirrel in Green Meadow Park. Berlin has fine lakes for swimming.",
        [PARK],
    )
    assert kept == "I moved to Berlin.\nBerlin has fine lakes for swimming."


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        # News in the same breath as a question about the past.
        ("I moved to Berlin, do you remember my old city?", "I moved to Berlin"),
        ("I moved to Berlin and do you remember my old city?", "I moved to Berlin"),
        ("Yesterday I left Sam. What did I tell you about him?", "Yesterday I left Sam."),
        ("我搬到柏林了，你还记得我以前住哪个城市吗？", "我搬到柏林了"),
        ("我换工作了。你还记得我以前在哪上班吗？", "我换工作了。"),
        # What only sets the scene for such a question.
        ("On May 4th I told you about my travel plans. Where did I plan to go?", ""),
        ("On April 28, I saw a squirrel in the park. What was it doing?", ""),
        ("You once recommended a game to me. What was its name?", ""),
        ("When I visited Paris last year, what did I eat?", ""),
        ("4月28号，我在公园看到了一只松鼠，它在做什么？", ""),
        ("上次跟你说的那个公园，叫什么名字？", ""),
        ("我的生日是几号？", ""),
        # A question that weighs what to do tells of a life.
        ("Was I wrong to shout at Tom?", None),
        ("I forgot my keys at the office, what should I do?", None),
        ("What should I cook for my daughter Lily?", None),
        ("我昨天和老板吵架了，该怎么办？", None),
        ("我今天丢了钱包，该去哪里报案？", None),
        # No question, though it speaks of remembering.
        ("I will always remember this day in Rome.", None),
        ("Remind me to buy milk.", None),
        ("我一直记得那天在海边的日落。", None),
    ],
)
def test_news_is_told_from_what_sets_the_scene(query: str, kept: str | None) -> None:
    """Clause by clause, in both languages."""
    assert index_text_for(query, "", [PARK, 公园]) == kept


def test_what_was_said_today_already_is_not_said_again() -> None:
    """On another day it is: who feels tired again says something."""
    tired = a_turn("I feel tired.", "Rest a little.", day="2026-03-14")
    assert index_text_for("I feel tired.", "", [tired], day="2026-03-14") == ""
    assert index_text_for("I feel tired.", "", [tired], day="2026-03-15") is None
    told = index_text_for("I feel tired.", "Try a walk by the river.", [tired], day="2026-03-14")
    assert told == "Try a walk by the river."
    assert index_text_for("Oh!", "A heron flew by.", [tired], day="2026-03-14") is None


def test_what_a_night_makes_of_a_message_before_its_answer_does_not_hide_it() -> None:
    """A summary that was made while the answer was on its way holds the message itself."""
    made = a_summary("Nora said: “I feel tired.”", day="2026-03-14")
    of_it = replace(made, provenance=replace(made.provenance, from_ids=("turn-1", "turn-2")))
    for turn, indexed in (("turn-2", None), ("turn-3", "")):
        given = index_text_for("I feel tired.", "", [of_it], day="2026-03-14", turn=turn)
        assert given == indexed


@pytest.mark.parametrize(
    ("event", "query"),
    [
        ("I fed the grey cat. I walked the black dog.", "I fed the black dog."),
        ("我喂了灰猫。我遛了黑狗。", "我喂了黑狗。"),
    ],
)
def test_what_several_sentences_of_today_hold_together_was_not_said(event: str, query: str) -> None:
    made = a_summary(event, day="2026-03-14")
    assert index_text_for(query, "", [made], day="2026-03-14") is None
    assert index_text_for(event, "", [made], day="2026-03-14") == ""


QUESTIONS: dict[Language, list[tuple[str, str]]] = {
    "en": [
        ("Where did I plant the beans?", "I planted beans by the red wall."),
        ("Do you remember where my sister moved?", "My sister Ines moved to Porto."),
        ("What did the dentist find?", "The dentist found nothing wrong."),
        ("Which kettle did I buy?", "I bought a blue kettle."),
    ],
    "cn": [
        ("我在哪里种了豆角？", "我在红墙边种了豆角。"),
        ("你还记得我妹妹搬到哪里了吗？", "我妹妹搬去了厦门。"),
        ("牙医说了什么？", "牙医说我的牙没有问题。"),
        ("我买了什么颜色的水壶？", "我买了一个蓝色的水壶。"),
    ],
}


@pytest.mark.parametrize("language", ["en", "cn"])
def test_asking_four_times_over_finds_as_well_as_the_first_time(
    home: Path, language: Language
) -> None:
    """Through the whole chat: every question four times, the answer in the first place each time."""
    store = InMemoryStore()
    said = (
        GARDEN if language == "en" else [(GARDEN[0][0], it, "好的。") for _, it in QUESTIONS["cn"]]
    )
    remember(store, turns(said))
    settings = load_settings(
        home=home, environ={}, embedding="none", timezone="UTC", language=language
    )
    recaller = a_recaller(store, None)
    for hour in (9, 11, 13, 15):
        now = datetime.fromisoformat(f"2026-03-14T{hour:02d}:00+00:00")
        friend = Companion("Nora", runtime=Runtime(settings, FixedClock(now), store=store))
        for question, evidence in QUESTIONS[language]:
            assert found(recaller.recall(NORA, question, now=now))[0] == evidence
            friend.reply(question)
