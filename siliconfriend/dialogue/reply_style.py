"""How one reply is to be given, as the program around asks for it.

It is for this reply alone: nothing of it is remembered but the metadata, which stays with
the turn as what was told about it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from siliconfriend.errors import UsageError
from siliconfriend.memory.codec import to_json
from siliconfriend.models.output import clean
from siliconfriend.prompts.escape import Escaped, escaped_text, join
from siliconfriend.texts import Language

LONGEST = 2000
"""Characters of each wish, and of the metadata as JSON."""


@dataclass(frozen=True, slots=True)
class ReplyStyle:
    """Wishes for one reply, as MemoryOS (arXiv 2506.06326) has them.

    Attributes:
        relationship: what the companion is to the person (``friend``, ``colleague``).
        style_hint: how to put the reply.
        metadata: what the program around knows about the talk; a JSON object.
    """

    relationship: str = ""
    style_hint: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def validated(self) -> ReplyStyle:
        """The same with clean words.

        Raises:
            UsageError: one of them is too long, or the metadata is no JSON object.
        """
        relationship, style = (
            clean(it or "").strip() for it in (self.relationship, self.style_hint)
        )
        try:
            written = json.dumps(dict(self.metadata), ensure_ascii=False, allow_nan=False)
            metadata = json.loads(clean(written))
            to_json(metadata)  # which holds no number beyond 64 bits
        except (TypeError, ValueError) as error:
            raise UsageError("metadata_wrong") from error
        for words in (relationship, style, json.dumps(metadata, ensure_ascii=False)):
            if len(words) > LONGEST:
                raise UsageError("manner_too_long", longest=LONGEST)
        return ReplyStyle(relationship, style, metadata)

    def instructions(self, language: Language, person: str) -> Escaped:
        """The wishes as sentences to the model; empty where there are none."""
        wishes = {"relationship": self.relationship, "style_hint": self.style_hint}
        return join(
            escaped_text("dialogue", f"reply_style.{name}", language, person=person, words=words)
            for name, words in wishes.items()
            if words
        )

    def metadata_json(self) -> str:
        """The metadata as JSON; empty where there is none."""
        return json.dumps(self.metadata, ensure_ascii=False) if self.metadata else ""
