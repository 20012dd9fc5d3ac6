"""The prompt of a reply: what stands in it, where, and what of it stays from message to message."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise, takewhile
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import live_turns
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.changes import Erase, PutField, PutTurn
from siliconfriend.memory.knowledge import OFFLINE, Provenance, Tie
from siliconfriend.memory.records import Overall
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import Message
from siliconfriend.models.tokens import estimate_message_tokens
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from tests.dialogue.people import said
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore

ADA = Scope.of("Ada")
TOLD = (
    "My sister Nell plays the oboe in Ghent, in an orchestra that never pays her on time.",
    "I planted a lemon tree on my balcony, in the blue pot that my grandmother left me.",
    "My manager is called Gerald, and he whistles the same three notes all afternoon.",
    "I row on the old canal before breakfast, and nobody but the herons is awake by then.",
)
ASKED = ("Good evening.", "What does Nell play?", "And what did I plant?", "Thank you.")


@pytest.fixture
def store() -> MemoryStore:
    """An empty store."""
    return TemporaryStore()


def _friend(
    store: MemoryStore,
    settings: Settings,
    clock: MovingClock,
    context_tokens: int = 8192,
    **changed: Any,
) -> tuple[Companion, ScriptedChatModel]:
    """Ada's companion, who was told a few things on days before today."""
    model = ScriptedChatModel(
        otherwise=lambda _messages: "I see, and I am glad that you told me of it, truly glad.",
        context_tokens=context_tokens,
    )
    runtime = Runtime(replace(settings, **changed), clock, store=store, chat=model)
    friend = Companion("Ada", runtime=runtime)
    for words in TOLD:
        friend.reply(words)
        clock.move(days=1)
    model.calls.clear()
    return friend, model


def _whole(messages: Sequence[Message]) -> str:
    return "\0".join(f"{message.role}:{message.content}" for message in messages)


def _share_kept(calls: Sequence[Sequence[Message]]) -> float:
    """The share of the prompts' characters that stand unchanged from the one before."""
    prompts = [_whole(call) for call in calls]
    kept = sum(_same(*two) for two in pairwise(prompts))
    return kept / sum(map(len, prompts[1:]))


def _same(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return sum(
        1 for _ in takewhile(lambda marks: marks[0] == marks[1], zip(one, other, strict=False))
    )


def test_while_everything_fits_everything_stands_before_the_talk(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """By day, in order of time, the same from turn to turn; no message repeats any of it."""
    friend, model = _friend(store, settings, clock)
    for words in ASKED:
        friend.reply(words)
        clock.move(minutes=1)
    systems = [call[0].content for call in model.calls]
    assert len(set(systems)) == 1
    places = [systems[0].index(words.rstrip(".")) for words in TOLD]
    assert places == sorted(places)
    spoken = "".join(one.content for one in model.calls[-1][1:])
    assert not any(words.rstrip(".") in spoken for words in TOLD)
    assert [said(one) for one in model.calls[-1] if one.role == "user"] == list(ASKED)


def test_beyond_that_a_message_brings_what_it_calls_for_and_keeps_it(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """What was recalled stays before its message as the model saw it, and stands once."""
    friend, model = _friend(store, settings, clock, memory_tokens=90)
    sister = TOLD[0].rstrip(".")
    for words in (*ASKED, ASKED[1]):
        friend.reply(words)
        clock.move(minutes=1)
    assert sister not in model.calls[0][0].content
    assert sister in model.calls[1][-1].content
    for before, after in pairwise(model.calls):
        assert after[: len(before)] == before
    assert _whole(model.calls[-1]).count(sister) == 1


def test_what_was_answered_stands_behind_what_was_said(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Advice, recommendations and corrections; nothing of being an AI."""
    friend, model = _friend(store, settings, clock)
    for words, answer in (
        ("Do you like apples?", "As an AI I eat nothing. Try the ones from the market."),
        ("I want to read something.", "Take “Emma” with you, it is long and kind."),
        ("They were only together for five years.", "You told me that it was eleven."),
    ):
        model.enqueue(answer)
        friend.reply(words)
        clock.move(days=1)
    friend.reply("Good evening.")
    told = model.calls[-1][0].content
    assert "SiliconFriend: Try the ones from the market.\n" in told
    assert "SiliconFriend: Take “Emma” with you" in told
    assert "five years.\nSiliconFriend: You told me that it was eleven." in told


@pytest.mark.parametrize("memory_tokens", [90, 250, 1500])
def test_a_false_premise_never_stands_without_its_correction(
    store: MemoryStore, settings: Settings, clock: MovingClock, memory_tokens: int
) -> None:
    """Whether it was recalled, or everything that was told stands, with little room or much."""
    friend, model = _friend(store, settings, clock, memory_tokens=memory_tokens)
    model.enqueue("It was eleven, you told me. Five would have been easier for her, I guess.")
    friend.reply("At least Imke and Tom were together for five years only.")
    clock.move(days=1)
    friend.reply("How long were Imke and Tom together?")
    prompt = _whole(model.calls[-1])
    assert "five years only.\nSiliconFriend: It was eleven, you told me." in prompt


def test_only_a_question_brings_more_of_replies_that_stand_already(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    friend, model = _friend(store, settings, clock, memory_tokens=380)
    model.enqueue(
        "An oboe needs a reed each month. Players of it are known to sleep with a knife and some "
        "cane beside the bed, and to wake at night with a new idea of how thin a tip can be. "
        "Reeds are dear, as each is cut by hand. The good cane comes from one valley in France."
    )
    friend.reply("Nell says that the oboe is costly.")
    clock.move(days=1)
    for words, brings in (
        ("Evening, what a day.", False),
        ("Where does the good cane come from?", True),
    ):
        friend.reply(words)
        assert ("<memories>" in model.calls[-1][-1].content) is brings
    prompt = _whole(model.calls[-1])
    assert "comes from one valley in France." in prompt
    assert prompt.count("An oboe needs a reed each month.") == 1


def test_of_a_long_reply_the_sentences_that_are_asked_for_stand(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Not those it begins with: a recommendation often comes last."""
    friend, model = _friend(store, settings, clock, memory_tokens=120)
    preamble = (
        "A habit grows by being repeated at a time of the day that is its own. "
        "Whoever writes a little each evening soon has a page, and whoever has one wants another. "
        "Paper is patient, a pencil is cheap, and a drawer with a lock costs less than a lawyer. "
    )
    model.enqueue(preamble + "You could also try a program for notes like Joplin.")
    friend.reply("Have you any tips for taking notes?")
    clock.move(days=1)
    friend.reply("Which program for notes did you recommend?")
    prompt = model.calls[-1][-1].content
    assert "Joplin" in prompt
    assert "Paper is patient" not in prompt


def test_most_of_a_prompt_stands_unchanged_over_a_talk(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Eight messages, after a life that does not fit."""
    friend, model = _friend(store, settings, clock, memory_tokens=90)
    for words in (*ASKED, "Who whistles?", "I am tired.", "Where do I row?", "Bye."):
        friend.reply(words)
        clock.move(minutes=2)
    assert _share_kept(model.calls) >= 0.85


def test_what_was_erased_is_not_written_again(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Neither in what is told nor before the message it was recalled for."""
    friend, model = _friend(store, settings, clock, memory_tokens=90)
    friend.reply(ASKED[1])
    first = next(iter(store.load(ADA).turns()))
    put(store, ADA, Erase((first.id,)))
    friend.reply("Good.")
    assert "oboe" in _whole(model.calls[0])
    assert "oboe" not in _whole(model.calls[1])


def test_a_long_talk_is_shortened_by_half_at_once(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """So it begins alike for many messages, and never takes more than two thirds of the context."""
    friend, model = _friend(store, settings, clock, context_tokens=4096)
    for number in range(24):
        friend.reply(f"Number {number}: " + "the weather here is long and grey. " * 6)
        clock.move(minutes=1)
    firsts = [said(call[1]).split(":")[0] for call in model.calls]
    assert len(set(firsts)) <= len(firsts) // 3
    assert max(map(estimate_message_tokens, model.calls)) <= 4096 * 2 // 3


@pytest.mark.parametrize("made_by", ["openai:x", OFFLINE])
def test_only_what_a_model_wrote_stands_beside_what_was_said(
    store: MemoryStore, settings: Settings, clock: MovingClock, made_by: str
) -> None:
    """A portrait by rules is left out without a word."""
    friend, model = _friend(store, settings, clock, memory_tokens=90)
    made = Provenance(made_by, clock.moment)
    put(store, ADA, PutField("overall_history", Overall("Ada rows and plants.", made)))
    friend.reply("Hello.")
    system = model.calls[-1][0].content
    assert ("Ada rows and plants." in system) == (made_by != OFFLINE)
    assert ("<life_so_far>" in system) == (made_by != OFFLINE)


def test_a_message_sent_again_stands_once(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Where the first time got no answer."""
    friend, model = _friend(store, settings, clock)
    model.enqueue("")
    with pytest.raises(Exception, match="scripted"):
        friend.reply("Are you there?")
    friend.reply("Are you there?")
    assert [said(call) for call in model.calls[-1][1:]] == ["Are you there?"]


@pytest.mark.parametrize("words", ["I planted a lemon tree.", "我种了一棵柠檬树。"])
def test_the_end_of_the_prompt_is_no_reply(
    settings: Settings, clock: MovingClock, words: str
) -> None:
    """A model that repeats what stands before the message, and the message, shows neither."""
    model = ScriptedChatModel(otherwise=lambda messages: f"{messages[-1].content}\n\nMm.")
    runtime = Runtime(settings, clock, store=TemporaryStore(), chat=model)
    assert Companion("Ada", runtime=runtime).reply(words).text == "Mm."


def test_a_conversation_ends_with_a_long_pause(store: MemoryStore, settings: Settings) -> None:
    """Not with an hour of the clock: a talk of a whole day stands whole."""
    clock = MovingClock(datetime(2026, 3, 14, 6, tzinfo=UTC))
    model = ScriptedChatModel(otherwise=lambda _messages: "Mm.")
    friend = Companion("Ada", runtime=Runtime(settings, clock, store=store, chat=model))
    for _ in range(4):
        friend.reply("Hm.")
        clock.move(hours=5)
    assert len(live_turns(store.load(ADA), clock.moment)) == 4
    clock.move(hours=2)
    assert live_turns(store.load(ADA), clock.moment) == []


@pytest.mark.parametrize("memory_tokens", [90, 1500])
def test_what_is_due_stands_before_the_first_message_that_recalls_it(
    store: MemoryStore, settings: Settings, clock: MovingClock, memory_tokens: int
) -> None:
    """Beside the memory itself, with its day; once a talk, and not when it is done."""
    friend, model = _friend(store, settings, clock, memory_tokens=memory_tokens)
    friend.reply("Remind me on Friday to fetch the cellar key from Mr Okafor.")
    clock.move(days=2)
    friend.reply("Is there something about a cellar key today?")
    first = model.calls[-1][-1].content
    assert "today (Ada asked for a reminder on" in first
    assert "2 days ago): Remind me on Friday to fetch the cellar key" in first
    clock.move(minutes=1)
    friend.reply("I fetched the cellar key. And how are you?")
    assert "<due>" not in model.calls[-1][-1].content


def test_a_matter_is_named_as_due_in_one_reply_alone_and_with_what_it_moved(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Where the older words are not in the prompt, a request in them stands beside the new day."""
    friend, model = _friend(store, settings, clock, memory_tokens=90)
    friend.reply("The scan is on Tuesday. Remind me the day before to write down questions.")
    friend.reply("They moved the scan to Saturday.")
    old, new = [*store.load(ADA).turns()][-2:]
    ties = (Tie(old.id, "postpones"),)
    put(store, ADA, PutTurn(replace(old, outdated_by=new.id)), PutTurn(replace(new, ties=ties)))
    clock.move(days=2)
    due = [[used.is_due for used in friend.reply(said).based_on] for said in ("Hi.", "And now?")]
    assert due == [[True], []]
    first = model.calls[-2][-1].content
    assert "Remind me the day before to write down questions. … They moved the scan" in first


def test_what_was_said_to_be_done_is_not_due_later_in_the_talk(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    friend, model = _friend(store, settings, clock)
    friend.reply("Remind me on Friday to fetch the cellar key from Mr Okafor.")
    clock.move(days=2)
    friend.reply("I fetched the cellar key from Mr Okafor.")
    friend.reply("And how are you?")
    assert "<due>" not in model.calls[-1][-1].content


def test_a_reply_rests_on_what_was_due(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Also where recall ranks the same memory as unlikely; it is named once."""
    friend, _ = _friend(store, settings, clock)
    told = friend.reply("Ask me on Friday how the first accordion lesson went.").turn
    assert told is not None
    clock.move(days=2)
    reply = friend.reply("Hello, me again. Rain all day here.")
    assert [used.id for used in reply.based_on] == [told.id]
    assert reply.based_on[0].is_due


def test_words_that_stand_in_the_prompt_are_not_repeated_where_they_outdate_others(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    friend, model = _friend(store, settings, clock)
    old = friend.reply("The neurologist sees us on Tuesday.").turn
    clock.move(days=1)
    new = friend.reply("The neurologist sees us on Friday at two instead.").turn
    assert old is not None
    assert new is not None
    with store.edit(ADA) as edit:
        edit.add(PutTurn(replace(old, response="Hm.", outdated_by=new.id)))
    friend.reply("Thanks.")
    sent = "\n".join(message.content for message in model.calls[-1])
    assert f"(this has changed; see {new.date})" in sent
    assert sent.count("on Friday at two instead") == 1


def test_a_reply_tells_what_it_rests_on(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Only what is likely to be meant is named and strengthened, not all that was sent."""
    friend, _ = _friend(store, settings, clock, memory_tokens=90)
    reply = friend.reply("What does my sister Nell play in Ghent?")
    memory = store.load(ADA)
    texts = [found.text for one in reply.based_on if (found := memory.find(one.id))]
    assert [TOLD[0] in text for text in texts] == [True]
    assert reply.rests_on == ()
    strengthened = [turn.query for turn in memory.turns() if turn.trace.recalls]
    assert strengthened == [TOLD[0]]
    told, _ = _friend(TemporaryStore(), settings, clock)
    assert told.reply("Good evening.").rests_on == ("told",)


@pytest.mark.parametrize(
    ("answer", "is_used"), [("Freeze it first.", False), ("How is Nell?", True)]
)
def test_a_reply_to_a_remark_rests_on_what_it_takes_up(
    store: MemoryStore, settings: Settings, clock: MovingClock, answer: str, is_used: bool
) -> None:
    """What only lay near the remark is neither named nor strengthened."""
    friend, model = _friend(store, settings, clock, memory_tokens=90)
    model.enqueue(answer)
    reply = friend.reply("My sister Nell played the oboe in Ghent again, in the orchestra.")
    nell = next(turn for turn in store.load(ADA).turns() if turn.query == TOLD[0])
    assert [used.is_likely for used in reply.used if used.id == nell.id] == [True]
    assert (nell.id in [used.id for used in reply.based_on]) is is_used
    assert bool(nell.trace.recalls) is is_used


def test_a_question_about_the_companions_words_brings_them_before_other_memories(
    store: MemoryStore, settings: Settings, clock: MovingClock
) -> None:
    """Where room is short, further turns would leave them a heading."""
    friend, model = _friend(store, settings, clock, memory_tokens=250)
    last = "Giotto is where it all begins."
    model.enqueue(
        f"I recommend many painters of Italy. Leonardo has the hands, Raphael the calm. {last}"
    )
    friend.reply("Which painters of Italy should I look at?")
    for room in range(6):
        friend.reply(f"Room {room} of the museum has painters of Italy whom I did not know.")
    clock.move(days=1)
    friend.reply("Which painters of Italy did you recommend to me?")
    assert last in model.calls[-1][-1].content
