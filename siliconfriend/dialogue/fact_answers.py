"""Answers to questions about a matter of the person's life: their home, their work, their people.

Whatever ranks best looks like an answer. Asked how tall someone is, the companion must not give
back the last thing it heard of them, as if that had been said there; so what recall found to tell
of the matter is quoted, and where nothing was told of it the reply says so.
"""

from __future__ import annotations

from siliconfriend.dialogue.answering import ANSWERED, Answer, named_spans
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.recall.answers import life_matters_asked, own_words, what_else
from siliconfriend.recall.matters import MEASURED, asks_several
from siliconfriend.recall.results import Recalled

FEW, SEVERAL = 3, 6
"""Most memories in the answer to a question for one thing, and for several."""


def answer_of_matter(context: ReplyContext) -> Answer | None:
    """Choose what tells of the matter that is asked about.

    None where no known matter is asked about, where a time is, or where what ranking found may be
    meant all the same: it shares a word with the question beside those that ask.
    """
    wants_several = asks_several(context.said)
    answers = context.answers[: SEVERAL if wants_several else FEW]
    if answers and not _is_told_elsewhere(context):
        if wants_several:
            answers = tuple(sorted(answers, key=lambda it: (it.memory.date, it.memory.id)))
        return Answer(answers, "sure")
    if answers or any(not span.vague for span in named_spans(context)):
        return None
    matters = life_matters_asked(context.said)
    if matters & MEASURED:
        return Answer((), "nearest")
    found = [own_words(recalled.memory) for recalled in context.recalled]
    if not matters or what_else(context.said, *matters) & overlap_terms("\n".join(found)):
        return None
    forms = content_forms(context.said)
    if len(forms) > 1 and any(held_in(words, forms) == forms for words in found):
        return None  # "What is my dog afraid of?" and all of it in one memory
    return Answer((), "nearest")


def _is_told_elsewhere(context: ReplyContext) -> bool:
    """True if what ranking found holds nearly all that is asked, and no answer as much beside the matter.

    "Where does Pip drink?" asks about Pip, and about no café.
    """
    terms, forms = (
        what_else(context.said, *life_matters_asked(context.said)),
        content_forms(context.said),
    )
    most = max(_shared(terms, it) for it in context.answers)
    return any(
        len(held_in(own_words(it.memory), forms)) >= ANSWERED * len(forms)
        and _shared(terms, it) > most
        for it in context.recalled
    )


def _shared(terms: frozenset[str], recalled: Recalled) -> int:
    """How many of some terms a memory has."""
    return len(terms & overlap_terms(own_words(recalled.memory)))
