"""How much each turn matters, judged once and kept with the turn.

Forgetting gives what matters a longer life and reflection adds it up, so it is judged
before both: at the beginning of the step ``reflect``. A turn that has an importance keeps
it, whoever judged; nothing is asked twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from siliconfriend.errors import UnusableAnswer
from siliconfriend.importance import offline_importance, ratings_by_model
from siliconfriend.memory.changes import PutTrace
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
        for date, day in memory.days.items()
        if night.is_over(date, memory)
        for turn in day.turns
        if turn.trace.importance is None and searched_text(turn)
    ]
    return turns[::-1]


def forecast(night: PersonNight, memory: PersonMemory) -> Mapping[str, float]:
    """For a dry run, the ratings by id that the rule would give; a model's nobody can foresee."""
    if night.chat is not None:
        return {}
    return {turn.id: offline_importance(turn.query) for turn in unrated(night, memory)}


def rate_turns(night: PersonNight) -> None:
    """Judge every turn that nobody judged: by the model, 20 in one call, or offline by rule.

    By the person's words alone. The newest come first, since reflection needs those, and
    each batch is kept as soon as it is judged. A turn that the model names no rating for
    stays unjudged, and the report says so.
    """
    turns = unrated(night, night.load())
    if not turns:
        return
    model = night.chat
    if model is None:
        _keep(night, turns, [offline_importance(turn.query) for turn in turns])
    else:
        run_items(night, [NAME], lambda _name: _judge(night, model, turns))


def _judge(night: PersonNight, model: CompletionModel, turns: Sequence[Turn]) -> bool:
    failed: UnusableAnswer | None = None
    rated = 0
    for ratings in ratings_by_model(model, night.prompts, [turn.query for turn in turns]):
        batch = turns[rated : rated + len(ratings)]
        rated += len(ratings)
        known = [
            (turn, rating)
            for turn, rating in zip(batch, ratings, strict=True)
            if not isinstance(rating, UnusableAnswer)
        ]
        _keep(night, [turn for turn, _ in known], [rating for _, rating in known])
        failed = next((it for it in ratings if isinstance(it, UnusableAnswer)), failed)
    if failed is not None:
        raise failed
    return True


def _keep(night: PersonNight, turns: Sequence[Turn], ratings: Sequence[float]) -> None:
    """Write the ratings of turns that still say what was judged and were not judged meanwhile."""
    judged: Mapping[str, tuple[str, float]] = {
        turn.id: (turn.query, rating) for turn, rating in zip(turns, ratings, strict=True)
    }
    if not judged:
        return
    with night.store.edit(night.scope) as edit:
        for identifier, (query, rating) in judged.items():
            found = edit.memory.find(identifier)
            is_same = isinstance(found, Turn) and found.query == query
            if found is not None and is_same and found.trace.importance is None:
                edit.add(PutTrace(identifier, replace(found.trace, importance=rating)))
    night.report.judged += len(edit.changes)
