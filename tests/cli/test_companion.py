"""`companion` and `companion lore`: whole transcripts, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from siliconfriend.lore.companion_files import CompanionFolder, lore_scope
from tests.cli.conftest import Run
from tests.loopback import LoopbackServer, streamed

WREN = lore_scope("Wren").digest


def test_a_companion_from_its_beginning_to_its_end(run: Run) -> None:
    """Every command once, to the letter, in English."""
    wanted = [
        (
            ("companion", "list"),
            "Pebble comes with the program: siliconfriend companion create Pebble --sample\n",
        ),
        (
            ("companion", "create", " Wren ", "--persona", "Patient.\nQuiet."),
            "Wren (English): 0 facts, 0 events\n"
            "Talk to it with: siliconfriend chat --companion Wren\n",
        ),
        (("companion", "lore", "list", "Wren"), "Wren has nothing like that.\n"),
        (
            ("companion", "lore", "add", "Wren", "Wren likes rain.", "--key-word", "rain"),
            f"2026-03-14  fact  fact-2026-03-14-0-{WREN}\n      Wren likes rain.\n",
        ),
        (
            (
                *("companion", "lore", "add", "Wren", "The first seedling came up."),
                *("--kind", "event", "--time", "2025-04-02T07:30", "--place", "greenhouse"),
                *("--key-word", "seedling", "--key-word", "spring", "--lang", "en"),
            ),
            f"2025-04-02  event  event-2025-04-02-0-{WREN}\n      The first seedling came up.\n",
        ),
        (
            ("companion", "lore", "search", "Wren", "seedling"),
            f"2025-04-02  event  event-2025-04-02-0-{WREN}\n      The first seedling came up.\n",
        ),
        (
            ("companion", "lore", "show", "Wren", f"event-2025-04-02-0-{WREN}"),
            f"2025-04-02  event  event-2025-04-02-0-{WREN}\n"
            "      The first seedling came up.\n"
            "      when: 2025-04-02T07:30:00+00:00\n"
            "      where: greenhouse\n"
            "      found by: seedling, spring\n"
            "      only in: English\n",
        ),
        (
            (
                *("companion", "lore", "edit", "Wren", f"fact-2026-03-14-0-{WREN}"),
                *("--text", "Wren likes drizzle.", "--aspect", "relation"),
            ),
            f"2026-03-14  fact  fact-2026-03-14-0-{WREN}\n      Wren likes drizzle.\n",
        ),
        (
            ("companion", "lore", "show", "Wren", f"fact-2026-03-14-0-{WREN}"),
            f"2026-03-14  fact  fact-2026-03-14-0-{WREN}\n"
            "      Wren likes drizzle.\n"
            "      about: Wren\n"
            "      which is: the companion\n"
            "      tells: how two are to each other\n"
            "      found by: rain\n",
        ),
        (
            ("companion", "edit", "Wren", "--greeting", "Hello {person}.", "--share", "Fern"),
            "Wren is changed.\nWren may now recall what a person told Fern too.\n",
        ),
        (
            ("companion", "show", "Wren"),
            "Wren (English): 1 fact, 1 event; also recalls what people told Fern\n"
            "\n"
            "English\n"
            "  Persona\n"
            "      Patient.\n"
            "      Quiet.\n"
            "  Greeting\n"
            "      Hello {person}.\n",
        ),
        (
            ("companion", "lore", "delete", "Wren", f"fact-2026-03-14-0-{WREN}", "--yes"),
            f"fact-2026-03-14-0-{WREN} is removed.\n",
        ),
        (("companion", "delete", "Wren", "--yes"), "Wren is removed.\n"),
    ]
    for words, out in wanted:
        done = run(*words)
        assert (done.code, done.out, done.err) == (0, out, ""), words


def test_the_same_in_chinese(run: Run, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Every sentence a command says; the language of the program is the one of the texts."""
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "zh")
    digest = lore_scope("小鹿").digest
    wanted = [
        (
            ("companion", "create", "小鹿", "--persona", "安静。"),
            "小鹿（中文）：0 条事实，0 件事\n和它聊天：siliconfriend chat --companion 小鹿\n",
        ),
        (("companion", "lore", "list", "小鹿"), "小鹿 没有这样的内容。\n"),
        (
            (
                *("companion", "lore", "add", "小鹿", "小鹿喜欢秋天的银杏。"),
                *("--key-word", "银杏", "--lang", "cn"),
            ),
            f"2026-03-14  事实  fact-2026-03-14-0-{digest}\n      小鹿喜欢秋天的银杏。\n",
        ),
        (
            ("companion", "lore", "show", "小鹿", f"fact-2026-03-14-0-{digest}"),
            f"2026-03-14  事实  fact-2026-03-14-0-{digest}\n"
            "      小鹿喜欢秋天的银杏。\n"
            "      说的是：小鹿\n"
            "      属于：伙伴自己\n"
            "      方面：是什么样\n"
            "      关键词：银杏\n"
            "      只用于：中文\n",
        ),
        (
            (
                *("companion", "edit", "小鹿", "--called", "鹿", "--speaking-style", "慢慢说。"),
                *("--share", "小石", "--greeting", "{person}，来啦。"),
            ),
            "小鹿 已经改好。\n从现在起，小鹿 也可以想起人们对 小石 说过的话。\n",
        ),
        (
            ("companion", "show", "小鹿"),
            "小鹿（中文）：1 条事实，0 件事；也会想起人们对 小石 说过的话\n"
            "\n"
            "中文\n"
            "  自称\n      鹿\n"
            "  性格\n      安静。\n"
            "  说话方式\n      慢慢说。\n"
            "  问候\n      {person}，来啦。\n",
        ),
        (
            ("companion", "lore", "delete", "小鹿", f"fact-2026-03-14-0-{digest}", "--yes"),
            f"fact-2026-03-14-0-{digest} 已经删除。\n",
        ),
        (("companion", "delete", "小鹿", "--yes"), "小鹿 已经删除。\n"),
        (
            ("companion", "list"),
            "程序自带 Pebble：siliconfriend companion create Pebble --sample\n",
        ),
    ]
    for words, out in wanted:
        done = run(*words)
        assert (done.code, done.out, done.err) == (0, out, ""), words
    assert not (home / "companions").exists()


def test_the_sample_and_json(run: Run) -> None:
    """`--json` is one document with every field; the sample is listed until it is there."""
    nobody = run("companion", "list", "--json").json
    assert nobody == {"companions": [], "samples": ["Pebble"]}
    made = run("companion", "create", "Pebble", "--sample", "--json").json
    assert (made["name"], made["facts"], made["events"], made["shares"]) == ("Pebble", 32, 20, [])
    assert {it: made["languages"][it]["called"] for it in ("en", "cn")} == {
        "en": "Pebble",
        "cn": "小石",
    }
    assert run("companion", "list", "--json").json == {"companions": [made], "samples": []}
    assert run("companion", "show", "Pebble", "--json").json == made
    entries = run("companion", "lore", "list", "Pebble", "--kind", "event", "--json").json
    assert entries["companion"] == "Pebble"
    assert len(entries["entries"]) == 20
    assert entries["entries"][0] == {
        "id": f"event-2018-10-09-0-{lore_scope('Pebble').digest}",
        "kind": "event",
        "date": "2018-10-09",
        "text": entries["entries"][0]["text"],
        "time": "2018-10-09T21:40:00+00:00",
        "place": "the library of Alder Mill",
        "scene": "",
        "key_words": ["first night", "boy", "books"],
        "insight": "It found that a question is a better answer than a guess.",
        "language": "en",
    }
    found = run("companion", "lore", "search", "Pebble", "glasses", "--json").json["entries"]
    assert [it["entity"] for it in found] == ["Ruth"]
    called = run("companion", "create", "Wren", "--sample", "--json").json
    assert called["languages"]["cn"]["called"] == "Wren"


def test_an_edit_to_another_day_moves_the_event(run: Run) -> None:
    """Its id tells its day, so it gets a new one; the old one is gone, and a field can be emptied."""
    run("companion", "create", "Wren")
    event = ("companion", "lore", "add", "Wren", "A storm.", "--kind", "event", "--json")
    (added,) = run(*event, "--time", "2025-04-02", "--place", "here").json["entries"]
    edit = ("companion", "lore", "edit", "Wren", added["id"])
    (moved,) = run(*edit, "--time", "2025-04-03", "--place", "", "--json").json["entries"]
    assert (moved["date"], moved["place"], moved["text"]) == ("2025-04-03", "", "A storm.")
    assert moved["id"] == f"event-2025-04-03-0-{WREN}"
    listed = run("companion", "lore", "list", "Wren", "--json").json["entries"]
    assert listed == [moved]
    assert run(*edit, "--text", "Again.").code == 2


def test_the_same_words_are_added_once(run: Run) -> None:
    """The second time says so, and answers with no entry."""
    run("companion", "create", "Wren")
    add = ("companion", "lore", "add", "Wren", "Wren likes rain.")
    run(*add)
    done = run(*add)
    assert (done.code, done.out) == (0, "")
    assert done.err == "Wren has that in the same words already; nothing was added.\n"


def test_a_file_is_imported_once(run: Run, tmp_path: Path) -> None:
    """A new name creates the companion; again, everything is known; without a name, exit 2."""
    file = tmp_path / "lore.json"
    entities = [{"entity_name": "贝壳", "entity_type": "具体实体", "description": "贝壳会发光。"}]
    file.write_text(json.dumps({"memory_entities": entities}), encoding="utf-8")
    done = run("companion", "import", str(file), "--name", "Wren")
    assert (done.code, done.out) == (0, "Wren: 1 fact and 0 events added.\n")
    again = run("companion", "import", str(file), "--name", "Wren")
    assert again.out == "Wren: 0 facts and 0 events added.\nAlready there: 1 entry.\n"
    assert run("companion", "import", str(file), "--name", "Wren", "--json").json == {
        "companion": "Wren",
        "created": False,
        "facts": 0,
        "events": 0,
        "known": 1,
        "greetings": 0,
        "card": False,
        "picture": False,
        "unused": [],
    }
    nameless = run("companion", "import", str(file))
    assert (nameless.code, nameless.out) == (2, "")
    assert "names no companion" in nameless.err


def test_deleting_asks_and_says_what_stays(run: Run) -> None:
    """From a script --yes is needed; what a person told it is still remembered afterwards."""
    run("companion", "create", "Wren")
    run("chat", "--user", "Ada", "--companion", "Wren", said="I grow quinces.\n")
    refused = run("companion", "delete", "Wren")
    assert (refused.code, refused.out) == (2, "")
    assert "Add --yes" in refused.err
    assert run("companion", "show", "Wren").code == 0
    done = run("companion", "delete", "Wren", "--yes")
    assert done.out == (
        "Wren is removed.\n"
        "What was told to it is untouched: the memory of 1 person. "
        "`siliconfriend users delete PERSON --companion Wren` erases that.\n"
    )
    recalled = run("recall", "--user", "Ada", "--companion", "Wren", "quinces", "--json").json
    assert recalled["memories"][0]["text"].startswith("I grow quinces.")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("show", "Fern"), 2, "There is no companion called Fern."),
        (("delete", "Fern", "--yes"), 2, "There is no companion called Fern."),
        (("create", "a/b"), 2, "slashes"),
        (("create", "Wren"), 2, "There is a companion called Wren already"),
        (("create", "Fern", "--persona", "a" * 32_001), 2, "the longest it can be is 32000"),
        (("edit", "Wren"), 2, "nothing was given to change"),
        (("edit", "Wren", "--share", "Wren"), 2, "cannot share with itself"),
        (("import", "none.json", "--name", "Wren"), 2, "cannot be opened"),
        (("lore", "show", "Wren", "fact-1"), 2, "has no entry 'fact-1'"),
        (("lore", "delete", "Wren", "fact-1", "--yes"), 2, "has no entry 'fact-1'"),
        (("lore", "add", "Wren", "  "), 2, "An entry needs words."),
        (("lore", "add", "Wren", "It.", "--place", "here"), 2, "--place does not belong"),
        (
            ("lore", "add", "Wren", "It.", "--kind", "event", "--type", "general"),
            2,
            "--type does not belong",
        ),
        (("lore", "add", "Wren", "It.", "--kind", "event", "--time", "soon"), 2, "is no moment"),
        (("lore", "list", "Fern"), 2, "There is no companion called Fern."),
    ],
)
def test_what_is_wrong_is_one_sentence(
    run: Run, words: tuple[str, ...], code: int, sentence: str
) -> None:
    """On standard error, with the exit code of its kind; nothing is changed."""
    run("companion", "create", "Wren")
    before = run("companion", "list", "--json").json
    done = run("companion", *words)
    assert (done.code, done.out) == (code, "")
    assert sentence in done.err
    assert run("companion", "list", "--json").json == before


def test_a_damaged_companion_is_told_and_the_others_are_listed(run: Run, home: Path) -> None:
    """Exit 4; showing it names the file; deleting it still works."""
    run("companion", "create", "Wren")
    run("companion", "create", "Fern")
    CompanionFolder(home, "Wren").character.write_text("name =", encoding="utf-8")
    listed = run("companion", "list")
    assert listed.code == 4
    assert listed.out.startswith("Fern (no texts yet): 0 facts, 0 events\n")
    assert "companion.toml cannot be read" in listed.err
    shown = run("companion", "show", "Wren")
    assert shown.code == 4
    assert "companion.toml cannot be read" in shown.err
    assert run("companion", "delete", "Wren", "--yes").code == 0
    assert run("companion", "list").code == 0


def test_a_talk_has_the_companion_s_name_and_character(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is told persona and style in the person's language, and the lore that bears on it."""
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("SILICONFRIEND_MODEL", "small")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    loopback.answers([streamed("连输了十一盘。")])
    run("companion", "create", "Pebble", "--sample")
    done = run(
        *("chat", "--user", "小明", "--companion", "Pebble", "--lang", "cn"),
        said="你下棋输过吗？\n",
    )
    assert done.code == 0
    label, *talk = done.out.splitlines()
    assert "小石" in label
    assert talk == ["小明: 你下棋输过吗？", "小石: 连输了十一盘。"]
    told = json.dumps(loopback.asked[0], ensure_ascii=False, default=str)
    assert "它最早是一座小镇图书馆的夜间咨询台" in told
    assert "句子短，用家常话" in told
    assert "连输十一盘，还要下第十二盘" in told
    assert "library" not in told


def test_nothing_of_a_person_reaches_the_lore_nor_the_other_way_round(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """After a talk that used it, a night, an erasing and a deletion the companion is as it was.

    No file of the person holds an entry's words or id, and the search after the deletion
    looked into the companion's files too.
    """
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    loopback.answers([streamed("Eleven times.")])
    run("companion", "create", "Pebble", "--sample")
    folder = CompanionFolder(home, "Pebble")
    before = (folder.character.read_bytes(), folder.lore.read_bytes())
    ada = ("--user", "Ada", "--companion", "Pebble")
    assert run("chat", *ada, said="Did you ever lose at chess?\n").code == 0
    assert "eleven games of chess" in json.dumps(loopback.asked[0], default=str)
    monkeypatch.setenv("SILICONFRIEND_LLM", "offline")
    assert run("nightly", now="2026-03-16T09:00").code == 0
    people = [path.read_bytes() for path in (home / "people").rglob("*") if path.is_file()]
    assert any(b"lose at chess" in content for content in people)
    for word in (b"eleven games", lore_scope("Pebble").digest.encode()):
        assert not any(word in content for content in people)
    done = run("users", "delete", "Ada", "--yes", "--json")
    assert (done.code, done.json["left"]) == (0, 0)
    assert done.json["searched"] >= 2
    assert (folder.character.read_bytes(), folder.lore.read_bytes()) == before


def test_sharing_goes_one_way_and_only_while_it_is_said(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unasked neither is told what the other heard; then one is, and not the other; then none."""
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")

    def told(companion: str, said: str) -> str:
        loopback.answers([streamed("Yes.")])
        done = run("chat", "--user", "Ada", "--companion", companion, said=f"{said}\n")
        assert done.code == 0
        return json.dumps(loopback.asked[-1], default=str)

    for name, said in (("Wren", "I grow quinces."), ("Fern", "I repair clocks.")):
        run("companion", "create", name)
        told(name, said)
    assert "quinces." not in told("Fern", "Which quinces do I grow?")
    run("companion", "edit", "Fern", "--share", "Wren")
    assert "I grow quinces." in told("Fern", "Which quinces do I grow?")
    assert "I repair clocks." not in told("Wren", "Which clocks do I repair?")
    run("companion", "edit", "Fern", "--unshare", "Wren")
    assert "I grow quinces." not in told("Fern", "Which quinces do I grow?")
