"""Words that speak of self-harm, and words that only sound like it, in both languages."""

from __future__ import annotations

import pytest

from siliconfriend.language.self_harm import speaks_of_self_harm

SAID_EN = (
    "I want to kill myself",
    "I don't want to live anymore",
    "I've been thinking about suicide",
    "I feel suicidal tonight",
    "I just want to die",
    "I wish I was dead",
    "I wish I'd never woken up, I wish I wouldn't wake up",
    "There is no point in living",
    "My life isn't worth living",
    "They would be better off without me",
    "I cut myself again last night",
    "I have the urge to hurt myself",
    "I've started harming myself again",
    "I took all my pills",
    "I want to jump off a bridge",
    "I am thinking of ending my life",
    "I can't go on anymore",
    "I tried to commit suicide last year",
    "I want to end it all",
    "I wish I had never been born",
    "honestly i want to die",
    "I’m going to kill myself",
    "I have suicidal thoughts",
    "I don’t see the point of living",
    "Sometimes I think about hanging myself",
    "I want to slit my wrists",
    "I have been self-harming",
    "I don't want to be here anymore",
    "I don't want to wake up tomorrow",
    "I'd rather be dead",
)

NOT_SAID_EN = (
    "I nearly killed myself laughing",
    "I don't want to die",
    "My uncle committed suicide when I was ten",
    "I want to die of embarrassment",
    "The cake is to die for",
    "I cut myself shaving this morning",
    "I fell and hurt myself at the gym",
    "We watched Suicide Squad",
    "I'd rather die than eat liver",
    "My phone is going to die",
    "I was dying to see you",
    "My plants want to live",
    "I can't go on like this, the kitchen is a mess",
    "Resigning now would be political suicide",
    "I don't want to live in London any more",
    "I spent my life savings",
    "I took my life story to the publisher",
    "I am killing myself over this exam",
    "I see no point in going on with the project",
    "He wants to die at home",
    "I cut myself a slice of bread",
    "I burned myself on the stove",
    "We jumped off the bridge into the river",
    "I would kill for a coffee",
    "I drown myself in work",
    "The suicide rate fell",
    "I read a novel about a suicide",
    "I'm not suicidal, just tired",
    "I am dead tired",
    "I don't want to be alive at six in the morning, it's too early",
)

SAID_CN = (
    "我不想活了",
    "我想死",
    "真的好想死",
    "活着没意思",
    "活着真没意思",
    "我想自杀",
    "我有自杀的念头",
    "我想从楼上跳下去",
    "我又在自残",
    "我割腕过",
    "忍不住伤害自己",
    "我活不下去了",
    "不如死了算了",
    "死了就解脱了，死了算了",
    "我想结束自己的生命",
    "不想再醒来了",
    "没有我大家会更好",
    "我吞了一整瓶安眠药",
    "我想一了百了，考虑自杀",
    "我每天都想死",
    "人生没有意义",
    "我用刀片划自己的手腕",
    "好想消失了",
    "想离开这个世界就好了",
    "我准备跳楼",
    "我打算去死掉",
    "我想彻底解脱",
    "我小时候自杀过",
    "快活不下去了",
    "最近总想死",
)

NOT_SAID_CN = (
    "想死你了",
    "我想死你们了",
    "累死了",
    "笑死我了",
    "热得要死",
    "今天困死了",
    "我外婆去年走了",
    "电影里主角自杀了",
    "商场跳楼大甩卖",
    "我不想死",
    "我爸朋友自杀了，我很难过",
    "手机快死了",
    "那道菜好吃死了",
    "我不会自杀的",
    "尴尬得想死",
    "我想死妈妈做的饭了",
    "这盆花活不下去了",
    "不想活得那么累",
    "我从来没有想过自杀",
    "无聊死了",
    "想消失几天去旅行",
    "昨天看了一部讲自杀的纪录片",
    "自杀式袭击的新闻",
    "我想解脱几天",
    "饿死了，吃什么",
    "切菜时割到手指",
    "打球弄伤了膝盖",
    "吓死我了",
    "他死了十年了",
    "我家的猫死了",
)


@pytest.mark.parametrize("words", [*SAID_EN, *SAID_CN])
def test_plain_words_are_found(words: str) -> None:
    """Alone and within a longer message, in any letter case."""
    assert speaks_of_self_harm(words)
    assert speaks_of_self_harm(f"It rained all day. {words.upper()}! 今天下雨。{words}。")


@pytest.mark.parametrize("words", [*NOT_SAID_EN, *NOT_SAID_CN])
def test_figures_of_speech_accidents_and_others_are_not(words: str) -> None:
    """Nor what is denied, nor what happened to somebody else."""
    assert not speaks_of_self_harm(words)
