"""The command line: the group of all commands, and how an error is printed.

Commands raise; only here is an error turned into one plain sentence on standard error
and an exit code, so that a failure reads the same whichever command met it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import click

from siliconfriend.causes import mask_passwords
from siliconfriend.errors import SiliconFriendError, UsageError

from .app import App, parse_now
from .backup import backup, restore_backup
from .chat import chat
from .companion import companion
from .companion_cards import export_companion, import_companion
from .companion_lore import lore
from .completion import completion
from .config import config
from .database import database
from .demo import demo
from .doctor import doctor
from .evaluate import answers, evaluate, life, locomo, probing, talk
from .evaluate_learning import likelihood, thresholds
from .greet import greet
from .import_export import export, import_file
from .localized_click import HELP_OPTIONS, LANGUAGE, Group, help_text
from .mcp import mcp
from .memories import memories
from .memories_change import (
    edit_memory,
    erase_memories,
    forget_memories,
    pin_memories,
    restore_memories,
    unpin_memories,
)
from .memories_plot import plot_memories
from .migrate import migrate
from .nightly import nightly
from .recall import recall
from .serve import serve
from .setup import setup
from .terminal import harmless_streams
from .usage_errors import usage_message
from .users import users
from .users_encrypt import encrypt_user
from .users_key import user_key
from .users_password import user_password
from .web import web
from .worker import worker

UNEXPECTED = 1
INTERRUPTED = 130


class Program(Group):
    """The group of all commands, with one place where errors end."""

    def main(  # type: ignore[override]  # click's own overloads differ by a flag not offered here
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> None:
        """Run a command and leave the process with its exit code."""
        with harmless_streams():
            self._run(args, **extra)

    def _run(self, args: Sequence[str] | None, **extra: Any) -> None:
        extra.pop("standalone_mode", None)
        app = App()
        try:
            result = super().main(args, "siliconfriend", standalone_mode=False, obj=app, **extra)
        except click.UsageError as error:
            click.echo(usage_message(error, app.language), err=True)
            code = UsageError.exit_code
        except click.exceptions.Exit as error:
            code = error.exit_code
        except (KeyboardInterrupt, click.Abort):
            click.echo(err=True)
            code = INTERRUPTED
        except SiliconFriendError as error:
            _show(error, app)
            code = error.exit_code
        except Exception as error:  # a fault of ours is a sentence too; --debug shows the trace
            _show(error, app)
            code = UNEXPECTED
        else:
            code = result if isinstance(result, int) else 0
        sys.exit(code)


def _show(error: Exception, app: App) -> None:
    if app.debug:
        traceback.print_exception(error)
    if isinstance(error, SiliconFriendError):
        click.echo(error.message(app.language), err=True)
    else:
        cause = mask_passwords(f"{type(error).__name__}: {error}".strip())
        click.echo(app.text("unexpected", cause=cause), err=True)


@click.group(
    cls=Program,
    help=help_text("program"),
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)
@click.option("--home", metavar="DIR", help=help_text("home"))
@click.option("--now", metavar="ISO8601", help=help_text("now"))
@click.option("--debug", is_flag=True, help=help_text("debug"))
@click.version_option(package_name="siliconfriend", help=help_text("version"))
@click.pass_obj
def program(app: App, home: str | None, now: str | None, debug: bool) -> None:
    """Read the options that all commands share."""
    app.home, app.debug = home, debug
    app.language = LANGUAGE
    app.clock = parse_now(now)


GROUPS: dict[click.Group, tuple[click.Command, ...]] = {
    program: (
        *(setup, chat, demo, web, nightly, worker, greet, recall),
        *(import_file, export, backup, restore_backup, migrate, database),
        *(memories, users, companion, config, evaluate),
        *(completion, doctor, mcp, serve),
    ),
    companion: (lore, import_companion, export_companion),
    evaluate: (probing, locomo, answers, talk, life, thresholds, likelihood),
    memories: (
        *(pin_memories, unpin_memories, forget_memories, restore_memories),
        *(edit_memory, erase_memories, plot_memories),
    ),
    users: (user_password, user_key, encrypt_user),
}
"""The commands of each group that do not stand in the file of the group itself."""

for group, commands in GROUPS.items():
    for command in commands:
        group.add_command(command)


def main() -> None:
    """Run the ``siliconfriend`` command; text is UTF-8 whatever the machine's locale says."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    program.main([_as_utf8(word) for word in sys.argv[1:]])


def _as_utf8(word: str) -> str:
    """Decode a word of the command line as UTF-8 if the machine's locale could not."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return os.fsencode(word).decode(errors="replace")
    return word
