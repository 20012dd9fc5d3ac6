"""Rate the importance of a memory by a model, on a scale from 1 to 10."""

import re
import unicodedata

from siliconfriend.errors import UnusableAnswer
from siliconfriend.language.numbers import parse_number
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.tokens import truncate
from siliconfriend.prompts.loader import Prompts

LONGEST = 400
"""Most tokens of one memory in a prompt."""

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
    """Parse the first number from 1 to 10 of an answer, divided by 10; "1 to 10" names a scale.

    Raises:
        NoRating: there is no such number; ``name`` is the model's.
    """
    plain = unicodedata.normalize("NFKC", answer)
    if found := _NUMBER.search(_SCALE.sub(" ", plain)):
        return round(float(found[1]) / 10, 3)
    if numeral := _NUMERAL.fullmatch(plain):
        return parse_number(numeral[1]) / 10
    raise NoRating("no_rating", name=name)


def rate(chat: CompletionModel, prompts: Prompts, text: str) -> float:
    """Return the importance of one memory; NoRating, or errors as :meth:`ChatModel.complete`."""
    prompt = prompts.render("importance", memory=truncate(text, LONGEST))
    return parse_rating(chat.complete([Message("user", prompt)]).text, chat.name)
