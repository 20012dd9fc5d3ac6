"""Learn the weights of recall's judge from lives and talks, by logistic regression.

Each thing asked is examined as a recall examines it. The candidates that hold a key, that are
evidence in a conversation or should come to mind in a talk were meant; of what has no answer
nothing was. Of talks and conversations those at even places are learned from, so that the others
measure. Lives to measure on are given as ``held``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siliconfriend.dialogue.chat_history import Exchange, to_utterances
from siliconfriend.errors import ConfigurationError
from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.evaluation.life import SEVERAL, Life, import_life
from siliconfriend.evaluation.locomo import Conversation
from siliconfriend.evaluation.table import Row, ratio
from siliconfriend.evaluation.talk import TalkFile, import_talks
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.likelihood import (
    FEATURES,
    FEW,
    FURTHER,
    KINDS,
    LIKELY,
    Kind,
    Model,
    Weights,
    features,
    kind_of_message,
    write_model,
)
from siliconfriend.recall.pipeline import Examined
from siliconfriend.texts import LANGUAGES, Language

MOST_PAIRS = 800
"""Pairs of a memory that was meant and one that was not, evenly over those of a message."""

ANSWERED: Mapping[Kind, float] = {"question": 0.52, "remark": 0.3}
"""Share of messages that a memory is meant by: the base rate that a likelihood is learned for.

Of a question it is the highest with which no life at hand has more than one question that got an
answer it has not; a remark asks for none, and seldom means one.
"""

SMALL = (4, 12, 30)
"""Sizes of the small memories that are learned from too: so many turns of a life, without filler."""

DEEPEST = 16
"""Memories of each message that the measures look at: as many as a prompt holds."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One message with the features of its candidates.

    Attributes:
        kind: of message.
        table: shape (candidates, features + 1), in the order of :data:`FEATURES`; last how few
            memories there are.
        keys: positions of the candidates that hold each key; empty where nothing is to be found.
        needs_all: every key must be found, not one of them.
        asked_of: which memories it is asked of, those of one size together; empty where some of
            what answers it is not among the keys, or everything asked has an answer, so that
            nothing can be learned of how likely an answer is.
    """

    kind: Kind
    table: Matrix
    keys: tuple[frozenset[int], ...]
    needs_all: bool = False
    asked_of: str = ""

    @property
    def is_meant(self) -> NDArray[np.bool_]:
        """Mask of the candidates that were meant."""
        meant = np.zeros(len(self.table), dtype=np.bool_)
        meant[list(frozenset().union(*self.keys))] = True
        return meant

    def is_found_in(self, positions: Iterable[int]) -> bool:
        """Return True if what must be found is among some candidates."""
        chosen = frozenset(positions)
        held = [not chosen.isdisjoint(key) for key in self.keys]
        return bool(held) and (all(held) if self.needs_all else any(held))


def learn_likelihood(
    bench: Bench,
    lives: Sequence[tuple[Life, Sequence[Told]]],
    held: Sequence[tuple[Life, Sequence[Told]]],
    talks: Sequence[TalkFile] = (),
    conversations: Sequence[Conversation] = (),
    out: Path | None = None,
) -> list[Row]:
    """Learn the model of the bench's embedder, measure it on what is held back, add it to ``out``.

    Of examples with something to find ``first`` is the share that have it first, ``found`` among
    the first :data:`DEEPEST`, ``likely`` the share whose first is right and more likely than not;
    of those without ``claimed`` is the share with such a memory all the same. ``ablation`` is
    ``found`` without each feature.

    Lives come with the everyday turns to spread between each; without ``held`` ones they are
    measured on themselves. Of talks and conversations the even ones are learned from, the odd ones
    measured on. An embedder's baseline is kept once it has one, since every feature hangs on it.
    """
    held_already = bench.recaller.model
    baseline, spread = held_already.baseline, held_already.spread
    if not baseline:
        baseline, spread = _baseline(bench, lives, talks)
    model = Model({}, baseline, spread)
    learned_from = list[Example]()
    for number, (life, filler) in enumerate(lives):
        learned_from += _of_life(bench, life, filler, f"{number} all", model)
        for size in SMALL:
            learned_from += _of_life(bench, _part_of(life, size), (), f"{number} {size}", model)
    measured = [
        example
        for number, (life, filler) in enumerate(held)
        for example in _of_life(bench, life, filler, f"held {number}", model)
    ]
    for number, file in enumerate(talks):
        talks_asked = [(it.message, it.relevant, it.history) for it in file.talks]
        # The same person may speak in several files.
        place = import_talks(bench, replace(file, user=f"{file.user} {number}"))
        examples = _of_marked(bench, place, talks_asked, model)
        learned_from += examples[::2]
        measured += examples[1::2]
    for number, conversation in enumerate(conversations):
        place = bench.import_memories(conversation.name, conversation.utterances, "en")
        queries = [(it.text, it.evidence, ()) for it in conversation.queries]
        asked = _of_marked(bench, place, queries, model)
        (measured if number % 2 else learned_from).extend(asked)
    weights: dict[Kind, Weights] = {}
    rows = []
    for kind in KINDS:
        own = [it for it in learned_from if it.kind == kind]
        tested = [it for it in measured or learned_from if it.kind == kind]
        weights[kind] = learn_weights(kind, own)
        rows.append(_row(kind, weights[kind], own, tested))
    if out is not None:
        embedder = bench.runtime.embedder
        write_model(out, embedder.name if embedder else None, Model(weights, baseline, spread))
    return rows


def learn_weights(kind: Kind, examples: Sequence[Example], without: str = "") -> Weights:
    """Learn the weights that rank what was meant first, and the likelihood of each place.

    The order comes from pairs: a logistic regression of what was meant against what was not, by
    the difference of their features, each message counting as one (Bradley and Terry's model).
    A second one, of the weighted sum of the first of each message and of what tells only how far
    to trust it, turns it into log odds, where :data:`ANSWERED` of all that is asked has an answer.

    Args:
        kind: of the examples.
        examples: to learn from.
        without: a feature that is left out.

    Raises:
        ConfigurationError: scikit-learn is not installed.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise ConfigurationError("likelihood_package") from None

    names = [name for name in FEATURES[kind] if name != without]
    columns = [FEATURES[kind].index(name) for name in names]
    spread = np.maximum(np.concatenate([it.table[:, columns] for it in examples]).std(axis=0), 1e-9)
    pairs = [it for it in (_pairs(it.table[:, columns], it.is_meant) for it in examples) if len(it)]
    counts = np.concatenate([np.full(len(it), 1.0 / len(it)) for it in pairs])
    differences = np.concatenate(pairs) / spread
    sides = np.where(np.arange(len(differences)) % 2, 1, -1)
    ranked = LogisticRegression(fit_intercept=False, max_iter=1000).fit(
        differences * sides[:, None], sides, sample_weight=counts / counts.mean()
    )
    weights = np.zeros(len(FEATURES[kind]))
    weights[columns] = ranked.coef_[0] / spread
    firsts = [it for it in examples if it.asked_of and len(it.table)]
    sums = [it.table[:, :-1] @ weights for it in firsts]
    best = [int(it.argmax()) for it in sums]
    further = [FEATURES[kind].index(name) if name != FEW else -1 for name in FURTHER[kind]]
    numbers = [
        (its_sums[at], *example.table[at, further])
        for its_sums, at, example in zip(sums, best, firsts, strict=True)
    ]
    is_meant = [example.is_meant[at] for example, at in zip(firsts, best, strict=True)]
    scale = LogisticRegression(C=1e6, max_iter=1000)
    scale.fit(numbers, is_meant, sample_weight=_balanced(firsts, ANSWERED[kind]))
    of_sum, *of_further = scale.coef_[0].tolist()
    return Weights(
        float(scale.intercept_[0]),
        dict(zip(FEATURES[kind], (weights * of_sum).tolist(), strict=True)),
        dict(zip(FURTHER[kind], of_further, strict=True)),
    )


def _pairs(table: Matrix, is_meant: NDArray[np.bool_]) -> Matrix:
    """Return the features of each candidate that was meant less those of each that was not."""
    pairs = (table[is_meant][:, None] - table[~is_meant][None]).reshape(-1, table.shape[1])
    return pairs[np.linspace(0, len(pairs) - 1, min(len(pairs), MOST_PAIRS)).astype(np.int64)]


def _balanced(examples: Sequence[Example], share: float) -> list[float]:
    """Weigh what has an answer as ``share`` of all, among those asked of the same."""
    answered = Counter(it.asked_of for it in examples if it.keys)
    others = Counter(it.asked_of for it in examples if not it.keys)
    odds = (1 - share) / share
    return [
        1.0 if it.keys else odds * answered[it.asked_of] / others[it.asked_of] for it in examples
    ]


def likelihoods(weights: Weights, example: Example) -> Matrix:
    """Return the likelihood of each candidate of an example."""
    names = (*FEATURES[example.kind], FEW)
    summed = [weights.features.get(it, 0.0) + weights.further.get(it, 0.0) for it in names]
    odds = weights.bias + example.table @ summed
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))))


def _row(kind: Kind, weights: Weights, own: Sequence[Example], tested: Sequence[Example]) -> Row:
    asked = [it for it in tested if it.keys]
    nothing = [likelihoods(weights, it).max(initial=0.0) for it in tested if not it.keys]
    best = [(it, likelihoods(weights, it)) for it in asked]
    likely = [it.is_found_in([int(of.argmax())]) for it, of in best if of.max() >= LIKELY]
    return {
        "kind": kind,
        "asked": len(asked),
        "first": ratio(_found(weights, asked, 1), len(asked)),
        "found": ratio(_found(weights, asked, DEEPEST), len(asked)),
        "likely": ratio(sum(likely), len(asked)),
        "nothing_to_find": len(nothing),
        "claimed": ratio(sum(it >= LIKELY for it in nothing), len(nothing)),
        "weights": {"bias": weights.bias, **weights.features},
        "further": weights.further,
        "ablation": {
            name: _found(learn_weights(kind, own, name), asked, DEEPEST) / max(1, len(asked))
            for name in FEATURES[kind]
        },
    }


def _found(weights: Weights, asked: Sequence[Example], most: int) -> int:
    """Count the examples with the wanted memory among their first candidates."""
    count, names = 0, FEATURES[asked[0].kind] if asked else ()
    for example in asked:
        sums = example.table[:, :-1] @ [weights.features[name] for name in names]
        count += example.is_found_in(np.argsort(-sums, kind="stable")[:most].tolist())
    return count


def _baseline(
    bench: Bench, lives: Sequence[tuple[Life, Sequence[Told]]], talks: Sequence[TalkFile]
) -> tuple[dict[Language, NDArray[np.float32]], dict[Language, float]]:
    """The mean vector of the messages of each language, and the spread of similarities to it."""
    embedder = bench.runtime.embedder
    baseline, spread = dict[Language, NDArray[np.float32]](), dict[Language, float]()
    if embedder is None:
        return baseline, spread
    for language in LANGUAGES:
        own = [life for life, _ in lives if life.language == language]
        said = {
            words
            for file in talks
            if file.language == language
            for talk in file.talks[::2]
            for words in (talk.message, *(it.query for it in talk.history if it.query))
        } or {ask.words for life in own for ask in life.asked}
        if not said or not own:
            continue
        vectors = embedder.queries(sorted(said))
        mean = np.asarray(vectors.mean(axis=0), dtype=np.float32)
        told = embedder.passages(sorted({turn.words for life in own for turn in life.told}))
        baseline[language] = mean
        spread[language] = float(((vectors - mean) @ told.T).std())
    return baseline, spread


def _part_of(life: Life, size: int) -> Life:
    """A life of so many of its turns, with the questions that these answer and as many others."""
    told = life.told[:: max(1, len(life.told) // size)][:size]
    answered = [
        ask for ask in life.asked if any(key in turn.words for turn in told for key in ask.keys)
    ]
    others = [ask for ask in life.asked if ask not in answered]
    step = max(1, len(others) // (len(answered) + size))
    return replace(life, told=told, asked=(*answered, *others[::step][: len(answered) + size]))


def _of_life(
    bench: Bench, life: Life, filler: Sequence[Told], name: str, model: Model
) -> list[Example]:
    """Return the examples of a life's questions and remarks."""
    scope = import_life(bench, life, filler, suffix=f" {name}")
    examples = []
    for ask in life.asked:
        found = bench.recaller.examine(scope, ask.words, now=life.now, model=model)
        held = [f"{turn.query}\n{turn.response}" for turn in _turns(found)]
        keys = [{at for at, words in enumerate(held) if key in words} for key in ask.keys]
        if not any(keys):
            keys = []
        elif ask.kind != SEVERAL:
            keys = [set().union(*keys)]
        example = _example(found, keys, model)
        needs_all = ask.kind == SEVERAL
        examples.append(replace(example, needs_all=needs_all, asked_of=name.split()[-1]))
    return examples


def _of_marked(
    bench: Bench,
    place: tuple[Scope, Mapping[str, str]],
    asked: Iterable[tuple[str, Collection[str], Sequence[Exchange]]],
    model: Model,
) -> list[Example]:
    """Return the examples of messages, each with the ids of what it means and the talk before."""
    scope, names = place
    now = bench.question_time(bench.store.load(scope))
    examples = []
    for words, meant, history in asked:
        talk = to_utterances(history)
        found = bench.recaller.examine(scope, words, now=now, talk=talk, model=model)
        ids = [names[turn.id] for turn in _turns(found)]
        keys = [{at} for at, identifier in enumerate(ids) if identifier in meant]
        examples.append(_example(found, keys, model))
    return examples


def _example(found: Examined, keys: Iterable[Collection[int]], model: Model) -> Example:
    """Return the example of a message with ``keys`` among its turns."""
    kind = kind_of_message(found.cue)
    values = features(found.candidates, found.cue, model)
    columns = [values[name][_eligible(found)] for name in (*FEATURES[kind], FEW)]
    return Example(kind, np.stack(columns, axis=1), tuple(map(frozenset, keys)))


def _eligible(found: Examined) -> NDArray[np.int64]:
    """Positions of the turns that may be recalled."""
    return np.flatnonzero(found.candidates.is_turn)


def _turns(found: Examined) -> list[Turn]:
    memories = (found.candidates.memories[at] for at in _eligible(found).tolist())
    return [memory for memory in memories if isinstance(memory, Turn)]
