"""What the panels show and do, asked of their handlers."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

from siliconfriend.errors import UsageError
from siliconfriend.memory.scope import Scope
from siliconfriend.testing import MovingClock
from siliconfriend.texts import LANGUAGES, sentences
from tests.loopback import LoopbackServer, document, streamed
from tests.recall.people import a_fact, know
from tests.webui.conftest import ADA, Open, Tab
from webui import companions, curve, importing, memories, model_choice, sample, story, you
from webui.backend import Visit
from webui.words import error_words, marked


@pytest.fixture
def tab(open_tab: Open) -> Tab:
    """A tab of Ada, who told three things."""
    found = open_tab()
    for day, words in (("2026-11-01", "I planted <b>beans</b>."), ("2026-11-03", "Kit is ill.")):
        found.visit.person.add(words, "I see.", at=day)
    found.visit.person.add("I am happy about the garden.", "Good.", at="2026-11-20")
    return found


def first(tab: Tab) -> str:
    return next(tab.visit.person.turns()).id


def show(visit: Visit, event: dict[str, Any], words: str = "", state: str = "all") -> Any:
    """Show the memories panel after an event, with what stands in its search."""
    live = {"words": words, "state": state}
    return memories.view(visit, {"event": "select", "live": live, **event})


def click(tab: Tab, act: str, identifier: str) -> dict[str, Any]:
    return memories.act_on(tab.visit, {"act": act, "id": identifier})


def test_days_stand_newest_first_with_mood_and_words_as_typed(tab: Tab) -> None:
    html = show(tab.visit, {})["html"]
    assert html.index("2026-11-20") < html.index("2026-11-03") < html.index("2026-11-01")
    assert "I planted &lt;b&gt;beans&lt;/b&gt;." in html
    assert "sf-mood" in html


def test_many_days_come_a_few_at_once(tab: Tab) -> None:
    for day in range(1, 29):
        tab.visit.person.add("Something.", at=f"2026-10-{day:02}")
    html = show(tab.visit, {})["html"]
    assert html.count("data-day") == memories.DAYS_AT_ONCE
    asked = {"act": "more", "until": "2026-10-22"}
    more = show(tab.visit, asked)["html"]
    assert 'data-day="2026-10-22"' in more
    assert 'data-day="2026-10-12"' in more
    assert 'data-day="2026-10-11"' not in more
    jumped = show(tab.visit, {"day": "2026-10-05"})
    assert 'data-day="2026-10-05"' in jumped["html"]
    assert f'id="{jumped["goto"]}"' in jumped["html"]
    drawn = {"changed": True, "until": "2026-10-04"}
    assert "2026-11-20" in show(tab.visit, drawn)["html"]
    jump = {**drawn, "day": "2026-10-05"}
    assert show(tab.visit, jump)["html"].count("data-day") == 2
    assert "data-day" not in show(tab.visit, {"day": ""}, words="beans")["html"]
    assert "data-day" not in show(tab.visit, drawn, words="beans")["html"]


def test_a_search_marks_what_it_finds_and_says_so_where_nothing_is(tab: Tab) -> None:
    assert "<mark>beans</mark>" in show(tab.visit, {}, words="beans")["html"]
    assert "<mark" not in show(tab.visit, {}, words="volcano", state="archived")["html"]
    assert "?day=2026-11-03" in show(tab.visit, {}, words="beans on 3 November")["html"]


@pytest.mark.parametrize(
    ("query", "words", "found"),
    [
        ("What is my cat called?", "The cat calls. Catch it!", ["cat", "calls"]),
        ("a", "A hat and a cap", ["A", "a"]),
        ("<b>", "Better be <b>", ["<b>"]),
        ("外婆病了吗", "外婆家的外人", ["外婆"]),
        ("今天", "今天下雨", ["今天"]),
        ("!!", "Well", []),
    ],
)
def test_a_search_marks_whole_words_in_all_their_forms(
    query: str, words: str, found: list[str]
) -> None:
    marks = re.findall("<mark>(.*?)</mark>", marked(words, query))
    assert [unescape(mark) for mark in marks] == found


NOT_IN_THE_PAGE = (
    *("made_up", "no_text", "language", "rambles", "no_list", "not_json", "unreliable"),
    *("who", "which_other", "group", "zone", "date_order", "day", "alone"),
)
"""Errors of models and imports that only a night or a command meets, or that a dialog asks about."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_in_the_page_names_a_setting_or_a_command(language: Any) -> None:
    assert "/help" not in json.dumps(sentences("offline", language)), "of the terminal"
    for key, words in sentences("errors", language).items():
        kind, _, name = key.partition("_")
        if kind in ("model", "gguf", "llm", "import") and name not in NOT_IN_THE_PAGE:
            error = UsageError(key, **dict.fromkeys(re.findall(r"{(\w+)", words), "x"))
            named = "--" if kind == "import" else "SILICONFRIEND|`"
            assert not re.search(named, error_words(error, language)), key
    cause = UsageError("model_key", address="x")
    told = error_words(UsageError("fell_back", cause=cause, name="n", address="y"), language)
    assert error_words(cause, language) in told


def test_who_returns_is_greeted_once_a_day(tab: Tab, clock: MovingClock) -> None:
    tab.visit.person.add("I fly to Porto on 22 November.")
    clock.move(days=1)
    for _ in range(2):
        tab.visit._greet()
        tab.wait()
    (words,) = [each.response for each in tab.talk.exchanges]
    assert "Porto" in words


@pytest.mark.parametrize("act", ["pin", "unkeep"])
def test_what_is_done_at_once_can_be_taken_back(tab: Tab, act: str) -> None:
    before = tab.visit.person.show(first(tab))
    told = click(tab, act, first(tab))
    assert told["status"]
    assert click(tab, told["undo"]["act"], told["undo"]["id"])["status"]
    assert tab.visit.person.show(first(tab)) == before


def test_erasing_asks_first_and_proves_itself(tab: Tab) -> None:
    asked = click(tab, "erase", first(tab))
    assert "beans" in asked["sheet"]
    assert asked["html"] is None
    told = memories.act_on(tab.visit, {"act": "erase", "id": first(tab), "fields": {}})
    assert "searched" in told["status"]
    assert "beans" not in show(tab.visit, {})["html"]
    home = tab.backend.settings.home
    assert not [
        each for each in home.rglob("*") if each.is_file() and b"beans" in each.read_bytes()
    ]


def test_a_correction_is_kept_and_can_be_taken_back(tab: Tab) -> None:
    assert "beans" in click(tab, "edit", first(tab))["sheet"]

    def correct(**fields: str) -> dict[str, Any]:
        return memories.act_on(tab.visit, {"act": "edit", "id": first(tab), "fields": fields})

    told = correct(query="I planted peas.", response="Nice.")
    turn = next(tab.visit.person.turns())
    assert (turn.query, turn.response) == ("I planted peas.", "Nice.")
    click(tab, told["undo"]["act"], told["undo"]["id"])
    turn = next(tab.visit.person.turns())
    assert (turn.query, turn.response) == ("I planted <b>beans</b>.", "I see.")
    with pytest.raises(UsageError):
        correct()


def test_an_unknown_action_changes_nothing(tab: Tab) -> None:
    """It is not taken for a correction, though it has words."""
    fields = {"query": "I planted peas.", "response": "Nice."}
    with pytest.raises(ValueError, match="copy"):
        memories.act_on(tab.visit, {"act": "copy", "id": first(tab), "fields": fields})
    assert "beans" in next(tab.visit.person.turns()).query


def upload(
    visit: Visit, data: bytes, act: str = "look", name: str = "x", more: Any = (), **fields: str
) -> Any:
    """Send files to the dialog of the import; return the last of what it shows."""
    event = {"event": "submit", "act": act, "id": "", "fields": fields, "live": {}}
    told = importing.view(visit, {**event, "files": [(name, data), *more]})
    return told if isinstance(told, dict) else list(told)[-1]


def test_a_memory_goes_out_and_comes_in_with_a_preview(tab: Tab, open_tab: Open) -> None:
    data = tab.http.get("/export?form=native").content
    tab.backend.bank.delete("Ada")
    told = upload(tab.visit, data, name="mine.json")
    assert "3 turns" in told["sheet"], told["status"]
    assert 'data-act="bring"' in told["sheet"]
    assert not tab.visit.person.is_known()
    assert upload(tab.visit, data, "bring")["status"]
    assert len(list(tab.visit.person.turns())) == 3
    assert "3 already here" in upload(tab.visit, data)["sheet"]
    refused = upload(open_tab(person="Ben").visit, data, name="hers.json")
    assert refused["status"].startswith("hers.json: ")
    assert "Ada" in refused["status"]
    assert 'data-act="bring"' not in refused["sheet"]


@pytest.mark.parametrize("data", [b'{"a": ', b"\x00\xff\x00", b'[{"header": "Gemini Apps"}]'])
def test_a_file_of_no_known_format_is_named(tab: Tab, data: bytes) -> None:
    """Without advice for the command line."""
    status = upload(tab.visit, data, name="MyActivity.json")["status"]
    assert status.startswith("MyActivity.json: ")
    assert "--" not in status


def test_somebody_else_of_the_same_name_is_not_taken_for_the_person(tab: Tab) -> None:
    """Who is taken for the person by their name can be changed beside the preview."""
    chat = b"13/05/2023, 09:02 - Ada: I row.\n13/05/2023, 09:03 - Kim: I sail.\n"
    sheet = upload(tab.visit, chat, name="chat.txt")["sheet"]
    assert re.search(r'name="me" value="Ada" checked', sheet)
    assert re.search(r'name="me" value="Kim">', sheet)
    upload(tab.visit, chat, "bring", name="chat.txt", me="Kim")
    turns = [(turn.query, turn.response) for turn in tab.visit.person.turns()]
    assert ("I sail.", "") in turns
    assert ("", "I row.") in turns


def test_parts_of_a_past_are_brought_in_at_once(tab: Tab) -> None:
    first, second = (
        f'{{"name": "{name}", "is_user": {is_user}, "mes": "{words}", "send_date": "2024-03-01T12:00Z"}}'
        for name, is_user, words in (("Ada", "true", "I row."), ("Fitz", "false", "Far?"))
    )
    more = [("b.jsonl", second.encode())]
    assert "2 turns" in upload(tab.visit, first.encode(), name="a.jsonl", more=more)["sheet"]
    upload(tab.visit, first.encode(), "bring", name="a.jsonl", more=more)
    turns = [(turn.query, turn.response) for turn in tab.visit.person.turns()]
    assert {("I row.", ""), ("", "Far?")} <= set(turns)


def test_a_file_that_cannot_be_read_is_named_as_its_owner_names_it(tab: Tab) -> None:
    assert "notes.txt is empty" in upload(tab.visit, b"", name="C:/x/notes.txt")["status"]


def test_the_portrait_is_prose_first_and_can_be_put_right(tab: Tab) -> None:
    bank = {
        "Ada": {
            "name": "Ada",
            "history": {"2026-11-01": [{"query": "I sail.", "response": "Fine."}]},
            "overall_personality": "Fond of boats.",
            "overall_history": "Days at sea.",
        }
    }
    tab.backend.bank.import_(bank)
    html = story.show(tab.visit, {})["html"]
    assert html.index("Fond of boats.") < html.index("Days at sea.")
    (act,) = re.findall(r'data-act="(\w+)" data-id="overall_personality"', html)
    event = {"event": "click", "act": act, "id": "overall_personality"}
    assert "Fond of boats." in story.view(tab.visit, event)["sheet"]
    event |= {"event": "submit", "fields": {"text": "Fond of hens."}}
    assert story.view(tab.visit, event)["status"]
    assert "Fond of hens." in story.show(tab.visit, {})["html"]


def test_a_curve_opens_from_its_memory_and_tells_of_a_day_to_come(tab: Tab) -> None:
    assert (
        f'data-view="curve" data-act="open" data-id="{first(tab)}"' in show(tab.visit, {})["html"]
    )
    now, later = (
        curve.view(tab.visit, {"id": first(tab), "live": {"days": days}})["sheet"]
        for days in ("0", "60")
    )
    assert "sf-line" in now
    assert now != later


def view(panel: ModuleType, visit: Visit, event: dict[str, Any]) -> Any:
    """What a panel answers to an event: one change, or several in turn."""
    return panel.view(visit, event)


def test_a_night_tells_its_steps_in_the_pages_language_and_then_what_it_did(tab: Tab) -> None:
    visit, night = replace(tab.visit, language="cn"), cast(Any, story.night_view)
    steps = list(night(visit, {"event": "click", "live": {}}))
    assert len(steps) >= 3
    assert not any("Ada" in step["html"] for step in steps)
    assert "sf-night" in steps[-1]["html"]
    assert "sf-night" in night(tab.visit, {"event": "select"})["html"]
    none: dict[str, Any] = {kind: {} for kind in ("archived", "dimmed", "pending", "errors")}
    done = none | {
        "stages": {"portrait": {"done": 1}},
        "summarised": ["2026-11-01", "2026-11-03"],
    }
    assert list(story._story(done, "cn")) == ["我把2天的事理了一遍，把你的样子重新画了一遍。"]
    assert list(story._story(done, "en")) == ["I summed up 2 days, then drew your portrait anew."]


def do(visit: Visit, act: str, identifier: str = "", opened: str = "", **fields: str) -> Any:
    """Press a button or send a form of the companions' panel."""
    event = {"event": "submit", "act": act, "id": identifier, "open": opened}
    return companions.view(visit, {**event, "fields": fields} if fields else event)


def take_in(visit: Visit, act: str, data: bytes, name: str = "") -> Any:
    """Send a card or a picture."""
    event = {"event": "submit", "act": act, "id": name, "files": [("a.json", data)]}
    return companions.card_view(visit, event)


def test_a_companion_is_made_written_and_deleted(tab: Tab) -> None:
    visit = tab.visit
    assert do(visit, "new", name="Wren")["goto"] == "#/companions?open=Wren"
    do(visit, "texts", opened="Wren", persona="Keeps a lighthouse.", greeting="Come in, {person}.")
    value = do(visit, "entry", opened="Wren", text="The lamp was lit in 1902.")
    assert "The lamp was lit in 1902." in value["html"]
    entry_id = value["html"].split('data-act="delete-entry" data-id="')[1].split('"')[0]
    event = {"event": "submit", "act": "delete-entry", "id": entry_id, "open": "Wren"}
    assert "1902" not in companions.view(visit, {**event, "fields": {}})["html"]
    assert "Come in, Ada." in companions.view(visit, {"event": "select"})["html"]
    card = tab.http.get("/companions/export?name=Wren&form=json")
    assert "Keeps a lighthouse." in card.text
    event = {"event": "submit", "act": "delete", "id": "Wren", "fields": {}}
    companions.view(visit, event)
    assert not tab.backend.companions.exists("Wren")
    assert take_in(visit, "open", card.content)["status"]
    assert tab.backend.companions.exists("Wren")


def test_the_sample_companion_is_brought_in(tab: Tab) -> None:
    html = companions.view(tab.visit, {"event": "select"})["html"]
    sample = html.split('data-act="bring" data-id="')[1].split('"')[0]
    told = do(tab.visit, "bring", sample)
    assert tab.backend.companions.exists(sample)
    assert f"open={sample}" in told["html"], "it is shown at once"


def test_a_model_whose_dialog_was_closed_is_not_used(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = LoopbackServer()
    model.answers([streamed("Yes.")])
    model.pages["/v1/models"] = document({"data": [{"id": "tiny"}]})
    fields = {"kind": "server", "address": model.url}
    steps = model_choice.steps(tab.visit, fields)
    while next(steps)["status"]:  # until the model has answered
        pass
    steps.close()
    assert tab.backend.bank.chat is None
    monkeypatch.setenv("SILICONFRIEND_LLM", "ollama")
    told = list(model_choice.steps(tab.visit, fields))[-1]
    assert told["html"]
    assert "SILICONFRIEND_LLM" in told["status"], "which wins at the next start"
    assert tab.visit.model == "tiny", "the server's only one"
    model.close()


def test_where_people_log_in_only_the_operators_edit_companions(open_tab: Open, auth: Path) -> None:
    tab = open_tab(auth=auth)
    tab.person = "Ada"
    with pytest.raises(UsageError):
        do(tab.visit, "new", name="Wren")
    with pytest.raises(UsageError):
        list(model_choice.steps(tab.visit, {"kind": "server"}))
    asked = {"event": "click", "act": "choose"}
    assert "<input" not in view(model_choice, tab.visit, asked)["sheet"]
    tab.http.post("/", data={"username": "Ada", "password": ADA})
    assert "sf-model" in (page := tab.http.get("/").text)
    assert 'data-view="model"' not in page, "no way to where nothing can be chosen"
    tab.backend.settings = replace(tab.backend.settings, companion_editors="Ben, Ada")
    for person, is_named in (("Ada", True), ("Ben", True), ("Be", False)):
        tab.person = person
        assert (
            'data-act="new"' in companions.view(tab.visit, {"event": "select"})["html"]
        ) is is_named


@pytest.mark.parametrize("language", LANGUAGES)
def test_somebody_new_meets_first_words_and_three_things_to_say(tab: Tab, language: Any) -> None:
    new = Visit(tab.backend, tab.visit.scope.__class__.of("Neu"), language)
    assert len(new.chips()) == 3
    assert "Neu" in new.greeting()
    tab.http.cookies.set("sf-name", "Neu")
    page = unescape(tab.http.get(f"/?language={language}").text)
    opener = 'data-act="choose" data-id="" data-view="model"'
    for words in ('data-view="sample"', opener, *new.chips()):
        assert words in page
    assert "sf-day" in sample.view(new, {})["sheet"]
    assert 'data-act="night"' not in story.draw_nights(new), "nothing to sum up"


def test_an_error_of_a_view_is_shown_as_its_words(tab: Tab) -> None:
    """An error at once, one in the steps of something long, and a page of somebody else."""

    def send(name: str, person: str = "Ada", **event: Any) -> Any:
        given = {"person": person, "live": {}, "act": "", "id": "", **event}
        return tab.http.post(f"/views/{name}", data={"event": json.dumps(given)})

    missing = send("memories", event="click", act="pin", id="none").json()
    assert missing["status"] == error_words(UsageError("memory_unknown"), "en")
    assert missing["html"] is None
    steps = send("model", event="submit", fields={"kind": "server", "address": ""}).text
    told = [json.loads(line)["status"] for line in steps.splitlines()]
    assert UsageError("model_no_address").message("en") in told[-1]
    assert send("memories", person="Ben", event="select").status_code == 409


def test_a_password_is_changed_by_who_knows_it(open_tab: Open, auth: Path) -> None:
    tab = open_tab(auth=auth)
    tab.person, passwords = "Ada", tab.backend.passwords
    assert passwords is not None

    def change(*others: Visit, **fields: str) -> Any:
        (visit,) = others or (tab.visit,)
        return you.view(visit, {"event": "submit", "act": "password", "fields": fields})

    for place in range(20):  # others who guess keep nobody from it
        with pytest.raises(UsageError):
            change(replace(tab.visit, scope=Scope.of(f"Somebody {place}")), password="no")
    for wrong in ({"password": "no"}, {"password": ADA, "new": "short", "again": "short"}):
        with pytest.raises(UsageError):
            change(**wrong)
    assert change(password=ADA, new="new horse battery", again="new horse battery")["status"]
    assert passwords.authenticate("Ada", "new horse battery")
    assert not passwords.authenticate("Ada", ADA)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_installs_the_page_under_its_companions_name(tab: Tab, language: Any) -> None:
    told = tab.http.get(f"/manifest.webmanifest?language={language}").json()
    assert told["display"] == "standalone"
    assert told["start_url"] == "./?companion=default", "in whichever language is chosen later"
    assert told["name"] in tab.http.get(f"/?language={language}").text
    for icon in told["icons"]:
        assert tab.http.get(icon["src"].removeprefix(".")).status_code == 200


def test_chips_name_people_but_none_put_away_or_not_to_be_mentioned(tab: Tab) -> None:
    names = ("quince", "Owen", "Hanna", "Kit")
    facts = [
        a_fact(f"{name} is tall.", entity=name, entity_type="specific", last="2026-11-20")
        for name in names
    ]
    known = know(tab.backend.bank.store, facts, tab.visit.scope)
    tab.say("Never mention my ex Owen again.")
    tab.visit.person.forget(known[2].id)
    news = [words for words in tab.visit.chips() if "news" in words]
    assert news == ["There is news of Kit."]
