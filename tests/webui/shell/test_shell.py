"""What stands around the panels: the first HTML, addresses, colours, examples, phone and voice."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from siliconfriend.config import Settings, prepare_home
from siliconfriend.lore.character import Character, CharacterTexts
from siliconfriend.lore.companions import Companions
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import Language, text
from tests.webui.conftest import Serve, bot, say, switch_language, tab
from webui.look.static_files import address, static_files

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
PANELS = ("memories", "portrait", "fading", "night", "companions", "chat")
LOCALES: dict[Language, str] = {"en": "en-GB", "cn": "zh-CN"}

FAKED_VOICE = """
window.spoken = [];
window.SpeechRecognition = class {
    start() { window.recognition = this; }
    stop() { window.recognition = null; }
    hear(...words) {
        this.onresult({results: words.map((transcript) => [{transcript}])});
    }
};
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, 'speechSynthesis', {value: {
    getVoices: () => [{lang: 'en-GB', name: 'far', localService: false},
        {lang: 'en-US', name: 'near', localService: true}, {lang: 'zh-CN', name: '近', localService: true}],
    speak: (it) => { window.spoken.push(it); },
    cancel: () => { window.cancelled = true; },
}});
"""


def first_html(url: str, **headers: str) -> str:
    """What the page's address gives to a browser that runs no script."""
    answer = httpx.get(url, headers=headers)
    assert answer.headers["cache-control"] == "no-store"
    return answer.text


def test_the_first_html_speaks_the_browsers_language(serve: Serve, settings: Settings) -> None:
    """Title, panels and Gradio's own labels; what was chosen here before counts more."""
    prepare_home(settings.home)
    texts = {"cn": CharacterTexts(called="知更"), "en": CharacterTexts(called="Robin <3")}
    Companions(settings.home).create(Character("Robin", texts))
    served = serve(samples=False, companion="Robin")
    chinese = first_html(served.url, **{"Accept-Language": "zh-TW,zh;q=0.9,en;q=0.8"})
    assert '<html\n\tlang="zh-CN"' in chinese
    assert "<title>知更</title>" in chinese
    assert "<span>记忆</span>" in chinese
    config = json.loads(chinese.partition("window.gradio_config = ")[2].partition(";</script>")[0])
    assert config["title"] == "知更"
    labels = [it["props"].get("value") for it in config["components"]]
    assert text("web", "night_run", "cn") in labels
    assert text("web", "night_run", "en") not in labels
    both = {"Accept-Language": "zh-CN", "Cookie": "sf-language=en; sf-colours=dark"}
    english = first_html(served.url, **both)
    assert "<title>Robin &lt;3</title>" in english
    assert 'data-colours="dark"' in english
    assert "<span>Memories</span>" in english
    assert "Robin <3" not in english


def test_files_are_kept_for_good_and_the_manifest_needs_no_log_in(serve: Serve, auth: Path) -> None:
    """Nothing but the listed files is there; a phone can show the page's name and icon."""
    served = serve(samples=False, auth=auth)
    with httpx.Client(base_url=served.url) as http:
        for name in (
            "look/tokens.css",
            "shell/page.js",
            "look/fonts/literata-latin-wght-normal.woff2",
        ):
            answer = http.get(address(name))
            assert answer.content == static_files()[name]
            assert "immutable" in answer.headers["cache-control"]
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert http.get("/page/older/shell/page.js").headers["cache-control"] == "no-cache"
        for outside in ("/page/x/../shell.py", "/page/x/%2e%2e/shell.py", "/page/x//etc/passwd"):
            assert http.get(outside).status_code in (401, 404), outside
        manifest = http.get("/manifest.json", headers={"Accept-Language": "zh-CN"}).json()
        assert (manifest["name"], manifest["display"]) == ("硅友", "standalone")
        assert {it["purpose"] for it in manifest["icons"]} == {"any", "maskable"}
        for icon in manifest["icons"]:
            drawn = http.get(icon["src"]).content
            width, height = (int.from_bytes(drawn[at : at + 4]) for at in (16, 20))
            assert f"{width}x{height}" == icon["sizes"]
        assert http.get("/beginning/questions").status_code == 401
        assert http.get("/beginning/people").status_code == 401


LABELS_FIT = """
() => [...document.querySelectorAll('#sf-nav a span')].every((it) => {
    const [own, around] = [it.getBoundingClientRect(), it.parentElement.getBoundingClientRect()];
    return own.left >= around.left && own.right <= around.right && it.scrollWidth <= around.width;
})
"""
"""No name in the bar is wider than its place, also the bold one of the panel that is open."""


@pytest.mark.parametrize("language", ["en", "cn"])
def test_each_panel_has_an_address(serve: Serve, language: Language) -> None:
    """A link leads there, Back leads back and a reload stays; nothing is wider than a phone."""
    served = serve()
    page = served.talk_as("Maya", viewport=PHONE, locale=LOCALES[language])
    expect(page.locator("#message textarea")).to_be_in_viewport(ratio=1)
    for panel in PANELS:
        page.click(f"#sf-nav a[data-panel={panel}]")
        expect(page.locator(f"#panel-{panel}")).to_be_visible()
        assert page.url.endswith(f"#/{panel}")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], panel
        assert page.evaluate(f"document.querySelector('#panel-{panel}').scrollWidth <= 360"), panel
        assert page.evaluate(LABELS_FIT) is True, panel
    page.go_back()
    expect(page.locator("#panel-companions")).to_be_visible()
    expect(page.locator("#panel-chat")).to_be_hidden()
    page.reload()
    expect(page.locator("#panel-companions")).to_be_visible()
    expect(page.locator("#sf-nav a[aria-current=page]")).to_have_attribute(
        "data-panel", "companions"
    )
    expect(page.locator("#sf-who")).to_have_text("Maya")
    page.goto(f"{served.url}#/memories")
    expect(page.locator("#memories")).to_contain_text("three kilos and a lot of black hair")
    page.set_viewport_size(DESK)
    page.goto(f"{served.url}#/chat")
    expect(page.locator("#message textarea")).to_be_in_viewport(ratio=1)


def test_colours_and_language_are_kept(serve: Serve) -> None:
    """The switch turns day into night, and the next first paint is dark at once."""
    served = serve()
    page = served.visit(color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    by_day = page.evaluate(paper)
    page.click("#sf-colours")
    by_night = page.evaluate(paper)
    assert by_day != by_night
    switch_language(page)
    expect(page.get_by_role("heading", level=2)).to_contain_text("你是哪位")
    page.reload()
    expect(page.get_by_role("heading", level=2)).to_contain_text("你是哪位")
    assert page.evaluate(paper) == by_night
    assert page.title() == "硅友"


@pytest.mark.parametrize(
    ("language", "name", "questions"),
    [
        (
            "en",
            "Maya",
            [
                "What have I told you about Mum?",
                "What did I tell you on 29 June?",
                "What have I told you?",
            ],
        ),
        (
            "cn",
            "林晓",
            ["关于外婆，我跟你说过什么？", "7月1日发生了什么？", "我都跟你说过些什么？"],
        ),
    ],
    ids=["en", "cn"],
)
def test_one_could_ask_of_ones_own_memory(
    serve: Serve, language: Language, name: str, questions: list[str]
) -> None:
    """Three questions stand above the box; one press asks, and then they are gone."""
    served = serve()
    page = served.talk_as(name, locale=LOCALES[language])
    expect(page.locator(".sf-example")).to_have_text(questions)
    page.locator(".sf-example").nth(1).click()
    expect(page.locator("#chat .user").last).to_have_text(questions[1])
    expect(page.locator("#sf-examples")).to_be_hidden()
    stranger = served.talk_as("Ben", locale=LOCALES[language])
    expect(stranger.locator("#sf-examples")).to_be_hidden()


def voice_on(page: Page) -> None:
    """Switch both on, where it stands to whom the sound goes."""
    page.click("#voice-settings")
    expect(page.locator("#voice-dialog")).to_contain_text("Google")
    page.check("#voice-listen")
    page.check("#voice-read")
    page.keyboard.press("Escape")
    expect(page.locator("#voice-settings")).to_be_focused()


def test_voice_is_off_until_it_is_switched_on(serve: Serve) -> None:
    """Then what is spoken is written, and a reply read by a voice of the device, until stopped."""
    served = serve(chat=ScriptedChatModel(otherwise=lambda _: ["Well done. ", "It is *late*."]))
    page = served.visit(alone=True)
    page.add_init_script(FAKED_VOICE)
    page.reload()
    page.fill("#name", "Ada")
    page.click("#start")
    expect(page.locator("#voice-speak")).to_have_count(0)
    say(page, "Good evening.")
    bot(page, "Well done. It is")
    assert page.evaluate("window.spoken") == []
    voice_on(page)
    page.fill("#message textarea", "Today:")
    page.click("#voice-speak")
    expect(page.locator("#voice-speak")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.recognition.lang") == "en-US"
    page.evaluate("window.recognition.hear('I rowed')")
    page.evaluate("window.recognition.hear('I rowed', ' at dawn')")
    expect(page.locator("#message textarea")).to_have_value("Today: I rowed at dawn")
    page.press("#message textarea", "Enter")
    page.evaluate("window.recognition.hear('I rowed', ' at dawn', ' and slept')")
    expect(page.locator("#message textarea")).to_have_value("and slept")
    page.click("#voice-speak")
    assert page.evaluate("window.recognition") is None
    page.wait_for_function("window.spoken.length > 0")
    heard = page.evaluate("window.spoken.map((it) => [it.text.trim(), it.lang, it.voice.name])")
    assert heard == [["Well done. It is late.", "en-US", "near"]]
    page.click("#voice-hush")
    assert page.evaluate("window.cancelled")
    expect(page.locator("#voice-hush")).to_have_count(0)


def test_a_browser_without_voice_offers_none(serve: Serve) -> None:
    """Also in Chinese; and what it does offer is all that is shown."""
    served = serve()
    page = served.visit(alone=True, locale="zh-CN")
    page.add_init_script(
        "delete window.webkitSpeechRecognition; window.SpeechRecognition = undefined;"
        "window.webkitSpeechRecognition = undefined;"
        "Object.defineProperty(window, 'speechSynthesis', {value: undefined});"
    )
    page.reload()
    page.fill("#name", "Ada")
    page.click("#start")
    tab(page, "聊天")
    expect(page.locator("#message textarea")).to_be_visible()
    expect(page.locator("#voice-settings")).to_be_hidden()
