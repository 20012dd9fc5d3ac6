"""The output of a measurement: a table or JSON, and if asked for a picture and a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from siliconfriend.config import Settings
from siliconfriend.texts import text

from .app import App, print_json

if TYPE_CHECKING:
    from siliconfriend.evaluation.table import Table

STORE = "postgresql"
"""The name of a database store on the page."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """The options on recipes and results.

    Attributes:
        write: the file of the page.
        vectors: the file that keeps embeddings.
        as_json: answer with a JSON document.
        recipes: the recipes named; none means all.
        plot: the file of the picture.
        out: the file of what was learned.
    """

    write: Path | None
    vectors: Path | None
    as_json: bool
    recipes: tuple[str, ...] = ()
    plot: Path | None = None
    out: Path | None = None

    def recipe_names(self) -> tuple[str, ...]:
        """The recipes to measure, each once.

        Raises:
            UsageError: there is no recipe of one of the names.
        """
        from siliconfriend.recall.recipes import RECIPES, recipe_named

        for name in self.recipes:
            recipe_named(name)
        return tuple(dict.fromkeys(self.recipes)) or tuple(RECIPES)


class Row(Protocol):
    """The result of one recipe, or of one thing that was learned."""

    def to_json(self) -> dict[str, Any]:
        """Serialize it as the command prints it."""


class RecipeRow(Row, Protocol):
    """The result of one recipe, with what a picture shows of it."""

    @property
    def recipe(self) -> str:
        """The recipe's name."""

    def shares(self) -> dict[str, float]:
        """What was reached, by what it is a share of."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of a measurement.

    Attributes:
        kind: the command's name.
        files: what was measured on, by option.
        rows: the results.
        table: the same for a person.
        flags: the options beside files and recipes, as they are typed.
        answered_by: the kind of model that answered, where one did.
    """

    kind: str
    files: Mapping[str, Sequence[Path]]
    rows: Sequence[Row]
    table: Table
    flags: str = ""
    answered_by: str = ""

    def command(self) -> str:
        """How to run it again, without the program's name and the recipes."""
        files = (f" --{name} {it.name}" for name, files in self.files.items() for it in files)
        return f"evaluate {self.kind}{''.join(files)}{self.flags}"

    def section(self, settings: Settings) -> str:
        """Its name on the page, the same whenever the same is measured over the same kind of store."""
        store = "" if settings.store == "file" else STORE
        files = (it.stem for files in self.files.values() for it in files)
        return " ".join(filter(None, (self.kind, *files, self.answered_by, store)))


def report(
    app: App,
    settings: Settings,
    measurement: Measurement,
    outputs: Outputs,
    shares: Mapping[str, Mapping[str, float]] | None = None,
) -> None:
    """Print the result, draw the shares of each recipe and write the page, as the options ask."""
    if outputs.plot is not None and shares is not None:
        _draw(app, measurement.kind, shares, outputs.plot)
    if outputs.write is not None:
        _write(app, settings, measurement, outputs.write)
    if outputs.as_json:
        print_json({"results": [it.to_json() for it in measurement.rows]})
    else:
        measurement.table.show()


def _draw(app: App, kind: str, shares: Mapping[str, Mapping[str, float]], path: Path) -> None:
    from siliconfriend.evaluation.plot import draw

    def label(key: str) -> str:
        return text("evaluation", f"plot.{key}", app.language)

    below = "" if kind in ("answers", "life") else label("depth")
    draw(path, label(kind), list(shares.items()), below=below)
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
            f"{label('command')} `{over}siliconfriend {measurement.command()}`",
            label("embedding", embedding=settings.embedding),
            measurement.table.to_markdown(),
        )
    )
    recipes = {name: recipe.score for name, recipe in RECIPES.items()}
    write_section(path, section, body, language=app.language, recipes=recipes)
    _say(app, "written", path)


def _say(app: App, key: str, path: Path) -> None:
    click.echo(text("evaluation", f"table.{key}", app.language, path=path), err=True)
