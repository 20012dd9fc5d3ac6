"""The API by resource: talk, memories, portrait, nights, import and export."""

import json
from dataclasses import replace
from typing import Any

import httpx
import pytest

from siliconfriend.characters.character import Character, CharacterTexts
from siliconfriend.characters.entries import add_entries
from siliconfriend.config import Settings
from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.drafts import EventDraft
from siliconfriend.person.bank import MemoryBank
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.server.serving import Server, run_night, serving
from tests.waiting import until

ADA = "/v1/people/Ada"
KEY = {"Idempotency-Key": "1"}
LONG = "word " * 20_001


def _events(answer: httpx.Response) -> list[tuple[str, dict[str, Any]]]:
    """The events of a stream, by name."""
    found = []
    for block in answer.text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in fields:
            found.append((fields.get("event", ""), json.loads(fields["data"])))
    return found


def test_a_talk_in_one_piece_and_in_many(speaking: Server, model: ScriptedChatModel) -> None:
    """Both give the same reply and keep the same turn."""
    model.enqueue("How nice of you.", ["You ", "have ", "a dog."])
    with speaking.client_of("Ada") as ada:
        whole = ada.post(f"{ADA}/chat", json={"message": "My dog is called Rex."}).json()
        assert (whole["reply"], whole["replied_by"]) == ("How nice of you.", "scripted")
        streamed = ada.post(f"{ADA}/chat", json={"message": "Who is Rex?", "stream": True})
        assert streamed.headers["content-type"].startswith("text/event-stream")
        *pieces, (name, last) = _events(streamed)
        assert [data["text"] for _, data in pieces] == ["You ", "have ", "a dog."]
        assert (name, last["reply"]) == ("done", "You have a dog.")
        assert [each["text"].split("\n")[0] for each in last["memories"]] == []
        assert last["rests_on"] == []
        turns = ada.get(f"{ADA}/turns").json()["turns"]
    assert [(each["said"], each["replied"]) for each in turns] == [
        ("My dog is called Rex.", "How nice of you."),
        ("Who is Rex?", "You have a dog."),
    ]


def test_a_reply_says_which_memories_it_rests_on(
    speaking: Server, model: ScriptedChatModel
) -> None:
    """What is due is told from what is likely meant and from what was only shown."""
    model.enqueue("Mm.")
    with speaking.client_of("Ada") as ada:
        for said in ("Ask me tomorrow how the harp lesson went.", "Our dog is called Rex."):
            day = {"said": said, "replied": "Mm.", "at": "2026-03-13T18:00"}
            assert ada.post(f"{ADA}/turns", json=day).status_code == 201
        told = ada.post(f"{ADA}/chat", json={"message": "Who is Rex?"}).json()
    why = {each["text"].split("\n")[0]: each["why"] for each in told["memories"]}
    assert why["Ask me tomorrow how the harp lesson went."] == "due"
    assert why["Our dog is called Rex."] in ("likely", "shown")
    assert len(why) == len(told["memories"])
    assert told["rests_on"] == ["told"]


def test_a_model_that_fails_leaves_the_words(
    speaking: Server, model: ScriptedChatModel, caplog: pytest.LogCaptureFixture
) -> None:
    """The refusal has a status where the answer has not begun, and is an event where it has.

    What is no failure of the model is in the log alone, by its type: its message may quote words.
    """
    gone = ModelUnavailable("model_broke_off", name="m", address="a")
    said = " “odd input: One.”"
    odd = ModelUnavailable("model_rejected", name="m", address="a", status=400, said=said)
    model.enqueue(gone, ["Half ", gone])
    with speaking.client_of("Ada") as ada:
        whole = ada.post(f"{ADA}/chat", json={"message": "One."})
        assert (whole.status_code, whole.json()["code"]) == (503, "model_broke_off")
        streamed = ada.post(f"{ADA}/chat", json={"message": "Two.", "stream": True})
        assert [name for name, _ in _events(streamed)] == ["piece", "error"]
        model.enqueue(gone)
        unbegun = ada.post(f"{ADA}/chat", json={"message": "Three.", "stream": True})
        assert (unbegun.status_code, unbegun.json()["code"]) == (503, "model_broke_off")
        turns = ada.get(f"{ADA}/turns").json()["turns"]
        model.enqueue(["Half ", RuntimeError("a fault of our own")])
        broken = ada.post(f"{ADA}/chat", json={"message": "Four.", "stream": True}).text
        model.enqueue(odd)
        told = ada.post(f"{ADA}/chat", json={"message": "One."}).json()
    assert ("odd input" in told["detail"], "odd input" in caplog.text) == (True, False)
    assert ("unexpected" in broken, "RuntimeError" in caplog.text) == (True, True)
    assert "fault" not in broken + caplog.text
    assert [(each["said"], each["replied"], each["interrupted"]) for each in turns] == [
        ("One.", "", False),
        ("Two.", "Half ", True),
        ("Three.", "", False),
    ]


def test_off_the_record_nothing_is_kept(ada: httpx.Client) -> None:
    """No turn, and no person where there was none."""
    answer = ada.post(f"{ADA}/chat", json={"message": "A secret.", "off_record": True}).json()
    assert answer["turn"] is None
    assert ada.get(f"{ADA}/turns").status_code == 404


def test_an_exchange_held_elsewhere_is_a_turn_of_its_day(ada: httpx.Client) -> None:
    """With its moment in the person's zone; a wish counts, and one refused begins nobody."""
    assert ada.post(f"{ADA}/turns", json={"said": "x", "at": "2030-01-01"}).status_code == 422
    assert ada.get(ADA).status_code == 404
    added = ada.post(
        f"{ADA}/turns",
        json={"said": "I moved.", "replied": "Where to?", "at": "2026-03-01 08:30:00"},
    )
    assert added.status_code == 201
    turn = added.json()["turn"]
    assert (turn["date"], turn["time"]) == ("2026-03-01", "2026-03-01T08:30:00+00:00")
    unkept = ada.post(f"{ADA}/turns", json={"said": "Don't remember this: I cried."}).json()
    assert unkept["unkept"] == [unkept["turn"]["id"]]
    listed = ada.get(f"{ADA}/turns").json()["turns"]
    assert [each["said"] for each in listed] == ["I moved."]
    assert len(ada.get(f"{ADA}/turns", params={"unkept": True}).json()["turns"]) == 2


@pytest.mark.parametrize("stream", [False, True])
def test_a_request_sent_again_is_said_once(
    speaking: Server, settings: Settings, clock: MovingClock, model: ScriptedChatModel, stream: bool
) -> None:
    """With its key it has the first answer; where that failed, the turn is answered now."""
    model.enqueue("How nice.", ModelUnavailable("model_broke_off", name="m", address="a"), "Oh!")
    with speaking.client_of("Ada") as ada:

        def say(words: str, key: str) -> httpx.Response:
            body = {"message": words, "stream": stream}
            return ada.post(f"{ADA}/chat", json=body, headers={"Idempotency-Key": key})

        assert "How nice." in say("I moved.", "1").text
        # Another process knows it by the stored turn.
        with serving(MemoryBank(settings=settings, clock=clock)) as other:
            again = ada.post(f"{other.url}{ADA}/chat", json={"message": "I moved."}, headers=KEY)
        assert (again.json()["reply"], again.json()["replied_by"]) == ("How nice.", "scripted")
        assert say("To Lisbon.", "2").status_code == 503
        assert "Oh!" in say("To Lisbon.", "2").text
        for _ in range(2):
            ada.post(f"{ADA}/turns", json={"said": "Ah."}, headers={"Idempotency-Key": "3"})
        assert say("Another message.", "2").status_code == 422
        turns = ada.get(f"{ADA}/turns").json()["turns"]
    assert [(each["said"], each["replied"]) for each in turns] == [
        ("I moved.", "How nice."),
        ("To Lisbon.", "Oh!"),
        ("Ah.", ""),
    ]


def test_who_a_person_is_can_be_changed(operator: httpx.Client) -> None:
    """Language, time zone and displayed name; an invalid change is refused."""
    operator.post("/v1/people", json={"name": "Ada"})
    change = {"language": "cn", "timezone": "Asia/Shanghai", "name": " 阿达 "}
    changed = operator.patch(ADA, json=change).json()
    assert changed.items() >= {**change, "user": "Ada", "name": "阿达"}.items()
    for wrong in ({"timezone": "Moon/Sea"}, {"name": ""}, {"nickname": "A"}):
        assert operator.patch(ADA, json=wrong).status_code == 422
    assert operator.get(ADA).json() == changed


def test_a_memory_is_shown_changed_and_erased(ada: httpx.Client) -> None:
    """List, show, correct, pin, forget, restore; erasing proves that nothing is left."""
    said = ada.post(f"{ADA}/turns", json={"said": "My sister is Mia.", "replied": "Ah."}).json()
    identifier = said["turn"]["id"]
    path = f"{ADA}/memories/{identifier}"
    (row,) = ada.get(f"{ADA}/memories").json()["memories"]
    assert (row["id"], row["state"], row["pinned"]) == (identifier, "vivid", False)
    assert ada.patch(path, json={"query": "My sister is Eva."}).json()["changed"] == [identifier]
    assert ada.get(path).json()["memory"]["text"] == "My sister is Eva.\nAh."
    for action, field, value in (
        ("pin", "pinned", True),
        ("unpin", "pinned", False),
        ("forget", "state", "forgotten"),
        ("restore", "state", "vivid"),
        ("unkeep", "unkept", True),
        ("rekeep", "unkept", False),
    ):
        assert ada.post(f"{path}/{action}").status_code == 200
        assert ada.get(path).json()["memory"][field] == value, action
    assert ada.patch(path, json={"text": "x"}).status_code == 422
    assert ada.post(f"{path}/burn").status_code == 422
    erased = ada.delete(path).json()
    assert (erased["erased"], erased["left"]) == ([identifier], 0)
    assert ada.get(path).status_code == 404


def test_memories_are_searched_recalled_and_listed_in_parts(ada: httpx.Client) -> None:
    """By words best first, by kind, a part at a time; a recall is the document of the command."""
    for said in ("My sister is Mia.", "I play chess.", "Mia plays tennis."):
        ada.post(f"{ADA}/turns", json={"said": said})
    found = ada.get(f"{ADA}/memories", params={"query": "chess"}).json()
    assert [each["text"] for each in found["memories"]] == ["I play chess."]
    part = ada.get(f"{ADA}/memories", params={"offset": 1, "limit": 1}).json()
    assert (part["total"], [each["text"] for each in part["memories"]]) == (3, ["I play chess."])
    assert ada.get(f"{ADA}/memories", params={"kind": "fact"}).json()["total"] == 0
    found = ada.post(f"{ADA}/recall", json={"question": "Who plays tennis?", "top": 1}).json()
    assert [each["text"] for each in found["memories"]] == ["Mia plays tennis."]
    assert (found["recipe"], "words" in found["memories"][0]["parts"]) == ("siliconfriend", True)


def test_a_night_is_followed_and_known_to_every_process(
    settings: Settings, clock: MovingClock, operator: httpx.Client
) -> None:
    """Another server on the same memories finds its id; a dry one is over at once, nothing done."""
    operator.post(f"{ADA}/turns", json={"said": "My sister is called Mia.", "replied": "Ah."})
    clock.move(days=1)
    dry = operator.post(f"{ADA}/nights", json={"dry_run": True}).json()
    assert (dry["state"], dry["report"]["dry_run"]) == ("done", True)
    assert operator.get(f"{ADA}/nights").json()["reports"] == []
    night, whole = run_night(operator, ADA), run_night(operator, "/v1")
    assert night["report"]["users"][0]["status"] == "ok"
    assert [(each["done"], each["total"]) for each in (dry, night)] == [(1, 1), (1, 1)]
    assert [each["report"]["dry_run"] for each in (night, whole)] == [False, False]
    _, report = operator.get(f"{ADA}/nights").json()["reports"]
    assert report["users"][0]["summarised"] == ["2026-03-14"]
    assert operator.post(f"{ADA}/nights", json={"stages": ["none"]}).status_code == 422
    with serving(MemoryBank(settings=settings, clock=clock)) as other, other.client() as client:
        state = client.get(f"{ADA}/nights/{night['id']}").json()
        assert (state["state"], state["user"]) == ("done", "Ada")
        assert client.get(f"/v1/nights/{whole['id']}").json()["state"] == "done"
        assert client.get(f"/v1/nights/{night['id']}").status_code == 404
        client.post("/v1/people/Bo/turns", json={"said": "Hello."})
        assert client.get(f"/v1/people/Bo/nights/{night['id']}").status_code == 404


def test_a_night_that_breaks_says_why(settings: Settings, clock: MovingClock) -> None:
    """In another process too; nobody waits for it any more."""
    prompts = settings.home / "prompts" / "en"
    prompts.mkdir(parents=True)
    (prompts / "day.md").write_text("{nothing_known}", encoding="utf-8")
    broken = replace(settings, prompts=prompts.parent)
    model = ScriptedChatModel(otherwise=lambda _messages: "Mm.")
    with serving(MemoryBank(settings=broken, clock=clock, chat=model)) as server:
        with server.client() as client:
            client.post(f"{ADA}/turns", json={"said": "Hello."})
            clock.move(days=1)
            night = run_night(client, ADA)
        assert (night["state"], "of your prompt files" in night["error"]) == ("failed", True)
    with serving(MemoryBank(settings=settings, clock=clock)) as other, other.client() as client:
        assert client.get(f"{ADA}/nights/{night['id']}").json()["error"] == night["error"]


def test_the_portrait_is_shown_and_corrected(operator: httpx.Client, clock: MovingClock) -> None:
    """By the id of its text, as a memory."""
    operator.post(f"{ADA}/turns", json={"said": "My sister is called Mia.", "replied": "Ah."})
    clock.move(days=1)
    run_night(operator, ADA)
    parts = operator.get(f"{ADA}/portrait").json()["parts"]
    assert any("Mia" in part["text"] for part in parts)
    right = operator.patch(f"{ADA}/memories/{parts[0]['id']}", json={"text": "All about Eva."})
    assert right.status_code == 200
    assert operator.get(f"{ADA}/portrait").json()["parts"][0]["text"] == "All about Eva."


def test_export_and_import_give_the_same_memory(server: Server, operator: httpx.Client) -> None:
    """A file goes out and comes in once, and is indexed unasked; another's name is refused."""
    operator.post(f"{ADA}/turns", json={"said": "我搬到了里斯本。", "replied": "真好。"})
    for form in ("memorybank", "native"):
        bank = operator.get(f"{ADA}/export", params={"format": form}).json()
        again = operator.post(f"{ADA}/import", json=bank).json()
        assert (again["turns"], again["people"][0]["skipped"]) == (0, 1)
        with server.client_of("Bo") as bo:
            refused = bo.post("/v1/people/Bo/import", json=bank)
            assert (refused.status_code, refused.json()["code"]) == (422, "import_others")
    bank = {"Bo": operator.get(f"{ADA}/export").json()["Ada"]}
    assert operator.post("/v1/people/Bo/import", json=bank).json()["turns"] == 1
    until(
        lambda: any(
            table == "analysis"
            for table, _ in server.bank.store.rows(server.bank.person("Bo").scope)
        )
    )
    assert operator.post("/v1/people/Bo/import", json={"Bo": 3}).status_code == 422


def test_the_lore_of_a_companion_is_shown(server: Server, ada: httpx.Client) -> None:
    """Each entry with its kind; what fits first where one searches; of nobody it is not there."""
    bank, now = server.bank, server.runtime.clock.now(server.bank.settings.zone)
    bank.companions.create(Character("Robin", {"en": CharacterTexts(persona="A keeper.")}))
    drafts = [EventDraft("Robin made leek soup."), EventDraft("Robin repaired the lamp.")]
    with bank.companions.edit_lore("Robin", "UTC", now) as edit:
        edit.add(*add_entries(edit.memory, drafts, now=now, made_by="person"))
    entries = ada.get("/v1/companions/Robin/lore").json()["entries"]
    assert [(each["kind"], each["text"]) for each in entries] == [
        ("event", each.text) for each in drafts
    ]
    found = ada.get("/v1/companions/Robin/lore", params={"query": "the lamp"}).json()["entries"]
    assert found[0]["text"] == "Robin repaired the lamp."
    assert ada.get("/v1/companions/default/lore").json()["entries"] == []
    assert ada.get("/v1/companions/Nobody/lore").status_code == 404


def test_people_are_listed_in_pages_that_open_no_memory(
    server: Server, operator: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By name; a page begins behind the last name of the page before, whoever has gone since."""
    for name in ("Ada", "Bo", "Cy", "小明"):
        operator.post(f"/v1/people/{name}/turns", json={"said": "I baked bread."})

    def load(*_given: object) -> None:
        raise AssertionError

    monkeypatch.setattr(type(server.runtime.store), "load", load)
    first = operator.get("/v1/people", params={"limit": 3}).json()
    assert first["users"][0] == {"user": "Ada", "companions": ["default"]}
    assert [each["user"] for each in first["users"]] == ["Ada", "Bo", "Cy"]
    last = operator.get("/v1/people", params={"limit": 3, "after": first["after"]}).json()
    assert last == {"users": [{"user": "小明", "companions": ["default"]}], "after": None}
    assert operator.get("/v1/people", params={"limit": 0}).status_code == 422


def test_what_a_path_does_not_have_is_refused(operator: httpx.Client) -> None:
    """A field or a parameter that would be passed over in silence is named; nothing is stored."""
    for path, body, name in (
        (f"{ADA}/chat?off_record=true", {"message": "A secret."}, "off_record"),
        (f"{ADA}/chat", {"message": "A secret.", "offRecord": True}, "offRecord"),
        ("/v1/query?top=3", {"query": "x", "user": "Ada"}, "top"),
    ):
        answer = operator.post(path, json=body)
        assert (answer.status_code, name in answer.json()["detail"]) == (422, True), path
    assert operator.get(ADA).status_code == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"{ADA}/chat", {"message": LONG}),
        (f"{ADA}/turns", {"said": LONG}),
        (
            "/v1/chat/completions",
            {"model": "default", "messages": [{"role": "user", "content": LONG}]},
        ),
    ],
)
def test_a_message_has_one_limit_at_every_door(
    ada: httpx.Client, path: str, body: dict[str, Any]
) -> None:
    """More than 100,000 characters are refused by a sentence; nothing is stored."""
    answer = ada.post(path, json=body)
    assert answer.status_code in (400, 422)
    assert "message_too_long" in answer.text
    assert ada.get(ADA).status_code == 404


def test_what_cannot_be_read_is_a_problem(operator: httpx.Client) -> None:
    """Broken JSON, wrong kinds, half characters and unknown paths; nothing is stored."""
    head = {"Content-Type": "application/json"}
    for content, status in (
        ("{", 422),
        ('{"message": 3}', 422),
        ('{"message": "\\ud800"}', 422),
        ('{"message": " "}', 422),
        (json.dumps({"message": "Hi", "style_hint": "x" * 2001}), 422),
    ):
        answer = operator.post(f"{ADA}/chat", content=content, headers=head)
        assert answer.status_code == status, content
        assert answer.headers["content-type"] == "application/problem+json"
    assert operator.get("/v2").json()["code"] == "not_found"
    assert operator.put(f"{ADA}/chat").status_code == 405
    assert operator.get(ADA).status_code == 404
