"""Draft a reply: recall, then prompt a model, or follow the rules offline.

A message about self-harm is drafted apart, without memories.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from siliconfriend.characters.companions import companion_name
from siliconfriend.clock import day_of
from siliconfriend.config import Settings
from siliconfriend.dialogue.acts import read_act
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.distress import (
    LIKELY,
    POSSIBLE,
    help_opening,
    likelihood_of_danger,
    replace_mark,
)
from siliconfriend.dialogue.message_writer import REMINDER
from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.prompt import Prompt, PromptPlan
from siliconfriend.dialogue.prompt_talk import WrittenTalk
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import Certainty, RestsOn
from siliconfriend.dialogue.reply_stream import bounded, clean_reply
from siliconfriend.dialogue.retrieval import Retrieved, Retriever
from siliconfriend.errors import ModelError, UnusableAnswer
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.knowledge import DUE, GREETED, OFFLINE, Fact, Used
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.snapshots import Recent
from siliconfriend.models.base import ChatModel, Message, Usage
from siliconfriend.models.server import UNKNOWN_CONTEXT
from siliconfriend.models.tokens import estimate_message_tokens
from siliconfriend.prompts.escape import Escaped, escape_special_tokens, escaped_text
from siliconfriend.recall.results import Recalled, RecallResult

MOST_DUE, MOST_STORY = 3, 6
"""Maximum number of due matters, and of story entries, in a prompt."""

BEFORE_FACTS = 3
"""Number of memories placed before the facts."""

UNLIKELY = 0.01
"""Minimum likelihood of memories placed after the facts."""


@dataclass(frozen=True, slots=True)
class ReplyDraft:
    """A reply before streaming: its author, its stream of pieces, and its sources.

    ``certainty`` is that of an offline reply, None of a model's; ``rests_on`` as in :class:`Reply`.
    """

    model: ChatModel | None
    pieces: Generator[str, None, None]
    found: Retrieved
    used: tuple[Used, ...]
    certainty: Certainty | None = None
    rests_on: tuple[RestsOn, ...] = ()

    @property
    def usage(self) -> Usage:
        """Model usage of this answer."""
        return getattr(self.model, "last_usage", Usage())


@dataclass(slots=True)
class Spoken:
    """A reply during streaming, with notices for the person."""

    draft: ReplyDraft | None = None
    words: str = ""
    troubles: list[ModelError] = field(default_factory=list)
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Drafter:
    """Drafts the replies of one companion to one person (``scope``)."""

    settings: Settings
    scope: Scope
    retriever: Retriever
    talks: Recent[WrittenTalk]

    def draft(
        self, message: IncomingMessage, model: ChatModel | None, talk: Sequence[Exchange]
    ) -> ReplyDraft:
        """Draft the reply of a model, or without one of the rules, to a message of a talk.

        To words about self-harm, which the help text has answered, a model adds a few words without
        memories, and the rules add none. Where the learned weights alone find danger, the help text
        comes first, and the rules add only the answer to a question.
        """
        profile, is_distress = message.memory.profile, message.reading.is_distress
        danger, nothing = self._danger(message), _nothing(message)
        help_words = help_opening(self.settings, message.language)
        asked = None if message.turn is None else message.turn.asked
        is_corrected = message.confirmation and asked is None and model is None
        if is_corrected or (asked is not None and asked.is_whole):
            return ReplyDraft(None, bounded((), message.style.answer), nothing, (), "nothing")
        is_likely = model is None and danger > LIKELY
        if model is None and (is_distress or (is_likely and not message.reading.is_question)):
            pieces = bounded(() if is_distress else (help_words,), message.style.answer)
            return ReplyDraft(None, pieces, nothing, (), "nothing")
        if model is None:
            found = self._retrieve(message, talk)
            act = read_act(message.text, self.retriever.recaller.embedder)
            reply = reply_offline(message, found, self._name(message), act, talk)
            opening = (f"{help_words}\n\n",) if is_likely else ()
            pieces = bounded((*opening, *reply.pieces(profile.language)), message.style.answer)
            return ReplyDraft(None, pieces, found, reply.used, reply.certainty)
        plan, prompt, found = self._compose(message, model, talk, danger)
        clean = partial(
            clean_reply,
            companion=plan.companion_name,
            person=profile.called,
            message=message.text,
            model=model.name,
        )
        said = escape_special_tokens(message.text)
        pieces = _answer(model, prompt.messages, said, clean)
        if danger > POSSIBLE:
            care = replace(plan, care=_care(message, "instruction"), watch="")
            pieces = replace_mark(
                pieces,
                help_words + "\n\n",
                lambda: _answer(model, care.complete().messages, said, clean),
            )
        return ReplyDraft(model, pieces, found, prompt.used, rests_on=prompt.rests_on)

    def prompt(
        self, message: IncomingMessage, model: ChatModel | None, talk: Sequence[Exchange]
    ) -> list[Message]:
        """Build the prompt for a message; without a model, assume a typical context size."""
        return self._compose(message, model, talk, self._danger(message))[1].messages

    def _compose(
        self,
        message: IncomingMessage,
        model: ChatModel | None,
        talk: Sequence[Exchange],
        danger: float,
    ) -> tuple[PromptPlan, Prompt, Retrieved]:
        """Plan a prompt, recall for it, and complete it; without memories in distress."""
        is_distress = message.reading.is_distress
        plan = PromptPlan(
            message=message,
            settings=self.settings,
            companion_name=self._name(message),
            context_tokens=UNKNOWN_CONTEXT if model is None else model.context_tokens,
            find=self.retriever.finder(message.memory),
            talk=talk,
            lore=self.retriever.lore,
            care=_care(message, "instruction") if is_distress else "",
            watch=_care(message, "watch") if danger > POSSIBLE else "",
            before=self.talks.get(self.scope),
        )
        if is_distress:
            return plan, plan.complete(), _nothing(message)
        found = self._retrieve(message, talk, plan.turn_ids)
        story = plan.lines.story(entry.memory for entry in found.own_story[:MOST_STORY])
        prompt = plan.complete(used_of(found, message, has_begun=bool(talk)), story)
        self.talks.keep(self.scope, plan.written_talk)
        return plan, prompt, found

    def _retrieve(
        self,
        message: IncomingMessage,
        talk: Sequence[Exchange],
        exclude: Collection[str] = (),
    ) -> Retrieved:
        own = {message.turn.id} if message.turn else set[str]()
        return self.retriever.retrieve(
            message,
            companion_name=self._name(message),
            talk=talk,
            exclude=own.union(exclude),
        )

    def _danger(self, message: IncomingMessage) -> float:
        if message.reading.is_distress or "before" in message.reading.opts_out:
            return 0.0
        return likelihood_of_danger(message.text, self.retriever.recaller.embedder)

    def _name(self, message: IncomingMessage) -> str:
        language = message.memory.profile.language
        return companion_name(self.settings, self.scope.companion, language)


def _nothing(message: IncomingMessage) -> Retrieved:
    return Retrieved(RecallResult(message.text, "", message.now))


def _care(message: IncomingMessage, key: str) -> Escaped:
    profile = message.memory.profile
    return escaped_text("distress", key, profile.language, person=profile.called)


def used_of(
    found: Retrieved, message: IncomingMessage, *, has_begun: bool = False
) -> tuple[Used, ...]:
    """Select recalled memories, facts and due matters for a model, in the order of recall.

    Later turns about the same matter follow the first memory, so that an old value never appears
    alone. Likely facts follow the first memories, since they may answer briefly. In a talk that
    ``has_begun`` only matters due today are added.
    """
    memories, facts = found.memories.memories, found.memories.facts
    first, further = memories[:BEFORE_FACTS], memories[BEFORE_FACTS:]
    further = tuple(one for one in further if one.likelihood >= UNLIKELY)
    chains = found.memories.chains
    chain = chains.get(memories[0].memory.id, ()) if memories else ()
    every = [
        Used(identifier, one.score, one.parts, one.retention, one.is_likely)
        for one in (*first, *(fact for fact in facts if fact.is_likely), *further)
        for identifier in (
            *_ids_to_give(one, message.memory),
            *(turn.id for turn in (chain if one in memories[:1] else ())),
        )
    ]
    places = {used.id: at for at, used in reversed([*enumerate(every)])}
    every = [used for at, used in enumerate(every) if places[used.id] == at]
    every += [
        Used(turn.id, 0.0, {GREETED: 0.0}, is_likely=True) for turn in found.said_first[:MOST_DUE]
    ]
    today = day_of(message.now, message.memory.profile.zone)
    greeted = {turn.id for turn in found.said_first}
    for due in found.due[:MOST_DUE]:
        day = min(max(due.first, today), due.last)  # today while it goes on
        if due.turn.id not in greeted and (day == today or not has_begun):
            parts = {DUE: float((day - today).days)} | ({REMINDER: 1.0} if due.is_reminder else {})
            every.append(Used(due.turn.id, 0.0, parts, is_likely=True))
    return tuple(every)


def _ids_to_give(found: Recalled, person: PersonMemory) -> list[str]:
    """Return the memory, or for a rule-made one the turns that it quotes."""
    memory = found.memory
    if isinstance(memory, Turn) or memory.provenance.made_by != OFFLINE:
        return [memory.id]
    turns = [
        turn for turn in map(person.find, memory.provenance.from_ids) if isinstance(turn, Turn)
    ]
    if isinstance(memory, Fact):
        return [turn.id for turn in turns if found.is_likely]
    return [
        turn.id for turn in turns if any(map(memory.text.__contains__, split_sentences(turn.query)))
    ]


def _answer(
    model: ChatModel, messages: Sequence[Message], text: str, clean: Callable[..., Iterable[str]]
) -> Generator[str, None, None]:
    """Stream a model's answer; if it only repeats the prompt's end, ask with the message alone.

    The second answer is kept even if it repeats the message: "Good night" may be answered so.
    """
    preamble = messages[-1].content.removesuffix(text).rstrip().rpartition("\n")[2]
    alone = [*messages[:-1], Message("user", text)]
    for prompt, echoes in ((messages, (preamble, text)), (alone, ())):
        # Many servers silently truncate the beginning of an overlong prompt.
        if estimate_message_tokens(prompt) > model.context_tokens:
            raise UnusableAnswer("model_too_long", name=model.name)
        has_spoken = False
        for piece in clean(_stream(model, prompt), echoes=echoes):
            has_spoken = True
            yield piece
        if has_spoken:
            return


def _stream(model: ChatModel, messages: Sequence[Message]) -> Generator[str, None, None]:
    yield from model.stream(messages)
