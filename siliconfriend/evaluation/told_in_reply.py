"""Find the person's own sentences in a reply: a grader must not take them for the reply's."""

from __future__ import annotations

from datetime import date, datetime

from siliconfriend.clock import day_of
from siliconfriend.dialogue.reply import Reply
from siliconfriend.dialogue.told_words import said_words
from siliconfriend.dialogue.weaving import sentences_as_said
from siliconfriend.memory.records import PersonMemory


def told_in(reply: Reply, memory: PersonMemory, now: datetime) -> tuple[str, ...]:
    """The sentences of the memories that a reply used, as it says them."""
    today, language = day_of(now, memory.profile.zone), memory.profile.language
    used = (memory.find(it.id) for it in reply.used)
    return tuple(
        sentence
        for record in used
        if record is not None
        for sentence in sentences_as_said(
            said_words(record), date.fromisoformat(record.date), today, language
        )
    )
