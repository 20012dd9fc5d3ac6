"""What strangers' servers and models send, read by the real client: streamed, and as a whole.

The tables are in ``tests/data/server_answers.toml``.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.errors import ModelError
from siliconfriend.models.base import Message
from siliconfriend.models.openai_compatible import OpenAICompatible
from tests.loopback import Answered, LoopbackServer, chunk, document, streamed

FILE = Path(__file__).parent.parent / "data" / "server_answers.toml"
ROWS: dict[str, list[list[Any]]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
ASKED = [Message("system", "Be kind."), Message("user", "Hi")]
HELLO, DONE = "Hello there.", "data: [DONE]\n\n"


def _read(server: LoopbackServer, answered: Answered, *, is_whole: bool) -> tuple[str, str]:
    """Return the words of an answer, and the key of its error."""
    server.answers([answered])
    model = OpenAICompatible("m", base_url=server.url, timeout=5.0, max_retries=0, context=8192)
    said, failure = "", None
    try:
        if is_whole:
            return model.complete(ASKED).text, ""
        for piece in model.stream(ASKED):
            said += piece
    except ModelError as error:
        failure = error
    assert failure is None or failure.message("en") != failure.message("cn")
    return said, "" if failure is None else failure.key


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(("name", "words", "heard"), ROWS["words"])
def test_only_the_words_are_heard(
    loopback: LoopbackServer, name: str, words: str, heard: str, size: int
) -> None:
    """No thinking, tool calls, template marks or next turns of any family."""
    answered = streamed(*(words[at : at + size] for at in range(0, len(words), size)))
    said, key = _read(loopback, answered, is_whole=False)
    assert (said.strip(), key) == (heard.strip(), "" if heard else "model_empty"), name
    whole, _ = _read(loopback, answered, is_whole=True)
    assert whole == heard.strip()


def _data(found: object) -> str:
    return f"data: {json.dumps(found, ensure_ascii=False)}\n\n"


def _choice(**choice: Any) -> str:
    return _data({"choices": [{"index": 0, **choice}]})


def _changed(old: str, new: str) -> Answered:
    return Answered([piece.replace(old, new) for piece in streamed("Hello ", "there.").body])


END = chunk(finish="stop")
WHOLE = {"choices": [{"index": 0, "message": {"content": HELLO}, "finish_reason": "stop"}]}
OTHER = {"index": 1, "delta": {"content": "Other"}, "finish_reason": "length"}
FORMS: dict[str, Answered] = {
    "thinking in a field": Answered([chunk(None, reasoning_content="hm"), chunk(HELLO), END]),
    "thinking equal to the words": Answered([chunk(HELLO, reasoning_content=HELLO), END]),
    "a first chunk with the role alone": Answered([chunk(role="assistant"), chunk(HELLO), END]),
    "parts": Answered([chunk(content=[{"type": "text", "text": HELLO}, {"type": "x"}]), END]),
    "parts that are texts": Answered([chunk(content=["Hello ", "there."]), END]),
    "parts with thinking": Answered(
        [chunk(content=[{"type": "thinking", "thinking": "hm"}, {"text": HELLO}]), END]
    ),
    "no space": _changed("data: ", "data:"),
    "CRLF": _changed("\n", "\r\n"),
    "no blank lines": _changed("\n\n", "\n"),
    "comments": _changed("data: ", ": ping\n\ndata: "),
    "empty events": _changed("data: ", "data:\n\nevent: ping\ndata: {}\n\ndata: "),
    "ids": _changed("data: ", "id: 1\nretry: 3000\ndata: "),
    "lines of JSON": _changed("data: ", ""),
    "a byte order mark": _changed('{"choices', '{"choices'),
    "U+2028 in the words": Answered([_choice(delta={"content": HELLO}, note="\u2028"), END]),
    "halves of a character": Answered(
        [chunk("Hello the"), _data({"x": "\ud83d"}), chunk("re."), END]
    ),
    "a wrong content type": Answered(streamed(HELLO).body, kind="application/json"),
    "no end mark": Answered([chunk(HELLO), END]),
    "no finish reason": Answered([chunk(HELLO), DONE]),
    "an empty finish reason": Answered([chunk(HELLO, finish=""), DONE]),
    "a null delta": Answered([chunk(HELLO), _choice(delta=None, finish_reason="stop")]),
    "usage without choices": Answered([chunk(HELLO), _data({"usage": {"prompt_tokens": 1}})]),
    "two choices": Answered(
        [_data({"choices": [OTHER, {"index": 0, "delta": {"content": HELLO}}]}), END]
    ),
    "a message for a delta": Answered([_data(WHOLE)]),
    "the message again at the end": Answered(
        [chunk(HELLO), _choice(message={"content": HELLO}, finish_reason="stop")]
    ),
    "the older form": Answered([_choice(text="Hello "), _choice(text="there."), END]),
    "one document": document(WHOLE),
    "one document on many lines": Answered(json.dumps(WHOLE, indent=1), kind="text/plain"),
}


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_stream_is_read(
    loopback: LoopbackServer, name: str, is_whole: bool
) -> None:
    """None costs words, and none brings others."""
    assert _read(loopback, FORMS[name], is_whole=is_whole) == (HELLO, "")


USED = {"usage": {"prompt_tokens": 1, "completion_tokens": 1}}
BROKEN: dict[str, tuple[list[str], str]] = {
    "no end at all": ([], "model_broke_off"),
    "usage with each word": ([_data({"choices": [], **USED}), chunk("you")], "model_broke_off"),
    "an error": ([_data({"error": {"message": "gone", "code": 502}})], "model_down"),
    "vLLM's error": ([_data({"object": "error", "message": "x", "code": 500}), DONE], "model_down"),
    "an event": (["event: error\n" + _data({"error": {"type": "overloaded_error"}})], "model_busy"),
    "a text": ([_data({"error": "CUDA error"})], "model_down"),
    "a line": (['error: {"code":500,"message":"Compute error."}\n\n'], "model_down"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_error_in_a_stream_is_told(loopback: LoopbackServer, name: str) -> None:
    """What was said so far is known, and that it is not all."""
    pieces, key = BROKEN[name]
    answered = Answered([chunk("Hello "), *pieces])
    said, told = _read(loopback, answered, is_whole=False)
    assert (said.removesuffix("you"), told) == ("Hello ", key)
    assert _read(loopback, answered, is_whole=True) == ("", key)


@pytest.mark.parametrize(("name", "status", "said", "code", "key"), ROWS["errors"])
def test_errors_are_told_apart(
    loopback: LoopbackServer, name: str, status: int, said: str, code: str, key: str
) -> None:
    """By status, code and words; the server's own sentence is shown."""
    body = {"error": {"message": said, "type": "x", "param": None, "code": code or None}}
    answered = Answered(json.dumps(body), status, "application/json")
    assert _read(loopback, answered, is_whole=False) == ("", key), name


@pytest.mark.parametrize(
    ("answered", "key"),
    [
        (Answered("<html>Log in</html>", kind="text/html"), "model_no_api"),
        (Answered("<html>502 Bad Gateway</html>", 502, "text/html"), "model_down"),
        (Answered("404 page not found", 404, "text/plain"), "model_no_api"),
        (Answered('{"detail":"Not Found"}', 404, "application/json"), "model_no_api"),
        (Answered('{"detail":"Unauthorized"}', 401, "application/json"), "model_key"),
        (Answered("", 429), "model_busy"),
        (Answered("", 400), "model_rejected"),
        (
            document({"error": "Unexpected endpoint or method. Returning 200 anyway"}),
            "model_no_api",
        ),
        (document({"error": {"code": 429, "message": "free-models-per-day"}}), "model_busy"),
        (document({"base_resp": {"status_code": 1008, "status_msg": "no money"}}), "model_unpaid"),
        (document({"error_code": 17, "error_msg": "daily request limit reached"}), "model_busy"),
        (document({"choices": None}), "model_broke_off"),
        (document([{"error": {"code": 400, "message": "API key not valid."}}]), "model_key"),
    ],
)
def test_what_is_no_answer_is_told(loopback: LoopbackServer, answered: Answered, key: str) -> None:
    """A page, an empty body, an error with the status of a success."""
    assert _read(loopback, answered, is_whole=False) == ("", key)


@pytest.mark.parametrize(
    ("reason", "key"),
    [
        *(
            dict.fromkeys(
                ("STOP", "FINISH_REASON_STOP", "end_turn", "eos_token", "COMPLETE"), ""
            ).items()
        ),
        *(
            dict.fromkeys(
                ("MAX_TOKENS", "model_length", "model_context_window_exceeded"), "model_cut"
            ).items()
        ),
        *(
            dict.fromkeys(
                ("SAFETY", "IMAGE_SAFETY", "sensitive", "guardrail_intervened"), "model_filtered"
            ).items()
        ),
        *(
            dict.fromkeys(
                ("insufficient_system_resource", "network_error", "abort", "x"), "model_broke_off"
            ).items()
        ),
    ],
)
def test_an_unknown_finish_reason_means_broken_off(
    loopback: LoopbackServer, reason: str, key: str
) -> None:
    """Half a reply is never taken for a whole one."""
    assert _read(loopback, streamed(HELLO, finish=reason), is_whole=False) == (HELLO, key)
