"""Answers to questions about a matter of the person's life: their home, their work, their people.

Whatever ranks best looks like an answer. Asked how tall someone is, the companion must not give
back the last thing it heard of them, as if that had been said there; so what recall found to tell
of the matter is quoted, and where nothing was told of it the reply says so.
"""

from __future__ import annotations

from siliconfriend.dialogue.answering import Answer
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.recall.answers import own_words, what_else
from siliconfriend.recall.matters import asks_several, matters_asked

FEW, SEVERAL = 3, 6
"""Most memories in the answer to a question for one thing, and for several."""


def answer_of_matter(context: ReplyContext) -> Answer | None:
    """Choose what tells of the matter that is asked about.

    None where no known matter is asked about, or where what ranking found may be meant all the
    same: it shares a word with the question beside those that ask.
    """
    wants_several = asks_several(context.said)
    answers = context.answers[: SEVERAL if wants_several else FEW]
    if answers:
        if wants_several:
            answers = tuple(sorted(answers, key=lambda it: (it.memory.date, it.memory.id)))
        return Answer(answers, "sure")
    matters = matters_asked(context.said)
    found = "\n".join(own_words(recalled.memory) for recalled in context.recalled)
    if matters and not what_else(context.said, *matters) & overlap_terms(found):
        return Answer((), "nearest")
    return None
