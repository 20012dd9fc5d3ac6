"""The kinds of values that options take, each refused in the user's language.

Click's own kinds refuse in English, so commands use these in their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from .localized_click import usage_text


class OneOf(click.Choice[str]):
    """One of a few words."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """The sentence for a word that is none of them."""
        return usage_text("none_of", value=value, choices=list_words(self.choices))


class WholeNumber(click.IntRange):
    """A whole number from ``min`` on, up to ``max`` where there is one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number.

        Raises:
            BadParameter: it is none, or lies outside.
        """
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            key = "number_up_to" if self.max is not None else "number_from"
            refusal = usage_text(key, value=value, lowest=self.min, highest=self.max)
            return self.fail(refusal, param, ctx)


class FilePath(click.ParamType[Path]):
    """A path, which need not exist: the command that opens it says what is wrong with it."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path as it was written."""
        return Path(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave the completion to the shell, which knows the files."""
        return [CompletionItem(incomplete, type="file")]


def list_words(words: Sequence[str]) -> str:
    """Join words the way the user's language lists them."""
    return usage_text("comma").join(words)
