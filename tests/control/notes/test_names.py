"""Who has a note: those whose name is known, not every word that begins large."""

from __future__ import annotations

from siliconfriend.control.notes.names import names_in
from siliconfriend.memory.scope import Scope
from tests.control.world import World


def test_a_name_said_twice_or_told_as_kin(files: World) -> None:
    """Once is not enough for a mere word; a quoted sentence and the speakers have none."""
    files.say("I saw Theo and my brother Kit. Tomorrow is Monday.")
    files.say('Then Theo said "Come in, all of you." to Nora and Pal.')
    files.say('We said "Come in, all of you." and met Lena and Nora with Pal.')
    assert names_in(files.memory(), "Pal") == ["Kit", "Theo"]


def test_a_part_of_a_longer_name_is_none(files: World) -> None:
    """Where it is never said by itself."""
    for _ in range(2):
        files.say("We went to Skell Island again.")
    assert names_in(files.memory(), "Pal") == ["Skell Island"]


def test_chinese_names_of_kin(files: World) -> None:
    """As they were told; other words are not guessed at."""
    world = World(files.store, files.settings, Scope.of("小明"), language="cn")
    world.say("我弟弟叫以川，他今天很安静。")
    world.say("师傅今天也很安静。")
    assert names_in(world.memory(), "小石") == ["以川"]


def test_a_month_is_nobody(files: World) -> None:
    """But for one who was told as kin."""
    for _ in range(2):
        files.say("Last May I was in Porto, and in May and June I sail again.")
    assert names_in(files.memory(), "Pal") == ["Porto"]
    files.say("My sister June called.")
    assert names_in(files.memory(), "Pal") == ["June", "Porto"]
