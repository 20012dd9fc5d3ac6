"""Lore from files: our own and other databases' fields, checked whole, nothing twice."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.characters.companions import Companions
from siliconfriend.characters.importing import ImportResult, import_companion, read_source
from siliconfriend.characters.lore import Lore
from siliconfriend.errors import UnreadableFile
from siliconfriend.memory.drafts import Draft, EventDraft, FactDraft
from tests.characters.conftest import BEGINNING, NOW

SHANGHAI = ZoneInfo("Asia/Shanghai")
SAMPLE = Path(__file__).parents[2] / "memories" / "samples" / "companions" / "pebble"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a file lies."""
    return tmp_path / "lore.json"


def _read(file: Path, form: object) -> tuple[Draft, ...]:
    file.write_text(json.dumps(form, ensure_ascii=False), encoding="utf-8")
    return read_source(file, SHANGHAI).drafts


def test_the_fields_of_facts_and_events(file: Path) -> None:
    """As `lore.json` has them; the place they come from stays behind, what is unknown stays."""
    fact = {
        "memory_id": "fact-1",
        "content": "祈月喜欢蓝色。",
        "entity": "祈月",
        "entity_type": "general",
        "aspect": "scene",
        "key_word": ["颜色", "光"],
        "last": "2024-09-24",
        "language": "cn",
        "extra": {"agent_id": "a1"},
    }
    event = {
        "content": "祈月在图书馆翻书。",
        "time": "2018-09-30 15:30:45",
        "place": "图书馆",
        "scene": "安静的午后",
        "key_words": ["图书馆", "书"],
        "insight": "它喜欢规则。",
        "trace": {},
    }
    assert _read(file, {"facts": [fact], "events": [event]}) == (
        FactDraft(
            "祈月喜欢蓝色。",
            entity="祈月",
            entity_type="general",
            aspect="scene",
            key_word="颜色 光",
            day=date(2024, 9, 24),
            language="cn",
            extra={"agent_id": "a1"},
        ),
        EventDraft(
            "祈月在图书馆翻书。",
            day=date(2018, 9, 30),
            time=datetime(2018, 9, 30, 7, 30, 45, tzinfo=UTC),
            place="图书馆",
            scene="安静的午后",
            key_words=("图书馆", "书"),
            insight="它喜欢规则。",
        ),
    )


def test_a_mixed_list(file: Path) -> None:
    """An entry about an entity is a fact, any other an event."""
    assert _read(file, [{"text": "A storm."}, {"text": "It is blue.", "entity": "sky"}]) == (
        EventDraft("A storm."),
        FactDraft("It is blue.", entity="sky", entity_type="specific"),
    )


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ([{"text": "Good."}, {"text": " "}], "text"),
        ([{"text": "Good."}, {"place": "here"}], "content"),
        ([{"text": "Good."}, "words"], "{…}"),
        ([{"text": "Good."}, {"text": "It.", "entity_type": "alien"}], "entity_type"),
        ([{"text": "Good."}, {"text": "It.", "time": "soon"}], "time"),
        ([{"text": "Good."}, {"text": "It.", "time": "0001-01-01T00:00+14:00"}], "time"),
        ([{"text": "Good."}, {"text": "It.", "date": "0001-01-01"}], "date"),
        ([{"text": "Good."}, {"text": "It.", "key_word": [3]}], "key_word"),
        ([{"text": "Good."}, {"text": "It.", "extra": "{"}], "extra"),
    ],
)
def test_a_fault_names_the_entry_and_the_field(file: Path, form: Any, field: str) -> None:
    """As the file has it; nothing is taken from a file with a fault in it."""
    with pytest.raises(UnreadableFile, match="Nothing was imported") as caught:
        _read(file, form)
    assert f"entry 2 has a `{field}`" in str(caught.value)


@pytest.mark.parametrize("form", [{}, {"people": []}, {"facts": "x"}, None])
def test_what_is_no_lore_is_said_to_be(file: Path, form: Any) -> None:
    """An object of something else is not an empty lore."""
    with pytest.raises(UnreadableFile, match="holds no lore"):
        _read(file, form)


def test_a_file_that_cannot_be_read_is_told_plainly(tmp_path: Path, file: Path) -> None:
    """No file, no JSON, an empty folder, a folder with a broken character."""
    file.write_text("{", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "companion.toml").write_text("name =", encoding="utf-8")
    for path, words in (
        (tmp_path / "none.json", "cannot be opened"),
        (file, "not JSON"),
        (tmp_path / "empty", "holds neither companion.toml nor lore.json"),
        (tmp_path / "broken", "is not the file of a companion"),
    ):
        with pytest.raises(UnreadableFile, match=words):
            read_source(path, SHANGHAI)


def test_nothing_is_added_twice(companions: Companions, file: Path) -> None:
    """Not by the same file again on another day, nor by one that has an entry twice."""
    form = {
        "facts": [{"text": "It likes rain."}, {"text": "It  likes rain. "}],
        "events": [
            {"text": "A storm.", "date": "2020-01-02"},
            {"text": "A storm.", "date": "2020-01-03"},
            {"text": "A storm."},
        ],
    }
    file.write_text(json.dumps(form), encoding="utf-8")
    brought = read_source(file, SHANGHAI)
    first = import_companion(companions, "Pebble", brought, *BEGINNING)
    assert first == ImportResult("Pebble", created=True, facts=1, events=2, known=2)
    again = import_companion(companions, "Pebble", brought, *BEGINNING)
    assert again == ImportResult("Pebble", created=False, facts=0, events=0, known=5)


def test_the_sample_is_the_same_companion_in_both_languages(
    companions: Companions, home: Path
) -> None:
    """Every text and entry has its twin, and each language brings its own to mind."""
    brought = read_source(SAMPLE, SHANGHAI)
    assert brought.character is not None
    for language in ("en", "cn"):
        texts = brought.character.texts_in(language)
        assert all((texts.called, texts.persona, texts.speaking_style, texts.greeting))
        facts = [draft for draft in brought.drafts if isinstance(draft, FactDraft)]
        assert sum(fact.language == language for fact in facts) == 16
        assert sum(draft.language == language for draft in brought.drafts) == 26
    import_companion(companions, "Pebble", brought, *BEGINNING)
    lore = Lore(home, "Pebble", None)
    (english, *_) = lore.recall("Did you ever lose at chess?", now=NOW, top_facts=0, language="en")
    (chinese, *_) = lore.recall("你下棋输过吗？", now=NOW, top_facts=0, language="cn")
    assert (english.memory.date, chinese.memory.date) == ("2019-11-23", "2019-11-23")


@pytest.mark.parametrize("name", ["Wren", "𠮷野", 'a"b'])
def test_the_sample_can_have_another_name(name: str) -> None:
    """Its own name stands nowhere any more, in either language."""
    brought = read_source(SAMPLE, SHANGHAI, {"Pebble": name, "小石": name})
    words = f"{brought.character} {brought.drafts}"
    assert name in words
    assert "小石" not in words
    assert "Pebble" not in words.replace("name='Pebble'", "")
