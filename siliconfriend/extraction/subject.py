"""Whom texts are about: one small record, for everyone who writes about a person."""

from __future__ import annotations

from dataclasses import dataclass

from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom the texts are about, and in which language they are written.

    Attributes:
        person: their name.
        companion: the companion's.
        language: the person's.
    """

    person: str
    companion: str
    language: Language
