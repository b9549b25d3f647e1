"""The loopback Discord, driven by plain discord.py: its protocol, limits and people."""

import io
from contextlib import suppress

import discord
import pytest
from discord.http import Route

from bot.domain.json_types import JsonObject
from bot.loopback.discord import DiscordPlatform
from bot.loopback.discord.platform import ProblemsFound
from bot.testing.discord_probe import Probe, Town, button, row, soon, town


async def test_messages_carry_author_roles_mentions_and_replies(made: Town):
    first = made.ann.say(made.general, "hello", mention=True)
    seen = await made.heard(first.content)
    assert isinstance(seen.author, discord.Member)
    assert [role.name for role in seen.author.roles] == ["@everyone", "team"]
    assert [user.id for user in seen.mentions] == [made.platform.world.bot.id]
    answer = await seen.reply("hi", mention_author=False)
    made.ann.reply(made.general.messages[answer.id], "thanks")
    thanks = await made.heard("thanks")
    assert isinstance(thanks.reference and thanks.reference.resolved, discord.Message)
    made.ann.edit(first, "hello again")
    made.ann.delete(first)
    await soon(lambda: made.client.deletions)
    assert [event.message.content for event in made.client.edits] == ["hello again"]


async def test_without_the_intent_only_dms_mentions_and_own_messages_have_text():
    client = Probe(intents=discord.Intents(guilds=True, messages=True))
    async with town(client=client) as made:
        made.ann.say(made.general, "unseen")
        made.ann.say(made.general, "to you", mention=True)
        made.ann.say(made.ann.dm, "in private")
        await made.heard("in private")
        assert made.client.texts == ["", f"{made.platform.bot_mention} to you", "in private"]


async def test_a_privileged_intent_that_is_switched_off_closes_with_4014():
    def forbid(platform: DiscordPlatform) -> None:
        platform.gateway.allowed_intents = 0

    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with town(setup=forbid):
            pass


async def test_a_wrong_token_is_refused():
    async with DiscordPlatform() as platform:
        Route.BASE = platform.api_base
        client = Probe()
        with pytest.raises(discord.LoginFailure):
            await client.start("wrong")
        await client.close()


async def test_a_nonce_makes_a_second_post_the_same_message(made: Town):
    first = await made.room.send("once", nonce="abc")
    second = await made.room.send("once", nonce="abc")
    assert first.id == second.id
    found = [message async for message in made.room.history(limit=10)]
    assert [message.nonce for message in found] == ["abc"]


async def test_history_pages_forwards_and_backwards(made: Town):
    said = [made.ann.say(made.general, str(number)) for number in range(5)]
    after = [
        message.content
        async for message in made.room.history(after=discord.Object(said[1].id), limit=2)
    ]
    before = [
        message.content
        async for message in made.room.history(before=discord.Object(said[3].id), limit=2)
    ]
    assert after == ["2", "3"]
    assert before == ["2", "1"]


async def test_a_thread_from_a_message_has_its_id_and_there_is_only_one(made: Town):
    seen = made.ann.say(made.general, "topic")
    message = await (await made.heard("topic")).channel.fetch_message(seen.id)
    thread = await message.create_thread(name="Topic")
    assert thread.id == seen.id
    await thread.send("inside")
    with pytest.raises(discord.HTTPException) as failed:
        await message.create_thread(name="Topic")
    assert failed.value.code == 160004
    await soon(lambda: made.client.threads_made)
    made.general.denied.add("threads")
    other = made.ann.say(made.general, "other")
    with pytest.raises(discord.Forbidden):
        await (await made.room.fetch_message(other.id)).create_thread(name="Other")


async def test_typing_dms_and_deletion(made: Town):
    message = await made.heard(made.ann.say(made.general, "look").content)
    async with message.channel.typing():
        own = await message.channel.send("typed")
    assert made.platform.channels.typing == [made.general.id]
    await own.delete()
    await message.author.send("psst")
    assert [sent.content for sent in made.ann.sees(made.ann.dm)] == ["psst"]


async def test_files_go_out_and_links_to_files_expire(made: Town):
    await made.room.send("here", file=discord.File(io.BytesIO(b"data"), "notes.md"))
    posted = made.ann.sees(made.general)[0]
    assert [(file.name, file.data) for file in posted.files] == [("notes.md", b"data")]
    said = made.ann.upload(made.general, "in.txt", b"inside", "see")
    attachment = (await made.heard("see")).attachments[0]
    assert await attachment.read() == b"inside"
    made.platform.expire_links()
    with pytest.raises(discord.NotFound):
        await attachment.read()
    again = (await made.room.fetch_message(said.id)).attachments[0]
    assert await again.read() == b"inside"


def words(text: str = "x") -> JsonObject:
    return {"type": 10, "content": text}


def box(*parts: JsonObject) -> JsonObject:
    return {"type": 17, "components": list(parts)}


LAYOUTS_REFUSED: list[JsonObject] = [
    {"flags": 1 << 15, "content": "x", "components": [words()]},
    {"flags": 1 << 15},
    {"components": [words()]},
    {"flags": 1 << 15, "components": [words("x" * 2001), words("x" * 2000)]},
    {"flags": 1 << 15, "components": [words()] * 41},
    {"flags": 1 << 15, "components": [box(*[words()] * 40)]},
    {"flags": 1 << 15, "components": [box(box(words()))]},
    {"flags": 1 << 15, "components": [box()]},
    {"flags": 1 << 15, "components": [box(*row(button("a"))), *row(button("a"))]},
    {"flags": 1 << 15, "components": [{"type": 9, "components": [words()]}]},
    {"flags": 1 << 15, "components": [{"type": 12, "items": []}]},
    {"flags": 1 << 15, "components": [{"type": 13, "file": {"url": "https://x"}}]},
    {"flags": 1 << 15, "components": [{"type": 14, "spacing": 3}]},
]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "x" * 2001}, 50035),
        ({"content": "  "}, 50006),
        ({"content": "x", "embeds": [{"description": "x"}]}, 50035),
        ({"content": "x", "nonce": "x" * 26}, 50035),
        ({"content": "x", "components": row()}, 50035),
        ({"content": "x", "components": row(button("a" * 101))}, 50035),
        ({"content": "x", "components": row(button("a"), button("a"))}, 50035),
        ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, 50035),
        ({"content": "x", "message_reference": {"message_id": 5}}, 50035),
        *((body, 50035) for body in LAYOUTS_REFUSED),
    ],
)
async def test_every_limit_is_an_error_as_discord_gives_it(made: Town, body: JsonObject, code: int):
    with pytest.raises(discord.HTTPException) as failed:
        await made.client.http.request(
            Route("POST", f"/channels/{made.general.id}/messages"), json=body
        )
    assert failed.value.code == code
    assert made.general.messages == {}
    assert len(made.platform.refusals) == 1


async def test_a_message_of_components_reads_as_its_texts_and_never_becomes_another_kind(
    made: Town,
):
    path = f"/channels/{made.general.id}/messages"
    section: JsonObject = {"type": 9, "components": [words()], "accessory": button("a")}
    body: JsonObject = {"flags": 1 << 15, "components": [box(section, words("more"))]}
    posted = await made.client.http.request(Route("POST", path), json=body)
    (shown,) = made.ann.sees(made.general)
    assert (posted["content"], shown.content, shown.labels) == ("", "x\nmore", ["a"])
    route = Route("PATCH", f"{path}/{posted['id']}")
    with pytest.raises(discord.HTTPException):
        await made.client.http.request(route, json={"content": "y"})
    changed: JsonObject = {"components": [words("changed")]}
    await made.client.http.request(route, json=changed)
    assert (shown.content, shown.flags & 1 << 15) == ("changed", 1 << 15)


async def test_an_unknown_route_fails_the_test():
    async def ask() -> None:
        async with town() as made:
            with suppress(discord.NotFound):
                await made.client.http.request(Route("GET", "/stickers"))

    with pytest.raises(ProblemsFound, match="there is no GET /stickers"):
        await ask()


async def test_mentions_ping_only_whom_the_sender_allows(made: Town):
    text = f"{made.ann.mention} @everyone"
    await made.room.send(text, allowed_mentions=discord.AllowedMentions.none())
    await made.room.send(
        text, allowed_mentions=discord.AllowedMentions(users=True, everyone=False, roles=False)
    )
    await made.room.send(text)
    assert [message.pings for message in made.ann.sees(made.general)] == [
        set(),
        {made.ann.id},
        {made.ann.id, "everyone"},
    ]
