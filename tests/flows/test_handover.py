"""Who goes on in a thread reads what its work was about, and nothing that is not theirs."""

import json
from collections.abc import Sequence
from pathlib import Path

from bot.domain.messages import Place, Visibility
from bot.domain.models import ModelReply
from bot.sessions.run.handover import KIND
from bot.testing.fake_chat import FakeChat
from bot.testing.handover_town import PEOPLE, Finished, finish_tasks
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


async def test_a_threads_findings_reach_the_next_person_without_secrets(tmp_path: Path):
    assert await finish_tasks(tmp_path, 3) == Finished(tasks=3, finished=3, leaks=0, withheld=3)


async def test_texts_reach_a_session_that_is_open_already_as_quotes_of_who_said_them(
    tmp_path: Path,
):
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

        assert KIND not in await ask("ben", "Bob was fired by the shop; web7 moved to 10.0.0.2")
        await ask("ann", "note it", *saved("10.0.0.1"))
        await ask("ann", "no, the right one", *saved("10.0.0.2"))
        read = await ask("ben", "go on")
        assert read.count(KIND) == 1
        assert "[ben (ben)] Bob was fired by the shop; web7 moved to 10.0.0.2" in read
        assert "10.0.0.1" not in read
        assert KIND not in await ask("ben", "go on")
        await ask("ann", "and the shop?", *saved("the shop is fired"))
        read = await ask("ben", "go on")
        assert "[ben (ben)] Bob was fired by the shop" in read
        assert "the shop is fired" not in read
        await ask("ann", "mine now", *saved("vault4711"))
        read = await ask("ben", "go on")
        assert "1 result belongs to somebody else" in read
        assert "vault4711" not in read
