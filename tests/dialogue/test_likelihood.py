"""How likely a memory is meant: the signs of a message, and weights from the program or a file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from math import exp
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.dialogue.likelihood import (
    BUNDLED,
    KINDS,
    NO_SIGNS,
    Asked,
    Weights,
    judge,
    weights_for,
    write_weights,
)
from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.dates import find_dates
from tests.dialogue.people import recalled, remembered

LEMON, PAINTER, BOAT = 0, 1, 2
NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)


def _asked(said: str) -> Asked:
    return Asked.of(said, find_dates(said, now=NOW, zone=ZoneInfo("UTC")), ())


def test_the_likelihood_is_that_of_the_summed_weights() -> None:
    """Log odds of -1 + 2·0.5 are even; what has no weight counts nothing."""
    weights = Weights(-1.0, {"standing": 2.0}, sure=0.9, some=0.1)
    assert weights.likelihood({"standing": 0.5, "crowd": 9.0}) == 0.5
    assert weights.likelihood({"standing": 1.0}) == pytest.approx(1 / (1 + exp(-1)))
    assert 0 < weights.likelihood({"standing": -1e9}) < 1e-9


@pytest.mark.parametrize(
    ("said", "held"),
    [("What did my sister Anna buy?", 1.0), ("Where is the lemon tree?", 0.0)],
)
def test_the_share_of_its_words_that_a_memory_holds(said: str, held: float) -> None:
    """Content words alone, in whatever form they stand."""
    (features,) = _asked(said).features_of(recalled(remembered("en"), BOAT))
    assert features["held"] == held
    assert features["shares"] == float(held > 0)


def test_days_count_for_what_is_of_them() -> None:
    """What a question names a day for is of it or of another; a feast of no year may be any."""
    (boat,) = recalled(remembered("en"), BOAT)
    of_day = replace(boat, signs=replace(NO_SIGNS, date=1.0))
    named = _asked("What did I do on 13 March 2026?")
    days = [(it["of_days"], it["of_other_days"]) for it in named.features_of([of_day, boat])]
    assert days == [(1.0, 0.0), (0.0, 1.0)]
    (feast,) = _asked("What did we eat at Easter?").features_of([boat])
    assert (feast["names_days"], feast["of_other_days"]) == (0.0, 0.0)


def test_what_stands_out_leads_by_so_much() -> None:
    """The best by its lead on the second, the others by what they lie behind."""
    signs = [replace(NO_SIGNS, standing=standing) for standing in (3.0, 1.0, 2.0)]
    found = recalled(remembered("en"), LEMON, PAINTER, BOAT)
    three = [replace(it, signs=sign) for it, sign in zip(found, signs, strict=True)]
    leads = [it["lead"] for it in _asked("Who sails?").features_of(three)]
    assert leads == [1.0, -2.0, -1.0]
    assert [it["lead"] for it in _asked("Who sails?").features_of(three[:1])] == [3.0]


def test_a_question_and_a_remark_are_weighed_apart() -> None:
    """Each by its own weights and cuts."""
    found = recalled(remembered("en"), BOAT)
    weights = {
        kind: Weights(bias, {}, sure=0.9, some=some)
        for kind, bias, some in zip(KINDS, (0.0, -30.0), (0.2, 0.4), strict=True)
    }
    question = judge(_asked("What did Anna buy?"), found, weights)
    remark = judge(_asked("Anna is away."), found, weights)
    assert (question.likelihood(found[0]), question.some) == (0.5, 0.2)
    assert (remark.likelihood(found[0]) < 1e-9, remark.some) == (True, 0.4)


def test_an_operators_weights_go_before_the_programs(tmp_path: Path) -> None:
    """For the embedders that stand in them; for others those of the bundled one count."""
    file = tmp_path / "likelihood.json"
    own = {kind: Weights(1.0, {"standing": 2.0}, sure=0.9, some=0.1) for kind in KINDS}
    write_weights(file, "mine", own)
    write_weights(file, None, own)
    assert weights_for("mine", file) == own
    assert weights_for(None, file) == own
    assert weights_for("other", file) == weights_for(BUNDLED)
    assert weights_for(None) != weights_for(BUNDLED)


@pytest.mark.parametrize("written", ["{", "[]", '{"mine": {"question": {}}}'])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, written: str) -> None:
    """Loudly, instead of judging by other numbers than the operator's."""
    file = tmp_path / "likelihood.json"
    file.write_text(written, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        weights_for("mine", file)
    assert "likelihood.json" in str(caught.value)
