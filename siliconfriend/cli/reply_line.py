"""The line of a reply: who speaks, then their words as they come.

Where a model answers nothing, because its server is dead say, no empty line of the companion's
is left standing: that would look as if it had been at a loss for words.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import click

from .terminal import Style, erase_line, is_capable, styled


@dataclass
class ReplyLine:
    """One reply at the terminal or in a pipe.

    Attributes:
        prefix: who speaks. At a terminal it stands there while the model is waited for.
    """

    prefix: str
    _has_words: bool = field(default=False, init=False)
    _is_erasable: bool = field(init=False)

    def __post_init__(self) -> None:
        self._is_erasable = is_capable(sys.stdout)
        if self._is_erasable:
            click.echo(self._styled_prefix, nl=False)

    @property
    def _styled_prefix(self) -> str:
        return styled(self.prefix, Style.VOICE)

    def write(self, words: str) -> None:
        """Print the next words, the prefix before the first."""
        if not self._has_words and not self._is_erasable:
            click.echo(self._styled_prefix, nl=False)
        self._has_words = True
        click.echo(words, nl=False)

    def end(self) -> None:
        """End the line, or take it away where no words came."""
        if self._has_words:
            click.echo()
        elif self._is_erasable:
            erase_line()
