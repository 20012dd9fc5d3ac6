"""The features of the judge, worked out by hand, and what it finds of the first few turns."""

import math
from dataclasses import replace

import numpy as np
import pytest

from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.candidate_set import PRIOR_COUNT
from siliconfriend.recall.cue import build_cue
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.likelihood import BUNDLED, USUAL_RARITY, Model, features, judge, model_of
from siliconfriend.texts import LANGUAGES, Language
from tests.memory.people import NORA, a_profile
from tests.recall.people import GARDEN, NOW, TOLD_AND_ASKED, found, recalling
from tests.seeds.test_recipes import candidate_set

MODEL = model_of(BUNDLED)
QUESTION = build_cue("What is in the shed?", PersonMemory(a_profile()), now=NOW)
REMARK = build_cue("The shed is full.", PersonMemory(a_profile()), now=NOW)


def _features(**values: object) -> dict[str, list[float]]:
    found = features(candidate_set(number_of_turns=10**9, **values), QUESTION, MODEL)
    return {name: of.tolist() for name, of in found.items()}


def test_meaning_counts_in_standard_deviations_above_the_usual() -> None:
    """Cosines around a mean of 0.8 that deviate by 0.05; of many memories their own spread holds."""
    dense = np.array([0.8, 0.9, 0.85, 0.7])
    found = _features(dense=dense, similarity_mean=0.8, similarity_spread=0.05)
    assert found["similarity"] == pytest.approx([0, 2, 1, -2])


@pytest.mark.parametrize(
    ("said", "spread", "deviations"),
    [("Peas", {"en": 0.2, "cn": 0.4}, 2), ("豆子", {"en": 0.2, "cn": 0.4}, 1), ("Peas", {}, 4)],
)
def test_of_a_first_memory_the_learned_spread_of_the_language_holds(
    said: str, spread: dict[Language, float], deviations: float
) -> None:
    """Without one for the language, the usual one."""
    first = candidate_set(dense=np.array([0.4, 0, 0, 0]), number_of_turns=0)
    cue = build_cue(said, PersonMemory(a_profile()), now=NOW)
    found = features(first, cue, replace(MODEL, spread=spread))
    assert found["similarity"] == pytest.approx([deviations, 0, 0, 0])


def test_words_count_by_the_logarithm_of_rare_words() -> None:
    """BM25 of three words that stand nowhere else, of one, and of none."""
    assert _features(lexical=np.array([1.5, 0.5, 0, 0]), one_word=0.5)["words"] == pytest.approx(
        [math.log(4), math.log(2), 0, 0]
    )


def test_a_match_lends_to_the_turns_beside_it() -> None:
    """All of it to the next turn, half two away, of the worse of two neighbours a quarter."""
    one = math.log(2)
    assert _features(lexical=np.array([1.0, 0, 0, 1]))["neighbours"] == pytest.approx(
        [0, one, one / 2, 0]
    )
    assert _features(lexical=np.array([0, 1.0, 0, 0]))["neighbours"] == pytest.approx(
        [one, 0, one, 0]
    )
    both = _features(lexical=np.array([1.0, 0, 1, 0]))["neighbours"]
    assert both == pytest.approx([one / 2, 1.25 * one, one / 2, 0])


def test_a_turn_that_only_asks_lends_nothing() -> None:
    """Asking again and again does not make what was said beside it likely."""
    asked = _features(lexical=np.array([0, 1.0, 0, 0]), asks=np.array([0, 1.0, 0, 0]))
    assert asked["neighbours"] == [0] * 4


def test_of_few_memories_the_usual_rarity_holds() -> None:
    """Of as many as count as much as the usual, half their own and half the usual."""
    candidates = candidate_set(number_of_turns=PRIOR_COUNT, rarity=np.array([1.0, 0.75, 0.3, 0.75]))
    found = features(candidates, QUESTION, MODEL)
    expected = [0.875 - USUAL_RARITY, 0.75 - USUAL_RARITY, 0.0, 0.75 - USUAL_RARITY]
    assert found["rarity"] == pytest.approx(expected)
    assert found["few"] == pytest.approx([0.5] * 4)


def test_a_remark_asks_for_no_detail() -> None:
    """The rarity of a memory's words speaks for it only where something is asked."""
    candidates = candidate_set(rarity=np.array([1.0, 0.75, 0.5, 0.75]))
    found = features(candidates, REMARK, MODEL)
    assert found["rarity"].tolist() == [0] * 4
    assert features(candidates, QUESTION, MODEL)["rarity"].min() > 0


def test_another_script_than_the_messages_is_known() -> None:
    """A question in one language for what was told in the other shares no words with it."""
    candidates = candidate_set(is_chinese=np.array([True, False, False, False]))
    assert features(candidates, QUESTION, MODEL)["script"].tolist() == [1, 0, 0, 0]


def test_the_parts_and_what_ranks_nothing_add_up_to_the_log_odds() -> None:
    """For a question and a remark, by the same weights."""
    matching = candidate_set(lexical=np.array([9.0, 0, 0, 0]), number_of_turns=1000)
    for cue in (QUESTION, REMARK):
        judged, values = judge(matching, cue, MODEL), features(matching, cue, MODEL)
        assert judged.parts.keys() == {*MODEL.weights, "bias"}
        odds = sum(judged.parts.values(), np.zeros(1))
        odds = odds + sum(weight * values[name] for name, weight in MODEL.further.items())
        assert judged.likelihood == pytest.approx(1 / (1 + np.exp(-odds)))
        assert judged.likelihood.argmax() == 0


def test_the_most_unlikely_has_a_likelihood_too() -> None:
    """Log odds count from -30 to 30."""
    matching = candidate_set(lexical=np.array([1.0, 0, 0, 0]))
    for bias, odds in ((-1000.0, -30.0), (1000.0, 30.0)):
        judged = judge(matching, QUESTION, Model(bias, dict.fromkeys(MODEL.weights, 0.0)))
        assert set(judged.likelihood) == {1 / (1 + np.exp(-odds))}


def test_a_named_day_makes_surer_than_it_ranks() -> None:
    """Two as near: that of the day asked for is the likelier by more than its part says."""
    candidates = candidate_set(is_dated=np.array([True, False, False, False]), number_of_turns=1000)
    judged = judge(candidates, QUESTION, MODEL)
    odds = np.log(judged.likelihood / (1 - judged.likelihood))
    assert odds[0] - odds[1] > judged.parts["date"][0] - judged.parts["date"][1]


def test_what_only_asks_ranks_behind_what_tells() -> None:
    """However near it is."""
    near = candidate_set(
        dense=np.array([0.9, 0.4, 0, 0]), asks=np.array([1.0, 0, 0, 0]), number_of_turns=1000
    )
    assert judge(near, QUESTION, MODEL).likelihood.argmax() == 1


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    """The embedder, which embeds each text once."""
    return CachedEmbedder(BundledEmbedder(), max_passages=100, max_queries=100)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_everything_that_was_told_is_found(
    bundled: Embedder, language: Language, count: int
) -> None:
    """Three questions in four find their turn first, with so many turns stored."""
    pairs, first = TOLD_AND_ASKED["other_words"][language], list[bool]()
    for at, (told, question) in enumerate(pairs):
        stored = [pairs[(at + 3 * number) % len(pairs)][0] for number in range(count)]
        said = [(f"2026-03-0{day}", words, "") for day, words in enumerate(stored, start=1)]
        first.append(found(recalling(said, bundled).recall(NORA, question, now=NOW))[0] == told)
    assert sum(first) >= 0.75 * len(first)


def test_what_was_never_told_is_not_found(bundled: Embedder) -> None:
    """Five turns about something else are no answer."""
    recaller = recalling([(day, said, "") for day, said, _ in GARDEN], bundled)
    for question in ("What is the boiling point of tungsten?", "钨的沸点是多少？"):
        assert not any(one.is_likely for one in recaller.recall(NORA, question, now=NOW).memories)


def test_a_remark_that_names_what_was_told_brings_it_first(bundled: Embedder) -> None:
    pairs = TOLD_AND_ASKED["same_words"]["en"]
    recaller = recalling([("2026-03-01", told, "") for told, _ in pairs], bundled)
    first = recaller.recall(NORA, "I still think of Lima.", now=NOW, top=99)
    assert "Lima" in found(first)[0]


def test_a_feature_left_out_of_the_judge_weighs_nothing() -> None:
    """A recall by words alone finds nothing by words without them."""
    recaller = recalling(GARDEN, None)
    with_words, without = (
        recaller.recall(NORA, "the blue kettle", now=NOW, recipe=recipe)
        for recipe in ("siliconfriend", "siliconfriend without words")
    )
    assert with_words.memories[0].parts["words"] > 0
    assert {found.parts["words"] for found in without.memories} == {0.0}
