"""Write the lists of docs/mcp.md: tools, resources and prompts as the server describes them.

python docs/make_mcp.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.config import Settings
from siliconfriend.runtime import Runtime
from siliconfriend.service import resources
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.tools import Tools
from siliconfriend.texts import LANGUAGES, text

PAGE = Path(__file__).with_name("mcp.md")
PART = re.compile(r"(<!-- Written by [^>]*-->\n).*?(<!-- end -->)", re.DOTALL)


def lists() -> str:
    """The tables of everything the server offers, in English."""
    tools = Tools(ServiceContext(Runtime(Settings(home=Path("nowhere")))))
    return "\n".join((*_tools(tools), *_resources(tools.context), *_prompts()))


def with_lists(page: str) -> str:
    """The page with its lists made anew."""
    return PART.sub(lambda found: f"{found[1]}\n{lists()}\n\n{found[2]}", page)


def _tools(tools: Tools) -> Iterator[str]:
    for name, description, schema in tools.describe():
        yield f"### `{name}`\n\n{description}\n"
        if schema["properties"]:
            yield "| argument | unless given | |\n| --- | --- | --- |"
        for argument, described in schema["properties"].items():
            default = "needed" if argument in schema.get("required", ()) else described["default"]
            yield f"| `{argument}` | {_shown(default)} | {described['description']} |"
        yield ""


def _resources(context: ServiceContext) -> Iterator[str]:
    yield "### Resources and prompts\n\n| address or name | |\n| --- | --- |"
    for found in (*resources.list_resources(context), *resources.list_templates(context)):
        yield f"| `{found.uri}` | {found.description} |"


def _prompts() -> Iterator[str]:
    for language in LANGUAGES:
        yield f"| `companion_{language}` | {text('service', 'prompt_description', 'en')} |"


def _shown(default: object) -> str:
    return {None: "none", "": "empty", True: "true", False: "false"}.get(default, str(default))


if __name__ == "__main__":
    PAGE.write_text(with_lists(PAGE.read_text("utf-8")), "utf-8")
