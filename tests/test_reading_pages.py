"""The pages a person reads: each has its Chinese twin, and what they quote and run is real."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.config.settings import OPTIONS
from siliconfriend.texts import LANGUAGES, Language, sentences
from tests.cli.conftest import Run
from tests.cli.conftest import run as run  # a fixture

DOCS = Path(__file__).parents[1] / "docs"
NAMED = {
    *("first-week", "troubleshooting", "faq"),
    *("companions", "web", "night", "forgetting", "clients", "container"),
    *("memories", "settings", "past"),
}
"""Pages that must have a twin; any other page in ``docs/cn`` must be one, too."""
PAGES = sorted(NAMED | {path.stem for path in (DOCS / "cn").glob("*.md")} - {"README"})
FOLDERS: dict[Language, Path] = {"en": DOCS, "cn": DOCS / "cn"}


def _read(page: str, language: Language) -> str:
    return (FOLDERS[language] / f"{page}.md").read_text(encoding="utf-8")


def _blocks(page: str, language: Language, sort: str) -> list[str]:
    words = _read(page, language)
    return re.findall(rf"^```{sort}\n(.*?)^```", words, re.MULTILINE | re.DOTALL)


def _commands(page: str, language: Language) -> list[list[str]]:
    lines = [line for block in _blocks(page, language, "sh") for line in block.splitlines()]
    return [shlex.split(line, comments=True) for line in lines]


def _skeleton(command: list[str]) -> list[str]:
    """The command and its options, without the names and words of a language."""
    named = [each for each in command[:3] if re.fullmatch("[a-z]+", each)]
    return [*named, *sorted({one for one in command if one.startswith("--")} - {"--lang"})]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_its_twin(page: str) -> None:
    """As many headings, messages and questions, the same commands, and each links the other."""
    english, chinese = _read(page, "en"), _read(page, "cn")
    if page in NAMED:
        assert f"(cn/{page}.md)" in english
        assert f"(../{page}.md)" in chinese
    for sign in (r"^#+ ", r"^> ", r"^\*\*"):
        assert len(re.findall(sign, english, re.M)) == len(re.findall(sign, chinese, re.M)), sign
    assert [_skeleton(one) for one in _commands(page, "en")] == [
        _skeleton(each) for each in _commands(page, "cn")
    ]


def test_the_chinese_index_lists_every_chinese_page() -> None:
    """And no other."""
    listed = set(re.findall(r"^\| \[[\w-]+\.md\]\(([\w-]+)\.md\)", _read("README", "cn"), re.M))
    assert listed == set(PAGES)


def _templates(language: Language) -> dict[str, str]:
    """The messages as a page can quote them: with ``…`` for what stands in braces."""
    return {
        key: re.sub(r"\{[^{}]*\}", "…", message)
        for key, message in sentences("errors", language).items()
        if isinstance(message, str)
    }


def _quoted(language: Language) -> list[str]:
    """The keys of the messages that the page on troubles quotes, in its order."""
    messages = re.findall(r"^> (.+)$", _read("troubleshooting", language), re.M)
    templates = _templates(language)
    found = [[key for key, one in templates.items() if one.startswith(words)] for words in messages]
    assert [words for words, keys in zip(messages, found, strict=True) if not keys] == []
    return [keys[0] for keys in found]


def test_troubles_quote_what_the_program_says() -> None:
    """Twenty messages and more, each the beginning of a real one, the same in both languages."""
    english, chinese = (_quoted(language) for language in LANGUAGES)
    assert english == chinese
    assert len(set(english)) == len(english) >= 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_settings_that_a_page_sets_are_settings(page: str, language: Language) -> None:
    """Also within a sentence, with a value they can have."""
    known = {option.name: option for option in OPTIONS}
    given = re.findall(r"`siliconfriend config set (\w+)(?: (\S+?))?`", _read(page, language))
    for name, value in given:
        assert name in known
        if value and value.isascii() and not value.isupper():
            known[name].kind.parse(value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_week_runs(
    run: Run, language: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command of every day does what it says, with what is typed in its talk."""
    monkeypatch.chdir(tmp_path)
    days = _read("first-week", language).split("\n## ")[1:]
    assert len(days) == 7
    identifier = ""
    for number, day in enumerate(days, 2):
        now = f"2026-11-{number:02}T20:00"
        (block,) = re.findall(r"^```sh\n(.*?)^```", day, re.M | re.S)
        talk = "".join(re.findall(r"^```text\n(.*?)^```", day, re.M | re.S))
        said = "".join(f"{line.partition(': ')[2]}\n" for line in talk.splitlines())
        for line in block.splitlines():
            words = [one if one != "ID" else identifier for one in shlex.split(line)[1:]]
            is_talk = words[0] == "chat"
            done = run(*words, said=said if is_talk else None, now=now)
            assert (done.code, "Traceback" in done.err) == (0, False), (line, done.err)
            if words[:2] in (["memories", "list"], ["memories", "search"]):
                identifier = run(*words, "--json", now=now).json["memories"][0]["id"]
    notes = next(path for path in tmp_path.iterdir() if path.name.endswith("-notes"))
    said = "\n".join(path.read_text(encoding="utf-8") for path in notes.rglob("*.md"))
    assert {"en": "I start at the museum", "cn": "我下周一去博物馆上班"}[language] in said
    assert {"en": "Nobody shall remember", "cn": "谁都不要记住"}[language] not in said


def test_the_examples_of_python_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an empty directory, offline, with the embedder that comes with the package."""
    (tmp_path / "memories").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SILICONFRIEND_HOME", str(tmp_path / "memories"))
    monkeypatch.setenv("SILICONFRIEND_LLM", "offline")
    blocks = _blocks("python", "en", "python")
    names: dict[str, Any] = {}
    printed = []
    for block in blocks:
        exec(compile(block, "python.md", "exec"), names)
        printed.append(capsys.readouterr().out)
    assert len(blocks) == 9
    assert printed[0].endswith(" 2026-03-01\n")
    assert printed[1].startswith("2026-03-01 ")
    assert printed[2].endswith(" 0\n")
    assert "Miso" in printed[-1]
