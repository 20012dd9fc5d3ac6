"""What one batch of talk was about, on its way into a topic.

One batch can hold several themes and one model call names them all, together with the events
and facts. Were a theme worked out a page at a time, each page would cost a call of its own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """Pages of one batch that belong together.

    Attributes:
        summary: what they are about, in a sentence or a few.
        key_words: the words for it, most telling first.
        pages: ids of turns, oldest first.
        continues: its first page goes on from the page right before the batch.
    """

    summary: str
    key_words: tuple[str, ...]
    pages: tuple[str, ...]
    continues: bool
