"""Have a model judge whether derived sentences follow from the turns they cite.

The model answers yes or no for each sentence and quotes its evidence. A yes counts only if the
quotation was said, some of it in a cited turn.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from siliconfriend.errors import ModelError, UnusableAnswer
from siliconfriend.extraction.extractor import Subject
from siliconfriend.language.characters import fold
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.tokens import MESSAGE_TOKENS, estimate_tokens, truncate
from siliconfriend.prompts.escape import Escaped, join, speaker_line
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.time_words import date_with_weekday
from siliconfriend.texts import text

MAX_CLAIMS = 50
"""Sentences in one request."""
ANSWER_TOKENS = 60
"""Tokens of the answer for one sentence."""
LEAST_TOKENS = 20
"""Minimum tokens of one utterance in the prompt."""
TOO_LONG = ("model_cut", "model_too_long")
"""Errors after which a request is made in halves."""
UNRELIABLE = "model_unreliable"
"""Error of a model that confirms a sentence which nobody said."""
MIN_QUOTE = 2
"""Letters and digits of the shortest quotation."""

_VERDICT = {
    "number": {"type": "integer"},
    "quote": {"type": "string", "minLength": 0},
    "holds": {"type": "boolean"},
}
VERDICTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {"type": "object", "properties": _VERDICT, "required": [*_VERDICT]},
        }
    },
    "required": ["verdicts"],
}
"""JSON schema of the verdicts; verdicts with unknown numbers are ignored."""

_GAP = re.compile(r"\.{3,}|…+")


@dataclass(frozen=True, slots=True)
class Claim:
    """A derived sentence and the turns it cites."""

    text: str
    turns: tuple[Turn, ...]


def judge_claims(
    chat: CompletionModel,
    prompts: Prompts,
    subject: Subject,
    claims: Sequence[Claim],
    around: Iterable[Turn] = (),
) -> list[bool]:
    """Return for each claim whether the model confirms it with words of a cited turn.

    The model reads the cited turns and those ``around``, which say who "she" is. The last sentence of
    each request is a control that nobody said: a model that confirms it is unreliable. A
    request judges up to :data:`MAX_CLAIMS` claims; where the answer does not fit, the claims are
    judged in halves. Errors as ``CompletionModel.complete``.
    """
    if not claims:
        return []
    around = tuple(around)
    control = text("extraction", "control", subject.language, person=subject.person)
    asked = [*claims, Claim(control, claims[0].turns)]
    shown = {turn.id: turn for claim in claims for turn in claim.turns}
    shown |= {turn.id: turn for turn in around}
    turns = sorted(shown.values(), key=lambda turn: (turn.date, turn.position))
    prompt = prompts.render(
        "judge",
        person=subject.person,
        companion_name=subject.companion,
        talk=format_record(subject, turns, chat.context_tokens // 2),
        sentences=_format_claims(asked, turns),
    )
    room = chat.context_tokens - estimate_tokens(prompt) - MESSAGE_TOKENS
    is_single, data = len(claims) == 1, None
    if is_single or (len(claims) <= MAX_CLAIMS and room >= len(claims) * ANSWER_TOKENS):
        try:
            data = chat.complete([Message("user", prompt)], VERDICTS).data
        except ModelError as error:
            if error.key not in TOO_LONG or is_single:
                raise
    if data is None:
        middle = len(claims) // 2
        parts = (claims[:middle], claims[middle:])
        judged = (judge_claims(chat, prompts, subject, part, around) for part in parts)
        return [holds for part in judged for holds in part]
    if any(found["holds"] for found in data["verdicts"] if found["number"] == len(asked)):
        raise UnusableAnswer(UNRELIABLE, name=chat.name)
    speaker = re.compile(rf"(?:{re.escape(subject.person)}|{re.escape(subject.companion)})\s*[:：]")
    confirmed = {
        verdict["number"]: speaker.sub("…", verdict["quote"])
        for verdict in data["verdicts"]
        if verdict["holds"]
    }
    return [
        number in confirmed and stands_in(confirmed[number], claim.turns, turns)
        for number, claim in enumerate(claims, start=1)
    ]


def format_record(subject: Subject, turns: Sequence[Turn], tokens: int) -> Escaped:
    """Write turns with their numbers and days, both speakers of each, within so many tokens.

    Long utterances are truncated only if not everything fits.
    """
    lines: list[Escaped] = []
    whole = sum(estimate_tokens(turn.text) for turn in turns)
    longest = tokens if whole <= tokens else max(LEAST_TOKENS, tokens // (2 * len(turns)))
    for number, turn in enumerate(turns, start=1):
        lines.append(Escaped(f"[{number}] {date_with_weekday(turn.date, subject.language)}"))
        for name, words in ((subject.person, turn.query), (subject.companion, turn.response)):
            if words.strip():
                said = truncate(words, longest)
                lines.append(speaker_line(name, said, subject.language))
    return join(lines)


def stands_in(quote: str, cited: Sequence[Turn], shown: Sequence[Turn] = ()) -> bool:
    """Return True if a quotation was said: each part between ellipses, and one in a cited turn.

    The other parts may stand in any turn ``shown``, which tell who "she" is.
    """
    parts = [plain for part in _GAP.split(quote) if (plain := _letters(part))]
    own, said = _spoken(cited), _spoken([*cited, *shown])
    is_own = any(part in own for part in parts if len(part) >= MIN_QUOTE)
    return is_own and all(part in said for part in parts)


def _spoken(turns: Iterable[Turn]) -> str:
    return "\n".join(_letters(words) for turn in turns for words in (turn.query, turn.response))


def _format_claims(claims: Sequence[Claim], turns: Sequence[Turn]) -> str:
    numbers = {turn.id: number for number, turn in enumerate(turns, start=1)}
    return "\n".join(
        f"{at}. [{_in_words([numbers[turn.id] for turn in claim.turns])}] "
        + " ".join(claim.text.split())
        for at, claim in enumerate(claims, start=1)
    )


def _in_words(numbers: Sequence[int]) -> str:
    """Write numbers in order, three and more in a row as a range: "2, 4", "1-11"."""
    is_row = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
    return f"{numbers[0]}-{numbers[-1]}" if is_row else ", ".join(map(str, numbers))


def _letters(words: str) -> str:
    return "".join(filter(str.isalnum, fold(words)))
