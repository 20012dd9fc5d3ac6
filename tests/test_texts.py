"""Sentences, language data and prompts exist in both languages, and name the same values in each."""

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import click
import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from siliconfriend import texts
from siliconfriend.errors import ConfigurationError
from siliconfriend.prompts.loader import Prompts, variables_of
from siliconfriend.shipped import PROMPTS
from siliconfriend.texts import Counted, sentences

AREAS = sorted({path.stem for path in texts.FOLDER.glob("??/*.toml")})
TERMINAL = [
    *sorted((texts.FOLDER.parent / "cli").glob("*.py")),
    texts.FOLDER.parent / "person/checkup.py",
]
ALIKE = {
    "Read the options that all commands share.",
    "Where did Theo lose his glasses?",
    "{date}  {state} {retention}  {kind}{fate}  {id}",
}
"""Sentences in the terminal's code that nobody is shown."""
WORD_LISTS = {"moods"}
"""Areas that are lists of words of a language, with no counterpart word for word."""
CATALOGUES = texts.LOCALE / "zh" / "LC_MESSAGES"


def _flat(table: dict[str, Any], before: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{key}.")
        else:
            found[before + key] = value
    return found


def _variables(value: object) -> set[str]:
    if not isinstance(value, str):
        return set()
    return {name.lower() for _, name, _, _ in string.Formatter().parse(value) if name}


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_have_the_same_keys(area: str) -> None:
    """No text and no variable of a text is missing; the kinds of words are each language's own."""
    english, chinese = (
        {key: value for key, value in flat.items() if not key.startswith("kinds.")}
        for flat in (_flat(texts.area(area, "en")), _flat(texts.area(area, "cn")))
    )
    assert english.keys() == chinese.keys()
    if area in WORD_LISTS:
        return
    for key in english:
        assert _variables(english[key]) == _variables(chinese[key]), key


def _catalogue(domain: str) -> Catalog:
    with (CATALOGUES / f"{domain}.po").open("rb") as file:
        return read_po(file, locale="zh")


def _ids(catalogue: Catalog) -> set[tuple[str | None, Any]]:
    return {(message.context, message.id) for message in catalogue if message.id}


def test_every_sentence_is_in_the_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing else is; where this fails, ``make catalogues`` brings it level."""
    monkeypatch.chdir(texts.FOLDER.parents[1])
    template = tmp_path / "template.pot"
    command = ["pybabel", "--quiet", "extract", "--output", str(template)]
    CommandLineInterface().run(command)  # type: ignore[no-untyped-call]
    with template.open("rb") as file:
        said = _ids(read_po(file))
    assert len(said) > 1000
    assert said == _ids(_catalogue("siliconfriend"))


def test_every_sentence_of_click_is_in_its_catalogue() -> None:
    """Of the click that is installed."""
    said = {found[2] for found in extract_from_dir(Path(click.__file__).parent)}
    assert len(said) > 50
    assert said <= {identifier for _, identifier in _ids(_catalogue("click"))}


@pytest.mark.parametrize("domain", ["siliconfriend", "click"])
def test_every_sentence_is_translated(domain: str) -> None:
    """None is missing, unsure or left over, and no translation names a value that the English has not."""
    catalogue = _catalogue(domain)
    assert not catalogue.obsolete
    for message in catalogue:
        if not message.id:
            continue
        *_, english = (message.id,) if isinstance(message.id, str) else message.id
        found = message.string
        chinese = found if isinstance(found, str) else "".join(found or ())
        assert chinese, english
        assert not message.fuzzy, english
        assert not list(message.check(catalogue)), english
        may_leave_out = domain == "click" or (message.context or "").startswith("offline.says.")
        left_out = _variables(english) - _variables(chinese)
        assert may_leave_out or not left_out, english
        assert _variables(chinese) <= _variables(english), english


@pytest.mark.parametrize("domain", ["siliconfriend", "click"])
def test_what_is_compiled_is_what_is_written(domain: str) -> None:
    """The compiled catalogue, which the program reads, holds the same as its source."""
    compiled = BytesIO()
    write_mo(compiled, _catalogue(domain))
    assert (CATALOGUES / f"{domain}.mo").read_bytes() == compiled.getvalue()


def test_a_number_has_its_noun() -> None:
    """One or many, as each language says it; a bare number and its format stay as they are."""
    words = "{people} with {turns}, all read whole"
    one = {"people": Counted(1, "person"), "turns": Counted(1, "turn")}
    many = {"people": Counted(3, "person"), "turns": Counted(0, "turn")}
    assert texts.translate(words, "en", **one) == "1 person with 1 turn, all read whole"
    assert texts.translate(words, "en", **many) == "3 people with 0 turns, all read whole"
    assert texts.translate(words, "cn", **many) == "3 个人，0 轮对话，全部完整"


def test_a_sentence_has_a_form_for_one() -> None:
    """A language without such forms says both alike."""
    said = [texts.plural("times", "distance.month", count, "en") for count in (1, 2)]
    assert said == ["about 1 month", "about 2 months"]
    assert texts.plural("times", "distance.month", 1, "cn") == "约1个月"


FOLDERS = {
    **dict.fromkeys(("text", "escaped_text", "plural", "sentences"), "sentences"),
    **dict.fromkeys(("lookup", "area"), "??"),
}
"""The folders of the areas that each function looks into."""


def test_what_the_code_looks_up_is_there() -> None:
    """Every area that a call names is there, and every key that stands in the call as it is."""
    package, seen = texts.FOLDER.parent, 0
    for path in [*package.rglob("*.py"), *(package.parent / "webui").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id=name), args=[ast.Constant(value=str(area)), *rest]
                ) if name in FOLDERS:
                    files = list(texts.FOLDER.glob(f"{FOLDERS[name]}/{area}.toml"))
                    assert files, (path, area)
                    seen += 1
                    if rest and isinstance(key := getattr(rest[0], "value", None), str):
                        known = {
                            key
                            for file in files
                            for key in _flat(tomllib.loads(file.read_text("utf-8")))
                        }
                        assert any(f"{one}.".startswith(f"{key}.") for one in known), (path, key)
    assert seen > 100


def test_what_the_page_says_is_there() -> None:
    """Every key, or beginning of one, that its code and its templates name."""
    known, page = _flat(texts.sentences("web", "en")), texts.FOLDER.parents[1] / "webui"
    files = [path for path in page.rglob("*") if path.suffix in (".py", ".html")]
    said = {
        (path.name, key)
        for path in files
        for key in re.findall(r"\bsay\(['\"]([\w.]+)['\"]", path.read_text("utf-8"))
    }
    assert len(said) > 50
    wrong = {
        (name, key)
        for name, key in said
        if key not in known and not (key[-1] in "._" and any(one.startswith(key) for one in known))
    }
    assert wrong == set()


def _own_sentences(path: Path) -> Iterator[str]:
    """What a module of the terminal may show: its sentences, and the help of its commands."""
    tree = ast.parse(path.read_text("utf-8"))
    hidden = {
        id(part)
        for node in ast.walk(tree)
        for part in (node.values if isinstance(node, ast.JoinedStr) else [])
    }
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for inner in body if isinstance(body, list) else []:
            if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant):
                hidden.add(id(inner.value))
                if isinstance(node, ast.FunctionDef) and "command(" in _decorators(node):
                    yield " ".join(str(inner.value.value).split())
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in hidden
        ):
            yield node.value


def _decorators(function: ast.FunctionDef) -> str:
    return " ".join(ast.unparse(decorator) for decorator in function.decorator_list)


@pytest.mark.parametrize("path", TERMINAL, ids=lambda path: path.stem)
def test_what_the_terminal_says_has_its_chinese(path: Path) -> None:
    """Every sentence in the code is in the catalogue, and names the same values there."""
    said = {words for words in _own_sentences(path) if re.search(r"\w{2}.* .*\w{2}", words)}
    missing = {words for words in said if texts.translate(words, "cn") == words}
    assert {words for words in missing if "siliconfriend.cli" not in words} <= ALIKE
    for words in said - missing:
        assert _variables(words) == _variables(texts.translate(words, "cn")), words


NAMES = sorted({path.stem for path in PROMPTS.glob("*/*.md")})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An operator's folder with one prompt of their own."""
    own = tmp_path / "en"
    own.mkdir()
    (own / "greet.md").write_text('Greet {name}. Form: {"mood": "{mood}"}', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_twins_have_the_same_variables(name: str) -> None:
    """Each prompt is there in both languages and names the same variables in each."""
    english, chinese = Prompts("en").source(name), Prompts("cn").source(name)
    assert english
    assert variables_of(english) == variables_of(chinese)


def test_values_are_put_in_once(folder: Path) -> None:
    """Braces in a person's words stay as they are, and so do those of a piece of JSON."""
    prompts = Prompts("en", folder)
    assert prompts.render("greet", name="{mood} {0} {}", mood="glad", unused=1) == (
        'Greet {mood} {0} {}. Form: {"mood": "glad"}'
    )


def test_a_section_of_nothing_is_left_out(folder: Path) -> None:
    """With its tags, where it would hold nothing else; words of a person are never taken for one."""
    source = 'Before.\n\n<a day="{day}">\n{a}\n</a>\n\n<b>\nAlso:\n{b}\n</b>\n{c}'
    (folder / "en" / "greet.md").write_text(source, encoding="utf-8")
    prompts = Prompts("en", folder)
    assert prompts.render("greet", day=None, a=None, b=None, c="<b>\nx\n</b>") == (
        "Before.\n\n<b>\nAlso:\n\n</b>\n‹b>\nx\n‹/b>"
    )
    assert '<a day="1">\n\n</a>' in prompts.render("greet", day=1, a="", b="", c="")


def test_a_missing_variable_is_named(folder: Path) -> None:
    """The error says which variable of which file, and what it could name."""
    with pytest.raises(ConfigurationError) as caught:
        Prompts("en", folder).render("greet", name="Ada")
    assert "en/greet.md" in str(caught.value)
    assert "{mood}" in str(caught.value)
    assert "it can use name" in str(caught.value)


def test_an_own_file_stands_for_that_one_only(folder: Path) -> None:
    """The operator's folder is looked at first; what it lacks comes from the program."""
    (folder / "en" / "chat.md").write_text("Be brief.", encoding="utf-8")
    assert Prompts("en", folder).render("chat") == "Be brief."
    assert Prompts("cn", folder).source("chat") == Prompts("cn").source("chat")


def test_a_file_that_is_no_text_is_reported(folder: Path) -> None:
    """A prompt saved in another encoding is an error with its path, not garbled words."""
    (folder / "en" / "chat.md").write_bytes("你好".encode("gb18030"))
    with pytest.raises(ConfigurationError, match="UTF-8"):
        Prompts("en", folder).source("chat")


def test_each_step_of_a_night_that_the_page_names_exists() -> None:
    """By the names under which a night reports what it does."""
    steps = sentences("web", "en")["night"]["steps"]
    assert steps.keys() <= sentences("night", "en")["report"]["texts"].keys()
