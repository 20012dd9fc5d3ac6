"""The OpenAPI document is true: whatever is sent, the answer is one that it describes."""

from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as examples_of
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.serving import OPERATOR, Server

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
MODES = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
AUTHORIZED = {"Authorization": f"Bearer {OPERATOR}"}


def _send_everywhere(server: Server, examples: int) -> int:
    """Send made-up requests to every operation, right ones and wrong ones; how many operations."""
    with server.client() as client:
        client.post("/v1/people/Ada/chat", json={"message": "My dog is called Rex."})
        document = client.get("/v1/openapi.json").json()
    schema = schemathesis.openapi.from_dict(document, config=SchemathesisConfig())
    schema.config.update(base_url=server.url)
    operations: list[Any] = [
        found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)
    ]
    for operation in operations:
        for mode in MODES:

            @examples_of(
                max_examples=examples,
                deadline=None,
                database=None,
                derandomize=True,
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def check(case: schemathesis.Case[Any]) -> None:
                # Whoever deletes Ada leaves nothing to be found by the operations after it.
                if case.method.upper() != "DELETE":
                    case.call_and_validate(headers=AUTHORIZED, timeout=30, checks=CHECKS)

            # Of an operation that takes nothing no request is wrong.
            with suppress(Unsatisfiable):
                check()
    return len(operations)


@pytest.mark.slow
def test_every_answer_is_described(server: Server) -> None:
    """No 500 and no undocumented answer, with a right and a wrong request to each operation."""
    assert _send_everywhere(server, examples=1) >= 35


@pytest.mark.long
def test_every_answer_is_described_at_length(server: Server) -> None:
    """The same with many."""
    assert _send_everywhere(server, examples=50) >= 35
