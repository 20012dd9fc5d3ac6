"""Sentences of both languages."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"[^.!?。！？…\n]+(?:[.!?](?=\d)[^.!?。！？…\n]+)*[.!?。！？…”\"']*")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, trimmed, with their marks."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip().strip("\"'”")]
