"""Learning the judge: what sets the meant memory apart gets weight, and likelihoods are true."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from siliconfriend.errors import ConfigurationError
from siliconfriend.evaluation.bench import Bench, read_turns
from siliconfriend.evaluation.conversations import read_conversation
from siliconfriend.evaluation.life import read_life
from siliconfriend.evaluation.likelihood import (
    NAMES,
    Example,
    learn_likelihood,
    learn_weights,
    likelihoods,
)
from siliconfriend.recall.likelihood import BUNDLED, Model, model_of, read_models, write_model
from tests.evaluation import banks

SIMILARITY = NAMES.index("similarity")


def _examples() -> list[Example]:
    """Forty questions: half have an answer that stands out by its similarity, half have none."""
    numbers, examples = np.random.default_rng(7), list[Example]()
    for number in range(40):
        table = numbers.normal(size=(20, len(NAMES)))
        keys: tuple[frozenset[int], ...] = ()
        if number % 2:
            table[3, SIMILARITY] += 3.0
            keys = (frozenset({3}),)
        examples.append(Example(table, keys, "life", tells_sureness=True))
    return examples


@pytest.mark.slow
def test_what_sets_the_meant_memory_apart_is_learned() -> None:
    """It has the highest likelihood of most questions that have an answer.

    Of those whose first memory is more likely than not about as many are right as it says.
    """
    pytest.importorskip("sklearn")
    examples = _examples()
    weights = learn_weights(examples, Model(0.0, {}))
    assert weights.weights["similarity"] > 0.5
    right = [likelihoods(weights, one).argmax() == 3 for one in examples if one.keys]
    assert sum(right) >= 0.7 * len(right)
    best = [(one, likelihoods(weights, one)) for one in examples]
    sure = [(bool(one.is_meant[of.argmax()]), of.max()) for one, of in best if of.max() > 0.5]
    assert sum(is_right for is_right, _ in sure) >= sum(of for _, of in sure) - 2


@pytest.mark.slow
def test_half_of_each_source_is_learned_from(bench: Bench, tmp_path: Path) -> None:
    """Of two conversations the second is measured; the weights stand in the file."""
    pytest.importorskip("sklearn")
    life, filler, out = read_life(banks.LIFE), read_turns(banks.BANK), tmp_path / "weights.json"
    both = [read_conversation(banks.CONVERSATION | {"name": f"ada-{number}"}) for number in (1, 2)]
    rows = learn_likelihood(bench, [(life, filler)], [(life, filler)], both, out)
    counts = {row["source"]: (row["asked"], row["nothing_to_find"]) for row in rows}
    assert counts == {"life": (4, 2), "ada": (2, 1)}
    embedder = bench.runtime.embedder
    assert embedder is not None
    learned = read_models(out.read_bytes(), out)[embedder.name]
    assert any(learned.weights.values())
    assert set(learned.baseline) == set(learned.spread) == {"en"}


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Beside those of other embedders; what is no such file is refused."""
    file, ours = tmp_path / "likelihood.json", model_of(BUNDLED)
    write_model(file, "one", ours)
    write_model(file, "other", replace(ours, baseline={}, spread={}))
    read = read_models(file.read_bytes(), file)
    assert set(read) == {"one", "other"}
    assert read["one"].weights == ours.weights
    np.testing.assert_allclose(read["one"].baseline["en"], ours.baseline["en"])
    assert model_of("one", file).spread == pytest.approx(ours.spread)
    assert model_of("nobody", file).weights == ours.weights
    file.write_text("[]")
    with pytest.raises(ConfigurationError, match=f"{file}.*list"):
        model_of("one", file)
    with pytest.raises(ConfigurationError, match=f"{tmp_path}.*No such file"):
        write_model(tmp_path / "nowhere" / file.name, "one", ours)
