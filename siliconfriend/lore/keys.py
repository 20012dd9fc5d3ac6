"""The keys of a lorebook's entries: which entries are told because a word of the talk calls them.

Any lore is recalled by meaning. An entry of a lorebook also has keys, and its maker counts on
it being there when one is said, and on it being away when a second key is asked for and
missing. Keys are compared as plain words; one that is a regular expression is never run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from siliconfriend.language.characters import fold, is_chinese
from siliconfriend.lore.entries import Entry

BOOK = "book"
"""The field of ``extra`` of an entry that holds what its lorebook says of it: an entry of
Character Card V3 without its ``content``."""

MOST_CALLED = 20
"""Entries that keys may bring into one reply."""

USUAL_ORDER = 100.0

Logic = Literal["any", "not_all", "not_any", "all"]
"""How many of the second keys must be said, or must not."""
LOGICS: tuple[Logic, ...] = ("any", "not_all", "not_any", "all")
"""By the number that SillyTavern writes for each."""

_PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BookKeys:
    """When an entry of a lorebook is told.

    Attributes:
        keys: any of these calls it.
        secondary: what is asked for besides; empty for nothing.
        logic: how many of ``secondary``.
        is_constant: told whatever is said.
        is_case_sensitive: letters must be as written.
        order: the lower, the earlier it is told.
    """

    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    logic: Logic = "any"
    is_constant: bool = False
    is_case_sensitive: bool = False
    order: float = USUAL_ORDER

    @classmethod
    def of(cls, entry: Entry) -> BookKeys | None:
        """Those of an entry; None for one that comes from no lorebook."""
        form = entry.extra.get(BOOK)
        return cls.parse(form) if isinstance(form, Mapping) else None

    @classmethod
    def parse(cls, form: Mapping[str, Any]) -> BookKeys:
        """Those of an entry of Character Card V3.

        The file can be edited by hand: what is not of its sort counts as left out.
        """
        kept = form.get("extensions")
        extensions: Mapping[str, Any] = kept if isinstance(kept, Mapping) else {}
        number = extensions.get("selectiveLogic")
        order, is_pattern = form.get("insertion_order"), form.get("use_regex") is True
        return cls(
            keys=() if is_pattern else plain_keys(form.get("keys")),
            secondary=(
                ()
                if is_pattern or form.get("selective") is False
                else plain_keys(form.get("secondary_keys"))
            ),
            logic=LOGICS[number] if isinstance(number, int) and 0 <= number < 4 else "any",
            is_constant=form.get("constant") is True,
            is_case_sensitive=True
            in (form.get("case_sensitive"), extensions.get("case_sensitive")),
            order=order if isinstance(order, int | float) else USUAL_ORDER,
        )

    def is_called(self, talk: str) -> bool:
        """True if the entry is to be told in such a talk."""
        return self.is_constant or (self._says(self.keys, talk, any) and self.is_allowed(talk))

    def is_allowed(self, talk: str) -> bool:
        """True unless the second keys keep the entry away."""
        if not self.secondary or self.is_constant:
            return True
        wanted = any if self.logic in ("any", "not_any") else all
        return self._says(self.secondary, talk, wanted) != self.logic.startswith("not")

    def _says(self, keys: Iterable[str], talk: str, wanted: Callable[..., bool]) -> bool:
        return wanted(_is_said(key, talk, self.is_case_sensitive) for key in keys)


def called_entries(entries: Iterable[Entry], talk: str) -> list[Entry]:
    """The entries that the words of a talk call, constant ones first, each in its order."""
    called = [
        (not keys.is_constant, keys.order, number, entry)
        for number, entry in enumerate(entries)
        if (keys := BookKeys.of(entry)) is not None and keys.is_called(talk)
    ]
    return [entry for *_, entry in sorted(called, key=lambda it: it[:3])][:MOST_CALLED]


def kept_away(entries: Iterable[Entry], talk: str) -> set[str]:
    """The ids of entries that must not be told in such a talk, however near their meaning is."""
    return {
        entry.id
        for entry in entries
        if (keys := BookKeys.of(entry)) is not None and not keys.is_allowed(talk)
    }


def with_keys(
    extra: Mapping[str, Any], keys: Iterable[str], *, is_constant: bool
) -> dict[str, Any]:
    """``extra`` of an entry with other keys; all else that its lorebook says of it stays.

    An entry that never was in a lorebook becomes one of it with its first key.
    """
    words, book = list(dict.fromkeys(keys)), extra.get(BOOK)
    if not isinstance(book, Mapping):
        if not words and not is_constant:
            return dict(extra)
        book = {
            "extensions": {},
            "enabled": True,
            "insertion_order": int(USUAL_ORDER),
            "use_regex": False,
        }
    return {**extra, BOOK: {**book, "keys": words, "constant": is_constant}}


def plain_keys(value: object) -> tuple[str, ...]:
    """The keys of a list that are plain words; what is a pattern (``/…/i``) is left out."""
    several = value if isinstance(value, list) else []
    words = (word.strip() for word in several if isinstance(word, str))
    return tuple(word for word in words if word and not _PATTERN.fullmatch(word))


def _is_said(key: str, talk: str, is_case_sensitive: bool) -> bool:
    if not is_case_sensitive:
        key, talk = fold(key), fold(talk)
    if is_chinese(key):
        return key in talk
    return re.search(rf"(?<!\w){re.escape(key)}(?!\w)", talk) is not None
