"""MemoryBank's files go in and come out with the same meaning, and a fault changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.errors import RefusedName, UnreadableFile, UsageError
from siliconfriend.memory.changes import Erase, PutPersonality, PutSummary, PutTrace, PutTurn
from siliconfriend.memory.digest import (
    day_inputs,
    overall_history_inputs,
    overall_personality_inputs,
)
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.interchange import (
    ImportReport,
    export_memorybank,
    export_native,
    import_bank,
)
from siliconfriend.memory.people import new_turn
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from tests.memory.people import NORA, NOW, a_profile, a_summary, a_turn

SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.fixture
def store() -> MemoryStore:
    """A store that knows nobody yet."""
    return InMemoryStore()


def _bring(store: MemoryStore, bank: Any, companion: str = "default") -> ImportReport:
    return import_bank(store, bank, language="cn", companion=companion, zone=SHANGHAI, now=NOW)


def _person(history: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "name": "Nora",
        "summary": {},
        "personality": {},
        "overall_history": "",
        "history": history,
        "meta_information": {},
        **more,
    }


def _talk(*queries: str) -> list[dict[str, str]]:
    return [{"query": query, "response": f"re: {query}"} for query in queries]


def _places(store: MemoryStore, date: str) -> list[tuple[int, str]]:
    return [(turn.position, turn.query) for turn in store.load(NORA).days[date].turns]


def _out(store: MemoryStore) -> dict[str, Any]:
    return {
        name: person
        for scope in store.scopes()
        for name, person in export_memorybank(store.load(scope)).items()
    }


def test_a_bank_comes_out_as_it_went_in(store: MemoryStore) -> None:
    """Several people, an empty day, both languages: the export is the file, names trimmed."""
    bank = {
        " Nora ": _person(
            {"2023-04-28": _talk("a", "b"), "2023-04-27": [], "2023-05-01": _talk("c")},
            meta_information={"name": "Nora", "hobbies": "beans"},
        ),
        "小明": _person({"2023-05-04": _talk("我种了豆子。")}, name="小明"),
    }
    report = _bring(store, json.dumps(bank, ensure_ascii=False).encode("utf-8-sig"))
    assert [(it.user, it.turns, it.dates) for it in report.people] == [
        ("Nora", 3, ("2023-04-28", "2023-05-01")),
        ("小明", 1, ("2023-05-04",)),
    ]
    assert _out(store) == {"Nora": bank[" Nora "], "小明": bank["小明"]}


def test_what_is_derived_comes_out_too(store: MemoryStore) -> None:
    """Summaries, personalities and overall texts, and every field that means nothing here."""
    history = {
        "2023-04-28": [
            {**_talk("a")[0], "memory_strength": 3, "last_recall_date": "2023-05-02", "mood": [1]},
            {**_talk("b")[0], "last_recall_date": "2023-04-30"},
            {**_talk("c")[0], "memory_strength": 2.5, "memory_id": "Nora_2023-04-28_2"},
        ]
    }
    summary = {"2023-04-28": {"content": "Beans.", "memory_strength": 2, "model": "x"}}
    person = _person(
        history,
        summary=summary,
        personality={"2023-04-28": "Patient."},
        overall_history="A gardener.",
        overall_personality="Patient; ask about beans.",
        overall_mood={"score": 4},
    )
    _bring(store, {"Nora": person})
    assert _out(store) == {"Nora": person}


def test_strength_and_last_recall_arrive_as_they_are(store: MemoryStore) -> None:
    """A recall is counted in the strength, so S and the day of the last recall both agree."""
    dialogue = {**_talk("a")[0], "memory_strength": 3, "last_recall_date": "2023-05-02"}
    _bring(store, {"Nora": _person({"2023-04-28": [dialogue, _talk("b")[0]]})})
    recalled, plain = store.load(NORA).turns()
    assert recalled.trace.strength == 3
    assert recalled.trace.last_recall == datetime(2023, 5, 2, 4, tzinfo=UTC)
    assert (plain.trace.strength, plain.trace.recalls) == (1, ())


def test_a_turn_without_a_time_counts_as_noon(store: MemoryStore) -> None:
    """Only the day is known; noon in Shanghai is 04:00 UTC."""
    _bring(store, {"Nora": _person({"2023-04-28": _talk("a")})})
    (turn,) = store.load(NORA).turns()
    assert turn.time is None
    assert turn.trace.created == datetime(2023, 4, 28, 4, tzinfo=UTC)
    assert (turn.origin, turn.replied_by) == ("import", "")
    assert turn.id == f"turn-2023-04-28-0-{NORA.digest}"


def test_somebody_known_keeps_their_zone_and_language(store: MemoryStore) -> None:
    """The settings of the import are for people who are new."""
    store.create(NORA, a_profile())
    _bring(store, {"Nora": _person({"2023-04-28": _talk("a")}, meta_information={"age": 40})})
    memory = store.load(NORA)
    assert memory.profile == replace(a_profile(), meta_information={"age": 40})
    (turn,) = memory.turns()
    assert turn.trace.created == datetime(2023, 4, 28, 12, tzinfo=UTC)


def test_all_forms_of_such_files_are_taken(store: MemoryStore) -> None:
    """Pairs, plain summaries, personalities as objects, keys left out or null, dates loosely."""
    bank = {
        "Nora": {
            "history": {" 2023-4-28 ": [["a", "re: a"]], "2023-05-01": None},
            "summary": {"2023-04-28": "Beans.", "2023-05-01": ""},
            "personality": {
                "2023-04-28": {"content": "Patient."},
                "2023-05-01": {"traits": "calm", "mood": "glad"},
            },
            "overall_history": None,
            "overall_personality": {"content": "Patient on the whole."},
        }
    }
    _bring(store, bank)
    memory = store.load(NORA)
    day, other = memory.days["2023-04-28"], memory.days["2023-05-01"]
    assert [(turn.query, turn.response) for turn in day.turns] == [("a", "re: a")]
    assert day.summary is not None
    assert day.summary.text == "Beans."
    assert other.summary is None
    assert day.personality is not None
    assert day.personality.text == "Patient."
    assert other.personality is not None
    assert (other.personality.text, other.personality.mood) == ("calm\nglad", "glad")
    assert memory.overall_history is None
    assert memory.overall_personality is not None
    assert memory.overall_personality.text == "Patient on the whole."


def test_one_text_for_all_days_is_an_overall_text(store: MemoryStore) -> None:
    """Where a file has a plain text in the place of texts by date, it is about all of them."""
    _bring(store, {"Nora": _person({}, summary="A gardener.", personality="Patient.")})
    memory = store.load(NORA)
    assert memory.overall_history is not None
    assert memory.overall_history.text == "A gardener."
    assert memory.overall_personality is not None
    assert memory.overall_personality.text == "Patient."


def test_empty_texts_count_as_none(store: MemoryStore) -> None:
    """A summary that failed elsewhere is not taken for one."""
    person = _person(
        {"2023-04-28": _talk("a")},
        summary={"2023-04-28": {"content": ""}},
        personality={"2023-04-28": " "},
    )
    _bring(store, {"Nora": person})
    day = store.load(NORA).days["2023-04-28"]
    assert (day.summary, day.personality) == (None, None)


def test_imported_texts_are_not_due_again(store: MemoryStore) -> None:
    """They carry the hash of what they rest on, which the night compares."""
    person = _person(
        {"2023-04-28": _talk("a"), "2023-04-29": _talk("b")},
        summary={"2023-04-28": {"content": "Beans."}},
        personality={"2023-04-28": "Patient."},
        overall_history="A gardener.",
        overall_personality="Patient on the whole.",
    )
    _bring(store, {"Nora": person})
    memory = store.load(NORA)
    day = memory.days["2023-04-28"]
    assert day.summary is not None
    assert day.personality is not None
    assert memory.overall_history is not None
    assert memory.overall_personality is not None
    assert day.summary.provenance.made_by == "import"
    assert day.summary.provenance.from_ids == tuple(turn.id for turn in day.turns)
    assert day.summary.provenance.inputs == day.personality.provenance.inputs == day_inputs(day)
    assert memory.overall_history.provenance.inputs == overall_history_inputs(memory)
    assert memory.overall_personality.provenance.inputs == overall_personality_inputs(memory)
    talked = replace(a_turn("later", day=day.date, position=1))
    store.update(NORA, lambda _: [PutTurn(talked)])
    later = store.load(NORA).days["2023-04-28"]
    assert day_inputs(later) != day.summary.provenance.inputs


def test_importing_again_adds_nothing(store: MemoryStore) -> None:
    """Two identical turns of a day stay two, and the second time nothing is written at all."""
    bank = {
        "Nora": _person(
            {"2023-04-28": _talk("hi", "hi", "a"), "2023-05-01": []},
            summary={"2023-04-28": {"content": "Greetings."}},
            overall_history="Somebody polite.",
            meta_information={"hobbies": "beans"},
            unknown=1,
        )
    }
    (first,) = _bring(store, bank).people
    memory = store.load(NORA)
    (second,) = _bring(store, bank).people
    assert (first.turns, first.skipped) == (3, 0)
    assert (second.turns, second.skipped, second.dates) == (0, 3, ())
    assert store.load(NORA) == memory
    assert _places(store, "2023-04-28") == [(0, "hi"), (1, "hi"), (2, "a")]


def test_the_same_import_gives_the_same_ids(home: Path) -> None:
    """Ids depend on person, companion, date and place only, not on where or when."""
    bank = {"Nora": _person({"2023-04-28": _talk("a", "b")})}
    stores: list[MemoryStore] = [InMemoryStore(), FileStore(home)]
    for store in stores:
        _bring(store, bank)
        _bring(store, bank, companion="Sol")
    first, second = ([turn.id for turn in store.load(NORA).turns()] for store in stores)
    assert first == second
    other = [turn.id for turn in stores[0].load(Scope.of("Nora", "Sol")).turns()]
    assert set(first).isdisjoint(other)


def test_turns_said_here_make_room(store: MemoryStore) -> None:
    """A file that brings turns to a day that was talked on: nothing is overwritten."""
    store.create(NORA, a_profile())
    for query in ("hello", "b"):
        store.update(NORA, lambda m, q=query: [PutTurn(new_turn(NORA, m, q, now=NOW))])
    bank = {"Nora": _person({"2026-03-14": [["a", ""], ["b", ""], ["b", ""], ["c", ""]]})}
    for expected in (3, 0):
        assert _bring(store, bank).turns == expected
        assert _places(store, "2026-03-14") == [
            (0, "hello"),
            (1, "b"),
            (2, "a"),
            (3, "b"),
            (4, "c"),
        ]


def test_a_longer_file_adds_what_is_new(store: MemoryStore) -> None:
    """The same bank a week later brings only the turns since."""
    _bring(store, {"Nora": _person({"2023-04-28": _talk("a")})})
    report = _bring(store, {"Nora": _person({"2023-04-28": _talk("a", "b", "a")})})
    assert (report.people[0].turns, report.people[0].skipped) == (2, 1)
    assert _places(store, "2023-04-28") == [(0, "a"), (1, "b"), (2, "a")]


def test_a_match_in_place_is_not_given_away(store: MemoryStore) -> None:
    """A turn that stands at its place is matched by that, not by an equal one before it."""
    store.create(NORA, a_profile())
    put = [PutTurn(a_turn(query, "", position=place)) for place, query in enumerate("ba")]
    store.update(NORA, lambda _: put)
    bank = {"Nora": _person({"2026-03-01": [["a", ""], ["a", ""]]})}
    for expected in (1, 0):
        assert _bring(store, bank).turns == expected
        assert _places(store, "2026-03-01") == [(0, "b"), (1, "a"), (2, "a")]


def test_what_was_erased_does_not_come_back(store: MemoryStore) -> None:
    """Neither the turn nor the texts that the file had made from it."""
    bank = {
        "Nora": _person(
            {"2023-04-28": _talk("a", "secret"), "2023-04-29": _talk("b")},
            summary={"2023-04-28": {"content": "A secret."}, "2023-04-29": {"content": "B."}},
            personality={"2023-04-28": "Secretive."},
            overall_history="Has a secret.",
            overall_personality="Secretive.",
        )
    }
    _bring(store, bank)
    secret = f"turn-2023-04-28-1-{NORA.digest}"
    gone = [Erase((secret,)), PutSummary("2023-04-28", None), PutPersonality("2023-04-28", None)]
    store.update(NORA, lambda _: gone)
    (report,) = _bring(store, bank).people
    assert (report.turns, report.skipped, report.kept_erased) == (0, 2, 1)
    memory = store.load(NORA)
    assert _places(store, "2023-04-28") == [(0, "a")]
    assert memory.days["2023-04-28"].summary is None
    assert memory.days["2023-04-28"].personality is None
    assert memory.days["2023-04-29"].summary is not None
    assert memory.overall_history is not None, "only an erasing takes it away"


def test_a_turn_that_took_another_place_stays_corrected(store: MemoryStore) -> None:
    """The day was talked on before the file came: the file's first turn stands second."""
    store.create(NORA, a_profile())
    store.update(NORA, lambda _: [PutTurn(a_turn("Hello.", "", position=0))])
    bank = {"Nora": _person({"2026-03-01": [["a", ""]]})}
    _bring(store, bank)
    (moved,) = [turn for turn in store.load(NORA).turns() if turn.position == 1]
    assert moved.brought_from == 0
    store.update(NORA, lambda _: [PutTurn(replace(moved, query="b", edited=True))])
    assert _bring(store, bank).turns == 0
    assert _places(store, "2026-03-01") == [(0, "Hello."), (1, "b")]


def test_what_was_corrected_stays_corrected(store: MemoryStore) -> None:
    """A turn the person edited is not joined by its old words, nor by a summary of them."""
    bank = {
        "Nora": _person(
            {"2023-04-28": _talk("I am 30")}, summary={"2023-04-28": {"content": "Is 30."}}
        )
    }
    _bring(store, bank)
    (turn,) = store.load(NORA).turns()
    corrected = replace(turn, query="I am 31", edited=True)
    store.update(NORA, lambda _: [PutTurn(corrected), PutSummary(turn.date, None)])
    assert _bring(store, bank).turns == 0
    memory = store.load(NORA)
    assert list(memory.turns()) == [corrected]
    assert memory.days[turn.date].summary is None


def test_texts_that_exist_stay(store: MemoryStore) -> None:
    """A summary made here is not replaced by that of a file."""
    store.create(NORA, a_profile())
    own = a_summary("Ours.", day="2023-04-28")
    store.update(NORA, lambda _: [PutSummary("2023-04-28", own)])
    _bring(store, {"Nora": _person({}, summary={"2023-04-28": "Theirs."})})
    assert store.load(NORA).days["2023-04-28"].summary == own


def test_archived_turns_are_exported(store: MemoryStore) -> None:
    """Forgetting takes nothing out of an export."""
    _bring(store, {"Nora": _person({"2023-04-28": _talk("a")})})
    (turn,) = store.load(NORA).turns()
    store.update(NORA, lambda _: [PutTrace(turn.id, turn.trace.archived_at(NOW))])
    assert _out(store)["Nora"]["history"] == {"2023-04-28": _talk("a")}


def test_another_companion_gets_ids_of_its_own(store: MemoryStore) -> None:
    """Our own form brought to another companion: all there, with nothing pointing back."""
    _bring(store, {"Nora": _person({"2023-04-28": _talk("a")}, summary={"2023-04-28": "A."})})
    said = store.load(NORA)
    (turn,) = said.turns()
    gone = f"turn-2023-04-28-5-{NORA.digest}"
    store.update(NORA, lambda _: [Erase((gone,)), PutTurn(replace(turn, edited=True))])
    bank = export_native(store.load(NORA))
    for _ in range(2):
        _bring(store, bank, companion="Sol")
    sol = Scope.of("Nora", "Sol")
    text = json.dumps(export_native(store.load(sol)))
    assert NORA.digest not in text
    assert text.count(sol.digest) == 4  # the turn, the summary, what it rests on, the erased one
    day = store.load(sol).days["2023-04-28"]
    assert day.summary is not None
    assert day.summary.provenance.inputs == day_inputs(day)


@pytest.mark.parametrize(
    ("bank", "named"),
    [
        ("{", ()),
        ("", ()),
        (b"\xff\xfe", ()),
        ("[" * 100_000, ()),
        ("[]", ()),
        ('"Nora"', ()),
        ({"Nora": []}, ("Nora",)),
        ({"Nora": {}}, ("Nora", "history")),
        ({"Nora": {"history": None}}, ("Nora", "history")),
        ({"Nora": {"history": []}}, ("Nora", "history")),
        ({"Nora": _person({"2023-04-28": "a"})}, ("Nora", "history.2023-04-28")),
        ({"Nora": _person({"28.4.2023": []})}, ("Nora", "history.28.4.2023")),
        ({"Nora": _person({"2023-02-30": []})}, ("Nora", "history.2023-02-30")),
        ({"Nora": _person({"2023-04-28": [], "2023-4-28": []})}, ("Nora", "history.2023-4-28")),
        ({"Nora": _person({"0001-01-01": []})}, ("Nora", "history.0001-01-01")),
        ({"Nora": _person({"2023-04-28": ["a"]})}, ("Nora", "history.2023-04-28[0]")),
        ({"Nora": _person({"2023-04-28": [["a"]]})}, ("Nora", "history.2023-04-28[0]")),
        (
            {"Nora": _person({"2023-04-28": [*_talk("a"), {"query": "b"}]})},
            ("Nora", "history.2023-04-28[1].response"),
        ),
        (
            {"Nora": _person({"2023-04-28": [{**_talk("a")[0], "memory_strength": 0}]})},
            ("history.2023-04-28[0].memory_strength",),
        ),
        (
            {"Nora": _person({"2023-04-28": [{**_talk("a")[0], "last_recall_date": "soon"}]})},
            ("history.2023-04-28[0].last_recall_date",),
        ),
        ({"Nora": _person({}, summary=[])}, ("Nora", "summary")),
        ({"Nora": _person({}, summary={"2023-04-28": {"text": "a"}})}, ("summary.2023-04-28",)),
        ({"Nora": _person({}, summary={"2023-04-28": 3})}, ("summary.2023-04-28",)),
        ({"Nora": _person({}, overall_history=[1])}, ("Nora", "overall_history")),
        ({"Nora": _person({}, meta_information="kind")}, ("Nora", "meta_information")),
        ({"Nora": {"format": "siliconfriend-memory", "version": 1}}, ("Nora",)),
        ({"Nora": {"format": "siliconfriend-memory", "version": 2}}, ("Nora", "newer")),
        ({"Nora": _person({}), "Nora ": _person({})}, ("Nora",)),
    ],
)
def test_a_file_with_a_fault_changes_nothing(
    store: MemoryStore, bank: Any, named: tuple[str, ...]
) -> None:
    """The error names person and key, and the sound people before it are not imported either."""
    if isinstance(bank, dict):
        bank = {"Sound": _person({"2023-04-28": _talk("a")}, name="Sound"), **bank}
    with pytest.raises(UnreadableFile) as raised:
        _bring(store, bank)
    assert raised.value.exit_code == 2
    for word in named:
        assert word in raised.value.message("en")
        assert word in raised.value.message("cn") or word == "newer"
    assert store.scopes() == []


@pytest.mark.parametrize("name", ["../x", "", " ", "a/b", "..", "n" * 10_000, "a\x00b"])
def test_a_refused_name_changes_nothing(store: MemoryStore, name: str) -> None:
    """A name that could become a path is refused before anybody is imported."""
    bank = {"Nora": _person({}), name: _person({})}
    with pytest.raises(RefusedName):
        _bring(store, bank)
    assert issubclass(RefusedName, UsageError)
    assert store.scopes() == []


def test_what_is_read_is_left_as_it_was(store: MemoryStore) -> None:
    """Importing does not change the object that was handed in."""
    _bring(store, {"Nora": _person({"2023-04-28": _talk("a")})})
    for bank in (export_native(store.load(NORA)), _out(store)):
        before = json.dumps(bank)
        _bring(store, bank, companion="Sol")
        assert json.dumps(bank) == before


def test_turns_are_told_apart_by_both_sides(store: MemoryStore) -> None:
    """The same question with another answer is another turn."""
    _bring(store, {"Nora": _person({"2023-04-28": [["a", "x"]]})})
    _bring(store, {"Nora": _person({"2023-04-28": [["a", "y"]]})})
    turns: list[Turn] = list(store.load(NORA).turns())
    assert [turn.response for turn in turns] == ["x", "y"]
