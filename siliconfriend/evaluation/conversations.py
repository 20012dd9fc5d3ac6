"""Conversations in the common form, and their questions one by one, each when it was asked.

A file is one conversation (``docs/evaluation.md``); those of LoCoMo, MADial-Bench and MemoryBank are
read as such conversations. Each question is asked off the record, at its own moment, in a temporary home that holds only
what was told before it; no night has run.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.clock import noon_of
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.evaluation.bench import MET, Bench, Told
from siliconfriend.evaluation.datasets import expected_form, language_value, text_value
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a conversation, or a message of a talk.

    Attributes:
        asked: the moment; None for the morning after the last turn.
        groups: required evidence, each a set of alternative turns; empty if the answer was never
            told.
        talk: what was said before it.
        name: its name or number in the file.
        answer: a short right answer, if known.
    """

    kind: str
    asked: datetime | None
    text: str
    groups: tuple[frozenset[str], ...]
    talk: tuple[Exchange, ...] = ()
    name: str | int = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One person's turns by file id, in order, and the questions.

    ``skipped`` is the number of further questions without evidence in it.
    """

    name: str
    person: str
    language: Language
    turns: Mapping[str, Told]
    questions: tuple[Question, ...]
    skipped: int = 0


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


def limited(conversations: Sequence[Conversation], limit: int | None) -> list[Conversation]:
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


class AskedQuestion(NamedTuple):
    """A question at its moment.

    Attributes:
        bench: holds what was told before it.
        names: the turns' names in the file, by id.
        now: the moment.
    """

    bench: Bench
    scope: Scope
    names: Mapping[str, str]
    question: Question
    now: datetime


def questions_of(bench: Bench, conversations: Sequence[Conversation]) -> Iterator[AskedQuestion]:
    """Yield each question, embedded, in the order in which a conversation's were asked.

    Each conversation has a home of its own, which is deleted behind it.
    """
    count, done = sum(len(conversation.questions) for conversation in conversations), 0
    for conversation in conversations:
        with bench.fresh() as place:
            for asked in _asked_of(place, conversation):
                if place.runtime.embedder is not None:
                    place.runtime.embedder.queries([asked.question.text])
                yield asked
                done += 1
                bench.advance(conversation.name, done, count)


def _asked_of(bench: Bench, conversation: Conversation) -> Iterator[AskedQuestion]:
    """Yield each question after importing the turns before it."""
    scope = bench.create_person(conversation.person, conversation.language)
    waiting, names, positions = dict(conversation.turns), dict[str, str](), Counter[str]()
    after = bench.now or _morning_after(conversation.turns.values())
    asked = [(question.asked or after, question) for question in conversation.questions]
    for now, question in sorted(asked, key=lambda pair: pair[0]):
        before = {name: told for name, told in waiting.items() if _said_at(told) < now}
        names |= bench.tell(scope, before, positions)
        waiting = {name: told for name, told in waiting.items() if name not in before}
        bench.recaller.update_index(scope)
        yield AskedQuestion(bench, scope, names, question, now)


def _question(data: Mapping[str, Any], turns: Mapping[str, Told]) -> Question:
    groups = [frozenset(map(str, group)) for group in data["groups"]]
    if not all(group and group <= turns.keys() for group in groups):
        raise ValueError(f"evidence that is no turn: {data['groups']}")
    kind, words = text_value(data["kind"]), text_value(data["text"])
    name, answer = str(data.get("id", "")), str(data.get("answer") or "")
    return Question(kind, _moment(data["asked"]), words, tuple(groups), name=name, answer=answer)


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _said_at(told: Told) -> datetime:
    """Return when something was said, in UTC; noon if only its day is known."""
    moment = told.time or noon_of(date.fromisoformat(told.day), ZoneInfo("UTC"))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _morning_after(turns: Iterable[Told]) -> datetime:
    """Return 09:00 on the day after the last of some turns."""
    last = date.fromisoformat(max((told.day for told in turns), default=f"{MET:%Y-%m-%d}"))
    return datetime.combine(last + timedelta(days=1), time(9), tzinfo=UTC)
