"""MemoryBank's files go in and come out with the same meaning, and a fault changes nothing."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from siliconfriend.errors import RefusedName, UnreadableFile, UsageError
from siliconfriend.memory.changes import Erase, PutTrace, PutTurn
from siliconfriend.memory.days import day_inputs, overall_inputs
from siliconfriend.memory.import_export import export_native
from siliconfriend.memory.memorybank_format import export_memorybank
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from tests.memory.banks import bring, someone, talk
from tests.memory.people import NORA, NOW, a_profile, a_turn
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore


@pytest.fixture
def store() -> MemoryStore:
    """A store that knows nobody yet."""
    return TemporaryStore()


def _out(store: MemoryStore) -> dict[str, Any]:
    return {
        name: person
        for scope in store.scopes()
        for name, person in export_memorybank(store.load(scope)).items()
    }


def _exported(own: object) -> dict[str, Any]:
    return {"Nora": someone({"2023-04-28": [{**talk("a")[0], "siliconfriend": own}]})}


def test_a_bank_comes_out_as_it_went_in(store: MemoryStore) -> None:
    bank = {
        " Nora ": someone(
            {"2023-04-28": talk("a", "b"), "2023-04-27": [], "2023-05-01": talk("c")},
            meta_information={"name": "Nora", "hobbies": "beans"},
        ),
        "小明": someone({"2023-05-04": talk("我种了豆子。")}, name="小明"),
    }
    report = bring(store, json.dumps(bank, ensure_ascii=False).encode("utf-8-sig"))
    assert [(person.user, person.turns, person.dates) for person in report.people] == [
        ("Nora", 3, ("2023-04-28", "2023-05-01")),
        ("小明", 1, ("2023-05-04",)),
    ]
    assert _out(store) == {"Nora": bank[" Nora "], "小明": bank["小明"]}


def test_what_is_derived_comes_out_too(store: MemoryStore) -> None:
    history = {
        "2023-04-28": [
            {**talk("a")[0], "memory_strength": 3, "last_recall_date": "2023-05-02", "mood": [1]},
            {**talk("b")[0], "last_recall_date": "2023-04-30"},
            {**talk("c")[0], "memory_strength": 2.5, "memory_id": "Nora_2023-04-28_2"},
        ]
    }
    summary = {"2023-04-28": {"content": "Beans.", "memory_strength": 2, "model": "x"}}
    person = someone(
        history,
        summary=summary,
        personality={"2023-04-28": "Patient."},
        overall_history="A gardener.",
        overall_personality="Patient; ask about beans.",
        overall_mood={"score": 4},
    )
    bring(store, {"Nora": person})
    assert _out(store) == {"Nora": person}


def test_strength_and_last_recall_arrive_as_they_are(store: MemoryStore) -> None:
    dialogue = {**talk("a")[0], "memory_strength": 3, "last_recall_date": "2023-05-02"}
    bring(store, {"Nora": someone({"2023-04-28": [dialogue, talk("b")[0]]})})
    recalled, plain = store.load(NORA).turns()
    assert recalled.trace.strength == 3
    assert recalled.trace.last_recall == datetime(2023, 5, 2, 4, tzinfo=UTC)
    assert (plain.trace.strength, plain.trace.recalls) == (1, ())


def test_a_turn_without_a_time_counts_as_noon(store: MemoryStore) -> None:
    """Only the day is known; noon in Shanghai is 04:00 UTC."""
    bring(store, {"Nora": someone({"2023-04-28": talk("a")})})
    (turn,) = store.load(NORA).turns()
    assert turn.time is None
    assert turn.trace.created == datetime(2023, 4, 28, 4, tzinfo=UTC)
    assert (turn.origin, turn.replied_by) == ("import", "")
    assert turn.id == f"turn-2023-04-28-0-{NORA.digest}"


def test_somebody_known_keeps_their_zone_and_language(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    bring(store, {"Nora": someone({"2023-04-28": talk("a")}, meta_information={"age": 40})})
    memory = store.load(NORA)
    assert memory.profile == replace(a_profile(), meta_information={"age": 40})
    (turn,) = memory.turns()
    assert turn.trace.created == datetime(2023, 4, 28, 12, tzinfo=UTC)


def test_all_forms_of_such_files_are_taken(store: MemoryStore) -> None:
    bank = {
        "Nora": {
            "history": {
                " 2023-4-28 ": [["a", "re: a"]],
                "2023-05-01": None,
                "2023-05-02": [["b", ""]],
            },
            "summary": {"2023-04-28": "Beans.", "2023-05-01": "", "2023-05-02": {"content": ""}},
            "personality": {
                "2023-04-28": {"content": "Patient."},
                "2023-05-01": {"traits": "calm", "mood": "glad"},
                "2023-05-02": " ",
            },
            "overall_history": None,
            "overall_personality": {"content": "Patient on the whole."},
        }
    }
    bring(store, bank)
    memory = store.load(NORA)
    day, other, empty = memory.days.values()
    assert (empty.summary, empty.personality) == (None, None)
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
    bring(store, {"Nora": someone({}, summary="A gardener.", personality="Patient.")})
    memory = store.load(NORA)
    assert memory.overall_history is not None
    assert memory.overall_history.text == "A gardener."
    assert memory.overall_personality is not None
    assert memory.overall_personality.text == "Patient."


def test_imported_texts_are_not_due_again(store: MemoryStore) -> None:
    """They carry the hash of what they rest on, which the night compares."""
    person = someone(
        {"2023-04-28": talk("a"), "2023-04-29": talk("b")},
        summary={"2023-04-28": {"content": "Beans."}},
        personality={"2023-04-28": "Patient."},
        overall_history="A gardener.",
        overall_personality="Patient on the whole.",
    )
    bring(store, {"Nora": person})
    memory = store.load(NORA)
    day = memory.days["2023-04-28"]
    assert day.summary is not None
    assert day.personality is not None
    assert memory.overall_history is not None
    assert memory.overall_personality is not None
    assert day.summary.provenance.made_by == "import"
    assert day.summary.provenance.from_ids == tuple(turn.id for turn in day.turns)
    assert day.summary.provenance.inputs == day.personality.provenance.inputs == day_inputs(day)
    for text, name in (
        (memory.overall_history, "overall_history"),
        (memory.overall_personality, "overall_personality"),
    ):
        assert text.provenance.inputs == overall_inputs(memory, name)
    talked = replace(a_turn("later", day=day.date, position=1))
    put(store, NORA, PutTurn(talked))
    later = store.load(NORA).days["2023-04-28"]
    assert day_inputs(later) != day.summary.provenance.inputs


def test_archived_turns_are_exported(store: MemoryStore) -> None:
    bring(store, {"Nora": someone({"2023-04-28": talk("a")})})
    (turn,) = store.load(NORA).turns()
    put(store, NORA, PutTrace(turn.id, turn.trace.archived_at(NOW)))
    assert _out(store)["Nora"]["history"] == {"2023-04-28": talk("a")}


def test_another_companion_gets_ids_of_its_own(store: MemoryStore) -> None:
    bring(store, {"Nora": someone({"2023-04-28": talk("a")}, summary={"2023-04-28": "A."})})
    said = store.load(NORA)
    (turn,) = said.turns()
    gone = f"turn-2023-04-28-5-{NORA.digest}"
    put(store, NORA, Erase((gone,)), PutTurn(replace(turn, edited=True)))
    bank = export_native(store.load(NORA))
    for _ in range(2):
        bring(store, bank, companion="Sol")
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
        (b"\xff\xfe", ()),
        ("[" * 100_000, ()),
        ("[]", ()),
        ({"Nora": []}, ("Nora",)),
        ({"Nora": {}}, ("Nora", "history")),
        ({"Nora": someone({"2023-04-28": "a"})}, ("Nora", "history.2023-04-28")),
        ({"Nora": someone({"28.4.2023": []})}, ("Nora", "history.28.4.2023")),
        ({"Nora": someone({"2023-04-28": [], "2023-4-28": []})}, ("Nora", "history.2023-4-28")),
        ({"Nora": someone({"0001-01-01": []})}, ("Nora", "history.0001-01-01")),
        ({"Nora": someone({"2023-04-28": ["a"]})}, ("Nora", "history.2023-04-28[0]")),
        (
            {"Nora": someone({"2023-04-28": [*talk("a"), {"query": "b"}]})},
            ("Nora", "history.2023-04-28[1].response"),
        ),
        (
            {"Nora": someone({"2023-04-28": [{**talk("a")[0], "memory_strength": 0}]})},
            ("history.2023-04-28[0].memory_strength",),
        ),
        (
            {"Nora": someone({"2023-04-28": [{**talk("a")[0], "last_recall_date": "soon"}]})},
            ("history.2023-04-28[0].last_recall_date",),
        ),
        (_exported("ours"), ("Nora", "history.2023-04-28[0].siliconfriend")),
        (_exported({"sources": ["../../etc/passwd"]}), ("[0].siliconfriend.sources",)),
        (_exported({"brought": "2026-06-02T09:00:00"}), ("[0].siliconfriend.brought",)),
        ({"Nora": someone({}, summary=[])}, ("Nora", "summary")),
        ({"Nora": someone({}, summary={"2023-04-28": {"text": "a"}})}, ("summary.2023-04-28",)),
        ({"Nora": someone({}, meta_information="kind")}, ("Nora", "meta_information")),
        ({"Nora": {"format": "siliconfriend-memory", "version": 1}}, ("Nora",)),
        ({"Nora": {"format": "siliconfriend-memory", "version": 3}}, ("Nora", "newer")),
        ({"Nora": someone({}), "Nora ": someone({})}, ("Nora",)),
    ],
)
def test_a_file_with_a_fault_changes_nothing(
    store: MemoryStore, bank: Any, named: tuple[str, ...]
) -> None:
    if isinstance(bank, dict):
        bank = {"Sound": someone({"2023-04-28": talk("a")}, name="Sound"), **bank}
    with pytest.raises(UnreadableFile) as raised:
        bring(store, bank)
    assert raised.value.exit_code == 2
    for word in named:
        assert word in raised.value.message("en")
        assert word in raised.value.message("cn") or word == "newer"
    assert store.scopes() == []


@pytest.mark.parametrize("name", ["../x", " ", "n" * 10_000, "a\x00b"])
def test_a_refused_name_changes_nothing(store: MemoryStore, name: str) -> None:
    bank = {"Nora": someone({}), name: someone({})}
    with pytest.raises(RefusedName):
        bring(store, bank)
    assert issubclass(RefusedName, UsageError)
    assert store.scopes() == []


def test_import_keys_are_exported_and_imported(store: MemoryStore) -> None:
    """In one field of ours; what MemoryBank itself reads stays as it is without it."""
    own = {"sources": ["0123456789abcdef"], "brought": "2026-06-02T09:00:00+00:00"}
    bank = _exported(own)
    bring(store, bank)
    (turn,) = store.load(NORA).turns()
    assert turn.sources == ("0123456789abcdef",)
    assert (turn.trace.brought, turn.extra) == (datetime(2026, 6, 2, 9, tzinfo=UTC), {})
    assert _out(store) == bank
