"""Bounds of an answer that the model itself does not know: its length, and words that end it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from siliconfriend.models.options import AnswerOptions
from siliconfriend.models.tokens import estimate_tokens


class Bounds:
    """Ends a stream at its length or at a stop word.

    Args:
        options: what bounds it.

    Attributes:
        met_length, met_stop: what ended it.
    """

    def __init__(self, options: AnswerOptions) -> None:
        self._most, self._stop = options.max_tokens, options.stop
        self.met_length = False
        self.met_stop = False

    def apply(self, pieces: Generator[str, None, None]) -> Generator[str, None, None]:
        """Stream the pieces up to a bound, then close them.

        What could be the beginning of a stop word is held back until more is known.
        """
        held, said = "", ""
        with closing(pieces):
            for piece in pieces:
                held += piece
                found = [at for word in self._stop if (at := held.find(word)) >= 0]
                if found:
                    self.met_stop = True
                    held = held[: min(found)]
                    break
                keep = self._unfinished(held)
                ready, held = held[: len(held) - keep], held[len(held) - keep :]
                if self._most is not None and estimate_tokens(said + ready) > self._most:
                    self.met_length = True
                    held = _within(said, ready, self._most)
                    break
                said += ready
                if ready:
                    yield ready
        if held:
            yield held

    def _unfinished(self, words: str) -> int:
        """How many of the last characters could begin a stop word."""
        return max(
            (
                size
                for word in self._stop
                for size in range(1, min(len(word), len(words) + 1))
                if words.endswith(word[:size])
            ),
            default=0,
        )


def _within(said: str, ready: str, most: int) -> str:
    """As much of a piece as there is room for."""
    while ready and estimate_tokens(said + ready) > most:
        ready = ready[:-1]
    return ready
