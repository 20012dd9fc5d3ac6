"""A batch without a model: its strongest words, and what the person said with them."""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.extraction.topics.drafts import draft_topics
from tests.memory.people import a_turn


def test_the_summary_is_said_by_the_person_and_has_the_strongest_words() -> None:
    """Two sentences with most of the words that return, in the order they were said."""
    turns = [
        a_turn("Hello there. My piano teacher moved away.", "Oh no.", position=0),
        a_turn("Do you know another piano teacher?", "Let me think.", position=1),
    ]
    (theme,) = draft_topics(turns, continues=True)
    assert theme.summary == "My piano teacher moved away. Do you know another piano teacher?"
    assert theme.key_words[:2] == ("piano", "teacher")
    assert theme.pages == (turns[0].id, turns[1].id)
    assert theme.continues


def test_key_words_go_by_turns_then_times_then_order() -> None:
    """Beans are in two turns, the wall is said twice in one; of 收音 and 收音机 the longer stays."""
    turns = [
        a_turn("The red wall! Beans climb the wall.", position=0),
        a_turn("More beans.", position=1),
    ]
    (theme,) = draft_topics(turns)
    assert theme.key_words == ("beans", "wall", "red", "climb")
    (theme,) = draft_topics([a_turn("收音机和car, scar.")])
    assert theme.key_words == ("收音机", "car", "scar")


def test_a_question_about_what_was_said_before_is_no_page() -> None:
    """Of a day of such questions nothing becomes a topic."""
    told = a_turn("My piano teacher moved away.", position=0)
    asked = replace(a_turn("What moved away?", position=1), index_text="")
    (theme,) = draft_topics([told, asked])
    assert theme.pages == (told.id,)
    assert theme.summary == "My piano teacher moved away."
    assert draft_topics([asked]) == ()


def test_nothing_said_is_no_theme() -> None:
    """An empty batch gives none."""
    assert draft_topics([]) == ()
    assert draft_topics([a_turn("  ")]) == ()
