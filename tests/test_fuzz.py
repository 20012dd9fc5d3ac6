"""Any bytes end or are refused with a sentence: the short form of ``tests/long/fuzz.py``."""

import random
from itertools import islice
from pathlib import Path

import pytest

from tests.long.fuzz_doors import HttpDoor
from tests.long.fuzz_targets import DOCUMENTED, Target, mutations, targets

NAMES = (
    *("prompts", "terminal", "names", "dates", "insights", "model answers", "extraction"),
    *("import", "memory files", "characters", "cards"),
    *("chat exports", "backups", "settings", "HTTP"),
    "long messages",
)
INPUTS = {"long messages": 2}
"""How many of each but for the seeds; 25 where nothing is said."""


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    """All of them, over one folder."""
    return targets(tmp_path_factory.mktemp("fuzz"), longest=5_000)


@pytest.mark.parametrize("name", [*NAMES[:-1], pytest.param(NAMES[-1], marks=pytest.mark.slow)])
def test_any_bytes_are_read_or_refused(name: str, readers: dict[str, Target]) -> None:
    """A few variations of each form; the seeds themselves are read."""
    assert set(readers) == set(NAMES)
    target = readers[name]
    for data in (
        *target.seeds,
        *islice(mutations(target.seeds, random.Random(7)), INPUTS.get(name, 25)),
    ):
        try:
            target.read(data)
        except DOCUMENTED:
            continue


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"GET /v1/people?\xca", 400),
        (b'POST /v1/people/Ada/turns\n{"said":"x","at":"202\\ud83d"}', 422),
        (b'POST /v1/people/Ada/chat\n{"message":"x","\\ud83d":1,"off_record":"\\ud83d"}', 422),
        (b"POST /v1/people/Ada/chat\n\xff", 400),
    ],
    ids=["bytes in the query", "half a moment", "half a field", "no text"],
)
def test_requests_that_nobody_could_read(asked: bytes, status: int, tmp_path: Path) -> None:
    """Each once ended in a fault of the server, or could have."""
    door = HttpDoor(tmp_path)
    assert door.answer(asked)[0] == status
