"""Programs that people use, as processes of their own, with a real server behind them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from siliconfriend.testing import ScriptedChatModel
from tests.server.serving import Server

pytestmark = pytest.mark.slow

ADA, BO = "My dog is called Rex.", "我的猫叫豆包。"

LANGCHAIN = """
import sys
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

@tool
def clock() -> str:
    "The time."

for key, words in zip(sys.argv[2::2], sys.argv[3::2]):
    model = ChatOpenAI(base_url=sys.argv[1], api_key=key, model="default", temperature=0.2)
    asked = [("human", words)]
    asked += [model.invoke(asked), ("human", "What did I tell you?")]
    print("".join(chunk.content for chunk in model.bind_tools([clock]).stream(asked)))
"""
LANGCHAIN_FORM = """
import sys
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

class Trip(BaseModel):
    "Where somebody goes."
    city: str

model = ChatOpenAI(base_url=sys.argv[1], api_key=sys.argv[2], model="default")
print(model.with_structured_output(Trip, method="function_calling").invoke("I go to Porto."))
"""


def _run(*words: str, **environ: str) -> str:
    """Run a program and give what it prints."""
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OPENAI", "LLM", "LANG")) and not name.lower().endswith("proxy")
    }
    done = subprocess.run(
        words, env={**own, **environ}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_people_through_a_library(speaking: Server, model: ScriptedChatModel) -> None:
    """Each talks with their own key; both messages are kept once and with nobody else."""
    people = {"Ada": ADA, "小博": BO}
    talk = [f"{speaking.url}/v1"]
    for person, words in people.items():
        model.enqueue(f"Hello {person}.", ["That ", "it is so."])
        talk += [speaking.keys.make_for(person), words]
    assert _run(sys.executable, "-c", LANGCHAIN, *talk) == "That it is so.\n" * 2
    for person, words in people.items():
        assert speaking.said(person) == [
            (words, f"Hello {person}."),
            ("What did I tell you?", "That it is so."),
        ]


def test_langchain_gets_a_form_by_a_call(speaking: Server, model: ScriptedChatModel) -> None:
    """It demands the call of the one tool that it offers; nothing is remembered."""
    model.enqueue({"city": "Porto"})
    key = speaking.keys.make_for("Ada")
    printed = _run(sys.executable, "-c", LANGCHAIN_FORM, f"{speaking.url}/v1", key)
    assert printed == "city='Porto'\n"
    assert speaking.said() == []


def test_llm_talks_and_goes_on(speaking: Server, model: ScriptedChatModel, tmp_path: Path) -> None:
    """Set up as docs/clients.md says; ``-c`` goes on with the talk, which is kept once."""
    model.enqueue("I will remember.", "Rex.")
    (tmp_path / "extra-openai-models.yaml").write_text(
        f"- model_id: friend\n  model_name: default\n  api_base: {speaking.url}/v1\n"
        "  api_key_name: friend\n",
        "utf-8",
    )
    keys = {"friend": speaking.keys.make_for("Ada")}
    (tmp_path / "keys.json").write_text(json.dumps(keys), "utf-8")
    # Weights that the tests use come in a package that is half of a plugin.
    own = {"LLM_USER_PATH": str(tmp_path), "LLM_LOAD_PLUGINS": ""}
    llm = str(Path(sys.executable).with_name("llm"))
    assert _run(llm, "-m", "friend", ADA, **own) == "I will remember.\n"
    assert _run(llm, "-c", "What is my dog called?", **own) == "Rex.\n"
    assert speaking.said() == [(ADA, "I will remember."), ("What is my dog called?", "Rex.")]
