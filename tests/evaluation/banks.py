"""Small banks whose every figure can be worked out by hand."""

import json
from pathlib import Path
from typing import Any

from tests.embedding import WordEmbedder

VOCABULARY = ("kiln", "glaze", "brush", "harbour", "river", "kayak")
DAY, NEXT_DAY = "2026-03-01", "2026-03-02"


def _turns(*queries: str) -> list[dict[str, str]]:
    return [{"query": query, "response": ""} for query in queries]


def _person(name: str, history: dict[str, Any], summary: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "history": history, "summary": summary, "meta_information": {}}


BANK: dict[str, Any] = {
    # the cosine of "kiln" with Ada's turns is 1, 0.71, 0.58, 0
    " Ada ": _person(
        "Ada",
        {DAY: _turns("kiln", "kiln glaze", "kiln glaze brush", "harbour"), NEXT_DAY: []},
        # a summary that is nearer to most questions than the turn that answers them
        {DAY: {"content": "kiln glaze"}},
    ),
    "Bo": _person("Bo", {NEXT_DAY: _turns("river kayak", "harbour")}, {}),
}

QUESTIONS: list[dict[str, Any]] = [
    # the second nearest turn: rank 2
    {"user": "Ada", "q": 0, "question": "kiln?", "sufficient": [[[DAY, 1]]], "answer": "glaze"},
    # two turns together, the nearest two: rank 2
    {
        "user": "Ada",
        "q": 1,
        "question": "glaze?",
        "kind": "multi",
        "sufficient": [[[DAY, 1], [DAY, 2]]],
        "answer": "glaze (with a brush)",
    },
    # one of two alternatives, of which the bank lacks the first: rank 1
    {
        "user": "Ada",
        "q": 2,
        "question": "harbour?",
        "sufficient": [[["2020-01-01", 0]], [[DAY, 3]]],
        "answer": "the harbour",
    },
    # nothing but the turn order speaks for the right one: rank 4
    {"user": "Ada", "q": 3, "question": "brush?", "sufficient": [[[DAY, 3]]], "answer": "harbour"},
    {"user": "Ada", "q": 4, "question": "river?", "kind": "unanswerable", "sufficient": []},
    {
        "user": "Bo",
        "q": 0,
        "question": "river?",
        "sufficient": [[[NEXT_DAY, 0]]],
        "answer": "kayak",
    },
    # half of its evidence is not in the bank
    {
        "user": "Bo",
        "q": 1,
        "question": "kayak?",
        "sufficient": [[[NEXT_DAY, 0], ["2026-03-09", 0]]],
    },
]

LOCOMO: list[dict[str, Any]] = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_2_date_time": "7:55 pm on 9 June, 2023",
            "session_2": [
                {"speaker": "Ada", "dia_id": "D2:1", "text": "river"},
                {
                    "speaker": "Bo",
                    "dia_id": "D2:2",
                    "text": "Look!",
                    "blip_caption": "a photo of a kayak",
                },
            ],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "kiln"},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "kiln glaze"},
                {"speaker": "Ada", "dia_id": "D1:3", "text": "harbour"},
            ],
            "session_3_date_time": "9:00 am on 1 January, 2030",
        },
        "qa": [
            # both pieces in one string: 1 of 2 within 1, 2 of 2 within 2
            {"question": "kiln", "evidence": ["D1:1; D1:2"], "category": 1},
            # one real piece, one that names nothing
            {"question": "kayak", "evidence": ["D2:2", "D:1:3"], "category": 4},
            {"question": "harbour", "evidence": ["D9:9"], "category": 4},
            {"question": "brush", "evidence": [], "category": 5},
            # the nearest utterance is another one: D1:3 has no word of it
            {"question": "river", "evidence": ["D1:3"], "category": 4},
        ],
    }
]


TALKS: dict[str, Any] = {
    "user": "Ada",
    "lang": "en",
    "memories": [
        {"id": "m1", "date": "2026-01-05", "text": "kiln"},
        {"id": "m2", "date": "2026-01-05", "text": "kiln glaze"},
        {"id": "m3", "date": "2026-01-20", "text": "harbour"},
        {"id": "m4", "date": "2026-02-03", "text": "river kayak"},
    ],
    "talks": [
        # the nearest two: 1 of 2 within 1, 2 of 2 within 2
        {"turns": [{"who": "person", "text": "kiln"}], "relevant": ["m1", "m2"]},
        # the message is the last one, whatever was said before
        {
            "turns": [
                {"who": "person", "text": "kiln and glaze"},
                {"who": "companion", "text": "Which glaze was it?"},
                {"who": "person", "text": "harbour"},
            ],
            "relevant": ["m3"],
        },
        # it should bring to mind what is no memory here
        {"turns": [{"who": "person", "text": "brush"}], "relevant": ["m9"]},
        # nothing should come to mind
        {"turns": [{"who": "person", "text": "kiln"}], "relevant": []},
        # the message is the person's, what follows is not
        {
            "turns": [
                {"who": "person", "text": "kayak river kayak river"},
                {"who": "companion", "text": "harbour"},
            ],
            "relevant": ["m4"],
        },
        # nobody said anything
        {"turns": [{"who": "companion", "text": "kiln"}], "relevant": ["m1"]},
    ],
}


LIFE: dict[str, Any] = {
    "user": "Ada",
    "lang": "en",
    "now": "2026-03-01T09:00",
    "turns": [
        ["2026-01-05", "I built a kiln."],
        ["2026-01-20", "The glaze turned out blue.", "How lovely."],
        ["2026-02-03", "My brother keeps a kayak at the harbour."],
    ],
    "ask": [
        # found, and quoted
        ["direct", "When did I build the kiln?", ["shed", "kiln"]],
        # asked for something that was never told
        ["fact", "Who has a telescope?", ["kayak"]],
        # all three are found, and the reply is not sure of them
        ["several", "Kiln, glaze or harbour?", ["I built a kiln.", "glaze", "harbour"]],
        # one of the two was never told
        ["several", "Where is the kayak?", ["kayak", "oar"]],
        # nothing is found and the reply says so; then it quotes what only seems to answer
        ["none", "What is my sister called?", []],
        ["none", "Where did I build the kiln?", []],
    ],
}


CONVERSATION: dict[str, Any] = {
    "name": "ada-1",
    "person": "Ada",
    "lang": "en",
    "turns": [
        {"id": "a", "at": "2026-01-05T18:00", "said": "I built a kiln.", "replied": "Lovely."},
        {"id": "b", "at": "2026-01-20T18:00", "said": "The glaze is blue.", "replied": ""},
        {"id": "c", "at": "2026-02-03T18:00", "said": "My brother keeps a kayak.", "replied": ""},
    ],
    "questions": [
        # asked before the kayak was told: two of three groups can be found, and both are
        {
            "id": "1",
            "kind": "two",
            "asked": "2026-02-01T09:00",
            "text": "What about the kiln and the glaze?",
            "answer": "a kiln, blue",
            "evidence": ["a", "b", "c"],
            "groups": [["a"], ["b"], ["c"]],
        },
        # one of two is enough
        {
            "id": "2",
            "kind": "one",
            "asked": "2026-03-01T09:00",
            "text": "Who keeps a kayak?",
            "answer": "my brother",
            "evidence": ["a", "c"],
            "groups": [["a", "c"]],
        },
        {
            "id": "3",
            "kind": "never",
            "asked": "2026-03-01T09:00",
            "text": "What is my sister called?",
            "answer": "",
            "evidence": [],
            "groups": [],
        },
    ],
}


def embedder() -> WordEmbedder:
    """Vectors one can work out by eye, the same in every run."""
    return WordEmbedder(VOCABULARY)


def write(folder: Path) -> tuple[Path, Path]:
    """The bank and its questions as files."""
    bank, questions = folder / "bank.json", folder / "questions.jsonl"
    bank.write_text(json.dumps(BANK), encoding="utf-8")
    lines = "\n".join(json.dumps(line) for line in QUESTIONS)
    questions.write_text(f"\n{lines}\n", encoding="utf-8")
    return bank, questions
