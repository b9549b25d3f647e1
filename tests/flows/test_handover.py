"""Who goes on in a thread knows what its work found out, and nothing that is not theirs."""

import json
from collections.abc import Sequence
from pathlib import Path

from bot.domain.messages import Place, Visibility
from bot.domain.models import ModelReply
from bot.testing.fake_chat import FakeChat
from bot.testing.handover_town import PEOPLE, Finished, finish_tasks
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


async def test_a_threads_findings_reach_the_next_person_without_secrets(tmp_path: Path):
    assert await finish_tasks(tmp_path, 3) == Finished(tasks=3, finished=3, leaks=0, withheld=3)


async def test_facts_reach_a_session_that_is_open_already_and_old_values_do_not(tmp_path: Path):
    (tmp_path / "contacts.yaml").write_text(json.dumps(PEOPLE))
    model, chat = ScriptedModel(), FakeChat()
    thread = {"where": "t", "place": Place.THREAD, "visibility": Visibility.PUBLIC}

    async with running_app(tmp_path, model, chat) as house:

        async def ask(who: str, text: str, *steps: ModelReply) -> str:
            """The last request, as the model read what came new in it."""
            model.add(*steps, say("Done."))
            await house.ask(who, text, **thread)
            await house.until_idle()
            return json.dumps(model.requests[-1].messages[-3:])

        def saved(value: str) -> Sequence[ModelReply]:
            return (call("save_fact", {"key": "address of web7", "value": value}),)

        assert "found out" not in await ask(
            "ben", "the address of web7 was 10.0.0.1, then 10.0.0.2 and 10.0.0.3"
        )
        await ask("ann", "note it", *saved("10.0.0.1"))
        await ask("ann", "no, it moved", *saved("10.0.0.2"))
        read = await ask("ben", "go on")
        assert "address of web7: 10.0.0.2" in read
        assert "address of web7: 10.0.0.1" not in read
        assert "found out" not in await ask("ben", "go on")
        await ask("ann", "it moved again", *saved("10.0.0.3"))
        assert "address of web7: 10.0.0.3" in await ask("ben", "go on")
        await ask("ann", "mine now", *saved("vault4711"))
        read = await ask("ben", "go on")
        assert "1 result belongs to somebody else" in read
        assert "vault4711" not in read
