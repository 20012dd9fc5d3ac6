"""Rate the importance of memories by a model, on a scale from 1 to 10.

An answer without a rating is an error, not 0.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from siliconfriend.errors import UnusableAnswer
from siliconfriend.language.numbers import parse_number
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.tokens import estimate_tokens, truncate
from siliconfriend.prompts.loader import Prompts

BATCH = 20
"""Memories in one call; small models lose count in longer lists."""
LONGEST = 400
"""Tokens of one memory that a model is shown; what matters in it is said by then."""

_SCALE = re.compile(
    r"(?:from\s*)?1\s*(?:-|–|—|~|to|到|至)\s*10"
    r"|(?<=\d)\s*(?:/|out\s+of|of)\s*10(?!\d)|(?:满分|总分)\s*(?:为|是)?\s*10\s*分?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\d.\-])(10(?:\.0+)?|[1-9](?:\.\d+)?)(?![\d%]|\.\d)")
_NUMERAL = re.compile(r"\W*(?:评分|分数|得分)?\W*([一二三四五六七八九十])\s*分?\W*")


class NoRating(UnusableAnswer, ValueError):
    """Raised when a model's rating has no number from 1 to 10."""


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
