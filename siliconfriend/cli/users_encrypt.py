"""``users encrypt``: encrypt a person's files at rest, change the passphrase, or undo it.

A passphrase is never an argument of a command, nor a setting in a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from siliconfriend.errors import UnknownPerson, UsageError
from siliconfriend.memory.scope import clean_name

from .app import App, is_terminal, pass_app
from .completion import complete_people
from .hidden_input import ask_hidden
from .localized_click import Command, help_text

if TYPE_CHECKING:
    from siliconfriend.memory.file_store import FileStore
    from siliconfriend.memory.scope import Scope


@click.command("encrypt", cls=Command, help=help_text("users_encrypt"))
@click.argument("name", metavar="NAME", shell_complete=complete_people)
@click.option("--remove", is_flag=True, help=help_text("encrypt_remove"))
@pass_app
def encrypt_user(app: App, name: str, remove: bool) -> None:
    """Encrypt the files of a person with every companion, or write them as plain text."""
    from siliconfriend.memory import encryption
    from siliconfriend.memory.file_store import FileStore

    store, name = app.runtime().store, clean_name(name)
    scopes = [scope for scope in store.scopes() if scope.person == name]
    if not isinstance(store, FileStore):
        raise UsageError("encrypt_in_files")
    if not scopes:
        raise UnknownPerson("unknown_person", name=name)
    if remove:
        _write_anew(store, scopes, None)
        app.say("users.decrypted", name=name)
        return
    ciphers = [encryption.KEYRING.cipher(store.folder(scope)) for scope in scopes]
    cipher = next((it for it in ciphers if it is not None), None)
    passphrase = _ask_new(app, name)
    if cipher is None:
        key = encryption.new_key(passphrase)
    else:
        key = encryption.rewrapped(cipher, passphrase)
    encryption.KEYRING.offer(passphrase)
    _write_anew(store, scopes, key)
    app.say("users.encrypted" if cipher is None else "users.passphrase_changed", name=name)


def _write_anew(store: FileStore, scopes: list[Scope], key: bytes | None) -> None:
    from siliconfriend.recall.index_files import remove_index, remove_unfinished

    for scope in scopes:
        store.encrypt(scope, key)
        remove_index(store.folder(scope))
        remove_unfinished(store.folder(scope))


def _ask_new(app: App, name: str) -> str:
    first = ask_hidden(app.text("users.passphrase_new", name=name))
    if is_terminal() and ask_hidden(app.text("users.passphrase_again")) != first:
        raise UsageError("password_differs")
    return first
