"""Every way in which a model's server fails, as it is met on the line, and what becomes of it."""

from dataclasses import dataclass

from tests.loopback import Answered, chunk, refused, streamed

RAW = 'data: {{"choices": [{{"delta": {{"content": {}}}}}]}}\n\n'


@dataclass(frozen=True)
class Failure:
    """One failure.

    Attributes:
        name: what the server does.
        answered: what it sends to a chat.
        key: of the sentence the person reads; empty where it is no failure.
        words: what is kept of the reply.
        is_told: the sentence is told beside a reply, which is none of the failed kind.
    """

    name: str
    answered: Answered
    key: str = ""
    words: str = ""
    is_told: bool = False


def _thinking(finish: str) -> Answered:
    return Answered([chunk(reasoning_content="Hm."), chunk(finish=finish)])


_IN_TAGS = [chunk(reasoning="Hm."), chunk("<thi"), chunk("nk>Hm.</think>Hello.")]
_DEEP = f"data: {'[' * 3000}{']' * 3000}\n\n"
_HALF = 'data: {"choi\n\n'
_ERROR = 'data: {"error": {"message": "x"}}\n\n'
FAILURES: tuple[Failure, ...] = (
    Failure("refuses the key", refused(401), "model_key"),
    Failure("has no credit left for you", refused(402), "model_unpaid"),
    Failure("does not have the model", refused(404, "model not found"), "model_missing"),
    Failure("has no API there", refused(404), "model_no_api"),
    Failure("limits you", refused(429), "model_busy"),
    Failure("limits you for so long", refused(429, retry_after="30"), "model_busy_30"),
    Failure("is out of order", refused(503), "model_down"),
    Failure("takes no request of this kind", refused(400), "model_rejected"),
    Failure("finds it too long", refused(400, "maximum context length is 9"), "model_too_long"),
    Failure("is silent", Answered(hangs=True), "model_silent"),
    Failure("falls silent", Answered([chunk("Hello ")], hangs=True), "model_silent", "Hello "),
    Failure("drips slowly, a letter at a time", streamed(*"Hello."), "", "Hello."),
    Failure("hangs up before a word", Answered(cut=True), "model_broke_off"),
    Failure("hangs up", Answered([chunk("Hello ")], cut=True), "model_broke_off", "Hello "),
    Failure("answers nothing", Answered(""), "model_broke_off"),
    Failure("only pings", Answered([": ping\n\n", "data: [DONE]\n\n"]), "model_broke_off"),
    Failure("sends half JSON", Answered([chunk("Hello "), _HALF]), "model_broke_off", "Hello "),
    Failure("sends another form", Answered(['data: {"choices": ["x"]}\n\n']), "model_broke_off"),
    Failure("ends without an end", Answered([chunk("Hello ")]), "model_broke_off", "Hello "),
    Failure("answers without a word", streamed(), "model_empty"),
    Failure("thinks and then says nothing", _thinking("stop"), "model_empty"),
    Failure("thinks apart", Answered([*_IN_TAGS, chunk(finish="stop")]), "", "Hello."),
    Failure("is cut while it thinks", _thinking("length"), "model_cut_thinking"),
    Failure("is cut before a word", streamed(finish="length"), "model_cut_thinking"),
    Failure("thinks aloud", streamed("I should greet.", "</think>Hello."), "model_thought_aloud"),
    Failure("is cut", streamed("Hello ", finish="length"), "model_cut", "Hello ", is_told=True),
    Failure("filters the answer", streamed(finish="content_filter"), "model_refused"),
    Failure(
        "filters the middle",
        streamed("Hello ", finish="content_filter"),
        "model_filtered",
        "Hello ",
    ),
    Failure(
        "refuses in the field for it",
        Answered([chunk(refusal="No."), chunk(finish="stop")]),
        "model_refused",
    ),
    Failure("refuses in words", streamed("I cannot."), "", "I cannot."),
    Failure("answers in another language", streamed("Bonjour."), "", "Bonjour."),
    Failure("answers in a fence", streamed("```\nHello.\n```"), "", "```\nHello.\n```"),
    Failure("sends what is no text", Answered([RAW.format("5")]), "model_broke_off"),
    Failure("sends lists 3,000 deep", Answered([_DEEP]), "model_broke_off"),
    Failure("sends a web page", Answered("<html>x</html>", kind="text/html"), "model_no_api"),
    Failure(
        "sends an error in mid-stream",
        Answered([chunk("Hello "), _ERROR]),
        "model_down",
        "Hello ",
    ),
)
