"""Numbers in digits and in words."""

import pytest

from siliconfriend.language.numbers import (
    figures_in,
    figures_told,
    numbers_to_digits,
    ordinals_to_digits,
    parse_number,
)
from tests.sentences import rows


@pytest.mark.parametrize(("text", "number"), rows("numbers"))
def test_numbers_are_parsed(text: str, number: int) -> None:
    """Digits, English words and Chinese characters."""
    assert parse_number(text) == number


@pytest.mark.parametrize("text", ["", "many", "twenty-ten", "几"])
def test_what_is_no_number_is_refused(text: str) -> None:
    """Rather than taken for some number."""
    with pytest.raises(ValueError, match="no number"):
        parse_number(text)


def test_number_words_become_digits() -> None:
    """Where they count something: "one" is a pronoun, and 一 a part of 一起."""
    assert numbers_to_digits("Eight people, twenty-one cats") == "8 people, 21 cats"
    assert numbers_to_digits("no one, someone") == "no one, someone"
    assert numbers_to_digits("二十一个人一起") == "21个人一起"


def test_ordinals_become_digits() -> None:
    """With the ending that belongs to them."""
    assert ordinals_to_digits("the first, Second and twenty-third") == "the 1st, 2nd and 23rd"
    assert ordinals_to_digits("eleventh, thirty-first, thirtieth") == "11th, 31st, 30th"


@pytest.mark.parametrize(("english", "chinese"), rows("same_numbers"))
def test_both_languages_hold_the_same_numbers(english: str, chinese: str) -> None:
    """Months count by their number, and "a" is none in either."""
    assert figures_told(english) == figures_told(chinese)


def test_endless_digits_are_cut() -> None:
    """Whatever is typed, nothing raises."""
    assert figures_told("9" * 5000)
    assert figures_told("九" * 5000 + "个")


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("一千二百块", {"1200"}),
        ("三千二百块", {"3200"}),
        ("一万两千块", {"12000"}),
        ("两三个人", {"2", "3"}),
        ("七八个", {"7", "8"}),
        ("五六十块", {"50", "60"}),
    ],
)
def test_large_and_approximate_numbers_are_read(text: str, figures: set[str]) -> None:
    assert figures_in(text) == figures


@pytest.mark.parametrize(
    ("text", "number"),
    [("一百二", 120), ("两百三", 230), ("一百零二", 102), ("一千二", 1200), ("三万五", 35_000)],
)
def test_a_last_digit_without_its_unit_is_of_the_next_one(text: str, number: int) -> None:
    assert parse_number(text) == number
