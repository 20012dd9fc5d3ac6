"""Talk through client libraries as their users write it, with a real server behind them.

Run by hand, where the libraries are installed: ``python -m tests.long.real_clients``. It prints for
each of openai, LangChain, pydantic-ai and instructor (their default modes) whether a talk is
remembered and a structured answer comes, and ends with 1 if one fails. What is not installed is named.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from pydantic import BaseModel

from siliconfriend.config import load_settings
from siliconfriend.models.base import Message
from siliconfriend.person.bank import MemoryBank
from siliconfriend.testing import ScriptedChatModel
from tests.server.serving import serving


class Dog(BaseModel):
    """A dog of the person."""

    name: str
    age: int


REX = Dog(name="Rex", age=3)
TOLD, ASKED = "My dog is called Rex, and he is three.", "Describe my dog: Rex, three years old."


def by_openai(url: str, key: str) -> object:
    """Talk once, then demand a schema."""
    import openai

    client = openai.OpenAI(base_url=url, api_key=key)
    client.chat.completions.create(model="default", messages=[{"role": "user", "content": TOLD}])
    answer = client.chat.completions.parse(
        model="default", messages=[{"role": "user", "content": ASKED}], response_format=Dog
    )
    return answer.choices[0].message.parsed


def by_langchain(url: str, key: str) -> object:
    """Talk once, then ask with a forced tool."""
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(base_url=url, api_key=key, model="default")  # type: ignore[arg-type]
    model.invoke(TOLD)
    return model.with_structured_output(Dog, method="function_calling").invoke(ASKED)


def by_pydantic_ai(url: str, key: str) -> object:
    """Talk once, then ask in the default mode, which forces a tool."""
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel("default", provider=OpenAIProvider(base_url=url, api_key=key))
    Agent(model).run_sync(TOLD)
    return Agent(model, output_type=Dog).run_sync(ASKED).output


def by_instructor(url: str, key: str) -> object:
    """Talk once, then ask in the default mode, which forces a tool."""
    import instructor
    import openai

    client = openai.OpenAI(base_url=url, api_key=key)
    client.chat.completions.create(model="default", messages=[{"role": "user", "content": TOLD}])
    return instructor.from_openai(client).chat.completions.create(
        model="default", messages=[{"role": "user", "content": ASKED}], response_model=Dog
    )


CLIENTS: dict[str, Callable[[str, str], object]] = {
    "openai": by_openai,
    "langchain_openai": by_langchain,
    "pydantic_ai": by_pydantic_ai,
    "instructor": by_instructor,
}


def answer(messages: Sequence[Message]) -> str:
    """Answer a demanded form with the dog, everything else with words."""
    return REX.model_dump_json() if messages[-1].content.endswith(ASKED) else "How nice."


def main() -> int:
    """Try each library with a person of its own."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(home=Path(folder), environ={}, embedding="none")
        bank = MemoryBank(settings=settings, chat=ScriptedChatModel(otherwise=answer))
        with serving(bank) as server:
            for name, talk in CLIENTS.items():
                if find_spec(name) is None:
                    print(f"{name}: not installed")
                    continue
                try:
                    found: object = talk(f"{server.url}/v1", server.keys.make_for(name))
                except Exception as error:
                    found = error
                is_same = isinstance(found, Dog) and found.model_dump() == REX.model_dump()
                is_right = is_same and server.said(name) == [(TOLD, "How nice.")]
                failed += not is_right
                print(
                    f"{name}: {'right' if is_right else f'wrong: {found!r}, {server.said(name)}'}"
                )
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
