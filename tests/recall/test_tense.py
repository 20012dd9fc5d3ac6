"""A day without its year lies on the side that the words around it say."""

from __future__ import annotations

from datetime import date

import pytest

from siliconfriend.recall.dates import find_dates_said_on

TOLD = date(2025, 9, 10)  # a Wednesday


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # the nearest 14 February is that of 2026 by eight days
        ("On 14 February I flew to Oslo.", "2025-02-14"),
        ("On 14 February I fly to Oslo.", "2026-02-14"),
        ("On 14 March I flew to Oslo.", "2025-03-14"),
        ("The flight to Oslo is on 1 March.", "2026-03-01"),
        ("We were in Oslo on 1 March.", "2025-03-01"),
        ("I have booked a flight to Oslo, on 1 March.", "2026-03-01"),
        ("On 1 March, after a long winter, we went to Oslo.", "2025-03-01"),
        ("The band split up, so the concert is now on 1 March.", "2026-03-01"),
        ("The concert was moved to 1 March.", "2026-03-01"),
        ("I was told that the exam is on 1 March.", "2026-03-01"),
        ("He says he was born on 1 March.", "2025-03-01"),
        ("I am married since 1 March.", "2025-03-01"),
        ("We are playing on Tuesday.", "2025-09-16"),
        ("We played on Saturday.", "2025-09-06"),
        ("I moved to Oslo in May.", "2025-05-01"),
        # nothing says it: the nearest
        ("Oslo: 1 March.", "2026-03-01"),
        ("Oslo, 1 April!", "2025-04-01"),
        ("三月一号我飞奥斯陆了。", "2025-03-01"),
        ("三月一号我要飞奥斯陆。", "2026-03-01"),
        ("婚礼改到三月一号了。", "2026-03-01"),
        ("三月一号那天，我们在奥斯陆。", "2025-03-01"),
        ("酒店满了，我们打算三月一号办婚礼。", "2026-03-01"),
        ("三月一号去过奥斯陆。", "2025-03-01"),
        ("说好了，四月一号在奥斯陆见她。", "2026-04-01"),
        ("定了，四月一号做手术。", "2026-04-01"),
        ("周一再拍一次片子。", "2025-09-15"),
        ("周二再也没下过雨。", "2025-09-09"),
        ("三月一号奥斯陆见。", "2026-03-01"),
        ("四月一号奥斯陆见。", "2025-04-01"),
        ("我们订了四月一号去奥斯陆。", "2026-04-01"),
        ("我们四月一号订了房间。", "2025-04-01"),
    ],
)
def test_a_day_without_its_year(words: str, expected: str) -> None:
    """Told on 10 September 2025."""
    (span, *_) = find_dates_said_on(words, TOLD)
    assert span.first.isoformat() == expected


def test_each_sentence_has_its_own_tense() -> None:
    """What was and what will be stand in one message, in either order."""
    spans = find_dates_said_on("On 1 March I fell. On 2 March I have an exam.", TOLD)
    assert [str(it.first) for it in spans] == ["2025-03-01", "2026-03-02"]
    spans = find_dates_said_on("三月二号我要考试。三月一号我摔了一跤。", TOLD)
    assert [str(it.first) for it in spans] == ["2026-03-02", "2025-03-01"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # 21 February 2026 is a Saturday
        ("I give a talk on Saturday, 21 February.", ["2026-02-21"]),
        ("I give a talk on 21 February (Saturday).", ["2026-02-21"]),
        ("I give a talk on Friday, 21 February.", []),
        ("I give a talk on Friday 21 February and sing on 3 March.", ["2026-03-03"]),
        ("二月二十一号星期六我要讲课。", ["2026-02-21"]),
        ("二月二十一号星期五我要讲课。", []),
        ("星期五（2月21日）我要讲课。", []),
        # the day it was said on was a Sunday
        ("今天是星期五，真累。", []),
        ("Today is Friday, I am tired.", []),
        ("今天是星期天。", ["2026-01-11"]),
    ],
)
def test_a_weekday_that_contradicts_its_date_names_no_day(words: str, expected: list[str]) -> None:
    """Nobody can tell which of the two was meant; where they agree they are one day."""
    found = find_dates_said_on(words, date(2026, 1, 11))
    assert [str(it.first) for it in found] == expected
