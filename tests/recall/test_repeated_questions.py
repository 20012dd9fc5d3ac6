"""A question never buries its answer, however often it is asked, nor under what the companion answered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.cue import build_cue
from siliconfriend.recall.repeated_questions import index_text_for, new_share
from siliconfriend.texts import LANGUAGES, Language
from tests.memory.people import NORA, a_profile, a_summary, a_turn
from tests.recall.people import NOW, TOLD_AND_ASKED, found, recalling
from tests.sentences import rows

REPLIES: dict[Language, list[str]] = {
    "en": [
        "",
        "I don't have anything about that yet. Would you like to tell me more?",
        "I'm not sure I remember: {asked}",
        "That's a good question! Let me think about it with you.",
    ],
    "cn": [
        "",
        "这个我还不知道呢，你愿意跟我说说吗？",
        "你问的是“{asked}”对吧，我没有印象。",
        "好问题！我们一起想想看。",
    ],
}

Said = list[tuple[str, str, str]]


def _told(language: Language) -> Said:
    """Two things a day, from the 1st on."""
    pairs = TOLD_AND_ASKED["same_words"][language]
    return [(f"2026-02-{1 + at // 2:02d}", told, "") for at, (told, _) in enumerate(pairs)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_fifty_questions_asked_four_times_over_still_have_their_answers_first(
    language: Language,
) -> None:
    """Nine in ten, by words alone; asked on four days, with replies that say nothing or repeat."""
    pairs = TOLD_AND_ASKED["same_words"][language]
    asked = [
        (f"2026-03-{day:02d}", question, reply.format(asked=question))
        for day, reply in enumerate(REPLIES[language], start=1)
        for _, question in pairs
    ]
    recaller = recalling([*_told(language), *asked])
    first = [found(recaller.recall(NORA, asked, now=NOW))[0] == told for told, asked in pairs]
    assert sum(first) >= 0.9 * len(first)


@pytest.mark.parametrize(
    ("query", "reply", "share"),
    [
        # A statement tells all that it says, though the question has each word of it.
        ("I was in Lima.", "", 1.0),
        ("Was I in Lima?", "", 0.0),
        ("Was I in Lima?", "Were you in Lima?", 0.0),
        # Four new words of the eight that make a whole reply.
        ("Was I in Lima?", "A river, two bridges and trams.", 1 / 2),
        ("Was I in Lima?", "Sun, sand, llamas, dunes, ceviche, pisco, music, fog.", 1.0),
    ],
)
def test_what_a_question_again_adds_is_counted(query: str, reply: str, share: float) -> None:
    """Worked out by hand, asked whether she has been to Lima."""
    cue = build_cue("Have I been to Lima?", PersonMemory(a_profile()), now=NOW)
    assert new_share(a_turn(query, reply), cue) == pytest.approx(share)


def test_what_was_asked_on_a_day_is_part_of_what_was_talked_about_on_it() -> None:
    """Who asks only for a day asks for its questions too; another day's are still none of it."""
    said = [("2026-03-01", "Do you know Bea?", ""), ("2026-03-01", "The cat slept.", "")]
    recaller = recalling([*said, ("2026-03-02", "The kettle is blue.", "")])
    recalled = recaller.recall(NORA, "What did we talk about on 1 March?", now=NOW).memories
    assert {it.memory.date for it in recalled} == {"2026-03-01"}


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
        ("Remind me about the goat on Wednesday", None, [], None),
        ("Remind me about my goat.", None, [], ""),
        ("When the vet comes on Friday I am out.", None, [], None),
        ("Who minds the goat?", "", [], None),
        ("Who minds the goat?", None, [], ""),
        ("谁在养那只羊？", None, [], ""),
        ("Should I sell the goat?", None, [], None),
        ("I sold the goat. Who minds it now?", None, [], None),
        ("I moved to Berlin.", "How is it there?", [], None),
        ("Should I take the job in Berlin?", "What speaks for it?", [], None),
        ("我该接受柏林的工作吗？", "你怎么想？", [公园], None),
    ],
)
def test_what_of_a_turn_is_found_again(
    query: str, response: str | None, used: list, indexed: str | None
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
    rows("news"),
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
