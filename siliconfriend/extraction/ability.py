"""Measure whether a chat model is reliable enough to write memories.

The model judges ten sentences of which the program knows which ones hold. The result is kept under
the model's name for two weeks, since a server may replace a model under its name. A model that judges these wrongly derives nothing, since nobody could check what it
writes: comparing words keeps about half of such wrong sentences as "the brother wants to sell" for
"the person wants to sell".
"""

from datetime import UTC, datetime, timedelta

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.judge import UNRELIABLE, Claim, judge_claims
from siliconfriend.forgetting.trace import Trace
from siliconfriend.installation.tables import Tables
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import CompletionModel
from siliconfriend.prompts.loader import Prompts
from siliconfriend.texts import Language, lookup

ENOUGH = 9
"""Minimum correct verdicts of ten; guessing gives 5, rarely 7."""
EDITION = 1
"""Version of the questions; a new version measures every model again."""
VALID_FOR = timedelta(days=14)
"""Time after which a model is measured again."""

_ASKED_ON = datetime(2026, 6, 10, 12, tzinfo=UTC)
_WRONG_FORM = (UNRELIABLE, "model_not_json", "model_empty", "model_cut", "model_thought_aloud")


def is_able(chat: CompletionModel, language: Language, tables: Tables, now: datetime) -> bool:
    """Return True for a model that may write in a language; asks in one request if it is unknown.

    A model's own ``is_able`` attribute, such as a test model's, overrides the measurement.

    Raises:
        ModelError: the model gave no answer; nothing is stored.
    """
    known = known_ability(chat, language, tables, now)
    if known is None:
        score = measure(chat, language)
        statement = (
            "INSERT INTO ability (model, language, edition, day, score) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (model, language, edition)"
            " DO UPDATE SET day = excluded.day, score = excluded.score"
        )
        values = (chat.name, language, EDITION, now.date().isoformat(), score)
        tables.change(statement, values)
        known = score >= ENOUGH
    return known


def known_ability(
    chat: CompletionModel, language: Language, tables: Tables, now: datetime
) -> bool | None:
    """Return whether a model was found able to write lately; None before the measurement."""
    given: bool | None = getattr(chat, "is_able", None)
    if given is not None:
        return given
    query = (
        "SELECT score FROM ability WHERE model = ? AND language = ? AND edition = ? AND day >= ?"
    )
    since = (now - VALID_FOR).date().isoformat()
    rows = tables.read(query, (chat.name, language, EDITION, since))
    return bool(rows[0][0] >= ENOUGH) if rows else None


def forget_ability(model: str, tables: Tables) -> None:
    """Have a model measured again before its next night."""
    tables.change("DELETE FROM ability WHERE model = ?", (model,))


def measure(chat: CompletionModel, language: Language) -> int:
    """Return how many of the ten sentences a model judges rightly; an answer in the wrong form is 0.

    Raises:
        ModelError: there was no answer.
    """
    subject = Subject(
        lookup("ability", "person", language), lookup("ability", "companion", language), language
    )
    said = lookup("ability", "said", language)
    turns = [_turn(number, words) for number, words in enumerate(said)]
    pairs = zip(
        lookup("ability", "holds", language), lookup("ability", "fails", language), strict=True
    )
    expected, claims = list[bool](), list[Claim]()
    for place, pair in enumerate(pairs):
        # Vary the position of the correct sentence in each pair.
        for holds, sentence in sorted(
            zip((True, False), pair, strict=True), reverse=place % 2 == 0
        ):
            number, _, words = sentence.partition(": ")
            expected.append(holds)
            claims.append(Claim(words, (turns[int(number) - 1],)))
    try:
        found = judge_claims(chat, Prompts(language), subject, claims)
    except UnusableAnswer as error:
        if error.key not in _WRONG_FORM:
            raise
        return 0
    return sum(holds == right for holds, right in zip(found, expected, strict=True))


def _turn(position: int, words: str) -> Turn:
    date = _ASKED_ON.date().isoformat()
    return Turn(
        id=f"turn-{date}-{position}",
        date=date,
        position=position,
        query=words,
        response="",
        time=_ASKED_ON,
        trace=Trace(_ASKED_ON),
    )
