"""Options and result of one reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from siliconfriend.errors import ModelError, UsageError
from siliconfriend.language.message import takes_up
from siliconfriend.memory.drafts import validate_metadata
from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import Memory, Turn
from siliconfriend.models.base import AnswerOptions, Usage
from siliconfriend.models.output import clean
from siliconfriend.prompts.escape import Escaped, escape, escaped_text, join
from siliconfriend.recall.results import RecallResult
from siliconfriend.texts import Language

Certainty = Literal["sure", "unsure", "nothing"]
"""Confidence that an offline reply's quotations answer; ``nothing`` without quotations."""

MAX_LENGTH = 2000
"""Characters of each wish for a reply, and of the metadata as JSON."""
MAX_MANNER = 40_000
"""Characters of a client's manner; long character cards have some twenty thousand."""
MANNER_TAG = "manner_of_this_talk"

RestsOn = Literal["told", "portrait"]
"""Sources of a reply besides recalled memories."""


@dataclass(frozen=True, slots=True)
class ReplyStyle:
    """Wishes of the program around for one reply, as MemoryOS (arXiv 2506.06326) has them.

    Attributes:
        relationship: what the companion is to the person (``friend``, ``colleague``).
        style_hint: how to put the reply.
        metadata: the calling program's JSON object about the talk, stored with the turn.
        manner: a client's instructions for the companion; may be a whole character card.
        source: key of the request; the same once more answers its turn again (``Turn.sources``).
    """

    relationship: str = ""
    style_hint: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    manner: str = ""
    answer: AnswerOptions = field(default_factory=AnswerOptions)
    source: str = ""

    def validated(self) -> ReplyStyle:
        """Validate the wishes and clean their words.

        Raises:
            UsageError: one of them is too long, or the metadata cannot be kept.
        """
        wishes = (self.relationship or "", self.style_hint or "", self.manner)
        relationship, style, manner = (clean(wish).strip() for wish in wishes)
        metadata = validate_metadata(self.metadata)
        for words in (relationship, style, json.dumps(metadata, ensure_ascii=False)):
            if len(words) > MAX_LENGTH:
                raise UsageError("reply_style_too_long", longest=MAX_LENGTH)
        if len(manner) > MAX_MANNER:
            raise UsageError("manner_too_long", longest=MAX_MANNER)
        return ReplyStyle(relationship, style, metadata, manner, self.answer, self.source)

    def instructions(self, language: Language, person: str, companion: str) -> Escaped:
        """Write the companion's role in this talk; empty if none was requested."""
        lines = list[Escaped]()
        if self.relationship:
            key, words = "reply_style.relationship", self.relationship
            lines.append(escaped_text("dialogue", key, language, person=person, words=words))
        if self.manner:
            lines.append(escaped_text("dialogue", "reply_style.manner", language, person=person))
            manner = escape(self.manner, (person, companion))
            lines.append(Escaped(f"<{MANNER_TAG}>\n{manner}\n</{MANNER_TAG}>"))
        return join(lines)

    def wish(self, language: Language) -> Escaped:
        """Write the style of this reply; empty if none was requested."""
        if not self.style_hint:
            return Escaped()
        return escaped_text("dialogue", "reply_style.style_hint", language, words=self.style_hint)


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished reply.

    Attributes:
        turn: the turn as it was stored, None off the record.
        used: the memories that entered the prompt, or that an offline reply quotes.
        replied_by: the model, or ``offline``.
        interrupted: the reply was cut off and is partial.
        troubles: that the second model answered and why, or that a limit cut the reply.
        usage: token usage of the answering model; zero if not reported.
        certainty: confidence of an offline reply in its quotations; None for a model's reply.
        rests_on: further content of the prompt: the full history, or the portrait.
        is_help: the reply begins with help lines, since the message mentions self-harm.
    """

    text: str
    turn: Turn | None
    recalled: RecallResult
    used: tuple[Used, ...] = ()
    replied_by: str = ""
    interrupted: bool = False
    troubles: tuple[ModelError, ...] = ()
    usage: Usage = field(default_factory=Usage)
    certainty: Certainty | None = None
    rests_on: tuple[RestsOn, ...] = ()
    is_help: bool = False

    @property
    def entered(self) -> RecallResult:
        """The recalled memories used in the prompt and taken up, or quoted by an offline reply."""
        used, found = {one.id for one in self.used}, self.recalled
        memories = tuple(one for one in found.memories if one.memory.id in used)
        facts = tuple(one for one in found.facts if one.memory.id in used)
        if self.replied_by != OFFLINE:
            memories = tuple(one for one in memories if self._takes_up(one.memory))
            facts = tuple(one for one in facts if self._takes_up(one.memory))
        return replace(found, memories=memories, facts=facts)

    def _takes_up(self, memory: Memory) -> bool:
        return takes_up(self.recalled.query, self.text, memory.text)

    @property
    def based_on(self) -> tuple[Used, ...]:
        """The memories that the reply is likely to rest on, each once.

        An offline reply rests on what it quotes, a model's on what was due, and on what is likely
        and taken up.
        """
        is_quoted, found = (
            self.replied_by == OFFLINE,
            (*self.recalled.memories, *self.recalled.facts),
        )
        idle = {one.memory.id for one in found if not (is_quoted or self._takes_up(one.memory))}
        carrying = (
            used
            for used in self.used
            if is_quoted or used.is_due or (used.is_likely and used.id not in idle)
        )
        return tuple({used.id: used for used in carrying}.values())
