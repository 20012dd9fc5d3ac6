"""The texts of the night, written by a chat model.

What is too long for the model's context is read in parts, and the texts of the parts are
then made into one; the instruction stands whole before every part. What the person said
is set between marks as a record, so that words in it are never taken as instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siliconfriend.errors import UnusableAnswer
from siliconfriend.memory.records import Day, Profile
from siliconfriend.models.base import Answer, ChatModel, Message
from siliconfriend.models.tokens import tokens_of
from siliconfriend.night.writing import Dated, Personality, Usage
from siliconfriend.prompts import Prompts
from siliconfriend.texts import text

ANSWER_TOKENS = 1000
"""Left for the answer in every call."""

SHORTEST_PART = 200
"""Tokens; a part is never smaller, so that a tiny context fails plainly instead of looping."""

LONGEST_PART_OF_PORTRAIT = 600
"""Characters a model may give each part of a day's personality."""

_PERSONALITY: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        name: {"type": "string", "minLength": 1, "maxLength": LONGEST_PART_OF_PORTRAIT}
        for name in ("traits", "mood", "strategy")
    },
    "required": ["traits", "mood", "strategy"],
    "additionalProperties": False,
}


class ModelWriter:
    """Writes with a chat model.

    Args:
        chat: the model.
        prompts: the prompts of the person's language.
        companion_name: what the companion is called in the records.
        before_call: called before every call; raises where no more may be made.
    """

    def __init__(
        self,
        chat: ChatModel,
        prompts: Prompts,
        companion_name: str,
        before_call: Callable[[], None] = lambda: None,
    ) -> None:
        self.made_by = chat.name
        self.usage = Usage()
        self._chat = chat
        self._prompts = prompts
        self._companion_name = companion_name
        self._before_call = before_call

    def day_summary(self, profile: Profile, day: Day) -> str:
        """The main themes and key information of a day's talk."""
        return self._condensed("day_summary", profile, self._spoken(profile, day), date=day.date)

    def day_personality(self, profile: Profile, day: Day) -> Personality:
        """Traits and mood as the day's talk shows them, and a reply strategy."""
        parts = self._parts("day_personality", profile, self._spoken(profile, day), date=day.date)
        found = [
            self._ask("day_personality", profile, _PERSONALITY, record=part, date=day.date).data
            for part in parts
        ]
        if len(found) > 1:
            lines = [line for it in found for line in _personality_lines(profile, it)]
            found = [
                self._ask(
                    "day_personality",
                    profile,
                    _PERSONALITY,
                    record="\n".join(lines),
                    date=day.date,
                ).data
            ]
        return Personality(**{name: found[0][name].strip() for name in _PERSONALITY["required"]})

    def overall_history(self, profile: Profile, summaries: Sequence[Dated]) -> str:
        """The key information of all days' summaries."""
        lines = [_dated_line(profile, "events_of_day", it) for it in summaries]
        return self._condensed("overall_history", profile, lines)

    def overall_personality(self, profile: Profile, personalities: Sequence[Dated]) -> str:
        """The person over all days, and the reply strategy that suits them best."""
        lines = [_dated_line(profile, "analysis_of_day", it) for it in personalities]
        return self._condensed("overall_personality", profile, lines)

    def _spoken(self, profile: Profile, day: Day) -> list[str]:
        """The day's talk, a line for each who speaks."""
        who = (profile.name, self._companion_name)
        return [
            f"{name}: {words.strip()}"
            for turn in day.turns
            for name, words in zip(who, (turn.query, turn.response), strict=True)
            if words.strip()
        ]

    def _condensed(self, prompt: str, profile: Profile, lines: list[str], date: str = "") -> str:
        """One text of all lines: of each part that fits first, then of those texts."""
        while True:
            parts = self._parts(prompt, profile, lines, date)
            texts = [
                self._ask(prompt, profile, record=part, date=date).text.strip() for part in parts
            ]
            if len(texts) == 1:
                return texts[0]
            if sum(map(tokens_of, texts)) >= sum(map(tokens_of, lines)):
                raise UnusableAnswer("model_too_long", name=self._chat.name)
            lines = texts

    def _parts(self, prompt: str, profile: Profile, lines: list[str], date: str = "") -> list[str]:
        """The lines in as few parts as fit the context beside the whole instruction."""
        instruction = self._rendered(prompt, profile, record="", date=date)
        answer = min(ANSWER_TOKENS, self._chat.context_tokens // 4)
        room = max(self._chat.context_tokens - tokens_of(instruction) - answer, SHORTEST_PART)
        parts: list[list[str]] = [[]]
        used = 0
        for line in (piece for line in lines for piece in _pieces(line, room)):
            size = tokens_of(line) + 1
            if used + size > room and parts[-1]:
                parts.append([])
                used = 0
            parts[-1].append(line)
            used += size
        return ["\n".join(part) for part in parts]

    def _rendered(self, prompt: str, profile: Profile, *, record: str, date: str) -> str:
        return self._prompts.render(
            prompt,
            person=profile.name,
            companion_name=self._companion_name,
            date=date,
            record=record,
        )

    def _ask(
        self,
        prompt: str,
        profile: Profile,
        schema: Mapping[str, Any] | None = None,
        *,
        record: str,
        date: str,
    ) -> Answer:
        words = self._rendered(prompt, profile, record=record, date=date)
        self._before_call()
        self.usage += Usage(calls=1)
        answer = self._chat.complete([Message("user", words)], schema)
        self.usage += Usage(0, answer.input_tokens, answer.output_tokens)
        if not answer.text.strip():
            raise UnusableAnswer("model_empty", name=self._chat.name)
        return answer


def _pieces(line: str, room: int) -> list[str]:
    """A line longer than the room, cut into pieces that fit; each keeps who said it."""
    if tokens_of(line) <= room:
        return [line]
    speaker, colon, words = line.partition(": ")
    prefix = speaker + colon if colon else ""
    body = words if colon else line
    width = max(room - tokens_of(prefix) - 2, 1)
    return [prefix + body[start : start + width] for start in range(0, len(body), width)]


def _dated_line(profile: Profile, key: str, dated: Dated) -> str:
    return text("night", key, profile.language, date=dated.date, text=dated.text.strip())


def _personality_lines(profile: Profile, found: Mapping[str, str]) -> list[str]:
    return personality_text(profile, Personality(**found)).splitlines()


def personality_text(profile: Profile, personality: Personality) -> str:
    """The three parts as one text, each with its label in the person's language."""
    return "\n".join(
        text("night", f"personality.{name}", profile.language, text=getattr(personality, name))
        for name in ("traits", "mood", "strategy")
    )
