"""Counting tokens and money: added up over copies and models, and only where prices are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.models.base import Message
from siliconfriend.models.factory import open_chat_model
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.models.options import AnswerOptions
from siliconfriend.models.usage import Price, Usage, format_money
from tests.loopback import LoopbackServer, streamed

ASKED = [Message("user", "Hello")]


def test_every_copy_counts_together(loopback: LoopbackServer) -> None:
    """7 in and 3 out of each of three requests, at 2 and 10 for a million: 132 millionths."""
    loopback.answers([streamed("Hello")])
    model = OpenAICompatible("m", base_url=loopback.url, price=Price(2.0, 10.0, "CNY"))
    model.complete(ASKED)
    list(model.stream(ASKED))
    copy = model.with_options(AnswerOptions(temperature=0.0))
    list(copy.stream(ASKED))
    assert copy.facts.usage == Usage(1, 7, 3, 0, pytest.approx(44e-6), "CNY")
    assert model.usage == Usage(3, 21, 9, 0, pytest.approx(132e-6), "CNY")
    assert model.usage.sentence("en") == (
        "3 requests to the model, 21 tokens in and 9 out, about 0.00013 CNY"
    )
    assert model.usage.sentence("cn") == (
        "请求模型 3 次，输入 21 个 token，输出 9 个，约 0.00013 CNY"
    )


def test_without_a_price_there_is_no_cost() -> None:
    """0 would say that it was free."""
    usage = Usage.of(1000, 10, None)
    assert usage.cost is None
    assert usage.document() == {"calls": 1, "input_tokens": 1000, "output_tokens": 10}
    assert "about" not in usage.sentence("en")
    assert (usage + Usage.of(1_000_000, 0, Price(0.5, 1, "USD"))).cost == 0.5


@pytest.mark.parametrize(
    ("environ", "price"),
    [
        ({}, Price(0.30, 1.20, "USD")),
        ({"SILICONFRIEND_MODEL": "another"}, None),
        ({"SILICONFRIEND_CURRENCY": "CNY"}, None),
        (
            {
                "SILICONFRIEND_PRICE_INPUT": "2",
                "SILICONFRIEND_PRICE_OUTPUT": "8",
                "SILICONFRIEND_CURRENCY": "CNY",
            },
            Price(2, 8, "CNY"),
        ),
    ],
)
def test_a_price_is_that_of_the_very_model(
    home: Path, environ: dict[str, str], price: Price | None
) -> None:
    """What is set counts; else what is known of the preset's own model, never of another."""
    settings = load_settings(
        home=home, environ={"DEEPSEEK_API_KEY": "k", **environ}, llm="deepseek"
    )
    model = open_chat_model(settings)
    assert isinstance(model, OpenAICompatible)
    assert model.price == price


@pytest.mark.parametrize(
    ("amount", "written"),
    [(0, "0.00"), (0.000132, "0.00013"), (0.05, "0.050"), (0.5, "0.50"), (12.3456, "12.35")],
)
def test_money_shows_what_it_is(amount: float, written: str) -> None:
    """A talk costs fractions of a cent; it is not written as nothing."""
    assert format_money(amount) == written
