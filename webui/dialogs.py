"""Dialogs that a handler opens: what they ask, told to the browser as data.

The browser makes a real dialog of it (``static/asked.js``): the focus moves in, Esc closes it,
and it goes back to where it was. What is answered comes back as a click with a verb, the id that
it is about and the words of the fields, and is validated like any other click.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from .labels import Labels
from .markup import script_json
from .privacy import gr

ON_ASKED = """
const asked = () => document.dispatchEvent(new CustomEvent('sf:asked', {detail: {
    told: props.value, answer: (given) => trigger('click', given)}}));
watch('value', asked);
"""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dialog: its name, its label, and the words that stand in it."""

    name: str
    label: str
    words: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A button of a dialog.

    Attributes:
        verb: what is answered; empty only closes the dialog.
        label: what stands on it.
        kind: how it looks.
    """

    verb: str
    label: str
    kind: Literal["", "primary", "danger"] = ""


@dataclass(frozen=True, slots=True)
class Dialog:
    """What a dialog asks.

    Attributes:
        name: begins the ids of its elements.
        about: the id of what it is about.
        title: its heading.
        choices: its buttons, the first of them the one that changes nothing.
        quote: words that it is about, shown as they are.
        fields: what can be written into.
    """

    name: str
    about: str
    title: str
    choices: Sequence[Choice]
    quote: str = ""
    fields: Sequence[Field] = ()

    def opened(self) -> str:
        """Return what the place of dialogs is to show, so that this one opens, also once more."""
        return script_json({**asdict(self), "time": secrets.token_hex(4)})


CLOSED = ""
"""What the place of dialogs is to show, so that none is open."""


def dialog_place(labels: Labels) -> Any:
    """Return where a handler puts a dialog that it opens; clicked with what was answered."""
    place = gr.HTML(js_on_load=ON_ASKED, elem_classes="sf-bridge")
    return labels.transient(place, value=CLOSED)
