"""Every error a person can meet, as one small tree.

The library raises these and only the command line and the web page turn them
into text, so one failure has one wording and one exit code everywhere::

    SiliconFriendError          1  something unforeseen
    ├── UsageError              2  the words of a command or a file are wrong
    │   ├── RefusedName            a name that cannot name a person
    │   ├── UnknownPerson          nobody of that name is remembered
    │   ├── UnreadableFile         a file that is not what it should be
    │   └── Undecided              a question about a file that only the person can answer
    ├── ConfigurationError      3  a setting or the data directory is wrong
    ├── StoreError              4  the memory itself
    │   ├── DamagedMemory          a file of the store cannot be read whole
    │   ├── MemoryBusy             another process holds it for too long
    │   ├── MemoryElsewhere        it has moved to another store, or is on its way here
    │   └── UnopenableMemory       this account may not open one person's files
    ├── ModelError              5  a chat model or an embedder
    │   ├── ModelUnavailable       cannot be reached, refuses, times out
    │   └── UnusableAnswer         answered, but not with what was asked
    │       └── AnswerCut             stopped by the length limit after some words
    └── NightIncomplete         6  some people's night failed

An error carries a key into ``texts/<language>/errors.toml`` and the details the
sentence needs, never a finished sentence: the person's language is known only
where the error is shown.
"""

from __future__ import annotations

import errno
import json
import re
import socket
import tomllib

from siliconfriend.texts import Language, lookup, text


class SiliconFriendError(Exception):
    """An error with a sentence in each language.

    Attributes:
        key: name of the sentence in ``errors.toml``.
        details: the values the sentence names.
        exit_code: what the command line exits with.
    """

    exit_code = 1

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = key
        self.details = details

    def message(self, language: Language = "en") -> str:
        """The sentence for a person, in ``language``, as are the words of an error it names.

        Whatever it names, it shows no password of an address.
        """
        details = {name: _in_words(it, language) for name, it in self.details.items()}
        return mask_passwords(text("errors", self.key, language, **details))

    def __str__(self) -> str:
        return self.message()


def _in_words(detail: object, language: Language) -> object:
    if isinstance(detail, SiliconFriendError):
        return detail.message(language)
    return describe(detail, language) if isinstance(detail, Exception) else detail


class UsageError(SiliconFriendError):
    """The words of a command are wrong."""

    exit_code = 2


class RefusedName(UsageError):
    """A name that cannot name a person or a companion."""


class UnknownPerson(UsageError):
    """Nobody of that name is remembered."""


class UnreadableFile(UsageError):
    """A file given to a command is not what it should be."""


class Undecided(UsageError):
    """A file leaves open what only the person knows; asked at a terminal, else an error.

    Attributes:
        option: the flag that answers it, without its dashes.
        choices: the answers there are; empty for a free one.
    """

    def __init__(
        self, key: str, option: str, choices: tuple[str, ...] = (), **details: object
    ) -> None:
        super().__init__(key, **details)
        self.option = option
        self.choices = choices


class ConfigurationError(SiliconFriendError):
    """A setting or the data directory is wrong."""

    exit_code = 3


class StoreError(SiliconFriendError):
    """The memory on disk cannot be used as it is."""

    exit_code = 4


class DamagedMemory(StoreError):
    """A file of the store cannot be read whole."""


class MemoryBusy(StoreError):
    """Another process holds a person's memory for too long."""


class MemoryElsewhere(StoreError):
    """A person's memory has moved to another store, or is not all here yet."""


class UnopenableMemory(StoreError):
    """The files of one person cannot be opened by this account; everybody else's can."""


class ModelError(SiliconFriendError):
    """A chat model or an embedder failed."""

    exit_code = 5


class ModelUnavailable(ModelError):
    """The model cannot be reached, refuses the key, is overloaded or timed out.

    The sentences name where key and address are set: OpenAI's unless told, and whatever the
    server asked for beside.
    """

    def __init__(self, key: str, **details: object) -> None:
        usual = {
            "key_variable": "OPENAI_API_KEY",
            "address_variable": "OPENAI_BASE_URL",
            "asks": "",
        }
        super().__init__(key, **{**usual, **details})


class UnusableAnswer(ModelError):
    """The model answered, but emptily, cut short, refusing or not in the form asked for."""


class AnswerCut(UnusableAnswer):
    """The length limit stopped the model after some words; a stream has given them all."""


class NightIncomplete(SiliconFriendError):
    """Some people's night failed; everyone else's is done."""

    exit_code = 6


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
