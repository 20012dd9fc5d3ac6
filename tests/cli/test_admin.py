"""`backup`, `restore`, `migrate` and `doctor`, and what a stopped command leaves, as a script runs them."""

import sys
from pathlib import Path

import pytest

from siliconfriend.control.erasure import erase
from siliconfriend.extraction.ability import EDITION
from siliconfriend.installation.installation import installation_in
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.cli.conftest import Run
from tests.loopback import LoopbackServer, document, refused, streamed

PARTS = ["home", "store", "texts", "companions", "jobs", "embedder", "index", "model"]


def test_all_is_well_offline(run: Run, bank: Path, home: Path) -> None:
    """A line each; words only and no model are fine when they are what was asked for."""
    run("import", str(bank))
    done = run("doctor")
    assert (done.code, done.out.splitlines()) == (
        0,
        [
            f"ok    data directory: {home} can be written",
            "ok    store: 1 person with 3 turns, all read whole",
            "ok    texts: prompts complete in both languages (those of the program)",
            "ok    companions: 0 companions with 0 facts and 0 events, all read whole",
            "ok    unfinished: nothing is left half-done",
            "ok    embedder: none: memories are found by their words only",
            "ok    index: level with the memory of 1 person",
            "ok    model: none: replies come from memory alone, and nothing leaves this machine",
        ],
    )


def test_each_fault_is_a_line_with_what_to_do(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A wrong key, an embedder that cannot load, a home that is a file: all are told."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    loopback.answers([refused(401)])
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "sentence-transformers:any")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    done = run("--home", str(tmp_path / "file" / "x"), "doctor", "--json")
    assert done.code == 3
    assert done.json["ok"] is False
    told = {check["name"]: check for check in done.json["checks"]}
    assert [name for name in PARTS if not told[name]["ok"]] == [
        "home",
        "embedder",
        "index",
        "model",
    ]
    assert "OPENAI_API_KEY" in told["model"]["detail"]
    assert "SILICONFRIEND_EMBEDDING" in told["embedder"]["detail"]


def test_the_second_model_is_not_blamed_for_the_first(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file that is missing is the first's fault alone."""
    loopback.answers([streamed("Hello.")])
    monkeypatch.setenv("SILICONFRIEND_LLM", f"gguf:{tmp_path / 'none.gguf'}")
    monkeypatch.setenv("SILICONFRIEND_FALLBACK_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-right")
    told = {check["name"]: check["ok"] for check in run("doctor", "--json").json["checks"]}
    assert (told["model"], told["second_model"]) == (False, True)


def test_a_small_context_is_said_with_what_to_do(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ollama serves 4,096 tokens on a small machine; it is no fault, and it is said."""
    loopback.answers([streamed("Hello.")])
    loopback.pages = {
        "/api/ps": document({"models": [{"name": "qwen3.5:9b", "context_length": 4096}]})
    }
    monkeypatch.setenv("SILICONFRIEND_LLM", "ollama")
    monkeypatch.setenv("SILICONFRIEND_LLM_ADDRESS", loopback.url)
    monkeypatch.setenv("SILICONFRIEND_CONTEXT_TOKENS", "32768")
    done = run("doctor")
    first, less, _, more = done.out.splitlines()[-4:]
    assert first.startswith(f"ok    model: ollama:qwen3.5:9b at {loopback.url[:-3]} answers")
    assert "context_tokens is 32768, but the server serves 4096" in less
    assert "OLLAMA_CONTEXT_LENGTH=16384" in more


def test_a_damaged_memory_is_refused_then_repaired(run: Run, bank: Path, home: Path) -> None:
    """Refused with the remedy; whole again from its second copy; a second repair finds nothing."""
    run("import", str(bank))
    (folder,) = (home / "people").iterdir()
    (folder / "memory.sqlite").write_bytes(b"\0" * 9000)
    refused = run("memories", "list", "--user", "Ada")
    assert refused.code == 4
    assert "doctor --repair" in refused.err
    done = run("doctor", "--repair", "--json")
    assert done.code == 0
    (repaired,) = done.json["repaired"]
    assert (repaired["user"], repaired["turns"]) == ("Ada", 3)
    assert len(run("memories", "list", "--user", "Ada", "--json").json["memories"]) == 3
    assert run("doctor", "--repair").out.splitlines()[0] == "No memory is damaged."


def test_what_cannot_be_repaired_is_named_with_its_backups(
    run: Run, bank: Path, home: Path
) -> None:
    """Somewhere else the memory can be looked at."""
    run("import", str(bank))
    run("backup", str(home / "all.zip"))
    (folder,) = (home / "people").iterdir()
    for path in folder.glob("memory*"):
        path.write_bytes(b"{")
    done = run("doctor", "--repair")
    assert done.code == 4
    assert str(home / "all.zip") in done.out
    restored = run("--home", str(home / "beside"), "restore", str(home / "all.zip"))
    assert restored.code == 0


def test_a_model_that_may_not_write_at_night_is_said(
    run: Run, home: Path, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it was measured; before that nothing is known of it."""
    loopback.answers([streamed("Hello.")] * 2)
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-right")
    monkeypatch.setenv("SILICONFRIEND_MODEL", "tiny")
    assert "too few" not in run("doctor").out
    home.mkdir(exist_ok=True)
    with installation_in(home).tables.write() as transaction:
        row = ("openai:tiny", "en", EDITION, "9999-12-31", 4)
        transaction.execute("INSERT INTO ability VALUES (?, ?, ?, ?, ?)", row)
    assert "it answered too few of ten questions" in run("doctor").out


def test_there_and_back(run: Run, bank: Path, tmp_path: Path) -> None:
    """What was backed up is there again after it was erased; not unasked over what is there."""
    run("import", str(bank))
    run("config", "set", "openai_api_key", "sk-1")
    file = tmp_path / "all.zip"
    done = run("backup", str(file))
    assert (done.code, done.out.startswith("Wrote the memory of 1 person (")) == (0, True)
    assert "does not contain the keys of services" in done.err
    assert " is intact: " in run("backup", str(file), "--verify").out
    assert run("backup", str(bank), "--verify").code == 2
    refused = run("restore", str(file), "--json")
    assert (refused.code, refused.out, "--yes" in refused.err) == (2, "", True)
    before = run("export").json
    run("users", "delete", "Ada", "--yes")
    done = run("restore", str(file), "--yes")
    assert done.out.startswith("Restored the memory of 1 person, as it was on 2026-03-14")
    assert run("export").json == before
    made = run("backup", str(file), "--json").json
    assert made.keys() == {"file", "memories", "files", "damaged", "missing"}
    done = run("--home", str(tmp_path / "new"), "restore", str(file), "--json")
    assert (done.code, done.json["memories"], done.json["files"]) == (0, 1, made["files"])


ADA = Scope.of("Ada")


def _said(home: Path) -> list[str]:
    return [turn.query for turn in FileStore(home).load(ADA).turns()]


def test_everybody_moves_and_the_rest_is_said(
    run: Run, bank: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each record is counted, what stays is named, and the setting is not touched unasked."""
    run("import", str(bank))
    run("import", str(bank), "--companion", "Robin")
    there = home.with_name("there")
    monkeypatch.chdir(home.parent)
    done = run("migrate", "--to", "./there")
    assert (done.code, ", each compared." in done.out) == (0, True)
    assert done.out.startswith(f"Moved the memory of 1 person to {there}: ")
    assert ("Nothing in" in done.err, f"--home {there}" in done.err) == (True, True)
    assert run("--home", str(there), "export").json == run("export").json
    assert not (there / "config.toml").exists()
    again = run("migrate", "--to", f"file://{there}", "--json").json
    assert again["moved"][0].keys() == {"user", "companion", "records", "sha256", "moved_before"}
    assert ([row["moved_before"] for row in again["moved"]], again["failed"]) == ([True] * 2, [])


def test_words_that_go_against_each_other(run: Run, bank: Path, home: Path) -> None:
    """No place, its own place, no data directory."""
    run("import", str(bank))
    assert run("migrate").code == 2
    assert run("migrate", "--to", "file").code == 2
    assert "already" in run("migrate", "--to", str(home)).err
    assert run("--home", str(home.with_name("none")), "migrate", "--to", str(home)).code == 3


def test_nobody_is_told_to_switch_to_a_place_where_somebody_is_missing(
    run: Run, bank: Path, home: Path
) -> None:
    """Another memory of the same person is there: nothing moved, and nothing says that it had."""
    run("import", str(bank))
    there = home.with_name("there")
    run("--home", str(there), "chat", "--user", "Ada", said="I am another.\n")
    done = run("migrate", "--to", str(there))
    assert done.code == 4
    assert "Not moved: 1 person, who stay in " in done.err
    assert "To use the new place" not in done.err
    assert _said(there) == ["I am another."]


DELETE = ("users", "delete", "Ada", "--yes")


def _stopped(run: Run, home: Path, *words: str) -> None:
    """Run a command that a failing disk stops behind the loss of the memory."""

    def failing(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(erase, "replace_backups", failing)
        assert run(*words).code == 4
    assert installation_in(home).jobs.unfinished()


def test_the_same_command_finishes_an_erasing(run: Run, bank: Path, home: Path) -> None:
    """It ends with its proof, never with "no such memory"; so does a deletion."""
    run("import", str(bank))
    rows = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    words = ("memories", "erase", rows[0]["id"], "--yes", "--user", "Ada")
    _stopped(run, home, *words)
    done = run(*words, "--json")
    assert (done.code, done.json["left"], done.json["erased"]) == (0, 0, [words[2]])
    assert "An interrupted erasure for Ada is now finished: 0 left." in done.err
    assert run(*words).code == 2
    _stopped(run, home, *DELETE)
    done = run(*DELETE, "--json")
    assert (done.code, done.json["left"]) == (0, 0)
    assert run(*DELETE).code == 2
