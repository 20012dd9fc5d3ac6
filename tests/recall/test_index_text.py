"""Echoes: a companion asked about the past must not bury it under its own answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.recall.repeated_questions import index_text_for
from tests.memory.people import a_summary, a_turn

PARK = a_turn("I saw a squirrel in Green Meadow Park.", "How lovely!")
公园 = a_turn("我在绿禾公园看到一只松鼠。", "真可爱！")


@pytest.mark.parametrize(
    ("query", "response", "used", "indexed"),
    [
        ("What did I see in the park?", "You saw a squirrel in Green Meadow Park.", [PARK], ""),
        ("我在公园看到了什么？", "你在绿禾公园看到一只松鼠。", [公园], ""),
        ("Did I ever tell you my shoe size?", "I do not remember that.", [], ""),
        ("我以前说过我的鞋码吗？", "我不记得了。", [], ""),
        ("When was I born?", "That I do not know.", [], ""),
        ("我什么时候出生的？", "我不知道。", [], ""),
        ("What do I do about my mother's fall?", "", [], None),
        ("What is osmosis?", "Water passing through a skin.", [], None),
        ("I moved to Berlin.", "How is it there?", [], None),
        ("Should I take the job in Berlin?", "What speaks for it?", [], None),
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
        ("I moved to Berlin, do you remember my old city?", "I moved to Berlin"),
        ("I moved to Berlin and do you remember my old city?", "I moved to Berlin"),
        ("Yesterday I left Sam. What did I tell you about him?", "Yesterday I left Sam."),
        ("我搬到柏林了，你还记得我以前住哪个城市吗？", "我搬到柏林了"),
        ("我换工作了。你还记得我以前在哪上班吗？", "我换工作了。"),
        ("On May 4th I told you about my travel plans. Where did I plan to go?", ""),
        ("You once recommended a game to me. What was its name?", ""),
        ("When I visited Paris last year, what did I eat?", ""),
        ("4月28号，我在公园看到了一只松鼠，它在做什么？", ""),
        ("我的生日是几号？", ""),
        ("Was I wrong to shout at Tom?", None),
        ("What should I cook for my daughter Lily?", None),
        ("我昨天和老板吵架了，该怎么办？", None),
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
