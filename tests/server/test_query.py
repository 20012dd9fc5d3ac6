"""The query service: its fields, its scores, and whose memory it reads."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from siliconfriend.testing import MovingClock
from tests.server.serving import Server, run_night

ADA = "/v1/people/Ada"


@pytest.fixture
def told(operator: httpx.Client, clock: MovingClock) -> httpx.Client:
    """Ada told about flowers and a flat, and a night has passed."""
    for day, said in (
        ("2026-03-01", "My favourite flower is called Rose, a red rose."),
        ("2026-03-02", "I painted the kitchen yellow with my brother Tom."),
        ("2026-03-03", "The train to Porto was late."),
    ):
        operator.post(f"{ADA}/turns", json={"said": said, "replied": "I see.", "at": day})
    run_night(operator, ADA)
    facts = operator.get(f"{ADA}/memories", params={"kind": "fact"}).json()["memories"]
    (flower,) = (each for each in facts if "flower" in each["text"])
    own = {"text": "Ada's favourite flower is the red rose."}  # what rules made is not searched
    operator.patch(f"{ADA}/memories/{flower['id']}", json=own).raise_for_status()
    return operator


def _query(client: httpx.Client, **asked: Any) -> dict[str, Any]:
    answer = client.post("/query", json=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_answer_has_the_fields_of_its_source(told: httpx.Client) -> None:
    """Events, entities and additional information, the Chinese names included."""
    found = _query(told, query="What is my favourite flower?", user="Ada")
    assert " ".join(found) == "memory_events memory_entities official_answers additional_info"
    event = found["memory_events"][0]
    fields = "id score index description deepinsight updatetime keyword log"
    assert " ".join(event) == fields
    assert "red rose" in event["description"]
    assert event["id"] == 0
    assert event["keyword"][0] == "rose"  # said twice; the others are as rare as each other
    assert 0 < event["score"] <= 1
    assert event["updatetime"] == "2026-03-01"
    assert f"index={event['index']}.在2026-03-01" in event["log"]
    entity = found["memory_entities"][0]
    fields = "id kind score index description updatetime matched_keywords keyword log"
    assert " ".join(entity) == fields
    assert entity["kind"] in ("用户属性", "用户关系", "其他属性", "其他关系")
    assert entity["index"]["index"].startswith("fact-")
    assert "flower" in entity["matched_keywords"]
    info = found["additional_info"]
    assert list(info) == ["检索耗时", "query", "分词", "给联想的基词", "扩展后联想词"]
    assert re.fullmatch(r"[\d.]+ 毫秒", info["检索耗时"]["扩词算法"])
    assert "flower" in info["分词"]
    assert all(len(each) == 1 for each in info["扩展后联想词"])


def test_the_threshold_and_the_limit_let_in_less(server: Server, told: httpx.Client) -> None:
    """Scores lie between 0 and 1, best first; no memory is strengthened by a query."""
    before = server.runtime.store.load(server.runtime.scope("Ada"))
    asked = {"query": "flower kitchen train", "user": "Ada"}
    scores = [each["score"] for each in _query(told, **asked, limit=100)["memory_events"]]
    assert scores == sorted(scores, reverse=True)
    assert 1 >= scores[0] > scores[-1] >= 0
    likely = _query(told, **asked, limit=100, score_threshold=scores[0])["memory_events"]
    assert [each["score"] for each in likely] == [scores[0]]
    assert len(_query(told, **asked, limit=1)["memory_events"]) == 1
    assert server.runtime.store.load(server.runtime.scope("Ada")) == before


def test_the_simple_form_holds_words_alone(told: httpx.Client) -> None:
    """The same contents in the same order."""
    asked = {"query": "favourite flower", "user": "Ada"}
    whole = _query(told, **asked)
    simple = told.post("/v1/query_simple", json=asked).json()
    assert simple == {
        "memory_events": [each["description"] for each in whole["memory_events"]],
        "memory_entities": [each["description"] for each in whole["memory_entities"]],
    }


def test_a_person_s_key_needs_no_name_and_reaches_no_other(
    server: Server, told: httpx.Client
) -> None:
    """Another's name is nobody's; the operator must name someone."""
    with server.client_of("Ada") as ada:
        assert _query(ada, query="favourite flower")["memory_events"]
        for path in ("/query", "/v1/query_simple"):
            assert ada.post(path, json={"query": "x", "user": "Bo"}).status_code == 404
    nobody = told.post("/query", json={"query": "x"})
    assert (nobody.status_code, nobody.json()["code"]) == (422, "nobody_asked")


def test_words_are_expanded_as_the_source_has_it(server: Server, operator: httpx.Client) -> None:
    """By the operator's table, with its levels; an impossible level is refused."""
    table: Path = server.runtime.settings.home / "associations.tsv"
    table.write_text("红色\t玫瑰\t6\n红色\t交通灯\t5\n花\t玫瑰\t4\n花\t蜜蜂\t1\n", encoding="utf-8")
    asked = {"sentence": "红色的花", "chinese_rd_count": 100, "logic_type": "second"}
    found = operator.post("/expand_words", json={**asked, "filter_values": [1]}).json()
    assert found == {
        "原始关键词列表": ["红色", "花"],
        "输入的单词列表": ["红色", "花"],
        "扩展的联想词列表": [{"玫瑰": 8}, {"交通灯": 5}],
    }
    assert operator.post("/expand_words", json={**asked, "filter_values": [10]}).status_code == 422
