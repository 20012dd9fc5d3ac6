"""Results as a picture: a line for each recipe over the depths, or bars where there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from siliconfriend.errors import ConfigurationError

FORMATS = (".png", ".svg", ".pdf")
DASHES = ("-", "--", "-.", ":")


def draw(
    path: Path,
    title: str,
    rows: Sequence[tuple[str, Mapping[str, float]]],
    *,
    below: str = "",
) -> None:
    """Draw shares between 0 and 1 by recipe.

    Args:
        path: where to; its ending decides the format.
        title: above the picture.
        rows: each recipe's name and its shares by depth (or by what they are shares of).
        below: what the names of the shares are.

    Raises:
        ConfigurationError: matplotlib is not installed, the ending is none of
            :data:`FORMATS`, or the file cannot be written.
    """
    if path.suffix.lower() not in FORMATS:
        raise ConfigurationError("plot_format", path=path, known=", ".join(FORMATS))
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigurationError("plot_package") from error
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for number, (recipe, shares) in enumerate(rows):
        dash = DASHES[number % len(DASHES)]
        axes.plot(list(shares), list(shares.values()), dash, marker="o", label=recipe)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel(below)
    axes.set_title(title)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="lower right")
    try:
        figure.savefig(path)
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error
