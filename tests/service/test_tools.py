from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from siliconfriend.config import Settings
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutOverallPersonality, PutProfile
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Fact, Topic, TopicSegment
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import Overall
from siliconfriend.runtime import Runtime
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.tools import Tools
from siliconfriend.testing import MovingClock
from tests.memory.stored import put
from tests.service.conftest import ADA, Call, kept

MADE = Provenance("a test", datetime(2026, 3, 2, tzinfo=UTC))


def _fact(position: int, words: str, **given: object) -> Fact:
    facts: dict[str, object] = {
        "id": memory_id(ADA, "fact", "2026-03-01", position),
        "date": "2026-03-01",
        "position": position,
        "text": words,
        "trace": Trace(datetime(2026, 3, 1, tzinfo=UTC)),
        "provenance": MADE,
        "entity": "Ada",
        "entity_type": "object",
        "aspect": "attribute",
    }
    return Fact(**(facts | given))  # type: ignore[arg-type]  # fields by name, for brevity


def _say(call: Call, *said: str) -> None:
    for words in said:
        assert call("add_memory", user_input=words, agent_response="I see.")["status"] == "success"


def test_nothing_is_known_of_a_person_not_met_yet(call: Call, settings: Settings) -> None:
    """Looking is no error, and makes nobody up."""
    found = call("retrieve_memory", query="What is my cat called?")
    assert found["status"] == "success"
    assert found["short_term_memory"] == found["retrieved_pages"] == []
    assert call("get_user_profile")["user_profile"] == ""
    assert not (settings.home / "people").exists()


def test_the_talk_and_what_came_before_it_are_told_apart(call: Call, clock: MovingClock) -> None:
    """Today's words are the short-term memory, yesterday's a page; no turn stands in both."""
    _say(call, "My cat Biscuit ran away.")
    clock.move(days=1)
    _say(call, "I look for Biscuit.")
    found = call(
        "retrieve_memory",
        query="Where is Biscuit?",
        relationship_with_user="colleague",
        style_hint="brief",
    )
    assert found == {
        "status": "success",
        "query": "Where is Biscuit?",
        "timestamp": "2026-03-15 09:00:00",
        "relationship_with_user": "colleague",
        "style_hint": "brief",
        "short_term_memory": [
            {
                "user_input": "I look for Biscuit.",
                "agent_response": "I see.",
                "timestamp": "2026-03-15 09:00:00",
            }
        ],
        "retrieved_pages": [
            {
                "user_input": "My cat Biscuit ran away.",
                "agent_response": "I see.",
                "timestamp": "2026-03-14 09:00:00",
                "meta_info": "",
            }
        ],
        "retrieved_user_knowledge": [],
        "retrieved_assistant_knowledge": [],
        "total_pages_found": 1,
        "total_user_knowledge_found": 0,
        "total_assistant_knowledge_found": 0,
    }


def test_max_results_bounds_the_pages(call: Call, clock: MovingClock) -> None:
    """Of three that matter the best two are handed out; numbers beyond the bounds are refused."""
    _say(call, "Biscuit sleeps.", "Biscuit eats.", "Biscuit plays.")
    clock.move(days=1)
    assert len(call("retrieve_memory", query="Biscuit", max_results=2)["retrieved_pages"]) == 2
    for wrong in (0, 101, "many"):
        answer = call("retrieve_memory", query="Biscuit", max_results=wrong)
        assert answer["message"].startswith("max_results should be a whole number from 1 to 100.")


def test_what_is_handed_out_is_strengthened_and_a_profile_is_not(
    call: Call, settings: Settings, clock: MovingClock
) -> None:
    """A page enters a prompt and counts as recalled; a look at the profile changes no byte."""
    _say(call, "My cat Biscuit ran away.", "The weather is fine.")
    clock.move(days=1)
    before = kept(settings)
    call("get_user_profile")
    assert kept(settings) == before
    call("retrieve_memory", query="Where is Biscuit?")
    assert [turn.trace.strength for turn in kept(settings).turns()] == [2.0, 1.0]


def test_what_an_answer_quotes_is_no_new_memory(
    call: Call, settings: Settings, clock: MovingClock
) -> None:
    """Of an answer to what was handed out only the new part is indexed; of the next all of it."""
    _say(call, "My cat Biscuit ran away on Monday.")
    clock.move(days=1)
    call("retrieve_memory", query="How is Biscuit?")
    quoted = "My cat Biscuit ran away on Monday. Shall we print posters?"
    call("add_memory", user_input="I miss her badly.", agent_response=quoted)
    call("add_memory", user_input="I want to sleep.", agent_response=quoted)
    assert [turn.index_text for turn in kept(settings).turns()] == [
        None,
        "I miss her badly.\nShall we print posters?",
        None,
    ]


def test_topics_bring_their_pages_and_what_they_taught(
    call: Call, settings: Settings, clock: MovingClock
) -> None:
    """A page tells what its talk was about; knowledge is told under its owner, and cut."""
    _say(call, "My cat Biscuit ran away.")
    clock.move(days=1)
    (page,) = kept(settings).turns()
    date, topic = page.date, memory_id(ADA, "topic", page.date, 0)
    trace = Trace(datetime(2026, 3, 14, tzinfo=UTC))
    talk = TopicSegment((page.id,), overview="The search for the cat.")
    rests = replace(MADE, from_ids=(page.id,))
    records = [
        Topic(topic, date, 0, "A cat", trace, rests, key_words=("cat",), talks=(talk,)),
        _fact(0, "Biscuit is Ada's cat.", topic=topic),
        _fact(1, "I promised to ask about the cat Biscuit.", entity_type="subject", topic=topic),
        _fact(2, "Ada lives in Bonn.", topic=topic),
    ]
    put(FileStore(settings.home), ADA, *(PutDerived(it) for it in records))
    found = call("retrieve_memory", query="Where is the cat Biscuit?", max_results=1)
    assert [it["meta_info"] for it in found["retrieved_pages"]] == ["The search for the cat."]
    assert found["retrieved_user_knowledge"] == [
        {"knowledge": "Biscuit is Ada's cat.", "timestamp": "2026-03-01"}
    ]
    assert found["retrieved_assistant_knowledge"] == [
        {"knowledge": "I promised to ask about the cat Biscuit.", "timestamp": "2026-03-01"}
    ]
    (visited,) = kept(settings).topics()
    assert visited.visits == 1


def test_the_profile_tells_the_portrait_and_what_holds(call: Call, settings: Settings) -> None:
    """Newest first, each under its owner; what was corrected or put away is not told."""
    _say(call, "Hello")
    put_away = Trace(datetime(2026, 3, 1, tzinfo=UTC), archived=datetime(2026, 3, 2, tzinfo=UTC))
    facts = [
        _fact(0, "Ada lives in Bonn.", superseded_by=memory_id(ADA, "fact", "2026-03-01", 1)),
        _fact(1, "Ada lives in Köln.", last="2026-03-05"),
        _fact(2, "Mei dislikes coriander.", entity="Mei", entity_type="specific"),
        _fact(3, "Ada once had a bicycle.", trace=put_away),
        _fact(4, "I promised Ada a poem.", entity="I", entity_type="subject", aspect="promise"),
        _fact(5, "Walden is worth reading.", entity_type="general", said_by="companion"),
    ]
    put(
        FileStore(settings.home),
        ADA,
        PutOverallPersonality(Overall("Ada is curious.", MADE)),
        *(PutDerived(fact) for fact in facts),
    )
    assert call("get_user_profile", include_assistant_knowledge=True) == {
        "status": "success",
        "timestamp": "2026-03-14 09:00:00",
        "user_id": "Ada",
        "assistant_id": "default",
        "user_profile": "Ada is curious.",
        "user_knowledge": [
            {"knowledge": "Ada lives in Köln.", "timestamp": "2026-03-05"},
            {"knowledge": "Mei dislikes coriander.", "timestamp": "2026-03-01"},
        ],
        "user_knowledge_count": 2,
        "assistant_knowledge": [
            {"knowledge": "Walden is worth reading.", "timestamp": "2026-03-01"},
            {"knowledge": "I promised Ada a poem.", "timestamp": "2026-03-01"},
        ],
        "assistant_knowledge_count": 2,
    }
    bare = call("get_user_profile", include_knowledge=False)
    assert set(bare) == {"status", "timestamp", "user_id", "assistant_id", "user_profile"}


def test_errors_are_in_the_persons_language(call: Call, settings: Settings) -> None:
    """Whoever is spoken to in Chinese is told of errors in Chinese, whatever the settings say."""
    _say(call, "你好")
    with FileStore(settings.home).edit(ADA) as edit:
        edit.add(PutProfile(replace(edit.memory.profile, language="cn")))
    answer = call("add_memory", user_input="再见", agent_response="再见！")
    assert answer["message"] == "这段对话已经记住了。"
    assert call("retrieve_memory", query=" ")["message"].startswith("query 不能为空。")


def test_a_damaged_memory_is_told_and_left_alone(
    call: Call, settings: Settings, context: ServiceContext
) -> None:
    """Every tool says that it is damaged; no byte of it is changed."""
    _say(call, "Hello")
    store = FileStore(settings.home)
    store.fold(ADA)
    damaged = store.folder(ADA) / "memory.json"
    for path in store.folder(ADA).rglob("*.json*"):
        path.write_bytes(b"{")
    tools = Tools(ServiceContext(Runtime(context.settings, context.runtime.clock)))
    for name, given in (
        ("add_memory", {"user_input": "A", "agent_response": "B"}),
        ("retrieve_memory", {"query": "A"}),
        ("get_user_profile", {}),
    ):
        answer = tools.call(name, given)
        assert answer["status"] == "error"
        assert "damaged" in answer["message"]
    assert damaged.read_bytes() == b"{"


def test_a_busy_memory_is_told(settings: Settings, context: ServiceContext, call: Call) -> None:
    """Where another process holds the memory for too long, nothing is written and that is said."""
    _say(call, "Hello")
    holder = FileStore(settings.home)
    hasty = ServiceContext(
        Runtime(context.settings, context.runtime.clock, store=FileStore(settings.home, wait=0))
    )
    with holder.edit(ADA):
        answer = Tools(hasty).call("add_memory", {"user_input": "A", "agent_response": "B"})
    assert answer["status"] == "error"
    assert str(answer["message"]).startswith("The memory of Ada has been held")
    assert len(list(kept(settings).turns())) == 1


def test_a_missing_embedder_stops_only_what_needs_it(
    settings: Settings, clock: MovingClock
) -> None:
    """Adding and the profile work without the model that recall asks for."""
    missing = replace(settings, user="Ada", embedding="openai:any")
    tools = Tools(ServiceContext(Runtime(missing, clock)))
    added = tools.call("add_memory", {"user_input": "A", "agent_response": "B"})
    assert added["status"] == "success"
    found = tools.call("retrieve_memory", {"query": "A"})
    assert (found["status"], "there is no key" in found["message"]) == ("error", True)
    assert tools.call("get_user_profile", {})["status"] == "success"


@pytest.mark.parametrize(
    ("user", "start"), [(None, "Nobody is set"), ("../x", "'../x' cannot be a name")]
)
def test_without_a_person_every_call_says_so(
    settings: Settings, clock: MovingClock, user: str | None, start: str
) -> None:
    """No person, or a name that can be none, is an answer and no crash."""
    tools = Tools(ServiceContext(Runtime(replace(settings, user=user), clock)))
    for name, given in (
        ("add_memory", {"user_input": "A", "agent_response": "B"}),
        ("retrieve_memory", {"query": "A"}),
        ("get_user_profile", {}),
    ):
        answer = tools.call(name, given)
        assert answer["status"] == "error"
        assert answer["message"].startswith(start)


def test_a_fault_of_our_own_is_an_answer_too(
    context: ServiceContext, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The client hears one sentence, and the log holds where it happened."""

    def fail(_context: ServiceContext) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(ServiceContext, "memory", fail)
    answer = Tools(context).call("get_user_profile", {})
    assert answer["status"] == "error"
    assert answer["message"].startswith("Something went wrong that should not have (ZeroDivision")
    assert "Traceback" in caplog.text


@pytest.mark.parametrize(
    ("old", "before", "remark"),
    [
        (
            "I forgot my lines on the theatre stage.",
            "Tomorrow I am on the theatre stage again.",
            "I am so nervous.",
        ),
        ("我在剧院的舞台上忘了词。", "明天我又要上剧院的舞台了。", "我好紧张。"),
    ],
)
def test_a_remark_is_read_with_the_talk_it_stands_in(
    call: Call, clock: MovingClock, old: str, before: str, remark: str
) -> None:
    """It says nothing by which anything could be found; what was said before it does."""
    _say(call, old, "I bought socks.")
    clock.move(days=3)

    def pages() -> list[str]:
        found = call("retrieve_memory", query=remark)["retrieved_pages"]
        return [page["user_input"] for page in found]

    assert pages() == []
    _say(call, before)
    assert pages()[0] == old
