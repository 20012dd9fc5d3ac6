"""`config` and `setup`, at a pseudo-terminal where they ask."""

import os
import re
import signal
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from siliconfriend.person import model_choices as choices
from siliconfriend.person.model_choices import suggested_model
from siliconfriend.person.settings_file import write_settings
from tests.cli.conftest import Run
from tests.cli.pseudo_terminal import Terminal, terminal
from tests.loopback import LoopbackServer, streamed


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
    assert lines["model"][:4] == ["model", "m-1", "environment", "(SILICONFRIEND_MODEL)"]
    assert "name at its server" in " ".join(lines["model"])
    assert lines["openai_api_key"][1] == "***cdef"


def test_set_writes_the_file_and_keeps_what_stood_there(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comment and other settings survive; the new value is in force, for its owner only."""
    home.mkdir()
    path = home / "config.toml"
    path.write_text('# mine\npolicy = "paper"\n', encoding="utf-8-sig")
    done = run("config", "set", "SILICONFRIEND_LANGUAGE", "zh")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"已在 {path} 里设置 language。\n"
    assert path.read_text(encoding="utf-8") == '# mine\npolicy = "paper"\nlanguage = "zh"\n'
    assert path.stat().st_mode & 0o077 == 0
    document = run("config", "--json").json
    assert document["language"] == {"value": "cn", "source": "file"}
    assert document["policy"] == {"value": "paper", "source": "file"}
    monkeypatch.setenv("SILICONFRIEND_POLICY", "paper")
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "en")
    done = run("config", "set", "policy", "companion")
    assert "SILICONFRIEND_POLICY in the environment overrides it" in done.err


def test_settings_that_are_set_at_once_are_all_kept(home: Path) -> None:
    """Each writer changes the file that the one before it has left."""
    names = [f"n{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda name: write_settings(home, {name: "1"}), names))
    assert sorted(tomllib.loads((home / "config.toml").read_text("utf-8"))) == names
    assert [path.name for path in home.iterdir()] == ["config.toml"]


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


def test_a_mistyped_name_is_answered_with_the_one_that_was_meant(run: Run) -> None:
    """Where none is near, with all there are."""
    assert "There are: store, llm," in run("config", "set", "xyzzy", "1").err
    mistyped = run("config", "set", "tempreature", "1")
    assert (mistyped.code, mistyped.out) == (2, "")
    assert "Did you mean temperature?" in mistyped.err


def test_unset_takes_a_setting_out_and_leaves_the_rest(run: Run, home: Path) -> None:
    """What stood beside it stays, a comment too; a second time there is nothing to take out."""
    home.mkdir()
    path = home / "config.toml"
    path.write_text('# mine\npolicy = "paper"\nuser = "Ada"\n', encoding="utf-8")
    assert run("config", "unset", "policy").err == f"Removed policy from {path}.\n"
    assert path.read_text(encoding="utf-8") == '# mine\nuser = "Ada"\n'
    assert "nothing was changed" in run("config", "unset", "policy").err


def test_a_key_need_not_stand_in_the_command_line(run: Run, home: Path) -> None:
    """From a pipe it is one line; a setting that is no secret must be given."""
    done = run("config", "set", "openai_api_key", said="sk-piped\n")
    assert (done.code, done.out) == (0, "")
    assert "sk-piped" not in done.err
    assert tomllib.loads((home / "config.toml").read_text(encoding="utf-8")) == {
        "openai_api_key": "sk-piped"
    }
    ended = run("config", "set", "openai_api_key", said="")
    assert ended.code == 2
    assert "Nothing was changed" in ended.err
    missing = run("config", "set", "policy")
    assert missing.code == 2
    assert missing.err.startswith("Missing argument '[VALUE]'")


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


OTHER = str(list(choices.describe_choices("en")).index(choices.OTHER))
"""The number of "another server" in the list."""

TRANSCRIPT = """\
Language, 语言 (en, cn) [en]: en
Press Return for the value in brackets. Ctrl-C cancels.
Your name: Ada
The name of your companion [SiliconFriend]: Moss
QUESTION
LIST
Number or name [{usual}]: {number}
Its address: {address}
Which model: small
Its key, SILICONFRIEND_LLM_KEY (hidden; Return keeps the current one):\x20
Asking it for one answer …
small answers (SECONDS s).
Written to {home}/config.toml, which only you can read.
What you tell your companion is kept in {home}.
Talk with: siliconfriend chat
"""


def _answer(shown: Terminal, *pairs: tuple[str, str]) -> str:
    """Type each answer once its question stands there; all that was shown until the end."""
    everything = ""
    for question, answer in pairs:
        shown.wait_for(question)
        everything += shown.seen()
        shown.type(f"{answer}\n")
    assert shown.wait_for_end() == 0
    return (everything + shown.seen()).replace("\r\n", "\n")


def _without_list(transcript: str) -> str:
    """The transcript with the list of services as one word, and the time that passed as another."""
    short = re.sub(r"(?m)^.*\n(^  \d+ .*\n)+", "QUESTION\nLIST\n", transcript)
    return re.sub(r"\d+\.\d s", "SECONDS s", short)


def _settings(home: Path) -> dict[str, object]:
    return tomllib.loads((home / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_first_setup_asks_tries_and_writes(home: Path, loopback: LoopbackServer) -> None:
    """The whole transcript; the key is in the file alone, which only its owner can read."""
    loopback.answers([streamed("Hello!")])
    with terminal("setup") as shown:
        transcript = _answer(
            shown,
            ("[en]: ", "en"),
            ("Your name: ", "Ada"),
            ("companion [SiliconFriend]: ", "Moss"),
            ("Number or name [", OTHER),
            ("Its address: ", loopback.url),
            ("Which model: ", "small"),
            ("keeps the current one): ", "sk-secret"),
        )
    usual = suggested_model().name
    named = {"home": home, "address": loopback.url, "usual": usual, "number": OTHER}
    assert _without_list(transcript) == TRANSCRIPT.format(**named)
    values = {"language": "en", "user": "Ada", "companion_name": "Moss", "llm": "openai"}
    model = {"llm_address": loopback.url, "model": "small", "llm_key": "sk-secret"}
    assert _settings(home) == values | model
    assert (home / "config.toml").stat().st_mode & 0o777 == 0o600
    assert loopback.keys == ["Bearer sk-secret"]


@pytest.mark.slow
def test_ctrl_c_in_the_middle_changes_nothing(home: Path) -> None:
    """What was typed by then is nowhere; what stood in the file still does."""
    home.mkdir()
    (home / "config.toml").write_text('user = "Bo"\n', encoding="utf-8")
    with terminal("setup") as shown:
        shown.wait_for("[en]: ")
        shown.type("en\n")
        shown.wait_for("Your name [Bo]: ")
        shown.type("Ada\n")
        shown.wait_for("[SiliconFriend]: ")
        os.kill(shown.child.pid, signal.SIGINT)
        # readline looks at a signal that came just before it waits only after the next key.
        shown.type("\n")
        assert shown.wait_for_end() == 130
    assert shown.shown.rstrip().endswith("Nothing was changed.")
    assert "Traceback" not in shown.shown
    assert [path.name for path in home.iterdir()] == ["config.toml"]
    assert _settings(home) == {"user": "Bo"}


def test_without_a_terminal_setup_says_what_to_do(run: Run, home: Path) -> None:
    """A script is not left hanging at a question."""
    done = run("setup", said="")
    assert (done.code, done.out) == (2, "")
    assert f"siliconfriend --home {home} config set NAME VALUE" in done.err
    assert not home.exists()


@pytest.mark.slow
def test_the_first_chat_asks_who_is_there_and_no_later_command_does(run: Run, home: Path) -> None:
    """The name is kept, so every later command knows the one person."""
    with terminal("chat", "--companion", "Wren") as shown:
        shown.wait_for("Your name: ")
        shown.type("Ada\n")
        shown.wait_for("No model is set")
        shown.type("\n")
        shown.wait_for("You are Ada from now on; others say --user NAME.")
        shown.wait_for("Begin with Wren all the same?")
        shown.type("y\n")
        shown.wait_for("\nAda: ")
        shown.type("I planted beans.\n")
        shown.wait_for("\nAda: ")
        shown.type("/quit\n")
        shown.wait_for("Until next time, Ada.")
    assert _settings(home) == {"user": "Ada"}
    listed = run("memories", "list", "--companion", "Wren", "--json").json
    assert (listed["user"], len(listed["memories"])) == ("Ada", 1)
    with terminal("chat", "--companion", "Wren") as shown:
        shown.wait_for("good to have you back")
        assert "Your name" not in shown.shown


def test_a_file_is_no_data_directory(run: Run, home: Path) -> None:
    """It is not taken for a directory in which nobody is remembered."""
    home.write_text("a file", encoding="utf-8")
    for command in (("users", "list"), ("doctor",), ("config",)):
        done = run(*command)
        assert done.code == 3
        assert "cannot be made or written" in done.err
