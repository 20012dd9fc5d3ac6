"""What is computed with time: the last talk, how long ago, days between, which came first."""

from datetime import date

import pytest

from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import Turn
from siliconfriend.recall.elapsed import (
    answer_time_question,
    happened,
    last_talk,
    read_time_question,
)
from siliconfriend.texts import Language
from tests.dialogue.people import SCOPES, empty, turn

TODAY = date(2026, 11, 22)
TOLD: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("2026-01-02", "The census form came."),
        ("2026-11-02", "The boiler broke, they repair it on Friday 6 November."),
        ("2026-11-01", "My interview at the library is tomorrow."),
        ("2026-11-10", "I cut my thumb on a tin yesterday."),
        ("2026-11-19", "We've booked Lanzarote, 4 to 11 February."),
        ("2026-11-20", "The library sent me an offer."),
    ),
    "cn": (
        ("2026-01-02", "收到了人口普查的表。"),
        ("2026-11-02", "锅炉坏了，说11月6号星期五来修。"),
        ("2026-11-01", "我明天去图书馆面试。"),
        ("2026-11-10", "昨天开罐头切到大拇指了。"),
        ("2026-11-19", "三亚订好了，2月4号到11号。"),
        ("2026-11-20", "图书馆发录用通知了。"),
    ),
}


def _asked(question: str, language: Language, more: tuple[tuple[str, str], ...] = ()) -> str | None:
    scope = SCOPES[language]
    turns: list[Turn] = [
        turn(scope, f"{day}T12:00", said, "I see.") for day, said in (*TOLD[language], *more)
    ]
    memory = apply_all(empty(language), [PutTurn(told) for told in turns])
    asked = read_time_question(question)
    assert asked is not None
    answer = answer_time_question(asked, turns, memory, TODAY)
    return answer.words if answer else None


@pytest.mark.parametrize(
    ("language", "question", "expected"),
    [
        ("en", "When did we last talk?", "Fri 20 November (2 days ago)"),
        ("en", "How long ago did I cut my thumb?", "13 days ago, on Monday 9 November"),
        ("en", "How many days ago was my interview?", "20 days ago, on Monday 2 November"),
        ("en", "What weekday was my interview?", "a Monday"),
        ("en", "How many days were there between my interview and the offer?", "18 days"),
        ("en", "How long after the interview did I get the offer?", "18 days"),
        ("en", "Which came first, the offer or the interview?", "First “the interview”"),
        ("en", "When did I last mention the library?", "Fri 20 November"),
        ("cn", "我们上次聊天是什么时候？", "11月20日周五（2天前）"),
        ("cn", "切到大拇指是多久以前的事？", "13天前"),
        ("cn", "我图书馆面试是星期几？", "星期一"),
        ("cn", "图书馆面试和录用通知隔了几天？", "18天"),
        ("cn", "录用通知和图书馆面试哪个在先？", "先是“图书馆面试”"),
        ("cn", "我上次提到图书馆是什么时候？", "11月20日"),
        ("cn", "我们上次什么时候聊的", "11月20日周五（2天前）"),
        ("cn", "上次跟你说话是哪天", "11月20日周五（2天前）"),
        ("cn", "图书馆面试在前还是切到大拇指在前？", "先是“图书馆面试”"),
        ("cn", "切到大拇指和图书馆面试，哪个在前", "先是“图书馆面试”"),
        ("en", "How many days between the census and the offer?", "322 days"),
        ("en", "How long between the census and the offer?", "about 11 months"),
        ("cn", "人口普查和录用通知隔了多少天？", "322天"),
        ("en", "How long ago did the boiler break?", "20 days ago"),
        ("en", "How many days until Lanzarote?", "74 days"),
        ("cn", "离三亚还有几天？", "74天"),
        ("cn", "锅炉坏了是多久以前的事？", "20天前"),
    ],
)
def test_time_is_computed_from_the_days_of_memories(
    language: Language, question: str, expected: str
) -> None:
    """Asked on Sunday 22 November 2026."""
    assert expected in (_asked(question, language) or "")


@pytest.mark.parametrize(
    "words", ["What did I eat?", "How long is the bridge?", "我昨天吃了什么？"]
)
def test_other_questions_ask_for_nothing_that_is_computed(words: str) -> None:
    assert read_time_question(words) is None


@pytest.mark.parametrize(
    ("language", "lessons", "moved", "question"),
    [
        (
            "en",
            "I have cello lessons every Tuesday.",
            "The cello lessons are moved to Thursday.",
            "How many days until the cello lessons?",
        ),
        ("cn", "我每周二上大提琴课。", "大提琴课改到周四了。", "离大提琴课还有几天？"),
    ],
)
def test_what_recurs_has_no_day_though_it_moved(
    language: Language, lessons: str, moved: str, question: str
) -> None:
    told = (("2026-11-05", lessons), ("2026-11-19", moved))
    assert _asked(question, language, told) is None


def test_nothing_is_computed_where_a_day_is_missing() -> None:
    """No memory of the second matter, nobody talked to before."""
    assert _asked("How many days between the interview and the earthquake?", "en") is None
    asked = read_time_question("When did we last talk?")
    assert asked is not None
    assert answer_time_question(asked, (), empty("en"), TODAY) is None
    assert last_talk(empty("en"), TODAY) is None


def test_a_memory_happened_on_the_one_day_it_names() -> None:
    """Where it names two, on the day it was told."""
    zone = empty("en").profile.zone
    scope = SCOPES["en"]
    one = turn(scope, "2026-11-10T12:00", "I fell yesterday.", "Oh.")
    two = turn(scope, "2026-11-10T12:00", "I fell on 2 November and on 4 November.", "Oh.")
    assert happened(one, zone).first == date(2026, 11, 9)
    assert happened(two, zone).first == date(2026, 11, 10)


@pytest.mark.parametrize(
    ("language", "question", "expected"),
    [
        ("en", "What was the last thing I told you?", "The library sent me an offer."),
        ("en", "What did I do the day after my interview?", "I find nothing on Tue 3 November"),
        ("en", "What did I do the day before my interview?", "My interview at the library"),
        ("cn", "我最后跟你说的是什么？", "图书馆发录用通知了。"),
        ("cn", "面试的第二天我做了什么？", "11月3日周二（19天前）我什么也没找到"),
        ("cn", "面试前一天我说了什么？", "我明天去图书馆面试。"),
    ],
)
def test_the_last_words_and_the_days_beside_an_event_are_found(
    language: Language, question: str, expected: str
) -> None:
    assert expected in (_asked(question, language) or "")


@pytest.mark.parametrize(
    ("language", "told", "question", "expected"),
    [
        ("en", "Our puppy Nutmeg is eight weeks old.", "How old is Nutmeg now?", "5 months old"),
        ("en", "My niece Clara turned six today.", "How old is Clara?", "6 years"),
        ("en", "My niece Clara turned six today.", "How old will Clara be in 2028?", "8 years"),
        ("cn", "小狗豆豆八周大。", "豆豆现在多大了？", "5个月"),
        ("cn", "小棠今天满六岁了。", "小棠几岁了？", "6岁"),
    ],
)
def test_an_age_is_computed_from_the_one_that_was_told(
    language: Language, told: str, question: str, expected: str
) -> None:
    """Told on 3 August 2026."""
    said = turn(SCOPES[language], "2026-08-03T12:00", told, "I see.")
    asked = read_time_question(question)
    assert asked is not None
    answer = answer_time_question(asked, [said], empty(language), TODAY)
    assert answer is not None
    assert expected in answer.words


@pytest.mark.parametrize(
    ("language", "told", "question", "expected"),
    [
        (
            "en",
            "I took up the oboe three weeks ago.",
            "How long ago did I take up the oboe?",
            "32 days ago, give or take",
        ),
        ("cn", "三周前我开始学双簧管。", "我开始学双簧管是多久以前的事？", "32天前，前后差几天"),
        ("en", "Lena's birthday is 3 December.", "How long until Lena's birthday?", "in 11 days"),
        ("en", "I took up the oboe three weeks ago.", "What weekday did I take up the oboe?", ""),
    ],
)
def test_what_lay_before_the_telling_is_counted_from_its_own_days(
    language: Language, told: str, question: str, expected: str
) -> None:
    """Told on 11 November 2026; a week named has no weekday."""
    said = turn(SCOPES[language], "2026-11-11T12:00", told, "I see.")
    asked = read_time_question(question)
    assert asked is not None
    answer = answer_time_question(asked, [said], empty(language), TODAY)
    assert expected in answer.words if answer else not expected


def test_a_birthday_happens_on_its_day_not_on_that_of_its_telling() -> None:
    said = turn(SCOPES["en"], "2026-11-11T12:00", "Lena's birthday is 3 December.", "I see.")
    assert happened(said, empty("en").profile.zone).first == date(2026, 12, 3)


@pytest.mark.parametrize(
    ("language", "told", "question"),
    [
        ("en", "Every other Wednesday I have judo.", "Which came first, the judo or the offer?"),
        ("cn", "每隔一周的周三我练柔道。", "我练柔道是多久以前的事？"),
    ],
)
def test_a_habit_has_no_day_to_count_from(language: Language, told: str, question: str) -> None:
    scope = SCOPES[language]
    said = turn(scope, "2026-11-11T12:00", told, "I see.")
    offer = turn(scope, "2026-11-12T12:00", "The library sent me an offer.", "I see.")
    asked = read_time_question(question)
    assert asked is not None
    assert answer_time_question(asked, [said, offer], empty(language), TODAY) is None
