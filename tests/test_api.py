"""The short way in for a program of one's own: a bank, a person, a companion in an event loop."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import siliconfriend
from siliconfriend import Companion, MemoryBank
from siliconfriend.characters.character import Character
from siliconfriend.config import Settings
from siliconfriend.errors import RefusedName, UnknownPerson, UsageError
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.models.base import ChatModel
from siliconfriend.person.companions import create_companion
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.embedding import WordEmbedder
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, timezone="Europe/Berlin")


@pytest.fixture
def bank(settings: Settings, clock: MovingClock) -> Iterator[MemoryBank]:
    with MemoryBank(settings=settings, embedder=WordEmbedder(), clock=clock) as opened:
        yield opened


def test_a_bank_shows_what_is_remembered(home: Path) -> None:
    """People, their turns and their export, by a path or a text that names the directory."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn("I planted beans.")))
    for place in (home, str(home), None):
        bank = siliconfriend.MemoryBank(place)
        assert bank.people() == [NORA]
        person = bank.person(" Nora ")
        assert [turn.query for turn in person.turns()] == ["I planted beans."]
        assert person.memory() == store.load(NORA)
        assert person.export()["Nora"]["name"] == "Nora"
        assert person.export(native=True)["Nora"]["version"] == 2


@pytest.mark.parametrize(
    ("at", "moment", "day"),
    [
        ("2026-03-01T22:00", datetime(2026, 3, 1, 21, tzinfo=UTC), "2026-03-01"),
        (date(2026, 3, 1), None, "2026-03-01"),
    ],
)
def test_an_exchange_is_stored_on_the_persons_own_day(
    bank: MemoryBank, at: datetime | date | str | None, moment: datetime | None, day: str
) -> None:
    """A moment without an offset is on their clock, a day alone leaves the time open."""
    turn = bank.person("Nora").add("I planted beans.", "Good.", at=at, metadata={"channel": 7}).turn
    assert (turn.time, turn.date, dict(turn.metadata)) == (moment, day, {"channel": 7})
    assert list(bank.person("Nora").turns()) == [turn]
    with pytest.raises(UsageError):
        bank.person("Nora").edit(turn.id, query=" ", response="Good.")
    assert list(bank.person("Nora").turns()) == [turn]
    abroad = bank.person("Otto").add("I moved.", at="2026-03-01T22:00", timezone="Asia/Tokyo").turn
    assert abroad.time == datetime(2026, 3, 1, 13, tzinfo=UTC)


def test_what_cannot_be_stored_is_refused(bank: MemoryBank) -> None:
    """Nothing said, a moment days ahead, metadata no file can hold: and nobody becomes known."""
    nora = bank.person("Nora")
    with pytest.raises(UsageError):
        nora.add("  ")
    with pytest.raises(UsageError):
        nora.add("Hello", at="2026-03-20")
    with pytest.raises(UsageError):
        nora.add("Hello", at="0001-06-01")  # the readable copy could not be read with it
    with pytest.raises(UsageError):
        nora.add("Hello", metadata={"n": 2**70})
    with pytest.raises(UsageError):
        nora.add("Hello", at="soon", language="cn", timezone="Asia/Tokyo")
    assert bank.people() == []


def test_a_recall_changes_nothing_unless_asked(bank: MemoryBank, clock: MovingClock) -> None:
    """Only ``reinforce`` makes the memory stronger."""
    nora = bank.person("Nora")
    told = nora.add("I planted beans by the wall.", "Good.").turn
    clock.move(days=3)
    assert [each.memory.id for each in nora.recall("What did I plant by the wall?").memories] == [
        told.id
    ]
    assert [turn.trace.recalls for turn in nora.turns()] == [()]
    nora.recall("What did I plant by the wall?", reinforce=True)
    assert [turn.trace.recalls for turn in nora.turns()] == [(clock.moment,)]


def test_a_message_can_be_answered_later(bank: MemoryBank) -> None:
    """The answer joins its turn; one to a turn that is not there is refused."""
    nora = bank.person("Nora")
    turn = nora.add("I planted beans.").turn
    assert nora.answer(turn.id, "Which kind?", replied_by="bot").response == "Which kind?"
    assert [each.response for each in nora.conversation()] == ["Which kind?"]
    assert nora.change_scene() == 1
    assert nora.conversation() == []
    with pytest.raises(UsageError):
        nora.answer("2026-01-01:9", "Which kind?")


def test_somebody_new_begins_as_another_companion_knows_them(bank: MemoryBank) -> None:
    """In their language and time zone, called as there, whatever they write first."""
    bank.person("Nora").meet(language="cn", timezone="Asia/Tokyo", name="诺拉")
    robin = bank.person("Nora", "Robin")
    assert (robin.language, robin.zone.key) == ("cn", "Asia/Tokyo")
    robin.reply("I planted beans.")
    summary = robin.summary()
    assert (summary.language, summary.timezone, summary.name) == ("cn", "Asia/Tokyo", "诺拉")


def test_a_companion_is_known_where_it_is_described_or_was_told_something(bank: MemoryBank) -> None:
    """The default one is there too; what others told another companion does not name it."""
    create_companion(bank, Character("Wren"))
    bank.person("Ada", "Moss").add("Hello.")
    assert bank.companion_names() == ["default", "Wren", "Moss"]
    assert bank.companion_names("Bob") == ["default", "Wren"]
    bank.check_companion("Moss", "Ada")
    with pytest.raises(UsageError, match="Moss; there are: default, Wren"):
        bank.check_companion("Moss", "Bob")


def test_a_reply_to_a_name_that_looks_like_a_known_one_is_refused(bank: MemoryBank) -> None:
    """Whichever way one talks to the companion; off the record nobody begins."""
    bank.person("Nora").add("I planted beans.")
    for companion in (bank.person("Nоrа").companion, Companion("Nоrа", runtime=bank.runtime)):
        with pytest.raises(RefusedName):
            companion.reply("Hello.")
        companion.reply("Hello.", off_record=True)
    assert [scope.person for scope in bank.people()] == ["Nora"]


def _companion(settings: Settings, clock: MovingClock, chat: ChatModel) -> Companion:
    return Companion("Nora", settings=settings, chat=chat, clock=clock)


def test_a_reply_in_an_event_loop(settings: Settings, clock: MovingClock) -> None:
    """``areply`` gives the reply, ``astream`` its pieces, of which whoever leaves keeps the first."""
    chat = ScriptedChatModel(["Which kind?", ["Good ", "luck."], ["By ", "May."]])
    nora = MemoryBank(settings=settings).person("Nora")

    async def talk() -> list[str]:
        with _companion(settings, clock, chat) as companion:
            reply = await companion.areply("I planted beans.")
            pieces = [piece async for piece in companion.astream("Runner beans.")]
            async with aclosing(companion.astream("When are they ripe?")) as left:
                pieces.append(await anext(left))
            assert [turn.interrupted for turn in nora.turns()] == [False, False, True]
            return [reply.text, *pieces]

    assert asyncio.run(talk()) == ["Which kind?", "Good ", "luck.", "By "]
    assert [(turn.query, turn.response) for turn in nora.turns()] == [
        ("I planted beans.", "Which kind?"),
        ("Runner beans.", "Good luck."),
        ("When are they ripe?", "By "),
    ]


def test_deleting_with_a_companion_leaves_what_the_others_remember(bank: MemoryBank) -> None:
    """Only the one that is named forgets the person, and nobody else is touched."""
    for name, companion in (("Nora", None), ("Nora", "Robin"), ("Otto", "Robin")):
        bank.person(name, companion).add(f"I told {companion}.")
    left = [bank.person("Nora"), bank.person("Otto", "Robin")]
    before = [person.memory() for person in left]
    deleted = bank.delete("Nora", "Robin")
    assert [(each.person, each.companion) for each in deleted.scopes] == [("Nora", "Robin")]
    assert deleted.proof.found_in == ()
    assert not bank.person("Nora", "Robin").is_known()
    for named, said in ((("Nora", "Robin"), "default"), (("Norah",), "Did you mean Nora?")):
        with pytest.raises(UnknownPerson, match=said):
            bank.delete(*named)
    assert [person.memory() for person in left] == before
    with pytest.raises(UnknownPerson):
        bank.delete("Nora", "Robin")


def test_what_its_owner_put_right_is_what_is_answered(settings: Settings) -> None:
    """Without a model in place of the turn it was taken from; a model is told beside that turn."""
    clock, told = MovingClock(), replace(settings, embedding="bundled")
    asked, right = "Where do I live?", "Nora lives in Breda."
    with MemoryBank(settings=told, clock=clock) as bank:
        person = bank.person("Nora")
        person.add("I moved to Arnhem. My cat is called Miso.")
        clock.move(days=1)
        person.night()
        (fact,) = (each.memory for each in person.list(kind="fact") if "Arnhem" in each.memory.text)
        person.edit(fact.id, text=right)
        answered = person.reply(asked, off_record=True).text
        assert right in answered
        assert "Arnhem" not in answered
        assert "Miso" in person.reply("What is my cat called?", off_record=True).text
        model = ScriptedChatModel(["Well."])
        Companion("Nora", runtime=bank.runtime, chat=model).reply(asked, off_record=True)
    (turn,) = (line for line in model.calls[0][0].content.splitlines() if "Arnhem" in line)
    after = model.calls[0][0].content.partition(turn)[2].splitlines()[1]
    assert right in after
