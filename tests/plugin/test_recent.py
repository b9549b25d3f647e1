"""What platforms remember of the newest is bounded."""

from bot.plugin.recent import Recent


def test_the_oldest_is_forgotten_and_what_is_set_again_is_new():
    recent: Recent[str, int] = Recent(2)
    for number, key in enumerate(("a", "b", "a", "c")):
        recent[key] = number
    assert list(recent.items()) == [("a", 2), ("c", 3)]
    assert recent.pop("b", None) is None
