"""Prompts as files, and how their variables (``{memories}``) are filled in, each value escaped.

They are put in all at once, so braces in a person's own words stay what they are. An operator's own
folder may hold ``en/chat.md`` say, which then stands for that one file only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from siliconfriend.errors import ConfigurationError
from siliconfriend.prompts.escape import (
    Escaped,
    escape,
    escape_attribute,
    escape_inline,
    join,
)
from siliconfriend.prompts.files import VARIABLE, headings_of, shipped_folder, variables_of
from siliconfriend.texts import Language

SPEAKERS = ("person", "companion_name")
"""Variables that name who speaks; in the other values no line may begin with such a label."""

_SECTION = re.compile(rf"^<(?P<tag>\w+)[^<>\n]*>\n{VARIABLE.pattern}\n</(?P=tag)>$", re.MULTILINE)
"""A section that holds one variable and nothing else."""


class Prompts:
    """The prompts of one language.

    Args:
        language: which of the twins.
        folder: an operator's own prompts, looked at first.
    """

    def __init__(self, language: Language, folder: Path | None = None) -> None:
        self.language = language
        self._folders = [shipped_folder()] if folder is None else [folder, shipped_folder()]

    def source(self, name: str) -> str:
        """The text of the prompt ``name`` with its variables still in it.

        Raises:
            ConfigurationError: there is no such prompt, or its file is not UTF-8 text.
        """
        for folder in self._folders:
            path = folder / self.language / f"{name}.md"
            try:
                return path.read_text(encoding="utf-8-sig").strip()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except (OSError, UnicodeDecodeError) as error:
                raise ConfigurationError("prompt_unreadable", path=path) from error
        raise ConfigurationError("prompt_missing", name=f"{self.language}/{name}.md")

    def validate(self, name: str) -> None:
        """Check the prompt ``name`` before anything is rendered with it.

        Raises:
            ConfigurationError: as :meth:`source`, or it names a variable it will not be given.
        """
        known = self._known_variables(name)
        unknown = sorted(variables_of(self.source(name)) - known)
        if unknown:
            raise self._unknown_variable(name, unknown[0], known)

    def render(self, name: str, /, **variables: object) -> Escaped:
        """The prompt ``name`` with its variables put in and escaped; it need not use them all.

        A variable alone on its line keeps the lines of its value, a list is put in line by line; elsewhere
        the value is joined to one line. A section whose variable is None is left out with its tags.

        Raises:
            ConfigurationError: as :meth:`source`, or it names a variable that is not given.
        """
        source = _without_empty_sections(self.source(name), variables)
        speakers = [str(variables[it]) for it in SPEAKERS if it in variables]
        labels = [*speakers, *headings_of(source)]

        def value(found: re.Match[str]) -> str:
            variable = found.group(1)
            if variable not in variables:
                raise self._unknown_variable(name, variable, variables)
            given = variables[variable]
            return "" if given is None else _escaped(given, source, found, labels)

        return Escaped(re.sub(r"\n{3,}", "\n\n", VARIABLE.sub(value, source)).strip())

    def _known_variables(self, name: str) -> frozenset[str]:
        """The variables a prompt may name: those of the file that comes with the program."""
        return variables_of(Prompts(self.language).source(name))

    def _unknown_variable(
        self, name: str, variable: str, known: Iterable[str]
    ) -> ConfigurationError:
        path = f"{self.language}/{name}.md"
        return ConfigurationError(
            "prompt_variable", name=path, variable=variable, known=", ".join(sorted(known)) or "-"
        )


def _without_empty_sections(source: str, variables: Mapping[str, object]) -> str:
    """The text of a prompt without the sections whose variable is None: an empty one says nothing."""

    def kept(found: re.Match[str]) -> str:
        return "" if variables.get(found.group(2), "") is None else found.group()

    return _SECTION.sub(kept, source)


def _escaped(value: object, source: str, variable: re.Match[str], labels: Sequence[str]) -> Escaped:
    """The value as the place of its variable asks for it."""
    before = source[: variable.start()].rpartition("\n")[2]
    after = source[variable.end() :].partition("\n")[0]
    if before.rfind("<") > before.rfind(">"):
        return escape_attribute(value)
    if before.strip() or after.strip():
        return escape_inline(value, labels)
    lines = value if isinstance(value, list | tuple) else [value]
    return join(escape(line, labels) for line in lines)
