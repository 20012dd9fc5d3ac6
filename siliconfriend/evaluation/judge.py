"""Let a named model grade, where words alone cannot tell whether a reply is right.

Only a model that is named for it judges: the replies, the questions and the gold answers go
to its address. A verdict that cannot be used falls back to the rule and is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.errors import UnusableAnswer, UsageError
from siliconfriend.evaluation.datasets import FALSE_PREMISE, UNANSWERABLE
from siliconfriend.evaluation.grading import Grade, grade_reply
from siliconfriend.models.base import ChatModel, Message
from siliconfriend.models.factory import open_chat_model
from siliconfriend.prompts.loader import Prompts
from siliconfriend.texts import LANGUAGES, Language

VERDICTS = ("right", "wrong", "refused", "invented")
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": list(VERDICTS)}},
    "required": ["verdict"],
    "additionalProperties": False,
}


def open_judge(settings: Settings, name: str) -> Judge:
    """Open the judge that ``openai:MODEL`` or ``gguf:PATH`` names, reached as the settings say.

    Raises:
        UsageError: the name is of neither form.
        ConfigurationError: the model cannot be opened.
    """
    kind, _, model = name.partition(":")
    if kind not in ("openai", "gguf") or not model.strip():
        raise UsageError("judge_name", name=name)
    llm = name if kind == "gguf" else kind
    address = settings.llm_address if settings.llm == llm else None
    chat = open_chat_model(
        replace(
            settings,
            llm=llm,
            llm_address=address,
            model=model.strip(),
            fallback_llm=None,
            temperature=0.0,
        )
    )
    assert chat is not None
    return Judge(chat, {it: Prompts(it, settings.prompts) for it in LANGUAGES})


class Judge:
    """A model that grades replies.

    Attributes:
        name: the model's.
        fallbacks: how many replies the rule had to grade.
    """

    def __init__(self, chat: ChatModel, prompts: Mapping[Language, Prompts]) -> None:
        self.name = chat.name
        self.fallbacks = 0
        self._chat = chat
        self._prompts = prompts

    def grade(self, kind: str, question: str, gold: str, reply: str, language: Language) -> Grade:
        """Grade a reply; by the rule where the model's verdict cannot be used.

        Raises:
            ModelUnavailable: the model cannot be reached.
        """
        prompt = self._prompts[language].render(
            "judge", kind=kind, question=question, gold=gold, reply=reply
        )
        try:
            verdict = self._chat.complete([Message("user", prompt)], SCHEMA).data["verdict"]
        except (UnusableAnswer, KeyError, TypeError):
            verdict = None
        if verdict not in VERDICTS:
            self.fallbacks += 1
            return grade_reply(kind, gold, reply, question)
        if kind == UNANSWERABLE and verdict == "refused":
            return Grade(right=True)
        may_invent = kind in (UNANSWERABLE, FALSE_PREMISE)
        return Grade(
            right=verdict == "right",
            refused=verdict == "refused",
            invented=may_invent and verdict in ("invented", "wrong"),
        )
