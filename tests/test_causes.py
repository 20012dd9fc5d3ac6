"""What the system and the parsers say of a failure, in the language it is told in."""

import errno
import json
import socket
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from siliconfriend.errors import ConfigurationError, describe, mask_passwords


def _failure(doing: Callable[[], object]) -> Exception:
    with pytest.raises((OSError, ValueError)) as caught:
        doing()
    return caught.value


@pytest.mark.parametrize(
    ("doing", "english", "chinese"),
    [
        (
            lambda: Path("/nowhere/at/all").read_text(encoding="utf-8"),
            "No such file or directory",
            "没有这个文件或文件夹",
        ),
        (
            lambda: json.loads('{"a": }'),
            "line 1, column 7 is not valid JSON",
            "第 1 行第 7 个字符不合 JSON 的写法",
        ),
        (
            lambda: tomllib.loads("a = 1\nb = = 2"),
            "line 2, column 5 is not valid TOML",
            "第 2 行第 5 个字符不合 TOML 的写法",
        ),
        (
            lambda: tomllib.loads('a = """'),
            "it ends in the middle of a value",
            "有一个值没写完就到头了",
        ),
        (
            lambda: b"abc\xff".decode("utf-8"),
            "byte 3 is not valid utf-8",
            "第 3 个字节不是 utf-8 编码",
        ),
    ],
)
def test_a_failure_is_told_in_either_language(
    doing: Callable[[], object], english: str, chinese: str
) -> None:
    """Real failures of the system and of the parsers, each with its place where it has one."""
    error = _failure(doing)
    assert describe(error, "en") == english
    assert describe(error, "cn") == chinese


def test_a_host_that_nobody_knows_is_no_file_error() -> None:
    """The numbers of name resolution are not those of the system: -2 is no ENOENT."""
    error = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert describe(error, "cn") == "找不到叫这个名字的机器"


def test_a_failure_the_system_names_and_we_do_not_keeps_its_number() -> None:
    """Nothing is swallowed: what has no sentence is told with the system's words."""
    error = OSError(errno.ENOTTY, "Inappropriate ioctl for device")
    assert describe(error, "cn") == f"系统错误 {errno.ENOTTY}：Inappropriate ioctl for device"


def test_an_error_that_another_caused_is_told_by_that_other() -> None:
    """A reader's own error hides a parser's English words: the parser's place is told instead."""
    outer = ValueError("of a reader")
    outer.__cause__ = _failure(lambda: json.loads("{"))
    assert describe(outer, "cn") == "第 1 行第 2 个字符不合 JSON 的写法"
    assert describe(ValueError("of our own"), "cn") == "of our own"


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
def test_only_passwords_of_addresses_become_stars(words: str, shown: str) -> None:
    """A name, a port and a path stay; an error shows none, whichever detail the address is in."""
    assert mask_passwords(words) == shown
    error = ConfigurationError("home_unwritable", home=words)
    assert all(shown in error.message(language) for language in ("en", "cn"))
