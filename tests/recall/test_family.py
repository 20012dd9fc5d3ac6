"""Who is in my family: each relative by where they were first told of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from siliconfriend.dialogue.companion import Companion
from siliconfriend.recall.family import asks_family, find_family
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language

BEGUN = datetime(2026, 1, 1, 12, tzinfo=UTC)
MOST = 6


def _family(*told: str) -> list[str]:
    moments = [BEGUN + timedelta(days=at) for at in range(len(told))]
    return [told[at] for at in find_family(told, moments, MOST)]


@pytest.mark.parametrize(
    "question",
    [
        "Who is in my family?",
        "who's in my family",
        "So, who all is in my family?",
        "What do you know about my family?",
        "Tell me about my relatives.",
        "Do you remember everyone in my family?",
        "我家里都有谁？",
        "我家有几口人啊",
        "说说我的家人吧",
        "你还记得我家里人吗？",
        "关于我的家人，你都知道些什么？",
    ],
)
def test_questions_for_all_of_ones_people(question: str) -> None:
    assert asks_family(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who in my family plays chess?",
        "What did I tell my family?",
        "Who is in my band?",
        "Where does my family live?",
        "What do you know about my sister?",
        "My family is coming for Easter.",
        "我家里谁会弹琴？",
        "我家有几只猫？",
        "我的家人住在哪儿？",
        "我家人都来了。",
    ],
)
def test_other_questions_are_for_something_else(question: str) -> None:
    assert not asks_family(question)


def test_each_relative_by_the_first_that_names_them() -> None:
    """Two sons are two; a boss is nobody's family, and a name goes before none."""
    told = (
        "My daughter sang today.",
        "husband Colin drives the school bus",
        "I drank tea.",
        "My daughter Bryony is 17.",
        "My son Tomas works on ships.",
        "My son Pavel is a cook.",
        "My boss shouted at me.",
        "What does my wife do for work?",
        "Bryony failed her exam, my daughter cried.",
        "My brother is abroad.",
    )
    assert _family(*told) == [told[1], told[3], told[4], told[5], told[9]]
    told = ("爸爸在外地修高铁", "同桌叫赵一鸣", "我妹妹小雨五岁", "妹妹感冒了", "我老婆的妈妈来了")
    assert _family(*told) == [told[0], told[2], told[4]]


def test_the_nearest_relatives_where_there_are_many() -> None:
    told = (
        "My brother's daughter Ada sings.",
        "My mother is a nurse.",
        "My father rows.",
        "My sister Fay paints.",
        "My son Finn is two.",
        "My wife Una is a vet.",
        "My brother Kit plays the bassoon.",
    )
    assert _family(*told) == list(told[1:])
    assert _family("I drank tea.") == []


@pytest.mark.parametrize(
    ("language", "told", "question", "untold"),
    [
        (
            "en",
            ("My sister Fay paints.", "I drank tea.", "My son Finn is two."),
            "Who is in my family?",
            "tea",
        ),
        ("cn", ("我妹妹小雨五岁。", "今天喝了茶。", "我爸爸修高铁。"), "我家里都有谁？", "茶"),
    ],
)
def test_the_companion_names_them(
    settings, language: Language, told: tuple[str, ...], question: str, untold: str
) -> None:
    """All of them, without doubt, and nothing else; where nobody was told of it quotes nothing."""
    clock = MovingClock(BEGUN)
    with Companion("Ada", settings=settings, language=language, clock=clock) as companion:
        "".join(companion.stream(told[1]))
        assert untold not in "".join(companion.stream(question))
        for words in told:
            "".join(companion.stream(words))
        clock.move(days=1)
        reply = "".join(companion.stream(question))
    names = {"en": ("Fay", "Finn"), "cn": ("小雨", "爸爸")}[language]
    assert all(it in reply for it in names), reply
    assert untold not in reply, reply
