"""The offline writer: only words that were said, chosen for what they say."""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.extraction.extractor import Subject
from siliconfriend.memory.provenance import BY_PERSON, Provenance
from siliconfriend.memory.records import Day, DaySummary
from siliconfriend.night.offline_writer import OfflineWriter
from siliconfriend.testing import WordEmbedder
from tests.night.world import World, portrayed

ADA = Subject("Ada", "SiliconFriend", "en")
XIAO = Subject("小林", "硅友", "cn")


def _days(world: World, said: dict[str, list[str]]) -> list[Day]:
    for date, sentences in said.items():
        for words in sentences:
            world.say(words, on=date)
    return list(world.memory().days.values())


def test_a_days_summary_quotes_what_was_told(world: World) -> None:
    """Greetings, thanks and questions give way to what the person told; the order stays."""
    (day,) = _days(
        world,
        {
            "2026-06-01": [
                "Hello there!",
                "My sister Nora moved to Bergen. I carried her piano up four floors.",
                "Do you like pianos?",
                "Thank you, good night.",
            ]
        },
    )
    assert OfflineWriter().day_summary(ADA, day) == (
        "Ada said: “My sister Nora moved to Bergen.” “I carried her piano up four floors.”"
    )


def test_a_day_of_questions_says_they_were_asked(world: World) -> None:
    """Where nothing was told, the question itself is the day."""
    (day,) = _days(world, {"2026-06-01": ["Which birds sing at four in the morning?"]})
    assert OfflineWriter().day_summary(ADA, day) == (
        "Ada asked: “Which birds sing at four in the morning?”"
    )


def test_a_question_about_the_past_is_not_the_day(world: World) -> None:
    """It would be found in the place of what was told, so only that they asked is said."""
    (day,) = _days(world, {"2026-06-01": ["What did I plant?", "I bought a red bicycle."]})
    asked, told = day.turns
    asked = replace(asked, index_text="")
    writer = OfflineWriter()
    summary = writer.day_summary(ADA, replace(day, turns=(asked, told)))
    assert summary == "Ada said: “I bought a red bicycle.”"
    only = replace(day, turns=(asked,))
    assert writer.day_summary(ADA, only) == "Ada only asked about what was said before."
    assert writer.day_summary(XIAO, only) == "小林只问了以前说过的事。"


def test_a_day_of_greetings_is_quoted_as_it_was(world: World) -> None:
    """Nothing is made up where nothing was told, in either language."""
    (day,) = _days(world, {"2026-06-01": ["Hi!"]})
    assert OfflineWriter().day_summary(ADA, day) == "Ada said: “Hi!”"
    assert OfflineWriter().day_personality(ADA, day).mood == "Said no word of their mood."
    assert OfflineWriter().day_summary(XIAO, Day("2026-06-01")) == "这一天没有说什么。"


def test_the_history_tells_a_day_as_the_person_put_it_right(world: World) -> None:
    """The corrected summary stands for its day, whatever its turns say."""
    first, second = _days(
        world,
        {"2026-06-01": ["I bought a red bicycle."], "2026-06-02": ["The bicycle was stolen."]},
    )
    right = DaySummary(
        id="day-2026-06-01-0-00000000",
        date="2026-06-01",
        text="Ada bought a blue bicycle.",
        trace=first.turns[0].trace,
        provenance=Provenance(BY_PERSON, first.turns[0].trace.created),
    )
    history = OfflineWriter().overall_history(
        ADA, portrayed([replace(first, summary=right), second])
    )
    assert "a blue bicycle" in history
    assert "red" not in history
    assert history.index("blue") < history.index("stolen")


def test_the_portrait_gives_themes_and_moods_with_their_days(world: World) -> None:
    """Only what came up on two days or more."""
    days = _days(
        world,
        {
            "2026-06-01": ["I went rock climbing with Theo and was happy.", "The tram was late."],
            "2026-06-03": ["More rock climbing, and I was so happy on the wall."],
        },
    )
    assert OfflineWriter().overall_personality(ADA, portrayed(days)) == (
        "Comes back to: rock climbing (1 June 2026, 3 June 2026).\n"
        "Moods that return: happy (1 June 2026, 3 June 2026).\n"
        "Reply strategy: Share in the good mood and ask how it went on."
    )


def test_the_history_names_its_days(world: World) -> None:
    """From when to when, and sentences under their dates."""
    days = _days(
        world,
        {
            "2026-06-01": ["My sister Nora moved to Bergen."],
            "2026-06-03": ["I passed the exam in marine biology."],
        },
    )
    assert OfflineWriter().overall_history(ADA, portrayed(days)) == (
        "Ada has talked on 2 days, from 1 June 2026 to 3 June 2026. In their own words:\n"
        "1 June 2026: “My sister Nora moved to Bergen.”\n"
        "3 June 2026: “I passed the exam in marine biology.”"
    )


def test_a_history_without_quotes_announces_none(world: World) -> None:
    """Where the days held only questions, the days are named and nothing is put after them."""
    days = _days(world, {"2026-06-01": ["Do you know a song?"]})
    assert OfflineWriter().overall_history(ADA, portrayed(days)) == (
        "Ada has talked on one day, 1 June 2026."
    )


def test_a_sentence_is_embedded_once(world: World) -> None:
    """The day and the whole history ask for the same sentences."""
    told = [f"I walked along pier {number} and counted the boats there." for number in range(30)]
    (day,) = _days(world, {"2026-06-01": told})
    embedder = WordEmbedder()
    writer = OfflineWriter(embedder)
    assert writer.day_summary(ADA, day) == writer.day_summary(ADA, day)
    assert len(embedder.embedded) == len(set(embedder.embedded)) >= 30
