"""Learn which messages are wishes about memory or talking: writes siliconfriend/dialogue/wish_weights.txt.

It learns from the ``learned`` part of ``tests/data/wishes.toml`` and, as messages that are no wishes,
from that of ``distress.toml`` and from what most lives of ``tests/life`` tell and ask. It prints
precision and recall on the ``held`` part and takes some minutes and no network.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from docs.make_distress_weights import EXAMPLES as DISTRESS
from docs.make_distress_weights import TESTS, life_messages
from siliconfriend.dialogue import wish_acts
from siliconfriend.recall.embedders.bundled import BundledEmbedder

EXAMPLES = tomllib.loads((TESTS / "data/wishes.toml").read_text(encoding="utf-8"))


def examples(part: str) -> Iterator[tuple[str, str]]:
    """Yield each message of a part with its act."""
    for kinds in EXAMPLES[part].values():
        yield from ((said, act) for act, messages in kinds.items() for said in messages)


def plain_messages(*, held: bool) -> list[str]:
    """Return messages of ordinary and of bad days, which are no wishes."""
    found = [said for language in ("en", "cn") for said in life_messages(language, held=held)]
    kinds = DISTRESS["held" if held else "learned"].values()
    return found + [said for kind in kinds for messages in kind.values() for said in messages]


def main() -> None:
    """Learn the weights, write them and print what they find of the held messages."""
    from sklearn.linear_model import LogisticRegression

    embedder = BundledEmbedder()
    said, acts = map(list, zip(*examples("learned"), strict=True))
    others = plain_messages(held=False)
    weight = np.array([1.0] * len(said) + [len(said) / len(others)] * len(others))
    vectors = embedder.queries(said + others)
    labels = np.array(acts + ["other"] * len(others))
    learned = LogisticRegression(C=30.0, max_iter=5000).fit(vectors, labels, sample_weight=weight)
    order = [list(learned.classes_).index(act) for act in wish_acts.ACTS]
    weights = np.column_stack([learned.intercept_, learned.coef_])[order]
    np.savetxt(Path(wish_acts.__file__).with_name(wish_acts.WEIGHTS), weights, fmt="%.2f")
    print_rates(embedder)


def print_rates(embedder: BundledEmbedder) -> None:
    """Print precision and recall of each act on the held messages."""
    held = [*examples("held"), *((said, "other") for said in plain_messages(held=True))]
    found = [wish_acts.likely_act(said, embedder) for said, _ in held]
    for act in wish_acts.ACTS:
        truly = [read for (_, known), read in zip(held, found, strict=True) if known == act]
        named = [known for (_, known), read in zip(held, found, strict=True) if read == act]
        right = truly.count(act)
        print(f"{act}: recall {right} of {len(truly)}, precision {right} of {len(named)}")
    for (said, known), read in zip(held, found, strict=True):
        if known != read:
            print(f"  {known} -> {read}: {said}")


if __name__ == "__main__":
    main()
