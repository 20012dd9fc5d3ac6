"""The client against llama.cpp's real server with a real, very small model."""

from pathlib import Path

import pytest

from siliconfriend.errors import AnswerCut, ConfigurationError, ModelUnavailable
from siliconfriend.models.base import Message
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.models.openai_compatible import OpenAICompatible

ASKED = [Message("user", "Say hello in one short sentence.")]
SCHEMA = {
    "type": "object",
    "properties": {"mood": {"type": "string", "maxLength": 12}, "glad": {"type": "boolean"}},
    "required": ["mood", "glad"],
    "additionalProperties": False,
}


def _words(model: OpenAICompatible, messages: list[Message]) -> str:
    said = ""
    try:
        for piece in model.stream(messages):
            said += piece
    except AnswerCut:
        pass
    return said


def test_it_talks_and_repeats_itself(real_model: GGUFModel) -> None:
    """The same words get the same answer, in more than one piece."""
    first = _words(real_model, ASKED)
    assert len(first) > 3
    assert _words(real_model, ASKED) == first
    assert real_model.address.startswith("http://127.0.0.1:")
    assert real_model.name == "gguf:SmolLM2-135M-Instruct.Q4_1"


def test_json_fits_its_schema(real_model: GGUFModel) -> None:
    """A real server is constrained to the schema, and counts its tokens."""
    answer = real_model.complete([Message("user", "How do you feel? As JSON.")], SCHEMA)
    assert set(answer.data) == {"mood", "glad"}
    assert answer.input_tokens > 5
    assert answer.output_tokens > 5


def test_nobody_else_can_ask(real_model: GGUFModel) -> None:
    """The server on its loopback port hears only who has its key."""
    _words(real_model, ASKED)
    stranger = OpenAICompatible(
        "x", base_url=f"{real_model.address}/v1", api_key="guess", max_retries=0
    )
    with pytest.raises(ModelUnavailable, match="refused the key"):
        stranger.complete(ASKED)


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    """A missing file, another kind of file and a broken model each say so with the path."""
    missing = tmp_path / "none.gguf"
    with pytest.raises(ConfigurationError, match=r"none\.gguf cannot be opened"):
        GGUFModel(missing)
    for words in (b"PK\3\4 something else", b"GGUF" + bytes(100)):
        missing.write_bytes(words)
        with pytest.raises(ModelUnavailable, match=r"none\.gguf is not a model file"):
            GGUFModel(missing).complete(ASKED)


def test_without_the_extra_the_command_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the package is not installed, the error holds the command that installs it."""
    monkeypatch.setattr("siliconfriend.models.gguf.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"pip install 'siliconfriend\[gguf\]'"):
        GGUFModel(tmp_path / "any.gguf")
