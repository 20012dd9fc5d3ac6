"""Read LoCoMo's conversations (Maharana et al., 2024): each utterance is a turn of one person."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dateutil import parser

from siliconfriend.evaluation.bench import Told
from siliconfriend.evaluation.conversations import Conversation, Question
from siliconfriend.evaluation.datasets import expected_form

_SESSION = re.compile(r"session_(\d+)")
_UTTERANCE = re.compile(r"D\d+:\d+")


def read_locomo(data: Any) -> list[Conversation]:
    """Load the conversations of a LoCoMo file; UnreadableFile if the format is wrong.

    The kind of a question is its category number. Evidence that is no utterance is left out, and so
    are the questions without any other.
    """
    with expected_form("locomo_form"):
        found = [_conversation(item, number) for number, item in enumerate(data, start=1)]
        if not found:
            raise ValueError("[]")
        return found


def _conversation(data: Mapping[str, Any], number: int) -> Conversation:
    turns = dict(_utterances(data["conversation"]))
    if not turns:
        raise ValueError("a conversation without a session")
    questions = list[Question]()
    for item in data["qa"]:
        named = {name for text in item.get("evidence", ()) for name in _UTTERANCE.findall(text)}
        groups = tuple(frozenset({name}) for name in sorted(named & turns.keys()))
        if groups:
            kind = str(item.get("category", ""))
            questions.append(Question(kind, None, str(item["question"]), groups))
    name = str(data.get("sample_id") or f"conversation {number}")
    skipped = len(data["qa"]) - len(questions)
    return Conversation(name, name, "en", turns, tuple(questions), skipped)


def _utterances(conversation: Mapping[str, Any]) -> Iterator[tuple[str, Told]]:
    """Yield the utterances in order, each behind its speaker's name; a photo as its caption."""
    sessions = [key for key in conversation if _SESSION.fullmatch(key)]
    for session in sorted(sessions, key=lambda key: int(key.partition("_")[2])):
        said_at = parser.parse(conversation[f"{session}_date_time"])
        for item in conversation[session]:
            caption = item.get("blip_caption")
            photo = f" [photo: {caption}]" if caption else ""
            words = f"{item['speaker']}: {item['text']}{photo}"
            yield str(item["dia_id"]), Told(said_at.date().isoformat(), words, time=said_at)
