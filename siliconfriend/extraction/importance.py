"""Rate the importance of a memory, from 0.1 (brushing teeth) to 1.0 (a break-up).

The memory stream, recall and forgetting share the scale. A model rates on 1 to 10; without one a
rule over cue words does. An answer without a rating is an error, not 0.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence

from siliconfriend.errors import UnusableAnswer
from siliconfriend.language.characters import fold
from siliconfriend.language.numbers import parse_number
from siliconfriend.language.word_lists import word_pattern
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.tokens import estimate_tokens, truncate
from siliconfriend.prompts.loader import Prompts

LEAST = 0.1
BATCH = 20
"""Memories in one call; small models lose count in longer lists."""
LONGEST = 400
"""Tokens of one memory that a model is shown; what matters in it is said by then."""

WEIGHTS = {
    "turning_point": 1.0,
    "milestone": 0.65,  # alone it reaches 0.7, from where a memory is important
    "strong_feeling": 0.45,
    "commitment": 0.35,
    "feeling": 0.25,
    "selfhood": 0.25,  # name, birthday, what they cannot eat
    "novelty": 0.2,
    "bond": 0.15,
    "concrete": 0.1,  # a number, a date or a name
}
"""How far one kind of cue alone lifts a memory from 0.1 towards 1.0. The words of each kind
stand in ``texts/<language>/importance.toml`` (those of ``concrete`` under ``when``)."""

_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+")
_SCALE = re.compile(
    r"(?:from\s*)?1\s*(?:-|–|—|~|to|到|至)\s*10"
    r"|(?<=\d)\s*(?:/|out\s+of|of)\s*10(?!\d)|(?:满分|总分)\s*(?:为|是)?\s*10\s*分?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\d.\-])(10(?:\.0+)?|[1-9](?:\.\d+)?)(?![\d%]|\.\d)")
_NUMERAL = re.compile(r"\W*(?:评分|分数|得分)?\W*([一二三四五六七八九十])\s*分?\W*")


class NoRating(UnusableAnswer, ValueError):
    """A model was asked how much a memory matters and named no number from 1 to 10."""


def offline_importance(text: str) -> float:
    """Rate the person's words by cue words of both languages, in steps of 0.1 from 0.1 to 1.0.

    ``0.1 + 0.9 · (1 - Π(1 - w))`` over the kinds of cue in the text, w from ``WEIGHTS``.
    """
    plain = fold(text).replace("’", "'")

    def has(kind: str) -> bool:
        if kind != "concrete":
            return bool(word_pattern("importance", kind).search(plain))
        has_time = word_pattern("importance", "when").search(plain)
        return bool(re.search(r"\d", plain) or has_time or _NAME.search(text))

    doubt = math.prod(1 - weight for kind, weight in WEIGHTS.items() if has(kind))
    return round(LEAST + (1 - LEAST) * (1 - doubt), 1)


def parse_rating(answer: str, name: str) -> float:
    """Parse the first number from 1 to 10 of a model's answer, divided by 10; NoRating without one.

    "1 to 10" names a scale. ``name`` is the model's.
    """
    plain = unicodedata.normalize("NFKC", answer)
    if found := _NUMBER.search(_SCALE.sub(" ", plain)):
        return round(float(found[1]) / 10, 3)
    if numeral := _NUMERAL.fullmatch(plain):
        return parse_number(numeral[1]) / 10
    raise NoRating("no_rating", name=name)


def rate(chat: CompletionModel, prompts: Prompts, text: str) -> float:
    """Return the importance of one memory by the model.

    Raises:
        NoRating: the model named no number from 1 to 10.
        ModelError: as :meth:`ChatModel.complete`.
    """
    prompt = prompts.render("importance", memory=truncate(text, LONGEST))
    return parse_rating(chat.complete([Message("user", prompt)]).text, chat.name)


def importance_by_model(
    chat: CompletionModel, prompts: Prompts, texts: Sequence[str]
) -> list[float]:
    """Rate each text by the model, up to 20 a call; a batch whose answer is bad one by one.

    Errors as :func:`rate`.
    """
    ratings: list[float] = []
    for batch in _batches(texts, room=chat.context_tokens // 2):
        together = _rated_together(chat, prompts, batch) if len(batch) > 1 else None
        ratings += together or [rate(chat, prompts, text) for text in batch]
    return ratings


def _batches(texts: Sequence[str], room: int) -> Iterator[list[str]]:
    batch: list[str] = []
    used = 0
    for text in texts:
        size = estimate_tokens(truncate(text, LONGEST))
        if batch and (len(batch) == BATCH or used + size > room):
            yield batch
            batch, used = [], 0
        batch.append(text)
        used += size
    if batch:
        yield batch


def _rated_together(
    chat: CompletionModel, prompts: Prompts, batch: Sequence[str]
) -> list[float] | None:
    lines = [f"{at}. {truncate(text, LONGEST)}" for at, text in enumerate(batch, start=1)]
    prompt = prompts.render("importance_batch", memories="\n".join(lines), count=len(batch))
    rating = {"type": "integer", "minimum": 1, "maximum": 10}
    count = {"minItems": len(batch), "maxItems": len(batch)}
    ratings = {"type": "array", "items": rating, **count}
    schema = {"type": "object", "properties": {"ratings": ratings}, "required": ["ratings"]}
    try:
        data = chat.complete([Message("user", prompt)], schema).data
    except UnusableAnswer:
        return None
    return [each / 10 for each in data["ratings"]]
