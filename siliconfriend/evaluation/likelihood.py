"""Learn recall's likelihood weights by logistic regression from lives and conversations.

Features are computed as in a recall. Candidates with a key or evidence are positives; unanswerable
messages have none. Of the conversations of a source those at even positions are for training, the
others for testing; of a source's only conversation the questions. Test lives are given as ``held``.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siliconfriend.dialogue.chat_history import to_utterances
from siliconfriend.errors import ConfigurationError
from siliconfriend.evaluation.bench import Bench, Told, language_of_texts
from siliconfriend.evaluation.conversations import Conversation, Question, questions_of
from siliconfriend.evaluation.life import SEVERAL, Life, import_life
from siliconfriend.evaluation.table import Row, ratio
from siliconfriend.memory.records import Turn
from siliconfriend.recall.likelihood import (
    FEATURES,
    FURTHER,
    LIKELY,
    Model,
    features,
    write_model,
)
from siliconfriend.recall.pipeline import Examined
from siliconfriend.texts import LANGUAGES, Language

MOST_PAIRS = 400
"""Maximum pairs of a positive and a negative per message, sampled evenly."""

ANSWERED = 0.5
"""Assumed base rate of messages with an answer."""

SIZES = (3, 10, 30)
"""Sizes of small training memories: number of turns of a life, without filler."""

SMALL_LIFE = "small life"
"""The source of such memories."""

DEEPEST = 16
"""Depth of the measures: about the number of memories in a prompt."""

STRANGERS = 80
"""Maximum number of unrelated questions per conversation in the other language."""

SURE = "beam"
"""Name prefix of conversations with unanswerable questions about their own topics."""

NAMES = tuple(dict.fromkeys((*FEATURES, *FURTHER)))
"""The columns of an example's table."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One message with the features of its candidates.

    Attributes:
        table: shape (candidates, :data:`NAMES`).
        keys: positions of the candidates of each key; empty where nothing is to be found.
        source: kind of data.
        needs_all: all keys must be found, not just one.
        tells_sureness: usable for calibration: its source has unanswerable questions, and its keys
            are complete.
    """

    table: Matrix
    keys: tuple[frozenset[int], ...]
    source: str
    needs_all: bool = False
    tells_sureness: bool = False

    @property
    def is_meant(self) -> NDArray[np.bool_]:
        """Mask of the candidates that were meant."""
        meant = np.zeros(len(self.table), dtype=np.bool_)
        meant[list(frozenset().union(*self.keys))] = True
        return meant

    def is_found_in(self, positions: Iterable[int]) -> bool:
        """Return True if the required memories are among some candidates."""
        chosen = frozenset(positions)
        held = [not chosen.isdisjoint(key) for key in self.keys]
        return bool(held) and (all(held) if self.needs_all else any(held))


def learn_likelihood(
    bench: Bench,
    lives: Sequence[tuple[Life, Sequence[Told]]],
    held: Sequence[tuple[Life, Sequence[Told]]],
    conversations: Sequence[Conversation] = (),
    out: Path | None = None,
) -> list[Row]:
    """Learn the model of the bench's embedder, measure it on test data, and add it to ``out``.

    Returns:
        a row for each source: of examples with something to find ``first`` is the share that have it
        first, ``found`` among the first :data:`DEEPEST`, ``likely`` the share whose first is right and
        more likely than not; ``claimed`` is the false-positive rate among messages without an
        answer.

    Lives come with the everyday turns to spread between. An embedder's baseline is kept once it has
    one, since every feature depends on it.
    """
    known = bench.recaller.model
    baseline, spread = known.baseline, known.spread
    if not baseline:
        baseline, spread = _baseline(bench, [life for life, _ in lives])
    model = Model(0.0, {}, baseline=baseline, spread=spread)
    learned_from, measured = list[Example](), list[Example]()
    for life, filler in lives:
        learned_from += _of_life(bench, life, filler, model)
        for size in SIZES:
            learned_from += _of_life(bench, _part_of(life, size), (), model)
    for life, filler in held:
        measured += _of_life(bench, life, filler, model)
    strangers = {language: _never_told(lives, language) for language in LANGUAGES}
    by_source = defaultdict[str, list[list[Example]]](list)
    for conversation in conversations:
        examples = [*_of_conversation(bench, conversation, strangers, model)]
        by_source[source_of(conversation)].append(examples)
    for several in by_source.values():
        units = several if len(several) > 1 else [[example] for example in several[0]]
        learned_from += chain.from_iterable(units[::2])
        measured += chain.from_iterable(units[1::2])
    learned = learn_weights(learned_from, model)
    if out is not None:
        embedder = bench.runtime.embedder
        write_model(out, embedder.name if embedder else None, learned)
    return _rows(learned, measured or learned_from)


def learn_weights(examples: Sequence[Example], model: Model) -> Model:
    """Learn the ranking weights, then calibrate their likelihood.

    The order comes from pairs: a logistic regression of what was meant against what was not, by
    the difference of their features (Bradley and Terry's model). Small memories are left out, since
    they repeat the pairs of lives. A source counts by the square root of its number of messages, and
    in it each message alike. A second regression, of the weighted sum of the first of each message
    and of :data:`FURTHER`, turns it into log odds, where :data:`ANSWERED` of all messages have an
    answer.

    Raises:
        ConfigurationError: scikit-learn is not installed.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise ConfigurationError("likelihood_package") from None

    count = len(FEATURES)
    scale = np.concatenate([example.table[:, :count] for example in examples]).std(axis=0)
    scale = np.maximum(scale, 1e-9)
    pairs, counts = list[Matrix](), list[Matrix]()
    answered = Counter(example.source for example in examples if example.keys)
    for example in examples:
        own = _pairs(example.table[:, :count], example.is_meant)
        if len(own) and example.source != SMALL_LIFE:
            pairs.append(own)
            counts.append(np.full(len(own), answered[example.source] ** -0.5 / len(own)))
    differences, weight = np.concatenate(pairs) / scale, np.concatenate(counts)
    sides = np.where(np.arange(len(differences)) % 2, 1, -1)
    ranked = LogisticRegression(fit_intercept=False, max_iter=1000).fit(
        differences * sides[:, None], sides, sample_weight=weight / weight.mean()
    )
    weights = ranked.coef_[0] / scale
    firsts = [example for example in examples if example.tells_sureness and len(example.table)]
    best = [int((example.table[:, :count] @ weights).argmax()) for example in firsts]
    is_meant = [example.is_meant[at] for at, example in zip(best, firsts, strict=True)]
    further = [NAMES.index(name) for name in FURTHER]
    rows = [example.table[at] for at, example in zip(best, firsts, strict=True)]
    numbers = np.array([[row[:count] @ weights, *row[further]] for row in rows])
    calibrated = LogisticRegression(max_iter=1000)
    calibrated.fit(numbers, is_meant, sample_weight=_balanced(firsts))
    of_sum, *of_further = calibrated.coef_[0].tolist()
    return replace(
        model,
        bias=float(calibrated.intercept_[0]),
        weights=dict(zip(FEATURES, (weights * of_sum).tolist(), strict=True)),
        further=dict(zip(FURTHER, of_further, strict=True)),
    )


def _pairs(table: Matrix, is_meant: NDArray[np.bool_]) -> Matrix:
    """Return the features of each candidate that was meant less those of each that was not."""
    pairs = (table[is_meant][:, None] - table[~is_meant][None]).reshape(-1, table.shape[1])
    return pairs[np.linspace(0, len(pairs) - 1, min(len(pairs), MOST_PAIRS)).astype(np.int64)]


def _balanced(examples: Sequence[Example]) -> list[float]:
    """Return example weights so that :data:`ANSWERED` of each source have an answer."""
    answered = Counter(example.source for example in examples if example.keys)
    others = Counter(example.source for example in examples if not example.keys)
    odds = (1 - ANSWERED) / ANSWERED
    return [
        1.0 if example.keys else odds * answered[example.source] / others[example.source]
        for example in examples
    ]


def likelihoods(model: Model, example: Example) -> Matrix:
    """Return the likelihood of each candidate of an example."""
    both = (model.weights, model.further)
    odds = model.bias + example.table @ [
        sum(weights.get(name, 0.0) for weights in both) for name in NAMES
    ]
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))))


def _rows(model: Model, tested: Iterable[Example]) -> list[Row]:
    """Measure a model on the examples of each source."""
    by_source = defaultdict[str, list[Example]](list)
    for example in tested:
        by_source[example.source].append(example)
    return [{"source": source, **_measured(model, own)} for source, own in by_source.items()]


def _measured(model: Model, examples: Sequence[Example]) -> Row:
    asked = [example for example in examples if example.keys]
    nothing = [
        likelihoods(model, example).max(initial=0.0) for example in examples if not example.keys
    ]
    best = [(example, likelihoods(model, example)) for example in asked]
    likely = [example.is_found_in([int(of.argmax())]) for example, of in best if of.max() >= LIKELY]
    return {
        "asked": len(asked),
        "first": ratio(_found(model, asked, 1), len(asked)),
        "found": ratio(_found(model, asked, DEEPEST), len(asked)),
        "likely": ratio(sum(likely), len(asked)),
        "nothing_to_find": len(nothing),
        "claimed": ratio(sum(odds >= LIKELY for odds in nothing), len(nothing)),
    }


def _found(model: Model, examples: Iterable[Example], most: int) -> int:
    """Count the examples with the required memory among the first candidates."""
    count, weights = 0, [model.weights[name] for name in FEATURES]
    for example in examples:
        sums = example.table[:, : len(FEATURES)] @ weights
        count += example.is_found_in(np.argsort(-sums, kind="stable")[:most].tolist())
    return count


def _baseline(
    bench: Bench, lives: Sequence[Life]
) -> tuple[dict[Language, NDArray[np.float32]], dict[Language, float]]:
    """Return by language the mean vector of messages, and the spread of similarities to it."""
    embedder = bench.runtime.embedder
    baseline, spread = dict[Language, NDArray[np.float32]](), dict[Language, float]()
    for language in LANGUAGES if embedder else ():
        own = [life for life in lives if life.language == language]
        if embedder and own:
            vectors = embedder.queries(sorted({ask.words for life in own for ask in life.asked}))
            told = embedder.passages(sorted({turn.words for life in own for turn in life.told}))
            baseline[language] = np.asarray(vectors.mean(axis=0), dtype=np.float32)
            spread[language] = float(((vectors - baseline[language]) @ told.T).std())
    return baseline, spread


def _part_of(life: Life, size: int) -> Life:
    """Build a life of some turns, with the questions they answer and as many others and more."""
    told = life.told[:: max(1, len(life.told) // size)][:size]
    answered = [
        ask for ask in life.asked if any(key in turn.words for turn in told for key in ask.keys)
    ]
    others = [ask for ask in life.asked if ask not in answered]
    count = len(answered) + size
    step = max(1, len(others) // count)
    return replace(life, told=told, asked=(*answered, *others[::step][:count]))


def _of_life(bench: Bench, life: Life, filler: Sequence[Told], model: Model) -> Iterator[Example]:
    """Yield the examples of a life's questions and remarks."""
    with bench.fresh() as place:
        scope = import_life(place, life, filler)
        for ask in life.asked:
            found = place.recaller.examine(scope, ask.words, now=life.now, model=model)
            held = [f"{turn.query}\n{turn.response}" for turn in _turns(found)]
            keys = [{at for at, words in enumerate(held) if key in words} for key in ask.keys]
            if not any(keys):
                keys = []
            elif ask.kind != SEVERAL:
                keys = [set().union(*keys)]
            example = _example(found, keys, model, "life" if filler else SMALL_LIFE)
            yield replace(example, needs_all=ask.kind == SEVERAL, tells_sureness=True)


def _of_conversation(
    bench: Bench,
    conversation: Conversation,
    strangers: Mapping[Language, Sequence[str]],
    model: Model,
) -> Iterator[Example]:
    """Yield the examples of a conversation's questions.

    One that is asked in the other language is also asked what ``strangers`` ask in that language, of
    which it knows nothing: so it is learned how sure an answer across languages is.
    """
    source, own = source_of(conversation), conversation.questions
    language = language_of_texts(question.text for question in own)
    is_across = language != conversation.language
    others = strangers.get(language, ()) if is_across else ()
    never_told = (Question("stranger", own[-1].asked, words, ()) for words in others)
    for asked in questions_of(bench, [replace(conversation, questions=(*own, *never_told))]):
        question = asked.question
        found = asked.bench.recaller.examine(
            asked.scope,
            question.text,
            now=asked.now,
            talk=to_utterances(question.talk),
            model=model,
        )
        ids = [asked.names.get(turn.id, "") for turn in _turns(found)]
        keys = [{at for at, name in enumerate(ids) if name in group} for group in question.groups]
        example = _example(found, [key for key in keys if key], model, source)
        yield replace(example, tells_sureness=is_across or source.startswith(SURE))


def source_of(conversation: Conversation) -> str:
    """Return the kind of data that a conversation belongs to: its name without digits at the end."""
    return conversation.name.rstrip("0123456789-_")


def _never_told(lives: Sequence[tuple[Life, Sequence[Told]]], language: Language) -> Sequence[str]:
    """Return some questions of lives in a language."""
    asked = [ask.words for life, _ in lives if life.language == language for ask in life.asked]
    return asked[:: max(1, len(asked) // STRANGERS)][:STRANGERS]


def _example(
    found: Examined, keys: Iterable[Collection[int]], model: Model, source: str
) -> Example:
    """Return the example of a message with ``keys`` among its turns."""
    values = features(found.candidates, found.cue, model)
    columns = [values[name][np.flatnonzero(found.candidates.is_turn)] for name in NAMES]
    return Example(np.stack(columns, axis=1), tuple(map(frozenset, keys)), source)


def _turns(found: Examined) -> list[Turn]:
    return [memory for memory in found.candidates.memories if isinstance(memory, Turn)]
