"""``memories plot``: retention curves as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from siliconfriend.control.policy_text import formula
from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import is_chinese
from siliconfriend.texts import Language, text

from .app import App, pass_app
from .completion import complete_ids
from .localized_click import Command, help_text
from .opened_memory import OpenedMemory
from .options import companion_option, user_option
from .param_types import FilePath

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from siliconfriend.control.curves import LifeCurve


DASHES = ("-", "--", "-.", ":")
FORMATS = (".png", ".svg", ".pdf")
SHOWN = 5
"""Curves in a picture where no ids were named."""
AHEAD = 0.35
"""How far the picture goes on behind the present, as a share of what lies before it."""
DAYS = ("%Y", "%Y-%m", "%m-%d", "%m-%d %H:%M", "%H:%M", "%H:%M:%S")
"""How ticks are written, from years down to seconds, without names of months."""
LONGEST_LABEL = 28
CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "Noto Serif CJK SC"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "PingFang SC", "Heiti SC", "Hiragino Sans GB"),
    *("Microsoft YaHei", "SimHei", "SimSun", "Droid Sans Fallback", "Arial Unicode MS"),
)
"""Fonts with Chinese characters, the one that reads best first."""


@click.command("plot", cls=Command, help=help_text("memories_plot"))
@click.argument("ids", metavar="[ID]...", nargs=-1, shell_complete=complete_ids)
@click.option(
    "--out",
    metavar="FILE",
    required=True,
    type=FilePath(),
    help=help_text("plot_out"),
)
@user_option()
@companion_option()
@pass_app
def plot_memories(
    app: App, ids: tuple[str, ...], out: Path, user: str | None, companion: str | None
) -> None:
    """Plot the retention of some memories over time, with their recalls."""
    from siliconfriend.control.actions import find_memories
    from siliconfriend.control.curves import life_curve, most_recalled

    if out.suffix.lower() not in FORMATS:
        raise ConfigurationError("plot_format", path=out, known=", ".join(FORMATS))
    opened = OpenedMemory.of(app, user, companion, in_their_language=False)
    memory = opened.memory
    chosen = find_memories(memory, ids) if ids else most_recalled(memory, SHOWN)
    if not chosen:
        click.echo(app.text("memories.none", name=opened.scope.person))
        return
    begun = min(record.trace.begun for record in chosen)
    until = opened.now + max((opened.now - begun) * AHEAD, timedelta(days=7))
    curves = [life_curve(record, memory, opened.policy, until) for record in chosen]
    language = memory.profile.language
    font = _font(app, language, [opened.scope.person, *(_label(it) for it in curves)])
    if font is None:
        language = "en"
    title = text("control", "plot.title", language, name=opened.scope.person)
    picture = _Picture(
        f"{title}\n{formula(opened.policy, language)}", opened.policy.has_curve, language, font
    )
    _draw(out, curves, picture, opened.now, memory.profile.zone)
    app.say("memories.drawn", memories=app.count("memory", len(curves)), path=out)


@dataclass(frozen=True, slots=True)
class _Picture:
    """The settings of a picture: ``has_curve`` draws retentions, else strengths."""

    title: str
    has_curve: bool
    language: Language
    font: str | None


def _font(app: App, language: Language, words: Sequence[str]) -> str | None:
    """The font to write with; None, with a notice, where Chinese is needed and none has it."""
    try:
        from matplotlib import font_manager
    except ImportError as error:
        raise ConfigurationError("plot_package") from error
    if language == "en" and not any(is_chinese(it) for it in words):
        return "DejaVu Sans"
    installed = set(font_manager.get_font_names())
    font = next((it for it in CHINESE_FONTS if it in installed), None)
    if font is None:
        app.say("memories.no_font")
    return font


def _label(curve: LifeCurve) -> str:
    from siliconfriend.control.listing import words_of

    words = " ".join(words_of(curve.memory).split())
    longest = LONGEST_LABEL // 2 if is_chinese(words) else LONGEST_LABEL
    short = words if len(words) <= longest else f"{words[: longest - 1]}…"
    # A dollar sign would begin a formula.
    return f"{curve.memory.date} {short}".replace("$", r"\$")


def _draw(
    path: Path,
    curves: Sequence[LifeCurve],
    picture: _Picture,
    now: datetime,
    zone: ZoneInfo,
) -> None:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    title, font = picture.title, picture.font
    families = [it for it in (font, "DejaVu Sans") if it]
    with rc_context({"font.family": families, "axes.unicode_minus": False}):
        figure = Figure(figsize=(9, 5), layout="constrained")
        axes = figure.add_subplot()
        for number, curve in enumerate(curves):
            label = _label(curve) if font else curve.memory.id
            _draw_curve(axes, curve, label, zone, DASHES[number % len(DASHES)])
        figure.suptitle(title.splitlines()[0], fontsize=12)
        axes.set_title(title.splitlines()[1], fontsize=8)
        _draw_frame(axes, now.astimezone(zone), picture)
        try:
            figure.savefig(path, dpi=120)
        except OSError as error:
            raise ConfigurationError("file_unwritable", path=path, cause=error) from error


def _draw_curve(axes: Axes, curve: LifeCurve, label: str, zone: ZoneInfo, dash: str) -> None:
    moments = [moment.astimezone(zone) for moment, _ in curve.points]
    values = [retention for _, retention in curve.points]
    (line,) = axes.plot(moments, values, dash, label=label, linewidth=1.6)  # type: ignore[arg-type]  # dates are drawn, though its types know numbers only
    recalls = [recall.astimezone(zone) for recall in curve.recalls]
    known = dict(curve.points)
    tops = [known[recall] for recall in curve.recalls]
    axes.plot(recalls, tops, "o", color=line.get_color(), clip_on=False, zorder=3)  # type: ignore[arg-type]  # the same


def _draw_frame(axes: Axes, now: datetime, picture: _Picture) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    def say(key: str) -> str:
        return text("control", f"plot.{key}", picture.language)

    axes.plot([], [], "o", color="grey", label=say("recalls"))
    axes.axvline(now, color="grey", linestyle="--", label=say("now"))  # type: ignore[arg-type]  # a date
    if picture.has_curve:
        axes.axhline(0.5, color="grey", linestyle=":", linewidth=1, label=say("half"))
    locator = AutoDateLocator(tz=now.tzinfo)  # type: ignore[no-untyped-call]  # matplotlib's
    axes.xaxis.set_major_locator(locator)
    formatter = ConciseDateFormatter(locator, now.tzinfo, list(DAYS), show_offset=False)  # type: ignore[no-untyped-call]
    formatter.zero_formats = list(DAYS)
    axes.xaxis.set_major_formatter(formatter)
    axes.set_ylim(0, 1.03 if picture.has_curve else None)
    axes.set_xlabel(say("days"))
    axes.set_ylabel(say("retention" if picture.has_curve else "strength"))
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="lower left", fontsize=8)
