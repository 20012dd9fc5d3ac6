"""Days named in words: hand-worked tables in both languages, what is remembered, and any text at all."""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from time import process_time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import matches
from siliconfriend.recall.dates import DateSpan, find_dates, find_dates_by_part, find_dates_said_on
from siliconfriend.recall.dates.calendar import holiday_in, load_table
from siliconfriend.recall.dates.fields import QUARTER
from siliconfriend.recall.dates.grammar import GRAMMARS
from tests.sentences import rows

TESTS = Path(__file__).parents[1]
TABLES = {
    language: tomllib.loads((TESTS / "data" / f"dates_{language}.toml").read_text(encoding="utf-8"))
    for language in ("en", "cn")
}
NOW = datetime(2023, 5, 10, 9, tzinfo=UTC)
"""A Wednesday. The month before: 27 April was a Thursday, 30 April a Sunday, 1 May a Monday."""

DAYS = tuple(date(2023, 4, 27) + timedelta(days=number) for number in range(10))
WINTER = datetime(2026, 2, 9, 18, 30, tzinfo=UTC)


def read(text: str, now: datetime = NOW, days: tuple[date, ...] = DAYS) -> list[str]:
    """The days a text names, each as :func:`short` writes it."""
    return [short(span) for span in find_dates(text, now=now, zone=ZoneInfo("UTC"), days=days)]


def short(span: DateSpan) -> str:
    """First and last day, one where they are the same."""
    return f"{span.first}" if span.first == span.last else f"{span.first}..{span.last}"


MISREAD = {
    "Who is in my year at school?",
    "the capital of May Island",
    "The week before Easter I go to Rome.",
    "I have my first lesson in three days.",
    "In three years I have never been late.",
    "We move in December.",
    "放暑假了，我回老家。",
}
"""Sentences that no rule reads as a person does."""


def _rows() -> Iterator[Any]:
    """Yield each sentence with the days it names and those that are found, both ends of each."""
    for table in TABLES.values():
        for kind, groups in table.items():
            for group in groups:
                for text, *expected in group["rows"]:
                    marks = [pytest.mark.xfail(strict=True)] if text in MISREAD else []
                    row = (kind, group["day"], group.get("talked", ()), text, expected)
                    yield pytest.param(*row, marks=marks, id=f"{group['day']}-{text}")


@pytest.mark.parametrize(("kind", "day", "talked", "text", "expected"), list(_rows()))
def test_sentences_name_their_days(
    kind: str, day: date, talked: Sequence[date], text: str, expected: list[str]
) -> None:
    """Asked on a day with memories of all days from the first to the last of ``talked``, or told."""
    if kind == "told":
        found = [short(span) for span in find_dates_said_on(text, day)]
    else:
        first, last = talked or (date.max, date.min)
        days = tuple(first + timedelta(days=at) for at in range((last - first).days + 1))
        found = read(text, datetime.combine(day, time(9), UTC), days)
    assert found == expected


@pytest.mark.parametrize(
    ("now", "days", "expected"),
    [
        ("2023-05-10", ["2021-05-01"], "2021-05-04"),
        ("2023-05-10", ["2021-05-01", "2022-05-18"], "2022-05-04"),
        # half a month away is around, a day more is not
        ("2023-05-01", ["2021-05-04", "2022-04-19"], "2022-05-04"),
        ("2023-05-01", ["2021-05-04", "2022-04-18"], "2021-05-04"),
        # this year's has not come yet
        ("2023-04-10", ["2021-05-01", "2022-05-01", "2023-04-09"], "2022-05-04"),
        # nothing is remembered around any: the latest that has been
        ("2023-05-10", ["2022-11-11"], "2023-05-04"),
        # only days ahead: something planned
        ("2023-05-01", ["2023-04-02"], "2023-05-04"),
        ("2023-05-01", [], "2022-05-04"),
    ],
)
def test_a_date_asked_without_its_year_is_of_one_they_remember(
    now: str, days: list[str], expected: str
) -> None:
    """The latest year, not after now, that has memories within half a month of that date."""
    moment = datetime.fromisoformat(f"{now}T09:00+00:00")
    remembered = tuple(date.fromisoformat(day) for day in days)
    for text in ("on May 4th", "5月4号"):
        assert read(text, moment, remembered) == [expected]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("What did I do on 22 September?", "2025-09-22"),
        ("What have I got on 22 September?", "2026-09-22"),
        ("What did I tell you about 22 September?", "2026-09-22"),
        ("Who is coming for Christmas?", "2026-12-25"),
        ("Who was coming for Christmas?", "2025-12-25"),
        ("圣诞节我为什么要加班？", "2025-12-25"),
        ("我9月22号做了什么？", "2025-09-22"),
        ("我9月22号有什么事？", "2026-09-22"),
    ],
)
@pytest.mark.parametrize("planned", [(), (date(2026, 9, 22),)])
def test_a_question_looks_to_the_side_of_its_tense(
    words: str, expected: str, planned: tuple[date, ...]
) -> None:
    """Asked on 12 September, with something told in August, and perhaps a plan."""
    now = datetime(2026, 9, 12, 10, tzinfo=UTC)
    days = (date(2026, 8, 1), date(2026, 9, 1))
    (span, *_) = find_dates(words, now=now, zone=ZoneInfo("UTC"), days=days, planned=planned)
    assert span.first.isoformat() == expected


@pytest.mark.parametrize(("words", "expected"), rows("weekdays_asked"))
def test_a_weekday_asked_about_lies_on_the_side_of_the_tense(words: str, expected: str) -> None:
    """Asked on a Monday."""
    assert read(words, datetime(2026, 2, 9, 18, tzinfo=UTC)) == [expected]


def test_a_holiday_is_the_last_of_which_something_was_told() -> None:
    """The one told of at its time or in the days after it; of none, the last."""
    told = (date(2024, 11, 5), date(2025, 10, 31), date(2025, 11, 20))
    assert read("on Bonfire Night", WINTER, told) == ["2024-11-05"]
    assert read("on Bonfire Night", WINTER, (*told[:2], date(2025, 11, 8), told[2])) == [
        "2025-11-05"
    ]
    assert read("on Bonfire Night", WINTER, ()) == ["2025-11-05"]


def test_the_29th_of_february_is_of_a_leap_year() -> None:
    now = datetime(2023, 3, 5, tzinfo=UTC)
    assert read("Feb 29", now, ()) == read("2月29日", now, ()) == ["2020-02-29"]
    assert read("February 29, 2023", now, ()) != ["2023-02-29"]
    assert read("2023年2月29日", now, ()) != ["2023-02-29"]


def test_the_day_is_the_persons_own() -> None:
    """At the same moment it is still yesterday elsewhere."""
    moment = datetime(2023, 5, 10, 3, tzinfo=UTC)
    for zone, expected in (("Asia/Shanghai", "2023-05-09"), ("America/Los_Angeles", "2023-05-08")):
        (span,) = find_dates("yesterday", now=moment, zone=ZoneInfo(zone))
        assert str(span.first) == expected


@pytest.mark.parametrize(
    ("name", "year", "expected"),
    [
        ("whitsun", 2026, "2026-05-24"),
        ("mlk_day", 2026, "2026-01-19"),
        ("memorial_day", 2026, "2026-05-25"),
        ("black_friday", 2024, "2024-11-29"),
        ("lunar_new_years_eve", 2023, "2023-01-21"),
        ("mid_autumn", 2020, "2020-10-01"),
        ("qingming", 2023, "2023-04-05"),
    ],
)
def test_holidays_that_move(name: str, year: int, expected: str) -> None:
    """Days looked up in the tables of the churches and of the Hong Kong Observatory."""
    assert str(holiday_in(name, year).first) == expected


@given(st.sampled_from(sorted(load_table("holidays"))), st.integers(1901, 2099))
def test_every_holiday_comes_every_year(name: str, year: int) -> None:
    days = holiday_in(name, year)
    assert days.first <= days.last
    assert 350 <= (holiday_in(name, year + 1).first - days.first).days <= 400


TEXTS = [
    row[0]
    for table in TABLES.values()
    for sections in table.values()
    for at in sections
    for row in at["rows"]
]
WORDS = sorted({word for text in TEXTS for word in text.split()} | {"1/2", "3.4.2024", "0000"})
CHARACTERS = sorted(set("".join(TEXTS)))


@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
        st.lists(st.sampled_from(CHARACTERS), max_size=20).map("".join),
    ),
    st.sampled_from([date(1, 1, 1), date(2024, 2, 29), date(2026, 12, 31), date(9999, 12, 31)]),
)
def test_any_text_can_be_read(text: str, day: date) -> None:
    """Nothing raises, no span ends before it begins, and without a hint no form matches."""
    now = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    asked = find_dates(text, now=now, zone=ZoneInfo("UTC"), days=(date(2020, 2, 29),))
    for span in (*find_dates_said_on(text, day), *asked):
        assert span.first <= span.last
    english = GRAMMARS[0]
    if not english.context["hint"].search(text):
        assert not any(form.pattern.search(text) for form in english.forms)


def test_a_day_far_back_is_told_in_the_past_or_by_words_that_say_so() -> None:
    """In no life does a sentence of now or of what is to come name a day a quarter ago or more."""
    for path in sorted((TESTS / "life").glob("*.json")):
        for told_on, words, *_ in json.loads(path.read_text(encoding="utf-8"))["turns"]:
            day = date.fromisoformat(told_on)
            for sentence in split_sentences(words):
                if not matches("tense", "behind", fold(sentence)):
                    for span in find_dates_said_on(sentence, day):
                        says_so = re.search(r"\d{4}|年|year|last|ago", span.words)
                        assert says_so or span.last >= day - timedelta(days=QUARTER), sentence


@given(
    st.dates(date(1950, 1, 1), date(2099, 12, 31)), st.dates(date(2024, 1, 1), date(2024, 12, 31))
)
def test_a_plan_lies_ahead_or_is_just_over(today: date, day: date) -> None:
    """Whatever the day of the year, where the words do not say which year."""
    month, number = f"{day:%B}", day.day
    for plan in (
        f"I have choir on {number} {month}.",
        f"My exam will be on {month} {number}.",
        f"We are going to Leeds in {month}.",
        f"{day.month}月{number}号我有合唱。",
        f"我打算{day.month}月{number}号去苏州。",
        f"{day.month}月要考试。",
    ):
        for span in find_dates_said_on(plan, today):
            assert span.last >= today - timedelta(days=QUARTER), plan


@given(st.dates(date(1950, 1, 1), date(2099, 12, 31)))
def test_a_date_written_out_is_read_back(day: date) -> None:
    """Every full form gives the day itself, whatever today is."""
    ordinal = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day // 10 != 1 else 0, "th")
    for form in (
        day.isoformat(),
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%B} {day.year}",
        f"the {day.day}{ordinal} of {day:%b} {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ):
        assert read(f"what did I do on {form}?") == [str(day)], form


def test_dates_keep_the_characters_they_were_written_in() -> None:
    """The words are found again in a text in traditional characters."""
    (span,) = find_dates_said_on("我下週五飛。", date(2026, 11, 22))
    assert span.words == "下週五"


@pytest.mark.parametrize(
    "parts", [("We go in December.", "Back on the 20th."), ("12月去。", "20号回。")]
)
def test_a_bare_day_is_of_the_month_named_in_an_earlier_sentence(parts: tuple[str, ...]) -> None:
    (month,), (day,) = find_dates_by_part(parts, date(2026, 11, 1))
    assert (short(month), short(day)) == ("2026-12-01..2026-12-31", "2026-12-20")


@pytest.mark.parametrize(
    "words", ["3 May 2020, ", "last summer, ", "on Friday I ran and ", "我3号去, "]
)
def test_the_time_of_finding_dates_grows_with_the_text(words: str) -> None:
    """Four times the text takes less than eight times as long."""

    def seconds(copies: int) -> float:
        text = words * copies
        start = process_time()
        find_dates_said_on(text, date(2026, 11, 22))
        return process_time() - start

    find_dates_said_on(words, date(2026, 11, 22))
    copies = 2000 // len(words)
    assert seconds(4 * copies) < 8 * max(seconds(copies), 0.05)
