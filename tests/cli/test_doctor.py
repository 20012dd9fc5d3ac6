"""`doctor`: each part is checked, whatever the others are like."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.loopback import LoopbackServer, refused, streamed

PARTS = ["home", "store", "texts", "embedder", "index", "model"]


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
            "ok    embedder: none: memories are found by their words only",
            "ok    index: level with the memory of 1 person",
            "ok    model: none: replies come from memory alone, and nothing leaves this machine",
        ],
    )


def test_a_new_home_is_well_and_stays_unmade(run: Run, home: Path) -> None:
    """Looking makes nothing."""
    done = run("doctor", "--json").json
    assert done["ok"] is True
    assert [it["name"] for it in done["checks"]] == PARTS
    assert done["checks"][0]["detail"] == f"{home} will be made when something is kept"
    assert not home.exists()


def test_each_fault_is_a_line_with_what_to_do(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A wrong key, an embedder that cannot load, a home that is a file: all are told."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    loopback.answers([refused(401)])
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "sentence-transformers:/nowhere/at/all")
    done = run("--home", str(tmp_path / "file" / "x"), "doctor", "--json")
    assert done.code == 3
    assert done.json["ok"] is False
    told = {it["name"]: it for it in done.json["checks"]}
    assert [name for name in PARTS if not told[name]["ok"]] == [
        "home",
        "embedder",
        "index",
        "model",
    ]
    assert "OPENAI_API_KEY" in told["model"]["detail"]
    assert "SILICONFRIEND_EMBEDDING" in told["embedder"]["detail"]


def test_a_model_that_answers_is_named_with_its_address(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One short question without any of the person's words."""
    loopback.answers([streamed("Hello.")])
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("SILICONFRIEND_MODEL", "small")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    model = run("doctor", "--json").json["checks"][-1]
    assert model["ok"]
    assert "small" in model["detail"]
    (asked,) = loopback.asked
    assert [message["content"] for message in asked["messages"]] == ["Hello"]


def test_a_damaged_memory_is_a_fault_of_the_store(run: Run, bank: Path, home: Path) -> None:
    """Nothing is read as empty; exit code 4."""
    run("import", str(bank))
    for path in home.rglob("*"):
        if path.is_file() and path.suffix in (".json", ".jsonl"):
            path.write_bytes(b'{"half')
    done = run("doctor", "--json")
    assert done.code == 4
    assert {it["name"]: it["ok"] for it in done.json["checks"]}["store"] is False


def test_in_chinese(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole check in the language of the settings."""
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "cn")
    lines = run("doctor").out.splitlines()
    assert lines[2:4] == [
        "正常 文本: 两种语言的提示词齐全（程序自带）",
        "正常 向量模型: 没有使用：只按词查找记忆",
    ]
