"""What somebody has of their own, and what it is called."""

from __future__ import annotations

import pytest

from siliconfriend.language.belongings import belongings_in, names_of_belongings
from siliconfriend.language.kinship import relatives_in


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("My old blue van broke down.", ["ovan"]),
        ("Who is looking after the cat?", ["ocat"]),
        ("I sold the car and the boat.", ["ocar", "oboat"]),
        ("I have a dog.", ["odog"]),
        ("We keep 40 sheep and two donkeys up north.", ["odonkey"]),
        ("we have three cats and a dog", ["ocat", "odog"]),
        ("I've just bought a car.", ["ocar"]),
        ("We don't have a dog.", []),
        ("He has a dog.", []),
        ("I want a dog, I have to walk a dog.", []),
        ("We have a dog walker.", []),
        ("我养了两只猫", ["ocat"]),
        ("My car keys are gone.", []),
        ("My friend hates cats.", []),
        ("My neighbour's dog barked.", []),
        ("我把车卖了", ["ocar"]),
        ("我的狗现在在哪儿？", ["odog"]),
        ("谁在照顾猫", ["ocat"]),
        ("房子卖掉了", ["ohouse"]),
        ("买了张车票，骑车去上班", []),
        ("邻居的狗老叫，他家狗也叫", []),
    ],
)
def test_what_is_ones_own_is_named(text: str, kinds: list[str]) -> None:
    """Not what is somebody else's, nor what only belongs to such a thing."""
    assert [it.relation for it in belongings_in(text)] == [(kind,) for kind in kinds]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("My boyfriend Joost stayed in Utrecht with our dog Pixel", "pixel", "odog"),
        ("We took in a stray kitten and named her Biscuit.", "biscuit", "ocat"),
        ("We have a rabbit called Clover.", "clover", "orabbit"),
        ("Wren is our boat.", "wren", "oboat"),
        ("我们的狗豆包跟他一起", "豆包", "odog"),
        ("我家猫叫团子", "团子", "ocat"),
        ("我领了一只小橘猫，取名年糕。", "年糕", "ocat"),
        ("我们那辆面包车叫大白", "大白", "ovan"),
    ],
)
def test_a_name_stands_for_what_it_was_given_to(text: str, name: str, kind: str) -> None:
    """Be it behind the word, or by a word for calling."""
    assert names_of_belongings(text) == ((name, (kind,)),)


@pytest.mark.parametrize(
    "text",
    [
        "My dog is sick.",
        "我的狗今天吐了",
        "我们家的猫眼睛发炎了",
        "他家狗叫旺财",
        "My dog's vet is nice.",
    ],
)
def test_what_is_no_name_is_none(text: str) -> None:
    """What it does, a part of it, and what another's is called."""
    assert names_of_belongings(text) == ()


def test_a_form_of_address_is_no_relative() -> None:
    """林姐 and 王哥 are colleagues; 我姐 and 小林的哥哥 stay what they were."""
    assert relatives_in("今天被主管林姐骂了，王哥劝我") == ()
    assert [it.relation for it in relatives_in("我姐跟我哥")] == [("sf",), ("sm",)]
