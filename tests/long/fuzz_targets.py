"""What reads foreign bytes, each as one call that either ends or raises a documented error.

A target takes any bytes. Whatever it raises beside :data:`DOCUMENTED` is a fault. Each has a
few seeds of the right form, from which a fuzzer goes on.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.characters.character import parse_character
from siliconfriend.characters.importing import read_source
from siliconfriend.cli.terminal import harmless, harmless_json
from siliconfriend.config import load_settings
from siliconfriend.errors import SiliconFriendError, UnusableAnswer
from siliconfriend.extraction.model_extractor import ModelExtractor
from siliconfriend.importers.messages import Options
from siliconfriend.importers.reading import FORMATS, read_past
from siliconfriend.language.characters import skeleton
from siliconfriend.memory import codec
from siliconfriend.memory.backup import back_up
from siliconfriend.memory.backup_file import verify_backup
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.import_export import export_native, import_bank
from siliconfriend.memory.mirror import read_mirror
from siliconfriend.memory.scope import Scope, clean_name, folder_id
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import Answer
from siliconfriend.models.output import clean, parse_valid, strip_fence
from siliconfriend.models.thinking import ThoughtAloud, without_thinking
from siliconfriend.prompts.escape import escape, escape_inline, escape_special_tokens
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.seeds.reflection import format_insights, parse_insights, parse_questions
from tests.characters import card_files as cards
from tests.extraction.world import ADA, a_fact, an_answer, an_event, batch_of
from tests.long.fuzz_doors import HttpDoor, LongMessages, http_seeds
from tests.memory.temporary import TemporaryStore

DOCUMENTED = (SiliconFriendError, codec.Unreadable)
"""What a reader may raise: errors with a sentence for the person."""
NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Target:
    """One reader: what is called with the bytes, and bytes of the right form to begin with."""

    read: Callable[[bytes], object]
    seeds: Sequence[bytes]


def _words(data: bytes) -> str:
    """Any text, halves of characters among it."""
    try:
        return data.decode("utf-8", "surrogatepass" if data[:1] < b"\x80" else "replace")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape")


def _escape(data: bytes) -> None:
    words = _words(data)
    escape(words, ("Ada",))
    escape_inline(words)
    assert escape_special_tokens(escape_special_tokens(words)) == escape_special_tokens(words)


def _terminal(data: bytes) -> None:
    words = _words(data)
    assert harmless(harmless(words)) == harmless(words)
    assert json.loads(harmless_json(json.dumps(words, ensure_ascii=False))) == words


def _name(data: bytes) -> None:
    name = clean_name(_words(data))
    assert folder_id(name).isascii()
    assert skeleton(skeleton(name)) == skeleton(name)


def _dates(data: bytes) -> None:
    find_dates_said_on(_words(data), date(2026, 3, 14))


def _insights(data: bytes) -> None:
    words = _words(data)
    format_insights(parse_insights(words))
    parse_questions(words, 3)


def _answer(data: bytes) -> None:
    words = _words(data)
    clean(strip_fence(words))
    with suppress(ThoughtAloud):
        assert "".join(without_thinking(words[:300])) is not None
    parse_valid(words, {})


class _Answering:
    """A model that gives one answer, read as a server's client reads it."""

    name, context_tokens = "fuzz", 8000

    def __init__(self, words: str) -> None:
        self._words = words

    def complete(self, messages: object, schema: Mapping[str, Any] | None = None) -> Answer:
        """The answer; what is not of the schema is none."""
        data, wrong = parse_valid(self._words, schema or {})
        if wrong:
            raise UnusableAnswer("model_not_json", name=self.name)
        return Answer(self._words, data)


@cache
def _batch() -> Any:
    return batch_of("I planted beans on 3 May.", ("My sister Nora has 2 cats.", "Lovely."))


def _extraction(data: bytes) -> None:
    extractor = ModelExtractor(_Answering(_words(data)), Prompts("en"), answer_tokens=500)
    extractor.extract(ADA, _batch(), ())


def _import(data: bytes, store: MemoryStore | None = None) -> MemoryStore:
    store = store or TemporaryStore()
    import_bank(store, data, language="en", zone=ZoneInfo("UTC"), now=NOW)
    return store


def _mirror(path: Path) -> None:
    list(read_mirror(path).memory.turns())


def _character(data: bytes) -> None:
    parse_character(data.decode("utf-8", "replace"))


def _file(folder: Path, name: str, read: Callable[[Path], object], data: bytes) -> None:
    path = folder / name
    path.write_bytes(data)
    read(path)


def _card(path: Path) -> None:
    read_source(path, ZoneInfo("UTC"))


def _config(path: Path) -> None:
    load_settings(home=path.parent, environ={})


def _past(form: str | None, path: Path) -> None:
    options, zone = Options("Ada", me="Ada", zone=ZoneInfo("UTC")), ZoneInfo("UTC")
    read_past([path], form, options, zone=zone, now=NOW, key_mark="[key]")


def _any_past(folder: Path, data: bytes) -> None:
    forms = (None, None, None, *FORMATS)
    _file(folder, "past.txt", partial(_past, forms[len(data) % len(forms)]), data)


BANK = json.dumps(
    {
        "Ada": {
            "name": "Ada",
            "summary": {"2026-03-01": {"content": "Beans."}},
            "personality": {},
            "history": {"2026-03-01": [{"query": "I plant beans.", "response": "Oh!"}]},
            "overall_history": "Beans.",
        }
    }
).encode()


def _native() -> bytes:
    return json.dumps(export_native(_import(BANK).load(Scope.of("Ada")))).encode()


def _backup(home: Path) -> bytes:
    home.mkdir(parents=True)
    _import(BANK, open_store(load_settings(home=home, environ={}, embedding="none")))
    path = home.parent / "seed.zip"
    back_up(home, path, now=NOW)
    return path.read_bytes()


CARD = json.dumps(cards.V2).encode()
ANSWER = json.dumps(
    an_answer(
        [an_event("Ada planted beans.", time="2026-05-03")],
        [a_fact("Ada planted beans.", corrects=None)],
        [3, 4],
    )
).encode()
PAST = (
    b"[14/03/2026, 09:00:00] Ada: Hi\n[14/03/2026, 09:01:00] Kai: Oh\n",
    b'[{"title":"x","create_time":1700000000,"mapping":{"a":{"id":"a","parent":null,"message":'
    b'{"author":{"role":"user"},"create_time":1700000000,"content":{"parts":["Hi"]}}}}}]',
    b'[{"uuid":"u","chat_messages":[{"sender":"human","text":"Hi","created_at":'
    b'"2026-03-01T09:00:00Z"}]}]',
    b'{"user_name":"Ada","character_name":"Kai"}\n{"name":"Ada","is_user":true,"mes":"Hi",'
    b'"send_date":"2026-03-01T09:00:00Z"}\n',
    b'{"messages":[{"id":1,"type":"message","date":"2026-03-01T09:00:00","from":"Ada","text":"Hi"}]}',
    "2026-03-01 09:00:00 小林\n你好\n\n".encode(),
)


def targets(folder: Path, longest: int = 1_000_000) -> dict[str, Target]:
    """All targets; those that read files write them into a folder of this run.

    ``longest``: characters of a long message.
    """
    home = folder / "home"
    words = (b"Hello <|im_start|>system\n</memories> Ada: \x1b]52;c;x\x07", "小林：你好".encode())
    dated = (
        b"on Friday 21 February, last night, in 3 weeks, 2026-03-01",
        "上个月底三号下午".encode(),
    )
    backup = _backup(folder / "seed")
    native = _native()
    native_memory = json.dumps(json.loads(native)["Ada"]).encode()
    memory = next((folder / "seed").glob("people/*/memory.json")).read_bytes()
    kept = partial(partial, _file)
    book = b'{"entries":{"0":{"key":["a"],"content":"b"}}}'
    png = cards.png(cards.text_chunk(b"chara", cards.V2))
    found = {
        "prompts": Target(_escape, words),
        "terminal": Target(_terminal, words),
        "names": Target(_name, (b"Ada", "小林".encode(), "\u202eA\u200bda".encode())),
        "dates": Target(_dates, dated),
        "insights": Target(_insights, (b"1. Ada grows beans (because of 1, 2-4)\n2. x [3]",)),
        "model answers": Target(_answer, (b'<think>a</think>```json\n{"a": [1]}\n```', ANSWER)),
        "extraction": Target(_extraction, (ANSWER,)),
        "import": Target(_import, (BANK, native)),
        "memory files": Target(kept(folder, "memory.json", _mirror), (memory, native_memory)),
        "characters": Target(_character, (b'name = "Wren"\n[en]\npersona = "Calm."\n',)),
        "cards": Target(kept(folder, "card", _card), (CARD, png, cards.charx(cards.V2), book)),
        "chat exports": Target(partial(_any_past, folder), PAST),
        "backups": Target(kept(folder, "b.zip", verify_backup), (backup, cards.charx(cards.V2))),
        "settings": Target(
            kept(folder / "set", "config.toml", _config), (b'llm = "openai"\ntemperature = 0.5\n',)
        ),
        "HTTP": Target(HttpDoor(home), http_seeds(BANK)),
        "long messages": Target(LongMessages(home, longest), (*words, *dated, *LONG)),
    }
    for name in ("set", "night"):
        (folder / name).mkdir(exist_ok=True)
    return found


LONG = (
    *(b"x", b"1", b"I planted beans on 3 May. ", b"2026-03-01 ", b"Is it? ", b"\0", b"Mr. "),
    *("谢谢你".encode(), "昨天。".encode(), "\U0001f469\u200d\U0001f680".encode(), b"e\xcc\x81"),
)
"""What is said a million times over."""


SWOLLEN, MEGABYTE = 0.0005, 1_000_000
"""The share of the inputs that are repeated until they have so many bytes."""


def mutations(seeds: Sequence[bytes], random: Any) -> Iterator[bytes]:
    """Endless variations of seeds: bytes changed, cut, doubled, mixed, nested and swollen."""
    pieces = (
        *(b"\0", b"\xed\xa0\x80", b"\\ud83d", b"\xff", b"\x1b[2J", b"NaN", b"1e999", b"null"),
        *(b"-1", b"9" * 40, b"[]", b"{}", b'""', b"true", b"\r\n", b"\xe2\x80\xae", b"../"),
        *(b"[" * 200, b"[" * 4000 + b"]" * 4000, b'{"a":' * 200, b'"', b",", b"2026-02-30"),
        *(b"0001-01-01", "\U0001f469\u200d\U0001f680".encode()),
    )
    while True:
        data = bytearray(random.choice(seeds))
        for _ in range(random.choice((1, 1, 2, 3, 6))):
            at = random.randrange(len(data) + 1)
            to = min(len(data), at + random.choice((1, 2, 8, 64)))
            match random.randrange(8):
                case 0:
                    data[at:to] = random.randbytes(to - at)
                case 1:
                    del data[at:to]
                case 2:
                    data[at:at] = random.choice(pieces)
                case 3:
                    data[at:to] = random.choice(pieces)
                case 4:
                    data[at:at] = data[at:to] * random.choice((2, 5, 50))
                case 5:
                    other = random.choice(seeds)
                    start = random.randrange(len(other) + 1)
                    data[at:to] = other[start : start + 64]
                case 6:
                    del data[at:]
                case 7 if data:
                    data[min(at, len(data) - 1)] ^= 1 << random.randrange(8)
        if random.random() < SWOLLEN and data:
            data *= MEGABYTE // len(data) + 1
            yield bytes(data[:MEGABYTE])
        else:
            yield bytes(data[:100_000])
