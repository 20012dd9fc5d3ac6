"""Every setting, one line each: its default, what it may be, and what it means.

``SILICONFRIEND_<NAME>`` sets it in the environment and ``name`` in ``config.toml``. Its
sentence is English here; :func:`siliconfriend.texts.translate` has the Chinese.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from siliconfriend.forgetting.policy import EACH_ONE, STEPS, ForgettingPolicy
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
        variable: the environment variable.
        kind: how it is parsed.
        meaning: what it is for, in English.
        default: None where there is none, or it depends on the machine.
        secret: its value is never shown.
        also: another variable that is taken where ``variable`` is not set.
    """

    name: str
    variable: str
    kind: Kind
    meaning: str
    default: object = None
    secret: bool = False
    also: str | None = None

    @property
    def parse(self) -> Callable[[str], object]:
        """Parse a text; a bad one raises ValueError."""
        return self.kind.parse

    def variable_in(self, environ: Mapping[str, str]) -> str:
        """Return the variable that its value is taken from in this environment."""
        if self.also and environ.get(self.also, "").strip():
            return self.variable if environ.get(self.variable, "").strip() else self.also
        return self.variable


def setting(default: Any, kind: Kind, meaning: str, *, variable: str | None = None) -> Any:
    """Declare a setting; ``variable`` is one that other programs use too."""
    metadata = {"kind": kind, "meaning": meaning, "variable": variable, "secret": kind is KEY}
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
    vllm_api_key: str | None = key("Key for a vLLM server.", "VLLM_API_KEY")
    llama_api_key: str | None = key("Key for a llama.cpp server.", "LLAMA_API_KEY")
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
    memory_tokens: int = 1500
    accumulated_step: str = "gap"
    accumulated_days: int = 1
    accumulated_minimum: int = 1000
    reflect_threshold: float = 3.0
    reflect_window: int = 15
    topic_heat: float = 5.0
    topic_capacity: int = 2000
    knowledge_capacity: int = 100
    reverie_recency: float = 1.0
    reverie_relevance: float = 1.0
    reverie_importance: float = 1.0

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

    @property
    def forgetting_policy(self) -> ForgettingPolicy:
        """The policy that ``policy`` names.

        Raises:
            ConfigurationError: there is none of that name.
        """
        policy = ForgettingPolicy.named(self.policy)
        if policy.accumulation is None:
            return policy
        rules = replace(
            policy.accumulation,
            steps=EACH_ONE if self.accumulated_step == "one" else STEPS,
            every_days=self.accumulated_days,
            minimum=self.accumulated_minimum,
        )
        return replace(policy, accumulation=rules)

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


_ALSO = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
"""Variables of other programs that have one of our own before them."""

HOME = Option(
    "home",
    f"{PREFIX}HOME",
    Kind(lambda value: Path(value).expanduser().absolute(), "must be a folder"),
    "The data directory.",
)
OPTIONS: tuple[Option, ...] = tuple(
    Option(
        known.name,
        known.metadata["variable"] or PREFIX + known.name.upper(),
        known.metadata["kind"],
        known.metadata["meaning"],
        known.default,
        secret=known.metadata["secret"],
        also=PREFIX + known.name.upper() if known.metadata["variable"] in _ALSO else None,
    )
    for known in fields(Settings)
    if "kind" in known.metadata
)
BY_NAME = {option.name: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class Problem:
    """One bad value: the setting's field, how it was written, the value, where it stood."""

    name: str
    written: str
    value: str
    secret: bool = False


class BadSettings(ConfigurationError):
    """One or more settings have values they cannot have; all of them are named."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("bad_settings")
        self.problems = problems

    def message(self, language: Language = "en") -> str:
        """Return a sentence for each bad value: its name, the value, what it may be."""
        return "\n".join(_sentence(problem, language) for problem in self.problems)


def _sentence(problem: Problem, language: Language) -> str:
    option = BY_NAME.get(problem.name)
    if option is None:
        remedy = translate("is no setting; `siliconfriend config` lists them all", language)
    else:
        named = ", ".join(f"`{name}`" for name in presets())
        remedy = translate(option.kind.remedy, language, presets=named, **option.kind.values)
    value = "***" if problem.secret else problem.value
    return text("config", "bad_value", language, name=problem.written, value=value, remedy=remedy)


def find_option(name: str) -> Option | None:
    """Return the setting of this name in the file or the environment, in any letter case."""
    wanted = name.strip().lower().replace("-", "_")
    for option in OPTIONS:
        if wanted in (option.name, option.variable.lower(), (option.also or "").lower()):
            return option
    return None


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return variables that are named like a setting and are none: mistyped, most likely."""
    known = {name for option in (HOME, *OPTIONS) for name in (option.variable, option.also)}
    return tuple(sorted(name for name in environ if name.startswith(PREFIX) and name not in known))


def nearest_variable(name: str) -> str | None:
    """Return the variable of a setting that is written most like ``name``; None for none."""
    by_ending = {
        option.variable.removeprefix(PREFIX): option.variable for option in (HOME, *OPTIONS)
    }
    found = get_close_matches(name.removeprefix(PREFIX), by_ending, n=1)
    return by_ending[found[0]] if found else None
