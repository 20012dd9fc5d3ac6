"""The client against a server that fails in every way a server can."""

from typing import Any

import pytest

from siliconfriend.errors import ModelError, ModelUnavailable, UnusableAnswer
from siliconfriend.models import model_request
from siliconfriend.models.base import Answer, AnswerOptions, Message, Usage
from siliconfriend.models.failures import retry_after
from siliconfriend.models.openai_compatible import THINKING_TOKENS, OpenAICompatible
from tests.loopback import Answered, LoopbackServer, chunk, refused, streamed

ASKED = [Message("system", "Be kind."), Message("user", "Hello you")]
SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
KEY = "sk-very-secret"


def _model(server: LoopbackServer, **changed: Any) -> OpenAICompatible:
    options: dict[str, Any] = {"api_key": KEY, "timeout": 5.0, "max_retries": 0, **changed}
    return OpenAICompatible("tiny", base_url=server.url, **options)


def test_a_reply_is_streamed(loopback: LoopbackServer) -> None:
    """The words come piece by piece; model, key, limits and messages went to the server."""
    loopback.answers([streamed("<think>hm</think>", "Hello ", "there")])
    model = _model(loopback, temperature=0.3, max_tokens=99)
    assert list(model.stream(ASKED)) == ["Hello ", "there"]
    assert loopback.keys == [f"Bearer {KEY}"]
    asked = loopback.asked[0]
    assert asked["messages"][1] == {"role": "user", "content": "Hello you"}
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("tiny", 0.3, 99)
    assert (model.name, model.address) == ("openai:tiny", loopback.url.removesuffix("/v1"))


def test_a_whole_answer_counts_its_tokens(loopback: LoopbackServer) -> None:
    """The answer is one text, with what the server counted."""
    loopback.answers([streamed("```\nHello\n", "there\n```")])
    assert _model(loopback).complete(ASKED) == Answer("Hello\nthere", None, 7, 3)


@pytest.mark.parametrize(
    ("status", "said", "says"),
    [
        (401, "", "OPENAI_API_KEY"),
        (404, "model tiny not found", "SILICONFRIEND_MODEL"),
        (404, "", "OPENAI_BASE_URL"),
        (429, "insufficient_quota", "no credit"),
    ],
)
def test_a_status_is_a_sentence_with_its_remedy(
    loopback: LoopbackServer, status: int, said: str, says: str
) -> None:
    """In both languages, naming host and model and never the key."""
    loopback.answers([refused(status, f"{said} bad key {KEY}")])
    with pytest.raises(ModelUnavailable, match=says) as caught:
        _model(loopback).complete(ASKED)
    assert "tiny" in str(caught.value)
    assert "127.0.0.1" in caught.value.message("cn")
    assert KEY not in str(caught.value) + caught.value.message("cn")


def test_a_busy_server_is_asked_once_more(loopback: LoopbackServer) -> None:
    """The client tries again by itself as often as documented, after the time it is told."""
    loopback.answers([refused(429, retry_after="0.01"), streamed("Hello")])
    assert list(_model(loopback, max_retries=1).stream(ASKED)) == ["Hello"]
    assert len(loopback.asked) == 2


@pytest.mark.parametrize("said", ['"9"', "-4", "true"])
def test_a_server_that_cannot_count_is_understood(loopback: LoopbackServer, said: str) -> None:
    """A number of tokens that is none counts as 0 and costs nobody their reply."""
    usage = f'data: {{"choices": [], "usage": {{"prompt_tokens": {said}}}}}\n\n'
    loopback.answers([Answered([chunk("Hello"), chunk(finish="stop"), usage])])
    assert _model(loopback).complete(ASKED) == Answer("Hello", None, 0, 0)


def test_thinking_shown_as_words_spoils_its_own_reply_alone(loopback: LoopbackServer) -> None:
    """The next reply of the same model streams as before."""
    loopback.answers([streamed("I should ", "greet.</think>", "Hello"), streamed("Hel", "lo.")])
    model = _model(loopback)
    with pytest.raises(UnusableAnswer) as caught:
        list(model.with_options(AnswerOptions()).stream(ASKED))
    assert caught.value.key == "model_thought_aloud"
    assert list(model.stream(ASKED)) == ["Hel", "lo."]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "Developer instruction is not enabled"),
        (400, "System role not supported"),
        (422, "messages.0.role: Input should be 'user' or 'assistant'"),
        (424, "Conversation roles must alternate user/assistant/user/assistant/..."),
        (500, "Only user, assistant and tool roles are supported, got system."),
    ],
)
def test_a_model_without_system_messages_gets_the_rules_in_the_first_one(
    loopback: LoopbackServer, status: int, said: str
) -> None:
    """They are asked again once, and from then on so at once."""
    loopback.answers([refused(status, said), streamed("Hello.")])
    model = _model(loopback)
    asked = [Message("system", "Be kind."), Message("user", "Hi")]
    assert "".join(model.stream(asked)) == "Hello."
    assert loopback.asked[1]["messages"] == [{"role": "user", "content": "Be kind.\n\nHi"}]
    assert "".join(model.stream(asked)) == "Hello."
    assert len(loopback.asked) == 3


@pytest.mark.parametrize(
    "said",
    [
        "Range of max_tokens should be [1, 8192]",
        "max_tokens is too large: 8400. This model supports at most 8192 completion tokens",
        "`max_tokens` must be less than or equal to `8192`, which is less than the context window",
    ],
)
def test_a_server_that_allows_shorter_answers_is_asked_for_them(
    loopback: LoopbackServer, said: str
) -> None:
    """The limit is learned from its refusal; it is not taken for a prompt that is too long."""
    loopback.answers([refused(400, said), streamed("Hello")])
    model = _model(loopback, context=60_000, thinks=True)
    for _ in range(2):
        assert list(model.stream(ASKED)) == ["Hello"]
    assert [asked["max_tokens"] for asked in loopback.asked] == [8400, 8192, 8192]


@pytest.mark.parametrize("end", ["/v1/", "/v1/chat/completions", "/v1/models/", "", "/"])
def test_an_address_may_be_pasted_in_any_form(loopback: LoopbackServer, end: str) -> None:
    """Without a path, ``/v1`` is tried where nothing answers at the root."""
    root = loopback.url.removesuffix("/v1")
    loopback.answers([*[refused(404)] * (not end.strip("/")), streamed("Hello")])
    model = OpenAICompatible("tiny", base_url=root + end, max_retries=0)
    assert list(model.stream(ASKED)) == ["Hello"]
    assert loopback.paths[-1] == "/v1/chat/completions"


def test_an_unknown_failure_shows_the_servers_own_sentence(loopback: LoopbackServer) -> None:
    """Without secrets, and at most 200 characters of it."""
    said = f"Quota project sk-abcdef1234567890 is on fire. {KEY} {'x ' * 200}"
    loopback.answers([refused(400, said)])
    with pytest.raises(ModelError) as caught:
        list(_model(loopback).stream(ASKED))
    words = caught.value.message("en")
    assert "“Quota project … is on fire." in words
    assert "sk-abc" not in words
    assert len(words) < 360


@pytest.mark.parametrize(
    "secret",
    [
        *(
            "sk-proj-AbCdEf0123",
            "Bearer abc.def",
            "eyJhbGciOiJIUzI1NiJ9.abc",
            "AKIAIOSFODNN7EXAMPLE",
        ),
        *(
            "https://u:pw@host/v1",
            "https://host/v1?api_key=SECRET99",
            "dXNlcjpwYXNzd29yZDEyMzQ1Njc4OTA=",
        ),
    ],
)
def test_no_secret_is_shown(loopback: LoopbackServer, secret: str) -> None:
    """Keys, tokens and passwords that a server repeats are struck out in both languages."""
    loopback.answers([refused(400, f"It is odd: {secret} indeed")])
    with pytest.raises(ModelError) as caught:
        list(_model(loopback).stream(ASKED))
    hidden = secret.removeprefix("https://host/v1?api_key=").removeprefix("https://")
    for shown in (caught.value.message("en"), caught.value.message("cn")):
        assert hidden not in shown
        assert "It is odd: " in shown


def test_an_answer_without_an_end_is_left(
    loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes on past any sensible length is given up, not gathered."""
    monkeypatch.setattr(model_request, "LONGEST_ANSWER", 1000)
    loopback.answers([streamed(*["la "] * 1000)])
    with pytest.raises(ModelUnavailable) as caught:
        _model(loopback).complete(ASKED)
    assert caught.value.key == "model_broke_off"


def test_a_server_is_told_whether_to_think_as_it_wants_it(loopback: LoopbackServer) -> None:
    """The switch goes along; one that is rejected is left out from then on, also in copies."""
    loopback.answers([refused(400, "Unrecognized: chat_template_kwargs"), streamed("Hello")])
    switch = {"chat_template_kwargs": {"enable_thinking": False}}
    model = _model(loopback, thinking_switch=switch)
    for _ in range(2):
        assert list(model.with_options(AnswerOptions()).stream(ASKED)) == ["Hello"]
    assert [asked.get("chat_template_kwargs") for asked in loopback.asked] == [
        {"enable_thinking": False},
        None,
        None,
    ]


def test_a_rejection_that_says_nothing_is_learned_where_leaving_out_helps(
    loopback: LoopbackServer,
) -> None:
    """The switch is left out after it, and from then on only if the server then answers."""
    rejected = refused(400, "bad request")
    loopback.answers([rejected, rejected, rejected, streamed("Hello")])
    model = _model(loopback, thinking_switch={"reasoning_effort": "none"})
    with pytest.raises(ModelUnavailable):
        list(model.stream(ASKED))
    for _ in range(2):
        assert list(model.stream(ASKED)) == ["Hello"]
    told = ["reasoning_effort" in asked for asked in loopback.asked]
    assert told == [True, False, True, False, False]


@pytest.mark.parametrize(("context", "thinking"), [(60_000, THINKING_TOKENS), (6000, 2000)])
def test_a_model_that_may_think_has_tokens_for_it(
    loopback: LoopbackServer, context: int, thinking: int
) -> None:
    """They count into the limit at every server; of a small context they have a third."""
    loopback.answers([streamed("Hello")])
    model = _model(loopback, max_tokens=100, context=context, thinks=True)
    assert list(model.stream(ASKED)) == ["Hello"]
    assert model.context_tokens == context - thinking
    assert loopback.asked[0]["max_tokens"] == 100 + thinking


def test_a_long_wait_is_told_and_not_waited_for(loopback: LoopbackServer) -> None:
    """A server that asks for half a minute is not asked again; the person learns how long."""
    loopback.answers([refused(429, retry_after="30"), streamed("Hello")])
    with pytest.raises(ModelUnavailable, match="30 seconds") as caught:
        list(_model(loopback, max_retries=1).stream(ASKED))
    assert "30 秒" in caught.value.message("cn")
    assert (caught.value.key, caught.value.retry_after) == ("model_busy", 30.0)
    assert len(loopback.asked) == 1


def test_nobody_there() -> None:
    """A port nobody listens on is a sentence about the address, not a traceback."""
    model = OpenAICompatible("tiny", base_url="http://u:pass@127.0.0.1:9/v1", max_retries=0)
    with pytest.raises(ModelUnavailable, match="cannot be reached") as caught:
        model.complete(ASKED)
    assert "pass" not in str(caught.value)


def test_json_is_asked_for_by_schema(loopback: LoopbackServer) -> None:
    """The schema goes to the server, and what comes back is read and checked."""
    loopback.answers([streamed('{"mood": ', '"glad"}')])
    answer = _model(loopback).complete(ASKED, SCHEMA)
    assert answer.data == {"mood": "glad"}
    form = loopback.asked[0]["response_format"]
    assert (form["type"], form["json_schema"]["schema"]) == ("json_schema", SCHEMA)
    assert loopback.asked[0]["temperature"] == 0.0


@pytest.mark.parametrize("bad", ["I am glad", '{"mood": 3}'])
def test_a_bad_answer_is_shown_to_the_model_once(loopback: LoopbackServer, bad: str) -> None:
    """The second request holds the bad answer and what is wrong with it; tokens add up."""
    loopback.answers([streamed(bad), streamed('```json\n{"mood": "glad"}\n```')])
    answer = _model(loopback).complete(ASKED, SCHEMA)
    assert answer == Answer('{"mood": "glad"}', {"mood": "glad"}, 14, 6, requests=2)
    shown = loopback.asked[1]["messages"]
    assert shown[2] == {"role": "assistant", "content": bad}
    assert "does not fit" in shown[3]["content"]
    loopback.answers([streamed(bad)])
    with pytest.raises(UnusableAnswer, match="tiny") as caught:
        _model(loopback).complete(ASKED, SCHEMA)
    assert caught.value.details["usage"] == Usage(2, 14, 6)


def test_a_server_without_schemas_is_asked_more_simply(loopback: LoopbackServer) -> None:
    """The rejected form is not tried again, and the schema then stands in the prompt."""
    loopback.answers(
        [
            refused(400, "Unrecognized: stream_options"),
            refused(400, "response_format json_schema is unavailable"),
            streamed('{"mood": "glad"}'),
        ]
    )
    model = _model(loopback)
    model.complete(ASKED, SCHEMA)
    forms = [asked.get("response_format", {}).get("type") for asked in loopback.asked]
    assert forms == ["json_schema", "json_schema", None]
    assert '"required": ["mood"]' in loopback.asked[2]["messages"][-1]["content"]
    assert "stream_options" not in loopback.asked[2]
    model.complete([Message("user", "你今天心情怎么样？")], SCHEMA)
    assert "请只回答一段" in loopback.asked[3]["messages"][-1]["content"]
    assert "response_format" not in loopback.asked[3]


def test_newer_limits_are_learned(loopback: LoopbackServer) -> None:
    """A model that wants the limit by its new name and no temperature gets both."""
    loopback.answers(
        [
            refused(400, "'max_tokens' is not supported with this model."),
            refused(400, "Unsupported value: 'temperature'"),
            streamed("Hello"),
        ]
    )
    assert list(_model(loopback).stream(ASKED)) == ["Hello"]
    asked = loopback.asked[2]
    assert asked["max_completion_tokens"] == 400
    assert asked.keys().isdisjoint({"max_tokens", "temperature"})


def test_half_characters_reach_neither_side(loopback: LoopbackServer) -> None:
    """Lone surrogates are dropped from what is asked and from what is heard."""
    loopback.answers([streamed("Hi \ud83d", "\ude00 \udc00you")])
    words = list(_model(loopback).stream([Message("user", "Hello \ud83d you")]))
    assert "".join(words) == "Hi 😀 you"
    assert loopback.asked[0]["messages"][0]["content"] == "Hello  you"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"}, 0.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m30.5s"}, 390.5),
        ({"x-ratelimit-remaining-tokens": "7", "x-ratelimit-reset-tokens": "6m30s"}, None),
        ({}, None),
    ],
)
def test_how_long_a_server_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    """A number of seconds, a date or milliseconds; what is none says nothing."""
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("Please try again in 20s.", 20.0),
        ("Please retry in 33.5s.", 33.5),
        ("retryDelay 33s", 33.0),
        ("Please try again in 1m2.5s.", 62.5),
        ("请在 20 秒后重试", 20.0),
        ("try again later", None),
    ],
)
def test_some_say_it_in_words(said: str, seconds: float | None) -> None:
    """Groq, OpenAI and Gemini write it into the body."""
    assert retry_after({}, said) == seconds


def test_every_copy_counts_together(loopback: LoopbackServer) -> None:
    """7 in and 3 out of each of three requests."""
    loopback.answers([streamed("Hello")])
    model = _model(loopback)
    model.complete(ASKED)
    list(model.stream(ASKED))
    copy = model.with_options(AnswerOptions(temperature=0.0))
    list(copy.stream(ASKED))
    assert copy.last_usage == Usage(1, 7, 3)
    assert model.usage == Usage(3, 21, 9)
    assert model.usage.sentence("en") == "3 requests to the model, 21 tokens in and 9 out"
