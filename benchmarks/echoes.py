"""Whether a companion that is asked about the past buries it under its own answers.

Every probing question is asked in a chat with the offline companion, four times over, in a
throw-away place; before and after each round it prints the share of questions whose evidence
is recalled within the first turns. The goal: no share changes by more than 0.02.
``python benchmarks/echoes.py BANK QUESTIONS [VECTORS]``, the last a file that keeps
embeddings between runs.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from siliconfriend.clock import FixedClock
from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.evaluation.bench import Bench, open_bench
from siliconfriend.evaluation.datasets import (
    Question,
    language_of_questions,
    match_people,
    read_json,
    read_questions,
)
from siliconfriend.evaluation.probing import evaluate_probing
from siliconfriend.memory.scope import Scope

ROUNDS = 4
DEPTHS = (1, 3, 6)

AskedQuestions = Mapping[Scope, Sequence[Question]]
Mornings = Mapping[Scope, datetime]
"""When each person is asked: the day after the last of the bank, whatever is said since."""


def hits(bench: Bench, asked: AskedQuestions, mornings: Mornings) -> str:
    """The shares of hits over everyone's questions."""
    found: Counter[int] = Counter()
    number = 0
    for scope, questions in asked.items():
        then = replace(bench, now=mornings[scope])
        (row,) = evaluate_probing(then, [scope], questions, ["siliconfriend"], ks=DEPTHS)
        found.update(row.hits)
        number += row.questions
    return "   ".join(f"at {k} {found[k] / number:.3f}" for k in DEPTHS)


def ask_all(bench: Bench, asked: AskedQuestions, mornings: Mornings, hour: int) -> int:
    """Ask every question in a chat; how many of these turns can be found again."""
    findable = 0
    for scope, questions in asked.items():
        for question in questions:
            now = mornings[scope] + timedelta(hours=hour, minutes=question.number)
            friend = Companion(scope.person, runtime=bench.runtime, clock=FixedClock(now))
            turn = friend.reply(question.text).turn
            findable += turn is not None and turn.index_text != ""
    return findable


def main(bank: str, file: str, vectors: str | None = None) -> None:
    questions = read_questions(Path(file))
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings(
            home=home, environ={}, timezone="UTC", language=language_of_questions(questions)
        )
        with open_bench(settings, vectors=Path(vectors) if vectors else None) as bench:
            people = bench.import_bank(read_json(Path(bank)))
            asked: dict[Scope, list[Question]] = {}
            for question in questions:
                scope = match_people(questions, people)[question.user]
                asked.setdefault(scope, []).append(question)
            mornings = {scope: bench.question_time(bench.store.load(scope)) for scope in people}
            print(f"before    {hits(bench, asked, mornings)}")
            for hour in range(ROUNDS):
                findable = ask_all(bench, asked, mornings, hour)
                print(
                    f"round {hour + 1}   {hits(bench, asked, mornings)}"
                    f"   {findable} of {len(questions)} turns indexed"
                )


if __name__ == "__main__":
    main(*sys.argv[1:])
