"""What platforms remember of the newest is bounded."""

from datetime import timedelta

from bot.plugin.recent import Fresh, Recent
from bot.testing.fake_clock import FakeClock


def test_the_oldest_is_forgotten_and_what_is_set_again_is_new():
    recent: Recent[str, int] = Recent(2)
    for number, key in enumerate(("a", "b", "a", "c")):
        recent[key] = number
    assert list(recent.items()) == [("a", 2), ("c", 3)]
    assert recent.pop("b", None) is None


def test_what_is_fresh_counts_for_a_while():
    clock = FakeClock()
    fresh: Fresh[str, int] = Fresh(clock, timedelta(minutes=1), 2)
    for number, key in enumerate(("a", "b", "c")):
        fresh.put(key, number)
    assert [fresh.get(key) for key in ("a", "b", "c")] == [None, 1, 2]
    clock.jump(60.0)
    assert fresh.get("c") is None


async def test_an_answer_counts_from_when_it_was_asked_for():
    clock = FakeClock()
    fresh: Fresh[str, int] = Fresh(clock, timedelta(minutes=1))
    asked: list[str] = []

    async def slowly() -> int:
        asked.append("a")
        clock.jump(40.0)
        return len(asked)

    assert (await fresh.of("a", slowly), await fresh.of("a", slowly)) == (1, 1)
    clock.jump(20.0)
    assert await fresh.of("a", slowly) == 2
