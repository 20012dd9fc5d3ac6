"""Write a night's texts with a chat model.

A day or a life too long for the context is cut into chunks, whose texts a further call joins. Only
the material is cut, never the instruction.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.support import unsupported_names
from siliconfriend.language.characters import is_written_in
from siliconfriend.language.sentences import join_sentences, split_sentences
from siliconfriend.language.words import word_set
from siliconfriend.memory.days import input_of
from siliconfriend.memory.records import Day, Turn
from siliconfriend.models.base import CompletionModel, Message
from siliconfriend.models.tokens import MESSAGE_TOKENS, PORTRAIT_TOKENS, estimate_tokens
from siliconfriend.prompts.escape import Escaped, escape_line, escaped_text, speaker_line
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.time_words import date_with_weekday
from siliconfriend.texts import Language, text

LAST = 30
"""Number of latest days always used for the portrait."""
EARLIER = 30
"""Maximum number of earlier days, spread over the years."""
MOST_NAMED = 5
"""Maximum number of unsupported names listed in an error."""
SMALLEST_CHUNK = 100
"""Minimum tokens of a chunk for any context size."""
FEWEST_WORDS = 2
"""Content words of the shortest summary."""
LONGEST_QUOTE = 60
"""Maximum number of consecutive prompt letters that an answer may repeat."""
SHORTEST_COPY = 8
"""Minimum letters of an answer that is rejected because it stands in the instruction."""

_PART = {"type": "string", "minLength": 1, "maxLength": 600}
DAY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "summary": {"type": "string", "minLength": 1, "maxLength": 2000},
        **dict.fromkeys(("traits", "mood", "strategy"), _PART),
    },
    "required": ["summary", "traits", "mood", "strategy"],
    "additionalProperties": False,
}
_WHOLE_LIFE = ("overall_history", "overall_personality")
PORTRAIT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        name: {"type": "string", "minLength": 1, "maxLength": 4000} for name in _WHOLE_LIFE
    },
    "required": [*_WHOLE_LIFE],
    "additionalProperties": False,
}
GREETING = "first_words"
PORTRAIT_SCHEMA["properties"][GREETING] = {"type": "string", "maxLength": 600}
WORDS_PER_TOKEN: Mapping[Language, float] = {"en": 0.6, "cn": 0.9}
"""Requested maximum words (or Chinese characters) per token of room."""
Texts = dict[str, str]
"""The texts of an answer by name."""


def portrayed_dates(dates: Sequence[str]) -> list[str]:
    """Return the last dates and some of the earlier ones, in their order.

    Of the earlier ones every second day of the calendar, every fourth, every eighth and so on,
    as few as it takes.
    """
    earlier, apart = list(dates[:-LAST]), 1
    while len(earlier) > EARLIER:
        apart *= 2
        earlier = [day for day in earlier if date.fromisoformat(day).toordinal() % apart == 0]
    return [*earlier, *dates[-LAST:]]


_VARIABLES = {"day": "dialogue", "day_parts": "parts", "portrait": "days"}
"""The variable of each prompt that takes the lines."""


class ModelWriter:
    """Writes about one person with a chat model.

    Every method raises ModelError instead of returning an empty or refused text, since results are
    stored.
    """

    def __init__(
        self, chat: CompletionModel, prompts: Prompts, subject: Subject, answer_tokens: int
    ) -> None:
        self._chat, self._prompts, self._subject = chat, prompts, subject
        self._room = chat.context_tokens - min(answer_tokens, chat.context_tokens // 3)

    def day(self, day: Day) -> Texts:
        """Write the texts of one day, named as in :data:`DAY_SCHEMA`."""
        who = self._subject
        said = [
            speaker_line(speaker, words, who.language)
            for turn in day.turns
            if not turn.is_quiet
            for speaker, words in ((who.person, turn.query), (who.companion, turn.response))
            if words.strip()
        ]
        date = date_with_weekday(day.date, who.language)
        return self._write("day", said, DAY_SCHEMA, then="day_parts", date=date)

    def portrait(self, days: Sequence[Day], today: date, due: Sequence[Turn] = ()) -> Texts:
        """Write the history of some days and who the person is, named as in :data:`PORTRAIT_SCHEMA`.

        A text that is longer than its room in a prompt loses its first sentences. ``due`` are turns
        about which the companion is to speak first today: :data:`GREETING` holds its words.
        """
        who, lines = self._subject, list[Escaped]()
        for day in days:
            for key, name in zip(("events", "analysis"), _WHOLE_LIFE, strict=True):
                if (made := input_of(day, name)) is not None:
                    names = {"date": day.date, "person": who.person, "words": made.text}
                    lines.append(escaped_text("night", key, who.language, **names))
        size = str(int(PORTRAIT_TOKENS * WORDS_PER_TOKEN[who.language]))
        told = [
            escaped_text("night", "due", who.language, date=turn.date, words=turn.query)
            for turn in due
        ]
        now = date_with_weekday(today.isoformat(), who.language)
        given: dict[str, Any] = {"size": size, "today": now, "due": told or None}
        texts = self._write("portrait", lines, PORTRAIT_SCHEMA, **given)
        return {name: newest_within(words, PORTRAIT_TOKENS) for name, words in texts.items()}

    def _write(
        self,
        prompt: str,
        lines: Sequence[str],
        schema: Mapping[str, Any],
        *,
        then: str = "",
        **values: object,
    ) -> Texts:
        """Prompt for each chunk of lines, then join the answers with ``then`` until one is left.

        Chunks rejected as too long are halved.
        """
        while True:
            form = self._render(prompt, [], values)
            room = self._room - estimate_tokens(form) - MESSAGE_TOKENS
            if room < SMALLEST_CHUNK:
                raise UnusableAnswer("model_too_long", name=self._chat.name)
            try:
                answers = [
                    self._ask(self._render(prompt, chunk, values), form, chunk, schema)
                    for chunk in chunk_lines(lines, room)
                ]
            except UnusableAnswer as error:
                if error.key != "model_too_long":
                    raise
                self._room //= 2
                continue
            if len(answers) == 1:
                return answers[0]
            texts = ["\n".join(answer.values()) for answer in answers]
            if sum(map(estimate_tokens, texts)) >= sum(map(estimate_tokens, lines)):
                raise UnusableAnswer("model_rambles", name=self._chat.name)
            prompt, lines = then or prompt, [escape_line(words) for words in texts]

    def _ask(
        self, prompt: str, form: str, source: Sequence[str], schema: Mapping[str, Any]
    ) -> Texts:
        """Ask for a text about the source, with one retry (UnusableAnswer: both were rejected).

        ``form`` is the prompt without the source.
        """
        messages, key, words = [Message("user", prompt)], "", ""
        for _ in range(2):
            answer = self._chat.complete(messages, schema)
            texts: Texts = answer.data
            key, words = _fault(texts, prompt, form, source, self._subject)
            if not key:
                return texts
            again = text("night", f"again.{key}", self._subject.language, words=words)
            messages += [Message("assistant", answer.text), Message("user", again)]
        raise UnusableAnswer(f"model_{key}", name=self._chat.name)

    def _render(self, prompt: str, lines: list[str], values: Mapping[str, object]) -> str:
        names = {"person": self._subject.person, "companion_name": self._subject.companion}
        return self._prompts.render(prompt, **names, **values, **{_VARIABLES[prompt]: lines})


def _fault(
    texts: Texts, prompt: str, form: str, source: Sequence[str], who: Subject
) -> tuple[str, str]:
    """Return the reason to reject an answer, as a text key, and the offending words."""
    words = "\n".join(texts.values())
    if not is_written_in(words, who.language):
        return "language", ""
    main = texts.get("summary") or texts["overall_history"]
    written = (words for name, words in texts.items() if name != GREETING)
    is_no_text = any(_is_no_text(words, prompt, form) for words in written)
    if is_no_text or not _is_about(main, source, prompt):
        return "no_text", ""
    is_of_day = "summary" in texts  # whose sentences a model judges
    unsaid = [] if is_of_day else unsupported_names(words, prompt, (who.person, who.companion))
    if unsaid:
        return "made_up", ", ".join(unsaid[:MOST_NAMED])
    return "", ""


def _is_no_text(words: str, prompt: str, form: str) -> bool:
    plain, given, instruction = (
        "".join(filter(str.isalnum, words)).casefold() for words in (words, prompt, form)
    )
    if not plain or words.rstrip().endswith(("?", "？")):
        return True
    is_part = len(plain) >= LONGEST_QUOTE and plain in given
    is_copied = len(plain) >= SHORTEST_COPY and plain in instruction
    return is_part or is_copied or given[:LONGEST_QUOTE] in plain


def _is_about(summary: str, source: Sequence[str], prompt: str) -> bool:
    said, given = word_set(summary), word_set(*source)
    instruction = word_set(prompt) - given
    return len(said) >= FEWEST_WORDS and not (said.isdisjoint(given) and said <= instruction)


def newest_within(words: str, tokens: int) -> str:
    """Truncate a text from the start to a length; the last sentence always stays."""
    if estimate_tokens(words) <= tokens:
        return words
    sentences = split_sentences(words)
    while len(sentences) > 1 and estimate_tokens(join_sentences(sentences)) > tokens:
        del sentences[0]
    return join_sentences(sentences)


def chunk_lines(lines: Sequence[str], budget: int) -> list[list[str]]:
    """Cut lines into chunks of at most ``budget`` tokens, in order; a longer line is cut itself.

    A continued line begins with an ellipsis, so that it cannot look like another speaker's line.
    """
    budget = max(budget, SMALLEST_CHUNK)
    chunks: list[list[str]] = [[]]
    taken = 0
    for line in lines:
        for piece in _pieces(line, budget):
            size = estimate_tokens(piece) + 1  # the end of the line
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
