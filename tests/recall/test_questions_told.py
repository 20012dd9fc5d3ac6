"""A question never buries its answer, and what is told beside a question is found."""

from dataclasses import replace

import pytest

from siliconfriend.memory.knowledge import OFFLINE
from siliconfriend.recall.documents import asking_share, searched_text
from siliconfriend.texts import LANGUAGES, Language
from tests.memory.people import NORA, a_turn
from tests.recall.people import NOW, TOLD_AND_ASKED, found, recalling

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
        ("I was in Lima.", "", 0.0),
        ("我去过利马。", "", 0.0),
        ("Hello!", "Hello!", 0.0),
        ("Was I in Lima?", "", 1.0),
        ("我去过利马吗？", "", 1.0),
        # The answer to a question about the past is that past again.
        ("When was I in Lima?", "In May: sun, sand, llamas, dunes, ceviche, pisco, music.", 1.0),
        # Four new words of the eight that tell as much as any other turn.
        ("Should I go to Lima?", "A river, two bridges and trams.", 1 / 2),
        ("Should I go to Lima?", "Sun, sand, llamas, dunes, ceviche, pisco, music, fog.", 0.0),
        # Told and asked in two sentences, or in one.
        ("Do you remember my sister? My sister moved to Berlin on Saturday.", "", 0.0),
        ("你记得我妹妹吗？我妹妹周六搬到柏林了。", "", 0.0),
        (
            "I'm kinda nervous about my first virtual therapy session with Sara on March 10 at 3 PM"
            " via Zoom, what if I don't know what to say?",
            "",
            0.0,
        ),
        (
            "What movies suit a family weekend with kids like Francis and Lily, considering Thomas"
            " booked a babysitter for Francis on May 11?",
            "",
            1 / 8,
        ),
    ],
)
def test_how_far_a_turn_only_asks(query: str, reply: str, share: float) -> None:
    """By the words it tells beside its question; what is told never counts as asked."""
    assert asking_share(a_turn(query, reply)) == pytest.approx(share, abs=0.13)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("My cat Pixel died last night and I don't know what to say, do you?", "Pixel"),
        ("Do you remember my sister? My sister moved to Berlin on Saturday.", "Berlin"),
        ("Who minds the goat?", "goat"),
        ("你记得我妹妹吗？我妹妹周六搬到柏林了。", "柏林"),
        ("谁在养那只羊？", "羊"),
    ],
)
def test_no_message_has_an_empty_index_text(query: str, wanted: str) -> None:
    """Whatever it asks, and whoever answered."""
    for replied_by in ("", OFFLINE, "openai:model"):
        assert wanted in searched_text(replace(a_turn(query, "Hm."), replied_by=replied_by))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (
            [
                "My sister moved to Hamburg in spring.",
                "Do you remember my sister? My sister moved to Berlin on Saturday.",
            ],
            "Where does my sister live now?",
        ),
        (
            ["我妹妹春天搬到汉堡了。", "你记得我妹妹吗？我妹妹周六搬到柏林了。"],
            "我妹妹现在住在哪里？",
        ),
    ],
)
def test_what_is_put_right_beside_a_question_is_found(said: list[str], asked: str) -> None:
    """The correction shares its words with what it corrects."""
    days = ("2026-02-01", "2026-03-01")
    recaller = recalling([(day, words, "") for day, words in zip(days, said, strict=True)])
    assert said[1] in found(recaller.recall(NORA, asked, now=NOW))


def test_what_was_asked_on_a_day_is_part_of_what_was_talked_about_on_it() -> None:
    """Who asks only for a day asks for its questions too; another day's are still none of it."""
    said = [("2026-03-01", "Do you know Bea?", ""), ("2026-03-01", "The cat slept.", "")]
    recaller = recalling([*said, ("2026-03-02", "The kettle is blue.", "")])
    recalled = recaller.recall(NORA, "What did we talk about on 1 March?", now=NOW).memories
    assert {one.memory.date for one in recalled} == {"2026-03-01"}
