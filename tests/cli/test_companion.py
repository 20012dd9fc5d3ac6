"""`companion` and `companion lore`: whole transcripts, in both languages."""

import json
from pathlib import Path

from siliconfriend.characters.companions import CompanionFolder
from tests.cli.conftest import Run


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


def test_a_companion_from_its_beginning_to_its_end(run: Run, tmp_path: Path) -> None:
    """Created, changed, given a story, shown, written as a card that comes in again."""
    run(
        "companion", "create", "Wren", "--persona", "A ferry pilot.", "--greeting", "Ahoy {person}."
    )
    run("companion", "edit", "Wren", "--lang", "cn", "--called", "小鹪", "--share", "default")
    story = {"facts": [{"text": "Wren fears fog."}], "events": [{"text": "Wren ran aground."}]}
    file = tmp_path / "story.json"
    file.write_text(json.dumps(story), encoding="utf-8")
    assert run("companion", "import", str(file), "--name", "Wren", "--json").json["facts"] == 1
    shown = run("companion", "show", "Wren", "--json").json
    assert shown["languages"]["cn"] == {"called": "小鹪"}
    assert (shown["facts"], shown["events"], shown["shares"]) == (1, 1, ["default"])
    entries = run("companion", "lore", "Wren", "fog", "--json").json["entries"]
    assert [entry["text"] for entry in entries] == ["Wren fears fog."]
    assert run("companion", "lore", "Wren", "--kind", "event").out.count("Wren ran aground.") == 1
    again = run("companion", "import", str(file), "--name", "Wren")
    assert again.out == "Wren: 0 facts and 0 events added.\nAlready there: 2 entries.\n"
    assert "contains no name of a companion" in run("companion", "import", str(file)).err
    card = tmp_path / "wren.json"
    assert run("companion", "export", "Wren", "--out", str(card)).code == 0
    run("chat", "--user", "Ada", "--companion", "Wren", said="I grow quinces.\n")
    assert "Add --yes" in run("companion", "delete", "Wren").err
    done = run("companion", "delete", "Wren", "--yes")
    assert done.out == "Wren is deleted. What 1 person told it is kept.\n"
    assert run("users", "show", "Ada", "--companion", "Wren").code == 0
    back = run("companion", "import", str(card))
    assert back.out.splitlines()[-1] == "Talk to it with: siliconfriend chat --companion Wren"
    assert run("companion", "list").out.startswith("Wren (English")
    other = json.loads(card.read_text(encoding="utf-8"))
    other["data"]["name"] = "Wren / the pilot"
    card.write_text(json.dumps(other), encoding="utf-8")
    told = run("companion", "import", str(card))
    assert told.err == (
        'A companion cannot be called "Wren / the pilot", so it is "Wren the pilot" here; '
        "--name chooses another name.\n"
    )
    assert run("companion", "show", "Wren the pilot").code == 0
