"""The companion without a model quotes what was told, with its day, and asserts nothing else."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.acts import Act, read_act
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import ReplyStyle
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.evaluation.grading import grade_reply
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import language_of
from siliconfriend.language.sentences import LONGEST_QUOTE, excerpt
from siliconfriend.memory.changes import PutField, PutSummary, PutTurn, apply_all
from siliconfriend.memory.knowledge import OFFLINE, Fact, Provenance, Used
from siliconfriend.memory.records import DaySummary, Overall, PersonMemory, Turn
from siliconfriend.recall.cue import days_remembered
from siliconfriend.recall.dates import find_dates
from siliconfriend.recall.due import DueMatter, Planned
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language, sentences
from tests.dialogue.people import SCOPES, empty, judged, recalled, remembered, turn

NOW = datetime(2026, 3, 14, 18, tzinfo=UTC)
LEMON, PAINTER, BOAT = 0, 1, 2
MADE = Provenance(OFFLINE, NOW)
SAYS = sentences("offline", "en")["says"]


@pytest.fixture
def offline(settings: Settings, clock: MovingClock) -> Companion:
    """Ada's companion without a model."""
    return Companion("Ada", runtime=Runtime(settings, clock))


def _refuses(reply: str) -> bool:
    return grade_reply("unanswerable", "", reply) == "right"


def _turn(memory: PersonMemory, said: str) -> Turn:
    return turn(SCOPES[memory.profile.language], f"{NOW:%Y-%m-%dT%H:%M}", said, "", 0)


def _reply(
    said: str,
    memory: PersonMemory,
    found: tuple[Recalled, ...] = (),
    likelihoods: tuple[float, ...] = (),
    *,
    off_record: bool = False,
    now: datetime = NOW,
    due: tuple[DueMatter, ...] = (),
    planned: tuple[Planned, ...] = (),
    act: Act | None = None,
) -> str:
    stored = None if off_record else _turn(memory, said)
    message = IncomingMessage(said, now, memory, ReplyStyle(), stored)
    likely = judged(found, *(likelihoods or [0.9] * len(found)))
    named = find_dates(said, now=now, zone=memory.profile.zone, days=days_remembered(memory))
    retrieved = Retrieved(
        RecallResult(said, "", now, likely, spans=named), due=due, planned=planned
    )
    reply = reply_offline(message, retrieved, "Robin", act or read_act(said, None))
    return "".join(reply.pieces(memory.profile.language))


def _told(memory: PersonMemory, said: str) -> PersonMemory:
    """The memory after a message of the day before."""
    scope = SCOPES[memory.profile.language]
    return apply_all(memory, [PutTurn(turn(scope, "2026-03-13T22:00", said, "", 9))])


def _later(memory: PersonMemory, count: int) -> PersonMemory:
    """The memory after so many small messages of today."""
    scope, day = SCOPES[memory.profile.language], f"{NOW:%Y-%m-%d}"
    turns = (turn(scope, f"{day}T10:0{at}", "Hm.", "", at) for at in range(count))
    return apply_all(memory, [PutTurn(told) for told in turns])


@pytest.mark.parametrize(
    ("language", "question", "at", "day", "words"),
    [
        (
            "en",
            "What did Anna buy?",
            BOAT,
            "yesterday",
            "“My sister Anna bought a boat in Lisbon.”",
        ),
        (
            "en",
            "What did I plant?",
            LEMON,
            "30 November 2025",
            "“I planted a lemon tree on my balcony.”",
        ),
        ("cn", "安安在里斯本买了什么？", BOAT, "昨天", "“我妹妹安安在里斯本买了一条船。”"),
        ("cn", "我在阳台上种了什么？", LEMON, "2025年11月30日", "“我在阳台种了一棵柠檬树。”"),
    ],
)
def test_a_sure_memory_is_quoted_with_its_day(
    language: Language, question: str, at: int, day: str, words: str
) -> None:
    """Word by word, with nothing before it that doubts it."""
    memory = remembered(language)
    said = _reply(question, memory, recalled(memory, at))
    assert words in said
    assert day in said or day.capitalize() in said
    assert not _refuses(said)


@pytest.mark.parametrize(
    ("language", "question", "certainty"),
    [("en", "Where is my passport?", "closest"), ("cn", "我的护照在哪里？", "最接近")],
)
def test_what_is_unlikely_is_quoted_as_what_comes_closest(
    language: Language, question: str, certainty: str
) -> None:
    """With its day, best first, and with words that say it may not be meant."""
    memory = remembered(language)
    said = _reply(question, memory, recalled(memory, BOAT, LEMON), (0.4, 0.3))
    boat, lemon = (list(memory.turns())[at].query for at in (BOAT, LEMON))
    assert certainty in said
    assert 0 < said.find(boat) < said.find(lemon)
    assert _refuses(said)


@pytest.mark.parametrize("language", ["en", "cn"])
def test_it_never_says_that_something_was_not_told(language: Language) -> None:
    """It knows what it found; where that has nothing to do with the question it says only so."""
    memory = remembered(language)
    question = {"en": "Where is my passport?", "cn": "我的护照在哪里？"}[language]
    said = _reply(question, memory, recalled(memory, BOAT), (0.001,))
    assert said in sentences("offline", language)["says"]["nothing"]
    for denial in ("you told me", "you did not", "没跟我说", "没说过"):
        assert denial not in said


def test_the_first_reply_comes_with_what_offline_is(offline: Companion) -> None:
    """As a notice beside it, once, and not within the turn that is kept."""
    first = offline.reply("I bought a boat.")
    assert "diary" in offline.notice
    assert first.turn is not None
    assert "diary" not in first.turn.response.replace("in the diary", "")
    offline.reply("It is red.")
    assert offline.notice == ""


def test_a_reply_says_how_sure_it_is(offline: Companion, clock: MovingClock) -> None:
    """Sure of what is likely, unsure of what only comes close, and else of nothing."""
    offline.reply("My cat is called Miso.")
    offline.reply("I repaired the old bicycle with Tom.")
    clock.move(days=1)
    assert offline.reply("What is my cat called?").certainty == "sure"
    assert offline.reply("Where did the bicycle come from?").certainty in ("sure", "unsure")
    assert offline.reply("Good night").certainty == "nothing"


def test_at_most_three_are_quoted_best_first() -> None:
    memory = empty("en")
    told = [f"I planted tree number {count}." for count in range(5)]
    turns = [
        turn(SCOPES["en"], f"2026-01-0{at + 1}T12:00", words, "") for at, words in enumerate(told)
    ]
    memory = apply_all(memory, [PutTurn(one) for one in turns])
    found = recalled(memory, 3, 1, 0, 2)
    said = _reply("Which trees did I plant?", memory, found, (0.99, 0.95, 0.9, 0.85))
    places = [said.find(told[at]) for at in (3, 1, 0)]
    assert places == sorted(places)
    assert min(places) > 0
    assert told[2] not in said


@pytest.mark.parametrize(
    ("language", "before", "words", "question"),
    [
        (
            "en",
            "Guess who found my earrings.",
            "Two of them, behind the sofa.",
            "Where were my earrings?",
        ),
        ("cn", "你猜耳环在哪儿。", "它们在沙发后面。", "我的耳环在哪儿？"),
    ],
)
def test_a_quotation_that_refers_back_brings_the_turn_before_it(
    language: Language, before: str, words: str, question: str
) -> None:
    """The one that says something, whatever courtesy stands between."""
    scope, thanks = SCOPES[language], {"en": "Thanks!", "cn": "谢谢！"}[language]
    told = enumerate((before, thanks, words))
    turns = [turn(scope, f"2026-03-01T12:0{at}", said, "", at) for at, said in told]
    memory = apply_all(empty(language), [PutTurn(one) for one in turns])
    said = _reply(question, memory, recalled(memory, 2))
    assert before in said
    assert thanks not in said
    assert words in said


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "How was last week?"), ("en", "What did I do last week?"), ("cn", "上周我做了什么？")],
)
def test_a_period_is_told_by_the_summaries_of_its_days(language: Language, question: str) -> None:
    """In order of time, a line a day, and no other days."""
    scope = SCOPES[language]
    days = ["2026-03-01", "2026-03-03", "2026-03-05"]
    changes: list[Any] = []
    model = replace(MADE, made_by="openai:m")
    for day in days:
        changes.append(PutTurn(turn(scope, f"{day}T12:00", f"I told of {day}.", "")))
        summary = DaySummary(f"{day}-day", day, f"Summary of {day}", Trace(NOW), model)
        changes.append(PutSummary(day, summary))
    said = _reply(question, apply_all(empty(language), changes), now=NOW - timedelta(days=5))
    assert [line[-10:] for line in said.splitlines()] == days[1:]


@pytest.mark.parametrize(
    ("question", "told", "plan"),
    [
        ("What's coming up this month?", "I mended the gate.", "I fly to Oslo on 20 March."),
        ("这个月我还有什么安排？", "我修好了大门。", "三月二十号我飞奥斯陆。"),
    ],
)
def test_a_period_to_come_is_told_by_what_is_planned(question: str, told: str, plan: str) -> None:
    language = language_of(question)
    days = enumerate((told, plan), start=1)
    turns = [turn(SCOPES[language], f"2026-03-0{at}T12:00", words, "") for at, words in days]
    memory = apply_all(empty(language), [PutTurn(one) for one in turns])
    day = date(2026, 3, 20)
    planned = (Planned(list(memory.turns())[1], day, day),)
    said = _reply(question, memory, recalled(memory, 0, 1), planned=planned)
    assert plan in said
    assert told not in said


@pytest.mark.parametrize(
    ("question", "plan", "habit", "over"),
    [
        (
            "What's coming up?",
            "I fly to Oslo on 20 March.",
            "I do pottery every other Wednesday.",
            "I swam every Monday.",
        ),
        (
            "接下来有什么安排？",
            "三月二十号我飞奥斯陆。",
            "我每隔一周的周三上陶艺课。",
            "那年我每周一都去游了泳。",
        ),
    ],
)
def test_what_recurs_is_listed_among_what_is_coming_up(
    question: str, plan: str, habit: str, over: str
) -> None:
    """Unless it was so in the past."""
    language = language_of(question)
    days = enumerate((over, habit, plan), start=1)
    turns = [turn(SCOPES[language], f"2026-03-0{at}T12:00", told, "") for at, told in days]
    memory = apply_all(empty(language), [PutTurn(told) for told in turns])
    day = date(2026, 3, 20)
    said = _reply(question, memory, planned=(Planned(turns[2], day, day),))
    assert 0 < said.find(plan) < said.find(habit)
    assert over not in said


@pytest.mark.parametrize(
    ("habit", "wednesday", "thursday"),
    [
        (
            "Every Thursday I've got choir at seven.",
            "What's on on Wednesday 18 March?",
            "What's on on Thursday 19 March?",
        ),
        (
            "每周四晚上七点我有合唱团。",
            "3月18号周三有什么安排？",
            "3月19号周四有什么安排？",
        ),
    ],
)
def test_what_recurs_is_listed_for_its_weekday(habit: str, wednesday: str, thursday: str) -> None:
    language = language_of(habit)
    told = turn(SCOPES[language], "2026-03-02T12:00", habit, "")
    memory = apply_all(empty(language), [PutTurn(told)])
    assert habit in _reply(thursday, memory)
    assert habit not in _reply(wednesday, memory)


def test_weeks_to_come_are_told_by_what_is_planned() -> None:
    """Also where nothing but the days looks ahead."""
    memory, day = _told(remembered("en"), "I fly to Oslo on 20 March."), date(2026, 3, 20)
    flight = list(memory.turns())[-1]
    question = "What have you got noted for the coming weeks?"
    said = _reply(question, memory, planned=(Planned(flight, day, day),), act="period")
    assert said.count("“") == 1
    assert flight.query in said


@pytest.mark.parametrize(
    ("told", "asks", "then"),
    [
        (
            "From January I earn 45 thousand as team lead.",
            "What will I earn as team lead?",
            "And from when?",
        ),
        (
            "Ola and Ben come on 20 March, I am cooking goulash.",
            "What am I cooking for Ola and Ben?",
            "and when are they coming?",
        ),
        ("小贝3月20号来，我打算做鱼。", "我给小贝做什么？", "她什么时候来？"),
    ],
)
def test_a_question_without_words_asks_on_about_what_was_quoted(
    offline: Companion, clock: MovingClock, told: str, asks: str, then: str
) -> None:
    offline.reply(told)
    offline.reply("The cat sleeps.")
    clock.move(days=1)
    offline.reply(asks)
    assert told.rstrip(".。") in offline.reply(then).text


@pytest.mark.parametrize(
    ("question", "told", "planned"),
    [
        ("What did I tell you last week?", "I mended the gate.", "On 4 March I see the vet."),
        ("我上周跟你说了什么？", "我修好了大门。", "3月4号我去看兽医。"),
    ],
)
def test_a_question_for_what_was_told_leaves_out_what_was_planned(
    question: str, told: str, planned: str
) -> None:
    """Also where nothing was told in that week."""
    language, scope = language_of(question), SCOPES[language_of(question)]
    earlier = turn(scope, "2026-02-20T12:00", planned, "")
    memory = apply_all(empty(language), [PutTurn(earlier)])
    found = (replace(recalled(memory, 0)[0], parts={"date": 2.0}),)
    says = sentences("offline", language)["says"]
    assert _reply(question, memory, found) in says["nothing"]
    memory = apply_all(memory, [PutTurn(turn(scope, "2026-03-03T12:00", told, ""))])
    said = _reply(question, memory, found)
    assert told in said
    assert planned not in said


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("List everything about the trees.", "I planted tree number {}."),
        ("把种树的事都列出来", "我种树种了{}棵。"),
    ],
)
def test_a_question_for_everything_lists_more_than_three(question: str, told: str) -> None:
    """In the order of their days."""
    language = language_of(question)
    turns = [
        turn(SCOPES[language], f"2026-01-0{at}T12:00", told.format(at), "") for at in range(1, 6)
    ]
    memory = apply_all(empty(language), [PutTurn(told) for told in turns])
    said = _reply(question, memory, recalled(memory, 3, 1, 0, 2, 4), (0.9, 0.8, 0.7, 0.6, 0.5))
    places = [said.find(told.format(at)) for at in range(1, 6)]
    assert places == sorted(places)
    assert min(places) > 0


def test_a_remark_brings_up_only_what_is_likely() -> None:
    memory = remembered("en")
    lemon = recalled(memory, LEMON)
    assert "I planted a lemon tree" in _reply("I bought lemons.", memory, lemon, (0.9,))
    assert _reply("I bought lemons.", memory, lemon, (0.49,)) in SAYS["kept_news"]


def test_a_remark_brings_up_nothing_that_only_shares_its_day() -> None:
    memory = remembered("en")
    (lemon,) = recalled(memory, LEMON)
    found = (replace(lemon, parts={"date": 2.0}),)
    assert "lemon tree" not in _reply("Tomos moves out on 30 November.", memory, found, (0.9,))


def test_a_remark_brings_up_nothing_that_was_said_on_the_same_day() -> None:
    memory = remembered("en")
    (lemon,) = recalled(memory, LEMON)
    told = datetime.fromisoformat(f"{lemon.memory.date}T23:00+00:00")
    assert "lemon tree" not in _reply("I bought lemons.", memory, (lemon,), (0.9,), now=told)


def test_a_remark_is_not_reminded_of_the_same_twice() -> None:
    memory = remembered("en")
    (lemon,) = recalled(memory, LEMON)
    earlier = list(memory.turns())[BOAT]
    reminded = replace(earlier, used=(Used(lemon.memory.id, lemon.score),))
    memory = apply_all(memory, [PutTurn(reminded)])
    said = _reply("I bought lemons.", memory, (lemon,), (0.9,))
    assert "lemon tree" not in said


@pytest.mark.parametrize("act", ["news", "plan", "joy", "loss", "worry", "anger", "tired", "joke"])
@pytest.mark.parametrize("language", ["en", "cn"])
def test_a_remark_is_acknowledged_by_what_it_does(language: Language, act: Act) -> None:
    """In words of its own for each, and not always the same."""
    says, memory = sentences("offline", language)["says"], remembered(language)
    replies = {_reply("Hm.", _later(memory, count), act=act) for count in range(3)}
    assert replies <= set(says[f"kept_{act}"])
    assert len(replies) > 1


@pytest.mark.parametrize(
    ("plan", "day"),
    [("I fly to Oslo on 20 March.", "20 March"), ("三月二十号我飞奥斯陆。", "3月20日")],
)
def test_a_plan_is_kept_for_its_day(plan: str, day: str) -> None:
    """Not for the first of several days."""
    assert day in _reply(plan, remembered(language_of(plan)), act="plan")
    assert "21" not in _reply("He moves out at the end of March.", remembered("en"), act="plan")


@pytest.mark.parametrize("language", ["en", "cn"])
def test_advice_takes_a_model_and_what_was_told_of_the_matter_is_quoted(language: Language) -> None:
    """First what was told, likely or not; a wish for advice is never answered by a denial."""
    memory = remembered(language)
    boat, says = list(memory.turns())[BOAT].query, sentences("offline", language)["says"]
    for share in (0.9, 0.3):
        said = _reply("Hm?", memory, recalled(memory, BOAT), (share,), act="advice")
        assert 0 < said.find(boat) < said.find(says["cannot_more"][0])
    assert _reply("Hm?", memory, recalled(memory, BOAT), (0.01,), act="advice") in says["cannot"]
    assert _reply("Hm?", memory, recalled(memory, BOAT), (0.3,), act="create") in says["cannot"]


@pytest.mark.parametrize(
    ("language", "question"), [("en", "Where is my passport?"), ("cn", "我的护照在哪里？")]
)
def test_what_has_nothing_to_do_with_a_question_is_not_quoted(
    language: Language, question: str
) -> None:
    """No word, name or day is shared, and the meaning only as far as that of any two texts."""
    memory = remembered(language)
    said = _reply(question, memory, recalled(memory, BOAT, LEMON), (0.1, 0.08))
    assert said in sentences("offline", language)["says"]["nothing"]


@pytest.mark.parametrize(
    ("question", "asked_before"),
    [("who was at the party", "who came to the party"), ("聚会上有谁", "谁来了聚会")],
)
def test_an_earlier_question_is_not_quoted_as_something_told(
    question: str, asked_before: str
) -> None:
    """Though it was typed without a mark, and resembles the question most."""
    language = language_of(question)
    memory = _told(remembered(language), asked_before)
    (asked,) = (turn for turn in memory.turns() if turn.query == asked_before)
    found = (*recalled(memory, BOAT), replace(recalled(memory, BOAT)[0], memory=asked))
    said = _reply(question, memory, found, (0.6, 0.9))
    assert asked_before not in said
    assert list(memory.turns())[BOAT].query in said


def test_a_question_for_more_than_the_day_is_not_answered_by_the_day_alone() -> None:
    """What was told that day is the closest, but nothing sure."""
    memory = remembered("en")
    (boat,) = recalled(memory, BOAT)
    found = (replace(boat, parts={**boat.parts, "date": 2.0}),)
    assert "closest" in _reply("Who phoned me yesterday?", memory, found, (0.9,))


@pytest.mark.parametrize("remark", ["I play gateball on Mondays.", "我每周一打门球。"])
def test_a_remark_that_is_taken_for_a_question_is_kept(remark: str) -> None:
    """It has not the form of one, and nothing is found that it could ask for."""
    said = _reply(remark, remembered("en"), act="recall")
    assert said in SAYS["kept_news"]


def test_what_was_said_last_is_repeated() -> None:
    """With its day, where the talk is over."""
    memory = remembered("en")
    last = list(memory.turns())[BOAT].query
    said = _reply("What did I say last?", memory, act="just_said")
    assert last in said
    assert "yesterday" in said.lower()


def test_what_is_due_is_asked_at_the_beginning_of_a_day() -> None:
    """With a greeting and a first remark; not later, and not beside something heavy."""
    memory = remembered("en")
    told = list(memory.turns())[BOAT]
    due = (DueMatter(told, NOW.date(), NOW.date(), "today"),)
    for words in ("Hello", "The bins were out."):
        assert told.query in _reply(words, memory, due=due)
    assert told.query not in _reply("The bins were out.", _later(memory, 3), due=due)
    assert told.query not in _reply("I feel lonely.", memory, due=due, act="loss")


@pytest.mark.parametrize(
    ("said", "is_farewell"),
    [
        ("Off to bed now, good night!", True),
        ("不早了，我先去洗澡，晚安。", True),
        ("Kit said goodbye at the door.", False),
        ("他道了晚安就走了。", False),
    ],
)
def test_a_remark_that_ends_as_a_farewell_is_answered_by_one(said: str, is_farewell: bool) -> None:
    language = language_of(said)
    memory, farewells = remembered(language), sentences("offline", language)["says"]["farewell"]
    told = list(memory.turns())[BOAT]
    reply = _reply(said, memory, due=(DueMatter(told, NOW.date(), NOW.date(), "today"),))
    person, companion = memory.profile.called, "Robin"
    says = [farewell.format(person=person, companion=companion) for farewell in farewells]
    assert any(farewell in reply for farewell in says) is is_farewell
    assert (told.query in reply) is not is_farewell


@pytest.mark.parametrize(
    ("said", "is_wish"),
    [
        ("Can you remind me to feed the goat on Friday?", True),
        ("你周五能提醒我喂羊吗？", True),
        ("Did you remind me yesterday to feed the goat?", False),
        ("What will you remind me of tomorrow?", False),
        ("你明天要提醒我什么？", False),
    ],
)
def test_who_asks_to_be_reminded_is_told_so(said: str, is_wish: bool) -> None:
    language = language_of(said)
    memory = remembered(language)
    found = recalled(memory, LEMON) if is_wish else ()
    reply = _reply(said, memory, found)
    promise = {"en": "on Fri 20 March (in 6 days)", "cn": "3月20日周五（6天后）"}
    assert (promise[language] in reply) is is_wish


@pytest.mark.parametrize(
    ("wish", "remark"),
    [
        ("Remind me to pay the rent tomorrow.", "I paid the rent."),
        ("明天提醒我交房租", "房租交了。"),
    ],
)
def test_a_remark_does_not_bring_up_a_wish_to_be_reminded(wish: str, remark: str) -> None:
    language = language_of(wish)
    asked = turn(SCOPES[language], "2026-03-12T12:00", wish, "")
    memory = apply_all(empty(language), [PutTurn(asked)])
    assert wish not in _reply(remark, memory, recalled(memory, 0))


def test_fixed_answers() -> None:
    """The person's name and the moment stand in them."""
    assert "Ada" in _reply("What's my name?", remembered("en"), act="name")
    assert "2026" in _reply("What day is it?", remembered("en"), act="today")
    assert "files" in _reply("Where is my data?", remembered("en"), act="storage")


def test_what_was_told_is_listed() -> None:
    """Each with its day; of a model's portrait its words."""
    memory, question = remembered("en"), "What have I told you?"
    said = _reply(question, memory, act="about_me")
    assert all(told.query in said for told in (list(memory.turns())[at] for at in (LEMON, BOAT)))
    reminder = "Remind me on Friday to oil the gate."
    assert reminder not in _reply(question, _told(memory, reminder), act="about_me")
    portrait = Overall("A sailor.", replace(MADE, made_by="openai:m"))
    assert "A sailor." in _reply(
        question, apply_all(memory, [PutField("overall_history", portrait)]), act="about_me"
    )
    assert _reply(question, empty("en"), act="about_me") in SAYS["nothing_told"]


def test_off_the_record_nothing_is_promised() -> None:
    said = _reply("The bins were out.", remembered("en"), off_record=True)
    assert said in SAYS["unkept"]


def test_a_question_of_no_words_quotes_nothing_of_the_talk(offline: Companion) -> None:
    """Whether something was said before it or not."""
    assert _refuses(offline.reply("And then?", off_record=True).text)
    offline.reply("I bought a boat.", off_record=True)
    assert _refuses(offline.reply("And then?", off_record=True).text)
    assert "boat" in offline.reply("What did I buy?", off_record=True).text


def test_off_the_record_it_does_not_always_say_the_same(offline: Companion) -> None:
    first, second = (offline.reply("Thank you.", off_record=True).text for _ in range(2))
    assert first != second


@pytest.mark.parametrize(
    ("filler", "meant", "about"),
    [
        ("It rained all day. ", "The violin is in the attic. ", "Where is the violin?"),
        ("整天都在下雨，什么事也没有。", "小提琴在阁楼上。", "小提琴在哪儿？"),
    ],
)
def test_a_long_memory_is_cut_to_what_is_asked(filler: str, meant: str, about: str) -> None:
    """Whole sentences, with ellipses where something was left out."""
    cut = excerpt(filler * 20 + meant + filler * 20, about)
    assert f" … {meant.strip()} …" in cut
    assert cut.startswith(filler.strip())
    assert len(cut) <= LONGEST_QUOTE + 5
    assert excerpt("！" * 300) == "！" * LONGEST_QUOTE + " …"


@pytest.mark.parametrize("made_by", [OFFLINE, "openai:m"])
def test_a_fact_is_told_in_the_words_it_was_taken_from(made_by: str) -> None:
    """The judge finds it by the fact, which shares more with the question than the words do."""
    memory = remembered("en")
    boat = list(memory.turns())[BOAT]
    made = Provenance(made_by, NOW, (boat.id,))
    told = "Ada's sister has a boat."
    fact = Fact("fact-1", boat.date, 0, told, Trace(NOW), made, "Anna", "specific", "attribute")
    found = tuple(replace(one, memory=fact) for one in recalled(memory, BOAT))
    assert boat.query in _reply("Who in my family has a vessel?", memory, found)


def test_what_a_model_wrote_of_a_day_is_told_as_a_note() -> None:
    """Not in quotation marks as something the person said."""
    memory = remembered("en")
    boat = list(memory.turns())[BOAT]
    summary = DaySummary(
        boat.id.replace("turn", "day"),
        boat.date,
        "Anna bought a boat.",
        Trace(NOW),
        Provenance("openai:m", NOW),
    )
    memory = apply_all(memory, [PutSummary(boat.date, summary)])
    found = tuple(replace(one, memory=summary) for one in recalled(memory, BOAT))
    said = _reply("Who has a vessel?", memory, found)
    assert "Anna bought a boat." in said
    assert "“" not in said


@pytest.mark.parametrize(
    ("told", "asks", "question"),
    [
        (
            "My neighbour Ines shouted at me all evening, was I wrong to leave?",
            "Give me the names of my neighbours",
            "Who is Ines?",
        ),
        ("邻居阿桂昨晚冲我发了一通火，是我错了吗？", "把我邻居的名字说一遍", "阿桂是谁"),
    ],
)
def test_what_is_told_before_a_question_is_found_and_an_order_is_not(
    offline: Companion, clock: MovingClock, told: str, asks: str, question: str
) -> None:
    """An order to say something is no statement, so that it is never quoted as one."""
    offline.reply(told)
    clock.move(days=1)
    offline.reply(asks)
    clock.move(days=1)
    reply = offline.reply(question).text
    assert told.rstrip("?？") in reply
    assert asks not in reply
    assert asks not in offline.reply("What are the names of my neighbours?").text
