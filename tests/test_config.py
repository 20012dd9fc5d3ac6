"""Settings: whose word wins, what is refused and how it is said; the presets of services."""

from datetime import time
from pathlib import Path

import pytest

from siliconfriend.config import load_settings, prepare_home
from siliconfriend.config.loading import language_of, unknown_variables
from siliconfriend.config.presets import find_preset, presets
from siliconfriend.config.settings import (
    HOME,
    OPTIONS,
    WITHOUT_BUNDLED,
    find_option,
    nearest_option,
)
from siliconfriend.errors import ConfigurationError
from siliconfriend.forgetting.policy import POLICIES
from siliconfriend.texts import translate


def test_defaults_are_those_of_the_contract(tmp_path: Path) -> None:
    """With nothing set, everything is offline, local and English."""
    for name in POLICIES:  # the settings name them without importing them
        assert load_settings(home=tmp_path, environ={}, policy=name).policy == name
    settings = load_settings(home=tmp_path, environ={})
    assert (settings.store, settings.llm, settings.model) == ("file", "offline", None)
    assert (settings.temperature, settings.max_tokens, settings.timeout) == (0.7, 400, 60.0)
    assert (settings.policy, settings.companion, settings.language) == (
        "companion",
        "default",
        "en",
    )
    assert settings.companion_name == "SiliconFriend"
    assert settings.user is None
    assert set(settings.sources.values()) == {"flag", "default"}


@pytest.mark.parametrize(
    "words", ["policy = ", "a = " + "[" * 100_000 + "]" * 100_000, "a" + ".a" * 3000 + " = 1"]
)
def test_a_file_that_cannot_be_read_is_never_taken_for_empty(tmp_path: Path, words: str) -> None:
    """No TOML, or nested too deep."""
    (tmp_path / "config.toml").write_text(words, encoding="utf-8")
    with pytest.raises(ConfigurationError) as refused:
        load_settings(home=tmp_path, environ={})
    assert refused.value.key == "config_unreadable"


def test_flag_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    """Each layer wins over those below it, setting by setting."""
    (tmp_path / "config.toml").write_text(
        'policy = "paper"\ntemperature = 0.1\nmodel = "from-file"\n', encoding="utf-8"
    )
    environ = {"SILICONFRIEND_POLICY": "memorybank", "SILICONFRIEND_TEMPERATURE": "0.2"}
    settings = load_settings(home=tmp_path, environ=environ, policy="companion", temperature=None)
    assert (settings.policy, settings.temperature, settings.model) == (
        "companion",
        0.2,
        "from-file",
    )
    assert settings.max_tokens == 400
    assert settings.sources["policy"] == "flag"
    assert settings.sources["temperature"] == "environment"
    assert settings.sources["model"] == "file"
    assert settings.sources["max_tokens"] == "default"


def test_every_bad_value_is_named_at_once(tmp_path: Path) -> None:
    """One error lists all bad values, with the variable, the value and what it may be."""
    (tmp_path / "config.toml").write_text('policy = "never"\ncolour = "red"\n', encoding="utf-8")
    environ = {"SILICONFRIEND_TEMPERATURE": "hot", "SILICONFRIEND_TIMEZONE": "Nowhere/Else"}
    with pytest.raises(ConfigurationError) as caught:
        load_settings(home=tmp_path, environ=environ)
    assert caught.value.message("en").splitlines() == [
        "config.toml: colour is 'red', but it is not a setting; `siliconfriend config` lists them all.",
        "SILICONFRIEND_TEMPERATURE is 'hot', but it must be a number from 0 to 2.",
        "config.toml: policy is 'never', but it must be one of `companion`, `memorybank`, `paper`, `accumulated`.",
        "SILICONFRIEND_TIMEZONE is 'Nowhere/Else', but it must be an IANA time zone, for example Europe/London or Asia/Shanghai.",
    ]
    assert "要写 0 到 2 之间的数" in caught.value.message("cn")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("store", "mysql://x"),
        ("llm", "gguf:"),
        ("temperature", "nan"),
        ("max_tokens", "0"),
        ("timeout", "inf"),
        ("embedding", "openai:"),
        ("policy", "ebbinghaus"),
        ("language", "fr"),
        ("timezone", "../etc/passwd"),
        ("openai_base_url", "localhost:8000"),
        ("prompts", "/nowhere/at/all"),
        ("prompts", "~nobody-here/prompts"),
    ],
)
def test_refused_values(tmp_path: Path, name: str, value: str) -> None:
    """A value no setting can have is an error of the configuration, exit code 3."""
    with pytest.raises(ConfigurationError) as caught:
        load_settings(home=tmp_path, environ={}, **{name: value})
    assert value in caught.value.message("en")
    assert caught.value.exit_code == 3


def test_zh_means_cn_and_the_companion_is_called_by_its_chinese_name(tmp_path: Path) -> None:
    """`zh` is accepted, and the companion's own name follows the language until it is set."""
    settings = load_settings(home=tmp_path, environ={"SILICONFRIEND_LANGUAGE": "zh"})
    assert (settings.language, settings.companion_name) == ("cn", "硅友")
    assert settings.speaking("en").companion_name == "SiliconFriend"
    named = load_settings(home=tmp_path, environ={"SILICONFRIEND_COMPANION_NAME": "Robin"})
    assert named.speaking("cn").companion_name == "Robin"


def test_a_key_with_an_offline_companion_is_mentioned(tmp_path: Path) -> None:
    """A key in the environment is never used unasked, and that is said."""
    environ = {"OPENAI_API_KEY": "sk-1"}
    settings = load_settings(home=tmp_path, environ=environ)
    assert settings.notices() == ("key_unused",)
    assert "sk-1" not in repr(settings)
    assert load_settings(home=tmp_path, environ=environ, llm="openai").notices() == ()


def test_where_the_bundled_embedder_is_missing_another_is_chosen_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a wheel the default changes; a setting a person made does not."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    settings = load_settings(home=tmp_path, environ={})
    assert settings.embedding == WITHOUT_BUNDLED
    assert settings.notices() == ("no_bundled",)
    assert load_settings(home=tmp_path, environ={}, embedding="bundled").embedding == "bundled"


def test_home_is_memories_of_a_checkout_from_any_folder_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inside a checkout the data directory is its `memories`, from a folder below too."""
    (tmp_path / "pyproject.toml").touch()
    for folder in ("siliconfriend/config", "docs"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "docs")
    assert load_settings(environ={}).home == tmp_path / "memories"
    elsewhere = load_settings(environ={"SILICONFRIEND_HOME": "elsewhere"}).home
    assert elsewhere == tmp_path / "docs" / "elsewhere"
    (tmp_path / "siliconfriend/config").rmdir()
    home = load_settings(environ={}).home
    assert (home.name, home.parent == tmp_path) == ("siliconfriend", False)


def test_a_home_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """A data directory under a file: exit code 3, with the remedy."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="--home"):
        prepare_home(tmp_path / "file" / "home")
    with pytest.raises(ConfigurationError, match=r"~nobody-here.*--home"):
        load_settings(home="~nobody-here/memories", environ={})
    prepare_home(tmp_path / "new" / "home")
    assert (tmp_path / "new" / "home").is_dir()


def test_an_option_is_found_by_either_name() -> None:
    """`config set` takes the file's name or the variable's."""
    assert find_option("SILICONFRIEND_LLM") is find_option("llm") is not None
    assert find_option("max-tokens") is find_option("max_tokens") is not None
    assert find_option("home") is None
    environ = {"SILICONFRIEND_MODLE": "m", "SILICONFRIEND_XYZZY": "", "SILICONFRIEND_HOME": "/x"}
    unknown = unknown_variables(environ)
    assert unknown == ["SILICONFRIEND_MODLE", "SILICONFRIEND_XYZZY"]
    assert nearest_option("SILICONFRIEND_MODLE") is find_option("model")
    assert nearest_option("SILICONFRIEND_XYZZY") is None


def test_every_setting_is_explained_in_both_languages() -> None:
    """At most 38 of them beside the data directory; each meaning and remedy has its Chinese."""
    assert len(OPTIONS) <= 38
    for option in (HOME, *OPTIONS):
        for english in (option.meaning, option.kind.remedy):
            assert not english or translate(english, "cn") != english


def test_hours_of_speaking_first(tmp_path: Path) -> None:
    """`yes` means from eight to ten in the evening; hours may pass midnight."""
    nine, three = time(9), time(3)
    usual = load_settings(home=tmp_path, environ={}, speaks_first="yes")
    assert (usual.is_quiet(nine), usual.is_quiet(three)) == (False, True)
    late = load_settings(home=tmp_path, environ={}, speaks_first="20:00-4:00")
    assert (late.is_quiet(nine), late.is_quiet(three)) == (True, False)
    assert load_settings(home=tmp_path, environ={}).is_quiet(nine)


def test_where_nothing_names_a_language_it_is_that_of_the_machine(tmp_path: Path) -> None:
    """LC_ALL, then LC_MESSAGES, then LANG; a setting wins, in the file as well."""
    chinese = {"LANG": "zh_CN.UTF-8"}
    assert load_settings(home=tmp_path, environ=chinese).language == "cn"
    assert load_settings(home=tmp_path, environ=chinese).companion_name == "硅友"
    assert load_settings(home=tmp_path, environ=chinese | {"LC_ALL": "C"}).language == "en"
    assert language_of(chinese, tmp_path) == "cn"
    assert language_of(chinese | {"SILICONFRIEND_LANGUAGE": "en"}, tmp_path) == "en"
    (tmp_path / "config.toml").write_text('language = "en"\n', encoding="utf-8")
    assert language_of(chinese, tmp_path) == "en"
    assert load_settings(home=tmp_path, environ=chinese).language == "en"
    (tmp_path / "config.toml").write_text("language = = ", encoding="utf-8")
    assert language_of(chinese, tmp_path) == "cn"


def test_the_servers_address_and_key_are_known_by_a_second_name(tmp_path: Path) -> None:
    """OpenAI's own variable wins where both are set."""
    own = {"SILICONFRIEND_OPENAI_BASE_URL": "http://a/v1", "SILICONFRIEND_OPENAI_API_KEY": "k"}
    settings = load_settings(home=tmp_path, environ=own)
    assert (settings.openai_base_url, settings.openai_api_key) == ("http://a/v1", "k")
    both = own | {"OPENAI_BASE_URL": "http://b/v1"}
    assert load_settings(home=tmp_path, environ=both).openai_base_url == "http://b/v1"
    with pytest.raises(ConfigurationError) as caught:
        load_settings(home=tmp_path, environ={"SILICONFRIEND_OPENAI_BASE_URL": "b"})
    assert caught.value.message().startswith("SILICONFRIEND_OPENAI_BASE_URL is 'b'")


@pytest.mark.parametrize("name", presets())
def test_a_preset_can_be_asked(name: str) -> None:
    """It has an address, a model, a switch for thinking, and a setting for the key it asks for."""
    preset = presets()[name]
    assert preset.address.startswith("https://") != preset.is_own_server
    assert preset.model
    assert preset.think_off
    assert preset.think_off.keys() == preset.think_on.keys()
    assert preset.key is None or (
        (option := find_option(preset.key)) is not None and option.is_secret
    )
    assert (preset.key is None) <= preset.is_own_server


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://api.deepseek.com/v1", "deepseek"),
        ("http://localhost:11434/v1/", "ollama"),
        ("http://127.0.0.1:8080", "llamacpp"),
        ("http://127.0.0.1:9/v1", None),
        ("https://api.deepseek.com.example/v1", None),
    ],
)
def test_a_service_is_known_by_its_host_and_port(address: str, name: str | None) -> None:
    preset = find_preset(address)
    assert (preset and preset.name) == name
