"""The output of a measurement: a table or JSON, and if asked for a picture and a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings
from siliconfriend.texts import text

from .app import App, print_json

if TYPE_CHECKING:
    from siliconfriend.evaluation.table import Table

STORE = "postgresql"
"""What a store that is no file is called on the page."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the options say of recipes and results.

    Attributes:
        recipes: the recipes named; none means all.
        plot, write: the files of the picture and the page.
        vectors: the file that keeps embeddings.
        as_json: answer with a JSON document.
    """

    recipes: tuple[str, ...]
    plot: Path | None
    write: Path | None
    vectors: Path | None
    as_json: bool

    def recipe_names(self) -> tuple[str, ...]:
        """The recipes to measure, each once.

        Raises:
            UsageError: there is no recipe of one of the names.
        """
        from siliconfriend.recall.recipes import RECIPES, recipe_named

        for name in self.recipes:
            recipe_named(name)
        return tuple(dict.fromkeys(self.recipes)) or tuple(RECIPES)


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of a measurement.

    Attributes:
        kind: ``probing``, ``locomo``, ``answers``, ``talk`` or ``life``.
        files: what was measured on.
        command: how to run it again, without the program's name and the recipes.
        documents: a JSON object for each recipe.
        table: the same for a person.
        shares: what is drawn, by recipe.
        answered_by: the kind of model that answered, where one did.
    """

    kind: str
    files: tuple[Path, ...]
    command: str
    documents: Sequence[Mapping[str, Any]]
    table: Table
    shares: Mapping[str, Mapping[str, float]]
    answered_by: str = ""

    def section(self, settings: Settings) -> str:
        """Its name on the page, the same whenever the same is measured over the same kind of store."""
        store = "" if settings.store == "file" else STORE
        names = (self.kind, *(it.stem for it in self.files), self.answered_by, store)
        return " ".join(filter(None, names))


def report(app: App, settings: Settings, measurement: Measurement, outputs: Outputs) -> None:
    """Print the result, draw it and write it down."""
    if outputs.plot is not None:
        _draw(app, measurement, outputs.plot)
    if outputs.write is not None:
        _write(app, settings, measurement, outputs.write)
    if outputs.as_json:
        print_json({"results": list(measurement.documents)})
    else:
        measurement.table.show()


def _draw(app: App, measurement: Measurement, path: Path) -> None:
    from siliconfriend.evaluation.plot import draw

    def label(key: str) -> str:
        return text("evaluation", f"plot.{key}", app.language)

    below = "" if measurement.kind in ("answers", "life") else label("depth")
    draw(path, label(measurement.kind), list(measurement.shares.items()), below=below)
    _say(app, "drawn", path)


def _write(app: App, settings: Settings, measurement: Measurement, path: Path) -> None:
    from siliconfriend.evaluation.results_page import write_section
    from siliconfriend.recall.recipes import RECIPES

    def label(key: str, **values: object) -> str:
        return text("evaluation", f"page.{key}", app.language, **values)

    # An address can hold a password: only what stands before it is written down.
    over = "" if settings.store == "file" else f"SILICONFRIEND_STORE={STORE}://… "
    section = measurement.section(settings)
    body = "\n\n".join(
        (
            f"## {section}",
            f"{label('command')} `{over}siliconfriend {measurement.command}`",
            label("embedding", embedding=settings.embedding),
            measurement.table.to_markdown(),
        )
    )
    recipes = {name: recipe.score for name, recipe in RECIPES.items()}
    write_section(path, section, body, language=app.language, recipes=recipes)
    _say(app, "written", path)


def _say(app: App, key: str, path: Path) -> None:
    click.echo(text("evaluation", f"table.{key}", app.language, path=path), err=True)
