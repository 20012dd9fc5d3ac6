"""`setup` and the first `chat`, at a pseudo-terminal: whole transcripts."""

from __future__ import annotations

import os
import re
import signal
import tomllib
from pathlib import Path

import pytest

from siliconfriend.person import model_choices as choices
from siliconfriend.person.model_choices import suggested_model
from tests.cli.conftest import Run
from tests.cli.pseudo_terminal import Terminal, terminal
from tests.loopback import LoopbackServer, streamed

pytestmark = pytest.mark.slow

OTHER = str(list(choices.describe_choices("en")).index(choices.OTHER))
"""The number of "another server" in the list."""

TRANSCRIPT = """\
Language, 语言 (en, cn) [en]: en
Return alone takes what stands in brackets. Ctrl-C leaves and changes nothing.
Your name: Ada
The name of your companion [SiliconFriend]: Moss
QUESTION
LIST
Number or name [{usual}]: {number}
Its address: {address}
Which model: small
Its key, SILICONFRIEND_LLM_KEY (it is not shown; return leaves it as it is):\x20
Asking it for one answer …
openai answers (SECONDS s).
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
            ("leaves it as it is): ", "sk-secret"),
        )
    usual = suggested_model().name
    named = {"home": home, "address": loopback.url, "usual": usual, "number": OTHER}
    assert _without_list(transcript) == TRANSCRIPT.format(**named)
    values = {"language": "en", "user": "Ada", "companion_name": "Moss", "llm": "openai"}
    model = {"llm_address": loopback.url, "model": "small", "llm_key": "sk-secret"}
    assert _settings(home) == values | model
    assert (home / "config.toml").stat().st_mode & 0o777 == 0o600
    assert loopback.keys == ["Bearer sk-secret"]


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
    assert "Nothing was changed." in shown.shown
    assert "Traceback" not in shown.shown
    assert [path.name for path in home.iterdir()] == ["config.toml"]
    assert _settings(home) == {"user": "Bo"}


def test_without_a_terminal_setup_says_what_to_do(run: Run, home: Path) -> None:
    """A script is not left hanging at a question."""
    done = run("setup", said="")
    assert (done.code, done.out) == (2, "")
    assert f"siliconfriend --home {home} config set NAME VALUE" in done.err
    assert not home.exists()


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
