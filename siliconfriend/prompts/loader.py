"""Load prompts from files and fill in their variables (``{memories}``), each value escaped.

All variables are replaced at once, so braces in a person's words stay. A file of the operator's
own folder, such as ``en/chat.md``, replaces the program's.
"""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from siliconfriend.errors import ConfigurationError
from siliconfriend.prompts.escape import Escaped, escape, escape_attribute, escape_inline, join
from siliconfriend.prompts.marks import VARIABLE, headings_of
from siliconfriend.shipped import PROMPTS
from siliconfriend.texts import Language

_SECTION = re.compile(rf"^<(?P<tag>\w+)[^<>\n]*>\n{VARIABLE.pattern}\n</(?P=tag)>$", re.MULTILINE)
"""Matches a section of one variable."""


def variables_of(prompt: str) -> frozenset[str]:
    """Return the names of the variables of a prompt."""
    return frozenset(VARIABLE.findall(prompt))


class Prompts:
    """The prompts of one language; in ``folder`` the operator's own are tried first."""

    def __init__(self, language: Language, folder: Path | None = None) -> None:
        self.language = language
        self._folders = [PROMPTS] if folder is None else [folder, PROMPTS]

    def source(self, name: str) -> str:
        """Read the prompt ``name``; ConfigurationError: it is missing or not UTF-8 text."""
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
        """Check the variables of a prompt; ConfigurationError: one is unknown, or no prompt."""
        self._check(name, self.source(name), variables_of(Prompts(self.language).source(name)))

    def render(self, name: str, /, **variables: object) -> Escaped:
        """Render the prompt ``name`` with escaped values.

        A variable alone on its line keeps the lines of its value, or the items of a list; elsewhere
        the value is joined to one line. A section whose variable is None is left out.
        ConfigurationError: as :meth:`source`, or a variable has no value.
        """

        def section(found: re.Match[str]) -> str:
            return "" if variables.get(found.group(2), "") is None else found.group()

        def value(found: re.Match[str]) -> str:
            given = variables[found.group(1)]
            return "" if given is None else _escaped(given, source, found, labels)

        source = _SECTION.sub(section, self.source(name))
        self._check(name, source, variables)
        # No line of another value may begin with the label of a speaker.
        speakers = (str(variables.get(name, "")) for name in ("person", "companion_name"))
        labels = [*speakers, *headings_of(source)]
        return Escaped(re.sub(r"\n{3,}", "\n\n", VARIABLE.sub(value, source)).strip())

    def _check(self, name: str, source: str, known: Collection[str]) -> None:
        unknown = sorted(variables_of(source).difference(known))
        if unknown:
            path, names = f"{self.language}/{name}.md", ", ".join(sorted(known)) or "-"
            raise ConfigurationError("prompt_variable", name=path, variable=unknown[0], known=names)


def _escaped(value: object, source: str, variable: re.Match[str], labels: Sequence[str]) -> Escaped:
    before = source[: variable.start()].rpartition("\n")[2]
    after = source[variable.end() :].partition("\n")[0]
    if before.rfind("<") > before.rfind(">"):
        return escape_attribute(value)
    if before.strip() or after.strip():
        return escape_inline(value, labels)
    lines = value if isinstance(value, list | tuple) else [value]
    return join(escape(line, labels) for line in lines)
