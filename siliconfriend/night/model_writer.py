"""The writer that asks a chat model.

Prompts are files; what is remembered goes between their marks, and a day or a life too
long for the model is written in parts whose results are put together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.extractor import Subject
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.records import Day
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.tokens import MESSAGE_TOKENS, estimate_tokens
from siliconfriend.night.chunking import SMALLEST, chunk_lines
from siliconfriend.night.writer import DayTexts, Portrayal
from siliconfriend.prompts.escape import Escaped, escape_line, escaped_text, speaker_line
from siliconfriend.prompts.loader import Prompts
from siliconfriend.texts import Language, text

_Written = TypeVar("_Written")
_PART = {"type": "string", "minLength": 1, "maxLength": 600}
_PARTS = ("traits", "mood", "strategy")
PORTRAYAL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": dict.fromkeys(_PARTS, _PART),
    "required": [*_PARTS],
    "additionalProperties": False,
}
DAY_SCHEMA: dict[str, Any] = {
    **PORTRAYAL_SCHEMA,
    "properties": {
        "summary": {"type": "string", "minLength": 1, "maxLength": 2000},
        **PORTRAYAL_SCHEMA["properties"],
    },
    "required": ["summary", *_PARTS],
}


class ModelWriter:
    """Writes with a chat model.

    Args:
        chat: the model.
        prompts: gives the prompts of a language.
        answer_tokens: how long an answer may be.
    """

    def __init__(
        self, chat: CompletionModel, prompts: Callable[[Language], Prompts], *, answer_tokens: int
    ) -> None:
        self._chat = chat
        self._prompts = prompts
        self._room = chat.context_tokens - min(answer_tokens, chat.context_tokens // 3)

    @property
    def made_by(self) -> str:
        """The model's name."""
        return self._chat.name

    def day(self, subject: Subject, day: Day) -> DayTexts:
        """Both texts of a day in one call, or each by itself where the day is too long for that."""
        return self._fitted(lambda: self._day(subject, day))

    def _day(self, subject: Subject, day: Day) -> DayTexts:
        parts = self._parts("day", "dialogue", _dialogue(subject, day), subject, date=day.date)
        if len(parts) > 1:
            return DayTexts(self.day_summary(subject, day), self.day_personality(subject, day))
        found = self._asked("day", DAY_SCHEMA, subject, dialogue=parts[0], date=day.date)
        return DayTexts(found.pop("summary"), Portrayal(**found))

    def day_summary(self, subject: Subject, day: Day) -> str:
        """The main themes and key information of a day."""
        first, then = ("day_summary", "dialogue"), ("day_summary_parts", "parts")
        lines = _dialogue(subject, day)
        return self._fitted(lambda: self._condensed(first, then, lines, subject, date=day.date))

    def day_personality(self, subject: Subject, day: Day) -> Portrayal:
        """Traits, emotions and reply strategy of a day, asked for as JSON."""
        return self._fitted(lambda: self._portrayed(subject, day))

    def _portrayed(self, subject: Subject, day: Day) -> Portrayal:
        language, date = subject.language, day.date
        name, variable, lines = "day_personality", "dialogue", _dialogue(subject, day)
        while True:
            parts = self._parts(name, variable, lines, subject, date=date)
            seen = [self._portrayal(name, subject, **{variable: part}, date=date) for part in parts]
            if len(seen) == 1:
                return seen[0]
            lines = self._shorter([it.text(language) for it in seen], lines)
            name, variable = "day_personality_parts", "parts"

    def overall_history(self, subject: Subject, days: Sequence[Day]) -> str:
        """The essential events of all days."""
        lines = [
            _dated("events", subject.language, day.date, day.summary.text)
            for day in days
            if day.summary is not None
        ]
        prompt = ("overall_history", "events")
        return self._fitted(lambda: self._condensed(prompt, prompt, lines, subject))

    def overall_personality(
        self, subject: Subject, days: Sequence[Day], topics: Sequence[Topic] = ()
    ) -> str:
        """The personality in general and the reply strategy that suits it best."""
        lines = [
            _dated("analysis", subject.language, day.date, day.personality.text)
            for day in days
            if day.personality is not None
        ]
        lines += [
            escaped_text("night", "returning", subject.language, words=topic.text)
            for topic in topics
        ]
        prompt = ("overall_personality", "analyses")
        return self._fitted(lambda: self._condensed(prompt, prompt, lines, subject))

    def _fitted(self, write: Callable[[], _Written]) -> _Written:
        """What ``write`` gives; a server whose context is shorter than thought gets less."""
        while True:
            try:
                return write()
            except UnusableAnswer as error:
                if error.key != "model_too_long" or self._room < 2 * SMALLEST:
                    raise
                self._room //= 2

    def _condensed(
        self,
        first: tuple[str, str],
        then: tuple[str, str],
        lines: list[str],
        subject: Subject,
        **values: object,
    ) -> str:
        """One text of all lines: prompt ``first`` over each part, ``then`` over what came out.

        Each prompt is given with the name of the variable that takes the lines.
        """
        name, variable = first
        while True:
            parts = self._parts(name, variable, lines, subject, **values)
            texts = []
            for part in parts:
                rendered = self._rendered(name, subject, **{variable: part}, **values)
                texts.append(self._chat.complete([Message("user", rendered)]).text.strip())
            if len(texts) == 1:
                return self._some(texts[0])
            lines = self._shorter(texts, lines)
            name, variable = then

    def _shorter(self, texts: list[str], lines: list[str]) -> list[str]:
        """What came out as the lines of the next round, which must be shorter to ever end."""
        if sum(map(estimate_tokens, texts)) >= sum(map(estimate_tokens, lines)):
            raise UnusableAnswer("model_rambles", name=self._chat.name)
        return [escape_line(it) for it in texts]

    def _portrayal(self, name: str, subject: Subject, **values: object) -> Portrayal:
        return Portrayal(**self._asked(name, PORTRAYAL_SCHEMA, subject, **values))

    def _asked(
        self, name: str, schema: dict[str, Any], subject: Subject, **values: object
    ) -> dict[str, str]:
        """The texts that a schema asks for, none of them empty."""
        rendered = self._rendered(name, subject, **values)
        answer = self._chat.complete([Message("user", rendered)], schema).data
        found = answer if isinstance(answer, dict) else {}
        texts = {key: found.get(key) for key in schema["required"]}
        if not all(isinstance(value, str) and value.strip() for value in texts.values()):
            raise UnusableAnswer("model_not_json", name=self._chat.name)
        return {key: str(value).strip() for key, value in texts.items()}

    def _parts(
        self, name: str, variable: str, lines: list[str], subject: Subject, **values: object
    ) -> list[list[str]]:
        instruction = self._rendered(name, subject, **{variable: ""}, **values)
        room = self._room - estimate_tokens(instruction) - MESSAGE_TOKENS
        if room < SMALLEST:
            raise UnusableAnswer("model_too_long", name=self._chat.name)
        return chunk_lines(lines, room)

    def _rendered(self, name: str, subject: Subject, **values: object) -> Escaped:
        return self._prompts(subject.language).render(
            name, person=subject.person, companion_name=subject.companion, **values
        )

    def _some(self, words: str) -> str:
        if not words:
            raise UnusableAnswer("model_empty", name=self._chat.name)
        return words


def _dialogue(subject: Subject, day: Day) -> list[str]:
    """What was said, a line an utterance, each marked with whose it is."""
    lines: list[str] = []
    for turn in day.turns:
        for speaker, words in ((subject.person, turn.query), (subject.companion, turn.response)):
            if words.strip():
                lines.append(speaker_line(speaker, words, subject.language))
    return lines


def _dated(key: str, language: Language, date: str, words: str) -> str:
    return text("night", key, language, date=date, words=words.strip())
