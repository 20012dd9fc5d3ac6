"""Reading without a model: quotations, and facts only where they are said outright."""

from __future__ import annotations

import pytest

from siliconfriend.extraction.comparison import compare
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.offline_extractor import OfflineExtractor
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


def test_sentences_that_were_typed_without_a_mark_do_not_run_together() -> None:
    """Each but the last gets one."""
    batch = batch_of("今天我和小王把旧钢琴搬上了楼", "钢琴现在放在窗户旁边")
    (event,) = READ(XIAO, batch, ()).events
    assert event.text == "今天我和小王把旧钢琴搬上了楼。钢琴现在放在窗户旁边"
    batch = batch_of("Kit carried the old piano upstairs", "the piano stands by the window")
    (event,) = READ(ADA, batch, ()).events
    assert event.text == "Kit carried the old piano upstairs. the piano stands by the window"


def test_small_talk_is_no_event() -> None:
    """A greeting and a question leave nothing but a theme."""
    found = READ(ADA, batch_of("Hi!", "How are you?"), ())
    assert (found.events, found.facts) == ((), ())


def test_the_batch_is_one_theme() -> None:
    """With all its turns; it goes on where the turn before was about the same."""
    batch = batch_of("The piano is out of tune.", "A tuner for the piano comes on Friday.")
    (theme,) = READ(ADA, batch, ()).topics
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


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ("my birthday is the 4th of May", "Ada's birthday is 4th of May."),
        ("I was born on 4 May 1990 in Leeds.", "Ada's birthday is 4 May 1990."),
        ("May 4th is my birthday!", "Ada's birthday is May 4th."),
        ("We live in Oxford.", "Ada lives in Oxford."),
        ("I've been living in Paris since May.", "Ada lives in Paris."),
        ("I'm originally from Wales.", "Ada is from Wales."),
        ("I'm an engineer.", "Ada is an engineer."),
        ("I work for Siemens.", "Ada works for Siemens."),
        ("I don't really like olives.", "Ada doesn't like olives."),
        ("I love listening to old songs.", "Ada loves listening to old songs."),
        ("I'm 28 years old.", "Ada is 28 years old."),
        ("My favourite author is Jane Austen.", "Ada's favourite author is Jane Austen."),
        ("My cat's called Momo.", "Ada has a cat called Momo."),
        ("I have a sister called Ann.", "Ada's sister is called Ann."),
        ("I have an older sister.", "Ada has an older sister."),
        ("I play the cello.", "Ada plays the cello."),
        ("我生日五月四号", "Ada的生日是五月四号。"),
        ("我是1990年5月4日生的", "Ada的生日是1990年5月4日。"),
        ("五月四号是我的生日", "Ada的生日是五月四号。"),
        ("我家在杭州。", "Ada住在杭州。"),
        ("我搬来北京三年了", "Ada住在北京。"),
        ("我老家是山东的", "Ada是山东人。"),
        ("我是护士。", "Ada是护士。"),
        ("我在银行上班。", "Ada在银行工作。"),
        ("我今年28岁了", "Ada28岁。"),
        ("我喜欢看电影。", "Ada喜欢看电影。"),
        ("我最喜欢的水果是西瓜。", "Ada最喜欢的水果是西瓜。"),
        ("我有一只叫年糕的猫", "Ada养的猫叫年糕。"),
        ("我有个妹妹叫小梅", "Ada的妹妹叫小梅。"),
        ("我会弹吉他。", "Ada会弹吉他。"),
    ],
)
def test_usual_ways_of_saying_it(words: str, fact: str) -> None:
    """Of birthday, home, calling, family, pets and tastes."""
    assert _facts(ADA, words) == [("object", fact)]


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ("My mum's a doctor.", "Ada's mum is a doctor."),
        ("My sister's birthday is 3 March.", "Ada's sister's birthday is 3 March."),
        ("My husband doesn't eat meat.", "Ada's husband doesn't eat meat."),
        ("我妈妈是医生。", "Ada的妈妈是医生。"),
        ("我妹妹生日是三月三号。", "Ada的妹妹的生日是三月三号。"),
        ("我女儿今年五岁了。", "Ada的女儿五岁。"),
    ],
)
def test_and_of_someone_around_them(words: str, fact: str) -> None:
    """In the same words, and never the person's."""
    assert _facts(ADA, words) == [("specific", fact)]


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
        "My birthday is 3 days away.",
        "I'm a bit tired.",
        "I'm 10 minutes late.",
        "I work at night.",
        "I was born in May.",
        "I hope I live in Paris one day.",
        "我姐姐的生日蛋糕是五月四号做的",
        "My birthday party is on 5 May.",
        "My boss is French.",
        "My cat is Siamese.",
        "My job is a nightmare.",
        "I work for a living.",
        "I can't stand up.",
        "我爱情不顺",
        "我爱莫能助",
        "我怕是感冒了",
        "我在努力工作",
        "我在学校",
        "我在家工作",
        "我回到北京了",
        "我三岁就会唱歌",
        "我家狗叫了一晚上",
        "我妹妹叫我吃饭",
        "我昨天住在上海",
        "我是好人",
        "I turned down the offer on Monday.",
        "My birthday was ruined.",
        "我在家过生日。",
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


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ("我对天文感兴趣。", "小林对天文感兴趣。"),
        ("我对星座和蓝玫瑰很感兴趣。", "小林对星座和蓝玫瑰感兴趣。"),
        ("我最近对摄影产生了兴趣。", "小林对摄影感兴趣。"),
        ("我对政治不感兴趣。", "小林对政治不感兴趣。"),
        ("我对做饭没什么兴趣。", "小林对做饭不感兴趣。"),
        ("I'm interested in astronomy.", "小林 is interested in astronomy."),
        ("I am very interested in old maps.", "小林 is interested in old maps."),
        ("I'm not interested in politics.", "小林 is not interested in politics."),
    ],
)
def test_an_interest_is_a_fact(words: str, fact: str) -> None:
    """What someone is interested in, and what not."""
    assert _facts(XIAO, words) == [("object", fact)]


def test_interests_compare_across_languages() -> None:
    """The same interest told twice is one, losing it contradicts it, another is another."""
    told = [
        READ(ADA, batch_of(it), ()).facts[0]
        for it in (
            "I'm interested in politics.",
            "我对政治感兴趣。",
            "I'm not interested in politics.",
            "我对音乐感兴趣。",
        )
    ]
    assert compare(told[1], told[0]) == "same"
    assert compare(told[2], told[0]) == "contradictory"
    assert compare(told[3], told[0]) == "unrelated"


@pytest.mark.parametrize(
    ("words", "kind", "fact"),
    [
        ("Today is my birthday!", "object", "Ada's birthday is 3 June."),
        ("It's my birthday today.", "object", "Ada's birthday is 3 June."),
        ("My birthday is today, I turn 30.", "object", "Ada's birthday is 3 June."),
        ("Today is my sister's birthday.", "specific", "Ada's sister's birthday is 3 June."),
        ("今天是我的生日！", "object", "Ada的生日是6月3日。"),
        ("今天我过生日。", "object", "Ada的生日是6月3日。"),
        ("我今天生日。", "object", "Ada的生日是6月3日。"),
        ("今天是我妹妹的生日。", "specific", "Ada的妹妹的生日是6月3日。"),
        ("I turned 40 today.", "object", "Ada's birthday is 3 June."),
        ("I'm turning thirty tomorrow.", "object", "Ada's birthday is 4 June."),
        ("My birthday was yesterday.", "object", "Ada's birthday is 2 June."),
        ("My birthday is in two weeks.", "object", "Ada's birthday is 17 June."),
        ("My husband turned 50 last Sunday.", "specific", "Ada's husband's birthday is 31 May."),
        ("我昨天过生日。", "object", "Ada的生日是6月2日。"),
        ("我下个月三号过生日。", "object", "Ada的生日是7月3日。"),
        ("我今天满四十岁。", "object", "Ada的生日是6月3日。"),
        ("我妹妹上周日过的生日。", "specific", "Ada的妹妹的生日是5月31日。"),
    ],
)
def test_a_birthday_is_a_fact_with_its_day(words: str, kind: str, fact: str) -> None:
    """Told from the day of the turn, the 3rd of June 2026, a Wednesday."""
    assert _facts(ADA, words) == [(kind, fact)]


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        (
            "I like painting, playing piano and tea tasting.",
            ["Ada likes painting.", "Ada likes playing piano.", "Ada likes tea tasting."],
        ),
        (
            "My hobbies are painting, playing the piano, and tea tasting.",
            [f"Ada's hobby is {it}." for it in ("painting", "playing the piano", "tea tasting")],
        ),
        (
            "I have three hobbies: painting, chess and tea.",
            [f"Ada's hobby is {it}." for it in ("painting", "chess", "tea")],
        ),
        (
            "I love cats, dogs and old maps in my free time.",
            ["Ada loves cats.", "Ada loves dogs.", "Ada loves old maps."],
        ),
        ("我喜欢画画、弹钢琴和品茶。", ["Ada喜欢画画。", "Ada喜欢弹钢琴。", "Ada喜欢品茶。"]),
        (
            "我的爱好是画画、弹钢琴和品茶。",
            ["Ada的爱好是画画。", "Ada的爱好是弹钢琴。", "Ada的爱好是品茶。"],
        ),
        (
            "我有三个爱好：画画、弹钢琴、品茶等等。",
            ["Ada的爱好是画画。", "Ada的爱好是弹钢琴。", "Ada的爱好是品茶。"],
        ),
        # what is done may be done with all of them: one fact, in the person's words
        ("I like eating apples, pears and plums.", ["Ada likes eating apples, pears and plums."]),
        ("我喜欢吃苹果、梨和香蕉。", ["Ada喜欢吃苹果、梨和香蕉。"]),
        ("I'm allergic to milk, nuts and eggs.", ["Ada is allergic to milk, nuts and eggs."]),
        ("我对牛奶、花生和鸡蛋过敏。", ["Ada对牛奶、花生和鸡蛋过敏。"]),
        # what is no thing by itself takes none of the others along
        (
            "I'm learning Greek, Turkish and the zither.",
            ["Ada is learning Greek.", "Ada is learning Turkish."],
        ),
        # two are as often one thing, and a clause is none
        ("I like fish and chips.", ["Ada likes fish and chips."]),
        ("I like cats, dogs and my neighbour hates them.", ["Ada likes cats."]),
        ("I hate mornings, get up late and skip breakfast.", ["Ada hates mornings."]),
        ("我喜欢唱歌、跳舞的人。", []),
    ],
)
def test_every_thing_of_a_row_is_kept(words: str, facts: list[str]) -> None:
    """Not the first alone; where each by itself could say something else, together."""
    assert [text for _, text in _facts(ADA, words)] == facts


@pytest.mark.parametrize(
    "words",
    [
        "I was afraid that the bus would not come.",
        "I'm afraid of missing the bus.",
        "I am scared of being late.",
        "I'm afraid of dogs today.",
        "I'm terrified of losing my keys.",
        "我怕公交车不来。",
        "我害怕公交车不会来。",
        "我怕迟到。",
        "我怕明天下雨。",
        "我怕公交车迟来。",
        "我怕吵到邻居。",
    ],
)
def test_a_passing_fear_is_no_fact(words: str) -> None:
    """It is over when the bus comes; what someone is afraid of for good stays a fact."""
    assert _facts(ADA, words) == []
    assert _facts(ADA, "I'm afraid of flying.") == [("object", "Ada is afraid of flying.")]
    assert _facts(ADA, "我怕坐飞机。") == [("object", "Ada怕坐飞机。")]


def test_play_gives_no_facts() -> None:
    """What is said in a part is true of nobody; its event says that it was play."""
    batch = batch_of("Let's role-play! You are the king.", "I live in London and I love dragons.")
    found = READ(ADA, batch, ())
    assert found.facts == ()
    assert [it.scene for it in found.events] == ["role-play"]


def test_the_end_of_a_play_is_no_event() -> None:
    """What is told in earnest after it is."""
    batch = batch_of("Let's role-play!", "I rob the ship.", "End the role-play. I sold my old car.")
    (event,) = READ(ADA, batch, ()).events
    assert event.text == "I sold my old car."


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


@pytest.mark.parametrize(
    "words",
    ["I've taken up fencing.", "We've adopted a greyhound from the rescue.", "我开始学击剑了。"],
)
def test_a_change_that_no_rule_reads_is_kept_in_the_persons_own_words(words: str) -> None:
    """What began or ended is a fact of its matter, word for word."""
    ((kind, text),) = _facts(ADA, words)
    assert kind == "object"
    assert words in text


@pytest.mark.parametrize(
    "words",
    [
        "our landlord is called Mr Vogel",
        "I'm vegetarian since I was 15",
        "We keep two donkeys, Winston and Clem.",
        "I work nights at St Anne's",
        "my car is a green Skoda",
        "I speak Polish with my mum",
        "我房东姓魏",
        "我十五岁起吃素",
        "我家有两头驴，叫温温和团团",
        "我在妇幼医院上夜班",
        "我开一辆绿色的斯柯达",
        "我每周二打羽毛球",
    ],
)
def test_how_things_are_for_long_is_kept_in_the_persons_own_words(words: str) -> None:
    """Whatever rule reads none of it: a year later the turn has faded, and this is still known."""
    facts = [text for kind, text in _facts(ADA, words) if kind == "object"]
    assert any(words in text for text in facts), facts


@pytest.mark.parametrize(
    "words",
    [
        "I have a cold.",
        "I'm at work until ten.",
        "My dog is ill.",
        "I play tennis with Kit tomorrow.",
        "I have to work on my Spanish.",
        "Do I keep donkeys?",
        "I'm thinking of getting a dog.",
        "My teacher is a photographer who tells us of the light, of cameras and of horses for riding.",
        "我在家上班。",
        "我在等单位的电话。",
        "我明天打羽毛球。",
        "我有点想养狗。",
        "我家猫病了。",
    ],
)
def test_what_passes_is_no_such_fact(words: str) -> None:
    assert not any(words in text for _, text in _facts(ADA, words))


@pytest.mark.parametrize(
    "words", ["I went swimming today.", "My brother has joined a choir.", "他开始学抱石了。"]
)
def test_a_day_or_somebody_else_makes_no_fact_of_ones_own(words: str) -> None:
    """Swimming once is no sport, and a brother's choir is his."""
    assert not any(kind == "object" for kind, _ in _facts(ADA, words))
