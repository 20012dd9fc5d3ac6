"""Translate failures of the system or a parser into the person's language.

The system and Python's parsers speak English wherever they run, so an error that passes on
their words breaks off into English in the middle of a Chinese sentence. An error of ours
carries the exception itself, and its words are looked up only where it is shown.
"""

from __future__ import annotations

import errno
import json
import re
import socket
import tomllib

from siliconfriend.texts import Language, lookup, text

_PLACE = re.compile(r"at line (\d+), column (\d+)")


_IN_ADDRESS = re.compile(r"(?<=://)[^\s/?#@]*:[^\s/?#]*@|(?<=://)[^\s/?#@:]{16,}@")
"""Matches the part before an address's host: name and password, or a token."""
_IN_QUERY = re.compile(r"([?&](?:api_?key|key|token|password|secret)=)[^&\s#]+", re.IGNORECASE)


def mask_passwords(words: str) -> str:
    """The words with the passwords of addresses in them as stars (``https://***@host/v1``)."""
    return _IN_QUERY.sub(r"\1***", _IN_ADDRESS.sub("***@", words))


def describe(cause: object, language: Language) -> str:
    """Describe a failure as part of a sentence; words of an unknown failure as they are.

    Of an error that another caused, that other is told where its words are known.
    """
    known = _describe_known(cause, language)
    if known is None and isinstance(cause, Exception):
        known = _describe_known(cause.__cause__, language)
    return str(cause) if known is None else known


def _describe_known(cause: object, language: Language) -> str | None:
    match cause:
        case socket.gaierror():
            return text("causes", "host_unknown", language)
        case OSError() if cause.errno is not None:
            return _system_error(cause, language)
        case json.JSONDecodeError():
            return text("causes", "json", language, line=cause.lineno, column=cause.colno)
        case tomllib.TOMLDecodeError():
            return _toml_error(cause, language)
        case UnicodeDecodeError():
            return text("causes", "encoding", language, encoding=cause.encoding, byte=cause.start)
        case RecursionError():
            return text("causes", "too_deep", language)
    return None


def _system_error(error: OSError, language: Language) -> str:
    known: dict[str, str] = lookup("causes", "system", language)
    name = errno.errorcode.get(error.errno or 0, "")
    if name in known:
        return known[name]
    return text("causes", "system_other", language, number=error.errno, words=error.strerror)


def _toml_error(error: tomllib.TOMLDecodeError, language: Language) -> str:
    place = _PLACE.search(str(error))
    if place is None:
        return text("causes", "toml_end", language)
    return text("causes", "toml", language, line=place[1], column=place[2])
