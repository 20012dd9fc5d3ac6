"""Which names of a text stand nowhere in what it was made from."""

import pytest

from siliconfriend.extraction.support import unsupported_names

SAID = (
    "2026-03-14\nAda: I planted beans on the balcony with my sister Mia. "
    "We leave for Rome tomorrow; the train is 1,200 yen."
)
说 = "2026-03-14\n小林：我今天和妹妹小美在阳台种了豆子，明天去成都，还有十四天放假。"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Ada planted beans with Mia and leaves for Rome on 15 March.", []),
        ("Mia’s sister Ada is Warm and patient. On Sunday she rested. Two topics came up.", []),
        ("1. Ada leaves. 2. She rested.", []),
        ("Ada planted beans with Tom in Oslo.", ["Tom", "Oslo"]),
        ("Oslo begins a sentence, as any word may.", []),
    ],
)
def test_what_is_new_in_an_english_text(text: str, new: list[str]) -> None:
    assert unsupported_names(text, SAID, ["Ada"]) == new


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("小林和小美种了豆子，3月15日去成都，14天后放假。", []),
        ("小林性格和蔼，有三个爱好，回复时要多鼓励她。", []),
        ("小林和王芳去了上海。", ["王芳", "上海"]),
        ("今天下午五点别忘了。", []),
        ("问问小美来不来，别叫小美妈。", []),
    ],
)
def test_what_is_new_in_a_chinese_text(text: str, new: list[str]) -> None:
    """Names of people and places, by the segmenter and the dictionary."""
    assert unsupported_names(text, 说, ["小林"]) == new


def test_a_told_name_is_known_beside_any_word() -> None:
    """The segmenter joins some names to the word after or before them; other names stay unknown."""
    for text in ("豆包是王芳养的一只橘猫。", "周五之前问王芳去不去。"):
        assert unsupported_names(text, "我跟王芳说过，豆包周五去医院。") == []
    assert unsupported_names("豆包是张伟养的。", "我跟王芳说过，明天去北京。") == ["张伟养"]
