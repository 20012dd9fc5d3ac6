"""What a message does is learned from examples, and heard in messages that taught nothing."""

import pytest

from docs.make_act_weights import examples
from siliconfriend.dialogue.acts import ASKING, COURTESIES, read_act
from siliconfriend.language.message import read_message
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.texts import LANGUAGES, Language
from tests.sentences import rows


def _group(act: str) -> str:
    """What the form of the answer depends on: whatever tells something is kept."""
    return act if act in ASKING else "courtesy" if act in COURTESIES else "telling"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_held_out_is_mostly_read_rightly(
    embedder: CachedEmbedder, language: Language
) -> None:
    """Of eighteen kinds of answers the right one for three of four, and hardly a statement as a question."""
    held = [example for example in examples() if example.is_held and example.language == language]
    read = [(example, read_act(example.words, embedder)) for example in held]
    right = sum(_group(act) == _group(example.act) for example, act in read)
    told = [act for example, act in read if _group(example.act) == "telling"]
    assert right / len(read) >= 0.75
    assert sum(act in ASKING for act in told) / len(told) <= 0.1


@pytest.mark.parametrize(("message", "act"), rows("acts"))
def test_what_a_message_does(embedder: CachedEmbedder, message: str, act: str) -> None:
    """Requests in the imperative, asking for advice, questions about the program, moods."""
    assert (read_message(message).courtesy("Robin") or read_act(message, embedder)) == act


@pytest.mark.parametrize(
    ("message", "act"),
    [("Where is my passport?", "recall"), ("I bought a boat.", "news"), ("我的护照呢？", "recall")],
)
def test_without_the_bundled_embedder_the_form_decides(message: str, act: str) -> None:
    assert read_act(message, None) == act
