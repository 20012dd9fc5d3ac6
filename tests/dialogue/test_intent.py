"""What was said is told apart by signs, in both languages."""

from __future__ import annotations

import pytest

from siliconfriend.dialogue.intent import (
    asks_of_a_matter,
    asks_what_companion_said,
    classify_intent,
)


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("Hi", "greeting"),
        ("Hello there, SiliconFriend!", "greeting"),
        ("Hello, how are you?", "greeting"),
        ("Hi, my cat died", "statement"),
        ("早上好！在吗？", "greeting"),
        ("你好啊，SiliconFriend", "greeting"),
        ("I'm back, long time no see!", "greeting"),
        ("It's been a while since I ran", "statement"),
        ("我回来了，好久不见", "greeting"),
        ("好久没下雨了", "statement"),
        ("你好，我叫小雨", "statement"),
        ("Thanks so much!", "thanks"),
        ("Thank you, that's kind", "thanks"),
        ("Thank you so much for listening", "thanks"),
        ("That's sweet of you", "thanks"),
        ("Thank you for the tea", "statement"),
        ("谢谢你，你真好", "thanks"),
        ("辛苦你了", "thanks"),
        ("辛苦了一整天", "statement"),
        ("老朋友，你好", "greeting"),
        ("My dear friend, hello again!", "greeting"),
        ("My old friend said hello to Ben", "statement"),
        ("谢谢你陪我聊天，今天心情好多了", "statement"),
        ("晚安~", "farewell"),
        ("Thanks, good night", "farewell"),
        ("Good morning, thank you so much!", "thanks"),
        ("谢谢，晚安", "farewell"),
        ("谢谢你，我先睡了", "farewell"),
        ("Thanks, my night was good for once", "statement"),
        ("Are you really human?", "identity"),
        ("你是真人吗", "identity"),
        ("What do you know about me?", "portrait"),
        ("你了解我什么？", "portrait"),
        ("我今天都干啥了", "question"),
        ("我最近过得咋样", "question"),
        ("我也不知道自己干啥了", "statement"),
        ("没啥", "statement"),
        ("今天没干啥", "statement"),
        ("Who am I to you?", "portrait"),
        ("Who am I meeting tomorrow?", "question"),
        ("Sum up my life so far", "told"),
        ("What has my life been like?", "told"),
        ("Sum up the meeting for my boss", "statement"),
        ("My life is a mess", "statement"),
        ("总结一下我的人生", "told"),
        ("回顾一下我到目前为止的生活吧", "told"),
        ("总结会开完了", "statement"),
        ("我的生活很无聊", "statement"),
        ("Can you remember what I say?", "keeping"),
        ("Will you remember everything I tell you?", "keeping"),
        ("Do you remember my cat?", "question"),
        ("Can you remember what I said about the boat?", "question"),
        ("你能记住我说的话吗？", "keeping"),
        ("你会记得我说过的吗", "keeping"),
        ("你能记住外婆的生日吗？", "question"),
        ("And recommend me a book", "request"),
        ("帮我写首诗", "request"),
        ("What did I see in the park", "question"),
        ("Have a nice day", "statement"),
        ("我上次去哪里玩了", "question"),
        ("你还记得我外婆住哪吗", "question"),
        ("跟我说说那条船", "question"),
        ("聊聊我妹妹", "question"),
        ("提醒我一下面试的事", "question"),
        ("Let's talk about the boat", "question"),
        ("I'd like to hear about Anna", "question"),
        ("I'd like to talk to Anna about the boat", "statement"),
        ("提醒我明天买奶", "statement"),
        ("陪我聊聊天吧", "statement"),
        ("我跟老板聊聊加薪", "statement"),
        ("没什么，就是累", "statement"),
        ("想死你了", "statement"),
        ("…", "statement"),
    ],
)
def test_kinds(said: str, intent: str) -> None:
    """A greeting, a question, a request and news each are what a person would take them for."""
    assert classify_intent(said, "SiliconFriend") == intent


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("What painters did you recommend?", True),
        ("Which book have you suggested to me?", True),
        ("你上次给我推荐的书叫什么？", True),
        ("What did I tell my sister?", False),
        ("我上次推荐给你的书叫什么？", False),
        ("我曾经和你推荐过一部电影，叫什么？", False),
    ],
)
def test_whose_words_are_asked_for(said: str, asks: bool) -> None:
    """A question about what the companion said is told from one about the person's words."""
    assert asks_what_companion_said(said) is asks


@pytest.mark.parametrize(
    ("said", "of_a_matter"),
    [
        ("What have I told you?", False),
        ("So far, what have I told you about me?", False),
        ("About my cat, what have I told you?", True),
        ("我跟你说过什么？", False),
        ("关于我，你都记得什么？", False),
        ("关于外婆，我跟你说过什么？", True),
        ("关于我的猫，你记得什么？", True),
    ],
)
def test_a_matter_may_be_named_before_it_is_asked_what_was_told(
    said: str, of_a_matter: bool
) -> None:
    """Then what was told of that is meant, and not all."""
    assert classify_intent(said) == "told"
    assert asks_of_a_matter(said) is of_a_matter


@pytest.mark.parametrize("row", ["谢谢你" * 500, "thank you so much " * 500], ids=["cn", "en"])
def test_a_long_row_of_thanks_is_read_in_one_go(row: str) -> None:
    """Its words can be taken apart in more ways than there are atoms; one is tried."""
    assert classify_intent(row) == "thanks"
    assert classify_intent(f"{row} 7") == "statement"
