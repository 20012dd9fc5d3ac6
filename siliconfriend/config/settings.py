"""The settings of a command, the web page and the night: one frozen object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import time
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from zoneinfo import ZoneInfo

from siliconfriend.forgetting.accumulation import EACH_ONE, STEPS
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.texts import Language

Source = Literal["flag", "environment", "file", "default"]

BUNDLED = "bundled"
WITHOUT_BUNDLED = "sentence-transformers:intfloat/multilingual-e5-small"
THINKING = ("off", "night", "on")
"""Where a model may think before it answers."""
FORWARDED_USERS = ("no", "field", "name", "email", "id")
"""By what a client that holds the operator's key may say who is speaking."""
COMPANION_NAMES: Mapping[Language, str] = MappingProxyType({"en": "SiliconFriend", "cn": "硅友"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting with its value; made by :func:`load_settings`.

    Attributes:
        home: the data directory, absolute.
        store: ``file`` or a ``postgresql://`` address.
        llm: ``offline``, the name of a preset (``presets.toml``) or ``gguf:PATH``.
        llm_address: of the model's server; None for the preset's own.
        model: the model's name as its server knows it; None for the preset's choice.
        context_tokens: most tokens that prompt and answer may have together; None for what
            is known of the model and what its server says.
        price_input, price_output: what a million tokens of the model cost, in ``currency``; None
            for what is known of a preset's own model, in its currency alone.
        currency: of prices.
        fallback_llm, fallback_address, fallback_model: the same of a second model, asked where
            the first cannot answer; ``fallback_llm`` is None where there is none.
        thinking: where a model may think before it answers: ``off`` nowhere, ``night`` only
            where nobody waits, ``on`` everywhere.
        temperature: 0 to 2.
        max_tokens: longest answer.
        timeout: seconds a model may stay silent.
        embedding: ``bundled``, ``none``, ``sentence-transformers:X`` or ``openai:X``.
        policy: name of the forgetting policy.
        accumulated_step: of the policy ``accumulated``: ``gap`` where strength grows by the
            step for the time since the last touch, ``one`` where it always grows by 1.
        accumulated_days: of the same: a clean-up at most once in so many days.
        accumulated_minimum: of the same: how many memories someone who stays away keeps.
        reflect_threshold: importance, on the scale from 0.1 to 1, that the last memories must
            add up to before there is a reflection.
        reflect_window: how many last memories that are; 0 for all since the last reflection.
        overview_events: most events in the overview of what happened lately.
        topic_heat: the heat from which on a night takes knowledge from a topic.
        topic_capacity: how many topics stay outside the archive.
        knowledge_capacity: how many entries about the person do, and about the companion.
        reverie_recency, reverie_relevance, reverie_importance: what the recipe ``reverie``'s
            weights 0.5, 3 and 2 are multiplied by.
        companion: whose friend is speaking; a part of every scope.
        companion_name: what the companion calls itself.
        user: the person where a command names none.
        language: of a new person, and of the program's own messages; where nothing names it,
            that of the machine (``LC_ALL``, ``LC_MESSAGES``, ``LANG``).
        timezone: IANA name for a new person.
        speaks_first: ``yes`` where the companion may say unasked what is due.
        quiet_hours: from when to when it then says nothing, ``22:00-08:00`` say, in the person's
            time zone; ``none`` for no such hours.
        openai_api_key: never printed.
        openai_base_url: None for OpenAI's own address.
        deepseek_api_key, openrouter_api_key, dashscope_api_key, vllm_api_key, llama_api_key:
            the key of each other service, sent to it alone. Never printed.
        help_lines: whom somebody in danger can call, with semicolons between; None for the
            lines that come with the program.
        prompts: folder of the operator's own prompts.
        passphrase: opens the files of people who had them encrypted, for programs that nobody
            can be asked by. Never printed.
        operator_key: the key of who runs the HTTP server; None for one that the server makes.
            Never printed.
        forwarded_users: by what a client that holds the operator's key may say who is speaking
            to a model: ``field`` (the request's ``user``), ``name``, ``email`` or ``id`` (the
            forwarded header of that name), or ``no``.
        serve_hosts: names that the HTTP server answers to beside this machine's own, with commas
            between; None for any, once it listens beyond this machine.
        serve_origins: sites whose pages may ask the HTTP server, with commas between.
        companion_editors: who may make and change companions on a web page where people log in,
            names with commas between; None for nobody. Where nobody logs in, whoever opens the
            page may.
        rate_limit: how many requests a person's key may send, ``600/minute``, or ``none``.
        sources: where each value came from, by field name.
        unknown_variables: what the environment names like a setting though there is none.
    """

    home: Path
    store: str = "file"
    llm: str = "offline"
    llm_address: str | None = None
    model: str | None = None
    context_tokens: int | None = None
    price_input: float | None = None
    price_output: float | None = None
    currency: str = "USD"
    fallback_llm: str | None = None
    fallback_address: str | None = None
    fallback_model: str | None = None
    thinking: str = "off"
    temperature: float = 0.7
    max_tokens: int = 1500
    timeout: float = 60.0
    embedding: str = BUNDLED
    policy: str = "companion"
    accumulated_step: str = "gap"
    accumulated_days: int = 1
    accumulated_minimum: int = 1000
    reflect_threshold: float = 3.0
    reflect_window: int = 15
    overview_events: int = 20
    topic_heat: float = 5.0
    topic_capacity: int = 2000
    knowledge_capacity: int = 100
    reverie_recency: float = 1.0
    reverie_relevance: float = 1.0
    reverie_importance: float = 1.0
    companion: str = "default"
    companion_name: str = COMPANION_NAMES["en"]
    user: str | None = None
    language: Language = "en"
    timezone: str = "UTC"
    speaks_first: str = "no"
    quiet_hours: str = "22:00-08:00"
    openai_api_key: str | None = field(default=None, repr=False)
    openai_base_url: str | None = None
    deepseek_api_key: str | None = field(default=None, repr=False)
    openrouter_api_key: str | None = field(default=None, repr=False)
    dashscope_api_key: str | None = field(default=None, repr=False)
    vllm_api_key: str | None = field(default=None, repr=False)
    llama_api_key: str | None = field(default=None, repr=False)
    help_lines: str | None = None
    prompts: Path | None = None
    passphrase: str | None = field(default=None, repr=False)
    operator_key: str | None = field(default=None, repr=False)
    forwarded_users: str = "field"
    serve_hosts: str | None = None
    companion_editors: str | None = None
    serve_origins: str | None = None
    rate_limit: str = "600/minute"
    sources: Mapping[str, Source] = field(default_factory=dict, repr=False)
    unknown_variables: tuple[str, ...] = ()

    @property
    def zone(self) -> ZoneInfo:
        """The time zone as an object."""
        return ZoneInfo(self.timezone)

    def is_quiet(self, at: time) -> bool:
        """True if nobody should be spoken to at this time of their day."""
        if self.quiet_hours == "none":
            return False
        first, last = (time.fromisoformat(it) for it in self.quiet_hours.split("-"))
        return first <= at < last if first <= last else at >= first or at < last

    @property
    def forgetting_policy(self) -> ForgettingPolicy:
        """The policy that ``policy`` names, with the numbers that the settings give it.

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
        """The settings for a person of ``language``: a companion nobody named has its name there."""
        if self.sources.get("companion_name", "default") != "default":
            return self
        return replace(self, companion_name=COMPANION_NAMES[language])

    def notices(self) -> tuple[str, ...]:
        """Names of the texts (``config.toml``, ``notices``) on what a person should know."""
        found = []
        if self.llm == "offline" and self.openai_api_key:
            found.append("key_unused")
        if self.embedding == WITHOUT_BUNDLED and self.sources.get("embedding") == "default":
            found.append("no_bundled")
        return tuple(found)
