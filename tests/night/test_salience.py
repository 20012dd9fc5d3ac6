"""What stands out in a person's words: central sentences with variety, and recurring terms."""

from __future__ import annotations

from siliconfriend.language.content_words import content_words
from siliconfriend.night.salience import most_central, recurring_terms
from siliconfriend.testing import WordEmbedder


def test_the_most_central_come_first_and_then_another_matter() -> None:
    """Of four sentences two say nearly the same: one of them and the other matter are taken."""
    sentences = [
        "grandmother bakes oat bread",
        "grandmother bakes oat bread slowly",
        "grandmother sails boats north",
        "kettle whistle",
    ]
    embedder = WordEmbedder()
    assert most_central(sentences, 2, embedder) == [0, 2]
    assert most_central(sentences, 2) == [0, 2]
    assert most_central(sentences, 9) == [0, 1, 2, 3]


def test_what_is_said_again_counts_once_where_it_was_said_first() -> None:
    """Otherwise a habit would fill the history of years."""
    sentences = ["I swept the yard", "The choir sang in Bergen", "i swept the yard", "Ruth called"]
    assert most_central(sentences, 3) == [0, 1, 3]
    assert most_central(["I swept the yard"] * 9, 3) == [0]


def test_of_thousands_each_stretch_of_the_talk_is_looked_at() -> None:
    """A month in which one matter was spoken of daily does not stand for the years."""
    habit = ["I swept the garden yard" + "!" * at for at in range(2900)]
    sentences = [*habit, *("The choir sang a song in our garden" + "!" * at for at in range(100))]
    first, second = most_central(sentences, 2)
    assert first < 2900 <= second


def test_recurring_terms_are_words_that_return() -> None:
    """A pair stands for its words; terms of most days come first."""
    found = recurring_terms(
        {
            date: {sentence: content_words(sentence) for sentence in sentences}
            for date, sentences in {
                "2026-06-01": ["The choir sang.", "My violin lesson was long."],
                "2026-06-02": ["Choir again.", "A violin lesson too."],
                "2026-06-03": ["The choir was loud."],
            }.items()
        },
        most=3,
        least_days=2,
    )
    assert [(term.name.lower(), len(term.days)) for term in found] == [
        ("choir", 3),
        ("violin lesson", 2),
    ]
