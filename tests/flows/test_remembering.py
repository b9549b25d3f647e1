"""What a person asked, noted and told before is found again, by them alone and where it may be said."""

import json
from pathlib import Path

from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


def found(scripted: ScriptedModel) -> str:
    return json.dumps(scripted.requests[-1].messages[-2:], ensure_ascii=False)


async def test_requests_answers_notes_and_knowledge_are_found_in_a_new_session(home: Path):
    scripted = ScriptedModel(
        [
            call("knowledge_store", {"content": "Ann's sister Marie lives in Lyon", "type": "fact", "importance": 0.8}),
            call("manage_notes", {"action": "add", "is_agent_note": False, "title": "Marie likes tea"}),
            say("Marie is 41."),
            call("remember", {"query": "Marie", "limit": 20}),
            say("Known."),
            call("remember", {"query": "Marie", "limit": 20}),
            say("Nothing."),
        ],
        strict=True,
    )
    async with running_app(home, scripted) as house:
        await house.ask("ann", "my sister Marie moved to Lyon")
        await house.until_idle()
        await house.command("ann", "new")
        assert await house.ask("ann", "what about Marie?") == "Known."
        own = json.dumps(scripted.requests[4].messages[-2:], ensure_ascii=False)
        assert await house.ask("ben", "what about Marie?") == "Nothing."
    for text in ("lives in Lyon", "Marie likes tea", "my sister Marie moved to Lyon", "Marie is 41."):
        assert text in own
    assert own.count("what about Marie?") == 0, "the question itself is no memory"
    for text in ("Lyon", "tea", "41"):
        assert text not in found(scripted)
