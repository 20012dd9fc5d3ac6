"""The sentences for a command line that could not be parsed, with what was most likely meant.

Click has these sentences in English alone, so each of its errors is told anew here from what
the error knows. One that is not listed would put English words into a Chinese sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from siliconfriend.texts import Language, text

MOST_SUGGESTED = 3


class ExtraWords(click.UsageError):
    """Words that belong to no argument of the command."""

    def __init__(self, words: Sequence[str], context: click.Context) -> None:
        super().__init__(" ".join(words), context)


def usage_message(error: click.UsageError, language: Language) -> str:
    """The sentence for a command line that click could not parse, with how to see its help."""
    context = error.ctx
    if type(error) is click.UsageError and context and isinstance(context.command, click.Group):
        return context.get_help()
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    path = context.command_path if context else "siliconfriend"
    wrong = _sentence(error, language) + _suggestion(error, language)
    return text("cli", "usage.hint", language, wrong=wrong, command=path)


def _sentence(error: click.UsageError, language: Language) -> str:
    def told(key: str, **values: object) -> str:
        return text("cli", f"usage.{key}", language, **values)

    match error:
        case click.exceptions.NoSuchCommand():
            return told("no_command", name=error.command_name)
        case click.NoSuchOption():
            return told("no_option", name=error.option_name)
        case click.MissingParameter():
            return told("missing", name=_name_of(error))
        case click.BadParameter():
            return told("bad_value", name=_name_of(error), cause=error.message)
        case click.BadOptionUsage():
            key = "option_takes_none" if _is_flag(error) else "option_alone"
            return told(key, name=error.option_name)
        case ExtraWords():
            return told("extra", words=error.message)
    return told("other", cause=error.format_message().rstrip("."))


def _suggestion(error: click.UsageError, language: Language) -> str:
    """Suggest the nearest option or command in a sentence; empty where nothing is near."""
    near: list[str] = []
    if isinstance(error, click.exceptions.NoSuchCommand | click.NoSuchOption):
        near = list(error.possibilities or ())
    if isinstance(error, click.exceptions.NoSuchCommand) and error.ctx is not None:
        near = near or list(_in_groups(error.command_name, error.ctx))
    if not near:
        return ""
    names = text("cli", "usage.or", language).join(near[:MOST_SUGGESTED])
    return text("cli", "usage.meant", language, names=names)


def _in_groups(name: str, context: click.Context) -> Iterator[str]:
    """The commands of this name in the groups of a group: ``memories list`` for ``list``."""
    group = context.command
    if isinstance(group, click.Group):
        for inner in group.commands.values():
            if isinstance(inner, click.Group) and name in inner.commands:
                yield f"{inner.name} {name}"


def _is_flag(error: click.BadOptionUsage) -> bool:
    known = error.ctx.command.params if error.ctx else []
    options = [it for it in known if isinstance(it, click.Option)]
    return any(error.option_name in it.opts and it.is_flag for it in options)


def _name_of(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    if isinstance(error.param, click.Argument):
        metavar = error.param.make_metavar(error.ctx or click.Context(click.Command("")))
        return metavar.strip("[]")
    return max(error.param.opts, key=len)
