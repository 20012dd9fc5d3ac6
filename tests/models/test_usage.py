"""Counting requests and tokens: added up over the copies of a model."""

from __future__ import annotations

from siliconfriend.models.base import AnswerOptions, Message
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.models.usage import Usage
from tests.loopback import LoopbackServer, streamed

ASKED = [Message("user", "Hello")]


def test_every_copy_counts_together(loopback: LoopbackServer) -> None:
    """7 in and 3 out of each of three requests."""
    loopback.answers([streamed("Hello")])
    model = OpenAICompatible("m", base_url=loopback.url)
    model.complete(ASKED)
    list(model.stream(ASKED))
    copy = model.with_options(AnswerOptions(temperature=0.0))
    list(copy.stream(ASKED))
    assert copy.last_usage == Usage(1, 7, 3)
    assert model.usage == Usage(3, 21, 9)
    assert model.usage.sentence("en") == "3 requests to the model, 21 tokens in and 9 out"
    assert model.usage.sentence("cn") == "请求模型 3 次，输入 21 个 token，输出 9 个"
