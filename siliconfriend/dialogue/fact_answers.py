"""Answers to questions about a matter of the person's life: their home, their work, their people.

Whatever ranks best looks like an answer. Asked how tall someone is, the companion must not give
back the last thing it heard of them, as if that had been said there; so what recall found to tell
of the matter is quoted, and where nothing was told of it the reply says so.
"""

from __future__ import annotations

from siliconfriend.dialogue.answering import (
    NEAR_ELSE,
    Answer,
    Certainty,
    has_few_turns,
    may_be_meant,
    named_spans,
    with_sequels,
)
from siliconfriend.dialogue.likelihood import may_be_said
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.quoting import is_own, without_repeats
from siliconfriend.language.overlap import overlap_terms
from siliconfriend.language.word_coverage import content_forms, held_in
from siliconfriend.memory.knowledge import Fact
from siliconfriend.recall.answers import life_matters_asked, what_else
from siliconfriend.recall.documents import own_words
from siliconfriend.recall.family import asks_family
from siliconfriend.recall.introductions import asked_of, asks_who
from siliconfriend.recall.matters import (
    LATEST_HOLDS,
    MEASURED,
    asks_several,
    says_which,
    where_told,
)
from siliconfriend.recall.plans import days_planned_for
from siliconfriend.recall.results import OUTRIGHT, Recalled

HALF = 0.5

FEW, SEVERAL, KNOWN = 3, 6, 4
"""Most memories in the answer to a question for one thing, for several, and for all of somebody."""


def answer_of_matter(context: ReplyContext) -> Answer | None:
    """Choose what tells of the matter that is asked about, and say how surely.

    None where no known matter is asked about, or something else is likelier to be meant: "Where
    does Pip drink?" asks about Pip, and about no café.
    """
    judged, answers = context.judged, context.answers
    if asked_of(context.said):
        return _known_of(context)
    if answers and OUTRIGHT in answers[0].parts:
        return Answer(answers, "sure")
    if asks_family(context.said):
        return Answer((), "nearest")
    if answers and days_planned_for(context.said, named_spans(context), context.today):
        return Answer(answers[:SEVERAL], "sure")
    likeliest = max(map(judged.likelihood, context.found), default=0.0)
    if not answers:
        return Answer((), "nearest") if _is_untold(context, likeliest) else None
    best = max(map(judged.likelihood, answers))
    if best < likeliest and not _is_told_plainly(context):
        return None
    is_told = (best >= judged.sure or _is_told_plainly(context)) and _holds_rest(context)
    certainty: Certainty = "sure" if is_told else "unsure"
    if asks_several(context.said):
        told = with_sequels((*answers, *_as_likely(context, best))[:SEVERAL], context)
        several = sorted(told, key=lambda it: (it.memory.date, it.memory.id))
        return Answer(tuple(several), certainty)
    if certainty == "unsure" and not life_matters_asked(context.said) & LATEST_HOLDS:
        answers = (*answers, *_as_likely(context, best))
    return Answer(tuple(with_sequels(answers[:FEW], context)), certainty)


def _known_of(context: ReplyContext) -> Answer:
    """What is known of whom a question names: who they are, or what was told, in order of days.

    Nothing else is asked, so whatever names them answers it.
    """
    if asks_who(context.said):
        return Answer(context.answers[:FEW], "sure")
    told = context.answers[:KNOWN]
    return Answer(tuple(sorted(told, key=lambda it: (it.memory.date, it.memory.id))), "sure")


def _is_told_plainly(context: ReplyContext) -> bool:
    """True if the best answer says which it is, whatever its signs: a fact, or one of few memories."""
    best = context.answers[0].memory
    asked = life_matters_asked(context.said)
    if not isinstance(best, Fact):
        asked &= LATEST_HOLDS if has_few_turns(context.memory) else frozenset()
    words = own_words(best)
    return any(where_told(it, words) and says_which(it, words) for it in asked)


def _holds_rest(context: ReplyContext) -> bool:
    """True if the best answer holds half of what a question says beside its matter.

    Of a cat it was told where it came from, and not which food it likes.
    """
    rest = what_else(context.said, *life_matters_asked(context.said))
    held = rest & overlap_terms(own_words(context.answers[0].memory))
    return len(held) >= HALF * len(rest)


def _as_likely(context: ReplyContext, best: float) -> list[Recalled]:
    """What else may be meant where an answer is not sure, the likeliest first."""
    judged, answers = context.judged, {it.memory.id for it in context.answers}
    is_of_few = has_few_turns(context.memory)
    near = [
        it
        for it in context.found
        if it.memory.id not in answers
        and may_be_said(it)
        and judged.likelihood(it) >= NEAR_ELSE * best
        and (may_be_meant(it) or not is_of_few)
        and is_own(it, context.memory)
    ]
    return without_repeats(sorted(near, key=lambda it: -judged.likelihood(it)))


def _is_untold(context: ReplyContext, likeliest: float) -> bool:
    """True if a known matter is asked about and nothing seems to tell of it.

    What is likeliest may tell of it all the same, if it shares a word beside those that ask.
    """
    matters = frozenset() if named_spans(context) else life_matters_asked(context.said)
    if not matters or matters & MEASURED:
        return bool(matters)
    if likeliest >= context.judged.some:
        return False
    else_asked, forms = what_else(context.said, *matters), content_forms(context.said)
    found = [own_words(it.memory) for it in context.recalled]
    holds_all = len(forms) > 1 and any(held_in(words, forms) == forms for words in found)
    return not holds_all and not else_asked & overlap_terms("\n".join(found))
