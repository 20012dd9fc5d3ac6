"""Offline answers that are computed from days: how long ago, how long between, which came first."""

from __future__ import annotations

from siliconfriend.dialogue.offline_situation import OfflineReply, Situation
from siliconfriend.memory.records import Turn
from siliconfriend.recall.elapsed import answer_time_question, read_time_question


def answer_time(situation: Situation) -> OfflineReply | None:
    """Answer a question about time by the days of what was found; None where there is none."""
    question = read_time_question(situation.said)
    if question is None:
        return None
    ranked = [found.memory for found in situation.found if isinstance(found.memory, Turn)]
    answer = answer_time_question(question, ranked, situation.memory, situation.today)
    if answer is None:
        return None
    if not answer.memories:
        return OfflineReply((answer.words,), certainty="sure")
    chosen = {memory.id for memory in answer.memories}
    found = [it for it in situation.found if it.memory.id in chosen]
    if any(it.is_likely for it in found):
        quoted = situation.quote_in_sentences(found, "told")
        return OfflineReply((answer.words, *quoted.sentences), quoted.used, quoted.certainty)
    # What is computed from a memory that may not be meant stands behind it.
    quoted = situation.quote_in_lines(found, situation.wordings.say("closest"))
    return OfflineReply((*quoted.sentences, f"\n{answer.words}"), quoted.used, quoted.certainty)
