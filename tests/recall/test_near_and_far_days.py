"""A day told without its year: what its own clause says, how near it lies, what else is said."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.recall.dates import find_dates, find_dates_said_on

AUTUMN = date(2026, 9, 12)
SUMMER = date(2026, 6, 20)
YEARS_END, YEARS_BEGINNING = date(2026, 12, 28), date(2027, 1, 5)


@pytest.mark.parametrize(
    ("told", "words", "expected"),
    [
        # a past verb of another clause, or of arranging, says nothing of the day
        (AUTUMN, "I signed up for a pottery class, first lesson 22 September.", "2026-09-22"),
        (AUTUMN, "I signed up for a half marathon on 18 October.", "2026-10-18"),
        (AUTUMN, "I got tickets for 3 March.", "2027-03-03"),
        (AUTUMN, "Mum bought us tickets to the opera on 3 March.", "2027-03-03"),
        (AUTUMN, "I've been given an appointment on 5 May.", "2027-05-05"),
        (AUTUMN, "They offered me a slot on 20 September.", "2026-09-20"),
        (AUTUMN, "The dentist told me to come back on 1 October.", "2026-10-01"),
        (AUTUMN, "Lena invited us to her wedding on 10 October.", "2026-10-10"),
        (AUTUMN, "I bought a dress for my sister's party on 19 September.", "2026-09-19"),
        (AUTUMN, "We finally picked 24 October for the wedding.", "2026-10-24"),
        (AUTUMN, "They told me the hearing was on 30 September.", "2026-09-30"),
        (AUTUMN, "I handed in my thesis, the defence is on 2 October.", "2026-10-02"),
        (AUTUMN, "I got a place on a welding course in October.", "2026-10-01"),
        (AUTUMN, "Hospital wrote, surgery 14 April.", "2027-04-14"),
        (AUTUMN, "I booked the ferry for 9 July.", "2027-07-09"),
        # a past verb of the day's own clause does, however near the day lies ahead
        (AUTUMN, "On 22 September I flew to Oslo.", "2025-09-22"),
        (AUTUMN, "On 22 September, after a long summer, we moved to Oslo.", "2025-09-22"),
        (AUTUMN, "In October my father died.", "2025-10-01"),
        (AUTUMN, "We got married on 3 October.", "2025-10-03"),
        (AUTUMN, "I ran my first race on 20 September.", "2025-09-20"),
        # days that are just over
        (AUTUMN, "I booked the hotel on 9 September.", "2026-09-09"),
        (AUTUMN, "The race on 6 September has left me with a limp.", "2026-09-06"),
        (AUTUMN, "I'm still sore from the race on 6 September.", "2026-09-06"),
        (AUTUMN, "Dentist's appointment on 10 September, no holes.", "2026-09-10"),
        (AUTUMN, "The exhibition is on 1 March.", "2027-03-01"),
        (SUMMER, "I was offered a job starting 1 August.", "2026-08-01"),
        (SUMMER, "I promised Dad I'd be there on 30 June.", "2026-06-30"),
        (SUMMER, "My ex gets married on 18 July.", "2026-07-18"),
        (SUMMER, "Tickets for the 11 July game went on sale and I got two!", "2026-07-11"),
        (SUMMER, "They postponed my surgery, now it's 9 July.", "2026-07-09"),
        (SUMMER, "I met Tom on 12 July in a queue.", "2025-07-12"),
        (SUMMER, "We adopted Biscuit in August.", "2025-08-01"),
        # around New Year
        (YEARS_END, "I got tickets for 2 January.", "2027-01-02"),
        (YEARS_END, "On 3 January I start at the bakery.", "2027-01-03"),
        (YEARS_END, "On 3 January I started at the bakery.", "2026-01-03"),
        (YEARS_END, "I bought skis, we leave on 7 January.", "2027-01-07"),
        (YEARS_END, "I left my job in January.", "2026-01-01"),
        (YEARS_END, "I got a new job, first day 4 January.", "2027-01-04"),
        (YEARS_BEGINNING, "The party on 31 December is still in my bones.", "2026-12-31"),
        (YEARS_BEGINNING, "I fell on 30 December.", "2026-12-30"),
        (YEARS_BEGINNING, "In December we went to Rome.", "2026-12-01"),
        (YEARS_BEGINNING, "We're flying to Rome in December.", "2027-12-01"),
        (YEARS_BEGINNING, "We move in December.", "2027-12-01"),
        (YEARS_BEGINNING, "I found a flat, the keys come on 1 February.", "2027-02-01"),
    ],
)
def test_days_told_in_english(told: date, words: str, expected: str) -> None:
    """The first day that the words name."""
    (span, *_) = find_dates_said_on(words, told)
    assert span.first.isoformat() == expected


@pytest.mark.parametrize(
    ("told", "words", "expected"),
    [
        (AUTUMN, "我报了个陶艺课，9月22号第一节", "2026-09-22"),
        (AUTUMN, "我约了牙医，九月二十号去拔牙。", "2026-09-20"),
        (AUTUMN, "跟牙医约了9月20号。", "2026-09-20"),
        (AUTUMN, "我约了牙医9月20号看牙。", "2026-09-20"),
        (AUTUMN, "医生让我十月八号去复查。", "2026-10-08"),
        (date(2026, 3, 1), "医生让我十月八号去复查。", "2026-10-08"),
        (AUTUMN, "我买了9月25号的票去看话剧。", "2026-09-25"),
        (AUTUMN, "9月25号的演唱会，我抢到票了！", "2026-09-25"),
        (AUTUMN, "收到了面试通知，9月18号上午。", "2026-09-18"),
        (AUTUMN, "老师通知我们十月二十号交论文。", "2026-10-20"),
        (AUTUMN, "买了新裙子，十一月一号参加表姐婚礼。", "2026-11-01"),
        (AUTUMN, "十月一号就放假了。", "2026-10-01"),
        (AUTUMN, "我报名了半马，十月十八号开跑。", "2026-10-18"),
        (AUTUMN, "我辞职了，十月去新公司。", "2026-10-01"),
        (AUTUMN, "十一月一号考试，我买了两本书。", "2026-11-01"),
        (AUTUMN, "我写好了9月25号的发言稿。", "2026-09-25"),
        (AUTUMN, "9月22号我去了青岛。", "2025-09-22"),
        (AUTUMN, "9月22号，我们搬到了青岛。", "2025-09-22"),
        (AUTUMN, "十月我爸去世了。", "2025-10-01"),
        (AUTUMN, "我们十月三号结的婚，那天下着雨。", "2025-10-03"),
        (AUTUMN, "9月5号我报名参加了马拉松。", "2026-09-05"),
        (AUTUMN, "老板让我9月5号加班。", "2026-09-05"),
        (AUTUMN, "9月10号的体检报告出来了。", "2026-09-10"),
        (AUTUMN, "三月一号要去奥斯陆。", "2027-03-01"),
        (SUMMER, "放暑假了，我回老家。", "2026-07-01"),
        (SUMMER, "我是7月12号认识他的。", "2025-07-12"),
        (SUMMER, "我答应了爸爸6月30号回家。", "2026-06-30"),
        (SUMMER, "八月我们领养了饼干。", "2025-08-01"),
        (SUMMER, "有人请我八月去做分享。", "2026-08-01"),
        (SUMMER, "爸爸6月18号出院了。", "2026-06-18"),
        (YEARS_END, "我买了1月2号的票。", "2027-01-02"),
        (YEARS_END, "拿到新工作了，1月4号第一天上班。", "2027-01-04"),
        (YEARS_END, "1月3号我去面包店上班了。", "2026-01-03"),
        (YEARS_END, "一月我辞职了。", "2026-01-01"),
        (YEARS_BEGINNING, "12月30号我摔了一跤。", "2026-12-30"),
        (YEARS_BEGINNING, "12月31号的聚会累得我到现在还没缓过来。", "2026-12-31"),
        (YEARS_BEGINNING, "十二月我们去罗马了。", "2026-12-01"),
        (YEARS_BEGINNING, "十二月我们要去罗马。", "2027-12-01"),
        (YEARS_BEGINNING, "房子找到了，2月1号拿钥匙。", "2027-02-01"),
    ],
)
def test_days_told_in_chinese(told: date, words: str, expected: str) -> None:
    """Most verbs do not say when; 了 of another verb is not of the day."""
    (span, *_) = find_dates_said_on(words, told)
    assert span.first.isoformat() == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("What did I do on 22 September?", "2025-09-22"),
        ("What happened on 20 September?", "2025-09-20"),
        ("What have I got on 22 September?", "2026-09-22"),
        ("What did I tell you about 22 September?", "2026-09-22"),
        ("What did I plan for 22 September?", "2026-09-22"),
        ("What did I do on 9 September?", "2026-09-09"),
        ("我9月22号做了什么？", "2025-09-22"),
        ("9月22号发生了什么？", "2025-09-22"),
        ("我9月22号有什么事？", "2026-09-22"),
        ("关于9月22号，我跟你说过什么？", "2026-09-22"),
        ("9月9号我干了什么？", "2026-09-09"),
    ],
)
@pytest.mark.parametrize("planned", [(), (date(2026, 9, 22),)])
def test_days_asked_for(words: str, expected: str, planned: tuple[date, ...]) -> None:
    """Asked on 12 September with nothing kept but what was told since August, and perhaps a plan."""
    now = datetime(2026, 9, 12, 10, tzinfo=UTC)
    days = (date(2026, 8, 1), date(2026, 9, 1))
    (span, *_) = find_dates(words, now=now, zone=ZoneInfo("UTC"), days=days, planned=planned)
    assert span.first.isoformat() == expected
