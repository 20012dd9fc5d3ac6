"""Measure whether the evidence of a question reaches recall, the prompt and the offline reply.

The prompt is the one that a chat with a model of 8,192 tokens of context would send.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from siliconfriend.characters.companions import companion_name
from siliconfriend.clock import FixedClock
from siliconfriend.dialogue.chat_history import to_utterances
from siliconfriend.dialogue.companion import Companion
from siliconfriend.evaluation.bench import Bench
from siliconfriend.evaluation.conversations import AskedQuestion, Conversation, questions_of
from siliconfriend.evaluation.table import Row, means
from siliconfriend.language.characters import fold
from siliconfriend.memory.records import Turn
from siliconfriend.testing import ScriptedChatModel

KS = (5, 10, 20)
"""Values of k for recall at k."""

RUN = 3
"""Length in words of the n-grams used to find a turn in a prompt."""

IN_PROMPT = 0.5
"""Minimum share of a turn's n-grams in the prompt."""

Shares = tuple[str, dict[int, float]]
"""The kind of a question, and the share of its evidence by k."""

_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
"""Matches a word or a Chinese character."""


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """Result of one recipe for a question.

    Attributes:
        needed: number of groups; 0 for an unanswerable question.
        recalled: groups found among the first turns of recall, by depth.
        prompt, offline: groups found in the prompt and quoted by the offline reply.
        is_sure: the offline reply is sure of what it says.
        seconds: time of one recall.
    """

    kind: str
    needed: int
    recalled: Mapping[int, int]
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
    kept = _limited(conversations, limit)
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
    questions, ``hit`` the share of questions with some of it there, ``by_category`` the first by kind.
    """
    found, seconds = defaultdict[str, list[Shares]](list), defaultdict[str, float](float)
    for asked in questions_of(bench, conversations):
        kind, groups = asked.question.kind, asked.question.groups
        for recipe in recipes if groups else ():
            began = perf_counter()
            ranking = recalled_turns(asked, recipe, max(ks))
            seconds[recipe] += perf_counter() - began
            shares = {k: count_found(groups, ranking[:k]) / len(groups) for k in ks}
            found[recipe].append((kind, shares))
    rows = list[Row]()
    for recipe in recipes:
        every = [shares for _, shares in found[recipe]]
        hits = [{k: float(share > 0) for k, share in shares.items()} for shares in every]
        rows.append(
            {
                "recipe": recipe,
                "lang": conversations[0].language,
                "questions": len(every),
                "skipped": sum(conversation.skipped for conversation in conversations),
                "recall": means(every, ks),
                "hit": means(hits, ks),
                **_by_category(found[recipe], ks),
                "seconds": round(seconds[recipe], 3),
            }
        )
    return rows


def _by_category(found: Sequence[Shares], ks: Sequence[int]) -> Row:
    kinds = defaultdict[str, list[dict[int, float]]](list)
    for kind, shares in sorted(found, key=lambda pair: (len(pair[0]), pair[0])):
        kinds[kind].append(shares)
    return {
        "by_category": {kind: means(shares, ks) for kind, shares in kinds.items()},
        "questions_by_category": {kind: len(shares) for kind, shares in kinds.items()},
    }


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
    ranking = recalled_turns(asked, recipe, 4 * max(KS))
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
        recalled={k: count_found(groups, ranking[:k]) for k in KS},
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
        shares = [count / answer.needed for count, answer in zip(found, answers, strict=True)]
        return sum(shares) / max(len(shares), 1)

    def both(found: Sequence[int]) -> Row:
        complete = sum(n == answer.needed for n, answer in zip(found, answers, strict=True))
        return {"share": share(found), "complete": complete}

    return {
        "questions": len(answers),
        "prompt": both([answer.prompt for answer in answers]),
        "offline": both([answer.offline for answer in answers]),
        "recall": {str(k): share(answer.recalled[k] for answer in answers) for k in KS},
    }


def _limited(conversations: Sequence[Conversation], limit: int | None) -> list[Conversation]:
    """Keep at most ``limit`` of all questions, spread evenly over them."""
    count = sum(len(conversation.questions) for conversation in conversations)
    most = count if limit is None else min(limit, count)
    kept = {at * count // most for at in range(most)}
    found, first = list[Conversation](), 0
    for conversation in conversations:
        questions = conversation.questions
        own = tuple(question for at, question in enumerate(questions, start=first) if at in kept)
        first += len(questions)
        if own:
            found.append(replace(conversation, questions=own))
    return found
