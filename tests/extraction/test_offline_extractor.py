"""Reading without a model: quotations, and facts only where they are said outright."""

from __future__ import annotations

import pytest

from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.extraction.subject import Subject
from tests.extraction.reading import ADA, XIAO, batch_of, ids
from tests.extraction.talks import at

READ = OfflineExtractor().extract


def _facts(
    subject: Subject, *spoken: str | tuple[str, str], **fields: str
) -> list[tuple[str, str]]:
    """Type and words of the facts."""
    found = READ(subject, batch_of(*spoken, **fields), ())
    return [(it.entity_type, it.text) for it in found.facts]


def test_a_run_of_turns_is_one_event_in_the_persons_own_words() -> None:
    """It rests on the turns it quotes and on no others; what only asks or greets is not quoted."""
    batch = batch_of(
        "Hello!",
        "I carried the old piano up the stairs with Nora.",
        "Do you know a good piano tuner?",
        "The piano stands by the window now.",
    )
    (event,) = READ(ADA, batch, ()).events
    assert event.text == (
        "I carried the old piano up the stairs with Nora. The piano stands by the window now."
    )
    assert event.turns == ids(batch, 2, 4)
    assert event.time == at("3 14:01")
    assert event.key_words[0] == "piano"


def test_in_chinese_nothing_stands_between_the_sentences() -> None:
    """The same with Chinese words."""
    batch = batch_of("今天我和小王把旧钢琴搬上了楼。", "钢琴现在放在窗户旁边。")
    (event,) = READ(XIAO, batch, ()).events
    assert event.text == "今天我和小王把旧钢琴搬上了楼。钢琴现在放在窗户旁边。"


def test_small_talk_is_no_event() -> None:
    """A greeting and a question leave nothing but a theme."""
    found = READ(ADA, batch_of("Hi!", "How are you?"), ())
    assert (found.events, found.facts) == ((), ())


def test_the_batch_is_one_theme() -> None:
    """With all its turns; it goes on where the turn before was about the same."""
    batch = batch_of("The piano is out of tune.", "A tuner for the piano comes on Friday.")
    (theme,) = READ(ADA, batch, ()).themes
    assert theme.pages == ids(batch, 1, 2)
    assert theme.key_words[0] == "piano"
    assert not theme.continues


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ("My birthday is on 3 May.", "Ada's birthday is 3 May."),
        ("No, my birthday isn't on 3 May, it's on 4 May!", "Ada's birthday is 4 May."),
        ("I live in New York City now.", "Ada lives in New York City."),
        ("I just moved to Oslo!", "Ada lives in Oslo."),
        ("I’m allergic to peanuts.", "Ada is allergic to peanuts."),
        ("I don't like mushrooms.", "Ada doesn't like mushrooms."),
        ("I can't stand loud music these days.", "Ada can't stand loud music."),
        ("I have a cat called Momo.", "Ada has a cat called Momo."),
        ("My sister's name is Nora.", "Ada's sister is called Nora."),
    ],
)
def test_what_is_said_outright_is_a_fact_of_the_person(words: str, fact: str) -> None:
    """Told of them by their name."""
    assert _facts(ADA, words) == [("object", fact)]


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ("我的生日是五月三号。", "小林的生日是五月三号。"),
        ("我生日不是五月三号，是五月四号。", "小林的生日是五月四号。"),
        ("我刚搬到上海了！", "小林住在上海。"),
        ("我对花生过敏。", "小林对花生过敏。"),
        ("我最喜欢下雨天了", "小林喜欢下雨天。"),
        ("我养了一只猫，叫年糕。", "小林养的猫叫年糕。"),
        ("我妹妹叫林娜。", "小林的妹妹叫林娜。"),
    ],
)
def test_and_in_chinese(words: str, fact: str) -> None:
    """The same in Chinese."""
    assert _facts(XIAO, words) == [("object", fact)]


def test_a_friend_keeps_tastes_of_their_own() -> None:
    """The friend's dislike is the friend's, and the person's liking is theirs."""
    assert _facts(ADA, "My friend Jack hates coriander.", "I love coriander.") == [
        ("object", "Ada's friend is called Jack."),
        ("specific", "Jack hates coriander."),
        ("object", "Ada loves coriander."),
    ]
    assert _facts(XIAO, "我朋友小王讨厌香菜。", "我喜欢香菜。") == [
        ("object", "小林的朋友叫小王。"),
        ("specific", "小王讨厌香菜。"),
        ("object", "小林喜欢香菜。"),
    ]


@pytest.mark.parametrize(
    "words",
    [
        "Do I like jazz?",
        "If I live in Paris one day, I'd be glad.",
        "I would love a coffee.",
        "She said: I love cake.",
        "“I love cake”, it read.",
        "I love you.",
        "I like it when it rains.",
        "I like to read.",
        "My birthday is tomorrow.",
        "I moved to Oslo in 2015.",
        "Maybe I love jazz.",
        "In the story I live in London.",
        "如果我住在巴黎就好了。",
        "他说我喜欢蛋糕。",
        "我喜欢你。",
        "我喜欢上了一个人。",
        "你知道我喜欢什么吗？",
        "小时候我住在北京。",
        "我搬到学校旁边了。",
    ],
)
def test_rather_no_fact_than_a_wrong_one(words: str) -> None:
    """Questions, wishes, doubts, quotations, the past and words without content say none."""
    assert _facts(ADA, words) == []


def test_play_gives_no_facts() -> None:
    """What is said in a part is true of nobody; its event says that it was play."""
    batch = batch_of("Let's role-play! You are the king.", "I live in London and I love dragons.")
    found = READ(ADA, batch, ())
    assert found.facts == ()
    assert [it.scene for it in found.events] == ["role-play"]


def test_what_the_companion_promised_is_its_own() -> None:
    """In its own words; what it says about the person is no fact of theirs."""
    reply = "You love jazz, Ada. I promise to remind you on Friday. I'd recommend a record."
    assert _facts(ADA, ("Thanks.", reply)) == [
        ("subject", "Kai promised Ada: “I promise to remind you on Friday.”"),
        ("subject", "Kai recommended to Ada: “I'd recommend a record.”"),
    ]
    assert _facts(XIAO, ("好的。", "你喜欢爵士乐。我答应你，周五提醒你。")) == [
        ("subject", "小硅答应过小林：“我答应你，周五提醒你。”")
    ]


def test_offline_replies_promise_nothing() -> None:
    """They quote the person, who may have promised something themselves."""
    assert _facts(ADA, ("Hm.", "I promise to come."), replied_by="offline") == []
