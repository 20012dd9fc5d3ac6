"""Exports that lie in the data directory: what was erased leaves them too.

A person who exported their memory there and erases a turn later would find it again in
that file, and importing it would show the words once more. So such a file is read, the
erased turn, quotations of it and texts made from it are taken out, and it is written anew.
A person who is deleted is taken out whole.
A file in any other form is left alone, and the search reports it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from siliconfriend.control.erasure.verification import ErasedWords, files_of
from siliconfriend.errors import RefusedName
from siliconfriend.memory import atomic
from siliconfriend.memory.memory_file import FORMAT
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope, clean_name

_OWN = ("people", "night")
"""Folders whose files the store and the night write themselves."""


def clean_exports(
    erased: Iterable[Turn], gone: ErasedWords, scope: Scope, home: Path
) -> frozenset[Path]:
    """Take erased turns and what was made from them out of every export under ``home``.

    Returns:
        The exports that hold nothing of it: whatever else stands in them is other people's.
    """
    turns = list(erased)
    clean = set()
    for path, bank in _banks(home):
        before = json.dumps(bank)
        for name, person in bank.items():
            if _is(name, scope.person):
                _clean(person, turns, gone)
        if json.dumps(bank) != before:
            _write(path, bank)
        own = json.dumps(
            [it for name, it in bank.items() if _is(name, scope.person)], ensure_ascii=False
        )
        if not gone.stand_in(own.encode("utf-8", "replace")):
            clean.add(path)
    return frozenset(clean)


def remove_person(person: str, home: Path) -> frozenset[Path]:
    """Take a person out of every export under ``home``; one that holds nobody else is removed.

    Returns:
        The exports that are left: all of other people.
    """
    left = set()
    for path, bank in list(_banks(home)):
        others = {name: it for name, it in bank.items() if not _is(name, person)}
        if not others:
            path.unlink()
            atomic.flush_folder(path.parent)
            continue
        if len(others) < len(bank):
            _write(path, others)
        left.add(path)
    return frozenset(left)


def _banks(home: Path) -> Iterator[tuple[Path, dict[str, dict[str, Any]]]]:
    """Every export under ``home`` with its people."""
    for path in files_of(home, None):
        if path.suffix.lower() == ".json" and path.relative_to(home).parts[0] not in _OWN:
            bank = _bank(path)
            if bank is not None:
                yield path, bank


def _write(path: Path, bank: dict[str, dict[str, Any]]) -> None:
    words = json.dumps(bank, ensure_ascii=False, indent=2) + "\n"
    atomic.write_whole(path, words.encode("utf-8", "replace"))


def _bank(path: Path) -> dict[str, dict[str, Any]] | None:
    """The people of an export; None where the file is none."""
    try:
        bank = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(bank, dict) or not bank:
        return None
    if not all(
        isinstance(it, dict) and isinstance(it.get("history"), dict) for it in bank.values()
    ):
        return None
    return bank


def _is(name: str, person: str) -> bool:
    try:
        return clean_name(name) == person
    except RefusedName:
        return False


def _clean(person: dict[str, Any], turns: Iterable[Turn], gone: ErasedWords) -> None:
    for turn in turns:
        said = person["history"].get(turn.date)
        if isinstance(said, list):
            _drop_first(said, turn)
    for said in person["history"].values():
        for dialogue in said if isinstance(said, list) else ():
            _unquote(dialogue, gone)
        if isinstance(said, list):
            said[:] = [it for it in said if not _asks(it, gone)]
    is_native = person.get("format") == FORMAT
    for name in ("overall_history", "overall_personality"):
        if gone.are_said_in(str(person.get(name, ""))):
            person[name] = ""
            if is_native:
                del person[name]
    for name in person.keys() - {"history", "meta_information"}:
        if isinstance(person[name], dict):
            _prune(person[name], gone, {turn.id for turn in turns})


def _prune(table: dict[str, Any], gone: ErasedWords, ids: Collection[str]) -> None:
    """Take out what holds the words: a whole text or record, not the table it stands in.

    Of the records in a list those go too that rest on any of ``ids``.
    """
    for key, value in list(table.items()):
        is_record = isinstance(value, dict) and "content" in value
        if isinstance(value, dict) and not is_record:
            _prune(value, gone, ids)
        elif isinstance(value, list) and all(isinstance(it, dict) for it in value):
            value[:] = [
                it
                for it in value
                if not (gone.are_said_in("\n".join(_strings(it))) or _rests_on(it, ids))
            ]
        elif gone.are_said_in("\n".join(_strings(value))):
            del table[key]


def _rests_on(record: dict[str, Any], ids: Collection[str]) -> bool:
    made = record.get("provenance")
    from_ids = made.get("from_ids") if isinstance(made, dict) else None
    return isinstance(from_ids, list) and any(it in ids for it in from_ids)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for it in value.values() if isinstance(value, dict) else value:
            yield from _strings(it)


def _drop_first(said: list[Any], turn: Turn) -> None:
    """Take out one dialogue that is the turn: the same words said twice are two turns."""
    for number, dialogue in enumerate(said):
        if _is_turn(dialogue, turn):
            del said[number]
            return


def _is_turn(dialogue: Any, turn: Turn) -> bool:
    if isinstance(dialogue, dict):
        if "memory_id" in dialogue:
            return bool(dialogue["memory_id"] == turn.id)
        return (dialogue.get("query"), dialogue.get("response")) == (turn.query, turn.response)
    return isinstance(dialogue, list) and dialogue[:2] == [turn.query, turn.response]


def _unquote(dialogue: Any, gone: ErasedWords) -> None:
    key: Any = "response" if isinstance(dialogue, dict) else 1
    try:
        if gone.are_said_in(str(dialogue[key])):
            dialogue[key] = ""
    except (KeyError, IndexError, TypeError):
        # No form of a dialogue: the search will read it.
        return
    if isinstance(dialogue, dict) and gone.are_said_in(str(dialogue.get("index_text", ""))):
        dialogue["index_text"] = str(dialogue.get("query", ""))


def _asks(dialogue: Any, gone: ErasedWords) -> bool:
    query = dialogue.get("query", "") if isinstance(dialogue, dict) else dialogue[:1]
    return gone.are_said_in(str(query))
