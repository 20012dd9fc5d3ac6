"""`setup` and the first `chat`, at a pseudo-terminal: whole transcripts, in both languages."""

from __future__ import annotations

import os
import re
import signal
import tomllib
from pathlib import Path

import pytest

from siliconfriend.config.presets import presets
from tests.cli.conftest import Run
from tests.cli.pseudo_terminal import Terminal, terminal
from tests.loopback import LoopbackServer, refused, streamed

pytestmark = pytest.mark.slow

OTHER = str(len(presets()) + 1)
"""The number of "another server" in the list: after none and the presets."""

ENGLISH = """\
Language, 语言 (en, cn) [en]: en
Return alone takes what stands in brackets. Ctrl-C leaves, and then nothing is changed.
Your name: Ada
The name of your companion [SiliconFriend]: Moss
Who answers? Without a model your companion answers from your own words, and nothing leaves this machine.
LIST
Number or name [offline]: {number}
Its address: {address}
Which model: small
Its key, if it asks for one (it is not shown; return for none):\x20
Asking it for one answer …
openai:small at {host} answers (SECONDS s).
Written to {home}/config.toml, which only you can read.
What you tell your companion is kept in {home}.
Talk with: siliconfriend chat
"""
CHINESE = """\
Language, 语言 (en, cn) [en]: 中文
直接回车就用方括号里的。Ctrl-C 离开，什么都不会改动。
怎么称呼你：小安
你的伙伴叫什么 [硅友]：小石
由谁来回答？没有模型时，伙伴用你自己说过的话回答，什么都不会离开这台机器。
LIST
编号或名字 [offline]：{number}
它的地址：{address}
用哪个模型：small
它的密钥，需要才填（输入时不显示；没有就直接回车）：
正在请它回答一句……
openai:small（{host}）有回答（SECONDS 秒）。
已写进 {home}/config.toml，只有你能读。
你对伙伴说的话都保存在 {home}。
开始聊天：siliconfriend chat
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
    short = re.sub(r"(?m)(^  \d .*\n)+", "LIST\n", transcript)
    return re.sub(r"\d+\.\d( s| 秒)", r"SECONDS\1", short)


def _settings(home: Path) -> dict[str, object]:
    return tomllib.loads((home / "config.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("expected", "answers", "values"),
    [
        (
            ENGLISH,
            (
                ("[en]: ", "en"),
                ("Your name: ", "Ada"),
                ("companion [SiliconFriend]: ", "Moss"),
                ("Number or name [offline]: ", OTHER),
                ("Its address: ", "ADDRESS"),
                ("Which model: ", "small"),
                ("return for none): ", "sk-secret"),
            ),
            {"language": "en", "user": "Ada", "companion_name": "Moss"},
        ),
        (
            CHINESE,
            (
                ("[en]: ", "中文"),
                ("怎么称呼你：", "小安"),
                ("[硅友]：", "小石"),
                ("编号或名字 [offline]：", OTHER),
                ("它的地址：", "ADDRESS"),
                ("用哪个模型：", "small"),
                ("没有就直接回车）：", "sk-secret"),
            ),
            {"language": "cn", "user": "小安", "companion_name": "小石"},
        ),
    ],
)
def test_a_first_setup_asks_tries_and_writes(
    home: Path,
    loopback: LoopbackServer,
    expected: str,
    answers: tuple[tuple[str, str], ...],
    values: dict[str, str],
) -> None:
    """The whole transcript; the key is in the file alone, which only its owner can read."""
    loopback.answers([streamed("Hello!")])
    typed = [(question, answer.replace("ADDRESS", loopback.url)) for question, answer in answers]
    with terminal("setup") as shown:
        transcript = _answer(shown, *typed)
    named = {"home": home, "address": loopback.url, "host": loopback.url[:-3], "number": OTHER}
    assert _without_list(transcript) == expected.format(**named)
    model = {"llm": "openai", "llm_address": loopback.url, "model": "small"}
    assert _settings(home) == values | model | {"openai_api_key": "sk-secret"}
    assert (home / "config.toml").stat().st_mode & 0o777 == 0o600
    assert loopback.keys == ["Bearer sk-secret"]


def test_a_model_that_does_not_answer_is_told_and_another_can_be_chosen(
    home: Path, loopback: LoopbackServer
) -> None:
    """The key is refused, none is kept, and the companion stays offline after all."""
    loopback.answers([refused(401)])
    with terminal("setup") as shown:
        transcript = _answer(
            shown,
            ("[en]: ", ""),
            ("Your name: ", "../etc"),
            ("Your name: ", "Ada"),
            ("[SiliconFriend]: ", ""),
            ("name [offline]: ", "99"),
            ("name [offline]: ", OTHER),
            ("address: ", "nowhere"),
            ("address: ", loopback.url),
            ("Which model: ", ""),
            ("Which model: ", "small"),
            ("return for none): ", "sk-wrong"),
            ("(otherwise choose again) [n]: ", ""),
            ("name [offline]: ", "0"),
        )
    for complaint in (
        "'../etc' cannot be a name",
        f"Write a number from 0 to {int(OTHER) + 1}, or a name of the list.",
        "Write an address that begins with http:// or https://.",
        "Something has to be written here.",
        "refused the key for small (401)",
    ):
        assert complaint in transcript
    assert "sk-wrong" not in transcript
    assert _settings(home) == {"language": "en", "user": "Ada", "llm": "offline"}


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


def test_a_second_setup_offers_what_is_set_and_takes_out_what_was_anothers(home: Path) -> None:
    """Return alone keeps names; the model of the service before does not stay behind."""
    home.mkdir()
    (home / "config.toml").write_text(
        'user = "Ada"\nllm = "deepseek"\nmodel = "their-model"\ndeepseek_api_key = "sk-1"\n',
        encoding="utf-8",
    )
    with terminal("setup") as shown:
        _answer(
            shown,
            ("[en]: ", ""),
            ("Your name [Ada]: ", ""),
            ("[SiliconFriend]: ", ""),
            ("name [deepseek]: ", "offline"),
        )
    assert _settings(home) == {
        "user": "Ada",
        "llm": "offline",
        "deepseek_api_key": "sk-1",
        "language": "en",
    }


def test_setup_offers_the_language_of_the_machine(home: Path) -> None:
    """A Chinese machine is asked in Chinese from the first line on."""
    with terminal("setup", LC_ALL="zh_CN.UTF-8") as shown:
        shown.wait_for("语言，Language（en，cn） [cn]：")
        shown.type("\x04")
        assert shown.wait_for_end() == 130
    assert "什么都没有改动。" in shown.shown
    assert not home.exists()


def test_without_a_terminal_setup_says_what_to_do(run: Run, home: Path) -> None:
    """A script is not left hanging at a question."""
    done = run("setup", said="")
    assert (done.code, done.out) == (2, "")
    assert f"siliconfriend --home {home} config set NAME VALUE" in done.err
    assert not home.exists()


def test_the_first_chat_asks_who_is_there_and_no_later_command_does(run: Run, home: Path) -> None:
    """The name is kept, so every later command knows the one person."""
    with terminal("chat") as shown:
        shown.wait_for("Your name: ")
        shown.type("Ada\n")
        shown.wait_for("You are Ada from now on; another person says --user NAME.")
        shown.wait_for("\nAda: ")
        shown.type("I planted beans.\n")
        shown.wait_for("\nAda: ")
        shown.type("/quit\n")
        shown.wait_for("Until next time, Ada.")
    assert _settings(home) == {"user": "Ada"}
    listed = run("memories", "list", "--json").json
    assert (listed["user"], len(listed["memories"])) == ("Ada", 1)
    with terminal("chat") as shown:
        shown.wait_for("good to have you back")
        assert "Your name" not in shown.shown


def test_the_first_chat_offers_the_one_person_there_is(run: Run, bank: Path, home: Path) -> None:
    """Off the record nothing is kept, not even the name."""
    run("import", str(bank))
    with terminal("chat", "--off-record") as shown:
        shown.wait_for("Your name [Ada]: ")
        shown.type("\n")
        shown.wait_for("good to have you back")
    assert not (home / "config.toml").exists()


def test_a_pipe_is_not_asked(run: Run) -> None:
    """Without a terminal a person has to be named."""
    done = run("chat", said="Hello\n")
    assert (done.code, done.out) == (2, "")
    assert "--user" in done.err
