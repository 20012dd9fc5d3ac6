"""Export files in small, written from the public descriptions of their formats, in our words."""

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.config.settings import parse_timezone
from siliconfriend.importers.messages import Options
from siliconfriend.importers.reading import Past, read_past
from siliconfriend.importers.turns import TurnDraft

UTC_ZONE = ZoneInfo(parse_timezone("UTC"))
NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)


def write(path: Path, content: object) -> Path:
    """Write text as it is, anything else as JSON."""
    words = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_text(words, encoding="utf-8", newline="")
    return path


def pack(path: Path, **files: object) -> Path:
    """A zip with files by their names; ``__`` in a name stands for a point."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            words = content if isinstance(content, str) else json.dumps(content)
            packed.writestr(name.replace("__", "."), words)
    return path


def read(*paths: Path, form: str | None = None, **options: Any) -> Past:
    """Read files as Ada's past."""
    told = Options(**{"user": "Ada"} | options)
    return read_past(paths, form, told, zone=UTC_ZONE, now=NOW, key_mark="[key]")


def turns(past: Past) -> list[tuple[str, str, str]]:
    """Day, question and answer of each turn."""
    return [(draft.date, *words_of(draft)) for draft in past.drafts]


def words_of(draft: TurnDraft) -> tuple[str, str]:
    """What was asked and what was answered."""
    asked, answered = (
        "\n".join(word.text for word in draft.words if word.is_person == by_person)
        for by_person in (True, False)
    )
    return asked, answered


def seconds(written: str) -> float:
    """Seconds since 1970 of a moment in UTC."""
    return datetime.fromisoformat(written).replace(tzinfo=UTC).timestamp()


def gpt_message(
    role: str, text: str | list[Any], time: str | None, *, kind: str = "text", **fields: Any
) -> dict[str, Any]:
    """A message of ChatGPT's export."""
    return {
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": seconds(time) if time else None,
        "content": {"content_type": kind, "parts": text if isinstance(text, list) else [text]},
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
        **fields,
    }


def gpt_conversation(
    *messages: dict[str, Any], prefix: str = "c1", title: str | None = "Beans"
) -> dict[str, Any]:
    """A conversation without branches: each message is the child of the one before."""
    ids = [f"{prefix}-root", *(f"{prefix}-{number}" for number in range(len(messages)))]
    mapping: dict[str, Any] = {}
    for number, identifier in enumerate(ids):
        message = None if number == 0 else {"id": identifier, **messages[number - 1]}
        mapping[identifier] = {
            "id": identifier,
            "message": message,
            "parent": ids[number - 1] if number else None,
            "children": ids[number + 1 : number + 2],
        }
    return {
        "title": title,
        "create_time": seconds("2025-05-01T10:00"),
        "update_time": seconds("2025-05-01T11:00"),
        "mapping": mapping,
        "current_node": ids[-1],
        "conversation_id": prefix,
    }
