"""The writer that asks a chat model.

Prompts are files; what is remembered goes between their marks. A day or a life too long for
the model's context is cut into chunks, and the answers are put together by a further call.
The material is cut and never the instruction: a prompt that lost its first lines to make
room asks for nothing, and what comes back would be kept as the day's summary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.support import unsaid_in
from siliconfriend.language.characters import chinese_runs, language_of
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.records import Day
from siliconfriend.models.base import Answer, CompletionModel, Message
from siliconfriend.models.tokens import MESSAGE_TOKENS, estimate_tokens, truncate
from siliconfriend.night.writer import DayTexts, Portrayal, PortrayedDays, every
from siliconfriend.prompts.escape import Escaped, escape_line, escaped_text, speaker_line
from siliconfriend.prompts.loader import Prompts
from siliconfriend.texts import Language, text

MOST_NAMED = 5
"""Names and figures that nobody said which are shown."""

SMALLEST_CHUNK = 100
"""Tokens a chunk has at least, however small the context."""

FEWEST_WORDS = 2
"""Content words of the shortest summary."""

LONGEST_QUOTE = 60
"""Letters of its prompt that an answer may say again as they are."""

SHOWN_TOKENS = 30
"""Tokens of a refused answer that its error shows."""

_Written = TypeVar("_Written")
_PART = {"type": "string", "minLength": 1, "maxLength": 600}
_PARTS = ("traits", "mood", "strategy")
PORTRAYAL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": dict.fromkeys(_PARTS, _PART),
    "required": [*_PARTS],
    "additionalProperties": False,
}
DAY_SCHEMA: dict[str, Any] = {
    **PORTRAYAL_SCHEMA,
    "properties": {
        "summary": {"type": "string", "minLength": 1, "maxLength": 2000},
        **PORTRAYAL_SCHEMA["properties"],
    },
    "required": ["summary", *_PARTS],
}


class _Prompt(NamedTuple):
    """A prompt file, and its variable that takes the lines."""

    name: str
    variable: str


class ModelWriter:
    """Writes with a chat model.

    Args:
        chat: the model.
        prompts: gives the prompts of a language.
        answer_tokens: how long an answer may be.
    """

    def __init__(
        self, chat: CompletionModel, prompts: Callable[[Language], Prompts], *, answer_tokens: int
    ) -> None:
        self._chat = chat
        self._prompts = prompts
        self._room = chat.context_tokens - min(answer_tokens, chat.context_tokens // 3)

    @property
    def made_by(self) -> str:
        """The model's name."""
        return self._chat.name

    def day(self, subject: Subject, day: Day) -> DayTexts:
        """Both texts of a day in one call, or each by itself where the day is too long for that."""
        return self._fitted(lambda: self._day(subject, day))

    def _day(self, subject: Subject, day: Day) -> DayTexts:
        prompt, date = _Prompt("day", "dialogue"), day.date
        chunks = self._chunks(prompt, _dialogue(subject, day), subject, date=date)
        if len(chunks) > 1:
            return DayTexts(self.day_summary(subject, day), self.day_personality(subject, day))
        asked = self._render(prompt, chunks[0], subject, date=date)
        found = self._ask_json(asked, DAY_SCHEMA, subject.language, chunks[0])
        return DayTexts(found.pop("summary"), Portrayal(**found))

    def day_summary(self, subject: Subject, day: Day) -> str:
        """The main themes and key information of a day."""
        first, then = _Prompt("day_summary", "dialogue"), _Prompt("day_summary_parts", "parts")
        lines = _dialogue(subject, day)
        return self._fitted(lambda: self._condense(first, then, lines, subject, date=day.date))

    def day_personality(self, subject: Subject, day: Day) -> Portrayal:
        """Traits, emotions and reply strategy of a day, asked for as JSON."""
        first = _Prompt("day_personality", "dialogue")
        then = _Prompt("day_personality_parts", "parts")
        lines = _dialogue(subject, day)
        return self._fitted(
            lambda: self._reduce(
                first,
                then,
                lines,
                subject,
                ask=lambda prompt, chunk: Portrayal(
                    **self._ask_json(prompt, PORTRAYAL_SCHEMA, subject.language, chunk)
                ),
                as_text=lambda portrayal: portrayal.text(subject.language),
                date=day.date,
            )
        )

    def overall_history(self, subject: Subject, life: PortrayedDays) -> str:
        """The essential events of a life."""
        lines = {
            day.date: _dated("events", subject.language, day.date, day.summary.text)
            for day in life.days
            if day.summary is not None
        }
        return self._portray(_Prompt("overall_history", "events"), lines, life, subject)

    def overall_personality(
        self, subject: Subject, life: PortrayedDays, topics: Sequence[Topic] = ()
    ) -> str:
        """The personality in general and the reply strategy that suits it best."""
        lines = {
            day.date: _dated("analysis", subject.language, day.date, day.personality.text)
            for day in life.days
            if day.personality is not None
        }
        more = [
            escaped_text("night", "returning", subject.language, words=topic.text)
            for topic in topics
        ]
        return self._portray(_Prompt("overall_personality", "analyses"), lines, life, subject, more)

    def _portray(
        self,
        prompt: _Prompt,
        lines: Mapping[str, str],
        life: PortrayedDays,
        subject: Subject,
        more: Sequence[str] = (),
    ) -> str:
        """A text about a life, with as many calls as its last days alone take.

        Of the days before them as many are told of as fit into these calls.

        Args:
            prompt: asks for it.
            lines: what is told of each date.
            life: the days.
            subject: whose.
            more: lines that come last.
        """
        last = [*(lines[day.date] for day in life.last if day.date in lines), *more]

        def write() -> str:
            earlier, apart = [day.date for day in life.earlier if day.date in lines], 1
            most = len(self._chunks(prompt, last, subject))
            while earlier:
                told = [*map(lines.__getitem__, earlier), *last]
                if len(self._chunks(prompt, told, subject)) <= most:
                    return self._condense(prompt, prompt, told, subject)
                apart *= 2
                earlier = every(apart, earlier)
            return self._condense(prompt, prompt, last, subject)

        return self._fitted(write)

    def _fitted(self, write: Callable[[], _Written]) -> _Written:
        """Call ``write``, again with shorter chunks if the server's context is shorter than it said."""
        while True:
            try:
                return write()
            except UnusableAnswer as error:
                if error.key != "model_too_long" or self._room < 2 * SMALLEST_CHUNK:
                    raise
                self._room //= 2

    def _condense(
        self, first: _Prompt, then: _Prompt, lines: list[str], subject: Subject, **values: str
    ) -> str:
        """One text made of all lines.

        Raises:
            UnusableAnswer: the model's answer is empty.
        """
        words = self._reduce(
            first,
            then,
            lines,
            subject,
            ask=lambda prompt, chunk: self._ask(prompt, subject.language, chunk).text.strip(),
            as_text=lambda words: words,
            **values,
        )
        if not words:
            raise UnusableAnswer("model_empty", name=self._chat.name)
        return words

    def _reduce(
        self,
        first: _Prompt,
        then: _Prompt,
        lines: list[str],
        subject: Subject,
        *,
        ask: Callable[[str, list[str]], _Written],
        as_text: Callable[[_Written], str],
        **values: str,
    ) -> _Written:
        """Ask ``first`` about each chunk of the lines, then ``then`` about the answers, until one is left.

        Raises:
            UnusableAnswer: the answers are no shorter than what was asked about.
        """
        prompt = first
        while True:
            answers = [
                ask(self._render(prompt, chunk, subject, **values), chunk)
                for chunk in self._chunks(prompt, lines, subject, **values)
            ]
            if len(answers) == 1:
                return answers[0]
            texts = [as_text(answer) for answer in answers]
            if sum(map(estimate_tokens, texts)) >= sum(map(estimate_tokens, lines)):
                raise UnusableAnswer("model_rambles", name=self._chat.name)
            prompt, lines = then, [escape_line(words) for words in texts]

    def _ask(
        self,
        prompt: str,
        language: Language,
        source: list[str],
        schema: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Ask for a text in the person's language about the source, once more if it is none.

        Raises:
            UnusableAnswer: both times it is in another language, holds names or figures that the
                prompt does not, or is no text about the source.
        """
        asked = [Message("user", prompt)]
        answer = self._chat.complete(asked, schema)
        wrong = _objection(answer, prompt, source, language)
        if wrong is None:
            return answer
        again = text("night", wrong.asked_again, language, words=wrong.words)
        asked += [Message("assistant", answer.text), Message("user", again)]
        answer = self._chat.complete(asked, schema)
        wrong = _objection(answer, prompt, source, language)
        if wrong is not None:
            raise UnusableAnswer(wrong.error, name=self._chat.name, words=wrong.words)
        return answer

    def _ask_json(
        self, prompt: str, schema: dict[str, Any], language: Language, source: list[str]
    ) -> dict[str, str]:
        """The texts that a schema asks for, none of them empty."""
        answer = self._ask(prompt, language, source, schema).data
        found = answer if isinstance(answer, dict) else {}
        texts = {key: found.get(key) for key in schema["required"]}
        if not all(isinstance(value, str) and value.strip() for value in texts.values()):
            raise UnusableAnswer("model_not_json", name=self._chat.name)
        return {key: str(value).strip() for key, value in texts.items()}

    def _chunks(
        self, prompt: _Prompt, lines: list[str], subject: Subject, **values: str
    ) -> list[list[str]]:
        """The lines in chunks that fit the context together with the instruction."""
        instruction = self._render(prompt, [], subject, **values)
        room = self._room - estimate_tokens(instruction) - MESSAGE_TOKENS
        if room < SMALLEST_CHUNK:
            raise UnusableAnswer("model_too_long", name=self._chat.name)
        return chunk_lines(lines, room)

    def _render(self, prompt: _Prompt, lines: list[str], subject: Subject, **values: str) -> str:
        given = {prompt.variable: lines, **values}
        return self._prompts(subject.language).render(
            prompt.name, person=subject.person, companion_name=subject.companion, **given
        )


class _Objection(NamedTuple):
    """Why an answer is not kept: what to ask again with, the error if it is no better, the words."""

    asked_again: str
    error: str
    words: str = ""


def _objection(
    answer: Answer, prompt: str, source: list[str], language: Language
) -> _Objection | None:
    """What speaks against an answer; None where it can be kept."""
    data = answer.data
    texts = list(map(str, data.values())) if isinstance(data, dict) else [answer.text]
    words = "\n".join(texts)
    if not _is_in(words, language):
        return _Objection("other_language", "model_language")
    summary = data.get("summary") if isinstance(data, dict) else answer.text
    if any(_is_no_text(it, prompt) for it in texts) or not _is_about(summary, source, prompt):
        return _Objection("no_text", "model_no_text", truncate(words, SHOWN_TOKENS))
    if unsaid := unsaid_in(words, prompt):
        return _Objection("made_up", "model_made_up", ", ".join(unsaid[:MOST_NAMED]))
    return None


def _is_no_text(words: str, prompt: str) -> bool:
    """True for a question back, and for the prompt or a part of it said again."""
    plain, given = _plain(words), _plain(prompt)
    if not plain or words.rstrip().endswith(("?", "？")):
        return True
    is_part = len(plain) >= LONGEST_QUOTE and plain in given
    return is_part or given[:LONGEST_QUOTE] in plain


def _is_about(summary: object, source: list[str], prompt: str) -> bool:
    """True unless a text is a word or two, or says nothing but what the instruction says."""
    if not isinstance(summary, str):
        return True
    said, given = set(tokenize(summary)), set(tokenize("\n".join(source)))
    instruction = set(tokenize(prompt)) - given
    return len(said) >= FEWEST_WORDS and not (said.isdisjoint(given) and said <= instruction)


def _plain(words: str) -> str:
    return "".join(filter(str.isalnum, words)).casefold()


def _is_in(words: str, language: Language) -> bool:
    """True if words can be an answer in this language: names and brands of others may be in it."""
    if language == "cn" and chinese_runs(words):
        return True
    return language_of(words, language) == language


def chunk_lines(lines: Sequence[str], budget: int) -> list[list[str]]:
    """Cut lines into chunks of at most ``budget`` tokens, in order; a longer line is cut itself.

    A piece that goes on with a line begins with an ellipsis, so that it cannot pass for the
    line of another speaker.

    Args:
        lines: a line an utterance, say.
        budget: tokens of a chunk; at least :data:`SMALLEST_CHUNK` are taken.
    """
    budget = max(budget, SMALLEST_CHUNK)
    chunks: list[list[str]] = [[]]
    taken = 0
    for line in lines:
        for piece in _pieces(line, budget):
            size = estimate_tokens(piece)
            if chunks[-1] and taken + size > budget:
                chunks.append([])
                taken = 0
            chunks[-1].append(piece)
            taken += size
    return [chunk for chunk in chunks if chunk]


def _pieces(line: str, budget: int) -> Iterator[str]:
    while estimate_tokens(line) > budget:
        # A character is at most one token, so this many always fit.
        end = line.rfind(" ", 1, budget)
        end = end if end > budget // 2 else budget - 1
        kind = type(line)  # a piece of what is escaped is escaped too
        yield kind(line[:end].strip())
        line = kind(f"… {line[end:].strip()}")
    if line:
        yield line


def _dialogue(subject: Subject, day: Day) -> list[str]:
    """What was said, a line an utterance, each marked with whose it is."""
    lines: list[str] = []
    for turn in day.turns:
        for speaker, words in ((subject.person, turn.query), (subject.companion, turn.response)):
            if words.strip():
                lines.append(speaker_line(speaker, words, subject.language))
    return lines


def _dated(key: str, language: Language, date: str, words: str) -> Escaped:
    """A day's text on one line, so that no line of it can pass for another day's."""
    return escaped_text("night", key, language, date=date, words=words)
