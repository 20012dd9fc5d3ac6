"""Let a model answer questions, and grade the replies: right, refused or invented.

Rules make the grade reproducible without a model. What can be answered is *right* where
at least half of the content words of the gold answer stand in the reply (but for what stands in
brackets), *refused* where it is not and the reply has one of the ``refusals`` of
``texts/*/evaluation.toml`` outside quotation marks. An unanswerable question is right where the
reply refuses; one with a false premise where the reply denies it, or has words of the answer that
the question does not have, and does not begin by agreeing. Otherwise such a reply has *invented*
something.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from time import perf_counter
from typing import Literal

from siliconfriend.clock import FixedClock
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.drafting import used_of
from siliconfriend.dialogue.prompt import PromptPlan
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import Reply, ReplyStyle
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.evaluation.bench import Bench, language_of_texts
from siliconfriend.evaluation.conversations import (
    AskedQuestion,
    Conversation,
    limited,
    questions_of,
)
from siliconfriend.evaluation.table import Row, mean
from siliconfriend.language.characters import fold
from siliconfriend.language.numbers import numbers_to_digits
from siliconfriend.language.word_lists import matches
from siliconfriend.language.words import share_of, word_set
from siliconfriend.models.base import ChatModel
from siliconfriend.models.factory import open_chat_model
from siliconfriend.models.server import UNKNOWN_CONTEXT

FALSE_PREMISE, UNANSWERABLE, SINGLE = "false-premise", "unanswerable", "single"

GRADES = ("right", "refused", "invented")  # those that are counted
Grade = Literal["right", "wrong", "refused", "invented"]
RECALL_THRESHOLD = 0.5
"""Minimum share of the gold answer's content words in a reply. Half, since gold answers contain
extra details and replies use other words."""
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|《[^》]*》")
_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|【[^【】]*】")


def grade_reply(kind: str, gold: str, reply: str, question: str = "") -> Grade:
    """Return the grade of a reply to a question of a kind, by the rule above.

    ``question`` matters only for false premises.
    """
    refuses = _has("refusals", reply)
    if kind == UNANSWERABLE:
        return "right" if refuses else "invented"
    if kind == FALSE_PREMISE:
        new = gold_tokens(gold) - _tokens(question)
        answered = bool(new) and share_of(new, _tokens(reply)) >= RECALL_THRESHOLD
        if (answered or _has("denials", reply)) and not _has("agreements", reply):
            return "right"
        return "refused" if refuses else "invented"
    if token_recall(gold, reply) >= RECALL_THRESHOLD:
        return "right"
    return "refused" if refuses else "wrong"


def token_recall(gold: str, reply: str) -> float:
    """Return the share of the gold answer's tokens in the reply; 0 without tokens."""
    wanted = gold_tokens(gold)
    return share_of(wanted, _tokens(reply)) if wanted else 0.0


def gold_tokens(gold: str) -> frozenset[str]:
    """Return the tokens of a gold answer outside brackets, else those inside."""
    outside = _BRACKETS.sub(" ", gold)
    return _tokens(outside) or _tokens(gold)


def _tokens(text: str) -> frozenset[str]:
    """Return the tokens of a text, number words of both languages as digits."""
    return word_set(numbers_to_digits(text))


def _has(phrases: str, reply: str) -> bool:
    """Return True if a reply has such a phrase outside of quotation marks."""
    own = _QUOTED.sub(" ", reply).replace("’", "'")
    return matches("evaluation", phrases, fold(own).strip())


def evaluate_answers(
    bench: Bench,
    conversations: Sequence[Conversation],
    recipes: Sequence[str],
    *,
    chat: ChatModel | None = None,
    limit: int | None = None,
) -> list[Row]:
    """Answer with the whole reply flow and each recipe, and grade the replies; a row for each.

    ``precision`` is the share of the recalled turns that hold evidence, over questions that have
    some. ``in_prompt`` is the mean share of the words of a gold answer that stand in the memories of a
    prompt, over single questions with an answer. ``chat`` is the model that answers, that of the settings unless given; ``limit`` asks only
    so many questions, spread evenly.
    """
    model, kept = chat or open_chat_model(bench.settings), limited(conversations, limit)
    found, seconds = defaultdict[str, list[Row]](list), defaultdict[str, float](float)
    for asked in questions_of(bench, kept):
        for recipe in recipes:
            began = perf_counter()
            found[recipe].append(_answer(asked, recipe, model))
            seconds[recipe] += perf_counter() - began
    texts = [question.text for own in conversations for question in own.questions]
    rows = list[Row]()
    for recipe in recipes:
        able = [answer for answer in found[recipe] if answer["kind"] != UNANSWERABLE]
        recalled, evidence = (
            sum(answer[name] for answer in able) for name in ("recalled", "evidence")
        )
        rows.append(
            {
                "recipe": recipe,
                "lang": language_of_texts(texts),
                "asked": len(found[recipe]),
                "skipped": sum(own.skipped for own in conversations),
                **{name: sum(answer[name] for answer in found[recipe]) for name in GRADES},
                "precision": round(evidence / max(recalled, 1), 3),
                "in_prompt": mean(
                    one["in_prompt"] for one in found[recipe] if one["kind"] == SINGLE
                ),
                "seconds": round(seconds[recipe], 3),
                "answers": found[recipe],
            }
        )
    return rows


def memories_given(companion: Companion, message: IncomingMessage, reply: Reply) -> str:
    """Return the memories that a model would be given for a message, recalled as for a reply."""
    plan = PromptPlan(
        message=message,
        settings=companion.settings,
        companion_name=companion.name,
        context_tokens=UNKNOWN_CONTEXT,
        find=message.memory.find,
    )
    return plan.complete(used_of(Retrieved(reply.recalled), message)).memories


def _answer(asked: AskedQuestion, recipe: str, model: ChatModel | None) -> Row:
    """Let a new companion answer a question, and grade the reply."""
    question, user = asked.question, asked.scope.person
    companion = Companion(
        user, runtime=asked.bench.runtime, chat=model, recipe=recipe, clock=FixedClock(asked.now)
    )
    reply = companion.reply(question.text, off_record=True)
    memory = asked.bench.store.load(asked.scope)
    given = memories_given(
        companion, IncomingMessage(question.text, asked.now, memory, ReplyStyle()), reply
    )
    turns = {asked.names[used.id] for used in reply.used if used.id in asked.names}
    grade = grade_reply(question.kind, question.answer, reply.text, question.text)
    return {
        "user": user,
        "q": question.name,
        "kind": question.kind,
        "question": question.text,
        "reply": reply.text,
        "gold": question.answer,
        **{name: grade == name for name in GRADES},
        "in_prompt": token_recall(question.answer, given),
        "recalled": len(turns),
        "evidence": len(turns & frozenset().union(*question.groups)),
    }
