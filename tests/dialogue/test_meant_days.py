"""Offline quotations: the words as they were said, with the days they mean behind them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.meant_days import name_meant_days
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language
from tests.dialogue.people import holds

TOLD, TODAY = date(2026, 1, 10), date(2026, 3, 3)  # a Saturday, a Tuesday


@pytest.mark.parametrize(
    ("words", "language", "expected"),
    [
        ("Next Friday I have an exam.", "en", "(“Next Friday”: 16 January.)"),
        ("下周五要考试。", "cn", "（“下周五”指1月16日。）"),
        (
            "Yesterday I fell, and tomorrow I rest.",
            "en",
            "(“Yesterday”: 9 January; “tomorrow”: 11 January.)",
        ),
        ("Last weekend we sailed.", "en", "(“Last weekend”: 3 January to 4 January.)"),
        ("On 1 December I fell.", "en", "(“1 December”: 1 December 2025.)"),
        ("On 3 March I fly to Oslo.", "en", "(“3 March”: today.)"),
        ("三月三号我要飞奥斯陆。", "cn", "（“三月三号”指今天。）"),
        # plain as it stands
        ("On 14 February I flew.", "en", "(“14 February”: 14 February 2025.)"),
        ("On 14 February I fly to Oslo.", "en", ""),
        ("On 14 February 2025 I flew.", "en", ""),
        ("Today I stayed in.", "en", ""),
        ("I was ill recently.", "en", ""),
        ("In 2011 I worked on a ferry.", "en", ""),
    ],
)
def test_the_days_that_quoted_words_mean(words: str, language: Language, expected: str) -> None:
    """Told on 10 January 2026 and read on 3 March."""
    assert name_meant_days(words, TOLD, TODAY, language) == expected


@pytest.mark.parametrize(
    ("language", "told", "asked", "meant"),
    [
        ("en", "Next Friday I have a Latin exam.", "When is my Latin exam?", "16 January"),
        ("cn", "下周五我要考拉丁文。", "我什么时候考拉丁文？", "1月16日"),
    ],
)
def test_a_quotation_says_the_day_told_and_the_day_meant(
    language: Language, told: str, asked: str, meant: str, home: Path
) -> None:
    """Its words stay whole, so that they are known again."""
    settings = load_settings(
        home=home, environ={}, embedding="none", timezone="UTC", language=language
    )
    clock = MovingClock(datetime(2026, 1, 10, 9, tzinfo=UTC))
    friend = Companion("Ada", runtime=Runtime(settings, clock, store=InMemoryStore()))
    friend.reply(told)
    clock.move(days=52)
    reply = friend.reply(asked).text
    day = {"en": "10 January", "cn": "1月10日"}[language]
    assert holds(reply, told)
    assert day in reply
    assert meant in reply


def test_what_was_told_today_is_plain() -> None:
    """Nobody needs to hear on the day itself which day tomorrow is."""
    for words in ("Yesterday I fell.", "Joost is visiting this weekend.", "Next Friday I sail."):
        assert name_meant_days(words, TODAY, TODAY, "en") == ""
    for words in ("昨天我摔了一跤。", "小周这周末来看我。", "下周五我要考试。"):
        assert name_meant_days(words, TODAY, TODAY, "cn") == ""


def test_a_day_that_the_reply_words_anew_is_plain() -> None:
    """The weekend before is that before the day of telling; a Friday that stands there is named."""
    told, shown = "Last weekend we sailed, I fell on Friday.", "the weekend before you sailed, "
    assert name_meant_days(told, TOLD, TODAY, "en", f"{shown}you fell on Friday") == (
        "(“on Friday”: 9 January.)"
    )
    assert name_meant_days("昨天我摔了一跤。", TOLD, TODAY, "cn", "前一天你摔了一跤") == ""
