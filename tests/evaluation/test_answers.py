"""The whole reply flow over questions, with replies that are known beforehand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.grading import evaluate_answers
from siliconfriend.evaluation.probing import read_probing, read_questions
from siliconfriend.evaluation.table import Row
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from tests.dialogue.people import said
from tests.evaluation import banks


def _run(bench: Bench, folder: Path, **options: Any) -> list[Row]:
    conversations = read_probing(banks.BANK, read_questions(banks.write(folder)[1]))
    recipes = options.pop("recipes", ["siliconfriend"])
    return evaluate_answers(bench, conversations, recipes, **options)


def _reads_its_memories(messages: Sequence[Message]) -> str:
    """A model that repeats what it has memories of, where they have the word of the question."""
    known = messages[0].content.rpartition("<memories")[2].casefold()
    asked = said(messages[-1]).rstrip("?").casefold()
    found = [word for word in ("glaze", "harbour", "kayak") if word in known and asked in known]
    return " ".join(found) if found else "I do not remember that."


def test_counts_are_those_worked_out_by_hand(bench: Bench, tmp_path: Path) -> None:
    """Six are asked: five have evidence in the bank, one is unanswerable; one is skipped."""
    model = ScriptedChatModel(otherwise=_reads_its_memories)
    (result,) = _run(bench, tmp_path, chat=model)
    assert (result["asked"], result["skipped"]) == (6, 1)
    # of Ada's turns each question recalls some; "river" recalls none and is refused
    assert (result["right"], result["refused"], result["invented"]) == (6, 0, 0)
    assert 0 < result["precision"] <= 1
    first = result["answers"][0]
    found = [first[name] for name in ("user", "q", "question", "gold")]
    assert found == ["Ada", 0, "kiln?", "glaze"]
    assert first["right"]
    assert "glaze" in first["reply"]
    assert first["in_prompt"] == result["in_prompt"] == 1


def test_a_model_that_makes_things_up_is_caught(bench: Bench, tmp_path: Path) -> None:
    """It is wrong on what can be answered, and has invented on what cannot."""
    model = ScriptedChatModel(otherwise=lambda _messages: "You won the lottery in Paris.")
    (result,) = _run(bench, tmp_path, chat=model)
    assert (result["right"], result["refused"], result["invented"]) == (0, 0, 1)


def test_no_answer_leans_on_another(bench: Bench, tmp_path: Path) -> None:
    """Each question comes alone, without the exchanges before it."""
    model = ScriptedChatModel(otherwise=lambda _messages: "Yes.")
    _run(bench, tmp_path, chat=model, recipes=["memorybank", "siliconfriend"])
    assert all([message.role for message in call] == ["system", "user"] for call in model.calls)


def test_a_limit_is_spread_over_the_file(bench: Bench, tmp_path: Path) -> None:
    """Half of them are not the first person's alone."""
    model = ScriptedChatModel(otherwise=_reads_its_memories)
    (result,) = _run(bench, tmp_path, chat=model, limit=3)
    assert [(answer["user"], answer["q"]) for answer in result["answers"]] == [
        ("Ada", at) for at in (0, 2, 4)
    ]
