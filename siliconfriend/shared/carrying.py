"""Carry who may log in, and whose keys hold, to where their memories are now."""

from __future__ import annotations

from siliconfriend.passwords import PasswordFile, Passwords
from siliconfriend.shared.state import SharedState


def carry_access(person: str, source: SharedState, target: SharedState, *, over: bool) -> None:
    """Keep a person's password and key in another place as they are in one; only hashes pass.

    Args:
        person: by their clean name.
        source: where they are.
        target: where they are kept then, and stay in ``source`` too.
        over: also in the place of what is kept there.

    Raises:
        ConfigurationError: one of the places cannot be read or written.
    """
    password = _hash_of(source.passwords, person)
    if password is not None and (over or _hash_of(target.passwords, person) is None):
        target.passwords.adopt(person, password)
    key = source.keys.hash_of(person)
    if key is not None and (over or target.keys.hash_of(person) is None):
        target.keys.adopt(person, key)


def _hash_of(passwords: Passwords, person: str) -> str | None:
    """The hash of a person's password; None too where nobody ever set one."""
    if isinstance(passwords, PasswordFile) and not passwords.exists:
        return None
    return passwords.hash_of(person)
