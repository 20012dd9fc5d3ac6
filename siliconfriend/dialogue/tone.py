"""Hears the tone of what somebody says: grave, heavy, weary, bright or plain.

What is told weighs, whether or not a mood is named: that one's boss shouted before everyone is
heavy without the word "sad" in it. What goes before is what weighs most, so that grave matters
never get a cheerful sentence; and cold tea weighs nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

from siliconfriend.language.contractions import written_out
from siliconfriend.language.sentences import split_sentences
from siliconfriend.language.word_lists import find_all, without_matches
from siliconfriend.moods import is_denied, moods_of

Tone = Literal["plain", "bright", "weary", "heavy", "grave"]
Told = Literal["grave", "heavy", "bright", "weary"]


@lru_cache(maxsize=4096)
def tone_of(words: str) -> Tone:
    """The tone of a text by what it tells and by the moods that are said in it.

    A heavy mood goes before a bright one, and to be tired alone is less; what gladdens goes
    before aching legs. That a boiler died is not grave.
    """
    told = tone_told(words)
    if told in ("grave", "heavy"):
        return told
    moods = moods_of(_without("heavy", written_out(it)) for it in split_sentences(words))
    hard = {mood.key for mood in moods if not mood.is_bright}
    if hard - {"tired"}:
        return "heavy"
    return "weary" if hard or told == "weary" else "bright" if moods or told else "plain"


@lru_cache(maxsize=4096)
def tone_told(words: str) -> Tone | None:
    """The tone of what a text tells, whatever moods are said in it; None where it tells neither."""
    plain = written_out(words)
    return next((kind for kind in get_args(Told) if _tells(kind, plain)), None)


def _tells(kind: Told, plain: str) -> bool:
    left = _without(kind, plain)
    return any(not is_denied(left[: it.start()]) for it in find_all("tone", kind, left))


def _without(kind: Told, plain: str) -> str:
    """The text without what only looks like something of this kind."""
    return without_matches("tone", f"not_{kind}", plain)
