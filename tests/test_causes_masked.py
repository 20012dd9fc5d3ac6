"""Passwords of addresses are shown nowhere."""

from __future__ import annotations

import pytest

from siliconfriend.errors import ConfigurationError, mask_passwords


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("https://a:b@h/v1", "https://***@h/v1"),
        ("postgresql://a:p:a@ss@h/x", "postgresql://***@h/x"),
        ("http://0123456789abcdef0@h", "http://***@h"),
        ("at https://h/v1?api_key=zzz&x=1.", "at https://h/v1?api_key=***&x=1."),
        ("mail ada@example.org at http://h:80/a@b", "mail ada@example.org at http://h:80/a@b"),
        ("http://ada@h", "http://ada@h"),
    ],
)
def test_only_secrets_become_stars(words: str, shown: str) -> None:
    """A name, a port and a path stay."""
    assert mask_passwords(words) == shown


def test_an_error_shows_none() -> None:
    """Whichever of its details the address stands in."""
    error = ConfigurationError("home_unwritable", home="http://a:b@h")
    assert "a:b" not in error.message("en") + error.message("cn")
