"""A power cut while files are encrypted, decrypted or locked with another passphrase.

Afterwards everything can be read with the passphrases that its owner knows. The steps are those of :mod:`tests.crash_scenarios`, which tries these too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory import encryption
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.control.world import NORA, World

OLD, NEW = "correct horse", "battery staple"
SECRET = "zanzifrax"
WITH_WREN = Scope.of("Nora", "wren")
SCOPES = (NORA, WITH_WREN)
SAID = (f"My dog is {SECRET}.", f"He is still {SECRET}.")

Acknowledge = Callable[[str], None]


def plain(home: Path) -> str:
    """Words in the file at rest, in its backup and in the journal, with two companions; a new key."""
    for scope in SCOPES:
        settings = load_settings(home=str(home), embedding="none", timezone="UTC")
        world = World(FileStore(home), settings, scope)
        world.say(SAID[0])
        world.store.tidy(scope)
        world.say(SAID[1])
    with cheap_keys():
        return encryption.lock_key(OLD).decode()


def locked(home: Path) -> str:
    """The same, encrypted; the same key as another passphrase locks it."""
    key = plain(home).encode()
    _encrypt(home, key)
    with cheap_keys():
        cipher = KEYRING.unlock(home, key)
        return encryption.lock_key(NEW, cipher).decode()


@contextmanager
def cheap_keys() -> Iterator[None]:
    """Let a passphrase be stretched in no time; a key says itself how that was done."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encryption, "COST", (2**4, 8, 1))
        yield


def encrypt(home: Path, key: str, acknowledge: Acknowledge) -> None:
    """Encrypt a person's files, or lock them with another passphrase."""
    _encrypt(home, key.encode())
    acknowledge("encrypted")


def decrypt(home: Path, _key: str, acknowledge: Acknowledge) -> None:
    """Write them as plain text."""
    _encrypt(home, None)
    acknowledge("plain")


def encrypted(home: Path, key: str, acknowledged: tuple[str, ...]) -> None:
    """Every word is there; once told so, no file shows one. Run again, it ends."""
    _know(OLD)
    _all_there(home)
    assert not (acknowledged and _readable(home))
    encrypt(home, key, lambda _what: None)
    assert _readable(home) == []
    _know()
    for scope in SCOPES:
        assert _read(home, scope) is None
    _know(OLD)
    _all_there(home)


def opened(home: Path, key: str, acknowledged: tuple[str, ...]) -> None:
    """Every word is there; once told so, without any key. Run again, it ends."""
    _know(OLD)
    _all_there(home)
    decrypt(home, key, lambda _what: None)
    _know()
    _all_there(home)


def locked_anew(home: Path, key: str, acknowledged: tuple[str, ...]) -> None:
    """The old passphrase or the new one opens each file; once told so, the new one all of them."""
    _know(*([NEW] if acknowledged else [OLD, NEW]))
    _all_there(home)
    _know(OLD, NEW)
    encrypt(home, key, lambda _what: None)
    _know(NEW)
    _all_there(home)
    assert _readable(home) == []


def _know(*passphrases: str) -> None:
    """Know these passphrases alone, as a program that starts now."""
    KEYRING.lock()
    for passphrase in passphrases:
        KEYRING.offer(passphrase)


def _encrypt(home: Path, key: bytes | None) -> None:
    KEYRING.offer(OLD)
    KEYRING.offer(NEW)
    for scope in SCOPES:
        FileStore(home).encrypt(scope, key)


def _read(home: Path, scope: Scope) -> tuple[str, ...] | None:
    """What was said; None where it is refused."""
    try:
        return tuple(turn.query for turn in FileStore(home).load(scope).turns())
    except SiliconFriendError:
        return None


def _all_there(home: Path) -> None:
    for scope in SCOPES:
        assert _read(home, scope) == SAID, scope


def _readable(home: Path) -> list[str]:
    """The files in which the word can be read."""
    files = (one for one in (home / "people").rglob("*") if one.is_file())
    return [file.name for file in files if SECRET.encode() in file.read_bytes()]
