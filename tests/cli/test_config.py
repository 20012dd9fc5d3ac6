"""`config` and `config set`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from siliconfriend.cli.columns import width
from siliconfriend.config.presets import presets
from tests.cli.conftest import Run
from tests.cli.pseudo_terminal import terminal


def test_config_shows_values_sources_and_no_secret(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each setting with where it came from; a key shows only that it is there."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
    monkeypatch.setenv("SILICONFRIEND_MODEL", "m-1")
    document = run("config", "--json").json
    assert document["home"] == {"value": str(home), "source": "environment"}
    assert document["model"] == {"value": "m-1", "source": "environment"}
    assert document["llm"] == {"value": "offline", "source": "default"}
    assert document["openai_api_key"]["value"] == "***cdef"
    lines = {line.split()[0]: line.split() for line in run("config").out.splitlines()}
    assert lines["model"] == ["model", "m-1", "environment", "(SILICONFRIEND_MODEL)"]
    assert lines["openai_api_key"][1] == "***cdef"


def test_a_short_key_is_masked_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four letters of eight would give half of it away."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-short")
    assert run("config", "--json").json["openai_api_key"]["value"] == "***"


def test_set_writes_the_file_and_keeps_what_stood_there(run: Run, home: Path) -> None:
    """A comment and other settings survive; the new value is in force, for its owner only."""
    home.mkdir()
    path = home / "config.toml"
    path.write_text('# mine\npolicy = "paper"\n', encoding="utf-8")
    done = run("config", "set", "SILICONFRIEND_LANGUAGE", "zh")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"已在 {path} 里设置 language。\n"
    assert path.read_text(encoding="utf-8") == '# mine\npolicy = "paper"\nlanguage = "zh"\n'
    assert path.stat().st_mode & 0o077 == 0
    document = run("config", "--json").json
    assert document["language"] == {"value": "cn", "source": "file"}
    assert document["policy"] == {"value": "paper", "source": "file"}


def test_set_mends_a_bad_value(run: Run, home: Path) -> None:
    """A setting whose value is refused can be set right by the same command."""
    home.mkdir()
    (home / "config.toml").write_text('policy = "never"\n', encoding="utf-8")
    assert run("users", "list").code == 3
    assert run("config", "set", "policy", "companion").code == 0
    assert tomllib.loads((home / "config.toml").read_text(encoding="utf-8")) == {
        "policy": "companion"
    }


def test_set_says_when_the_environment_still_wins(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that has no effect for now is not passed over in silence."""
    monkeypatch.setenv("SILICONFRIEND_POLICY", "paper")
    done = run("config", "set", "policy", "companion")
    assert done.code == 0
    assert "SILICONFRIEND_POLICY is set in the environment and still wins" in done.err


@pytest.mark.parametrize(
    ("name", "value", "code"), [("colour", "red", 2), ("temperature", "hot", 3), ("home", "/x", 2)]
)
def test_set_refuses_and_writes_nothing(
    run: Run, home: Path, name: str, value: str, code: int
) -> None:
    """No such setting is wrong words; a bad value is a bad configuration."""
    done = run("config", "set", name, value)
    assert (done.code, done.out) == (code, "")
    assert not home.exists()


def test_a_home_that_cannot_be_made_exits_3(run: Run, tmp_path: Path) -> None:
    """The sentence names the folder and the way out."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    where = tmp_path / "file" / "home"
    done = run("--home", str(where), "config", "set", "policy", "paper")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"The data directory {where} cannot be made or written."
        " Name another with --home or SILICONFRIEND_HOME.\n"
    )


def test_a_variable_that_is_no_setting_is_named_once(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would else do nothing in silence; the command goes on."""
    monkeypatch.setenv("SILICONFRIEND_TIMEZNOE", "UTC")
    done = run("config", "set", "policy", "paper")
    assert done.code == 0
    assert done.err.splitlines()[0] == (
        "SILICONFRIEND_TIMEZNOE is set in the environment, but no setting has that name,"
        " so it does nothing. Did you mean SILICONFRIEND_TIMEZONE?"
    )
    assert done.err.count("TIMEZNOE") == 1


def test_a_preset_says_what_it_brings(run: Run, home: Path) -> None:
    """One word sets the service; the next line names the model and where it is asked."""
    done = run("config", "set", "llm", "ollama")
    assert done.code == 0
    assert done.err.splitlines() == [
        f"llm is set in {home / 'config.toml'}.",
        "Replies now come from qwen3.5:9b at http://127.0.0.1:11434."
        " `siliconfriend doctor` tries it out.",
    ]
    assert tomllib.loads((home / "config.toml").read_text(encoding="utf-8")) == {"llm": "ollama"}


def test_a_preset_without_its_key_says_so(run: Run) -> None:
    """It is set all the same, and the variable of the key is named."""
    done = run("config", "set", "llm", "deepseek")
    assert done.code == 0
    assert "DEEPSEEK_API_KEY" in done.err


def test_another_service_gets_nothing_of_the_one_before(run: Run, home: Path) -> None:
    """Model and address of the service before are taken out and named; its key stays its own."""
    for name, value in {
        "llm": "openai",
        "openai_api_key": "sk-1",
        "model": "gpt-6.1-sol",
        "context_tokens": "9000",
    }.items():
        assert run("config", "set", name, value).code == 0
    done = run("config", "set", "llm", "ollama")
    assert "model, context_tokens" in done.err
    assert tomllib.loads((home / "config.toml").read_text(encoding="utf-8")) == {
        "llm": "ollama",
        "openai_api_key": "sk-1",
    }


def test_a_model_named_before_its_service_stays(run: Run, home: Path) -> None:
    """From offline there was no service before, and the same service again changes nothing."""
    for _ in range(2):
        assert run("config", "set", "model", "qwen3:8b").code == 0
        done = run("config", "set", "llm", "ollama")
        assert "Taken out" not in done.err
    assert tomllib.loads((home / "config.toml").read_text(encoding="utf-8")) == {
        "model": "qwen3:8b",
        "llm": "ollama",
    }


def test_columns_stand_below_one_another_in_chinese_too(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Chinese character is two cells wide: 硅友 and 无 push nothing out of its column."""
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "cn")
    monkeypatch.setenv("SILICONFRIEND_HOME", "/short")
    rows = {line.split()[0]: line for line in run("config").out.splitlines()}
    marks = {
        "companion_name": "默认值",
        "user": "默认值",
        "store": "默认值",
        "language": "环境变量",
    }
    assert len({width(rows[name][: rows[name].index(marks[name])]) for name in marks}) == 1


def test_a_default_is_told_as_what_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting without a value shows what holds in its place, by the service that is set."""
    rows = {line.split()[0]: line for line in run("config").out.splitlines()}
    assert rows["model"].split()[1:] == ["none,", "offline", "default"]
    monkeypatch.setenv("SILICONFRIEND_LLM", "deepseek")
    rows = {line.split()[0]: line for line in run("config").out.splitlines()}
    assert presets()["deepseek"].model in rows["model"]
    assert presets()["deepseek"].address in rows["llm_address"]


def test_a_number_that_is_nought_is_shown_as_nought(run: Run) -> None:
    """0 is a value and not the lack of one."""
    run("config", "set", "reflect_window", "0")
    rows = {line.split()[0]: line.split() for line in run("config").out.splitlines()}
    assert rows["reflect_window"] == ["reflect_window", "0", "config.toml"]
    assert run("config", "get", "reflect_window").out == "0\n"


def test_get_prints_one_value(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By either name; a secret masked, nothing for nothing, and a name that is none refused."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
    assert run("config", "get", "policy").out == "companion\n"
    assert run("config", "get", "SILICONFRIEND_HOME").out == f"{home}\n"
    assert run("config", "get", "openai_api_key").out == "***cdef\n"
    assert run("config", "get", "user").out == "\n"
    assert run("config", "get", "policy", "--json").json == {
        "name": "policy",
        "value": "companion",
        "source": "default",
    }
    assert run("config", "get", "colour").code == 2


def test_unset_takes_a_setting_out_and_leaves_the_rest(run: Run, home: Path) -> None:
    """What stood beside it stays, a comment too; a second time there is nothing to take out."""
    home.mkdir()
    path = home / "config.toml"
    path.write_text('# mine\npolicy = "paper"\nuser = "Ada"\n', encoding="utf-8")
    done = run("config", "unset", "policy")
    assert (done.code, done.out, done.err) == (0, "", f"policy is taken out of {path}.\n")
    assert path.read_text(encoding="utf-8") == '# mine\nuser = "Ada"\n'
    again = run("config", "unset", "policy")
    assert (again.code, again.err) == (
        0,
        f"policy does not stand in {path}; nothing was changed.\n",
    )
    assert run("config", "unset", "colour").code == 2


def test_unset_mends_a_file_with_bad_lines(run: Run, home: Path) -> None:
    """A value that is refused and a name that is none can both be taken out."""
    home.mkdir()
    path = home / "config.toml"
    path.write_text('policy = "never"\ncolour = "red"\n', encoding="utf-8")
    assert run("users", "list").code == 3
    assert run("config", "unset", "policy").code == 0
    assert run("config", "unset", "colour").code == 0
    assert run("users", "list").code == 0


def test_a_key_need_not_stand_in_the_command_line(run: Run, home: Path) -> None:
    """From a pipe it is one line; a setting that is no secret must be given."""
    done = run("config", "set", "openai_api_key", said="sk-piped\n")
    assert (done.code, done.out) == (0, "")
    assert "sk-piped" not in done.err
    assert tomllib.loads((home / "config.toml").read_text(encoding="utf-8")) == {
        "openai_api_key": "sk-piped"
    }
    missing = run("config", "set", "policy")
    assert (missing.code, missing.err) == (
        2,
        "VALUE is missing. See: siliconfriend config set --help\n",
    )


def test_a_bad_value_is_told_by_the_name_that_was_typed(run: Run) -> None:
    """Also where other commands take the setting as a flag of another name."""
    done = run("config", "set", "language", "klingon")
    assert done.code == 3
    assert done.err.startswith("language is 'klingon'")


def test_a_negative_number_is_a_value_and_no_option(run: Run) -> None:
    done = run("config", "set", "timeout", "-1")
    assert done.code == 3
    assert done.err.startswith("timeout is '-1', but it must be a number of seconds from 0.1")


@pytest.mark.parametrize("name", ["user", "companion"])
def test_what_cannot_be_a_name_is_not_written(run: Run, home: Path, name: str) -> None:
    """It is refused when it is set, not by every command after it."""
    done = run("config", "set", name, "../x")
    assert done.code == 2
    assert "'../x' cannot be a name" in done.err
    assert not (home / "config.toml").exists()


@pytest.mark.slow
def test_a_key_is_asked_for_unseen(home: Path) -> None:
    """At a terminal it is typed after a question and not shown."""
    with terminal("config", "set", "openai_api_key") as shown:
        shown.wait_for("openai_api_key (it is not shown): ")
        shown.type("sk-typed\n")
        assert shown.wait_for_end() == 0
    assert "sk-typed" not in shown.shown
    assert 'openai_api_key = "sk-typed"' in (home / "config.toml").read_text(encoding="utf-8")


def test_a_mistyped_setting_names_the_one_that_was_meant(run: Run) -> None:
    """One that is like no other gets the whole list."""
    done = run("config", "set", "tempreature", "1")
    assert (done.code, done.out) == (2, "")
    assert "Did you mean temperature?" in done.err
    assert "There are: store, llm," in run("config", "get", "xyzzy").err


def test_passwords_in_addresses_are_stars_everywhere(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the list of settings, as JSON, and in the errors of what stands at the address."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://ada:hunter2@127.0.0.1:9/v1?api_key=zzz")
    monkeypatch.setenv("SILICONFRIEND_STORE", "postgresql://ada:hunt:er2@127.0.0.1:9/x")
    for words in (("config",), ("config", "--json"), ("users", "list"), ("doctor",)):
        done = run(*words)
        shown = done.out + done.err
        assert not re.search("hunter2|er2|zzz", shown), words
    assert run("config", "--json").json["openai_base_url"]["value"] == (
        "http://***@127.0.0.1:9/v1?api_key=***"
    )
