"""Tells a person's words from what a client asks for itself: titles, tags, suggestions.

A title that was remembered as said would be a memory nobody has. So whatever is not plainly
talk is answered and not remembered; a client that names its tasks in a header is believed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from siliconfriend.server.openai_door.request import ChatCompletionRequest, Talk

TASK_HEADERS = ("x-siliconfriend-task", "x-openwebui-task")
"""Name the task; present and empty for talk. Open WebUI fills ``{{TASK}}`` into a header of a
connection."""

HEAD = 600
"""Characters of a message in which a client says what it wants."""

TEMPORARY_CHATS = ("temporary:", "local:")
"""Prefix of the ids of Open WebUI's temporary chats, which it does not keep itself."""

Kind = Literal["talk", "task", "unsure", "private"]


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of a request: talk, or a client's task.

    Attributes:
        kind: talk, a task of the client, unsure which, or a talk that is not to be kept.
        name: of the task, or why it is unsure or not kept.
    """

    kind: Kind
    name: str = ""


TALK = Purpose("talk")

_FORMS = (
    # Open WebUI
    r"\A### Task:",
    r"</?chat_history>",
    r"\AYour task is to reflect the speaker's likely facial expression",
    r"\AYou have been provided with a set of responses from various models",
    # SillyTavern
    r"\A\[?(?:Pause your roleplay|Ignore previous instructions)\b",
    r"\A\[?(?:Continue your last message|Write your next reply from the point of view of)\b",
    r"\AIn the next response I want you to provide only\b",
    # LibreChat, NextChat, LobeChat, Chatbox
    r"\b(?:\d+|five|four to five)-word(?:-or-less)? title\b",
    r"\ba four to five word title\b",
    r"\bgive this conversation a (?:name|title)\b",
    r"使用四到五个字直接返回这句话的简要主题",
    r"^.{0,40}(?:会话|对话).{0,20}(?:总结为|起一个|生成).{0,12}(?:标题|名字)",
    # LangChain and what is made with it
    r"\brephrase the follow up question to be a standalone question\b",
)
"""Forms of words that clients use and no person does, in the beginning of a message."""

_NAMES = {
    "title": r"\btitle\b|标题|\bname\b",
    "tags": r"\btags?\b|标签",
    "follow_ups": r"follow[- ]ups?\b|\bmight naturally send next\b",
    "queries": r"\bsearch quer|standalone question",
    "autocomplete": r"\bautocomplet",
    "emoji": r"facial expression|\bemoji\b",
    "continuation": r"\A\[?Continue your last message\b",
    "impersonation": r"\bfrom the point of view of\b",
    "summary": r"\bsummar|总结|概括",
}
"""Names of tasks, by the first of these words that a prompt begins with."""

_ASKING = re.compile(
    r"\b(?:generate|create|write|suggest|provide|give|classify|extract)\b.{0,80}"
    r"\b(?:title|name|tags|topics?|follow-ups?|quer(?:y|ies)|summary|keywords)\b.{0,80}"
    r"\b(?:conversation|dialogue|discussion|chat|messages|transcript)\b"
    r"|\b(?:summari[sz]e|rephrase|rewrite)\b.{0,40}"
    r"\b(?:conversation|dialogue|discussion|chat|messages|transcript)\b"
    r"|(?:总结|概括|归纳|提取).{0,20}(?:对话|会话|聊天记录)"
    r"|(?:对话|会话|聊天记录).{0,20}(?:标题|标签|关键词|摘要)",
    re.IGNORECASE | re.DOTALL,
)
"""An order about a conversation; a title for a novel is talk."""

_SPEAKER = re.compile(
    r"^\W{0,3}(?:user|assistant|human|ai|system|用户|助手)\W{0,3}[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_COMPILED = tuple(re.compile(form, re.IGNORECASE | re.MULTILINE) for form in _FORMS)


def purpose_of(
    request: ChatCompletionRequest, talk: Talk, headers: Mapping[str, str], chat: str
) -> Purpose:
    """Find what a request is for: by the client's header, else by its form.

    Args:
        request: as it was sent.
        talk: its messages.
        headers: of the request, in small letters.
        chat: the client's id of the chat; empty where it sends none.
    """
    purpose = _by_header(talk, headers) or _by_form(request, talk)
    if purpose.kind == "talk" and chat.startswith(TEMPORARY_CHATS):
        return Purpose("private", "temporary chat")
    return purpose


def _by_header(talk: Talk, headers: Mapping[str, str]) -> Purpose | None:
    for name in TASK_HEADERS:
        if name in headers:
            task = headers[name].strip()
            if task:
                return Purpose("task", task[:100])
            return TALK if talk.query else None
    return None


def _by_form(request: ChatCompletionRequest, talk: Talk) -> Purpose:
    wanted = request.response_format
    if wanted is not None and wanted.type != "text":
        return Purpose("task", "structured")
    head, instruction, is_alone = talk.query[:HEAD], _instruction(request), _stands_alone(request)
    for words in (head, instruction[:HEAD], talk.system[:HEAD] if is_alone else ""):
        if any(form.search(words) for form in _COMPILED):
            return Purpose("task", _name_of(words))
    if not talk.query:
        # What stands behind a person's message may be a part of the client's character.
        return Purpose("task", "instruction") if instruction else Purpose("unsure", "continuation")
    if len(_SPEAKER.findall(talk.query)) >= 2:
        return Purpose("unsure", "transcript")
    if _ASKING.search(head) and is_alone:
        return Purpose("unsure", "instruction")
    return TALK


def _instruction(request: ChatCompletionRequest) -> str:
    """The last system message, where no other message follows."""
    last = request.messages[-1]
    is_system = last.role in ("system", "developer")
    return last.content if is_system and isinstance(last.content, str) else ""


def _stands_alone(request: ChatCompletionRequest) -> bool:
    """True for a single message of a person, as tasks come; a talk has a history."""
    return sum(message.role == "user" for message in request.messages) == 1


def _name_of(head: str) -> str:
    found = (name for name, form in _NAMES.items() if re.search(form, head, re.IGNORECASE))
    return next(found, "other")
