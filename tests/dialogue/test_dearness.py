"""Of a month or a season the companion without a model tells what a friend would: the dearest, over all of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.dearness import dearness, once_a_day, spread
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import Turn
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language

AUTUMN: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("09-02", "I moved to Leiden to restore globes."),
        ("09-09", "The tram was full again."),
        ("09-16", "Wind and rain again."),
        ("09-23", "I repaired a puncture."),
        ("10-07", "My aunt Greet fell and is in hospital."),
        ("10-14", "It drizzles."),
        ("10-21", "Lotte and I got engaged in the boathouse!"),
        ("11-04", "The soup was too salty."),
        ("11-11", "I won a prize for my moon globe."),
        ("11-18", "My laces came undone twice."),
    ),
    "cn": (
        ("09-02", "我搬到泉州来修地球仪了。"),
        ("09-09", "公交车又挤满了人。"),
        ("09-16", "又刮风又下雨的。"),
        ("09-23", "我补了个车胎。"),
        ("10-07", "我姑姑摔了一跤，住院了。"),
        ("10-14", "又下雨了。"),
        ("10-21", "我和小棠在船屋里订婚了！"),
        ("11-04", "汤做咸了。"),
        ("11-11", "我的月球仪得了一等奖。"),
        ("11-18", "鞋带今天散了两回。"),
    ),
}
DEAR: dict[Language, tuple[str, ...]] = {
    "en": ("Leiden", "Greet", "engaged", "prize"),
    "cn": ("泉州", "住院", "订婚", "一等奖"),
}


def _asked(language: Language, question: str, home: Path) -> str:
    """Return the answer to a question at the end of November, after an autumn was told."""
    settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
    clock = MovingClock(datetime(2026, 9, 1, 9, tzinfo=UTC))
    runtime = Runtime(settings, clock, store=InMemoryStore())
    with Companion("Ada", runtime=runtime, clock=clock, language=language) as friend:
        for day, said in AUTUMN[language]:
            clock.set(f"2026-{day}T15:00+00:00")
            friend.reply(said)
        clock.set("2026-11-29T15:00+00:00")
        return friend.reply(question).text


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "How was my autumn?"),
        ("en", "What happened this autumn?"),
        ("cn", "我这个秋天过得怎么样？"),
        ("cn", "今年秋天都发生了什么？"),
    ],
)
def test_of_a_season_the_dearest_is_told_in_its_order(
    language: Language, question: str, tmp_path: Path
) -> None:
    """The engagement, the hospital and the prize, of ten things told; not five of the rain."""
    answer = _asked(language, question, tmp_path)
    places = [answer.find(words) for words in DEAR[language]]
    assert -1 not in places, answer
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("language", "question", "trifle"),
    [("en", "What happened in October?", "drizzles"), ("cn", "十月份发生了什么？", "下雨")],
)
def test_a_trifle_is_told_only_where_there_is_nothing_else(
    language: Language, question: str, trifle: str, tmp_path: Path
) -> None:
    """Of three things of October two are worth telling, though five would have a place."""
    answer = _asked(language, question, tmp_path)
    assert all(words in answer for words in DEAR[language][1:3]), answer
    assert trifle not in answer


YEAR: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("01-10", "My grandfather Ole died, we buried him in Skagen."),
        ("01-12", "I ironed shirts."),
        ("03-02", "The radiator is knocking."),
        ("03-20", "I started as a piano tuner with Steinbach & Sons."),
        ("05-06", "My bus was late."),
        ("06-14", "My daughter Pia was born, at four in the morning!"),
        ("06-15", "I ate a cheese roll."),
        ("08-03", "I bought socks."),
        ("09-09", "My brother Jens and I are not speaking any more, we had a bad quarrel."),
        ("11-01", "Morning, I came off the night shift and made soup."),
        ("11-01", "I passed my driving test at the third attempt!"),
        ("11-02", "It's foggy."),
    ),
    "cn": (
        ("01-10", "我外公走了，葬在绍兴。"),
        ("01-12", "熨了几件衬衫。"),
        ("03-02", "暖气片又响了。"),
        ("03-20", "我入职星海琴行了，当调琴师。"),
        ("05-06", "公交车晚点了。"),
        ("06-14", "我女儿豆豆出生了，凌晨四点！"),
        ("06-15", "吃了个饭团。"),
        ("08-03", "买了袜子。"),
        ("09-09", "我跟我哥大吵一架，现在谁也不理谁了。"),
        ("11-01", "早，刚跟阿梅下夜班回来"),
        ("11-01", "驾照考过了，考了三回！"),
        ("11-02", "起雾了。"),
    ),
}
Friend = tuple[Companion, MovingClock]
OF_YEAR: dict[Language, tuple[str, ...]] = {
    "en": ("Ole", "Steinbach", "Pia", "Jens", "third attempt"),
    "cn": ("外公", "星海", "豆豆", "吵", "三回"),
}


@pytest.fixture(scope="module")
def told_a_year(tmp_path_factory: pytest.TempPathFactory) -> dict[Language, Friend]:
    """Two companions, each told a year."""
    friends: dict[Language, Friend] = {}
    for language, told in YEAR.items():
        home = tmp_path_factory.mktemp(language)
        settings = load_settings(home=home, environ={}, embedding="none", timezone="UTC")
        clock = MovingClock(datetime(2026, 1, 1, 9, tzinfo=UTC))
        runtime = Runtime(settings, clock, store=InMemoryStore())
        friend = Companion("Ada", runtime=runtime, clock=clock, language=language)
        for day, said in told:
            clock.set(f"2026-{day}T15:00+00:00")
            friend.reply(said)
            clock.move(minutes=1)
        friends[language] = friend, clock
    return friends


@pytest.mark.parametrize(
    ("now", "question"),
    [
        ("2026-12-20", "Tell me about my year."),
        ("2026-12-20", "How was this year for me?"),
        ("2026-12-20", "Sum up my year so far, please"),
        ("2026-12-20", "What happened to me in the last twelve months?"),
        ("2026-12-20", "What changed since last year?"),
        ("2026-12-20", "What have I been through in 2026?"),
        ("2026-12-20", "Look back on the year with me"),
        ("2026-12-20", "how did my year go"),
        ("2026-12-20", "Give me a short summary of 2026"),
        ("2026-12-20", "Can you walk me through the last year?"),
        ("2026-12-20", "Describe my year in a few sentences"),
        ("2026-12-20", "What do you remember most from this year?"),
        ("2026-12-20", "What mattered most in 2026?"),
        ("2026-12-20", "What kind of year did I have?"),
        ("2026-12-20", "How would you describe my year?"),
        ("2026-12-20", "Look back with me on 2026"),
        ("2026-12-20", "how was my 2026?"),
        ("2026-12-20", "Where did this year take me?"),
        ("2027-01-06", "tell me about my year"),
        ("2027-01-06", "How was my year?"),
        ("2027-01-06", "What was last year like for me?"),
        ("2026-12-20", "说说我这一年"),
        ("2026-12-20", "这一年我都经历了什么"),
        ("2026-12-20", "回顾一下我的2026年"),
        ("2026-12-20", "我这一年过得怎么样？"),
        ("2026-12-20", "帮我总结一下今年吧"),
        ("2026-12-20", "今年以来我都遇到了些什么事？"),
        ("2026-12-20", "过去十二个月我都忙了些什么"),
        ("2026-12-20", "一年来我有什么变化？"),
        ("2026-12-20", "这一年我是怎么过来的"),
        ("2026-12-20", "聊聊我的今年"),
        ("2026-12-20", "用几句话说说我这一年"),
        ("2026-12-20", "盘点一下我的2026"),
        ("2026-12-20", "今年最让我忘不了的是什么？"),
        ("2026-12-20", "今年你印象最深的是什么？"),
        ("2026-12-20", "给我做个年度总结"),
        ("2026-12-20", "回头看看我这一年"),
        ("2026-12-20", "我2026年过得咋样？"),
        ("2026-12-20", "今年我都干啥了"),
        ("2027-01-06", "说说我这一年"),
        ("2027-01-06", "我这一年都发生了什么？"),
        ("2027-01-06", "回顾一下去年"),
    ],
)
def test_a_year_is_told_by_what_is_dearest_from_all_over_it(
    now: str, question: str, told_a_year: dict[Language, Friend]
) -> None:
    """Five of twelve things, none of them a trifle; in January "my year" is the one that has gone."""
    language: Language = "en" if question.isascii() else "cn"
    answer = _asked_on(now, question, told_a_year[language])
    places = [answer.find(words) for words in OF_YEAR[language]]
    assert -1 not in places, answer
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("question", "dear", "others"),
    [
        ("What have I been up to since May?", ("Pia", "Jens", "third"), ("Ole", "Steinbach")),
        ("How was the first half of the year?", ("Ole", "Steinbach", "Pia"), ("Jens",)),
        ("What about my spring?", ("Steinbach",), ("Ole", "Pia")),
        ("五月以来我都干了些什么", ("豆豆", "吵", "三回"), ("外公", "星海")),
        ("上半年我过得怎么样", ("外公", "星海", "豆豆"), ("吵",)),
        ("春天以来我的生活有什么变化？", ("星海", "豆豆", "吵"), ("外公",)),
    ],
)
def test_a_part_of_a_year_is_told_alone(
    question: str,
    dear: tuple[str, ...],
    others: tuple[str, ...],
    told_a_year: dict[Language, Friend],
) -> None:
    """By what is dearest in it, and by nothing else."""
    answer = _asked_on("2026-12-20", question, told_a_year["en" if question.isascii() else "cn"])
    assert all(it in answer for it in dear), answer
    assert not any(it in answer for it in others), answer


@pytest.mark.parametrize(
    "question",
    [
        "What did I buy this year?",
        "Who died this year?",
        "How was my year group at school?",
        "What did my bus do this year?",
        "I want to go this year.",
        "What about Jens this year?",
        "sum up the book I read this year",
        "What changed at work since May?",
        "How was the bus this year?",
        "今年我买了什么？",
        "今年谁出生了？",
        "今年我吃了啥？",
        "今年有变化。",
        "今年我的公交车怎么了？",
        "说说今年的驾照",
        "总结一下今年的会",
        "今年我的体检怎么样",
    ],
)
def test_what_asks_for_more_than_a_year_is_no_question_for_all_of_it(
    question: str, told_a_year: dict[Language, Friend]
) -> None:
    """What was bought this year is what was bought."""
    language: Language = "en" if question.isascii() else "cn"
    answer = _asked_on("2026-12-20", question, told_a_year[language])
    assert sum(words in answer for words in OF_YEAR[language]) < 4, answer


@pytest.mark.parametrize(
    ("question", "first", "then"),
    [
        ("What was I doing a year ago today?", "third attempt", "night shift"),
        ("What did I do on 1 November last year?", "third attempt", "night shift"),
        ("去年今天我在干什么？", "三回", "下夜班"),
        ("去年11月1日我做了什么？", "三回", "下夜班"),
    ],
)
def test_of_a_day_what_is_plain_comes_last(
    question: str, first: str, then: str, told_a_year: dict[Language, Friend]
) -> None:
    """Whatever was told before it that day."""
    answer = _asked_on("2027-11-01", question, told_a_year["en" if question.isascii() else "cn"])
    assert first in answer, answer
    assert answer.find(first) < answer.find(then)


def _asked_on(day: str, question: str, friend: Friend) -> str:
    """Return the answer to a question of which nothing is kept."""
    companion, clock = friend
    clock.set(f"{day}T15:00+00:00")
    return companion.reply(question, off_record=True).text


@pytest.mark.parametrize(
    ("language", "question", "told"),
    [
        ("en", "What did we talk about last time?", "laces"),
        ("en", "what was the first thing i told you", "Leiden"),
        ("cn", "我们上次聊了什么？", "鞋带"),
        ("cn", "我最早跟你说的是什么？", "泉州"),
    ],
)
def test_the_first_and_the_last_talk_are_days_like_others(
    language: Language, question: str, told: str, tmp_path: Path
) -> None:
    """What was told then is given back, and nothing else."""
    reply = _asked(language, question, tmp_path)
    others = {*DEAR[language], "laces", "soup", "鞋带", "咸"} - {told}
    assert told in reply, reply
    assert not any(it in reply for it in others), reply


def test_of_each_day_the_first_stands_before_the_second_of_any() -> None:
    """Five sentences of one evening are no picture of a month."""
    ranked = ["3 a", "3 b", "1 a", "3 c", "2 a", "1 b"]
    assert once_a_day(ranked, lambda it: it[0]) == ["3 a", "1 a", "2 a", "3 b", "3 c", "1 b"]


def test_of_a_piece_of_time_each_further_is_a_little_less_dear() -> None:
    """0.05 less for each before it: the third of January (0.6) comes behind the one of May (0.65)."""
    worth = {"Jan a": 0.9, "Jan b": 0.8, "Jan c": 0.7, "May a": 0.65, "Oct a": 0.1}
    found = spread(list(worth), worth.__getitem__, lambda it: "JanMayOct".index(it[:3]))
    assert found == ["Jan a", "Jan b", "May a", "Jan c", "Oct a"]


@pytest.mark.parametrize("language", ["en", "cn"])
def test_of_a_year_of_talk_nothing_is_overlooked(language: Language, tmp_path: Path) -> None:
    """What is dearest of seventy things is told, though recall finds but some thirty of them."""
    settings = load_settings(home=tmp_path, environ={}, embedding="none", timezone="UTC")
    clock = MovingClock(datetime(2026, 1, 1, 9, tzinfo=UTC))
    runtime = Runtime(settings, clock, store=InMemoryStore())
    plain = {"en": "I mended the {} of a chair.", "cn": "修了一把椅子的第{}根腿。"}[language]
    dear = dict(YEAR[language])
    with Companion("Ada", runtime=runtime, clock=clock, language=language) as friend:
        for number in range(200):
            clock.move(days=1)
            if number % 3 == 0:
                friend.reply(plain.format(number))
            day = f"{clock.moment:%m-%d}"
            if day in dear:
                friend.reply(dear[day])
        question = {"en": "Tell me about my year", "cn": "说说我这一年"}[language]
        answer = friend.reply(question).text
    assert all(OF_YEAR[language][number] in answer for number in (0, 2)), answer


def test_what_is_pinned_or_comes_back_is_dearer() -> None:
    """0.1 for a plain sentence, 0.05 for each time it came back, ten of them at most; nothing for a trifle."""

    def of(words: str, **trace: object) -> float:
        told = datetime(2026, 9, 1, tzinfo=UTC)
        own = Trace(told, **trace)  # type: ignore[arg-type]
        return dearness(Turn("turn-2026-09-01-0", "2026-09-01", 0, words, "", told, own))

    days = [datetime(2026, 9, day, tzinfo=UTC) for day in range(2, 14)]
    assert of("The tram was full of skaters.") == pytest.approx(0.1)
    assert of("The tram was full of skaters.", recalls=tuple(days[:3])) == pytest.approx(0.25)
    assert of("The tram was full of skaters.", recalls=tuple(days)) == pytest.approx(0.6)
    assert of("It drizzles.") == pytest.approx(0.0)
    assert of("It drizzles.", pinned=True) > of("Lotte and I got engaged.") > 0.9
