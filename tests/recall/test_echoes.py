"""A question never buries its answer, however often and in whatever form it was asked before."""

from __future__ import annotations

import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.cue import build_cue
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.repeated_questions import new_share
from siliconfriend.texts import LANGUAGES, Language
from tests.memory.people import NORA, a_profile, a_turn
from tests.recall.people import NOW, TOLD_AND_ASKED, a_recaller, found, remember, turns

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


def _recalling(*said: tuple[str, str, str]) -> Recaller:
    store = InMemoryStore()
    remember(store, turns(said))
    return a_recaller(store, None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_fifty_questions_asked_four_times_over_still_have_their_answers_first(
    language: Language,
) -> None:
    """Stored as they are, on four days, with replies that say nothing, pass back or repeat."""
    pairs = TOLD_AND_ASKED["same_words"][language]
    asked = [
        (f"2026-03-{day:02d}", question, reply.format(asked=question))
        for day, reply in enumerate(REPLIES[language], start=1)
        for _, question in pairs
    ]
    recaller = _recalling(*_told(language), *asked)
    best = {question: found(recaller.recall(NORA, question, now=NOW))[0] for _, question in pairs}
    assert best == {question: told for told, question in pairs}


@pytest.mark.parametrize(
    ("echo", "question", "told"),
    [
        # In other words, with what was said after it on the same day.
        ("What was it that happened in Lima?", "What happened in Lima?", "In 2012 I saw Lima."),
        ("我去利马那次究竟怎么样？", "我去利马怎么样？", "2012年我去过利马。"),
    ],
)
def test_a_question_in_other_words_stands_behind_what_tells(
    echo: str, question: str, told: str
) -> None:
    """Asked three times, it still comes after the answer."""
    asked = [(f"2026-03-0{day}", echo, "") for day in (1, 2, 3)]
    weather = ("2026-03-03", "It rained." if question.isascii() else "下雨了。", "")
    assert (
        found(
            _recalling(("2026-02-01", told, ""), *asked, weather).recall(NORA, question, now=NOW)
        )[0]
        == told
    )


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
    recaller = _recalling(*said, ("2026-03-02", "The kettle is blue.", ""))
    recalled = recaller.recall(NORA, "What did we talk about on 1 March?", now=NOW).memories
    assert {it.memory.date for it in recalled} == {"2026-03-01"}
