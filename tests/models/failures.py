"""Every way in which a model's server fails, as it is met on the line, and what becomes of it.

``docs/make_models.py`` writes the table of docs/models.md from it, and
``tests/dialogue/test_failures.py`` shows that each line is true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.loopback import Answered, chunk, refused, streamed

Kept = Literal["nothing", "what was said", "all of it"]
RAW = 'data: {{"choices": [{{"delta": {{"content": {}}}}}]}}\n\n'


@dataclass(frozen=True)
class Failure:
    """One failure.

    Attributes:
        name: what the server does, in both languages.
        answered: what it sends to a chat.
        key: of the sentence the person reads; empty where it is no failure.
        kept: of the reply.
        words: what is kept of it.
        details: what the sentence names beside model and address.
        is_told: the sentence is told beside a reply, which is none of the failed kind.
    """

    name: tuple[str, str]
    answered: Answered
    key: str = ""
    kept: Kept = "nothing"
    words: str = ""
    details: tuple[tuple[str, object], ...] = ()
    is_told: bool = False


FAILURES: tuple[Failure, ...] = (
    Failure(
        ("refuses the key (401)", "不接受密钥（401）"),
        refused(401),
        "model_key",
        details=(("status", 401),),
    ),
    Failure(
        ("has no credit left for you (402)", "余额不足（402）"),
        refused(402),
        "model_unpaid",
        details=(("status", 402),),
    ),
    Failure(
        ("does not have the model (404)", "没有这个模型（404）"), refused(404), "model_missing"
    ),
    Failure(
        ("limits you (429)", "限流（429）"), refused(429), "model_busy", details=(("status", 429),)
    ),
    Failure(
        (
            "limits you and says for how long (429, `Retry-After: 30`)",
            "限流并说明要等多久（429，`Retry-After: 30`）",
        ),
        refused(429, retry_after="30"),
        "model_busy_30",
        details=(("status", 429),),
    ),
    Failure(
        ("is out of order (503)", "出错（503）"),
        refused(503),
        "model_down",
        details=(("status", 503),),
    ),
    Failure(
        ("takes no request of this kind (400)", "不接受这样的请求（400）"),
        refused(400),
        "model_rejected",
        details=(("status", 400),),
    ),
    Failure(
        ("finds the prompt too long (400)", "嫌提示太长（400）"),
        refused(400, "maximum context length is 9"),
        "model_too_long",
    ),
    Failure(("is silent", "没有回应"), Answered(hangs=True), "model_silent"),
    Failure(
        ("falls silent in mid-reply", "说到一半没有声音了"),
        Answered([chunk("Hello ")], hangs=True),
        "model_silent",
        "what was said",
        "Hello ",
    ),
    Failure(
        ("drips slowly, a letter at a time", "一个字母一个字母地慢慢说"),
        streamed(*"Hello."),
        "",
        "all of it",
        "Hello.",
    ),
    Failure(("hangs up before a word", "还没开口就断开"), Answered(cut=True), "model_broke_off"),
    Failure(
        ("hangs up in mid-reply", "说到一半断开"),
        Answered([chunk("Hello ")], cut=True),
        "model_broke_off",
        "what was said",
        "Hello ",
    ),
    Failure(
        ("ends without saying that it ended", "没有说明结束就停了"),
        Answered([chunk("Hello ")]),
        "model_broke_off",
        "what was said",
        "Hello ",
    ),
    Failure(("answers without a word", "一个字也没有回答"), streamed(), "model_empty"),
    Failure(
        ("thinks and then says nothing", "想了半天什么也没说"),
        Answered([chunk(reasoning_content="Hm."), chunk(finish="stop")]),
        "model_empty",
    ),
    Failure(
        (
            "thinks in tags or in a field of its own, then answers",
            "先在标签里或单独的字段里思考，再回答",
        ),
        Answered(
            [
                chunk(reasoning="Hm."),
                chunk("<thi"),
                chunk("nk>Hm.</think>Hello."),
                chunk(finish="stop"),
            ]
        ),
        "",
        "all of it",
        "Hello.",
    ),
    Failure(
        ("is cut while it thinks", "还在思考就到了长度上限"),
        Answered([chunk(reasoning_content="Hm."), chunk(finish="length")]),
        "model_cut_thinking",
    ),
    Failure(
        ("shows its thinking as words", "把思考当成话说了出来"),
        streamed("I should greet.", "</think>Hello."),
        "model_thought_aloud",
    ),
    Failure(
        ("is cut by the limit of length", "到了长度上限被截断"),
        streamed("Hello ", finish="length"),
        "model_cut",
        "what was said",
        "Hello ",
        is_told=True,
    ),
    Failure(
        ("filters the answer", "回答被过滤"), streamed(finish="content_filter"), "model_refused"
    ),
    Failure(
        ("filters the answer in the middle", "回答说到一半被过滤"),
        streamed("Hello ", finish="content_filter"),
        "model_filtered",
        "what was said",
        "Hello ",
    ),
    Failure(
        ("refuses in the field for it", "在专门的字段里拒绝"),
        Answered([chunk(refusal="No."), chunk(finish="stop")]),
        "model_refused",
    ),
    Failure(
        ("refuses in words", "用话拒绝"),
        streamed("I cannot talk about that."),
        "",
        "all of it",
        "I cannot talk about that.",
    ),
    Failure(
        ("answers in another language", "用别的语言回答"),
        streamed("Bonjour."),
        "",
        "all of it",
        "Bonjour.",
    ),
    Failure(
        ("puts the answer into a fence", "把回答放在代码块里"),
        streamed("```\nHello.\n```"),
        "",
        "all of it",
        "```\nHello.\n```",
    ),
    Failure(
        ("sends a content that is no text", "发来的内容不是文字"),
        Answered([RAW.format("5")]),
        "model_broke_off",
    ),
    Failure(
        ("sends lists 3,000 deep", "发来嵌套三千层的列表"),
        Answered([f"data: {'[' * 3000}{']' * 3000}\n\n"]),
        "model_broke_off",
    ),
    Failure(
        ("sends a web page", "发来一个网页"),
        Answered("<html>hello</html>", kind="text/html"),
        "model_broke_off",
    ),
    Failure(
        ("sends an error in mid-stream", "说到一半发来错误"),
        Answered([chunk("Hello "), 'data: {"error": {"message": "x"}}\n\n']),
        "model_broke_off",
        "what was said",
        "Hello ",
    ),
)
