"""Conversations: their form, what is visible when, and shares that can be worked out by hand."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.evaluation.bench import Bench, choose_recipes
from siliconfriend.evaluation.conversations import read_conversation
from siliconfriend.evaluation.measures import evaluate_conversations, standing_in
from siliconfriend.evaluation.table import show_table
from tests.evaluation import banks


def _changed(**keys: Any) -> dict[str, Any]:
    return deepcopy(banks.CONVERSATION) | keys


def test_figures_are_those_worked_out_by_hand(bench: Bench) -> None:
    """What is told after a question is not there; a group needs one of its turns."""
    conversation = read_conversation(banks.CONVERSATION)
    (row,) = evaluate_conversations(bench, [conversation], ["siliconfriend"])
    assert (row["recipe"], row["questions"]) == ("siliconfriend", 2)
    assert row["kinds"]["two"]["prompt"] == {"share": 1.0, "complete": 1}
    assert row["kinds"]["one"]["prompt"] == {"share": 1.0, "complete": 1}
    assert row["prompt"] == {"share": 1.0, "complete": 2}
    assert row["recall"] == {"5": 1.0, "10": 1.0, "20": 1.0}
    assert row["unanswerable"] == {"questions": 1, "sure": 0}
    assert "never" not in row["kinds"]


@pytest.mark.parametrize("recipe", ["bm25", "cosine", "rrf"])
def test_baselines_rank_by_words_and_by_meaning(bench: Bench, recipe: str) -> None:
    """They are measured as the project's own recipe is."""
    (row,) = evaluate_conversations(bench, [read_conversation(banks.CONVERSATION)], [recipe])
    assert row["recall"]["5"] == 1.0


def test_a_feature_is_left_out(bench: Bench) -> None:
    """The recipe without it is measured behind the others; there is no other feature."""
    recipes = choose_recipes(["rrf"], without=["words"])
    assert recipes == ["rrf", "siliconfriend without words"]
    rows = evaluate_conversations(bench, [read_conversation(banks.CONVERSATION)], recipes)
    assert [row["recipe"] for row in rows] == recipes
    with pytest.raises(UsageError, match="no recipe called siliconfriend without luck"):
        choose_recipes([], without=["luck"])


def test_a_limit_keeps_questions_evenly(bench: Bench) -> None:
    """Of two conversations with three questions each the first and the fourth."""
    both = [read_conversation(banks.CONVERSATION), read_conversation(_changed(name="ada-2"))]
    (row,) = evaluate_conversations(bench, both, ["siliconfriend"], limit=2)
    assert (row["questions"], list(row["kinds"])) == (2, ["two"])


def test_a_turn_stands_in_a_prompt_with_half_of_its_words() -> None:
    """In both languages, with a date between them; a few words in common are not enough."""
    turns = {"a": "I moved to a flat in Bristol on Sunday", "b": "好的", "c": "我在游戏公司写剧情"}
    prompt = "[2 March] Ada: I moved to a flat in Bristol on Sunday (2026-03-01).\n好的"
    assert standing_in(prompt, turns) == {"a", "b"}
    assert standing_in("a flat in Leeds; 我在游戏公司（上海）写剧情", turns) == {"c"}


def test_the_table_has_intervals(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the number of questions with all of their evidence."""
    rows = evaluate_conversations(bench, [read_conversation(banks.CONVERSATION)], ["rrf"])
    show_table(rows, "")
    assert "2 (0.34–1.00)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "data",
    [
        *({}, [], None, "text"),
        _changed(lang="fr"),
        _changed(turns=[]),
        _changed(questions=[]),
        _changed(questions=[banks.CONVERSATION["questions"][0] | {"groups": [["z"]]}]),
    ],
)
def test_what_is_no_conversation_is_refused(data: Any) -> None:
    """With a sentence, not a traceback."""
    with pytest.raises(UnreadableFile):
        read_conversation(data)


def test_no_home_is_left(bench: Bench) -> None:
    """Each conversation has a home of its own, which is deleted."""
    evaluate_conversations(bench, [read_conversation(banks.CONVERSATION)], ["bm25"])
    assert not list(bench.store.scopes())
    assert [path for path in Path(bench.runtime.settings.home).iterdir() if path.is_dir()] == []
