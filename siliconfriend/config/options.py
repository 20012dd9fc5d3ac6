"""The settings as they are written outside, and what is said of a bad one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from siliconfriend.config import parsers
from siliconfriend.config.presets import presets
from siliconfriend.config.settings import FORWARDED_USERS, THINKING
from siliconfriend.errors import ConfigurationError
from siliconfriend.forgetting.policy import POLICIES
from siliconfriend.texts import Language, text

CONFIG_FILE = "config.toml"
LONGEST_TIMEOUT = 3600.0


@dataclass(frozen=True, slots=True)
class Option:
    """One setting as it is written outside.

    Attributes:
        name: the field of :class:`Settings`, and its name in ``config.toml``.
        variable: the environment variable.
        parse: text to value; raises ValueError for a bad one.
        secret: its value is never shown.
        also: another variable that is taken where ``variable`` is not set.
    """

    name: str
    variable: str
    parse: Callable[[str], object]
    secret: bool = False
    also: str | None = None

    def variable_in(self, environ: Mapping[str, str]) -> str:
        """The variable that its value is taken from in this environment."""
        if self.also and environ.get(self.also, "").strip():
            return self.variable if environ.get(self.variable, "").strip() else self.also
        return self.variable


PREFIX = "SILICONFRIEND_"
OPTIONS: tuple[Option, ...] = (
    Option("store", "SILICONFRIEND_STORE", parsers.store),
    Option("llm", "SILICONFRIEND_LLM", parsers.llm),
    Option("llm_address", "SILICONFRIEND_LLM_ADDRESS", parsers.address),
    Option("model", "SILICONFRIEND_MODEL", str),
    Option("context_tokens", "SILICONFRIEND_CONTEXT_TOKENS", parsers.context),
    Option("price_input", "SILICONFRIEND_PRICE_INPUT", parsers.number(0, 1_000_000)),
    Option("price_output", "SILICONFRIEND_PRICE_OUTPUT", parsers.number(0, 1_000_000)),
    Option("currency", "SILICONFRIEND_CURRENCY", str),
    Option("fallback_llm", "SILICONFRIEND_FALLBACK_LLM", parsers.llm),
    Option("fallback_address", "SILICONFRIEND_FALLBACK_ADDRESS", parsers.address),
    Option("fallback_model", "SILICONFRIEND_FALLBACK_MODEL", str),
    Option("thinking", "SILICONFRIEND_THINKING", parsers.one_of(*THINKING)),
    Option("temperature", "SILICONFRIEND_TEMPERATURE", parsers.number(0, 2)),
    Option("max_tokens", "SILICONFRIEND_MAX_TOKENS", parsers.tokens),
    Option("timeout", "SILICONFRIEND_TIMEOUT", parsers.number(0.1, LONGEST_TIMEOUT)),
    Option("embedding", "SILICONFRIEND_EMBEDDING", parsers.embedding),
    Option("policy", "SILICONFRIEND_POLICY", parsers.one_of(*POLICIES)),
    Option("accumulated_step", "SILICONFRIEND_ACCUMULATED_STEP", parsers.one_of("gap", "one")),
    Option("accumulated_days", "SILICONFRIEND_ACCUMULATED_DAYS", parsers.days),
    Option("accumulated_minimum", "SILICONFRIEND_ACCUMULATED_MINIMUM", parsers.count),
    Option("reflect_threshold", "SILICONFRIEND_REFLECT_THRESHOLD", parsers.number(0, 1000)),
    Option("reflect_window", "SILICONFRIEND_REFLECT_WINDOW", parsers.count),
    Option("overview_events", "SILICONFRIEND_OVERVIEW_EVENTS", parsers.count),
    Option("topic_heat", "SILICONFRIEND_TOPIC_HEAT", parsers.number(0, 1000)),
    Option("topic_capacity", "SILICONFRIEND_TOPIC_CAPACITY", parsers.count),
    Option("knowledge_capacity", "SILICONFRIEND_KNOWLEDGE_CAPACITY", parsers.count),
    Option("reverie_recency", "SILICONFRIEND_REVERIE_RECENCY", parsers.number(0, 1000)),
    Option("reverie_relevance", "SILICONFRIEND_REVERIE_RELEVANCE", parsers.number(0, 1000)),
    Option("reverie_importance", "SILICONFRIEND_REVERIE_IMPORTANCE", parsers.number(0, 1000)),
    Option("companion", "SILICONFRIEND_COMPANION", str),
    Option("companion_name", "SILICONFRIEND_COMPANION_NAME", str),
    Option("user", "SILICONFRIEND_USER", str),
    Option("language", "SILICONFRIEND_LANGUAGE", parsers.language),
    Option("timezone", "SILICONFRIEND_TIMEZONE", parsers.timezone),
    Option("speaks_first", "SILICONFRIEND_SPEAKS_FIRST", parsers.one_of("no", "yes")),
    Option("quiet_hours", "SILICONFRIEND_QUIET_HOURS", parsers.hours),
    Option(
        "openai_api_key",
        "OPENAI_API_KEY",
        str,
        secret=True,
        also="SILICONFRIEND_OPENAI_API_KEY",
    ),
    Option(
        "openai_base_url",
        "OPENAI_BASE_URL",
        parsers.address,
        also="SILICONFRIEND_OPENAI_BASE_URL",
    ),
    Option("deepseek_api_key", "DEEPSEEK_API_KEY", str, secret=True),
    Option("openrouter_api_key", "OPENROUTER_API_KEY", str, secret=True),
    Option("dashscope_api_key", "DASHSCOPE_API_KEY", str, secret=True),
    Option("vllm_api_key", "VLLM_API_KEY", str, secret=True),
    Option("llama_api_key", "LLAMA_API_KEY", str, secret=True),
    Option("help_lines", "SILICONFRIEND_HELP_LINES", str),
    Option("prompts", "SILICONFRIEND_PROMPTS", parsers.folder),
    Option("passphrase", "SILICONFRIEND_PASSPHRASE", str, secret=True),
    Option("operator_key", "SILICONFRIEND_OPERATOR_KEY", str, secret=True),
    Option("forwarded_users", "SILICONFRIEND_FORWARDED_USERS", parsers.one_of(*FORWARDED_USERS)),
    Option("serve_hosts", "SILICONFRIEND_SERVE_HOSTS", str),
    Option("serve_origins", "SILICONFRIEND_SERVE_ORIGINS", parsers.origins),
    Option("companion_editors", "SILICONFRIEND_COMPANION_EDITORS", str),
    Option("rate_limit", "SILICONFRIEND_RATE_LIMIT", parsers.rate),
)
HOME = Option("home", "SILICONFRIEND_HOME", lambda value: Path(value).expanduser().absolute())
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
        """A sentence for each bad value: its name, the value, what it may be."""
        return "\n".join(
            text(
                "config",
                "bad_value",
                language,
                name=problem.written,
                value="***" if problem.secret else problem.value,
                remedy=text(
                    "config",
                    f"remedies.{problem.name}",
                    language,
                    policies=", ".join(POLICIES),
                    presets=", ".join(f"`{name}`" for name in presets()),
                ),
            )
            for problem in self.problems
        )


def find_option(name: str) -> Option | None:
    """The setting called ``name`` in the file or in the environment, in any letter case."""
    wanted = name.strip().lower().replace("-", "_")
    for option in OPTIONS:
        if wanted in (option.name, option.variable.lower(), (option.also or "").lower()):
            return option
    return None


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that are named like a setting and are none: most likely one was mistyped."""
    known = {name for option in (HOME, *OPTIONS) for name in (option.variable, option.also)}
    return tuple(sorted(it for it in environ if it.startswith(PREFIX) and it not in known))


def nearest_variable(name: str) -> str | None:
    """The variable of a setting that is written most like ``name``; None where none is."""
    by_ending = {
        option.variable.removeprefix(PREFIX): option.variable for option in (HOME, *OPTIONS)
    }
    found = get_close_matches(name.removeprefix(PREFIX), by_ending, n=1)
    return by_ending[found[0]] if found else None
