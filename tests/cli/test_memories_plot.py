"""`memories plot`: the picture is drawn, in the person's language, and what is missing is told."""

from __future__ import annotations

import math
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from siliconfriend.control.curves import life_curve, most_recalled
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.recall.recaller import Recaller
from tests.cli.conftest import Run
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put

pytest.importorskip("matplotlib", reason="NOT TESTED: pip install 'siliconfriend[plot]'")


def test_a_picture_of_the_most_recalled(run: Run, bank: Path, tmp_path: Path) -> None:
    """A PNG of some size, and a word of where it is on standard error."""
    run("import", str(bank))
    run("recall", "--user", "Ada", "When did Biscuit come home?", "--reinforce")
    out = tmp_path / "ada.png"
    done = run("memories", "plot", "--user", "Ada", "--out", str(out))
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Drew 3 memories to {out}.\n"
    assert out.read_bytes().startswith(b"\x89PNG")
    assert out.stat().st_size > 10_000


def test_the_picture_speaks_the_persons_language(run: Run, bank: Path, tmp_path: Path) -> None:
    """As text in an SVG: Chinese where a font has it, else English and a notice."""
    run("import", str(bank), "--lang", "cn")
    out = tmp_path / "ada.svg"
    done = run("memories", "plot", "--user", "Ada", "--out", str(out))
    assert done.code == 0
    assert out.read_text(encoding="utf-8").startswith("<?xml")
    assert "glyph" not in done.err.lower()


def test_without_a_font_the_labels_are_english_and_it_is_told(
    run: Run, bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No boxes instead of characters: ids and English words."""
    monkeypatch.setattr("matplotlib.font_manager.get_font_names", list)
    run("import", str(bank), "--lang", "cn")
    done = run("memories", "plot", "--user", "Ada", "--out", str(tmp_path / "ada.png"))
    assert done.code == 0
    assert "No installed font has Chinese characters" in done.err


def test_chosen_memories_and_faults(
    run: Run, bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By id; a wrong id is 2, a wrong ending, place or a missing package 3."""
    run("import", str(bank))
    identifier = run("memories", "list", "--user", "Ada", "--json").json["memories"][0]["id"]
    words = ("memories", "plot", "--user", "Ada", "--out")
    assert "Drew 1 memory" in run(*words, str(tmp_path / "one.png"), identifier).err
    assert run(*words, str(tmp_path / "one.png"), "turn-2020-01-01-0-00000000").code == 2
    assert run(*words, str(tmp_path / "one.gif")).code == 3
    assert run(*words, str(tmp_path / "none" / "one.png")).code == 3
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run(*words, str(tmp_path / "two.png"))
    assert done.code == 3
    assert "pip install 'siliconfriend[plot]'" in done.err


def test_a_curve_falls_rises_at_a_recall_and_then_falls_more_slowly() -> None:
    """Under `paper`, R = e^(-t/S): e^-2 before the recall on day 2, then e^(-1/2) a day on."""
    store = InMemoryStore()
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn()), PutTurn(a_turn(position=1)))
    said = a_turn()
    policy = ForgettingPolicy.named("paper")
    recalled = datetime(2026, 3, 3, 12, tzinfo=UTC)
    Recaller(store, None, policy=policy).reinforce(NORA, [said.id], now=recalled)
    memory = store.load(NORA)
    record = memory.find(said.id)
    assert record is not None
    curve = life_curve(record, memory, policy, recalled + timedelta(days=1))
    values = dict(curve.points)
    assert curve.recalls == (recalled,)
    assert values[said.trace.created] == 1
    assert values[recalled - timedelta(seconds=1)] == pytest.approx(math.exp(-2), rel=1e-3)
    assert values[recalled] == 1
    assert curve.points[-1][1] == pytest.approx(math.exp(-1 / 2))
    assert [it.id for it in most_recalled(memory, 1)] == [said.id]
