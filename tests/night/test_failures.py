"""A night whose model fails in any way: the days stay pending, and nothing of it is remembered."""

from __future__ import annotations

import pytest

from siliconfriend.memory.records import Turn
from siliconfriend.models.openai_compatible import OpenAICompatible
from tests.loopback import LoopbackServer, streamed
from tests.models.failures import FAILURES, Failure
from tests.night.world import World

DEEP = Failure("answers with JSON 3,000 deep", streamed("[" * 3000 + "]" * 3000))
WRONG = Failure("answers with JSON of another form", streamed('{"colour": ["red"]}'))


@pytest.mark.usefixtures("waits")
@pytest.mark.parametrize("failure", [*FAILURES, DEEP, WRONG], ids=lambda failure: failure.name)
def test_nothing_of_a_failed_answer_is_remembered(
    two_days: World, loopback: LoopbackServer, failure: Failure
) -> None:
    """No summary, portrait, event or fact is made, and the report says that something is left."""
    loopback.answers([failure.answered])
    timeout = 0.1 if failure.answered.hangs else 10.0
    model = OpenAICompatible("tiny", base_url=loopback.url, timeout=timeout, max_retries=0)
    report = two_days.night(model)
    memory = two_days.memory()
    assert [it for it in memory.memories() if not isinstance(it, Turn)] == []
    assert all(day.summary is None and day.personality is None for day in memory.days.values())
    assert memory.overall_history is None
    assert memory.overall_personality is None
    (person,) = report.to_json()["users"]
    assert person["status"] != "ok"
    assert person["errors"] or person["pending"]
