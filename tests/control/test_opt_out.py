"""Which messages ask not to be remembered, in both languages, and which only sound like it."""

from __future__ import annotations

import pytest

from siliconfriend.control.opt_out import OptOut, find_opt_out

THIS = [
    "I was fired today. Please don't remember this.",
    "I was fired today, please don't remember that!",
    "I drank too much yesterday. Don't save this, ok?",
    "I kissed him. Please do not store this in your memory.",
    "Don’t record this, but I hate my job.",
    "Off the record, I am looking for another job.",
    "I cried all night - don't remember this part.",
    "I voted for her. I don't want you to remember this.",
    "It was me who broke it. Keep this out of your memory, please.",
    "I was there too. Could you please not remember this?",
    "我今天被裁了，别记这个。",
    "我喜欢他。不要记住这句话！",
    "昨晚我喝醉了，请不要记下来。",
    "我偷偷哭了一场，这个就别记了吧。",
    "这件事不要记录：我要辞职。",
    "我骗了她。请你把这件事忘掉。",
    "我在找新工作，不要留下记录。",
    "别把这个记下来，我其实很怕黑。",
    "I was fired. 别记这个。",
    "I was fired. You don't need to remember this.",
    "I lied to Tom. I'd rather you didn't remember that.",
    "Don't make a note of this, but I quit.",
    "I stole a pen. Please forget this.",
    "I cried. Strike that from your memory.",
    "Let's keep this off the record. I lied.",
    "Please don't remember what I say next: Ana is pregnant.",
    "我被开除了，我不想让你记住这个。",
    "我偷了支笔，你就当没听见。",
    "我哭了，把这个从记忆里删掉。",
    "能不能别记住这件事？我考砸了。",
    "我考砸了，这个可以不记吗？",
    "接下来我说的别记：安娜怀孕了。",
    "下面这句话不要记住：我骗了小唐。",
    "以下内容请勿记录：我撒谎了。",
]
NEXT = [
    "Please don't remember what I say next.",
    "Don't record the next message.",
    "Please do not keep what I am about to tell you.",
    "接下来我说的别记。",
    "下面的话请不要记录。",
    "不要记我接下来说的话。",
]
BEFORE = [
    "Please forget what I just said.",
    "Forget what I said, please.",
    "Forget everything I just told you about my sister.",
    "Don't remember what I just told you.",
    "Forget I said anything.",
    "Forget that I told you about Ana.",
    "Please do not save my last message.",
    "Don't keep my previous message.",
    "别存我上一条消息。",
    "请不要保存我上一条消息。",
    "我上一条消息别存了。",
    "把我上一条消息删掉。",
    "忘了我跟你说过安娜的事吧。",
    "Please don't remember this.",
    "don't remember that",
    "Actually, don't remember this, please.",
    "别记这个",
    "不要记住。",
    "请不要记住这句话。",
    "忘了我刚才说的话吧。",
    "请忘掉我刚刚说的。",
    "把我刚才说的都忘了吧",
    "我刚才说的话你别记了。",
    "别记这个，好吗？",
    "这个别记。",
]
NO_WISH = [
    "I don't remember this.",
    "Don't remember me this way.",
    "I don't remember that day.",
    "Don't you remember this song?",
    "You don't remember this, do you?",
    "Don't forget this!",
    "Never forget what I said.",
    "Do you remember what I just said?",
    "Forget it.",
    "My mother said: don't remember this.",
    "He told me, don't keep this.",
    "I forgot what I said.",
    "They don't keep this in the shop.",
    "Why did you forget what I just said?",
    "Please remember this.",
    "I never record this show.",
    "Don't keep it to yourself, tell me.",
    "If you don't remember this, I will be sad.",
    "The song is called: Don't Remember This.",
    "Don't record over my tape.",
    "I forget that I told you about Ana.",
    "Never forget that I told you about Ana.",
    "My phone does not save my last message.",
    "我忘了我跟你说过安娜的事。",
    "我是不是忘了跟你说过安娜的事？",
    "我忘了刚才说到哪儿了。",
    "你还记得我上一条消息吗？",
    "别记这个仇了",
    "你别记这个仇了，好吗？",
    "别记仇。",
    "我不记得这个了。",
    "别忘了这个。",
    "千万别忘了我刚才说的。",
    "请记住这个。",
    "别记错了这个日子。",
    "他说别记这个。",
    "妈妈叫我不要记住这件事。",
    "这件事你别往心上放。",
    "别记在心上。",
    "我记不住这个。",
    "你还记得我刚才说的话吗？",
    "老师说：不要记录。",
    "不要记恨这个人。",
    "别记挂我。",
    "You don't need to remember my birthday.",
    "I'd rather you didn't forget this.",
    "What I say next is important.",
    "接下来我要去跑步。",
    "我不想让你记恨他。",
    "就当没说过这么好的茶了。",
]


@pytest.mark.parametrize("message", THIS)
def test_a_wish_beside_its_matter_means_this_message(message: str) -> None:
    """What must not be remembered stands in the same message."""
    assert find_opt_out(message) == OptOut(before=False)


@pytest.mark.parametrize("message", BEFORE)
def test_a_wish_alone_or_about_before_means_the_last_words_too(message: str) -> None:
    """The message holds nothing else that could be meant, or names what was said before."""
    assert find_opt_out(message) == OptOut(before=True)


@pytest.mark.parametrize("message", NEXT)
def test_a_wish_about_what_comes_leaves_what_was_said_before(message: str) -> None:
    assert find_opt_out(message) == OptOut(before=False, next=True)


@pytest.mark.parametrize("message", NO_WISH)
def test_what_only_sounds_like_it_is_none(message: str) -> None:
    """Remembering, grudges, reported speech and idioms are talk like any other."""
    assert find_opt_out(message) is None
