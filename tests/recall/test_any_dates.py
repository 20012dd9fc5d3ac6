"""Dates in any text at all: nothing breaks, and what is written out is read back."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.recall.dates import DateSpan, english, find_dates, find_dates_said_on
from tests.recall.days import read


@given(st.text(max_size=200), st.dates(date(1, 1, 1), date(9999, 12, 31)))
def test_any_text_can_beread(text: str, day: date) -> None:
    """No text raises, on any day; a span never ends before it begins; its words are in the text."""
    for span in find_dates_said_on(text, day):
        assert span.first <= span.last


SPAN_WORDS = """
the rest of this last next later early late middle in on since until till from to and
before after coming few two half a year month months week day weekend morning night ago
march may june 14th 2025 summer winter easter christmas new year's eve first end
beginning past over around yesterday
"""
SPAN_CHARACTERS = """
今 去 前 明 后 上 下 本 这 个 月 年 周 星期 天 日 初 中 末 底 旬 春 夏 节 春节 除夕 大年 初一 正月 清明 端午 中秋 国庆 假期 农历 八月 十五
三 两 几 半 以来 以前 之后 到 从 接下来 里 间 期间 昨 晚上 2025 12 号 第 一 剩下 的 最近 开始 上半
"""


@given(
    st.one_of(
        st.lists(st.sampled_from(SPAN_WORDS.split()), max_size=7).map(" ".join),
        st.lists(st.sampled_from(SPAN_CHARACTERS.split()), max_size=7).map("".join),
    ),
    st.sampled_from([date(2024, 2, 29), date(2025, 1, 31), date(2026, 12, 31)]),
)
def test_words_of_time_in_any_order_can_be_read(text: str, day: date) -> None:
    """Whatever units, seasons and feasts are put together, nothing raises."""
    for span in find_dates_said_on(text, day):
        assert span.first <= span.last


MORE_WORDS = """
I we you met talked first last time conversation each other got know for lately recently of late now just
from hour minutes Sat Tuesday fall autumn spring Boxing Day Thanksgiving half an couple some few back tonight
the other evening 1/2 3.4.2024 sept. ninth
"""


@given(st.lists(st.sampled_from([*SPAN_WORDS.split(), *MORE_WORDS.split()]), max_size=8))
def test_the_quick_look_misses_no_day(words: list[str]) -> None:
    """Where it sees none, no form of words matches."""
    text = " ".join(words)
    if not english.GRAMMAR.alphabet.search(text):
        assert not any(form.pattern.search(text) for form in english.GRAMMAR.forms)


def test_the_quick_look_passes_plain_texts_by() -> None:
    """Else it would save nothing."""
    for plain in ("I like lemons.", "Time and again, she moved on.", "It is late now."):
        assert not english.GRAMMAR.alphabet.search(plain)


CHINESE_PIECES = ["第", "次", "聊天", "我们", *"年月日号周一二三十初底前后天上下这个大今昨明 ,.-/"]


ENGLISH_PIECES = ["May", "4th", "of", "last", "week", "the", "in", "2023", "29", "Feb", "Tuesday"]
MORE_PIECES = [
    "ago",
    "two",
    "days",
    "early",
    "to",
    "and",
    "between",
    "first",
    "9999",
    "0000",
    "few",
]
FRAGMENTS = st.sampled_from([*CHINESE_PIECES, *ENGLISH_PIECES, *MORE_PIECES])


@given(st.lists(FRAGMENTS, max_size=12), st.booleans())
def test_pieces_of_dates_in_any_order_can_beread(pieces: list[str], spaced: bool) -> None:
    """Whatever comes of shuffled date words, it is days in order or nothing."""
    text = (" " if spaced else "").join(pieces)
    for day in (date(2023, 5, 10), date(1, 1, 1), date(9999, 12, 31)):
        for span in (*find_dates_said_on(text, day), *_spans_of(text, day)):
            assert span.first <= span.last


def _spans_of(text: str, day: date) -> tuple[DateSpan, ...]:
    now = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return find_dates(
        text, now=now, zone=ZoneInfo("UTC"), days=(date(2020, 2, 29), date(2023, 5, 1))
    )


@given(st.dates(date(1950, 1, 1), date(2099, 12, 31)))
def test_a_date_written_out_is_read_back(day: date) -> None:
    """Every full form gives the day itself, whatever today is."""
    ordinal = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day // 10 != 1 else 0, "th")
    forms = (
        day.isoformat(),
        f"{day:%B} {day.day}, {day.year}",
        f"{day:%B} {day.day}{ordinal}, {day.year}",
        f"{day.day} {day:%B} {day.year}",
        f"the {day.day}{ordinal} of {day:%b} {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day.year}/{day.month}/{day.day}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{_characters(day)}号",
    )
    for form in forms:
        assert read(f"what did I do on {form}?") == [str(day)], form


@given(st.dates(date(2022, 5, 11), date(2023, 5, 10)))
def test_a_date_of_the_last_year_needs_no_year(day: date) -> None:
    """Without memories, month and day alone mean the last such day that has been."""
    for form in (
        f"{day:%B} {day.day}",
        f"{day.month:02}/{day.day:02}",
        f"{day.month}月{day.day}日",
    ):
        assert read(f"on {form}", days=()) == [str(day)], form


def _characters(day: date) -> str:
    digits = "〇一二三四五六七八九"
    year = "".join(digits[int(digit)] for digit in str(day.year))

    def number(value: int) -> str:
        tens, ones = divmod(value, 10)
        ten = ("", "十", "二十", "三十")[tens]
        return ten + (digits[ones] if ones else "")

    return f"{year}年{number(day.month)}月{number(day.day)}"
