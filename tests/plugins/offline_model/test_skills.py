"""The offline model runs a skill's short steps, and is honest about the others."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.agents.prompt.notes import quote, system_note
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.domain.sessions import text_block
from bot.sessions.commands.skill_turns import DOUBT, FOLLOW
from bot.testing.offline_house import reply_to

TOOLS = [{"name": name} for name in ("manage_todos", "manage_notes", "write_file")]
BODY = (
    "# Gather\n\n1. List my todos.\n2. **Think** about what matters; then decide.\n- To do: nothing"
)


def reply(body: str, words: str = "/standup", note: str = FOLLOW) -> list[JsonObject]:
    skill = quote("skill standup", body, Origin(Trust.PERSON, "person:ann")).block
    message = {"role": "user", "content": [text_block(words), skill, system_note(note).block]}
    request: dict[str, Any] = {"model": "offline", "tools": TOOLS, "messages": [message]}
    return reply_to(request)["content"]


def test_a_step_that_is_one_short_wish_is_carried_out():
    (block,) = reply(BODY)
    assert (block["name"], block["input"]["action"]) == ("manage_todos", "list")


def test_words_behind_the_command_come_first():
    (block,) = reply(BODY, "/standup add a todo: call Ann")
    assert block["input"] == {"action": "create", "title": "call Ann"}


def test_a_skill_without_known_steps_is_shown_with_a_note_on_the_model():
    (block,) = reply("Be kind.\n1. Read the room, then speak. Or don't.")
    assert "offline model" in block["text"]
    assert "> Be kind." in block["text"]


def test_nothing_is_done_for_the_sake_of_a_text_that_nobody_vouches_for():
    (block,) = reply(BODY, note=DOUBT)
    assert "> 1. List my todos." in block["text"]


@given(st.text(max_size=300), st.text(max_size=50))
def test_any_skill_is_answered(body: str, task: str):
    assert reply(body, f"/standup {task}")
