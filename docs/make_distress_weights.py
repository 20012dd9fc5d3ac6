"""Learn which messages may mean danger to a life: write siliconfriend/dialogue/distress_weights.txt.

It learns from the learned half of ``tests/data/distress.toml``, the sentences of ``self_harm.toml``,
the wishes of ``wishes.toml``, the examples of ``acts.toml`` and what most lives of ``tests/life`` tell
and ask. It takes a few minutes and no network.
"""

import json
import tomllib
from pathlib import Path

import numpy as np

from docs.make_act_weights import examples
from siliconfriend.dialogue import distress
from siliconfriend.recall.embedders.bundled import BundledEmbedder

TESTS = Path(__file__).parents[1] / "tests"
EXAMPLES, PATTERNS, WISHES = (
    tomllib.loads((TESTS / f"data/{name}.toml").read_text(encoding="utf-8"))
    for name in ("distress", "self_harm", "wishes")
)
ORDINARY = 0.4
"""Weight of an ordinary message, so that many of them do not hide danger."""
HELD_LIVES = ("final", "held", "unseen")
"""Lives that measure; the others are learned from."""


def life_messages(language: str, *, held: bool) -> list[str]:
    """Return what the lives of a language tell and ask."""
    files = sorted(TESTS.glob(f"life/{language}_*.json"))
    lives = [
        json.loads(path.read_bytes()) for path in files if (path.stem[3:] in HELD_LIVES) == held
    ]
    return [turn[1] for life in lives for turn in (*life["turns"], *life["ask"])]


def main() -> None:
    """Learn the weights and write them."""
    from sklearn.linear_model import LogisticRegression

    danger, others = [*PATTERNS["said"]], [*PATTERNS["not_said"]]
    for language, kinds in EXAMPLES["learned"].items():
        danger += kinds["danger"]
        others += kinds["weary"] + kinds["everyday"] + life_messages(language, held=False)
    others += [
        said for kinds in WISHES["learned"].values() for wishes in kinds.values() for said in wishes
    ]
    ordinary = [example.words for example in examples() if not example.is_held]
    vectors = BundledEmbedder().queries(danger + others + ordinary)
    labels = [True] * len(danger) + [False] * len(others + ordinary)
    weights_of = [1.0] * len(danger + others) + [ORDINARY] * len(ordinary)
    learned = LogisticRegression(C=45.0, max_iter=5000).fit(
        vectors, labels, sample_weight=weights_of
    )
    weights = np.append(learned.intercept_, learned.coef_).reshape(-1, 11)
    np.savetxt(Path(distress.__file__).with_name(distress.WEIGHTS), weights, fmt="%.2f")


if __name__ == "__main__":
    main()
