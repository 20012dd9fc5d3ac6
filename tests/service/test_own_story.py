"""The companion's own story among what the tools hand out."""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.config import Settings
from siliconfriend.extraction.drafts import EventDraft, FactDraft
from siliconfriend.lore.character import Character
from siliconfriend.lore.companions import Companions
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.runtime import Runtime
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.tools import Tools
from siliconfriend.testing import MovingClock
from tests.lore.conftest import tell
from tests.memory.stored import put
from tests.recall.known_people import a_fact, numbered
from tests.service.conftest import ADA, Call, kept

RAIN = FactDraft("The helper likes the smell of rain.")
REGEN = FactDraft("小帮手喜欢雨的味道。", language="cn")
SEEDLING = EventDraft("The first seedling came up after the rain.", place="greenhouse")


def test_the_companions_own_story_is_known_of_it(call: Call, settings: Settings) -> None:
    """Facts and events of its lore, in the person's language, also for somebody new."""
    tell(Companions(settings.home), "default", RAIN, REGEN, SEEDLING)
    found = call("retrieve_memory", query="What of the rain?")
    assert [it["knowledge"] for it in found["retrieved_assistant_knowledge"]] == [
        RAIN.text,
        SEEDLING.text,
    ]
    assert found["retrieved_assistant_knowledge"][0]["timestamp"] == "2026-03-14"
    assert found["total_assistant_knowledge_found"] == 2
    assert found["retrieved_user_knowledge"] == []
    profile = call("get_user_profile", include_assistant_knowledge=True)
    assert [it["knowledge"] for it in profile["assistant_knowledge"]] == [RAIN.text, SEEDLING.text]
    assert profile["user_knowledge"] == []


def test_a_promise_and_the_own_story_take_turns(call: Call, settings: Settings) -> None:
    """Neither buries the other; asking changes no byte of the lore."""
    lore = tell(Companions(settings.home), "default", RAIN, SEEDLING)
    call("add_memory", user_input="Hello", agent_response="Hi")
    promise = a_fact(
        "I promised to listen to the rain.", entity="I", entity_type="subject", aspect="promise"
    )
    (promise,) = numbered([promise], ADA)
    put(FileStore(settings.home), ADA, PutDerived(promise))
    found = call("retrieve_memory", query="What of the rain?", max_results=2)
    assert [it["knowledge"] for it in found["retrieved_assistant_knowledge"]] == [
        promise.text,
        RAIN.text,
    ]
    (fact,) = kept(settings).facts()
    assert fact.trace.strength == 2.0
    assert Companions(settings.home).lore("default") == lore


def test_each_companion_tells_its_own_story(settings: Settings, clock: MovingClock) -> None:
    """One that nobody described knows nothing of another's."""
    tell(Companions(settings.home), "Robin", RAIN)
    for companion, known in (("Robin", [RAIN.text]), ("default", [])):
        tools = Tools(
            ServiceContext(Runtime(replace(settings, user="Ada", companion=companion), clock))
        )
        found = tools.call("retrieve_memory", {"query": "What of the rain?"})
        assert [it["knowledge"] for it in found["retrieved_assistant_knowledge"]] == known


def test_the_companions_own_name_is_not_searched_for(call: Call, settings: Settings) -> None:
    """To be called by its name brings no knowledge of something that is called so too."""
    call("add_memory", user_input="Hello", agent_response="Hi")
    fence = a_fact("A robin nests by the fence.", entity="robin", entity_type="general")
    (fence,) = numbered([fence], ADA)
    put(FileStore(settings.home), ADA, PutDerived(fence))
    query = "Robin, is the kettle on?"
    assert len(call("retrieve_memory", query=query)["retrieved_user_knowledge"]) == 1
    Companions(settings.home).create(Character("default").with_texts("en", {"called": "Robin"}))
    assert call("retrieve_memory", query=query)["retrieved_user_knowledge"] == []


def test_what_companions_share_is_handed_out_and_not_strengthened(
    settings: Settings, clock: MovingClock
) -> None:
    """Robin may recall what Pebble was told, and Pebble nothing of Robin."""
    companions = Companions(settings.home)
    companions.create(Character("Robin", shares=("Pebble", "Nobody")))
    robin, pebble = (
        Tools(ServiceContext(Runtime(replace(settings, user="Ada", companion=name), clock)))
        for name in ("Robin", "Pebble")
    )
    pebble.call("add_memory", {"user_input": "Nell plays the oboe.", "agent_response": "Nice."})
    robin.call("add_memory", {"user_input": "I bought an oboe reed.", "agent_response": "Good."})
    clock.move(days=1)
    told = robin.call("retrieve_memory", {"query": "oboe"})["retrieved_pages"]
    assert [it["user_input"] for it in told] == ["I bought an oboe reed.", "Nell plays the oboe."]
    kept = FileStore(settings.home).load(Scope.of("Ada", "Pebble"))
    assert [turn.trace.strength for turn in kept.turns()] == [1.0]
    told = pebble.call("retrieve_memory", {"query": "oboe"})["retrieved_pages"]
    assert [it["user_input"] for it in told] == ["Nell plays the oboe."]
