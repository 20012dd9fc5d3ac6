"""Words that nobody said, and what was told in them: associated ones, and words inside words."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.control.search import search
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.association_table import FILE_NAME
from siliconfriend.recall.cue import Cue, build_cue
from siliconfriend.recall.expansion import ExpandedQuery, QueryTerm
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.related_words import related_weights
from siliconfriend.recall.results import Recalled
from siliconfriend.recall.word_index import WordIndex
from siliconfriend.testing import WordEmbedder
from siliconfriend.texts import Language
from tests.memory.people import NORA, a_profile
from tests.memory.stored import put
from tests.recall.people import NOW, remember, turns

CHINESE = (
    ("2026-03-01", "阳台上那盆蓝玫瑰终于开了。", "真好。"),
    ("2026-03-02", "我把玻璃琴搬到客厅了。", "声音一定很好听。"),
    ("2026-03-03", "今天加班到十点。", "早点休息。"),
    ("2026-03-04", "我妹妹考上了研究生。", "恭喜。"),
)
ENGLISH = (
    ("2026-03-01", "My blue roses on the balcony are open.", "Lovely."),
    ("2026-03-02", "I spent an afternoon in a bookshop.", "Lovely."),
    ("2026-03-03", "Worked until ten today.", "Get some rest."),
    ("2026-03-04", "My sister got into university.", "Congratulations."),
)
TABLE = "红色\t玫瑰\t9\nred\trose\t9\n加班\t玫瑰\t9\n"


def _recall(store: InMemoryStore, home: Path, query: str) -> list[Recalled]:
    """By words alone, so that nothing but a word can have put it first."""
    policy = ForgettingPolicy.named("companion")
    recaller = Recaller(store, None, policy=policy, associations=home / FILE_NAME)
    return list(recaller.recall(NORA, query, now=NOW, use_threshold=False).memories)


def _told(*lines: tuple[str, str, str]) -> InMemoryStore:
    store = InMemoryStore()
    remember(store, turns(lines))
    return store


@pytest.mark.parametrize(
    ("lines", "query", "found"), [(CHINESE, "红色", "蓝玫瑰"), (ENGLISH, "red", "blue roses")]
)
def test_an_associated_word_finds_a_turn(
    tmp_path: Path, lines: tuple[tuple[str, str, str], ...], query: str, found: str
) -> None:
    """That of the operator's table; without an entry for it nothing tells one from the others."""
    store = _told(*lines)
    assert all(it.parts["related"] == 0 for it in _recall(store, tmp_path, query))
    (tmp_path / FILE_NAME).write_text(TABLE, "utf-8")
    best = _recall(store, tmp_path, query)[0]
    assert found in _words(best)
    assert best.parts["lexical"] == 0 < best.parts["related"] < 0.3


@pytest.mark.parametrize(
    ("language", "query", "place"), [("cn", "红色", "玫瑰园"), ("en", "red", "the rose garden")]
)
def test_an_associated_word_finds_an_event(
    tmp_path: Path, language: Language, query: str, place: str
) -> None:
    """By any of the words an event is found by, and not facts alone."""
    store = _told(*(CHINESE[2:] if language == "cn" else ENGLISH[2:]))
    event = Event(
        id=memory_id(NORA, "event", "2026-03-05", 0),
        date="2026-03-05",
        position=0,
        text="Nora met Kai.",
        trace=Trace(NOW),
        provenance=Provenance("scripted", NOW),
        place=place,
    )
    put(store, NORA, PutDerived(event))
    (tmp_path / FILE_NAME).write_text(TABLE, "utf-8")
    assert _recall(store, tmp_path, query)[0].memory.id == event.id


@pytest.mark.parametrize(
    ("lines", "query", "found"),
    [
        (CHINESE, "弹琴", "玻璃琴"),
        (CHINESE, "我什么时候练琴？", "玻璃琴"),
        (ENGLISH, "shop", "bookshop"),
        (ENGLISH, "Which shops do I like?", "bookshop"),
    ],
)
def test_a_word_inside_a_word_finds_it(
    tmp_path: Path, lines: tuple[tuple[str, str, str], ...], query: str, found: str
) -> None:
    """And beats everything that shares nothing with what is asked."""
    assert found in _words(_recall(_told(*lines), tmp_path, query)[0])


def test_the_whole_word_counts_more_than_a_part(tmp_path: Path) -> None:
    """Whoever asks for 弹琴 gets 弹琴 first, and "shop" first where it was said."""
    said = ("2026-03-05", "昨晚又弹琴到很晚。", "小心邻居。")
    assert "弹琴" in _words(_recall(_told(*CHINESE, said), tmp_path, "弹琴")[0])
    said = ("2026-03-05", "The shop at the corner has closed.", "What a pity.")
    assert "The shop" in _words(_recall(_told(*ENGLISH, said), tmp_path, "shop")[0])


def test_what_every_other_memory_shares_tells_nothing() -> None:
    """A part in 6 of 100 memories is not looked for; in 5 it is."""
    for sharing, is_found in ((5, True), (6, False)):
        index = WordIndex()
        for at in range(100):
            index.add(["钢琴" if at < sharing else "天气"])
        weights = related_weights(_query("弹琴"), _cue("弹琴"), index)
        assert ("钢琴" in weights) is is_found


def test_no_related_word_tells_more_than_what_it_stands_for() -> None:
    """Half of the memories have "tea": "kettle", in one, counts 0.3 of that and not of its own."""
    index = WordIndex()
    for at in range(10):
        index.add(["tea"] if at < 5 else ["kettl"] if at == 5 else ["rain"])
    query = ExpandedQuery((QueryTerm("tea", "tea", 1.0),), (("kettle", 9),))
    weights = related_weights(query, _cue("tea"), index)
    assert weights["kettl"] * index.idf("kettl") == pytest.approx(0.3 * index.idf("tea"))
    assert "tea" not in weights


def test_a_word_that_was_said_is_not_counted_twice() -> None:
    """It has its full weight already."""
    index = WordIndex()
    index.add(["tea", "kettl"])
    query = ExpandedQuery((QueryTerm("tea", "tea", 1.0),), (("kettle", 9),))
    assert related_weights(query, _cue("tea kettle"), index) == {}


def test_only_the_ten_best_associated_words_are_searched() -> None:
    """What hardly comes to mind would lead away from what was said."""
    associated = tuple((f"x{chr(97 + at)}x", 9) for at in range(12))
    index = WordIndex()
    for word, _ in associated:
        index.add([word])
    query = ExpandedQuery((QueryTerm("tea", "tea", 1.0),), associated)
    assert len(related_weights(query, _cue("tea"), index)) == 10


def _words(recalled: Recalled) -> str:
    assert isinstance(recalled.memory, Turn)
    return recalled.memory.query


def _query(word: str) -> ExpandedQuery:
    return ExpandedQuery((QueryTerm(word, word, 1.0),))


def _cue(message: str) -> Cue:
    return build_cue(message, PersonMemory(a_profile()), now=NOW)


@pytest.mark.parametrize(
    ("lines", "query", "found"),
    [(CHINESE, "红色", "蓝玫瑰"), (ENGLISH, "red", "blue roses"), (CHINESE, "弹琴", "玻璃琴")],
)
def test_who_looks_for_a_word_is_shown_what_stands_for_it(
    tmp_path: Path, lines: tuple[tuple[str, str, str], ...], query: str, found: str
) -> None:
    """With an embedder too, by which none of them is near enough to matter by itself."""
    (tmp_path / FILE_NAME).write_text(TABLE, "utf-8")
    store = _told(*lines)
    policy = ForgettingPolicy.named("companion")
    recaller = Recaller(store, WordEmbedder(), policy=policy, associations=tmp_path / FILE_NAME)
    assert not recaller.recall(NORA, query, now=NOW).memories
    shown = search(lambda: recaller, NORA, store.load(NORA), query, now=NOW)
    assert [found in it.query for it in shown if isinstance(it, Turn)] == [True]
    asked = f"{query}？"
    assert not search(lambda: recaller, NORA, store.load(NORA), asked, now=NOW)
