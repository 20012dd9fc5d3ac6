"""The importance of each turn, rated once and kept with the turn.

Forgetting gives what matters a longer life and reflection adds it up, so it is rated before
both: at the beginning of the stage ``reflect``. A turn that has an importance keeps it,
whoever rated it; nothing is asked twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.importance import offline_importance, ratings_by_model
from siliconfriend.memory.changes import PutTrace
from siliconfriend.memory.days import outlines
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.models.base import CompletionModel
from siliconfriend.night.person_night import PersonNight, run_items
from siliconfriend.recall.documents import searched_text

NAME = "importance"
"""What the report calls it."""


def unrated(night: PersonNight, memory: PersonMemory) -> list[Turn]:
    """The turns of days that are over which have no importance, the newest first.

    One that cannot be recalled (it only asks, or was not to be remembered) needs none.
    """
    turns = [
        turn
        for date, outline in outlines(memory.days)
        if outline.unrated and night.is_over(date, memory)
        for turn in memory.days[date].turns
        if turn.trace.importance is None and searched_text(turn)
    ]
    return turns[::-1]


def forecast(night: PersonNight, memory: PersonMemory) -> Mapping[str, float]:
    """The ratings by id that the rule would give, for a dry run; a model's nobody can foresee."""
    if night.chat is not None:
        return {}
    return {turn.id: offline_importance(turn.query) for turn in unrated(night, memory)}


def rate_turns(night: PersonNight) -> None:
    """Rate every turn that has no importance: by the model, 20 in one call, or offline by rule.

    By the person's words alone. The newest come first, since reflection needs those, and
    each batch is stored as soon as it is rated. A turn that the model names no rating for
    stays without one, and the report says so.
    """
    turns = unrated(night, night.load())
    if not turns:
        return
    model = night.chat
    if model is None:
        _store(night, [(turn, offline_importance(turn.query)) for turn in turns])
    else:
        run_items(night, [NAME], lambda _name: _rate_by_model(night, model, turns))


def _rate_by_model(night: PersonNight, model: CompletionModel, turns: Sequence[Turn]) -> bool:
    """Rate the turns and store each batch of ratings.

    Raises:
        UnusableAnswer: the last of those that the model gave instead of a rating.
    """
    failed: UnusableAnswer | None = None
    start = 0
    for ratings in ratings_by_model(model, night.prompts, [turn.query for turn in turns]):
        batch = turns[start : start + len(ratings)]
        start += len(ratings)
        rated = []
        for turn, rating in zip(batch, ratings, strict=True):
            if isinstance(rating, UnusableAnswer):
                failed = rating
            else:
                rated.append((turn, rating))
        _store(night, rated)
    if failed is not None:
        raise failed
    return True


def _store(night: PersonNight, rated: Sequence[tuple[Turn, float]]) -> None:
    """Store the ratings of turns that have the same words still, and no rating meanwhile."""
    if not rated:
        return
    with night.store.edit(night.scope) as edit:
        for turn, rating in rated:
            newest = edit.memory.find(turn.id)
            if not isinstance(newest, Turn) or newest.query != turn.query:
                continue
            if newest.trace.importance is None:
                edit.add(PutTrace(turn.id, replace(newest.trace, importance=rating)))
    night.report.judged += len(edit.changes)
