"""The pages agree with each other and with the program, so that none of them can rot unseen."""

import re
import shlex
import tomllib
from contextlib import suppress
from pathlib import Path

import click
import pytest

from siliconfriend.cli.app import App
from siliconfriend.cli.main import program
from siliconfriend.config import Settings
from siliconfriend.config.presets import presets
from siliconfriend.config.settings import HOME, OPTIONS

ROOT = Path(__file__).parents[1]
TWINS = ("README.md", "README_cn.md")
SETTINGS = ("docs/settings.md", "docs/cn/settings.md")
PAGES = sorted(
    str(page.relative_to(ROOT))
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("memories/*.md"))
)


def _read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", _read(page), re.MULTILINE | re.DOTALL)


def _headings(page: str) -> list[str]:
    without_code = re.sub(r"^```.*?^```", "", _read(page), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^(#+) ", without_code, re.MULTILINE)


def _bare(command: str) -> str:
    """A command without its remark, and without the names and words of a language."""
    command = command.split("    #")[0].strip()
    command = re.sub(r'"[^"$]*"|--lang \w+', "", command)
    command = re.sub(r"--user \S+|delete \S+|--out \S+", lambda one: one[0].split()[0], command)
    return " ".join(command.split())


def _commands(page: str) -> list[str]:
    return [_bare(line) for block in _blocks(page, "sh") for line in block.splitlines()]


def test_the_twins_have_the_same_shape() -> None:
    """Both READMEs have the same headings, blocks of code and links, in the same order."""
    english, chinese = TWINS
    assert _headings(english) == _headings(chinese)
    for language in ("sh", "python", "text"):
        assert len(_blocks(english, language)) == len(_blocks(chinese, language)), language
    links = [re.findall(r"\]\(([^)#]+)", _read(page)) for page in TWINS]
    # The Chinese one leads to the Chinese page where there is one.
    links[1] = [one.replace("docs/cn/", "docs/") for one in links[1]]
    assert links[0][1:] == links[1][1:]
    assert (links[0][0], links[1][0]) == (chinese, english)


def test_the_twins_give_the_same_commands() -> None:
    """A command in one README stands in the other."""
    english, chinese = TWINS
    assert _commands(english) == _commands(chinese)


def test_the_night_is_scheduled_alike() -> None:
    """Units and cron lines are equal to the letter in both languages."""
    for language in ("ini", "cron"):
        units = _blocks("docs/night.md", language)
        assert units == _blocks("docs/cn/night.md", language) != []


@pytest.mark.parametrize("page", PAGES)
def test_relative_links_lead_somewhere(page: str) -> None:
    """Every link that does not leave the project names a file or a folder that is there."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", _read(page)):
        if not re.match(r"[a-z]+:", target):
            assert (ROOT / page).parent.joinpath(target).exists(), target


def test_the_index_lists_every_document() -> None:
    """A page that ``docs/README.md`` does not link would be found by nobody."""
    linked = set(re.findall(r"\]\(([^)#/]+\.md)\)", _read("docs/README.md")))
    assert linked == {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}


def test_the_files_to_change_are_there() -> None:
    """Every path that CONTRIBUTING.md names is in the tree, but for those still to be made."""
    named = re.findall(r"`([\w./-]+/[\w./-]*|\w+\.(?:md|py|txt))`", _read("CONTRIBUTING.md"))
    paths = [one for one in named if "NAME" not in one and not one.startswith("/")]
    assert len(paths) > 30
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_place_on_one_machine(page: str) -> None:
    """Paths are relative, the reader's own, or plainly made up."""
    assert not re.search(r"(?<![\w.~%])/(?:work|tmp|root|home|Users)/", _read(page))


@pytest.mark.parametrize("page", SETTINGS)
def test_every_setting_is_explained(page: str) -> None:
    """The table of settings names each setting there is, once, and no other."""
    named = re.findall(r"^\| `([A-Z_]+)` \|", _read(page), re.MULTILINE)
    assert sorted(named) == sorted(option.variables[0] for option in (HOME, *OPTIONS))


@pytest.mark.parametrize("page", SETTINGS)
def test_the_defaults_are_the_program_s(page: str) -> None:
    """What the table gives as a default is what the program uses."""
    settings = Settings(home=ROOT)
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \|.*\| ([^|]+) \|$", _read(page), re.MULTILINE))
    differing = ("timezone", "companion_name", "language")
    values = {
        one.variables[0]: getattr(settings, one.name)
        for one in OPTIONS
        if one.name not in differing
    }
    values["SILICONFRIEND_MODEL"] = presets()["openai"].model
    for variable, value in values.items():
        if value is not None:
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            assert rows[variable].strip("`") == shown


def _parse(words: list[str]) -> None:
    """Parse the words behind ``siliconfriend`` as the program does, and run nothing."""
    command: click.Command = program
    rest = list(words)
    while isinstance(command, click.Group) and rest[0] in command.commands:
        command = command.commands[rest.pop(0)]
    with suppress(click.exceptions.Exit):
        command.make_context(command.name, rest, obj=App())


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_are_the_program_s(page: str) -> None:
    """Each command of a block can be typed as it stands: its options and arguments exist."""
    for line in (line for block in _blocks(page, "sh") for line in block.splitlines()):
        if line.startswith("siliconfriend "):
            _parse(shlex.split(line.partition(" > ")[0], comments=True)[1:])


@pytest.mark.parametrize("page", TWINS)
def test_settings_set_in_examples_can_be_set(page: str) -> None:
    """Each ``config set`` names a setting and gives it a value it can have; a key is asked for."""
    known = {option.name: option for option in OPTIONS}
    examples = [
        command.split()[3:] for command in _commands(page) if " config set " in f" {command}"
    ]
    assert examples
    for name, *value in examples:
        if value or not known[name].is_secret:
            known[name].kind.parse(*value)


def test_the_version_is_the_one_that_is_built() -> None:
    """The package and its build name the same version."""
    import siliconfriend

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == siliconfriend.__version__
