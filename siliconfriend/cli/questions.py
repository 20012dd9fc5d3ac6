"""Questions to whoever sits at the terminal, each asked again until the answer can be used.

They are asked in the language of the run. Ctrl-C and the end of the input leave the command;
whatever asks must not have written anything by then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from siliconfriend.errors import SiliconFriendError
from siliconfriend.texts import text

from .app import App, replace_surrogates
from .terminal import harmless

Value = TypeVar("Value")


def ask(
    app: App, question: str, read: Callable[[str], Value], *, usual: str | None = None
) -> Value:
    """Ask until ``read`` takes the answer; the return key alone answers with ``usual``.

    Args:
        app: whose language an error is told in.
        question: without the bracket that shows what is usual.
        read: from what was typed to its value.
        usual: None where something must be typed.

    Raises:
        Abort: the input ended instead.
    """
    key = "question" if usual is None else "question_usual"
    shown = text("setup", key, app.language, question=question, usual=usual)
    while True:
        try:
            typed = replace_surrogates(input(harmless(shown))).strip()
        except EOFError as error:
            raise click.Abort from error
        try:
            return read(typed or usual or "")
        except SiliconFriendError as error:
            click.echo(error.message(app.language), err=True)


def ask_yes(app: App, question: str) -> bool:
    """Ask for yes or no, in the words of the language; no is what the return key answers."""
    no = text("setup", "no", app.language)
    return ask(
        app, question, lambda typed: typed.lower() in app.text("users.yes_words").split(), usual=no
    )
