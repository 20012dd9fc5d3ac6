"""Every setting, one line each: its default, what it may be, and what it means.

``SILICONFRIEND_<NAME>`` sets it in the environment and ``name`` in ``config.toml``. Its
sentence is English here; :func:`siliconfriend.texts.translate` has the Chinese.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import time
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal
from zoneinfo import ZoneInfo

from siliconfriend.config.kinds import (
    ADDRESS,
    BUNDLED,
    EMBEDDING,
    FOLDER,
    HELP_LINES,
    HOSTS,
    KEY,
    LANGUAGE,
    LLM,
    MODEL,
    NAME,
    ORIGINS,
    PEOPLE,
    POLICY,
    RATE,
    SENDERS,
    SPEAKING,
    SPEAKING_HOURS,
    STORE,
    THINKING,
    TIMEZONE,
    Kind,
    number,
    whole,
)
from siliconfriend.config.presets import presets
from siliconfriend.errors import ConfigurationError
from siliconfriend.texts import Language, text, translate

Source = Literal["flag", "environment", "file", "default"]

CONFIG_FILE = "config.toml"
PREFIX = "SILICONFRIEND_"
WITHOUT_BUNDLED = "sentence-transformers:intfloat/multilingual-e5-small"
COMPANION_NAMES: Mapping[Language, str] = MappingProxyType({"en": "SiliconFriend", "cn": "硅友"})


@dataclass(frozen=True, slots=True)
class Option:
    """One setting as it is written outside.

    Attributes:
        name: the field of :class:`Settings`, and its name in ``config.toml``.
        variables: of the environment; the first that is set counts.
        kind: how it is parsed.
        meaning: what it is for, in English.
        default: None where there is none, or it depends on the machine.
    """

    name: str
    variables: tuple[str, ...]
    kind: Kind
    meaning: str
    default: object = None

    @property
    def is_secret(self) -> bool:
        """True if its value is never shown."""
        return self.kind is KEY

    @property
    def variable(self) -> str:
        """The variable that it is documented by."""
        return self.variables[0]

    def variable_in(self, environ: Mapping[str, str]) -> str:
        """Return the variable that its value is taken from in this environment."""
        given = (name for name in self.variables if environ.get(name, "").strip())
        return next(given, self.variable)


def setting(default: Any, kind: Kind, meaning: str, *, variable: str | None = None) -> Any:
    """Declare a setting; ``variable`` is one that other programs use too, and comes first."""
    metadata = {"kind": kind, "meaning": meaning, "variables": (variable,) if variable else ()}
    return field(default=default, repr=kind is not KEY, metadata=metadata)


def key(meaning: str, variable: str | None = None) -> Any:
    """Declare a setting that is never shown."""
    return setting(None, KEY, meaning, variable=variable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting with its value; made by :func:`load_settings`.

    Attributes:
        home: the data directory, absolute.
        sources: where each value came from, by field name.
        unknown_variables: what the environment names like a setting though there is none.
    """

    home: Path
    store: str = setting("file", STORE, "Where memories are kept: in files, or in PostgreSQL.")
    llm: str = setting("offline", LLM, "Who answers: a service, a model file, or nobody.")
    llm_address: str | None = setting(None, ADDRESS, "Address of the model's server.")
    model: str | None = setting(None, MODEL, "The model's name at its server.")
    context_tokens: int | None = setting(None, whole(2048), "Tokens of prompt and answer together.")
    fallback_llm: str | None = setting(None, LLM, "A second model, where the first cannot answer.")
    fallback_model: str | None = setting(None, MODEL, "The second model's name at its server.")
    thinking: str = setting("off", THINKING, "Where a model may think before it answers.")
    temperature: float = setting(0.7, number(0, 2), "How freely the model answers.")
    max_tokens: int = setting(400, whole(1), "Tokens of the longest reply.")
    memory_tokens: int = setting(1500, whole(1), "Tokens of a prompt that are for memories.")
    timeout: float = setting(60.0, number(0.1, 3600), "Seconds a model may stay silent.")
    embedding: str = setting(BUNDLED, EMBEDDING, "What finds memories by their meaning.")
    policy: str = setting("companion", POLICY, "How memories fade.")
    companion: str = setting("default", NAME, "Whose friend is speaking.")
    companion_name: str = setting(COMPANION_NAMES["en"], NAME, "What the companion calls itself.")
    user: str | None = setting(None, NAME, "The person where a command names none.")
    language: Language = setting("en", LANGUAGE, "Language of a new person and of this program.")
    timezone: str = setting("UTC", TIMEZONE, "Time zone of a new person.")
    speaks_first: str = setting("no", SPEAKING, "When the companion may say unasked what is due.")
    openai_api_key: str | None = key("Key for OpenAI.", "OPENAI_API_KEY")
    openai_base_url: str | None = setting(
        None, ADDRESS, "Address used in place of OpenAI's own.", variable="OPENAI_BASE_URL"
    )
    deepseek_api_key: str | None = key("Key for DeepSeek.", "DEEPSEEK_API_KEY")
    openrouter_api_key: str | None = key("Key for OpenRouter.", "OPENROUTER_API_KEY")
    dashscope_api_key: str | None = key("Key for DashScope.", "DASHSCOPE_API_KEY")
    vllm_api_key: str | None = key("Key for a vLLM or llama.cpp server.", "VLLM_API_KEY")
    help_lines: str | None = setting(None, HELP_LINES, "Whom somebody in danger can call.")
    prompts: Path | None = setting(None, FOLDER, "Folder of your own prompts.")
    passphrase: str | None = key("Opens encrypted files where nobody can be asked.")
    operator_key: str | None = key("Key of whoever runs the HTTP server.")
    forwarded_users: str = setting("field", SENDERS, "How a client names the person who speaks.")
    serve_hosts: str | None = setting(None, HOSTS, "Further host names the HTTP server answers to.")
    serve_origins: str | None = setting(None, ORIGINS, "Sites whose pages may ask the HTTP server.")
    companion_editors: str | None = setting(None, PEOPLE, "Who may change companions after log-in.")
    rate_limit: str = setting("600/minute", RATE, "How many requests a person's key may send.")
    sources: Mapping[str, Source] = field(default_factory=dict, repr=False)
    unknown_variables: tuple[str, ...] = ()

    # Constants that tests vary; nothing outside sets them.
    reflect_threshold: float = 3.0
    reflect_window: int = 15
    topic_heat: float = 5.0
    topic_capacity: int = 2000
    knowledge_capacity: int = 100

    @property
    def zone(self) -> ZoneInfo:
        """The time zone as an object."""
        return ZoneInfo(self.timezone)

    def is_quiet(self, at: time) -> bool:
        """Return True if nobody should be spoken to unasked at this time of their day."""
        if self.speaks_first == "no":
            return True
        hours = SPEAKING_HOURS if self.speaks_first == "yes" else self.speaks_first
        first, last = (time.fromisoformat(part) for part in hours.split("-"))
        return not (first <= at < last if first <= last else at >= first or at < last)

    def speaking(self, language: Language) -> Settings:
        """Return the settings for a person of ``language``: an unnamed companion is renamed."""
        if self.sources.get("companion_name", "default") != "default":
            return self
        return replace(self, companion_name=COMPANION_NAMES[language])

    def notices(self) -> tuple[str, ...]:
        """Return the names of the texts (``config.toml``, ``notices``) to show at start."""
        found = []
        if self.llm == "offline" and self.openai_api_key:
            found.append("key_unused")
        if self.embedding == WITHOUT_BUNDLED and self.sources.get("embedding") == "default":
            found.append("no_bundled")
        return tuple(found)


HOME = Option("home", (f"{PREFIX}HOME",), Kind("must be a folder"), "The data directory.")
OPTIONS: tuple[Option, ...] = tuple(
    Option(
        known.name,
        (*known.metadata["variables"], PREFIX + known.name.upper()),
        known.metadata["kind"],
        known.metadata["meaning"],
        known.default,
    )
    for known in fields(Settings)
    if "kind" in known.metadata
)
_VARIABLES = frozenset(name for option in (HOME, *OPTIONS) for name in option.variables)


class BadSettings(ConfigurationError):
    """One or more settings have values they cannot have; all of them are named.

    Args:
        problems: of each how it was written, the value, and the setting, or None if it is none.
    """

    def __init__(self, problems: Sequence[tuple[str, str, Option | None]]) -> None:
        super().__init__("bad_settings")
        self._problems = tuple(problems)

    def message(self, language: Language = "en") -> str:
        """Return a sentence for each bad value: its name, the value, what it may be."""
        return "\n".join(_sentence(*problem, language) for problem in self._problems)


def _sentence(written: str, value: str, option: Option | None, language: Language) -> str:
    if option is None:
        remedy = translate("is no setting; `siliconfriend config` lists them all", language)
    else:
        named = ", ".join(f"`{name}`" for name in presets())
        remedy = translate(option.kind.remedy, language, presets=named, **option.kind.values)
    shown = "***" if option is not None and option.is_secret else value
    return text("config", "bad_value", language, name=written, value=shown, remedy=remedy)


def find_option(name: str) -> Option | None:
    """Return the setting of this name in the file or the environment, in any letter case."""
    wanted = name.strip().lower().replace("-", "_")
    for option in OPTIONS:
        if wanted in (option.name, *map(str.lower, option.variables)):
            return option
    return None


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return variables that are named like a setting and are none: mistyped, most likely."""
    ours = (name for name in environ if name.startswith(PREFIX))
    return tuple(sorted(name for name in ours if name not in _VARIABLES))


def nearest_variable(name: str) -> str | None:
    """Return the variable of a setting that is written most like ``name``; None for none."""
    endings = {known.removeprefix(PREFIX): known for known in sorted(_VARIABLES)}
    found = get_close_matches(name.removeprefix(PREFIX), endings, n=1)
    return endings[found[0]] if found else None
