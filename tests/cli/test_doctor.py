"""`doctor`: each part is checked, whatever the others are like."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

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
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "sentence-transformers:any")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
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
    assert lines[2:6] == [
        "正常 文本: 两种语言的提示词齐全（程序自带）",
        "正常 伙伴: 0 个伙伴，0 条事实，0 件事，全部完整",
        "正常 未完成: 没有做到一半的事",
        "正常 向量模型: 没有使用：只按词查找记忆",
    ]


def _companions(run: Run) -> tuple[int, bool, str]:
    done = run("doctor", "--json")
    (found,) = [it for it in done.json["checks"] if it["name"] == "companions"]
    return done.code, found["ok"], found["detail"]


def test_companions_are_counted_and_the_silent_named(run: Run) -> None:
    """A greeting that is missing in a language of its companion is no fault, but told."""
    run("companion", "create", "Pebble", "--sample")
    run("companion", "create", "Robin", "--persona", "A gardener.", "--greeting", "Hello.")
    told = "2 companions with 32 facts and 20 events, all read whole"
    assert _companions(run) == (0, True, told)
    run("companion", "edit", "Robin", "--lang", "cn", "--persona", "一个园丁。")
    run("companion", "create", "Wren")
    silent = "; without a greeting in each of its languages: Robin, Wren"
    assert _companions(run) == (0, True, told.replace("2", "3", 1) + silent)


@pytest.mark.parametrize(
    ("file", "held", "said"),
    [
        ("companion.toml", "name = ", "companion.toml cannot be read"),
        ("companion.toml", None, "companion.toml is missing"),
        ("companion.toml", 'name = "Wren"', "is Wren, not "),
        ("lore.json", '{"format"', "lore.json cannot be read"),
        ("lore.json", '{"format": "siliconfriend-lore", "version": 99}', "newer"),
    ],
)
def test_a_broken_companion_is_a_fault_with_its_file(
    run: Run, home: Path, file: str, held: str | None, said: str
) -> None:
    """Whichever file it is; the list still shows the others and says the same."""
    run("companion", "create", "Robin")
    run("companion", "lore", "add", "Robin", "Robin likes rain.")
    (folder,) = (home / "companions").iterdir()
    run("companion", "create", "Finch")
    if held is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text(held, encoding="utf-8")
    code, is_fine, detail = _companions(run)
    assert (code, is_fine) == (4, False)
    assert said in detail
    listed = run("companion", "list")
    assert listed.code == 4
    assert "Finch" in listed.out
    assert said in listed.err


def test_a_table_of_words_that_cannot_be_read_is_a_fault(run: Run, home: Path) -> None:
    """With the line that is wrong."""
    home.mkdir()
    (home / "associations.tsv").write_text("red\troses\n", encoding="utf-8")
    done = run("doctor", "--json")
    (index,) = [it for it in done.json["checks"] if it["name"] == "index"]
    assert (done.code, index["ok"]) == (3, False)
    assert "associations.tsv" in index["detail"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The prompt cn/day_summary.md names {dialog}, which does not exist here."),
        ("cn", "提示词 cn/day_summary.md 里写了 {dialog}，但这里没有这个变量。"),
    ],
)
def test_a_prompt_with_an_unknown_variable_is_a_fault(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, said: str
) -> None:
    """File, variable and the known ones are named, before a night fails over it."""
    own = tmp_path / "prompts" / "cn" / "day_summary.md"
    own.parent.mkdir(parents=True)
    monkeypatch.setenv("SILICONFRIEND_PROMPTS", str(tmp_path / "prompts"))
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", language)
    own.write_text('{person} {date}: {dialogue} {"json": 1}', encoding="utf-8")
    assert run("doctor", "--json").json["checks"][2]["ok"]
    own.write_text("{person}: {dialog}", encoding="utf-8")
    done = run("doctor", "--json")
    assert done.code == 3
    assert not done.json["checks"][2]["ok"]
    assert done.json["checks"][2]["detail"].startswith(said)
    for known in ("companion_name", "date", "dialogue", "person"):
        assert known in done.json["checks"][2]["detail"]


def test_a_newcomers_prompt_may_name_what_the_talks_may(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both are given the same values, so {memories} is no fault there."""
    own = tmp_path / "en" / "chat_newcomer.md"
    own.parent.mkdir(parents=True)
    own.write_text("{memories}{overall_history}", encoding="utf-8")
    monkeypatch.setenv("SILICONFRIEND_PROMPTS", str(tmp_path))
    assert run("doctor").code == 0


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
    assert done.code == 0
    first, less, small = done.out.splitlines()[-3:]
    assert first.startswith(f"ok    model: ollama:qwen3.5:9b at {loopback.url[:-3]} answers")
    assert first.endswith("; 4096 tokens of context")
    assert "context_tokens is 32768, but the server serves 4096" in less
    assert "OLLAMA_CONTEXT_LENGTH=16384" in small
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "cn")
    assert "上下文只有 4096 个 token" in run("doctor").out


def test_a_model_that_is_not_there_is_answered_with_those_that_are(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is mistyped or withdrawn is put right without looking it up elsewhere."""
    loopback.answers([refused(404)])
    loopback.pages = {"/v1/models": document({"data": [{"id": "tiny"}, {"id": "great"}]})}
    monkeypatch.setenv("SILICONFRIEND_LLM", "vllm")
    monkeypatch.setenv("SILICONFRIEND_LLM_ADDRESS", loopback.url)
    done = run("doctor")
    assert done.code == 5
    assert "no model called Qwen/Qwen3.5-9B" in done.out
    assert done.out.rstrip().endswith("It has: tiny, great.")


def test_a_model_that_will_be_withdrawn_says_when(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The day is the service's own word."""
    loopback.answers([streamed("Hello.")])
    about = {"id": "gpt-4o-mini", "shutdown_date": "2027-01-14"}
    loopback.pages = {"/v1/models": document({"data": [about]})}
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("SILICONFRIEND_MODEL", "gpt-4o-mini")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    assert "withdraws this model on 2027-01-14" in run("doctor").out


def test_the_second_model_is_tried_by_itself(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first one that is down is a fault although the second would answer for it."""
    loopback.answers([streamed("Hello.")])
    monkeypatch.setenv("SILICONFRIEND_LLM", "ollama")
    monkeypatch.setenv("SILICONFRIEND_LLM_ADDRESS", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("SILICONFRIEND_FALLBACK_LLM", "vllm")
    monkeypatch.setenv("SILICONFRIEND_FALLBACK_ADDRESS", loopback.url)
    done = run("doctor", "--json")
    assert done.code == 5
    first, second = done.json["checks"][-2:]
    assert (first["name"], first["ok"]) == ("model", False)
    assert (second["name"], second["ok"]) == ("second_model", True)
    assert "vllm:Qwen/Qwen3.5-9B" in second["detail"]
