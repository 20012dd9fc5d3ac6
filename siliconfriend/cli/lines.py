"""How a memory is printed: in a list, and as it was recalled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .app import App
from .terminal import Style, styled

if TYPE_CHECKING:
    from siliconfriend.recall.results import Recalled

KIND_NAMES = {
    "turn": "said",
    "day": "summary",
    "event": "event",
    "fact": "fact",
    "insight": "insight",
    "topic": "topic",
}
ASPECTS = {
    "attribute": "what they are like",
    "relation": "how they are to others",
    "scene": "a picture remembered",
    "promise": "what I promised or recommended",
}


def memory_line(app: App, item: dict[str, Any]) -> str:
    """Format one memory for reading: day, state, fate, the words."""
    retention = (
        app.text("with strength {value:g}", value=item["strength"])
        if item["retention"] is None
        else f"{item['retention']:.2f}"
    )
    values = {
        "state": app.text(item["state"]),
        "kind": app.text(KIND_NAMES[item["kind"]]),
        "retention": retention,
        "fate": _fate(app, item),
    }
    line = "{date}  {state} {retention}  {kind}{fate}  {id}".format(**(item | values))
    words = "\n".join(f"      {part}" for part in item["text"].splitlines())
    return "\n".join((styled(line, Style.QUIET), words, *_about(app, item)))


def _about(app: App, item: dict[str, Any]) -> list[str]:
    """Format whom a fact is about and when it was said, or when and where an event was."""
    if item["kind"] == "fact":
        about = {name: item[name] for name in ("entity", "first", "last")}
        aspect = app.text(ASPECTS[item["aspect"]])
        told = "      about {entity} ({aspect}), told from {first} to {last}"
        found = [app.text(told, **about, aspect=aspect)]
        if item["superseded_by"]:
            found.append(
                app.text("      no longer holds; in its place: {id}", id=item["superseded_by"])
            )
        return found
    if item["kind"] == "event":
        time = item["time"] and item["time"][:16].replace("T", " ")
        found = [part for part in (time, item["place"], item["scene"]) if part]
        return [f"      {' · '.join(found)}"] if found else []
    return []


def _fate(app: App, item: dict[str, Any]) -> str:
    if item["unkept"]:
        return app.text(", not kept: the next night removes it")
    if item["pinned"]:
        return app.text(", pinned")
    if item["state"] == "vivid" and item["dims_on"]:
        return app.text(", fades on {day}", day=item["dims_on"])
    if item["state"] == "faded" and item["archived_on"]:
        return app.text(", archived on {day}", day=item["archived_on"])
    return ""


def recalled_line(app: App, recalled: Recalled, *, why: bool) -> str:
    """Format one recalled memory: day, score, words; with ``why`` its kind and the score's parts."""
    from siliconfriend.control.listing import words_of
    from siliconfriend.memory.records import kind_of

    memory = recalled.memory
    words = words_of(memory).splitlines()
    first, *more = words or [""]
    lines = [f"{memory.date}  {recalled.likelihood or recalled.score:.2f}  {first}"]
    lines += [f"{'':18}{line}" for line in more]
    if why:
        kind, state = app.text(KIND_NAMES[kind_of(memory)]), app.text(recalled.state)
        parts = ", ".join(f"{name} {value:.3f}" for name, value in recalled.parts.items() if value)
        lines.append(f"{'':18}({kind}, {state}: {parts})")
    return "\n".join(lines)
