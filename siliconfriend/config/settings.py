"""Declare the settings, one line each: default, kind of value and meaning.

A setting is ``SILICONFRIEND_<NAME>`` in the environment and ``name`` in ``config.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import time
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.config.presets import presets
from siliconfriend.errors import ConfigurationError, UsageError
from siliconfriend.texts import N_, Language, text, translate

Source = Literal["flag", "environment", "file", "default"]

CONFIG_FILE = "config.toml"
PREFIX = "SILICONFRIEND_"
WITHOUT_BUNDLED = "sentence-transformers:intfloat/multilingual-e5-small"
COMPANION_NAMES: Mapping[Language, str] = MappingProxyType({"en": "SiliconFriend", "cn": "硅友"})
BUNDLED = "bundled"

_LANGUAGES: Mapping[str, Language] = {
    **dict.fromkeys(("en", "english"), "en"),
    **dict.fromkeys(("cn", "zh", "chinese", "中文", "汉语"), "cn"),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value.

    Attributes:
        remedy: requirement on the value, in English, with the variables ``values``.
        convert: parses the written value; raises ValueError.
        allows: returns True if the parsed value is allowed.
    """

    remedy: str = ""
    convert: Callable[[str], Any] = str
    allows: Callable[[Any], object] = lambda _: True
    values: Mapping[str, object] = field(default_factory=dict)

    def parse(self, written: str) -> Any:
        """Return the value, or raise ValueError or UsageError."""
        value = self.convert(written)
        if not self.allows(value):
            raise ValueError(written)
        return value


def one_of(*allowed: str) -> Kind:
    """Make a kind of values that are one of these words, in any letter case."""
    words = ", ".join(f"`{word}`" for word in allowed)
    return Kind("must be one of {words}", str.lower, allowed.__contains__, {"words": words})


def number(low: float, high: float) -> Kind:
    """Make a kind of numbers between both bounds."""
    remedy, bounds = N_("must be a number from {low:g} to {high:g}"), {"low": low, "high": high}
    return Kind(remedy, float, lambda value: low <= value <= high, bounds)


def whole(low: int) -> Kind:
    """Make a kind of whole numbers of at least ``low``."""
    remedy = N_("must be a whole number of at least {low}")
    return Kind(remedy, int, lambda value: value >= low, {"low": low})


def matching(remedy: str, pattern: str) -> Kind:
    """Make a kind of texts that match a whole regular expression."""
    return Kind(remedy, allows=re.compile(pattern).fullmatch)


def parse_language(value: str) -> Language:
    """Parse a language, also ``zh``; raise ValueError for an unknown one."""
    if value.lower() not in _LANGUAGES:
        raise ValueError(f"{value!r} is no language")
    return _LANGUAGES[value.lower()]


def parse_timezone(value: str) -> str:
    """Parse an IANA time zone; raise UsageError for an unknown one."""
    try:
        return ZoneInfo(value.strip()).key
    except (OSError, ValueError, KeyError) as error:
        raise UsageError("bad_timezone", name=value) from error


def _speaking(value: str) -> str:
    if value.lower() == "no":
        return "no"
    hours = "08:00-22:00" if value.lower() == "yes" else value
    first, last = (time.fromisoformat(part.strip().zfill(5)) for part in hours.split("-"))
    return f"{first:%H:%M}-{last:%H:%M}"


def _folder(value: str) -> Path:
    with suppress(OSError, RuntimeError):  # not readable, or ~nobody
        if (path := Path(value).expanduser().absolute()).is_dir():
            return path
    raise ValueError(value)


TEXT = Kind()
"""Any text."""
KEY = Kind()
"""Any text; it is never shown."""
UNKNOWN = Kind("is not a setting; `siliconfriend config` lists them all")
ADDRESS = matching("must begin with http:// or https://", "https?://.*")
LANGUAGE = Kind("must be `en` or `cn`", parse_language)
TIMEZONE = Kind(
    "must be an IANA time zone, for example Europe/London or Asia/Shanghai", parse_timezone
)
STORE = matching("must be `file` or a `postgresql://` address", "file|postgres(ql)?://.*")
LLM = Kind(
    "must be `offline`, {presets} or `gguf:` with the path of a model file",
    allows=lambda value: value in presets() or re.fullmatch(r"offline|gguf:.*\S", value),
)
EMBEDDING = matching(
    "must be `bundled`, `none`, `sentence-transformers:` or `openai:` with a model's name",
    rf"{BUNDLED}|none|(sentence-transformers|openai):.*\S",
)
ORIGINS = matching(
    "must be addresses of sites, separated by commas",
    r"\s*https?://[^/\s,]+\s*(,\s*https?://[^/\s,]+\s*)*",
)
PATH = matching("must be a path, for example /friend", r"(/[\w.~-]+)+")
LOG = one_of("none", "json")
RATE = matching(
    "must be a number of requests in a time, for example 600/minute, or `none`",
    r"none|[1-9]\d{0,8}/(second|minute|hour|day)",
)
THINKING = one_of("off", "night", "on")
POLICY = one_of("companion", "memorybank", "paper", "accumulated")
WHOSE = one_of("no", "field", "name", "email", "id")
SPEAKING = Kind("must be `no`, `yes`, or hours such as 08:00-22:00", _speaking)
FOLDER = Kind("must be an existing folder", _folder)


class Option(NamedTuple):
    """One setting: its name in :class:`Settings` and ``config.toml``, and its meaning in English."""

    name: str
    meaning: str
    kind: Kind = TEXT

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables, the documented one first; the first that is set is used."""
        name = self.name.upper()
        is_of_a_service = name.endswith(("_API_KEY", "_BASE_URL"))
        return (name, PREFIX + name) if is_of_a_service else (PREFIX + name,)

    @property
    def is_secret(self) -> bool:
        """True if its value is never shown."""
        return self.kind is KEY

    def variable_in(self, environ: Mapping[str, str]) -> str:
        """Return the variable that sets the value in an environment."""
        given = (name for name in self.variables if environ.get(name, "").strip())
        return next(given, self.variables[0])


def setting(default: Any, meaning: str, kind: Kind = TEXT) -> Any:
    """Declare a setting with the attributes of its :class:`Option`."""
    metadata = {"meaning": meaning, "kind": kind}
    return field(default=default, repr=kind is not KEY, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The value of every setting, and its source by name, as :func:`load_settings` returns them.

    ``home`` is the absolute path of the data directory.
    """

    home: Path
    store: str = setting("file", "Where memories are kept: in files, or in PostgreSQL.", STORE)
    llm: str = setting("offline", "Who answers: a service, a model file, or nobody.", LLM)
    llm_address: str | None = setting(None, "Address of the model's server.", ADDRESS)
    llm_key: str | None = setting(None, "Key of your own server.", KEY)
    model: str | None = setting(None, "The model's name at its server.")
    context_tokens: int | None = setting(None, "Tokens of prompt and answer together.", whole(2048))
    fallback_llm: str | None = setting(
        None, "A second model, used if the first cannot answer.", LLM
    )
    fallback_model: str | None = setting(None, "The second model's name at its server.")
    thinking: str = setting("off", "When a model may think before it answers.", THINKING)
    temperature: float = setting(0.7, "How freely the model answers.", number(0, 2))
    max_tokens: int = setting(400, "Most tokens of a reply.", whole(1))
    memory_tokens: int = setting(1500, "Most tokens of memories in a prompt.", whole(1))
    timeout: float = setting(60.0, "Seconds a model may stay silent.", number(0.1, 3600))
    embedding: str = setting(BUNDLED, "What finds memories by their meaning.", EMBEDDING)
    policy: str = setting("companion", "How memories fade.", POLICY)
    companion: str = setting("default", "The companion to talk with.")
    companion_name: str = setting(COMPANION_NAMES["en"], "The companion's name for itself.")
    user: str | None = setting(None, "The person, if a command names none.")
    language: Language = setting("en", "Language of a new person and of this program.", LANGUAGE)
    timezone: str = setting("UTC", "Time zone of a new person.", TIMEZONE)
    speaks_first: str = setting(
        "no", "When the companion may mention what is due, unasked.", SPEAKING
    )
    openai_api_key: str | None = setting(None, "Key for OpenAI.", KEY)
    openai_base_url: str | None = setting(None, "Address to use instead of OpenAI's.", ADDRESS)
    deepseek_api_key: str | None = setting(None, "Key for DeepSeek.", KEY)
    openrouter_api_key: str | None = setting(None, "Key for OpenRouter.", KEY)
    dashscope_api_key: str | None = setting(None, "Key for DashScope.", KEY)
    help_lines: str | None = setting(None, "Whom a person in danger can call.")
    prompts: Path | None = setting(None, "Folder of your own prompts.", FOLDER)
    passphrase: str | None = setting(
        None, "Passphrase of encrypted files, if nobody can be asked.", KEY
    )
    operator_key: str | None = setting(None, "Key of the operator of the HTTP server.", KEY)
    forwarded_users: str = setting("field", "How a client names the person who speaks.", WHOSE)
    serve_hosts: str | None = setting(None, "Further host names of the HTTP server.")
    serve_path: str | None = setting(None, "Path of the HTTP server behind a proxy.", PATH)
    serve_origins: str | None = setting(None, "Sites whose pages may use the HTTP server.", ORIGINS)
    companion_editors: str | None = setting(
        None, "People who may change companions, if people log in."
    )
    rate_limit: str = setting("600/minute", "Most requests of a person's key in a time.", RATE)
    tokens_a_day: int | None = setting(
        None, "Most tokens of a model for a person in a day.", whole(1)
    )
    log: str = setting(
        "none", "A JSON line for each request of the server, on standard error.", LOG
    )
    sources: Mapping[str, Source] = field(default_factory=dict, repr=False)

    # A constant that tests vary.
    reflect_threshold: float = 6.0

    @property
    def zone(self) -> ZoneInfo:
        """The time zone as an object."""
        return ZoneInfo(self.timezone)

    def is_quiet(self, at: time) -> bool:
        """Return True if the companion must not speak first at this time of day."""
        if self.speaks_first == "no":
            return True
        first, last = (time.fromisoformat(part) for part in self.speaks_first.split("-"))
        return not (first <= at < last if first <= last else at >= first or at < last)

    def speaking(self, language: Language) -> Settings:
        """Return the settings with the default companion name of a language."""
        if self.sources.get("companion_name", "default") != "default":
            return self
        return replace(self, companion_name=COMPANION_NAMES[language])

    def notices(self) -> tuple[str, ...]:
        """Return the keys of the notices (``texts/sentences/config.toml``) to show at start."""
        has_other_embedder = self.embedding == WITHOUT_BUNDLED
        found = {
            "key_unused": self.llm == "offline" and self.openai_api_key,
            "no_bundled": has_other_embedder and self.sources.get("embedding") == "default",
        }
        return tuple(name for name, applies in found.items() if applies)


HOME = Option("home", N_("The data directory."))
OPTIONS: tuple[Option, ...] = tuple(
    Option(known.name, **known.metadata) for known in fields(Settings) if known.metadata
)


class BadSettings(ConfigurationError):
    """Raised for invalid values: name as written, value, and setting (None for an unknown one)."""

    def __init__(self, problems: Sequence[tuple[str, str, Option | None]]) -> None:
        super().__init__("bad_settings")
        self._problems = problems

    def message(self, language: Language = "en") -> str:
        """Return a sentence for each invalid value."""
        named = ", ".join(f"`{name}`" for name in presets())
        sentences = []
        for written, value, option in self._problems:
            kind = UNKNOWN if option is None else option.kind
            remedy = translate(kind.remedy, language, presets=named, **kind.values)
            shown = {"name": written, "value": "***" if kind is KEY else value, "remedy": remedy}
            sentences.append(text("config", "bad_value", language, **shown))
        return "\n".join(sentences)


def parse_setting(name: str, written: str) -> Any:
    """Parse the value of a setting; BadSettings says what it must be."""
    option = find_option(name)
    try:
        return option.kind.parse(written) if option else written
    except (ValueError, UsageError) as error:
        raise BadSettings([(name, written, option)]) from error


def find_option(name: str) -> Option | None:
    """Find a setting by its name in the file or in the environment, in any letter case."""
    wanted = name.strip().lower().replace("-", "_")
    named = (
        option for option in OPTIONS if wanted in (option.name, *map(str.lower, option.variables))
    )
    return next(named, None)


def nearest_option(name: str) -> Option | None:
    """Return the setting with the most similar name to a mistyped one; None if none is similar."""
    named = {option.name: option for option in (HOME, *OPTIONS)}
    near = get_close_matches(name.strip().lower().removeprefix(PREFIX.lower()), named, n=1)
    return named[near[0]] if near else None
