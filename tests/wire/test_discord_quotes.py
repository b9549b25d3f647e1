"""What a message on Discord refers to: quoted, and never taken for its sender's own words."""

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.testing.discord_town import town


@pytest.fixture(autouse=True)
def _real_addresses_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)


async def test_what_somebody_else_wrote_comes_along_as_a_quote_and_not_as_own_words():
    async with town() as made:
        plan = made.bob.upload(made.general, "plan.txt", b"1. sleep", "my plan")
        root = made.ann.say(made.general, "what do you say to this?", mention=True, reply_to=plan)
        asked = await made.heard(2)
        assert asked.text == "what do you say to this?"
        [quoted] = asked.quoted
        assert (quoted.author.id, quoted.text, quoted.files) == (made.bob.id, "my plan", ("plan.txt",))
        await made.answer(asked, "fine")
        thread = await made.platform.until(lambda: made.ann.thread_of(root))
        made.ann.reply(made.ann.sees(thread)[-1], "thanks")
        assert (await made.heard(3)).quoted == ()


async def test_a_message_to_somebody_else_says_so():
    async with town() as made:
        first = made.bob.say(made.general, "hello Ann")
        made.ann.reply(first, "hello Bob")
        made.ann.say(made.general, "nice day")
        await made.heard(3)
        assert [message.to_others for message in made.inbox.messages] == [False, True, False]
