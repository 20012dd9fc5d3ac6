"""References: whoever was named last takes the place of a pronoun in a question."""

from __future__ import annotations

import pytest

from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.references import resolve_references
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language
from tests.memory.people import NOW

SISTER = "My sister Fay runs a salon with her husband Neil."
SISTER_CN = "我姐姐小菲在绍兴开美发店。"


def _talk(*said: str) -> list[Utterance]:
    """Utterances, oldest first; a reply begins with ``<``."""
    return [Utterance(it.removeprefix("<"), is_reply=it.startswith("<")) for it in said]


@pytest.mark.parametrize(
    ("message", "talk", "resolved"),
    [
        ("Where does she live?", ("What does my sister do?",), "Where does my sister live?"),
        ("And what is her job?", (SISTER,), "And what is my sister Fay's job?"),
        ("Did I give her some honey?", ("Lena called.",), "Did I give Lena some honey?"),
        ("what does he do?", ("Kit called tonight",), "what does Kit do?"),
        ("What did he say?", ("Kit called Tom tonight.",), "What did Kit say?"),
        ("When was he at the vet?", ("How is our dog?",), "When was our dog at the vet?"),
        ("她住哪儿？", ("我姐姐是做什么的？",), "姐姐住哪儿？"),
        ("他是做什么的？", ("小齐今晚打电话来了",), "小齐是做什么的？"),
        ("她教什么？", ("王老师打电话来了",), "王老师教什么？"),
        ("它几岁了？", ("我们家的狗怎么样了？",), "我们家的狗几岁了？"),
    ],
)
def test_a_pronoun_means_whoever_was_named_last(
    message: str, talk: tuple[str, ...], resolved: str
) -> None:
    """Of several in one message who fits it, and of these the one it is about."""
    assert resolve_references(message, _talk(*talk)) == resolved


def test_a_name_stays_meant_until_another_is_named() -> None:
    """Over questions that name nobody; a man is not meant by "she"."""
    talk = _talk("What does my sister do?", "<…", "Where does she live?", "<…")
    assert resolve_references("Is she ill?", talk) == "Is my sister ill?"
    talk += _talk("My brother called.", "<I see.")
    assert resolve_references("Is he ill?", talk) == "Is my brother ill?"
    assert resolve_references("Is she ill?", talk) == "Is my sister ill?"
    assert resolve_references("Is he ill?", talk[:4]) == "Is he ill?"


@pytest.mark.parametrize(
    ("message", "talk", "resolved"),
    [
        (
            "What did she give me?",
            ("Who keeps bees?", "<On 2 February you told me that Mrs Okafor next door keeps bees."),
            "What did Mrs Okafor give me?",
        ),
        (
            "她送了我什么？",
            ("谁养蜜蜂？", "<我记得的，2月2日你说，隔壁欧阳阿姨养蜜蜂。"),
            "欧阳阿姨送了我什么？",
        ),
        (
            "Where does she live?",
            ("What does my sister do?", "<You told me that Ines is a nurse."),
            "Where does my sister live?",
        ),
    ],
)
def test_an_answer_names_somebody_where_the_question_does_not(
    message: str, talk: tuple[str, ...], resolved: str
) -> None:
    assert resolve_references(message, _talk(*talk)) == resolved


@pytest.mark.parametrize(
    ("message", "before", "resolved"),
    [
        ("And my brother?", "What does my sister do?", "What does my brother do?"),
        ("What about my cousin Ines?", "Where does Kit live?", "Where does my cousin Ines live?"),
        ("那我弟弟呢？", "我姐姐是做什么的？", "我弟弟是做什么的？"),
        # nobody, or nobody before
        ("And in March?", "What did I do in February?", "And in March?"),
        ("And my keys?", "What does my sister do?", "And my keys?"),
        ("And my brother?", "It rained all day.", "And my brother?"),
        ("What about you?", "What does my sister do?", "What about you?"),
        ("你呢？", "我姐姐是做什么的？", "你呢？"),
        ("我的钥匙呢？", "我姐姐是做什么的？", "我的钥匙呢？"),
    ],
)
def test_a_question_is_asked_again_of_somebody_else(
    message: str, before: str, resolved: str
) -> None:
    assert resolve_references(message, _talk(before)) == resolved


@pytest.mark.parametrize(
    "message",
    [
        "He called again.",
        "What a day. He called again.",
        "Did my brother say when he comes?",
        "Is it raining?",
        "Where do they live?",
        "他又打电话来了。",
        "他们住哪儿？",
        "其他的放哪儿了？",
        "我弟弟说他几点来？",
    ],
)
def test_other_messages_stay_as_they_are(message: str) -> None:
    """A remark, what names somebody itself, several people, and no pronoun at all."""
    talk = _talk("My brother Kit is a plumber.", "我弟弟小齐是水电工。")
    assert resolve_references(message, talk) == message


def test_without_a_talk_nobody_is_meant() -> None:
    assert resolve_references("Where does she live?", []) == "Where does she live?"
    talk = _talk("It rained in Leeds in May.", "<I see.", "去大连了", "<嗯。")
    assert resolve_references("Where does she live?", talk) == "Where does she live?"
    assert resolve_references("他住哪儿？", talk) == "他住哪儿？"


@pytest.mark.parametrize(
    ("language", "told", "asked", "answer"),
    [
        (
            "en",
            ("My brother Kit is a plumber.", SISTER, "Mrs Okafor gave me honey."),
            ("Kit called tonight.", "What does he do for a living?"),
            "plumber",
        ),
        (
            "cn",
            ("我弟弟小齐是水电工。", SISTER_CN, "欧阳阿姨送了我蜂蜜。"),
            ("小齐今晚打电话来了。", "他是做什么工作的？"),
            "水电工",
        ),
    ],
)
def test_the_companion_knows_whom_a_question_means(
    settings, language: Language, told: tuple[str, ...], asked: tuple[str, str], answer: str
) -> None:
    """It answers of him first, and what was said is stored as it was said."""
    clock = MovingClock(NOW)
    with Companion("Ada", settings=settings, language=language, clock=clock) as companion:
        for words in told:
            "".join(companion.stream(words))
        clock.move(days=3)
        for words in asked:
            reply = "".join(companion.stream(words))
        first = min((reply.find(it), it) for it in (answer, *told[1:]) if it in reply)
        assert first[1] == answer, reply
    turns = open_store(settings).load(Scope.of("Ada")).turns()
    assert [it.query for it in turns][-1] == asked[-1]
