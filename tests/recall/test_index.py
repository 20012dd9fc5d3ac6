"""Both indexes follow the memory, step by step, as if they were made from it afresh."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.changes import Change, Erase, PutSummary, PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.candidate_set import POOL, find_candidates
from siliconfriend.recall.cue import CueVectors, build_cue
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.index import ScopeIndex
from tests.embedding import WordEmbedder
from tests.memory.people import a_profile, a_summary, a_turn
from tests.recall.people import GARDEN, NOW, an_index, turns, with_trace

WORDS = ("bean", "wall", "kettle", "heron", "pond", "porto")
DAYS = ("2026-03-01", "2026-03-02")

said = st.builds(
    lambda text, day, position: PutTurn(a_turn(" ".join(text), "", day=day, position=position)),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    st.sampled_from(DAYS),
    st.integers(0, 3),
)
put_away = st.builds(lambda change: PutTurn(with_trace(change.record, archived=NOW)), said)
erased = st.builds(lambda change: Erase((change.record.id,)), said)
summed_up = st.builds(
    lambda day, text: PutSummary(day, text and a_summary(" ".join(text), day=day)),
    st.sampled_from(DAYS),
    st.one_of(st.none(), st.lists(st.sampled_from(WORDS), min_size=1)),
)
histories = st.lists(st.lists(st.one_of(said, put_away, erased, summed_up), max_size=4), max_size=8)


def _memory(changes: Sequence[Change] = ()) -> PersonMemory:
    return apply_all(PersonMemory(a_profile()), changes)


def _seen(index: ScopeIndex) -> dict[str, tuple[str, bool, float, float]]:
    """Of each living memory: its words' digest, whether it is put away, and two scores."""
    words = index.word_index.scores(["bean", "heron"])
    query = WordEmbedder(WORDS).queries(["bean heron"])[0]
    assert index.vector_index is not None
    meanings = index.vector_index.vectors(np.arange(len(index.rows))) @ query
    return {
        memory.id: (
            index.rows.digests[row],
            bool(index.rows["archived"][row]),
            round(float(words[row]), 5),
            round(float(meanings[row]), 5),
        )
        for row, memory in enumerate(map(index.rows.memory, range(len(index.rows))))
        if index.rows["alive"][row]
    }


@given(histories)
def test_an_index_that_followed_equals_one_made_afresh(history: list[list[Change]]) -> None:
    """Whatever was said, changed, put away, erased and summed up in whatever order."""
    memory, followed = _memory(), an_index(WordEmbedder(WORDS))
    for changes in history:
        memory = apply_all(memory, changes)
        followed.sync(memory)
    followed.sync(memory)
    fresh = an_index(WordEmbedder(WORDS))
    fresh.sync(memory)
    assert _seen(followed) == _seen(fresh)
    assert followed.row_of.keys() == fresh.row_of.keys()
    assert followed.days_spoken == fresh.days_spoken
    for index in (followed, fresh):
        for row, one in enumerate(map(index.rows.memory, range(len(index.rows)))):
            for name, step in (("previous", -1), ("following", 1)):
                beside = int(index.rows[name][row])
                if beside >= 0:
                    other = index.rows.memory(beside)
                    assert isinstance(one, Turn)
                    assert isinstance(other, Turn)
                    assert (other.date, other.position) == (one.date, one.position + step)


class _Failing(WordEmbedder):
    """Fails at its second call, once."""

    calls = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        if self.calls == 2:
            raise ModelUnavailable("model_timeout", name="words", seconds=1)
        return super().passages(texts)


def test_what_was_embedded_before_a_failure_is_not_embedded_again(tmp_path: Path) -> None:
    """The next question goes on where the service broke off."""
    memory = _memory([PutTurn(turn) for turn in turns([("2026-03-01", "bean", ""), *GARDEN])])
    embedder = _Failing(WORDS)
    index = an_index(embedder, tmp_path)
    index.sync(_memory([PutTurn(turns([("2026-03-01", "bean", "")])[0])]))
    with pytest.raises(ModelUnavailable):
        index.sync(memory)
    index.sync(memory)
    assert len(embedder.embedded) == len(set(embedder.embedded)) == 1 + len(GARDEN)
    assert index.row_of.keys() == {turn.id for turn in memory.turns()}


def test_a_turn_that_waits_for_its_reply_is_embedded_once(tmp_path: Path) -> None:
    """Left for later it is not found; the next time it is, with its reply."""
    embedder = WordEmbedder(WORDS)
    index = an_index(embedder, tmp_path)
    asked = a_turn("A heron?", "")
    index.sync(_memory([PutTurn(asked)]), later=[asked.id])
    assert embedder.embedded == []
    answered = replace(asked, response="By the pond.")
    index.sync(_memory([PutTurn(answered)]), later=[])
    assert embedder.embedded == ["A heron?\nBy the pond."]


def test_a_candidate_knows_the_turns_beside_it_that_are_candidates_too() -> None:
    """Of a memory that is too large for all of it; no other one stands in for what is none."""
    said = [
        PutTurn(
            a_turn(
                "bean" if at % 97 == 5 else f"word{at}",
                "",
                day=str(date(2026, 1, 1) + timedelta(at // 20)),
                position=at % 20,
            )
        )
        for at in range(5 * POOL)
    ]
    memory, index = _memory(said), an_index(None)
    index.sync(memory)
    now = datetime(2030, 1, 1, tzinfo=UTC)
    cue = build_cue("bean", memory, now=now)
    found = find_candidates(index, cue, CueVectors(), now=now)
    own = [index.row_of[memory.id] for memory in found.memories]
    place = {row: at for at, row in enumerate(own)}
    assert 0 < len(found) < len(said)
    for name, positions in (("previous", found.previous), ("following", found.following)):
        rows = index.rows[name][own].tolist()
        assert positions.tolist() == [place.get(row, -1) for row in rows]


def test_how_far_it_is_can_be_asked_while_it_takes_in_much() -> None:
    """In texts, batch by batch; nothing before and nothing after, also where it fails."""
    seen: list[tuple[int, int] | None] = []

    class Watching(WordEmbedder):
        def passages(self, texts: Sequence[str]) -> Vectors:
            seen.append(index.maker.progress)
            if len(seen) > 3:
                raise ModelUnavailable("model_refused", name="watching")
            return super().passages(texts)

    index = an_index(Watching(WORDS))
    told = [PutTurn(a_turn(f"bean {number}", "", position=number)) for number in range(150)]
    assert index.maker.progress is None
    assert index.sync(_memory(told)) == 150
    assert seen == [(0, 150), (64, 150), (128, 150)]
    assert index.maker.progress is None
    more = [*told, PutTurn(a_turn("kettle", "", position=150))]
    with pytest.raises(ModelUnavailable):
        index.sync(_memory(more))
    assert index.maker.progress is None
