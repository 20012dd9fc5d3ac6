"""Labels of speakers in a streamed answer: an invented turn ends it, a quoted one stays."""

import pytest

from siliconfriend.models.base import Message
from siliconfriend.models.labels import MODEL_ROLES, PERSON_ROLES, without_labels
from siliconfriend.models.openai_compatible import OpenAICompatible
from tests.loopback import Answered, LoopbackServer, streamed

FENCED = "Try this.\n```yaml\nservice: web\n\nUser: root\n```\nThen restart."
DIALOGUE = "Sure, a short one:\n\nUser: Hi.\nAssistant: Hello!\n\nDid you want more?"


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("Hello.\nUser: How are you?\nAssistant: Fine.", "Hello.\n"),
        ("Hello.\n\n**User:** How are you?", "Hello.\n"),
        ("你好。\n用户：你好吗？\n助手：好。", "你好。\n"),
        ("Hello.\nHuman: And you?", "Hello.\n"),
        ("Assistant: Hello.", "Hello."),
        ("助手：你好。", "你好。"),
        ("User: Hi.\nAssistant: Hello.\nUser: Bye.",) * 2,
        ("User names: three.",) * 2,
        ("Hello.\nUsers like it.",) * 2,
        (FENCED,) * 2,
        (DIALOGUE,) * 2,
        ("Tom: drinks\nUser: cake",) * 2,
    ],
)
def test_an_invented_turn_ends_the_answer(answer: str, shown: str, size: int) -> None:
    """Code, dialogues and lists that name a "User" stay as written."""
    pieces = (answer[at : at + size] for at in range(0, len(answer), size))
    assert "".join(without_labels(pieces, MODEL_ROLES, PERSON_ROLES)) == shown


@pytest.mark.parametrize("more", ["", " And then?", "\nAssistant: Fine."])
def test_an_answer_that_goes_on_as_the_person_is_whole(loopback: LoopbackServer, more: str) -> None:
    """What comes behind the cut is not waited for, and does not count as broken off."""
    answer: Answered = streamed("Hello there.", "\nUser: How are you?", more)
    loopback.answers([answer])
    model = OpenAICompatible("m", base_url=loopback.url, max_retries=0)
    assert "".join(model.stream([Message("user", "Hello")])) == "Hello there.\n"
