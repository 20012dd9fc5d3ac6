"""The errors that a person can meet, as one tree.

The library raises them and the doors show them, so that one failure has one wording and one
exit code everywhere::

    SiliconFriendError          1  an unexpected failure
    ├── UsageError              2  a wrong command or file
    │   ├── RefusedName            an invalid name of a person
    │   ├── UnknownPerson          no memory of that name
    │   ├── UnreadableFile         a file of the wrong form
    │   └── Undecided              a question that only the person can answer
    ├── ConfigurationError      3  a wrong setting or data directory
    ├── StoreError              4  an unusable memory
    │   ├── DamagedMemory          a damaged file or row
    │   ├── MemoryBusy             locked by another process for too long
    │   ├── MemoryElsewhere        moved, or being moved, to another store
    │   └── UnopenableMemory       no permission for one person's files
    ├── ModelError              5  a failed chat model or embedder
    │   ├── ModelUnavailable       unreachable, refusing or timed out
    │   └── UnusableAnswer         an answer in the wrong form
    │       └── AnswerCut             cut by the length limit
    └── NightIncomplete         6  a night that failed for some people

An error carries a key of ``texts/sentences/errors.toml`` and the details of the sentence, since
the person's language is known only where the error is shown.
"""

import errno
import json
import logging
import re
import socket
import tomllib
import traceback
from math import ceil

from siliconfriend.texts import Language, sentences, text


class SiliconFriendError(Exception):
    """An error with a sentence in each language.

    Attributes:
        key: name of the sentence in ``errors.toml``.
        details: values of the sentence's variables.
        exit_code: exit code of the command line.
    """

    exit_code = 1

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = key
        self.details = details

    def message(self, language: Language = "en") -> str:
        """Return the sentence in ``language``, with the passwords of addresses masked."""
        details = {
            name: describe(value, language) if isinstance(value, Exception) else value
            for name, value in self.details.items()
        }
        return mask_passwords(text("errors", self.key, language, **details))

    def for_log(self) -> str:
        """Return the English sentence without a server's own words, which may quote a person's."""
        details = {
            name: value.for_log() if isinstance(value, SiliconFriendError) else value
            for name, value in self.details.items()
        } | dict.fromkeys({"said"} & self.details.keys(), "")
        return SiliconFriendError(self.key, **details).message()

    def __str__(self) -> str:
        return self.message()


class UsageError(SiliconFriendError):
    """A command or a file is wrong."""

    exit_code = 2


class RefusedName(UsageError):
    """A name is invalid for a person or a companion."""


class UnknownPerson(UsageError):
    """The name is unknown."""


class UnreadableFile(UsageError):
    """A file given to a command is not what it should be."""


class Undecided(UsageError):
    """A file leaves a question open; a terminal asks it.

    Attributes:
        option: the flag that answers the question, without its dashes.
        choices: the possible answers; empty for any text.
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
    """This account may not open one person's files."""


class ModelError(SiliconFriendError):
    """A chat model or an embedder failed."""

    exit_code = 5


class ModelUnavailable(ModelError):
    """The model cannot be reached, refuses the key, is overloaded or timed out.

    The sentences name the settings of key and address, by default OpenAI's. ``retry_after`` is how
    many seconds the server asks to wait, if it says so.
    """

    def __init__(self, key: str, *, retry_after: float | None = None, **details: object) -> None:
        usual = {
            "key_variable": "OPENAI_API_KEY",
            "address_variable": "OPENAI_BASE_URL",
            "model_variable": "SILICONFRIEND_MODEL",
            "said": "",
        }
        asks = "" if retry_after is None else _wait(retry_after)
        super().__init__(key, **{**usual, "asks": asks, **details})
        self.retry_after = retry_after


def _wait(seconds: float) -> ModelError:
    """Return the sentence that names a wait, in whole seconds, minutes or hours."""
    for key, size in (("model_wait_hours", 3600), ("model_wait_minutes", 60)):
        if seconds >= 2 * size:
            return ModelError(key, wait=ceil(seconds / size))
    return ModelError("model_wait", wait=max(2, ceil(seconds)))


class LimitReached(SiliconFriendError):
    """A person has used what they may today; ``retry_after`` is how many seconds are left of it."""

    exit_code = 5

    def __init__(self, key: str, *, retry_after: float, **details: object) -> None:
        super().__init__(key, **details)
        self.retry_after = retry_after


class UnusableAnswer(ModelError):
    """The model's answer is empty, cut, a refusal or in the wrong form."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key, **{"said": "", **details})


class AnswerCut(UnusableAnswer):
    """The length limit cut the answer; a stream has yielded all of its words."""


class NightIncomplete(SiliconFriendError):
    """The night of some people failed; the others' is done."""

    exit_code = 6


_PLACE = re.compile(r"at line (\d+), column (\d+)")
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/?#@]*:[^\s/?#]*@|(?<=://)[^\s/?#@:]{16,}@")
"""Matches name and password, or a token, before the host of an address."""
_IN_QUERY = re.compile(r"([?&](?:api_?key|key|token|password|secret)=)[^&\s#]+", re.IGNORECASE)


def mask_passwords(words: str) -> str:
    """Replace the passwords of addresses in a text by stars (``https://***@host/v1``)."""
    return _IN_QUERY.sub(r"\1***", _IN_ADDRESS.sub("***@", words))


def log_unforeseen(log: logging.Logger, what: str, error: Exception) -> None:
    """Log the type and frames of an unforeseen error.

    Its message is left out, since it may quote a person's words, as that of a failed validation does.
    """
    frames = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s: %s\n%s", what, type(error).__name__, frames)


def describe(cause: object, language: Language) -> str:
    """Describe a failure, or the known failure that caused it, as part of a sentence."""
    known = _describe_known(cause, language)
    if known is None and isinstance(cause, Exception):
        known = _describe_known(cause.__cause__, language)
    return str(cause) if known is None else known


def _describe_known(cause: object, language: Language) -> str | None:
    match cause:
        case SiliconFriendError():
            return cause.message(language)
        case socket.gaierror():
            return text("causes", "host_unknown", language)
        case OSError() if cause.errno is not None:
            known: dict[str, str] = sentences("causes", language)["system"]
            name, words = errno.errorcode.get(cause.errno, ""), cause.strerror
            other = text("causes", "system_other", language, number=cause.errno, words=words)
            return known.get(name, other)
        case json.JSONDecodeError():
            return text("causes", "json", language, line=cause.lineno, column=cause.colno)
        case tomllib.TOMLDecodeError():
            place = _PLACE.search(str(cause))
            if place is None:
                return text("causes", "toml_end", language)
            return text("causes", "toml", language, line=place[1], column=place[2])
        case UnicodeDecodeError():
            return text("causes", "encoding", language, encoding=cause.encoding, byte=cause.start)
        case RecursionError():
            return text("causes", "too_deep", language)
    return None
