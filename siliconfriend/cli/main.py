"""The group of all commands, which turns errors into a sentence on standard error and an exit code."""

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from siliconfriend import __version__
from siliconfriend.config.loading import unknown_variables
from siliconfriend.config.settings import nearest_option
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.texts import N_

from .app import INTERRUPTED, App, parse_now
from .options import LANGUAGE, Group, flag, local, option
from .terminal import harmless_streams

SHARED = ("--home", "--now", "--debug")
"""The options before the name of a command."""
COMMANDS = {
    "settings": ("setup", "config"),
    "chat": ("chat", "demo"),
    "running": ("web", "nightly", "worker", "greet", "mcp", "serve"),
    "memories": ("recall", "prompt", "memories"),
    "transfer": ("import", "export"),
    "users": ("users",),
    "companions": ("companion",),
    "admin": ("backup", "restore", "migrate", "database", "doctor"),
    "evaluate": ("evaluate",),
}
"""The commands of each module."""


class Program(Group):
    """The group of all commands."""

    def main(  # type: ignore[override]  # click's own overloads differ by a flag not offered here
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> None:
        """Run a command, print its error, and exit with its code."""
        extra.pop("standalone_mode", None)
        with harmless_streams():
            self._run(args, **extra)

    def _run(self, args: Sequence[str] | None, **extra: Any) -> None:
        app = App(language=LANGUAGE)
        try:
            result = super().main(args, "siliconfriend", standalone_mode=False, obj=app, **extra)
            code = result if isinstance(result, int) else 0
        except click.UsageError as error:
            if isinstance(error, click.NoSuchOption) and error.option_name in SHARED:
                meant = [f"siliconfriend {error.option_name} … COMMAND"]
                error.possibilities = meant  # type: ignore[misc]  # click takes near names alone
            click.echo(error.format_message(), err=True)
            if not isinstance(error, click.exceptions.NoArgsIsHelpError):
                command = error.ctx.command_path if error.ctx else "siliconfriend"
                click.echo(local("See: {command} --help", command=command), err=True)
            code = UsageError.exit_code
        except click.exceptions.Exit as error:
            code = error.exit_code
        except (KeyboardInterrupt, click.Abort) as error:
            if KeyboardInterrupt in (type(error), type(error.__context__)):
                app.say("Stopped. What was finished until then is kept.")
            else:
                click.echo(err=True)
            code = INTERRUPTED
        except Exception as error:
            if app.debug:
                traceback.print_exception(error)
            if not isinstance(error, SiliconFriendError):
                cause = f"{type(error).__name__}: {error}".strip()
                error = SiliconFriendError("unexpected", cause=cause)
            if str(error) != app.told:
                app.show_error(error)
            code = error.exit_code
        sys.exit(code)


@click.group(
    cls=Program,
    lazy={name: module for module, names in COMMANDS.items() for name in names},
    no_args_is_help=True,
    # Chinese is twice as wide as click counts, so it breaks earlier.
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100 if LANGUAGE == "en" else 66,
    },
    help=N_(
        "A companion that remembers you, in Chinese and English. `siliconfriend setup` begins."
    ),
)
@option("--home", "DIR", "The data directory.")
@option("--now", "ISO8601", "Use this moment as the present, such as 2023-05-07T09:00.")
@flag("--debug", "Show tracebacks of errors.")
@click.version_option(__version__, help=local("Show the version."))
def program(app: App, home: str | None, now: str | None, debug: bool) -> None:
    """Read the options that all commands share."""
    app.home, app.debug = home, debug
    app.clock = parse_now(now)
    for name in unknown_variables(os.environ):
        near = nearest_option(name)
        app.say("The environment variable {name} is not a setting and has no effect.", name=name)
        if near is not None:
            app.say("Did you mean {names}?", names=near.variables[-1])


def main() -> None:
    """Run the ``siliconfriend`` command with UTF-8 text in any locale."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115
        # Input that is not UTF-8 must be detected, so that nothing else is stored in its place.
        errors = "surrogateescape" if mode == "r" else "replace"
        getattr(sys, name).reconfigure(encoding="utf-8", errors=errors)
    program.main([_as_utf8(word) for word in sys.argv[1:]])


def _as_utf8(word: str) -> str:
    """Decode a command line argument as UTF-8 if the locale could not."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return os.fsencode(word).decode(errors="replace")
    return word
