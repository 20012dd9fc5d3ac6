"""Read exports in JSON: ChatGPT, Claude, SillyTavern, Telegram and character.ai.

Only what was visible is read, of several versions of a message the shown one. Instructions, tools,
hidden and forwarded messages, notices and media without words are skipped and counted.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime

from siliconfriend.errors import UnreadableFile
from siliconfriend.importers.files import Fields, SourceFile, WrongField, json_objects
from siliconfriend.importers.messages import Chat, Options, Said

# The beginnings of the files of each service.
CHATGPT = re.compile(r'\s*[{\[][\s\S]*?"mapping"\s*:\s*\{')
CLAUDE = re.compile(r'\s*[{\[][\s\S]*?"chat_messages"\s*:\s*\[')
SILLYTAVERN = re.compile(
    r'\s*\{(?:.*"chat_metadata"|(?=.*"user_name").*"character_name"|(?=.*"mes").*"is_user")'
)
TELEGRAM = re.compile(
    r'\s*(?:<(?=[\s\S]*"page_wrap")[\s\S]*message'
    r'|\{(?=[\s\S]*elegram)[\s\S]*"(?:personal_information|about)"\s*:'
    r'|\{[\s\S]*"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages'
    r'|\w+_(?:group|supergroup|channel))")'
)
CHARACTERAI = re.compile(
    r"\s*[{\[][\s\S]*?"
    r'"(turn_key|primary_candidate_id|raw_content|is_human|isHuman|isUser|character_name|char_name)"\s*:'
)

_GPT_SPEAKERS = {"user": "user", "assistant": "ChatGPT"}
_GPT_SAID = ("text", "multimodal_text")
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|【[^【】]*†[^【】]*】")
"""Matches the marks of a link or source."""


def read_chatgpt(source: SourceFile, _options: Options) -> Iterator[Chat]:
    """Yield the conversations of ChatGPT, which are trees of messages with one shown path."""
    for form in _conversations(source):
        mapping = form.inner("mapping")
        nodes = {key: Fields.of(node, "mapping") for key, node in mapping.items()}
        current = form.get("current_node")
        if current not in nodes:
            leaves = [key for key, node in nodes.items() if not node.several("children")]
            current = leaves[-1] if leaves else None
        shown = _path_to(current, nodes, "parent")
        chat = Chat(person="user", companion="ChatGPT", said=form.moment("create_time"))
        for node in shown.values():
            message = node.inner("message")
            speaker = _GPT_SPEAKERS.get(message.inner("author").text("role"), "")
            said, identifier = message.moment("create_time"), message.text("id") or node.text("id")
            reason, words = _gpt_words(message)
            chat.add(speaker, said, words, identifier, reason=reason)
        drafts = (node.inner("message") for key, node in nodes.items() if key not in shown)
        chat.skipped["branch"] += sum(bool(_gpt_words(message)[1]) for message in drafts)
        yield chat


def _conversations(source: SourceFile) -> Iterator[Fields]:
    """Yield the conversations of a file; savers put the list into an object."""
    for form in json_objects(source, "conversation"):
        yield from form.objects("conversations") or (form,)


def _gpt_words(message: Fields) -> tuple[str, str]:
    """Return the reason to skip a message, or its words; both are empty for an empty message."""
    metadata, content = message.inner("metadata"), message.inner("content")
    kind, parts = content.text("content_type") or "text", content.several("parts")
    is_said = message.inner("author").text("role") in _GPT_SPEAKERS
    if not is_said or kind == "user_editable_context":
        return ("system", "") if any(parts) or content.get("text") else ("", "")
    is_hidden = metadata.get("is_visually_hidden_from_conversation") is True
    if is_hidden or message.get("weight") == 0:
        return "hidden", ""
    if kind not in _GPT_SAID or message.get("recipient") not in (None, "all"):
        return "tools", ""
    # The words of speech are in an object.
    objects = (part if isinstance(part, dict) else {"text": part} for part in parts)
    texts = (Fields(part).text("text") for part in objects)
    words = _CITATION.sub("", "\n".join(filter(None, texts))).strip()
    has_media = not words and any(isinstance(part, dict) for part in parts)
    return ("media" if has_media else ""), words


_CLAUDE_UNSAID = ("tool_", "thinking", "redacted_thinking", "image", "token_budget", "server_tool")
"""Prefixes of block types that are no messages."""
_CLAUDE_SPEAKERS = {"human": "human", "user": "human", "assistant": "Claude"}


def read_claude(source: SourceFile, _options: Options) -> Iterator[Chat]:
    """Yield the conversations of Claude; newer ones are trees like those of ChatGPT."""
    for form in _conversations(source):
        messages = form.objects("chat_messages")
        by_id = {message.text("uuid"): message for message in messages}
        shown = messages
        parents = {message.text("parent_message_uuid") for message in messages}
        if "" not in by_id and parents & by_id.keys():
            leaf = form.text("current_leaf_message_uuid")
            last_id = leaf if leaf in by_id else messages[-1].text("uuid")
            shown = list(_path_to(last_id, by_id, "parent_message_uuid").values())
        chat = Chat(person="human", companion="Claude", said=form.moment("created_at"))
        for message in shown:
            speaker = _CLAUDE_SPEAKERS.get(message.text("sender"), "")
            reason, words = _claude_words(message)
            said, identifier = message.moment("created_at"), message.text("uuid")
            chat.add(speaker, said, words, identifier, reason=reason if speaker else "system")
        chat.skipped["branch"] += len(messages) - len(shown)
        yield chat


def _claude_words(message: Fields) -> tuple[str, str]:
    """Return the reason to skip a message, or its words; older exports have no blocks."""
    blocks = message.objects("content") or [Fields(type="text", text=message.get("text"))]
    said = [block for block in blocks if not str(block.get("type")).startswith(_CLAUDE_UNSAID)]
    texts = [block.text("text", "transcript", "content").strip() for block in said]
    # A long pasted text becomes an attachment.
    pasted = (file for file in message.objects("attachments") if not file.text("file_name"))
    texts += [attachment.text("extracted_content").strip() for attachment in pasted]
    if words := "\n\n".join(filter(None, texts)):
        return "", words
    if message.get("attachments") or message.get("files"):
        return "media", ""
    return ("tools" if message.get("content") else "empty"), ""


def _path_to(last: object, nodes: Mapping[str, Fields], parent: str) -> dict[str, Fields]:
    """Return the nodes from the root to ``last`` by their field ``parent``."""
    path: dict[str, Fields] = {}
    while isinstance(last, str) and last in nodes and last not in path:
        path[last] = nodes[last]
        last = nodes[last].get(parent)
    return dict(reversed(path.items()))


_WRITTEN = (
    *("%Y-%m-%d@%Hh%Mm%Ss", "%Y-%m-%d@%Hh%Mm%Ss%fms"),
    *("%B%d,%Y%I:%M%p", "%b%d,%Y%I:%M%p"),
)
"""SillyTavern's local times without spaces: ``2023-5-1 @12h 30m 15s 200ms``, ``May 1, 2023 12:30pm``."""


def read_sillytavern(source: SourceFile, _options: Options) -> Iterator[Chat]:
    """Yield the chat of a file: a line about the chat, then a line for each message."""
    chat, user = Chat(), "user"
    for number, form in enumerate(json_objects(source, "message")):
        if "mes" in form:
            _add_line(chat, form)
        elif not number:
            chat.said = _written(form, "create_date")
            user = form.text("user_name") or user
    chat.person = chat.person or user
    yield chat


def _add_line(chat: Chat, form: Fields) -> None:
    name, words, said = form.text("name"), form.text("mes"), _written(form, "send_date")
    # A message hidden from the model was said; a notice of the program has a type.
    kind = form.inner("extra").text("type")
    is_notice = form.get("is_system") is True and (kind or name == "SillyTavern System")
    is_narrator = kind == "narrator"
    reason = "hidden" if is_notice else "others" if is_narrator else "" if words else "empty"
    if form.get("is_user") is True and not reason:
        # One name for all personas of the person.
        name = chat.person = chat.person or name or "user"
    elif name == chat.person:
        name = f"{name} (2)"
    versions = len(form.several("swipes"))
    # Any message may have been edited.
    chat.add(name, said, words, edited=True, reason=reason, versions=versions)


def _written(form: Fields, field: str) -> Said | None:
    written = "".join(form.text(field).split())
    for shape in _WRITTEN:
        with suppress(ValueError):
            return datetime.strptime(written, shape)  # noqa: DTZ007  # the zone is unknown
    return form.moment(field)


def read_telegram(source: SourceFile, _options: Options) -> Iterator[Chat]:
    """Yield the chats of a chat's or an account's export; HTML pages do not tell who is who."""
    if source.head().lstrip().startswith("<"):
        raise UnreadableFile("import_telegram_html", path=source.label)
    found = False
    for prefix in ("chats.list.item", "left_chats.list.item"):
        for about in json_objects(source, "chats", prefix):
            found = True
            yield _telegram_chat(about)
    if not found:
        yield from map(_telegram_chat, json_objects(source, "file"))


def _telegram_chat(about: Fields) -> Chat:
    """Read a chat; a personal chat has the id of the other speaker."""
    kind, chat_id = about.text("type"), str(about.get("id", ""))
    chat = Chat(is_group=kind not in ("personal_chat", "bot_chat", "saved_messages"))
    names: dict[str, str] = {}  # unique names by the id of the sender
    for form in about.objects("messages"):
        sender = form.text("from_id", "from")
        reason, words = _telegram_words(form)
        if reason:
            chat.skipped[reason] += 1
            continue
        # One name for each sender, though people change theirs.
        if sender not in names:
            name = form.text("from") or sender
            names[sender] = name if name not in names.values() else f"{name} ({sender})"
        name = names[sender]
        said = form.moment("date_unixtime", "date")
        chat.add(name, said, words, f"{chat_id}:{form.get('id')}")
    if kind in ("personal_chat", "bot_chat"):
        chat.companion = names.get(f"user{chat_id}", about.text("name"))
        others = [name for sender, name in names.items() if sender != f"user{chat_id}"]
        chat.person = others[0] if len(others) == 1 else ""
    elif kind == "saved_messages":
        chat.person = next(iter(names.values()), "")
    return chat


def _telegram_words(form: Fields) -> tuple[str, str]:
    """Return the reason to skip a message, or its words."""
    if form.get("type") != "message":
        return "system", ""
    if form.get("forwarded_from") is not None:
        return "forwarded", ""
    text = form.get("text", "")
    pieces = [text] if isinstance(text, str) else form.several("text")
    plain = (one if isinstance(one, str) else Fields.of(one, "text").text("text") for one in pieces)
    words = "".join(plain).strip()
    return ("", words) if words else ("media", "")


_PERSON = "user"
_TIMES = ("create_time", "created", "created_at", "timestamp", "send_date", "time", "date")
_TEXTS = ("text", "raw_content", "content", "message")
_SPEAKERS = ("author", "src", "role", "name")
_HUMAN = ("is_human", "is_user", "isHuman", "isUser")


def read_characterai(source: SourceFile, _options: Options) -> Iterator[Chat]:
    """Yield the chats of the service's own export or of a third-party saver.

    A message may have candidates, of which one was shown. Savers list newest or oldest first.
    """
    yield from _chats_in(Fields(chats=list(json_objects(source, "chat"))), "")


def _chats_in(form: Fields, character: str) -> Iterator[Chat]:
    """Yield a chat for each list of messages in an object, at any depth."""
    character = _character(form) or character
    for value in form.values():
        listed = value if isinstance(value, list) else [value]
        inner = [Fields(each) for each in listed if isinstance(each, dict)]
        if messages := [each for each in inner if _is_message(each)]:
            chat = Chat()
            with suppress(WrongField):  # a saver's own way to write a date
                chat.said = form.moment(*_TIMES)
            for message in messages:
                _add_turn(chat, message, character)
            yield _named(chat, character)
        else:
            for each in inner:
                yield from _chats_in(each, character)


def _is_message(form: Fields) -> bool:
    has_words = "candidates" in form or any(isinstance(form.get(key), str) for key in _TEXTS)
    return has_words and any(key in form for key in (*_SPEAKERS, *_HUMAN))


def _add_turn(chat: Chat, form: Fields, character: str) -> None:
    candidates = form.objects("candidates")
    wanted = form.get("primary_candidate_id")
    shown = [draft for draft in candidates if draft.get("candidate_id") == wanted] or candidates
    words = (shown[0].text("raw_content") if shown else form.text(*_TEXTS)).strip()
    speaker, said, identifier = _speaker(form, character), form.moment(*_TIMES), _identifier(form)
    reason = "branch" if form.get("is_alternative") is True else "" if words else "empty"
    chat.add(speaker, said, words, identifier, reason=reason, versions=len(candidates))


def _speaker(form: Fields, character: str) -> str:
    written = next((form[key] for key in _SPEAKERS if key in form), None)
    author = Fields(written if isinstance(written, dict) else {"name": written})
    marks = [each[key] for each in (author, form) for key in _HUMAN if key in each]
    is_human = marks[0] if marks else None
    name = author.text("name") or form.text("name")
    # The service marks humans only.
    if is_human is True:
        return _PERSON
    return (character if is_human is False else "") or name or character or "character"


def _named(chat: Chat, character: str) -> Chat:
    """Set the two speakers of a chat, by the mark of the human or by the names; order it by time."""
    with suppress(TypeError):  # times with and without a zone
        chat.messages = sorted(chat.messages, key=lambda message: message.said)
    speakers = chat.speakers()
    others = [name for name in speakers if name != _PERSON]
    chat.person = _PERSON if _PERSON in speakers else ""
    is_known = character in others or not others
    chat.companion = character if is_known else others[0] if len(others) == 1 else ""
    return chat


def _character(form: Fields) -> str:
    if isinstance(form.get("character"), dict):
        return form.inner("character").text("name", "participant__name")
    return form.text("character", "character_name", "char_name")


def _identifier(form: Fields) -> str:
    if isinstance(form.get("turn_key"), dict):
        return form.inner("turn_key").text("turn_id")
    names = (form.get(name) for name in ("uuid", "turn_id", "id", "message_id"))
    return next((str(name) for name in names if isinstance(name, str | int) and name != ""), "")
