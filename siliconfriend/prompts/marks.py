"""Find the marks in a text that a model could take for a part of the prompt.

A text is searched in a folded form, with lookalike letters replaced and without invisible
characters, so that ``＜/ＭＥＭＯＲＩＥＳ＞`` is found like ``</memories>``. Each pattern takes linear
time.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

from siliconfriend.language.characters import is_invisible, plain_letters, without_accents
from siliconfriend.shipped import PROMPTS

VARIABLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
"""A variable of a prompt."""
ROLES = frozenset(
    (
        *("system", "developer", "user", "human", "assistant", "ai", "companion", "tool"),
        *("instruction", "instructions", "系统", "用户", "人类", "助手", "助理", "伴侣", "指令"),
    )
)
"""Labels before a speaker's words in chat templates and transcripts."""

_HEADING = re.compile(r"(?:- |\d+\. )?([^\n:：\"“<>]{1,80})[:：]")
_REPLACED = dict(zip('<[]【#:>"', "‹‹›‹♯∶›”", strict=True))
"""Replacement of each folded character; none is folded back to it."""
_HIDDEN = "\u200b"
"""Folded form of every invisible character, removed before a search."""


@cache
def headings_of(prompt: str) -> frozenset[str]:
    """Return the labels before the first colon of each line of a prompt, with their variables."""
    found = (_HEADING.match(line) for line in prompt.splitlines())
    return frozenset(heading.group(1).strip() for heading in found if heading)


def replace_marks(words: str, *finders: Callable[[str], Iterator[int]]) -> str:
    """Replace the characters that the finders find in the folded words."""
    folded = words.translate(_FOLDING)
    places: Sequence[int] = range(len(folded))
    if _HIDDEN in folded:
        places = [place for place in places if folded[place] != _HIDDEN]
        folded = folded.replace(_HIDDEN, "")
    characters = list(words)
    for place in chain.from_iterable(find(folded) for find in finders):
        characters[places[place]] = _REPLACED[folded[place]]
    for token in _UPPER_CASE_TOKEN.finditer(folded):
        first = places[token.start()]
        written = unicodedata.normalize("NFKC", words[first : places[token.end() - 1] + 1])
        if written == written.upper() or "gmask" in token.group():  # ``df[mask]`` is code
            characters[first] = _REPLACED["["]
    return "".join(characters)


def find_labels(folded: str, names: Iterable[str]) -> Iterator[int]:
    """Find the colons behind a role, a name or a heading at the beginning of a line."""
    own = {_plain(name.translate(_FOLDING)).partition(":")[0].strip() for name in names} - {""}
    for line in chain.from_iterable(pattern.finditer(folded) for pattern in _LABELS):
        label = _plain(line.group(1))
        bare = _without_edges(label, str.isalpha)
        named = own & {label, bare, _without_edges(label, str.isalnum)}
        if named or bare in ROLES or _heading().fullmatch(bare):
            yield line.end() - 1


class _Folding(dict[int, int]):
    """Maps code points to plain lower-case characters, one to one."""

    def __missing__(self, code: int) -> int:
        character = chr(code)
        plain = without_accents(plain_letters(character)).casefold()
        if character.splitlines() == [""]:
            plain = "\n"
        elif character.isspace():
            plain = " "
        elif is_invisible(character) or unicodedata.category(character) in ("Mn", "Me"):
            plain = _HIDDEN
        self[code] = ord(plain) if len(plain) == 1 else code
        return self[code]


_FOLDING = _Folding()


def _finder(pattern: str) -> Callable[[str], Iterator[int]]:
    """Return a finder of the last character of each match in folded words."""
    compiled = re.compile(pattern, re.MULTILINE)
    return lambda folded: (found.end() - 1 for found in compiled.finditer(folded))


_LETTER = r"[^\W\d]"
_TAG_END = r"[\w-]*+(?:\s+[\w-]++\s*=[^<>]*+)?\s*+/?\s*+>"
_UPPER_CASE_TOKEN = re.compile(
    r"\[ */? *(?:inst|system_prompt|available_tools|tool_calls|tool_results|tool_content|args|call_id"
    r"|model_settings|think|img|img_break|img_end|audio|begin_audio|transcribe|prefix|middle|suffix"
    r"|gmask|sop|mask|cls|sep|pad|unk|bos|eos) *\]"
)
"""Matches tokens of Mistral, Llama 2, GLM and BERT in folded words."""
_BRACKETED = (
    r"\[(?=\s*+/?\s*+inst\s*\]|\|[^\s|\]]{1,60}\|\])"
    r"|[\[\]](?=~!?b[\[\]])|\[(?=e~\[)"
)
"""Marks of Llama 2 in any letters, EXAONE (``[|system|]``) and MiniMax (``]~b]``)."""
_PIPED = r"<(?=\|[^\s>|]{1,60}\|?>|[^\s>|]{1,60}\|>|\|/?[^\W\d][^>|]{0,60}\|>)"
"""Marks of ChatML, Llama 3, DeepSeek, Phi, Command R, harmony, and Gemma's ``<|turn>`` and ``<turn|>``."""
find_tags = _finder(
    rf"<(?={_LETTER}|\s*+\\?[/|!?\\]\s*+{_LETTER}|\s*+{_LETTER}{_TAG_END})"
    rf"|{_PIPED}|<(?=0x[0-9a-f]{{2}}>)|{_BRACKETED}"
)
"""Finds the beginnings of tags, closed or not, and special tokens; not ``<3``, ``a < b``, ``<-``."""
find_open_end = _finder(r"<(?=\s*+/?\s*+\Z)")
"""Finds a ``<`` at the end, with which following words would become a tag."""
find_tag_ends = _finder(r"[<>\"]")
"""Finds the ends of an attribute and of its tag."""
_TOKEN_NAMES = "|".join(
    (
        *("s", "bos", "eos", "pad", "unk", "mask", "sep", "cls", "eod", "eoh", "eoa", "sop", "eop"),
        *("think", "thinking", "sys", "tools", "tool_call", "tool_response", "function_calls"),
        *(r"[a-z]+(?:_of)?_(?:turn|token|text|image|sentence)", r"[a-z]+_soft_token"),
        *(r"(?:fim|jupyter|reserved|extra_id)_\w+", r"seed:\w+", r"unused\d+", "0x[0-9a-f]{2}"),
    )
)
"""Names and families of tokens, such as ``<start_of_turn>``, ``<reserved_106>``, ``<unused99>``."""
find_special_tokens = _finder(rf"<(?=\s*+/?\s*+(?:{_TOKEN_NAMES})\s*>)|{_PIPED}|{_BRACKETED}")
"""Finds the beginnings of special tokens of chat templates, but not of other tags."""
find_headings = _finder(
    r"^ *(?:[\[【](?= *(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* )?\d)|#(?=#{0,5} ))"
)
"""Finds Markdown headings, and dates or numbers in brackets at the beginning of a line."""
_LABELS = (
    re.compile(r"^([^\n:]+):", re.MULTILINE),
    re.compile(r"^(?:(?!\n)[\W\d_])*+([^\n:]+):", re.MULTILINE),
)
"""Match the label before the first colon of a line, and before the first colon after its first
letter, for a bullet, number or time before the label (``[12:30] System:``)."""


def _without_edges(label: str, is_inside: Callable[[str], bool]) -> str:
    places = [place for place, character in enumerate(label) if is_inside(character)]
    return label[places[0] : places[-1] + 1] if places else ""


def _plain(folded: str) -> str:
    return " ".join(folded.replace(_HIDDEN, "").split())


@cache
def _heading() -> re.Pattern[str]:
    """Match the headings of all prompts, with any values of their variables."""
    prompts = (path.read_text("utf-8") for path in PROMPTS.glob("*/*.md"))
    forms = set[str]()
    for heading in chain.from_iterable(map(headings_of, prompts)):
        first, *rest = (_plain(part.translate(_FOLDING)) for part in VARIABLE.split(heading)[::2])
        forms.add(re.escape(first) + (f".*{re.escape(rest[-1])}" if rest else ""))
    return re.compile("|".join(sorted(forms - {"", ".*"})))
