"""The rule by which replies are graded, case by case."""

import pytest

from siliconfriend.evaluation.grading import Grade, grade_reply, token_recall
from siliconfriend.texts import LANGUAGES, Language, sentences

RIGHT: Grade = "right"
REFUSED: Grade = "refused"
INVENTED: Grade = "invented"
WRONG: Grade = "wrong"


@pytest.mark.parametrize(
    ("gold", "reply", "share"),
    [
        ("White", "Your new dress was white.", 1),
        ("Madrid and Lisbon", "You spoke of Lisbon.", 1 / 2),
        ("About eight", "There are 8 of you.", 1),
        ("Jazz (and blues)", "You like jazz.", 1),
        ("Jazz (and blues)", "You like blues.", 0),
        ("running in the parks", "I ran in a park.", 1 / 2),
        ("白色", "你买的是白色的裙子。", 1),
        ("八个人左右", "你们组里有8个人。", 2 / 3),
        ("HIIT（高强度间歇训练）和重量训练", "我在练HIIT和重量训练。", 1),
        ("", "anything", 0),
    ],
)
def test_share_of_the_gold_answer_that_is_found(gold: str, reply: str, share: float | None) -> None:
    """Stemmed or segmented, numbers as numbers, brackets left out unless they are all."""
    assert token_recall(gold, reply) == pytest.approx(share)


@pytest.mark.parametrize(
    ("kind", "gold", "reply", "expected"),
    [
        ("single", "Jazz", "You told me you like jazz.", RIGHT),
        ("single", "Jazz", "I don't remember that.", REFUSED),
        ("single", "Jazz", "I am not sure, but was it jazz?", RIGHT),
        ("single", "Jazz", "You told me: “I don't know what to play.”", WRONG),
        ("single", "爵士乐", "这件事我不记得了。", REFUSED),
        ("unanswerable", "Not in the history", "You made soup.", INVENTED),
        ("unanswerable", "", "你不喜欢下雨天。", INVENTED),
        ("unanswerable", "Not in the history", "You haven't told me about that.", RIGHT),
        ("false-premise", "No: you like comedies", "No, you enjoy comedies a lot.", RIGHT),
        ("false-premise", "No: you like comedies", "Yes, you do not like comedies.", INVENTED),
        ("false-premise", "No: you like comedies", "That's right.", INVENTED),
        ("false-premise", "No: you like comedies", "I do not recall you saying that.", REFUSED),
        ("false-premise", "不对，你喜欢喜剧片", "不对呀，你很喜欢喜剧片。", RIGHT),
        ("false-premise", "不对，你喜欢喜剧片", "是的，你不喜欢喜剧片。", INVENTED),
    ],
)
def test_grades(kind: str, gold: str, reply: str, expected: Grade) -> None:
    """Right, refused, invented or plainly wrong."""
    assert grade_reply(kind, gold, reply) == expected


@pytest.mark.parametrize(
    ("question", "gold", "reply", "expected"),
    [
        ("Why do I hate comedies?", "You like comedies", "You hate comedies: dull.", INVENTED),
        ("Why do I hate comedies?", "You love comedies", "You told me you love comedies.", RIGHT),
        ("我为什么讨厌喜剧片？", "你喜欢喜剧片", "你讨厌喜剧片，因为太吵。", INVENTED),
    ],
)
def test_whoever_repeats_a_false_premise_agrees(
    question: str, gold: str, reply: str, expected: Grade
) -> None:
    """Only words of the answer that the question does not have speak for it."""
    assert grade_reply("false-premise", gold, reply, question) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_offline_companions_own_words_are_known(language: Language) -> None:
    """What it says when it recalls nothing counts as saying so, each wording of it."""
    said = sentences("offline", language)["says"]
    for reply in said["nothing"]:
        assert grade_reply("unanswerable", "", reply) == RIGHT, reply
