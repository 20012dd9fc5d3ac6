"""Hears which feeling a question asks the most of: the saddest thing told, the best day of a summer.

"My best recipe" and 我最怕的动物 ask for a thing: only where the rest of a question asks for a day, a
moment or whatever it was, in the words of ``signs.most``, is it a feeling that is asked for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from siliconfriend.dialogue.tone import Tone, tone_of, tone_told
from siliconfriend.language.characters import fold
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import matches, without_matches
from siliconfriend.moods import moods_of
from siliconfriend.recall.dates import DateSpan


@dataclass(frozen=True, slots=True)
class Feeling:
    """What a question may ask the most of.

    Attributes:
        key: of its words in ``feelings`` of ``dialogue.toml``.
        tones: of what is told of it, what tells most of it first.
        mood: by its key in ``moods.toml``; who says it tells of it before all else, and who says
            another that weighs tells of that one.
        opening: the wordings an answer begins with.
    """

    key: str
    tones: tuple[Tone, ...]
    mood: str = ""
    opening: str = ""

    def place(self, words: str) -> int | None:
        """How near some words come to it, 0 for what is just that; None if they tell of another."""
        said = moods_of(split_sentences(words)) if self.mood else ()
        if any(it.key == self.mood for it in said):
            return 0
        if any(not it.is_bright for it in said):
            return None
        tone = tone_told(words) if self.mood else tone_of(words)
        return self.tones.index(tone) + bool(self.mood) if tone in self.tones else None


BRIGHT = Feeling("bright", ("bright",), opening="brightest")
FEELINGS = (
    BRIGHT,
    Feeling("hard", ("grave", "heavy"), opening="gravest"),
    Feeling("afraid", ("grave", "heavy"), "worried"),
    Feeling("angry", ("heavy",), "angry"),
    Feeling("proud", ("bright",), "proud"),
    Feeling("grateful", ("bright",), "grateful"),
    Feeling("excited", ("bright",), "excited"),
    Feeling("lonely", ("heavy",), "lonely"),
    Feeling("stressed", ("heavy",), "stressed"),
    Feeling("tired", ("weary",), "tired"),
)


def asked_feeling(said: str, spans: Sequence[DateSpan]) -> Feeling | None:
    """Find the feeling that a question asks the most of, in all that was told or in some days.

    Args:
        said: the question.
        spans: the days that it names.
    """
    rest = unicodedata.normalize("NFKC", said).replace("\t", " ")
    for span in spans:
        rest = rest.replace(span.words, "\t", 1)
    plain = " ".join(fold(rest).replace("’", "'").replace("\t", " <days> ").split())
    for feeling in FEELINGS:
        left = without_matches("dialogue", f"feelings.{feeling.key}", plain)
        if left != plain and matches("dialogue", "signs.most", left):
            return feeling
    return None
