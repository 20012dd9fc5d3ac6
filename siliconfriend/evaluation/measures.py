"""Measure whether the evidence of a question reaches recall, the prompt and the offline reply.

The prompt is the one that a chat with a model of 8,192 tokens of context would send.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from siliconfriend.characters.companions import companion_name
from siliconfriend.clock import FixedClock
from siliconfriend.dialogue.chat_history import to_utterances
from siliconfriend.dialogue.companion import Companion
from siliconfriend.evaluation.bench import Bench, language_of_texts
from siliconfriend.evaluation.conversations import (
    AskedQuestion,
    Conversation,
    Question,
    limited,
    questions_of,
)
from siliconfriend.evaluation.table import Row, mean
from siliconfriend.language.characters import fold
from siliconfriend.memory.records import Turn
from siliconfriend.testing import ScriptedChatModel

KS = (5, 10, 20)
"""Values of k for recall at k."""

DEEPEST = 100
"""Maximum rank of evidence; deeper evidence counts as not found."""

RUN = 3
"""Length in words of the n-grams used to find a turn in a prompt."""

IN_PROMPT = 0.5
"""Minimum share of a turn's n-grams in the prompt."""

_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
"""Matches a word or a Chinese character."""


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """Result of one recipe for a question.

    Attributes:
        needed: number of groups; 0 for an unanswerable question.
        depths: as :func:`depths_of`.
        prompt, offline: groups found in the prompt and quoted by the offline reply.
        is_sure: the offline reply is sure of what it says.
        seconds: time of one recall.
    """

    kind: str
    needed: int
    depths: Sequence[float]
    prompt: int
    offline: int
    is_sure: bool
    seconds: float


def evaluate_conversations(
    bench: Bench,
    conversations: Sequence[Conversation],
    recipes: Sequence[str],
    *,
    limit: int | None = None,
) -> list[Row]:
    """Run the evaluation with each recipe; a row for each.

    ``share`` is the mean share of the evidence of a question that was found, ``complete`` the number
    of questions with all of it. ``limit`` is the maximum number of questions, spread evenly.
    """
    kept = limited(conversations, limit)
    found = defaultdict[str, list[QuestionResult]](list)
    for asked in questions_of(bench, kept):
        for recipe in recipes:
            found[recipe].append(_ask(asked, recipe))
    return [{"recipe": recipe, **_counted(found[recipe])} for recipe in recipes]


def evaluate_recall(
    bench: Bench, conversations: Sequence[Conversation], recipes: Sequence[str], ks: Sequence[int]
) -> list[Row]:
    """Measure recall alone, with each recipe; a row for each.

    ``recall`` is the share of a question's evidence among the first k turns, averaged over the
    questions, ``hit`` the share of questions with some of it there, ``complete`` with all of it.
    ``mrr`` is the mean of 1/rank, the rank being the turn with which a question's evidence is
    complete. ``by_category`` is ``recall`` by kind.
    """
    measured, seconds = list[tuple[str, Question]](), defaultdict[str, float](float)
    depths = defaultdict[str, list[list[float]]](list)
    for asked in questions_of(bench, conversations):
        if groups := asked.question.groups:
            measured.append((asked.scope.person, asked.question))
            for recipe in recipes:
                began = perf_counter()
                ranking = recalled_turns(asked, recipe, max(*ks, DEEPEST))
                seconds[recipe] += perf_counter() - began
                depths[recipe].append(depths_of(groups, ranking))
    questions = [question for own in conversations for question in own.questions]
    shared = {
        "lang": language_of_texts(question.text for question in questions),
        "questions": len(measured),
        "skipped": sum(own.skipped for own in conversations) + len(questions) - len(measured),
    }
    rows = list[Row]()
    for recipe in recipes:
        every, by_kind = depths[recipe], defaultdict[str, list[list[float]]](list)
        for (_, question), own in zip(measured, every, strict=True):
            by_kind[question.kind].append(own)
        rows.append(
            {
                "recipe": recipe,
                **shared,
                "recall": recall_at(every, ks),
                "hit": recall_at([[min(own)] for own in every], ks),
                "complete": recall_at([[max(own)] for own in every], ks),
                "mrr": mean(1 / max(own) for own in every),
                "by_category": {kind: recall_at(by_kind[kind], ks) for kind in sorted(by_kind)},
                "questions_by_category": {kind: len(by_kind[kind]) for kind in sorted(by_kind)},
                "seconds": round(seconds[recipe], 3),
                "misses": [
                    {"user": user, "q": question.name, "question": question.text}
                    for (user, question), own in zip(measured, every, strict=True)
                    if max(own) > max(ks)
                ],
            }
        )
    return rows


def depths_of(groups: Sequence[frozenset[str]], ranking: Sequence[str]) -> list[float]:
    """Return the rank of the first turn of each group, from 1; infinite where none was recalled."""
    return [
        next((place for place, name in enumerate(ranking, start=1) if name in group), math.inf)
        for group in groups
    ]


def recall_at(depths: Sequence[Sequence[float]], ks: Sequence[int]) -> dict[str, float]:
    """Return for each k the mean share of the groups of a question within the first k turns."""
    return {str(k): mean(sum(depth <= k for depth in own) / len(own) for own in depths) for k in ks}


def recalled_turns(asked: AskedQuestion, recipe: str, depth: int) -> list[str]:
    """Return the names of the recalled turns, best first."""
    bench, scope, question = asked.bench, asked.scope, asked.question
    settings = bench.runtime.settings
    recalled = bench.recaller.recall(
        scope,
        question.text,
        now=asked.now,
        top=depth,
        recipe=recipe,
        talk=to_utterances(question.talk),
        top_facts=0,
        companion_name=companion_name(settings, scope.companion, settings.language),
    )
    turns = (result.memory.id for result in recalled.memories if isinstance(result.memory, Turn))
    return [asked.names[identifier] for identifier in turns]


def count_found(groups: Iterable[frozenset[str]], chosen: Iterable[str]) -> int:
    """Count the groups with a turn among the chosen ones."""
    held = frozenset(chosen)
    return sum(not group.isdisjoint(held) for group in groups)


def _ask(asked: AskedQuestion, recipe: str) -> QuestionResult:
    bench, names, question, user = asked.bench, asked.names, asked.question, asked.scope.person
    held = frozenset(names.values())
    groups = [group & held for group in question.groups if group & held]
    began = perf_counter()
    depths = depths_of(groups, recalled_turns(asked, recipe, 4 * max(KS)))
    seconds = perf_counter() - began
    model = ScriptedChatModel(otherwise=lambda _messages: "…")
    where: Any = {"runtime": bench.runtime, "clock": FixedClock(asked.now), "recipe": recipe}
    Companion(user, chat=model, **where).reply(question.text, off_record=True)
    sent = "\n".join(message.content for messages in model.calls for message in messages)
    words = {names[turn.id]: turn.query for turn in bench.store.load(asked.scope).turns()}
    in_prompt = standing_in(sent, {name: words[name] for group in groups for name in group})
    offline = Companion(user, **where).reply(question.text, off_record=True)
    quoted = {names[used.id] for used in offline.used if used.id in names}
    return QuestionResult(
        kind=question.kind,
        needed=len(groups),
        depths=depths,
        prompt=count_found(groups, in_prompt),
        offline=count_found(groups, quoted),
        is_sure=offline.certainty == "sure",
        seconds=seconds,
    )


def standing_in(text: str, turns: Mapping[str, str]) -> set[str]:
    """Return the names of the turns with at least half of their words in a text."""
    words = _WORDS.findall(fold(text))
    held = {size: set(_runs(words, size)) for size in range(1, RUN + 1)}
    found = set[str]()
    for name, said in turns.items():
        own = _WORDS.findall(fold(said))
        size = min(RUN, max(1, len(own)))
        runs = _runs(own, size)
        if runs and sum(run in held[size] for run in runs) >= IN_PROMPT * len(runs):
            found.add(name)
    return found


def _runs(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """Return the n-grams of some words."""
    return [tuple(words[at : at + size]) for at in range(len(words) - size + 1)]


def _counted(answers: Sequence[QuestionResult]) -> Row:
    """Aggregate one recipe's results, overall and by kind of question."""
    kinds = dict.fromkeys(answer.kind for answer in answers)
    never_told = [answer for answer in answers if not answer.needed]
    return {
        **_shares([answer for answer in answers if answer.needed]),
        "kinds": {
            kind: _shares(own)
            for kind in kinds
            if (own := [answer for answer in answers if answer.kind == kind and answer.needed])
        },
        "unanswerable": {
            "questions": len(never_told),
            "sure": sum(answer.is_sure for answer in never_told),
        },
        "seconds": round(sum(answer.seconds for answer in answers), 3),
    }


def _shares(answers: Sequence[QuestionResult]) -> Row:
    def share(found: Iterable[int]) -> float:
        return mean(count / answer.needed for count, answer in zip(found, answers, strict=True))

    def both(found: Sequence[int]) -> Row:
        complete = sum(n == answer.needed for n, answer in zip(found, answers, strict=True))
        return {"share": share(found), "complete": complete}

    return {
        "questions": len(answers),
        "prompt": both([answer.prompt for answer in answers]),
        "offline": both([answer.offline for answer in answers]),
        "recall": recall_at([answer.depths for answer in answers], KS),
    }
