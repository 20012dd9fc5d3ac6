"""Write the tables of docs/models.md and docs/cn/models.md: the services, and every failure.

The services are those of ``siliconfriend/config/presets.toml``; the failures are what
``tests/dialogue/test_failures.py`` has a server do, with the sentences of the program.

python -m docs.make_models
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.config import find_option
from siliconfriend.config.presets import Preset, presets
from siliconfriend.errors import ModelUnavailable
from siliconfriend.texts import LANGUAGES, Language
from tests.models.failures import FAILURES, Failure

DOCS = Path(__file__).parent
PAGES: dict[Language, Path] = {"en": DOCS / "models.md", "cn": DOCS / "cn" / "models.md"}
PART = re.compile(r"(<!-- (services|failures): [^>]*-->\n).*?(<!-- end -->)", re.DOTALL)
HEADS = {
    ("services", "en"): ("`llm`", "model", "context", "key", "thinking is switched off by"),
    ("services", "cn"): ("`llm`", "模型", "上下文", "密钥", "怎样关掉思考"),
    ("failures", "en"): ("the server …", "what you read", "kept of the reply"),
    ("failures", "cn"): ("服务端……", "你看到的", "回复留下什么"),
}
KEPT = {
    "nothing": ("nothing", "不留"),
    "what was said": ("what was said, marked as broken off", "已经说出的部分，标记为中断"),
    "all of it": ("all of it", "全部"),
}
NO_FAILURE = ("nothing: it is an answer", "没有提示：这是一个回答")
ASKED = ("asked of the server", "询问服务端")


def with_tables(page: str, language: Language) -> str:
    """The page with its tables made anew."""
    rows = {"services": _services, "failures": _failures}

    def made(found: re.Match[str]) -> str:
        table = [HEADS[found[2], language], ["---"] * len(HEADS[found[2], language])]
        table += [list(row) for row in rows[found[2]](LANGUAGES.index(language))]
        lines = "\n".join(f"| {' | '.join(row)} |" for row in table)
        return f"{found[1]}\n{lines}\n\n{found[3]}"

    return PART.sub(made, page)


def _services(language: int) -> Iterator[tuple[str, ...]]:
    for preset in presets().values():
        size = f"{preset.context_tokens:,}" if preset.context_tokens else ASKED[language]
        off = json.dumps(dict(preset.think_off))
        yield f"`{preset.name}`", f"`{preset.model}`", size, _key(preset), f"`{off}`"


def _key(preset: Preset) -> str:
    option = None if preset.key is None else find_option(preset.key)
    return "" if option is None else f"`{option.variable}`"


def _failures(language: int) -> Iterator[tuple[str, ...]]:
    for failure in FAILURES:
        yield failure.name[language], _sentence(failure, language), KEPT[failure.kept][language]


def _sentence(failure: Failure, language: int) -> str:
    if not failure.key:
        return NO_FAILURE[language]
    details = dict(failure.details)
    if failure.key.endswith("_30"):
        details["asks"] = ModelUnavailable("model_wait", wait="30")
    named = {"name": "MODEL", "address": "ADDRESS", "seconds": "60", "longest": "1500"}
    error = ModelUnavailable(failure.key.removesuffix("_30"), **{**named, **details})
    return error.message(LANGUAGES[language])


if __name__ == "__main__":
    for language, path in PAGES.items():
        path.write_text(with_tables(path.read_text("utf-8"), language), "utf-8")
