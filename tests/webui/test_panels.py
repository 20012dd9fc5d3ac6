"""What the panels show and do, asked of their handlers as Gradio asks them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.texts import LANGUAGES
from tests.webui.conftest import Open, Tab
from webui import carrying, companions, components, fading, memories, model, night, portrait
from webui.backend import Visit


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


def click(tab: Tab, act: str, identifier: str) -> dict[str, Any]:
    return memories.act_on(tab.visit, {"act": act, "id": identifier})


def test_days_stand_newest_first_with_mood_and_words_as_typed(tab: Tab) -> None:
    html = memories.show(tab.visit, {}, "", "all")["html"]
    assert html.index("2026-11-20") < html.index("2026-11-03") < html.index("2026-11-01")
    assert "I planted &lt;b&gt;beans&lt;/b&gt;." in html
    assert "sf-mood" in html


def test_many_days_come_a_few_at_once(tab: Tab) -> None:
    for day in range(1, 29):
        tab.visit.person.add("Something.", at=f"2026-10-{day:02}")
    html = memories.show(tab.visit, {}, "", "all")["html"]
    assert html.count("data-day") == memories.DAYS_AT_ONCE
    asked = {"act": "more", "since": "2026-10-28", "until": "2026-10-22"}
    more = memories.show(tab.visit, asked, "", "all")["html"]
    assert 'data-day="2026-10-22"' in more
    assert 'data-day="2026-10-12"' in more
    assert 'data-day="2026-10-11"' not in more
    jumped = memories.show(tab.visit, {"day": "2026-10-05"}, "", "all")
    assert 'data-day="2026-10-05"' in jumped["html"]
    assert f'id="{jumped["goto"]}"' in jumped["html"]
    drawn = {"changed": True, "since": "2026-10-05", "until": "2026-10-04"}
    assert "2026-11-20" in memories.show(tab.visit, drawn, "", "all")["html"]
    jump = {**drawn, "day": "2026-10-05"}
    assert memories.show(tab.visit, jump, "", "all")["html"].count("data-day") == 2
    assert "data-day" not in memories.show(tab.visit, {"day": ""}, "beans", "all")["html"]
    assert "data-day" not in memories.show(tab.visit, drawn, "beans", "all")["html"]


def test_a_search_marks_what_it_finds_and_says_so_where_nothing_is(tab: Tab) -> None:
    assert "<mark>beans</mark>" in memories.show(tab.visit, {}, "beans", "all")["html"]
    assert "<mark" not in memories.show(tab.visit, {}, "volcano", "archived")["html"]
    assert "?day=2026-11-03" in memories.show(tab.visit, {}, "beans on 3 November", "all")["html"]


@pytest.mark.parametrize("act", ["pin", "forget", "restore", "unkeep"])
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
    assert "beans" not in memories.show(tab.visit, {}, "", "all")["html"]
    home = tab.backend.settings.home
    assert not [it for it in home.rglob("*") if it.is_file() and b"beans" in it.read_bytes()]


def test_words_are_put_right(tab: Tab) -> None:
    assert "beans" in click(tab, "edit", first(tab))["sheet"]
    fields = {"words": "I planted peas.", "response": "Nice."}
    memories.act_on(tab.visit, {"act": "edit", "id": first(tab), "fields": fields})
    turn = next(tab.visit.person.turns())
    assert (turn.query, turn.response) == ("I planted peas.", "Nice.")
    with pytest.raises(UsageError):
        memories.act_on(tab.visit, {"act": "edit", "id": first(tab), "fields": {}})


@pytest.mark.parametrize("act", ["erase", "pin", "edit"])
def test_an_id_that_is_none_changes_nothing(tab: Tab, act: str) -> None:
    with pytest.raises(UsageError):
        click(tab, act, "turn-of-somebody-else")


def test_a_memory_goes_out_and_comes_in_with_a_preview(tab: Tab, open_tab: Open) -> None:
    data = tab.http.get("/export?form=native").content
    tab.backend.bank.delete("Ada")
    assert "3" in carrying.preview(tab.visit, data)
    assert not tab.visit.person.is_known()
    assert carrying._import(tab.visit, {}, data)["status"]
    assert len(list(tab.visit.person.turns())) == 3
    other = open_tab(person="Ben")
    with pytest.raises(UnreadableFile):
        carrying.preview(other.visit, data)


def test_an_upload_leaves_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(b"x")
    with carrying.uploaded(str(path)) as uploaded:
        assert uploaded.read_bytes() == b"x"
    assert not path.exists()


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
    html = portrait.portrait(tab.visit)
    assert html.index("Fond of boats.") < html.index("Days at sea.")
    event = {"act": "edit", "id": "overall_personality", "fields": {"words": "Fond of hens."}}
    assert memories.act_on(tab.visit, event)["status"]
    assert "Fond of hens." in portrait.portrait(tab.visit)


def test_three_curves_differ_and_the_slider_tells_of_a_day_to_come(tab: Tab) -> None:
    now = fading.show(tab.visit, {}, 0)["html"]
    later = fading.show(tab.visit, {}, 60)["html"]
    assert now.count("<g class") == later.count("<g class") == 3
    assert now != later


def test_a_night_tells_its_steps_and_then_what_it_did(tab: Tab) -> None:
    steps = list(night.run_steps(tab.visit, {}, False, False))
    assert len(steps) >= 3
    assert "sf-night" in steps[-1][1]["html"]
    assert "sf-night" in night.show(tab.visit, {})["html"]


def test_a_companion_is_made_written_and_deleted(tab: Tab, tmp_path: Path) -> None:
    visit = tab.visit
    _, name = companions.act(visit, {"act": "new", "id": "", "fields": {"name": "Wren"}}, "")
    fields = {"persona": "Keeps a lighthouse.", "greeting": "Come in, {person}."}
    companions.act(visit, {"act": "texts", "id": "", "fields": fields}, name)
    entry = {"text": "The lamp was lit in 1902."}
    value, _ = companions.act(visit, {"act": "entry", "id": "", "fields": entry}, name)
    assert "The lamp was lit in 1902." in value["html"]
    entry_id = value["html"].split('data-act="delete-entry" data-id="')[1].split('"')[0]
    event = {"act": "delete-entry", "id": entry_id, "fields": {}}
    assert "1902" not in companions.act(visit, event, name)[0]["html"]
    gallery, _ = companions.show(visit, {}, "")
    assert "Come in, Ada." in gallery["html"]
    card = tab.http.get("/companions/export?name=Wren&form=json")
    assert "Keeps a lighthouse." in card.text
    companions.act(visit, {"act": "delete", "id": "Wren", "fields": {}}, "Wren")
    assert not tab.backend.companions.exists("Wren")
    (tmp_path / "card").write_bytes(card.content)
    assert companions.take_in(visit, tmp_path / "card", "")[1] == ""
    assert tab.backend.companions.exists("Wren")


def test_the_sample_companion_is_brought_in(tab: Tab) -> None:
    html = companions.show(tab.visit, {}, "")[0]["html"]
    sample = html.split('data-act="bring" data-id="')[1].split('"')[0]
    companions.act(tab.visit, {"act": "bring", "id": sample}, "")
    assert tab.backend.companions.exists(sample)


def test_where_people_log_in_only_the_operators_edit_companions(open_tab: Open, auth: Path) -> None:
    tab = open_tab(auth=auth)
    tab.person = "Ada"
    with pytest.raises(UsageError):
        companions.act(tab.visit, {"act": "new", "id": ""}, "")
    with pytest.raises(UsageError):
        list(model.steps(tab.visit, {"choice": "offline"}))
    tab.backend.settings = replace(tab.backend.settings, companion_editors="Ben, Ada")
    for person, is_named in (("Ada", True), ("Ben", True), ("Be", False)):
        tab.person = person
        assert ('data-act="new"' in companions.show(tab.visit, {}, "")[0]["html"]) is is_named


def test_a_model_is_tried_before_it_is_written_down(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not answer changes nothing; what does answers from then on."""
    fields = {"choice": "other", "name": "m", "address": "http://127.0.0.1:9/v1", "key": ""}
    failed = list(model.steps(tab.visit, fields))[-1]
    assert "127.0.0.1:9" in failed["status"]
    assert tab.backend.bank.chat is None
    monkeypatch.setattr(model, "try_model", lambda _settings: (None, 0.1))
    done = list(model.steps(tab.visit, fields))[-1]
    assert (done["html"], tab.backend.bank.chat is None) == ("", False)
    written = (tab.backend.settings.home / "config.toml").read_text(encoding="utf-8")
    assert "http://127.0.0.1:9/v1" in written


@pytest.mark.parametrize("language", LANGUAGES)
def test_somebody_new_meets_first_words_and_three_things_to_say(tab: Tab, language: Any) -> None:
    new = Visit(tab.backend, tab.visit.scope.__class__.of("Neu"), language)
    assert len(new.chips()) == 3
    assert "Neu" in new.greeting()
    assert "data-act" in model.line(new)
    assert "local:" in model.choices(new)


def test_an_error_of_a_handler_is_shown_as_its_words(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else the handler fills stays as it is."""
    heard: list[Any] = []

    def refuse(_visit: Visit, _event: object) -> None:
        raise UsageError("nothing_said")

    monkeypatch.setattr(components.gr, "on", lambda _, call, *__, **___: heard.append(call))
    components.fills(tab.backend, ["view", "state"], [], refuse)
    request = SimpleNamespace(username="Ada", query_params={}, cookies={}, headers={})
    ((shown, state),) = heard[0](SimpleNamespace(_data=None), request)
    assert shown["status"] == UsageError("nothing_said").message("en")
    assert state == components.gr.skip()
