"""Local models: fetched whole or not at all, carried on after a cut, by Ollama where it runs."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from siliconfriend.config.presets import local_models
from siliconfriend.errors import ModelUnavailable
from siliconfriend.person import model_choices as choices
from siliconfriend.person.model_choices import (
    choice_settings,
    get_local_model,
    model_path,
    ollama_runs,
)
from tests.loopback import Answered, LoopbackServer, document


def _unheard(_done: int, _whole: int) -> None:
    """Progress that no test looks at."""


FILE = "GGUF" + "0123456789abcdef" * 65_536
DIGEST = hashlib.sha256(FILE.encode()).hexdigest()
MODEL = replace(local_models()[0], size=len(FILE), sha256=DIGEST)


@dataclass
class Hub:
    """A stand-in for the Hugging Face Hub with one file; cuts the line after ``breaks_after``."""

    breaks_after: int | None = None
    ranges: list[str] = field(default_factory=list)

    def answer(self, headers: Mapping[str, str]) -> Answered:
        """Answer a request for the file, or for a part of it."""
        asked = headers.get("Range", "bytes=0-")
        self.ranges.append(asked)
        rest = FILE[int(asked.removeprefix("bytes=").partition("-")[0]) :]
        length = {"Content-Length": str(len(rest)), "ETag": DIGEST, "X-Repo-Commit": "0" * 40}
        status = 200 if len(rest) == len(FILE) else 206
        return Answered(rest[: self.breaks_after], status, headers=length)


@pytest.fixture
def hub(loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """The hub of this test; the other tests may ask no hub at all."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda _seconds: None)
    monkeypatch.setattr(choices, "OLLAMA", "http://127.0.0.1:9")
    url, hub = loopback.url.removesuffix("/v1"), Hub()
    point_to(url, monkeypatch)
    loopback.pages[f"/{MODEL.repository}/resolve/{MODEL.revision}/{MODEL.file}"] = hub.answer
    return hub


def point_to(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the hub's client ask this address, as ``HF_ENDPOINT`` does at its import."""
    place = url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", url)
    monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", place)


def test_a_model_is_fetched_once_with_progress(tmp_path: Path, hub: Hub) -> None:
    """The second time the file is there and nobody is asked."""
    told: list[tuple[int, int]] = []
    choice = get_local_model(tmp_path, MODEL, lambda *now: told.append(now))
    path = model_path(tmp_path, MODEL)
    assert choice["llm"] == f"gguf:{path}"
    assert path.read_text() == FILE
    assert told[-1] == (len(FILE), len(FILE))
    asked = len(hub.ranges)
    get_local_model(tmp_path, MODEL, _unheard)
    assert len(hub.ranges) == asked
    assert [entry.name for entry in path.parent.iterdir() if entry.suffix] == [path.name]


def test_a_fetch_that_broke_off_goes_on_where_it_stopped(
    tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came is kept, at once and for another day, and only the rest is asked for."""
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 100_000)
    hub.breaks_after = 300_000

    def leave(done: int, _whole: int) -> None:
        if done >= 600_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get_local_model(tmp_path, MODEL, leave)
    get_local_model(tmp_path, MODEL, _unheard)
    assert model_path(tmp_path, MODEL).read_text() == FILE
    assert hub.ranges == [
        "bytes=0-",
        *(f"bytes={at}-" for at in range(300_000, 1_048_580, 300_000)),
    ]


@pytest.mark.parametrize(
    ("changed", "key"),
    [({"sha256": "0" * 64}, "fetch_wrong_sum"), ({"size": 10**18}, "fetch_no_room")],
)
@pytest.mark.usefixtures("hub")
def test_what_cannot_be_had_whole_is_not_kept(
    tmp_path: Path, changed: dict[str, Any], key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another sum than the published one, a full disk, a hub nobody can reach."""
    wrong = replace(MODEL, **changed)
    with pytest.raises(ModelUnavailable) as caught:
        get_local_model(tmp_path, wrong, _unheard)
    assert caught.value.key == key
    assert not model_path(tmp_path, wrong).exists()
    point_to("http://127.0.0.1:9", monkeypatch)
    with pytest.raises(ModelUnavailable) as caught:
        get_local_model(tmp_path, MODEL, _unheard)
    assert caught.value.key == "fetch_failed"


def test_ollama_fetches_where_it_runs(
    tmp_path: Path, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its progress is told, and the name it knows the model by is what a chat asks for."""
    lines = '{"status":"pulling","total":10,"completed":4}\n{"status":"success"}\n'
    loopback.pages["/api/version"] = document({"version": "0.9"})
    loopback.pages["/api/pull"] = Answered(lines, kind="application/x-ndjson")
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(choices, "OLLAMA", loopback.url.removesuffix("/v1"))
    assert ollama_runs()
    choice = get_local_model(tmp_path, local_models()[0], lambda *now: told.append(now))
    assert choice["model"] == "hf.co/unsloth/Qwen3.5-2B-GGUF:Q4_K_M"
    assert told == [(4, 10)]
    loopback.pages["/api/pull"] = Answered('{"error":"no space"}\n')
    with pytest.raises(ModelUnavailable, match="no space"):
        get_local_model(tmp_path, local_models()[0], _unheard)


def test_a_choice_takes_out_what_belonged_to_another_service() -> None:
    """Keys stay; each is sent to its own service alone."""
    assert choice_settings("deepseek", key="sk-1") == {
        "llm": "deepseek",
        "llm_address": None,
        "llm_key": None,
        "model": None,
        "context_tokens": None,
        "deepseek_api_key": "sk-1",
    }
