"""Relatives in a text: what leads to them is put together, in both languages."""

from __future__ import annotations

import pytest

from siliconfriend.language.kinship import compose_relation, is_same_relation, relatives_in


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("My daughter's boy started school.", ("cf", "cm")),
        ("My grandson is five.", ("c", "cm")),
        ("The brother of my mother keeps bees.", ("pf", "sm")),
        ("Mum has moved to Truro.", ("pf",)),
        ("they called mom out of work", ("pf",)),
        ("husband Colin drives the school bus", ("mm",)),
        ("It rained. daughter got in!", ("cf",)),
        ("I met my wife's mother.", ("mf", "pf")),
        ("My little sister's husband cooks.", ("sf", "mm")),
        ("My great-grandmother was a weaver.", ("p", "p", "pf")),
        ("我女儿的儿子上学了。", ("cf", "cm")),
        ("我外孙五岁了。", ("cf", "cm")),
        ("我爱人的妈妈来了。", ("m", "pf")),
        ("我妻子的母亲做饭。", ("mf", "pf")),
        ("岳母做的鱼好吃。", ("mf", "pf")),
        ("外婆摔了一跤。", ("pf", "pf")),
    ],
)
def test_steps_that_follow_each_other_are_put_together(
    text: str, relation: tuple[str, ...]
) -> None:
    """Each word is a step or more; a chain of them leads to one relative."""
    assert [found.relation for found in relatives_in(text)] == [relation]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("my daughter's boy", "我的外孙"),
        ("my mother-in-law", "我爱人的妈妈"),
        ("我岳母", "我妻子的母亲"),
        ("my uncle", "the brother of my mother"),
        ("my nephew", "my sister's son"),
        ("我嫂子", "my brother's wife"),
    ],
)
def test_two_names_of_one_relative_agree(one: str, other: str) -> None:
    """In one language and across both."""
    assert any(
        is_same_relation(first.relation, second.relation)
        for first in relatives_in(one)
        for second in relatives_in(other)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("my sister", "my brother"),
        ("我婆婆", "我岳母"),
        ("my son", "my grandson"),
        ("爷爷", "外公"),
    ],
)
def test_others_do_not(one: str, other: str) -> None:
    """A mother of the husband is none of the wife."""
    (first,), (second,) = relatives_in(one), relatives_in(other)
    assert not is_same_relation(first.relation, second.relation)


@pytest.mark.parametrize(
    "text",
    [
        *("his mother", "Your sister is kind.", "a good film", "a mom came in", "the dad waved"),
        *(
            "jonah's dad drove",
            "mother of two",
            "他奶奶教我的",
            "我带过徒弟",
            "我是他师兄",
            "我干女儿来了",
        ),
    ],
)
def test_relatives_of_others_are_not_ones_own(text: str) -> None:
    """Only the speaker's are found."""
    assert relatives_in(text) == ()


def test_a_siblings_parent_is_a_parent() -> None:
    """Steps that are one are made one, with what is known of the last."""
    assert compose_relation(("sm", "pf")) == ("pf",)
    assert compose_relation(("mf", "cm")) == ("cm",)
    assert compose_relation(("pf", "sm")) == ("pf", "sm")
