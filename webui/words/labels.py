"""Every label of the page in both languages, changed all at once.

A component made here is remembered with the keys of its texts, so that no label can be
left behind in the other language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from siliconfriend.texts import Language, text

from ..privacy import gr

Keys = Mapping[str, "str | Sequence[tuple[str, str]]"]
"""For each property the key of its text; for ``choices`` pairs of key and value."""


LANGUAGE_NAMES: Mapping[Language, str] = {"en": "English", "cn": "中文"}
"""What each language calls itself, the same in both."""


def say(key: str, language: Language, /, **values: object) -> str:
    """Return a text of the page."""
    return text("web", key, language, **values)


class Labels:
    """Makes components, and returns their updates for another language or person."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.components: list[Any] = []
        self._keys: list[Keys] = []
        self._passing: dict[int, dict[str, Any]] = {}
        self._personal: list[tuple[Any, dict[str, Any]]] = []

    def make(self, kind: Any, keys: Keys, **properties: Any) -> Any:
        """Make a component with its texts in the first language."""
        component = kind(**self._texts(keys, self.language), **properties)
        self.components.append(component)
        self._keys.append(keys)
        return component

    def transient(self, component: Any, **properties: Any) -> Any:
        """Register a component that another language or person resets to ``properties``."""
        self.components.append(component)
        self._keys.append({})
        self._passing[len(self._keys) - 1] = properties
        return self.personal(component, **properties)

    def personal(self, component: Any, **properties: Any) -> Any:
        """Register a component that another person resets to ``properties``."""
        self._personal.append((component, properties))
        return component

    @property
    def personals(self) -> list[Any]:
        """The components that another person resets."""
        return [component for component, _ in self._personal]

    def blanks(self) -> list[Any]:
        """Return their updates for another person, in the order of :attr:`personals`."""
        return [gr.update(**properties) for _, properties in self._personal]

    def updates(self, language: Language) -> list[Any]:
        """Return the update of each of :attr:`components` for a language."""
        return [
            gr.update(**self._texts(keys, language), **self._passing.get(place, {}))
            for place, keys in enumerate(self._keys)
        ]

    def localize(self, components: list[dict[str, Any]], language: Language) -> None:
        """Put a language's texts into the components of Gradio's configuration."""
        by_id = {it["id"]: it["props"] for it in components}
        for component, keys in zip(self.components, self._keys, strict=True):
            by_id[component._id].update(self._texts(keys, language))

    @staticmethod
    def _texts(keys: Keys, language: Language) -> dict[str, Any]:
        return {
            name: say(key, language)
            if isinstance(key, str)
            else [(say(it, language), value) for it, value in key]
            for name, key in keys.items()
        }
