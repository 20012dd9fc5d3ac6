"""Fakes of the chat model and the clock, for tests, demos and other bots.

They need no key, network or weights and are as strict as the real parts: an empty answer or bad
JSON raises, and a script that runs out fails the test.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.clock import FixedClock
from siliconfriend.errors import UnusableAnswer
from siliconfriend.language.characters import HAN
from siliconfriend.models.base import Answer, Message
from siliconfriend.models.output import parse_valid

Scripted = str | Mapping[str, Any] | BaseException | Iterable[str | BaseException]
"""One answer: its words; what a schema's JSON holds; an error to raise; or the pieces of a
stream, among which an error breaks it off there."""


class ScriptedChatModel:
    """A chat model that gives scripted answers, in order.

    Args:
        answers: the answers of the first calls, one each.
        otherwise: makes the answer to a call's messages once ``answers`` are used up.

    Attributes:
        calls: the messages of every call so far.
        is_able: may write at night (:mod:`siliconfriend.extraction.ability`); None to be measured.
        confirms: says yes to all sentences that a night has it check, which takes no answer.
        schemas: the schema of every call so far, None where it had none.

    Raises:
        AssertionError: from a call for which no answer is left.
    """

    def __init__(
        self,
        answers: Iterable[Scripted] = (),
        *,
        otherwise: Callable[[Sequence[Message]], Scripted] | None = None,
        name: str = "scripted",
        address: str = "this test",
        context_tokens: int = 8192,
        is_able: bool | None = True,
        confirms: bool = True,
    ) -> None:
        self.name, self.address, self.context_tokens = name, address, context_tokens
        self.is_able, self.confirms = is_able, confirms
        self.calls: list[list[Message]] = []
        self.schemas: list[Mapping[str, Any] | None] = []
        self._otherwise = otherwise
        self._answers: deque[Scripted] = deque(answers)

    def enqueue(self, *answers: Scripted) -> ScriptedChatModel:
        """Add answers, one a call: a list among them is one answer in pieces."""
        self._answers.extend(answers)
        return self

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Yield the next answer piece by piece; a plain text comes word by word."""
        spoken = False
        for piece in _pieces(self._next(messages, None)):
            if isinstance(piece, BaseException):
                raise piece
            spoken = spoken or bool(piece.strip())
            yield piece
        if not spoken:
            raise UnusableAnswer("model_empty", name=self.name)

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """Return the next answer; with a schema its JSON must be valid under it."""
        if self.confirms and schema and "verdicts" in schema.get("properties", ()):
            return Answer("", confirming(messages[-1].content))
        pieces = list(_pieces(self._next(messages, schema)))
        for piece in pieces:
            if isinstance(piece, BaseException):
                raise piece
        text = "".join(map(str, pieces)).strip()
        if not text:
            raise UnusableAnswer("model_empty", name=self.name)
        asked = sum(len(_words(message.content)) for message in messages)
        data, wrong = (None, "") if schema is None else parse_valid(text, schema)
        if wrong:
            raise UnusableAnswer("model_not_json", name=self.name)
        return Answer(text, data, asked, len(_words(text)))

    def _next(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> Scripted:
        self.calls.append(list(messages))
        self.schemas.append(schema)
        if self._answers:
            return self._answers.popleft()
        if self._otherwise is not None:
            return self._otherwise(messages)
        msg = f"call {len(self.calls)} of the scripted model has no answer left"
        raise AssertionError(msg)


def confirming(asked: str) -> dict[str, Any]:
    """Return a yes to each sentence that a request asks to check, with words that it rests on."""
    said = dict(
        re.findall(r"^\[(\d+)\] [\d-]+ ?[(（]\w+[)）]\n.+?[:：] ?(.*)$", asked, re.MULTILINE)
    )
    cited = re.findall(r"^(\d+)\. \[(\d+)", asked, re.MULTILINE)[:-1]  # the last is a control
    return {
        "verdicts": [
            {"number": int(number), "quote": said[turn], "holds": True} for number, turn in cited
        ]
    }


def _pieces(answer: Scripted) -> Iterable[str | BaseException]:
    if isinstance(answer, BaseException):
        return [answer]
    if isinstance(answer, str):
        return re.findall(r"\S+\s*|\s+", answer)
    if isinstance(answer, Mapping):
        return [json.dumps(answer, ensure_ascii=False)]
    return answer


def _words(text: str) -> list[str]:
    return re.findall(rf"[a-z0-9]+|[{HAN}]", text.lower())


class MovingClock:
    """A clock that stands still until it is moved.

    Attributes:
        moment: what it shows; without an offset it is read in the zone it is asked for.
    """

    def __init__(self, moment: datetime | str = datetime(2026, 3, 14, 9, tzinfo=UTC)) -> None:
        self.moment = datetime.fromisoformat(moment) if isinstance(moment, str) else moment

    def now(self, zone: ZoneInfo) -> datetime:
        """Return the moment in UTC."""
        return FixedClock(self.moment).now(zone)

    def move(self, *, days: float = 0, hours: float = 0, minutes: float = 0) -> None:
        """Move forward by this much, or back by a negative amount."""
        self.moment += timedelta(days=days, hours=hours, minutes=minutes)

    def set(self, moment: datetime | str) -> None:
        """Set the clock to another moment."""
        self.moment = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
