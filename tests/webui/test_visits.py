"""What people come for: a past from elsewhere, a model, an answer, a greeting. English and Chinese."""

import json
import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import Language
from tests.importers.makers import gpt_conversation, gpt_message
from tests.loopback import Answered, LoopbackServer, streamed
from tests.webui.axe import faults
from tests.webui.conftest import DESKTOP, SIZES, Serve, go, say

NOON = "2024-03-01T12:00:00"
EXPORTS: dict[str, Any] = {
    "chatgpt.json": [
        gpt_conversation(
            gpt_message("user", "My fern is Bartholomew.", NOON),
            gpt_message("assistant", "A fine name.", NOON),
        )
    ],
    "claude.json": [
        {
            "uuid": "c",
            "name": "Boats",
            "created_at": f"{NOON}Z",
            "chat_messages": [
                {"uuid": "1", "sender": "human", "text": "I row.", "created_at": f"{NOON}Z"},
                {"uuid": "2", "sender": "assistant", "text": "Far?", "created_at": f"{NOON}Z"},
            ],
        }
    ],
    "st.jsonl": "\n".join(
        json.dumps(each)
        for each in (
            {"user_name": "Annie", "character_name": "Seraphine", "chat_metadata": {}},
            {"name": "Annie", "is_user": True, "mes": "I sing.", "send_date": f"{NOON}Z"},
            {"name": "Seraphine", "is_user": False, "mes": "Sing!", "send_date": f"{NOON}Z"},
        )
    ),
    "rook.json": [
        {
            "turn_key": {"chat_id": "c", "turn_id": "t1"},
            "create_time": f"{NOON}Z",
            "author": {"author_id": "1", "is_human": True, "name": "annie"},
            "candidates": [{"candidate_id": "k", "raw_content": "I fly.", "is_final": True}],
            "primary_candidate_id": "k",
        }
    ],
    "whatsapp.txt": "03/04/2021, 10:00 - Robin: Hello there\n05/06/2021, 10:01 - Kim: I moved.\n"
    "04/05/2021, 10:05 - Kim: Again.\n",
    "result.json": {
        "name": "Ben",
        "type": "personal_chat",
        "id": 200,
        "messages": [
            {"id": place, "type": "message", "date": NOON, "date_unixtime": "1709294400"}
            | {"from": name, "from_id": f"user{place}", "text": "I swim.", "text_entities": []}
            for place, name in ((1, "Annie"), (2, "Ben"))
        ],
    },
    "wechat.txt": "2023-05-01 12:00:00 小明\n我在学画画。\n\n2023-05-01 12:01:00 小红\n真好。\n",
    "diary.txt": "Annie: I knit.\nRobin: What?\n",
}
"""One small export of each program."""
BROUGHT = [
    ("2021-04-03", "", "Hello there"),
    ("2021-05-04", "Again.", ""),
    ("2021-06-05", "I moved.", ""),
    ("2023-05-01", "我在学画画。", "真好。"),
    ("2024-03-01", "I fly.", ""),
    ("2024-03-01", "I knit.", "What?"),
    ("2024-03-01", "I row.", "Far?"),
    ("2024-03-01", "I sing.", "Sing!"),
    ("2024-03-01", "I swim.", "I swim."),
    ("2024-03-01", "My fern is Bartholomew.", "A fine name."),
]
"""Day, what the person said and what the other said, of all of them."""
ANSWERS = ("annie", "Annie", "Kim", "小明")
"""Who the person is, in whichever export asks."""


def answer(page: Page) -> None:
    """Answer what the dialog of an import asks, until it shows what it would bring."""
    dialog = page.get_by_role("dialog")
    for _ in range(4):
        expect(dialog.locator("[data-act=bring], [type=radio], [type=date]").first).to_be_attached()
        if dialog.locator("form[data-act=bring]").count():
            return
        names = [dialog.get_by_label(each, exact=True) for each in ANSWERS]
        found = [each for each in names if each.count()]
        if dialog.locator("[type=date]").count():
            dialog.locator("[type=date]").fill("2024-03-01")
        else:
            (found[0] if found else dialog.locator("[type=radio]").first).check()
        before = dialog.locator("form").inner_html()
        dialog.locator(".sf-primary").click()
        page.wait_for_function(
            "(before) => document.querySelector('dialog[open] form')?.innerHTML !== before",
            arg=before,
        )
    expect(dialog.locator("form[data-act=bring]")).to_be_attached()


@SIZES
def test_a_past_is_brought_in_from_each_program(
    serve: Serve, size: dict[str, Any], tmp_path: Path
) -> None:
    """A file that is too large is told before it is sent; the same file again adds nothing."""
    served = serve()
    page = served.begin("Nora", **size)
    go(page, "memories")
    page.click("#carrying > summary")
    page.click("#carrying [data-view=import]")
    (tmp_path / "all.zip").touch()
    os.truncate(tmp_path / "all.zip", 65 * 2**20)
    page.locator("dialog [type=file]").set_input_files(tmp_path / "all.zip")
    expect(page.locator("dialog .sf-status")).to_contain_text("64 MB")
    page.locator("dialog [value=cancel]").click()
    for name, content in EXPORTS.items():
        words = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        file = {"name": name, "mimeType": "text/plain", "buffer": words.encode()}
        page.click("#carrying [data-view=import]")
        page.locator("dialog [type=file]").set_input_files([file])
        answer(page)
        if name == "whatsapp.txt":
            assert faults(page) == []
        page.locator("dialog .sf-primary").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.click("#carrying [data-view=import]")
    data = json.dumps(EXPORTS["claude.json"]).encode()
    again = {"name": "claude.json", "mimeType": "text/plain", "buffer": data}
    page.locator("dialog [type=file]").set_input_files([again])
    expect(page.locator("dialog li")).to_have_count(1)
    expect(page.locator("dialog [data-act=bring]")).to_have_count(0)
    page.locator("dialog [value=cancel]").first.click()
    brought = [(turn.date, turn.query, turn.response) for turn in served.turns("Nora")]
    assert sorted(brought) == BROUGHT
    expect(page.locator("#memories")).to_contain_text("Bartholomew")


@SIZES
def test_a_model_is_tried_kept_and_taken_out(serve: Serve, size: dict[str, Any]) -> None:
    """Nothing is chosen beforehand; a failure keeps what was typed and speaks of the page."""
    model = LoopbackServer()
    page = serve().begin("Nora", **size)
    page.click(".talk-start [data-view=model]")
    expect(page.locator("dialog [type=radio]:checked")).to_have_count(0)
    page.locator("dialog [value=server]").check()
    page.fill("dialog [name=address]", "http://127.0.0.1:9/v1")
    page.fill("dialog [name=name]", "tiny")
    page.click("dialog .sf-primary")
    expect(page.locator("dialog .sf-status")).to_contain_text("127.0.0.1:9")
    expect(page.locator("dialog .sf-status")).not_to_contain_text("SILICONFRIEND")
    expect(page.locator("dialog [name=address]")).to_have_value("http://127.0.0.1:9/v1")
    assert faults(page) == []
    model.answers([Answered(hangs=True)])
    page.fill("dialog [name=address]", model.url)
    page.click("dialog .sf-primary")
    status = page.locator("dialog .sf-status")
    expect(status).to_contain_text("one answer" if size is DESKTOP else "请模型")
    with page.expect_event("requestfailed"):  # nothing is asked of whoever has left
        page.click("dialog [value=cancel]")
    model.answers([streamed("Ja.")] * 4)
    page.click("#model .sf-model")
    page.locator("dialog [value=server]").check()
    page.fill("dialog [name=address]", model.url)
    page.fill("dialog [name=name]", "tiny")
    page.click("dialog .sf-primary")
    expect(page.locator("#model .sf-model")).to_have_text("tiny")
    page.reload()
    page.click("#model .sf-model")
    expect(page.locator("dialog [value=server]")).to_be_checked()
    page.click("dialog [data-act=remove]")
    expect(page.locator("#model .sf-model")).not_to_have_text("tiny")
    model.close()


def test_a_search_is_left_or_entered_before_it_is_answered(serve: Serve) -> None:
    """A late answer opens no dialog that was left, and Enter waits for the first result."""
    page = serve(samples=True).begin("Maya", **DESKTOP)
    page.click("header [data-view=search]")

    def hold(_route: Route) -> None:
        """Let nobody answer."""

    page.route("**/views/search*", hold)
    with page.expect_request("**/views/search*"):
        page.fill("dialog [type=search]", "Harrow Light")
    for _ in range(2):  # the first empties the field
        page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    with page.expect_response("**/views/search*"):
        page.unroute("**/views/search*", hold)  # lets it go on
    page.wait_for_function("!document.getElementById('search').dataset.busy")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.click("header [data-view=search]")
    page.fill("dialog [type=search]", "Harrow Light")
    page.keyboard.press("Enter")
    expect(page.locator(".talk-line:focus")).to_contain_text("Harrow Light")


@SIZES
def test_a_search_always_answers_and_leads_to_the_line(serve: Serve, size: dict[str, Any]) -> None:
    page = serve(samples=True).open(**size)
    name, asked = (
        ("Maya", "What is my cat called?") if size is DESKTOP else ("林晓", "渡船是谁做的")
    )
    page.click(f"button:has-text('{name}')")
    expect(page.locator(".talk-line").first).to_be_visible()  # the scripts are loaded
    page.click("header [data-view=search]")
    page.fill("dialog [type=search]", asked)
    expect(page.locator("dialog .sf-hit mark").first).to_be_visible()
    assert faults(page) == []
    goal = page.locator("dialog .sf-hit").first.get_attribute("data-turn")
    page.press("dialog [type=search]", "Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    line = page.locator(f".talk-line[data-id='{goal}']")
    expect(line).to_be_focused()
    expect(line).to_be_in_viewport()
    go(page, "memories")
    page.fill("#memories [name=words]", asked)
    expect(page.locator("#memories .sf-perhaps")).to_be_visible()
    expect(page.locator("#memories .sf-card mark").first).to_be_visible()
    page.press("#memories [name=words]", "Enter")
    expect(page.locator("#memories .sf-card").first).to_be_focused()


def test_why_names_the_memory_that_carried_a_reply_and_opens_in_sight(serve: Serve) -> None:
    served = serve(chat=ScriptedChatModel(otherwise=lambda _: "In Leeds."))
    told = ("I planted beans.", "We ate soup.", "My sister Ruth lives in Leeds.", "It rained.")
    for day, words in enumerate(told, 1):
        served.bank.person("Nora").add(words, "I see.", at=f"2026-11-0{day}")
    page = served.open(**DESKTOP)
    page.click("button:has-text('Nora')")
    expect(page.locator(".talk-line").first).to_be_visible()
    say(page, "Where does my sister Ruth live?")
    line = page.locator(".talk-line[data-state=whole]", has_text="Where does")
    expect(line).to_contain_text("In Leeds.")
    chip = line.locator(".talk-why > summary")
    expect(chip).to_contain_text("My sister Ruth lives in Leeds.")
    chip.click()
    expect(line.locator(".talk-why li").last).to_be_in_viewport()


@SIZES
def test_who_returns_is_greeted_from_memory_and_sees_no_new_above_their_words(
    serve: Serve, clock: MovingClock, size: dict[str, Any]
) -> None:
    served = serve()
    language: Language = "en" if size is DESKTOP else "cn"
    words = "I fly to Porto on 22 November." if size is DESKTOP else "我十一月二十二日飞去波尔图。"
    served.bank.person("Nora").add(words, language=language)
    clock.move(days=3)
    page = served.open(**size)
    page.click("button:has-text('Nora')")
    greeting = page.locator(".talk-line[data-state=opening] .said").last
    expect(greeting).to_contain_text("Porto" if size is DESKTOP else "波尔图")
    expect(page.locator(".talk-chips button")).to_have_count(3)
    expect(page.locator(".talk-chips")).not_to_contain_text("?")
    clock.move(minutes=1)
    say(page, "Hello again.")
    expect(page.locator(".talk-line[data-state=whole]").last).to_contain_text("Hello again.")
    expect(page.locator(".talk-new")).to_have_count(0)
    page.reload()
    expect(page.locator(".talk-line").last).to_be_visible()
    expect(page.locator(".talk-new")).to_have_count(0)


@SIZES
def test_the_empty_page_offers_a_look_a_model_and_the_box(
    serve: Serve, size: dict[str, Any]
) -> None:
    page = serve().begin("Nora", **size)
    expect(page.locator(".talk-start [data-view=model]")).to_be_visible()
    page.click(".talk-start [data-view=sample]")
    expect(page.locator("dialog .sf-day").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_contain_text("Maya" if size is DESKTOP else "林晓")
    assert faults(page) == []
    page.keyboard.press("Escape")
    say(page, "Hello.")
    expect(page.locator(".talk-start")).to_be_hidden()
