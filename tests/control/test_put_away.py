"""A memory that the person puts away comes up nowhere until they restore it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

import pytest

from siliconfriend import MemoryBank
from siliconfriend.config import Settings
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import Provenance
from siliconfriend.memory.records import is_put_away
from siliconfriend.person import Person
from siliconfriend.testing import MovingClock, ScriptedChatModel

SECRET = "Dana lives in Berlin and works at Stripe."
TOLD = (SECRET, "Eve lives in Berlin and works at Notion.", "I planted tulips today.")
QUESTIONS = (
    "Who lives in Berlin?",
    "What does Dana do?",
    "What did I tell you on 1 October?",
    "Tell me about Stripe.",
)


@pytest.fixture(params=["file", "postgres"])
def person(
    request: pytest.FixtureRequest, settings: Settings, clock: MovingClock
) -> Iterator[Person]:
    """Ada, who told three things on three days of October, over each store."""
    if request.param == "postgres":
        settings = replace(settings, store=request.getfixturevalue("database_address"))
    clock.moment = datetime.fromisoformat("2026-10-05T19:00:00+00:00")
    bank = MemoryBank(
        settings=settings, clock=clock, chat=ScriptedChatModel(otherwise=lambda _: "Hm.")
    )
    ada = bank.person("Ada")
    for day, said in enumerate(TOLD, 1):
        ada.add(said, at=f"2026-10-0{day}T19:00")
    yield ada
    bank.close()


def _recalled(person: Person, question: str) -> list[str]:
    return [recalled.memory.text for recalled in person.recall(question).memories]


def _prompt(person: Person, question: str) -> str:
    model = person.companion.chat
    assert isinstance(model, ScriptedChatModel)
    person.reply(question, off_record=True)
    return "\n".join(message.content for message in model.calls[-1])


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_recalls_a_memory_put_away(person: Person, question: str) -> None:
    (secret, *_) = [turn.id for turn in person.turns()]
    assert SECRET in _prompt(person, question)
    person.forget(secret)
    assert SECRET not in _recalled(person, question)
    assert SECRET not in _prompt(person, question)
    assert SECRET not in [row.memory.text for row in person.search(question)]
    person.restore(secret)
    assert SECRET in _prompt(person, question)


def test_a_search_does_not_show_it_in_an_old_reply(settings: Settings, clock: MovingClock) -> None:
    with MemoryBank(settings=replace(settings, llm="offline"), clock=clock) as bank:
        ada = bank.person("Ada")
        secret = ada.reply(SECRET).turn
        assert secret is not None
        clock.move(days=1)
        assert SECRET in ada.reply("Who lives in Berlin?").text
        ada.forget(secret.id)
        found = [row.memory.text for row in ada.search("Who lives in Berlin?")]
        assert any("Who lives in Berlin?" in text for text in found)
        assert not any(SECRET in text for text in found)


def test_a_memory_put_away_is_listed_and_found(person: Person) -> None:
    secret = next(turn.id for turn in person.turns())
    person.forget(secret)
    assert [row.prospect.state for row in person.list()][:2] == ["forgotten", "vivid"]
    assert [row.memory.id for row in person.search("Stripe", state="forgotten")] == [secret]


def test_a_day_that_it_names_reminds_of_nothing(person: Person, clock: MovingClock) -> None:
    told = person.add("Remind me to ring the clinic on 9 October.", at="2026-10-05T19:00").turn
    clock.moment = datetime.fromisoformat("2026-10-09T09:00:00+00:00")
    assert "clinic" in str(person.due().text)
    person.forget(told.id)
    assert "clinic" not in str(person.due().text)
    assert "clinic" not in _prompt(person, "Good morning!")


def test_what_was_made_of_it_follows_it(person: Person) -> None:
    first, second, _ = [turn.id for turn in person.turns()]
    made = Provenance("model", person.now(), (first, second))
    draft = FactDraft("Dana and Eve are neighbours.", (first, second), "Dana", "specific")
    with person._store.edit(person.scope) as edit:
        trace = edit.memory.find(first).trace  # type: ignore[union-attr]
        fact = draft.to_fact(
            edit.memory,
            person.scope,
            first="2026-10-01",
            last="2026-10-02",
            trace=trace,
            provenance=made,
        )
        edit.add(PutDerived(fact))
    person.forget(first)
    assert [one.text for one in person.facts()] == [fact.text]
    person.forget(second)
    assert person.facts() == []
    person.restore(first)
    assert [each.text for each in person.facts()] == [fact.text]


def test_a_days_summary_is_written_again_without_it(person: Person) -> None:
    other = "The dentist was kind and pulled no tooth."
    person.add(other, at="2026-10-01T20:00")
    secret = next(turn.id for turn in person.turns())

    def summary() -> str:
        found = person.memory().recallable().days["2026-10-01"].summary
        return found.text if found else ""

    person = MemoryBank(settings=person.settings, clock=person._runtime.clock).person("Ada")
    person.night()
    assert "Stripe" in summary()
    before = person.act("forget", secret)
    assert summary() == ""
    person.undo(before)
    assert "Stripe" in summary()
    person.forget(secret)
    person.night()
    assert summary() == other


def test_exports_keep_it_put_away(person: Person, settings: Settings, clock: MovingClock) -> None:
    person.forget(next(turn.id for turn in person.turns()))
    written = json.dumps(person.export())
    assert SECRET in written
    assert "forgotten" in written
    native = json.dumps(person.export(native=True), default=str)
    assert "forgotten" in native


@pytest.mark.parametrize(
    "puts_away", [Person.forget, lambda person, id_: person.act("forget", id_)]
)
def test_fading_takes_nothing_back(
    person: Person, clock: MovingClock, puts_away: Callable[[Person, str], object]
) -> None:
    secret = next(turn.id for turn in person.turns())
    puts_away(person, secret)
    clock.move(days=400)
    person.night()
    record = person.memory().find(secret)
    assert record is not None
    assert is_put_away(record)
    assert person.rows(secret)[0].prospect.state == "forgotten"
