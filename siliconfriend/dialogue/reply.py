"""One reply: how it is to be given, and what it was in the end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from siliconfriend.errors import ModelError, UsageError
from siliconfriend.memory.drafts import validate_metadata
from siliconfriend.memory.knowledge import OFFLINE, Used
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import AnswerOptions, Usage
from siliconfriend.models.output import clean
from siliconfriend.prompts.escape import Escaped, escape, escaped_text, join
from siliconfriend.recall.results import RecallResult
from siliconfriend.texts import Language

Certainty = Literal["sure", "unsure", "nothing"]
"""How sure an offline reply is that what it quotes answers; ``nothing`` where it quotes nothing."""

MAX_LENGTH = 2000
"""Characters of each wish for a reply, and of the metadata as JSON."""
MAX_MANNER = 40_000
"""Characters of a client's manner; long character cards have some twenty thousand."""
MANNER_TAG = "manner_of_this_talk"

RestsOn = Literal["told", "portrait"]
"""What a reply rests on besides what was recalled."""


@dataclass(frozen=True, slots=True)
class ReplyStyle:
    """Wishes of the program around for one reply, as MemoryOS (arXiv 2506.06326) has them.

    Attributes:
        relationship: what the companion is to the person (``friend``, ``colleague``).
        style_hint: how to put the reply.
        metadata: what the program around knows about the talk, a JSON object; it stays with the turn.
        manner: how a client program wants the companion to be; may be a whole character card.
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
        """Write what the companion is to be in this talk; empty if nothing was asked for."""
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
        """Write how this one reply is to be put; empty if nothing was asked for."""
        if not self.style_hint:
            return Escaped()
        return escaped_text("dialogue", "reply_style.style_hint", language, words=self.style_hint)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that has ended.

    Attributes:
        turn: the turn as it was stored, None off the record.
        used: the memories that entered the prompt, or that an offline reply quotes.
        replied_by: the model, or ``offline``.
        interrupted: it was cut off and holds what was said so far.
        troubles: that the second model answered and why, or that a limit cut the reply.
        usage: what the model that answered took; nothing where it does not count.
        certainty: how sure an offline reply is of what it quotes; None where a model answered.
        rests_on: what stood in the prompt besides: everything told so far, or the portrait.
        is_help: it begins with where help is, as what was said speaks of self-harm.
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
        """What was recalled and entered the prompt or the offline reply."""
        used, found = {one.id for one in self.used}, self.recalled
        memories = tuple(one for one in found.memories if one.memory.id in used)
        facts = tuple(one for one in found.facts if one.memory.id in used)
        return replace(found, memories=memories, facts=facts)

    @property
    def based_on(self) -> tuple[Used, ...]:
        """The memories that the reply is likely to rest on: those quoted, likely, or due."""
        recalled = {it.memory.id for it in (*self.recalled.memories, *self.recalled.facts)}
        is_quoted = self.replied_by == OFFLINE
        return tuple(it for it in self.used if is_quoted or it.is_likely or it.id not in recalled)
