"""What somebody said of themselves is said to them, without error or not at all."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.dialogue.weaving import in_second_person, weave
from siliconfriend.language.characters import language_of
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_coverage import content_forms
from siliconfriend.texts import LANGUAGES, Language

TOLD, TODAY = date(2025, 10, 3), date(2026, 3, 14)
LIVES = Path(__file__).parents[1] / "life"


def _woven(words: str, language: Language = "en", *, today: date = TODAY) -> str | None:
    found = weave(words, TOLD, today, language)
    return found.words if found else None


@pytest.mark.parametrize(
    ("said", "woven"),
    [
        (
            "I was at Harrow Light in September and saw two otters.",
            "you were at Harrow Light in September and saw two otters",
        ),
        ("I'm a welder. My boat is mine alone, said no friend of mine.", None),
        (
            "The day before yesterday Lena told me she is moving.",
            "two days before Lena told you she is moving",
        ),
        ("The first week of August we sail.", "the first week of August you sail"),
        (
            "We booked Whitby for the last week of July.",
            "you booked Whitby for the last week of July",
        ),
        ("We sail last week of July.", "you sail last week of July"),
        ("I slept badly the last week.", "you slept badly the last week"),
        ("Three Sundays ago I lost my keys.", "three Sundays ago you lost your keys"),
        ("I am left-handed.", "you are left-handed"),
        ("I've never been to Skye.", "you've never been to Skye"),
        ("I wasn't there.", "you weren't there"),
        ("I really was ill.", "you really were ill"),
        ("I stood at the bar and was ignored.", None),
        ("My sister gave me her ring.", "your sister gave you her ring"),
        ("We moved to Leeds. Our cat hid.", "you moved to Leeds. Your cat hid"),
        ("Sold my van!", "you sold your van"),
        ("Stuck in the lift with my boss.", None),
        ("Mum has a new flat.", "your mum has a new flat"),
        ("Joost and I broke up.", "you and Joost broke up"),
        ("My sister and I bought a tent.", "you and your sister bought a tent"),
        ("My aunt Meera and I baked a cake.", "you and your aunt Meera baked a cake"),
        ("When I was six, I fell off a pony.", "when you were six, you fell off a pony"),
        ("In 2012 I picked cloudberries.", "in 2012 you picked cloudberries"),
        ("The train has left at 9 am.", "the train has left at 9 am"),
        ("I live under the name of Henry I.", None),
        ("I read My Fair Lady again.", None),
        ("I told you about Anna.", None),
        ("Is it late?", None),
        ("He said: “I am off.”", None),
        ("I cooked and we all ate.", None),
        ("Thank you for that.", None),
        ("No more coffee for me.", None),
        ("I love mine.", None),
        ("So did I.", None),
        ("我喜欢茶。", None),
    ],
)
def test_english_is_said_to_the_person(said: str, woven: str | None) -> None:
    """Who speaks becomes who is spoken to with its verb; where that is not plain, nothing does."""
    assert _woven(said) == woven


@pytest.mark.parametrize(
    ("said", "woven"),
    [
        ("我九月在灯塔看见两只水獭。", "你九月在灯塔看见两只水獭"),
        ("我妈从绍兴寄来一罐蒜。", "你妈妈从绍兴寄来一罐蒜"),
        ("我妈妈是医生。", "你妈妈是医生"),
        ("我们订婚啦！婚礼在九月。", "你们订婚了。婚礼在九月"),
        ("在阳台种了一棵柠檬树。", "在阳台种了一棵柠檬树"),
        ("我跟你说过安安的事。", None),
        ("咱们明天去吧。", None),
        ("我国队赢了。", None),
        ("外婆说：“我不去。”", None),
        ("你喜欢茶吗？", None),
        ("唉，我又迟到了。", None),
        ("I like tea.", None),
    ],
)
def test_chinese_is_said_to_the_person(said: str, woven: str | None) -> None:
    """我 becomes 你, and a parent is spoken of politely."""
    assert _woven(said, "cn") == woven


@pytest.mark.parametrize(
    ("said", "language", "woven"),
    [
        ("Yesterday I saw Ruth.", "en", "the day before you saw Ruth"),
        ("I moved here two years ago.", "en", "you moved here two years before"),
        ("Last year I fell ill.", "en", "the year before you fell ill"),
        ("昨天我见了如意。", "cn", "前一天你见了如意"),
        ("去年我病了一场。", "cn", "前一年你病了一场"),
    ],
)
def test_what_hangs_on_the_day_is_seen_from_another(
    said: str, language: Language, woven: str
) -> None:
    """Told on one day and said on another, "yesterday" is the day before."""
    assert _woven(said, language) == woven


_QUOTED: tuple[tuple[Language, str], ...] = (
    ("en", "I'm so tired today."),
    ("en", "Joost is visiting this weekend, we're going to the castle."),
    ("en", "We're having lasagne tonight."),
    ("en", "I leave tomorrow for two weeks."),
    ("en", "My sister is coming on Friday."),
    ("en", "My brother's wedding is next weekend."),
    ("en", "I've had a headache since yesterday."),
    ("en", "Yesterday's match was great."),
    ("en", "I can't sleep."),
    ("en", "It's pouring outside."),
    ("en", "I just got home."),
    ("en", "I start at the bakery in two weeks."),
    ("en", "My daughter is ill right now."),
    ("en", "I'm stuck in traffic again."),
    ("en", "I'm meeting Tom for coffee this afternoon."),
    ("cn", "今天好累。"),
    ("cn", "小周这周末来看我，我们打算去天一阁。"),
    ("cn", "我上个月刚从合肥搬到宁波，在港口做报关。"),
    ("cn", "明天我要去北京出差。"),
    ("cn", "周五我妹妹来。"),
    ("cn", "今晚吃火锅。"),
    ("cn", "我刚到家。"),
    ("cn", "睡不着。"),
    ("cn", "外面下着大雨。"),
    ("cn", "最近总是失眠。"),
    ("cn", "我现在在医院。"),
    ("cn", "下个月我要结婚了。"),
    ("cn", "上周我们去了苏州。"),
    ("cn", "过两天我要去面试。"),
    ("cn", "我好饿。"),
)


@pytest.mark.parametrize(("language", "said"), _QUOTED)
def test_what_was_then_or_still_to_come_is_quoted_on_another_day(
    language: Language, said: str
) -> None:
    """Nobody says "you're so tired that day"; on the day itself "today" is today."""
    assert _woven(said, language) is None
    assert _woven(said, language, today=TOLD) is not None


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Ugh it's raining again."),
        ("en", "Wow, I got the job."),
        ("en", "Oh my god I passed."),
        ("en", "I got the job, yay!"),
        ("en", "Honestly I hate my job."),
        ("cn", "又下雨了，烦。"),
        ("cn", "哇，我考上了。"),
        ("cn", "我考上了，太好了！"),
        ("cn", "好烦，领导又改需求。"),
        ("cn", "我把钥匙锁屋里了，救命！"),
    ],
)
def test_an_outcry_is_quoted(language: Language, said: str) -> None:
    """On whatever day: no clause holds it."""
    assert _woven(said, language) is None
    assert _woven(said, language, today=TOLD) is None


@pytest.mark.parametrize(
    ("language", "said", "woven"),
    [
        ("en", "Today I saw two otters.", "that day you saw two otters"),
        ("en", "My boss shouted at me today.", "your boss shouted at you that day"),
        ("en", "I fell off my bike on Friday.", "you fell off your bike on Friday"),
        ("en", "I go rowing on Sundays now.", "you go rowing on Sundays now"),
        ("en", "It's rooibos from now on.", "it's rooibos from now on"),
        ("en", "I just moved to Ghent.", "you just moved to Ghent"),
        ("en", "I'm learning Dutch.", "you're learning Dutch"),
        ("en", "My first lesson is on 22 October.", "your first lesson is on 22 October"),
        ("en", "Every Friday I swim.", "every Friday you swim"),
        ("cn", "今天被林姐骂了一顿。", "那天被林姐骂了一顿"),
        ("cn", "周五我摔了一跤。", "周五你摔了一跤"),
        ("cn", "我在学吉他。", "你在学吉他"),
        ("cn", "我搬走了，现在住滨江。", "你搬走了，现在住滨江"),
        ("cn", "我报了个陶艺课，10月22号第一节。", "你报了个陶艺课，10月22号第一节"),
        ("cn", "每个周末我都去游泳。", "每个周末你都去游泳"),
        ("cn", "昨晚下大雨，我们淋成了落汤鸡。", "前一天晚上下大雨，你们淋成了落汤鸡"),
    ],
)
def test_what_lasts_or_is_over_is_woven(language: Language, said: str, woven: str) -> None:
    """What is so still, is over or has a day of its own reads well on any day."""
    assert _woven(said, language) == woven


def test_on_the_same_day_and_in_the_same_year_they_stay() -> None:
    """Read on the day it was told, "yesterday" still is; in that year, "last year" is."""
    assert _woven("Yesterday I saw Ruth.", today=TOLD) == "yesterday you saw Ruth"
    later = date(2025, 12, 1)
    assert _woven("Last year I fell ill.", today=later) == "last year you fell ill"


def test_what_joins_it_to_what_is_not_said_is_left_out() -> None:
    """Of an excerpt whole sentences are woven; a sentence that was cut is not."""
    assert _woven("… And I saw two otters.") == "you saw two otters"
    assert _woven("I saw two otters. …") == "you saw two otters"
    assert _woven("I saw two otters and the …") is None
    assert _woven("… 不过我看见两只水獭。", "cn") == "你看见两只水獭"


def test_what_is_no_clause_stands_behind_a_colon() -> None:
    """A name or a bare word that begins it keeps its capital."""
    found = weave("Regatta day. I capsized the dinghy.", TOLD, TODAY, "en")
    assert found is not None
    assert (found.words, found.is_clause) == ("Regatta day. You capsized the dinghy", False)


def _told(language: Language) -> list[str]:
    files = [LIVES / f"{language}_{half}.json" for half in ("tuned", "more", "fresh")]
    return [turn[1] for file in files for turn in json.loads(file.read_text("utf-8"))["turns"]]


_OF_DAYS = {
    *("day", "befor", "next", "night", "week", "month", "year", "today", "tonight", "last", "ago"),
    *("yesterday", "tomorrow", "then", "weekend", "morn", "even", "spring", "summer", "autumn"),
}
_OF_DAYS_CN = r"前一[天年]|[这今昨明去前那后]|第二|上周|上个?|下个?|天|晚|年|早上|夜|[我你]们?|啦|了|妈|爸|啊|呀"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_was_told_keeps_its_words(language: Language) -> None:
    """Every sentence of the lives: no word of content is lost, added or moved; most are woven."""
    told, woven_of = _told(language), 0
    for words in told:
        woven = _woven(words, language)
        if woven is None:
            continue
        woven_of += 1
        assert not re.search(r"\b(?:I|me|my|we|us|our)\b|我", woven), woven
        if language == "cn":
            plain = [re.sub(_OF_DAYS_CN + r"|[。！!.]", "", it) for it in (words, woven)]
            assert plain[0] == plain[1]
        else:
            before, after = content_forms(words), content_forms(woven)
            assert before ^ after <= _OF_DAYS, (words, woven)
            assert len(split_sentences(f"{woven}.")) == len(split_sentences(words))
    assert woven_of >= 0.85 * len(told)


_PIECES = st.lists(
    st.sampled_from(
        [
            "I",
            "my",
            "we",
            "was",
            "am",
            "and",
            "the",
            "boat",
            "saw",
            "Anna",
            "Mum",
            "you",
            "not",
            ".",
            ",",
            "!",
            "mine",
            "today",
            "我",
            "我妈",
            "了",
            "船",
            "昨天",
            "。",
        ]
    ),
    max_size=12,
)


@given(_PIECES, st.sampled_from(LANGUAGES))
def test_no_first_person_is_ever_left(pieces: list[str], language: Language) -> None:
    """Whatever words there are, what is woven speaks of nobody as "I", and is in the reply's language."""
    woven = _woven(" ".join(pieces), language)
    if woven is not None:
        assert not re.search(r"\b(?:I|me|my|mine|we|us|our|am)\b|我", woven)
        assert language_of(woven, language) == language


def test_said_by_one_and_to_the_other_is_the_same() -> None:
    """For comparing only: what was told and what is said of it are one text."""
    assert in_second_person("I’ve lost my ring.") == in_second_person("You've lost your ring.")
    assert in_second_person("我把戒指弄丢啦！") == in_second_person("你把戒指弄丢了！")
    assert in_second_person("I lost my ring.") != in_second_person("He lost his ring.")
