"""Parts what a client puts into a person's message, documents and pages, from what they said.

A page that was found on the web, kept as the person's own words, would be a memory of things
they never said, and a stranger could write it.
"""

from __future__ import annotations

import re

_ATTACHED = re.compile(
    # Open WebUI: names of files, then what was found in them or on the web
    r"\A(?:<attached_files>.*?</attached_files>\s*)?"
    r"(?:### Task:\s*Respond to the user query using the provided context\b.*</context>\s*)?"
    r"(?:<attached_files>.*?</attached_files>\s*)?",
    re.DOTALL,
)

_MARKS = ("[interrupted by user]",)
"""Whole messages that a client writes in the person's name: Open-LLM-VTuber where a reply was cut."""


def split_attached(words: str) -> tuple[str, str]:
    """Split a message into what the client attached to it and the person's own words."""
    if words.strip().casefold() in _MARKS:
        return "", ""
    found = _ATTACHED.match(words)
    end = found.end() if found else 0
    return words[:end].strip(), words[end:]
