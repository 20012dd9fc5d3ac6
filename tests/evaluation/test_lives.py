"""The lives of ``tests/life``: their form, and floors under what of them reaches a reply.

The figures in full stand in ``docs/evaluation.md``, with everyday turns between. Here only what
was told is stored, and the floors lie two questions below what is reached. A change that lowers
one of them has to be measured in full and explained there.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from siliconfriend.config import Settings, load_settings
from siliconfriend.evaluation.bench import open_bench
from siliconfriend.evaluation.datasets import read_json
from siliconfriend.evaluation.life import KINDS, NOTHING, SMALL, Life, evaluate_life, read_life
from siliconfriend.evaluation.table import Row

FOLDER = Path(__file__).parents[1] / "life"
LIVES = (
    *("en_tuned", "en_held", "cn_tuned", "cn_held"),
    *("en_fresh", "cn_fresh", "en_more", "cn_more"),
    *("en_unseen", "cn_unseen", "en_late", "cn_late"),
    *(f"en_plain_{letter}" for letter in "abcdef"),
    *(f"cn_plain_{letter}" for letter in "abcd"),
    *("en_final", "cn_final"),
)

REMINDED = 0.3
"""So much of small talk may be answered with a memory that it does not call for."""


def _life(name: str) -> Life:
    return read_life(read_json(FOLDER / f"{name}.json"))


def _measure(settings: Settings, name: str, *, night: bool) -> list[Row]:
    with open_bench(settings) as bench:
        return evaluate_life(bench, _life(name), ["siliconfriend"], night=night)


Measured = Callable[[str], list[Row]]
AFTER_A_NIGHT = "cn_tuned"
"""The life that is measured after a night, too."""


@pytest.fixture(scope="module")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """Measures a life without an embedder, each once."""

    @cache
    def measure(name: str) -> list[Row]:
        home = tmp_path_factory.mktemp("home")
        settings = replace(load_settings(home=home), embedding="none")
        return _measure(settings, name, night=name == AFTER_A_NIGHT)

    return measure


@pytest.mark.parametrize("name", LIVES)
def test_what_is_looked_for_was_told_and_stands_in_no_question(name: str) -> None:
    """Else a key would be found in any prompt, or in none."""
    life = _life(name)
    told = [words for turn in life.told for words in (turn.words, turn.reply)]
    for ask in life.asked:
        assert all(any(key in words for words in told) for key in ask.keys)
        assert not any(key in ask.words for key in ask.keys)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "prompt", "claimed"),
    [
        ("en_tuned", 43, 1),
        ("cn_tuned", 56, 1),
        ("en_fresh", 41, 1),
        ("cn_fresh", 52, 1),
        ("en_more", 30, 1),
        ("cn_more", 32, 1),
    ],
)
def test_by_words_alone_a_life_reaches_the_reply(
    by_words: Measured, name: str, prompt: int, claimed: int
) -> None:
    """So many of its questions at least in the prompt, and no more claimed than that.

    These lives are too long to stand whole in the room for memories.
    """
    row, *_ = by_words(name)
    _assert_floors(row, prompt, claimed)


@pytest.mark.slow
def test_a_night_costs_nothing_of_a_life(by_words: Measured) -> None:
    """What it makes of the turns stands beside them and hides none.

    Without an embedder a remark finds some of them by words that stand for others, and the night
    learns another table of these.
    """
    day, night = by_words(AFTER_A_NIGHT)
    before, after = (
        {(miss["kind"], miss["ask"]) for miss in row["misses"] if not miss["in_prompt"]}
        for row in (day, night)
    )
    lost = after - before
    assert {kind for kind, _ in lost} <= {"statement"}, lost
    assert len(lost) <= 3, lost


@pytest.mark.slow
@pytest.mark.parametrize(("name", "prompt", "claimed"), [("en_tuned", 66, 1), ("cn_tuned", 70, 1)])
def test_by_meaning_a_life_reaches_the_reply(
    home: Path, name: str, prompt: int, claimed: int
) -> None:
    """With the bundled embedder, on the day before any night."""
    (row,) = _measure(load_settings(home=home), name, night=False)
    assert set(row["by_kind"]) == set(KINDS) - {SMALL, NOTHING}
    _assert_floors(row, prompt, claimed)


def _assert_floors(row: Row, prompt: int, claimed: int) -> None:
    assert row["prompt"] * row["asked"] >= prompt - 1e-9
    assert row["claimed"] <= claimed, row["claims"]
    assert row["reminded"] <= REMINDED * row["small_talk"], row["reminders"]
