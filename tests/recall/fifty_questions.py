"""Fifty things that were told and what is asked about each, in all forms of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from siliconfriend.texts import Language

TOLD_AND_ASKED: Mapping[Language, Sequence[tuple[str, str]]] = {
    "en": [
        ("I was in Lima in 2012.", "What happened in Lima?"),
        ("By nationality I am Hungarian.", "What nationality am I?"),
        ("I speak three languages: Finnish, Catalan and Korean.", "Which languages do I speak?"),
        ("My daughter's name is Saoirse.", "What is my daughter called?"),
        ("I keep the spare key under the third flowerpot.", "Where is the spare key?"),
        ("My doctor told me to give up coffee.", "Tell me what my doctor told me to give up."),
        ("We had to put our old cat to sleep on Sunday.", "What became of our old cat?"),
        ("I work nights at the bakery on Mill Road.", "Do I work at night?"),
        ("My brother lives in Oslo with his two boys.", "Where does my brother live?"),
        ("The car broke down outside Leeds.", "Was there something with the car?"),
        ("I'm allergic to walnuts.", "Am I allergic to anything?"),
        ("I passed my driving test at the fourth attempt.", "How many driving tests did I take?"),
        ("My favourite film is The Third Man.", "And my favourite film?"),
        ("I met Paolo at a chess club in Turin.", "How did I get to know Paolo?"),
        ("Our wedding was on a boat.", "Our wedding was where?"),
        ("I hurt my knee skiing.", "Why does my knee hurt?"),
        ("I owe Marta forty euros.", "I owe Marta something, don't I?"),
        ("My landlord wants to raise the rent.", "What is my landlord up to with the rent?"),
        ("I've taken up fencing on Thursdays.", "On which evenings is my fencing?"),
        ("My grandmother taught me to knit.", "Who taught me to knit?"),
        ("The roof leaked all through November.", "Did the roof leak or didn't it?"),
        ("I am reading a long novel about whales.", "What am I reading?"),
        ("My shoe size is forty-three.", "What size are my shoes"),
        ("Ida's birthday party is on a ferry.", "Could you tell me where Ida's party is?"),
        ("I left my umbrella on the tram.", "I wonder, where did I leave my umbrella?"),
    ],
    "cn": [
        ("2012年我去过利马。", "我在利马发生过什么事？"),
        ("我会说的语言有芬兰语和韩语。", "我会说哪几种语言？"),
        ("我出生在匈牙利，拿的是匈牙利护照。", "我拿的是哪国护照？"),
        ("我女儿叫小满。", "我女儿叫什么名字？"),
        ("备用钥匙放在第三个花盆下面。", "备用钥匙在哪里？"),
        ("医生让我把咖啡戒了。", "医生让我戒什么？"),
        ("星期天我们送走了养了十二年的老猫。", "我家的老猫怎么了？"),
        ("我在磨坊路的面包店上夜班。", "我是不是在面包店上班？"),
        ("我哥哥带着两个孩子住在奥斯陆。", "我哥哥住在哪儿"),
        ("车在城外抛锚了。", "车在哪儿坏的？"),
        ("我对核桃过敏。", "我对什么过敏呢？"),
        ("我考了四次才拿到驾照。", "驾照我考了几回？"),
        ("我最喜欢的电影是《第三人》。", "我最喜欢的电影呢？"),
        ("我是在都灵的象棋俱乐部认识保罗的。", "保罗是我怎么认识的？"),
        ("我们的婚礼是在船上办的。", "我们的婚礼在哪儿办的？"),
        ("滑雪的时候我伤了膝盖。", "我的膝盖怎么会疼？"),
        ("我欠玛尔塔四十块钱。", "我欠玛尔塔多少钱？"),
        ("房东五月份要涨房租。", "房东打算什么时候涨房租？"),
        ("我每个星期四去学击剑。", "我学击剑是星期几？"),
        ("织毛衣是奶奶教我的。", "谁教我织毛衣的？"),
        ("整个十一月屋顶都在漏水。", "屋顶是不是漏水了？"),
        ("我在读一本写鲸鱼的小说。", "我在读什么书？"),
        ("我的鞋码是四十三。", "你知道我的鞋码吗？"),
        ("艾达的生日会在渡轮上办。", "能告诉我艾达的生日会在哪里吗？"),
        ("我把雨伞落在电车上了。", "雨伞被我落在哪儿了？"),
    ],
}
