"""What models are told, as files: one prompt a file, the same names in both languages.

A prompt names its variables in braces, ``{memories}``. They are put in all at once, so
braces in a person's own words stay what they are, and braces that are no variable (a
piece of JSON that shows a format) need no escaping. An operator's own folder may hold
``en/chat.md`` say, which then stands for that one file only.
"""

from __future__ import annotations

import re
from pathlib import Path

from siliconfriend.errors import ConfigurationError
from siliconfriend.texts import Language

_VARIABLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def shipped_folder() -> Path:
    """Where the prompts that come with the program lie: inside the wheel, or in the checkout."""
    inside = Path(__file__).parent / "prompt_files"
    return inside if inside.is_dir() else Path(__file__).parents[1] / "prompts"


def variables_of(prompt: str) -> frozenset[str]:
    """The names of the variables a prompt's text has."""
    return frozenset(_VARIABLE.findall(prompt))


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

    def render(self, name: str, /, **variables: object) -> str:
        """The prompt ``name`` with its variables put in; it need not use them all.

        Raises:
            ConfigurationError: as :meth:`source`, or it names a variable that is not given.
        """

        def value(found: re.Match[str]) -> str:
            variable = found.group(1)
            if variable not in variables:
                raise ConfigurationError(
                    "prompt_variable",
                    name=f"{self.language}/{name}.md",
                    variable=variable,
                    known=", ".join(sorted(variables)),
                )
            return str(variables[variable])

        return _VARIABLE.sub(value, self.source(name))
