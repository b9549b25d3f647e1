"""What a prefix cache would serve, counted in bytes."""

from bot.domain.json_types import JsonObject
from bot.loopback.messages_api.server import PrefixCache

BODY: JsonObject = {
    "model": "m",
    "tools": [{"name": "a"}, {"name": "b"}],
    "system": [{"type": "text", "text": "s" * 100}],
    "messages": [{"role": "user", "content": "hello"}],
}


def test_the_first_request_is_served_nothing_and_the_same_again_everything():
    cache = PrefixCache()
    total, served = cache.add(BODY)
    assert (served, cache.share) == (0, 0.0)
    assert cache.add(BODY) == (total, total)
    assert cache.share == 0.5


def test_a_longer_history_is_served_up_to_where_it_grew():
    cache = PrefixCache()
    total, _ = cache.add(BODY)
    messages = [
        *BODY["messages"],
        {"role": "assistant", "content": "hi"},
        {"role": "user", "content": "more"},
    ]
    assert cache.add({**BODY, "messages": messages})[1] == total


def test_a_changed_tool_costs_everything_behind_it():
    cache = PrefixCache()
    cache.add(BODY)
    changed = {**BODY, "tools": [BODY["tools"][0], {"name": "c"}]}
    assert 0 < cache.add(changed)[1] < 60


def test_breakpoints_change_nothing():
    cache = PrefixCache()
    total, _ = cache.add(BODY)
    marked = {**BODY, "system": [{**BODY["system"][0], "cache_control": {"type": "ephemeral"}}]}
    assert cache.add(marked) == (total, total)
