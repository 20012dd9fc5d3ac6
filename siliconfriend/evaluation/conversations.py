"""Evaluate conversations: does the evidence of a question reach recall, prompt and offline reply?

A file is one conversation in the common form (``docs/evaluation.md``). Each question is asked off
the record, at its own moment, in a temporary home that holds only what was told before it; no night
has run. The prompt is the one that a chat with a model of 8,192 tokens of context would send.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from siliconfriend.clock import FixedClock
from siliconfriend.dialogue.companion import Companion
from siliconfriend.evaluation.bench import Bench, Told
from siliconfriend.evaluation.datasets import expected_form, language_value, text_value
from siliconfriend.evaluation.table import Row
from siliconfriend.language.characters import fold
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import Language

KS = (5, 10, 20)
"""Values of k for recall at k."""

RUN = 3
"""Length in words of the n-grams used to find a turn in a prompt."""

IN_PROMPT = 0.5
"""Minimum share of a turn's n-grams in the prompt."""

_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
"""Matches a word or a Chinese character."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a conversation.

    Attributes:
        groups: required evidence, each a set of alternative turns; empty if the answer was never
            told.
    """

    kind: str
    asked: datetime
    text: str
    groups: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One person's turns by file id, in order, and the questions."""

    name: str
    person: str
    language: Language
    turns: Mapping[str, Told]
    questions: tuple[Question, ...]


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


def read_conversation(data: Any) -> Conversation:
    """Load the conversation of a file; UnreadableFile if the format is wrong."""
    with expected_form("conversation_form"):
        turns: dict[str, Told] = {}
        for item in sorted(data["turns"], key=lambda item: str(item["at"])):
            words, at = str(item["said"]), _moment(item["at"])
            if words.strip():
                told = Told(at.date().isoformat(), words, str(item.get("replied") or ""), at)
                turns.setdefault(str(item["id"]), told)
        questions = [_question(item, turns) for item in data["questions"]]
        if not turns or not questions:
            raise ValueError("nothing is told, or nothing is asked")
        person, language = clean_name(data["person"]), language_value(data["lang"])
        return Conversation(str(data["name"]), person, language, turns, tuple(questions))


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
    count = sum(len(conversation.questions) for conversation in kept)
    found, done = defaultdict[str, list[QuestionResult]](list), 0
    for conversation in kept:
        with bench.fresh() as place:
            for scope, names, question in visible_turns(place, conversation):
                if place.runtime.embedder is not None:
                    place.runtime.embedder.queries([question.text])
                for recipe in recipes:
                    found[recipe].append(_ask(place, scope, names, question, recipe))
                done += 1
                bench.advance(conversation.name, done, count)
    return [{"recipe": recipe, **_counted(found[recipe])} for recipe in recipes]


def visible_turns(
    bench: Bench, conversation: Conversation
) -> Iterator[tuple[Scope, Mapping[str, str], Question]]:
    """Yield each question after importing the turns before it, and the turns' names by id."""
    scope = bench.create_person(conversation.person, conversation.language, "UTC")
    waiting, names, positions = dict(conversation.turns), dict[str, str](), Counter[str]()
    for question in sorted(conversation.questions, key=lambda question: question.asked):
        before = {name: told for name, told in waiting.items() if _said_at(told) < question.asked}
        names |= bench.tell(scope, before, positions)
        waiting = {name: told for name, told in waiting.items() if name not in before}
        bench.recaller.update_index(scope)
        yield scope, names, question


def _ask(
    bench: Bench, scope: Scope, names: Mapping[str, str], question: Question, recipe: str
) -> QuestionResult:
    held = frozenset(names.values())
    groups = [group & held for group in question.groups if group & held]
    began = perf_counter()
    recalled = bench.recaller.recall(
        scope, question.text, now=question.asked, top=4 * max(KS), recipe=recipe, top_facts=0
    )
    seconds = perf_counter() - began
    turns = (result.memory.id for result in recalled.memories if isinstance(result.memory, Turn))
    ranking = [names[identifier] for identifier in turns]
    model = ScriptedChatModel(otherwise=lambda _messages: "…")
    where: Any = {"runtime": bench.runtime, "clock": FixedClock(question.asked), "recipe": recipe}
    Companion(scope.person, chat=model, **where).reply(question.text, off_record=True)
    sent = "\n".join(message.content for messages in model.calls for message in messages)
    memory = bench.store.load(scope)
    words = {names[turn.id]: turn.query for turn in memory.turns()}
    in_prompt = standing_in(sent, {name: words[name] for group in groups for name in group})
    offline = Companion(scope.person, **where).reply(question.text, off_record=True)
    quoted = {names[used.id] for used in offline.used if used.id in names}

    def count(chosen: Iterable[str]) -> int:
        return sum(not group.isdisjoint(chosen) for group in groups)

    return QuestionResult(
        kind=question.kind,
        needed=len(groups),
        recalled={k: count(ranking[:k]) for k in KS},
        prompt=count(in_prompt),
        offline=count(quoted),
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


def _question(data: Mapping[str, Any], turns: Mapping[str, Told]) -> Question:
    groups = [frozenset(map(str, group)) for group in data["groups"]]
    if not all(group and group <= turns.keys() for group in groups):
        raise ValueError(f"evidence that is no turn: {data['groups']}")
    kind, words = text_value(data["kind"]), text_value(data["text"])
    return Question(kind, _moment(data["asked"]), words, tuple(groups))


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _said_at(told: Told) -> datetime:
    assert told.time is not None
    return told.time
