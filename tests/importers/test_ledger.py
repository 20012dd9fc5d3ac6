"""Taking a past in: once, in pieces, after an erasing, and stopped on the way."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.control.edit import act, edit_memory
from siliconfriend.importers import ledger as taking_in
from siliconfriend.importers.ledger import take_in, weigh
from siliconfriend.importers.reading import Past
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import export_native, import_bank
from siliconfriend.memory.memorybank_format import export_memorybank
from siliconfriend.memory.records import Profile, Turn
from siliconfriend.memory.scope import Scope
from tests.control.world import erase_in
from tests.importers.makers import (
    NOW,
    UTC_ZONE,
    gpt_conversation,
    gpt_message,
    read,
    words_of,
    write,
)

ADA = Scope.of("Ada")
Export = Callable[..., Past]


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    """A data directory in which Ada is known."""
    return _begin(tmp_path / "home")


def _begin(home: Path) -> FileStore:
    store = FileStore(home)
    store.create(ADA, Profile(ADA.person, language="en", timezone="UTC", created=NOW))
    return store


@pytest.fixture
def export(tmp_path: Path) -> Export:
    """Read an export of one talk, a message a minute, by turns of Ada and the other."""

    def make(*words: str, prefix: str = "c1", day: str = "2025-05-01") -> Past:
        messages = [
            gpt_message("assistant" if at % 2 else "user", one, f"{day}T10:{at:02}")
            for at, one in enumerate(words)
        ]
        content = [gpt_conversation(*messages, prefix=prefix)]
        return read(write(tmp_path / "conversations.json", content))

    return make


def _turns(store: FileStore) -> list[Turn]:
    return list(store.load(ADA).turns())


def _words(store: FileStore) -> list[tuple[str, str]]:
    return [(turn.query, turn.response) for turn in _turns(store)]


def test_turns_of_an_export_are_memories(store: FileStore, export: Export) -> None:
    """With their day and moment, marked as imported, and with ids anybody gets for them."""
    taken = take_in(store, ADA, export("Hello", "Hi", "Bye", "See you").drafts, NOW)
    assert (taken.added, list(taken.dates)) == (2, ["2025-05-01"])
    first, second = _turns(store)
    assert (first.query, first.response, first.origin) == ("Hello", "Hi", "import")
    assert first.time is not None
    assert first.time.isoformat() == "2025-05-01T10:00:00+00:00"
    assert (first.id, second.id) == (
        f"turn-2025-05-01-0-{ADA.digest}",
        f"turn-2025-05-01-1-{ADA.digest}",
    )


def test_a_longer_export_adds_what_is_new(store: FileStore, export: Export) -> None:
    """A question that had no answer gets it, in its own place."""
    take_in(store, ADA, export("Hello", "Hi", "And peas?").drafts, NOW)
    ids = [turn.id for turn in _turns(store)]
    taken = take_in(
        store, ADA, export("Hello", "Hi", "And peas?", "In March.", "Thanks").drafts, NOW
    )
    assert (taken.added, taken.grown, taken.known) == (1, 1, 1)
    assert _words(store) == [("Hello", "Hi"), ("And peas?", "In March."), ("Thanks", "")]
    assert [turn.id for turn in _turns(store)][:2] == ids


def test_what_was_erased_stays_away(store: FileStore, export: Export) -> None:
    """Also in a longer export, and where another talk came into its day meanwhile."""
    take_in(store, ADA, export("My secret", "I see", "Hello", "Hi").drafts, NOW)
    secret = _turns(store)[0].id
    erase_in(store, ADA, secret)
    take_in(store, ADA, export("Another talk", "Yes", prefix="c2").drafts, NOW)
    longer = export("My secret", "I see", "Hello", "Hi", "Bye", "Bye!")
    taken = take_in(store, ADA, longer.drafts, NOW)
    assert (taken.added, taken.known, taken.kept_erased) == (1, 1, 1)
    assert _words(store) == [("Another talk", "Yes"), ("Hello", "Hi"), ("Bye", "Bye!")]
    for path in store.home.rglob("*"):
        assert not path.is_file() or b"secret" not in path.read_bytes()


def test_a_corrected_turn_keeps_its_correction(store: FileStore, export: Export) -> None:
    """The person's own words are stronger than the file's; what is new stands behind them."""
    take_in(store, ADA, export("I live in Rome").drafts, NOW)
    edit_memory(store, ADA, _turns(store)[0].id, NOW, query="I live in Oslo")
    taken = take_in(store, ADA, export("I live in Rome", "Nice").drafts, NOW)
    assert (taken.added, taken.grown) == (1, 0)
    assert _words(store) == [("I live in Oslo", ""), ("", "Nice")]


def test_what_is_weighed_is_what_is_done(store: FileStore, export: Export) -> None:
    """A dry run counts as the import does, and writes nothing."""
    take_in(store, ADA, export("Hello", "Hi", "And peas?").drafts, NOW)
    longer = export("Hello", "Hi", "And peas?", "In March.", "Thanks")
    before = _turns(store)
    weighed = weigh(store.load(ADA), ADA, longer.drafts, NOW)
    assert _turns(store) == before
    assert weighed == take_in(store, ADA, longer.drafts, NOW)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two turns a chunk."""
    monkeypatch.setattr(taking_in, "CHUNK", 2)


@pytest.mark.usefixtures("small_chunks")
def test_interrupted_after_any_chunk_nothing_is_wrong(
    tmp_path: Path, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole turns from the beginning on are there; the same command again adds the rest."""
    past = export(*(f"word {at}" for at in range(12)))
    whole = [words_of(draft) for draft in past.drafts]
    for chunks in range(3):
        store = _begin(tmp_path / f"home{chunks}")
        edits = iter([store.edit] * chunks)
        monkeypatch.setattr(store, "edit", lambda scope, edits=edits: next(edits)(scope))
        with pytest.raises(StopIteration):
            take_in(store, ADA, past.drafts, NOW)
        assert _words(FileStore(store.home)) == whole[: 2 * chunks]
        take_in(FileStore(store.home), ADA, past.drafts, NOW)
        assert _words(FileStore(store.home)) == whole


def _chat(tmp_path: Path, *lines: str) -> Past:
    """An export without ids of its messages."""
    path = write(tmp_path / "chat.txt", "".join(f"{line}\n" for line in lines))
    return read(path, zone=UTC_ZONE)


def test_without_ids_the_same_words_at_the_same_minute_are_all_there(
    store: FileStore, tmp_path: Path
) -> None:
    """Each of them once, however often the export is taken in."""
    lines = [
        "13.05.23, 15:05 - Ada: ok",
        "13.05.23, 15:05 - Ada: ok",
        "13.05.23, 15:05 - Ben: ok",
        "13.05.23, 15:05 - Ada: ok",
        "14.05.23, 15:05 - Ada: ok",
    ]
    for _ in range(2):
        take_in(store, ADA, _chat(tmp_path, *lines).drafts, NOW)
        assert _words(store) == [("ok\nok", "ok"), ("ok", ""), ("ok", "")]


def test_another_time_zone_is_not_another_chat(store: FileStore, tmp_path: Path) -> None:
    """The clock as it stands in the file counts, not what it was taken for."""
    past = _chat(tmp_path, "13.05.23, 23:05 - Ada: Late")
    take_in(store, ADA, past.drafts, NOW)
    again = read(tmp_path / "chat.txt", zone=ZoneInfo("America/New_York"))
    assert again.drafts[0].date == "2023-05-14"
    assert take_in(store, ADA, again.drafts, NOW).known == 1


def test_keys_go_along_to_another_home(store: FileStore, export: Export, tmp_path: Path) -> None:
    """Our own export holds them, with what was erased; the past can be taken in there again."""
    past = export("My secret", "I see", "Hello", "Hi")
    take_in(store, ADA, past.drafts, NOW)
    erase_in(store, ADA, _turns(store)[0].id)
    elsewhere = FileStore(tmp_path / "elsewhere")
    bank = export_native(store.load(ADA))
    import_bank(elsewhere, bank, language="en", zone=UTC_ZONE, now=NOW)
    taken = take_in(elsewhere, ADA, past.drafts, NOW)
    assert (taken.added, taken.known, taken.kept_erased) == (0, 1, 1)


def test_keys_go_along_in_memorybanks_form(
    store: FileStore, export: Export, tmp_path: Path
) -> None:
    """The same export taken in after it adds nothing, and what it brought fades as it did."""
    past = export("Hello", "Hi", "Hello", "Hi")
    take_in(store, ADA, past.drafts, NOW)
    elsewhere = FileStore(tmp_path / "elsewhere")
    bank = export_memorybank(store.load(ADA))
    import_bank(elsewhere, bank, language="en", zone=UTC_ZONE, now=NOW + timedelta(days=9))
    taken = take_in(elsewhere, ADA, past.drafts, NOW + timedelta(days=9))
    assert (taken.added, taken.known) == (0, 2)
    assert [turn.trace.brought for turn in _turns(elsewhere)] == [NOW, NOW]


def test_no_file_brings_back_an_erased_message_at_another_place(
    store: FileStore, export: Export, tmp_path: Path
) -> None:
    """There it stands first of its day, here it was second; its key says what it is."""
    take_in(store, ADA, export("Hello", "Hi", "My secret", "I see").drafts, NOW)
    erase_in(store, ADA, _turns(store)[1].id)
    elsewhere = _begin(tmp_path / "elsewhere")
    whole = export("Hello", "Hi", "My secret", "I see").drafts
    take_in(elsewhere, ADA, whole[1:], NOW)
    bank = export_memorybank(elsewhere.load(ADA))
    report = import_bank(store, bank, language="en", zone=UTC_ZONE, now=NOW)
    assert (report.turns, report.people[0].kept_erased) == (0, 1)
    assert _words(store) == [("Hello", "Hi")]


def test_what_was_brought_fades_from_then_and_what_goes_on_anew(
    store: FileStore, export: Export
) -> None:
    """Nothing else of the trace changes, and the same once more changes nothing."""
    later = NOW + timedelta(days=50)
    take_in(store, ADA, export("Hello", "Hi", "And peas?").drafts, NOW)
    first, second = _turns(store)
    assert (first.trace.brought, first.trace.created) == (NOW, first.time)
    assert (first.trace.recalls, first.trace.strength) == ((), 1.0)
    take_in(store, ADA, export("Hello", "Hi", "And peas?", "In March.").drafts, later)
    assert _turns(store)[0] == first
    assert _turns(store)[1].trace == replace(second.trace, brought=later)


def test_what_was_not_to_be_remembered_stays_away(store: FileStore, export: Export) -> None:
    """A turn that was unkept, before the night has taken it away and after it."""
    past = export("Forget this", "Fine")
    take_in(store, ADA, past.drafts, NOW)
    identifier = _turns(store)[0].id
    act(store, ADA, "unkeep", [identifier], NOW)
    assert take_in(store, ADA, export("Forget this", "Fine", "Hello").drafts, NOW).added == 1
    erase_in(store, ADA, identifier)
    assert take_in(store, ADA, past.drafts, NOW).kept_erased == 1
    assert _words(store) == [("Hello", "")]


def test_positions_of_erased_turns_stay_taken(store: FileStore, export: Export) -> None:
    """A new turn never gets the id of one that was erased: it would be hidden by it."""
    take_in(store, ADA, export("One", "1", "Two", "2").drafts, NOW)
    erase_in(store, ADA, _turns(store)[1].id)
    take_in(store, ADA, export("Three", "3", prefix="c2").drafts, NOW)
    assert _words(store) == [("One", "1"), ("Three", "3")]
    assert [turn.position for turn in _turns(store)] == [0, 2]


def test_a_turn_that_grows_twice_at_once(store: FileStore, tmp_path: Path) -> None:
    """Two longer exports of one talk, in one command."""
    said = [
        gpt_message("user", "And peas?", "2025-05-01T10:00"),
        gpt_message("assistant", "In March.", "2025-05-01T10:01"),
        gpt_message("assistant", "Or April.", "2025-05-01T10:02"),
    ]
    pasts = [
        read(write(tmp_path / f"{length}.json", [gpt_conversation(*said[:length])]))
        for length in (1, 2, 3)
    ]
    take_in(store, ADA, pasts[0].drafts, NOW)
    taken = take_in(store, ADA, [*pasts[1].drafts, *pasts[2].drafts], NOW)
    assert (taken.added, taken.grown) == (0, 2)
    assert _words(store) == [("And peas?", "In March.\nOr April.")]
