"""The loopback Discord, driven by discord.py as it is: protocol, limits, faults, people."""

import asyncio
import io
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import aiohttp
import discord
import pytest
import yarl
from discord import utils as discord_utils
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.domain.json_types import JsonObject
from bot.loopback.discord import Channel, DiscordPlatform, Fault, Options, Person, user_rate_limit
from bot.loopback.discord.buckets import BucketRule
from bot.loopback.discord.compression import has_zstd
from bot.loopback.discord.platform import ProblemsFound
from bot.testing.fake_clock import FakeClock


class Probe(discord.Client):
    """A plain client that keeps what it hears."""

    def __init__(
        self, *, intents: discord.Intents | None = None, heartbeat_timeout: float = 60.0
    ) -> None:
        intents = intents or discord.Intents(guilds=True, messages=True, message_content=True)
        super().__init__(
            intents=intents, guild_ready_timeout=0.01, heartbeat_timeout=heartbeat_timeout
        )
        self.heard: list[discord.Message] = []
        self.edits: list[discord.RawMessageUpdateEvent] = []
        self.deletions: list[int] = []
        self.threads_made: list[discord.Thread] = []
        self.clicked: list[discord.Interaction] = []
        self.readies = 0
        self.resumes = 0

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        del shard_id, initial

    async def on_ready(self) -> None:
        self.readies += 1

    async def on_resumed(self) -> None:
        self.resumes += 1

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        self.edits.append(event)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self.deletions.append(event.message_id)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        self.threads_made.append(thread)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.clicked.append(interaction)

    @property
    def texts(self) -> list[str]:
        return [message.content for message in self.heard if not message.author.bot]


class Town:
    """A platform with one guild, one channel, Ann, and a client that is logged in."""

    def __init__(self, platform: DiscordPlatform, client: Probe) -> None:
        self.platform = platform
        self.client = client
        self.running: asyncio.Task[None] | None = None
        self.guild = platform.guild()
        self.general: Channel = platform.channel(self.guild)
        self.ann: Person = platform.person("Ann", platform.role(self.guild, "team"))

    @property
    def room(self) -> discord.PartialMessageable:
        return self.client.get_partial_messageable(self.general.id, guild_id=self.guild.id)

    async def heard(self, text: str) -> discord.Message:
        await soon(lambda: text in self.client.texts)
        return next(message for message in self.client.heard if message.content == text)


async def soon(predicate: Callable[[], object]) -> None:
    """Wait for something on the client's side, which the platform cannot see."""
    async with asyncio.timeout(10):
        while not predicate():  # noqa: ASYNC110 - the client under test has no event for this
            await asyncio.sleep(0)


@asynccontextmanager
async def town(
    options: Options | None = None,
    *,
    client: Probe | None = None,
    clock: FakeClock | None = None,
    setup: Callable[[DiscordPlatform], None] | None = None,
) -> AsyncGenerator[Town]:
    async with DiscordPlatform(options, clock) as platform:
        Route.BASE = platform.api_base
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(platform.gateway_url)
        client = client or Probe()
        made = Town(platform, client)
        if setup is not None:
            setup(platform)
        running = asyncio.create_task(client.start(platform.options.token))
        try:
            await soon(lambda: client.readies or running.done())
            if running.done():
                await running
            made.running = running
            yield made
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await running
            await client.close()


async def compressed(monkeypatch: pytest.MonkeyPatch, kind: str) -> list[str]:
    """Hear and answer one message with this compression; returns what the client asked for."""
    contexts = {"zlib-stream": ZlibContext}
    if kind == "zstd-stream":
        contexts[kind] = discord_utils._ActiveDecompressionContext  # type: ignore[assignment] - chosen by what is installed
    if kind:
        monkeypatch.setattr(discord_utils, "_ActiveDecompressionContext", contexts[kind])
    else:
        original = DiscordWebSocket.from_client.__func__  # type: ignore[attr-defined] - a class method

        async def plain(
            cls: type[DiscordWebSocket], client: discord.Client, **options: object
        ) -> DiscordWebSocket:
            return await original(cls, client, **options, compress=False)

        monkeypatch.setattr(DiscordWebSocket, "from_client", classmethod(plain))
    async with town() as made:
        for number in range(3):
            made.ann.say(made.general, f"hello {number} {'x' * 500}")
        message = await made.heard(f"hello 2 {'x' * 500}")
        await message.channel.send("heard")
        assert made.general.texts[-1] == "heard"
        return made.platform.gateway.compressions


class ZlibContext:
    """What discord.py uses where no zstd library is installed."""

    COMPRESSION_TYPE = "zlib-stream"

    def __init__(self) -> None:
        import zlib  # noqa: PLC0415 - only here

        self._context = zlib.decompressobj()

    def decompress(self, data: bytes, /) -> str | None:
        assert data.endswith(b"\x00\x00\xff\xff")
        return self._context.decompress(data).decode()


async def test_the_gateway_speaks_plain_zlib_and_zstd(monkeypatch: pytest.MonkeyPatch):
    for kind in ("", "zlib-stream", *(("zstd-stream",) if has_zstd() else ())):
        with monkeypatch.context() as patch:
            assert await compressed(patch, kind) == [kind]


async def test_messages_carry_author_roles_mentions_and_replies():
    async with town() as made:
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


async def test_without_the_content_intent_only_dms_mentions_and_own_messages_have_content():
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


async def test_a_nonce_makes_a_second_post_the_same_message():
    async with town() as made:
        first = await made.room.send("once", nonce="abc")
        second = await made.room.send("once", nonce="abc")
        assert first.id == second.id
        found = [message async for message in made.room.history(limit=10)]
        assert [message.nonce for message in found] == ["abc"]


async def test_history_pages_forwards_and_backwards():
    async with town() as made:
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


async def test_a_thread_from_a_message_has_its_id_and_there_is_only_one():
    async with town() as made:
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


async def test_reactions_typing_dms_and_deletion():
    async with town() as made:
        message = await made.heard(made.ann.say(made.general, "look").content)
        await message.add_reaction("👀")
        assert made.general.messages[message.id].reactions == {"👀": {made.platform.world.bot.id}}
        assert made.client.user is not None
        await message.remove_reaction("👀", made.client.user)
        async with message.channel.typing():
            own = await message.channel.send("typed")
        assert made.platform.channels.typing == [made.general.id]
        await own.delete()
        user = await made.client.fetch_user(int(made.ann.id))
        await user.send("psst")
        assert [sent.content for sent in made.ann.sees(made.ann.dm)] == ["psst"]


async def test_files_go_out_and_links_to_files_expire():
    async with town() as made:
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


def button(custom_id: str) -> JsonObject:
    return {"type": 2, "custom_id": custom_id, "label": "a", "style": 1}


def row(*items: JsonObject) -> list[JsonObject]:
    return [{"type": 1, "components": list(items)}]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "x" * 2001}, 50035),
        ({"content": "  "}, 50006),
        ({"content": "x", "embeds": [{"description": "x" * 4097}]}, 50035),
        (
            {"content": "x", "embeds": [{"description": "x" * 4000}, {"description": "x" * 2001}]},
            50035,
        ),
        ({"content": "x", "nonce": "x" * 26}, 50035),
        ({"content": "x", "components": row()}, 50035),
        ({"content": "x", "components": row(button("a" * 101))}, 50035),
        ({"content": "x", "components": row(button("a"), button("a"))}, 50035),
        ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, 50035),
        ({"content": "x", "message_reference": {"message_id": 5}}, 50035),
    ],
)
async def test_every_limit_is_an_error_as_discord_gives_it(body: JsonObject, code: int):
    async with town() as made:
        with pytest.raises(discord.HTTPException) as failed:
            await made.client.http.request(
                Route("POST", f"/channels/{made.general.id}/messages"), json=body
            )
        assert failed.value.code == code
        assert made.general.messages == {}
        assert len(made.platform.refusals) == 1


async def test_an_unknown_route_fails_the_test():
    async def ask() -> None:
        async with town() as made:
            with suppress(discord.NotFound):
                await made.client.http.request(Route("GET", "/stickers"))

    with pytest.raises(ProblemsFound, match="there is no GET /stickers"):
        await ask()


async def test_mentions_ping_only_whom_the_sender_allows():
    async with town() as made:
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


# --- interactions ---


async def registered(made: Town) -> None:
    about: JsonObject = {"name": "about", "description": "what", "type": 3}
    commands = [{"name": "help", "description": "what there is", "options": [about]}]
    await made.client.http.bulk_upsert_global_commands(made.platform.world.bot.id, commands)  # type: ignore[arg-type]


async def test_a_slash_command_is_deferred_answered_and_followed_up():
    async with town() as made:
        await registered(made)
        made.ann.slash(made.general, "help", about="tools")
        await soon(lambda: made.client.clicked)
        interaction = made.client.clicked[0]
        await interaction.response.defer(ephemeral=True)
        await interaction.edit_original_response(content="this is what")
        await interaction.followup.send("and that", ephemeral=True)
        assert [message.content for message in made.ann.sees(made.general)] == [
            "this is what",
            "and that",
        ]
        assert made.platform.person("Bob").sees(made.general) == []
        with pytest.raises(LookupError):
            made.ann.slash(made.general, "nothing")


async def test_an_interaction_may_be_answered_once_and_only_within_three_seconds():
    clock = FakeClock()
    async with town(clock=clock) as made:
        await registered(made)
        made.ann.slash(made.general, "help")
        made.ann.slash(made.general, "help")
        await soon(lambda: len(made.client.clicked) == 2)
        quick, slow = made.client.clicked
        await quick.response.defer()
        twice = discord.InteractionResponse(quick)
        with pytest.raises(discord.HTTPException) as again:
            await twice.defer()
        assert again.value.code == 40060
        await clock.advance(3.1)
        with pytest.raises(discord.NotFound) as late:
            await slow.response.defer()
        assert late.value.code == 10062
        await clock.advance(timedelta(minutes=15).total_seconds())
        with pytest.raises(discord.HTTPException) as expired:
            await quick.edit_original_response(content="too late")
        assert expired.value.code == 50027


async def test_clicks_selects_and_modals_come_back():
    async with town() as made:
        view = discord.ui.View(timeout=None)
        view.add_item(discord.ui.Button(label="Yes", custom_id="yes"))
        view.add_item(
            discord.ui.Select(
                custom_id="pick", options=[discord.SelectOption(label="Red", value="r")]
            )
        )
        await made.room.send("which?", view=view)
        asked = made.ann.sees(made.general)[0]
        made.ann.click(asked, "Yes")
        made.ann.click(asked, "Red")
        await soon(lambda: len(made.client.clicked) == 2)
        yes, red = made.client.clicked
        assert (yes.data or {}).get("custom_id") == "yes"
        assert (red.data or {}).get("values") == ["r"]
        await yes.response.edit_message(content="you said yes", view=None)
        assert asked.content == "you said yes"
        modal = discord.ui.Modal(title="More", custom_id="more")
        modal.add_item(discord.ui.TextInput(label="Text", custom_id="text"))
        await red.response.send_modal(modal)
        opened = list(made.platform.interactions.interactions.values())[-1]
        made.ann.submit(opened, text="words")
        await soon(lambda: len(made.client.clicked) == 3)


# --- faults ---


async def test_op_7_and_op_9_and_cuts_are_resumed_and_nothing_is_lost():
    async with town(client=Probe(heartbeat_timeout=0.3)) as made:
        gateway = made.platform.gateway
        faults = (
            gateway.reconnect,
            lambda: gateway.invalidate(resumable=True),
            lambda: gateway.close(4000),
            gateway.abort,
        )
        for number, fault in enumerate((*faults, gateway.zombie)):
            fault()
            made.ann.say(made.general, f"after {number}")
            await made.heard(f"after {number}")
            await soon(lambda wanted=number + 1: made.client.resumes >= wanted)
        assert made.client.texts == [f"after {number}" for number in range(5)]
        assert made.client.readies == 1


async def test_a_refused_resume_is_a_new_session_and_what_was_said_meanwhile_is_lost():
    async with town() as made:
        made.platform.gateway.refuse_resume = True
        made.platform.gateway.abort()
        made.ann.say(made.general, "lost")
        await soon(lambda: made.client.readies == 2)
        made.ann.say(made.general, "found")
        await made.heard("found")
        assert made.client.texts == ["found"]


async def test_events_can_be_doubled_dropped_held_and_reordered():
    async with town() as made:
        gateway = made.platform.gateway
        gateway.copies = 3
        made.ann.say(made.general, "thrice")
        gateway.copies = 1
        gateway.drop_events = 1
        made.ann.say(made.general, "dropped")
        gateway.hold()
        made.ann.say(made.general, "first")
        made.ann.say(made.general, "second")
        gateway.release(backwards=True)
        await made.heard("first")
        assert made.client.texts == ["thrice"] * 3 + ["second", "first"]


async def test_one_malformed_event_ends_the_client():
    async with town() as made:
        made.platform.gateway.malformed()
        with pytest.raises((ValueError, KeyError)):
            await (made.running or asyncio.sleep(0))


async def test_a_call_can_be_cut_before_and_after_it_was_processed():
    async with town() as made:
        path = r"/channels/\d+/messages"
        for fault in (Fault("POST", path, reset=True), Fault("POST", path, after_processing=True)):
            made.platform.fault(fault)
            with pytest.raises(aiohttp.ClientError):
                await made.room.send("sent?")
        assert made.general.texts == ["sent?"]
        made.platform.fault(Fault("POST", path, status=503))
        with pytest.raises(discord.DiscordServerError):
            await made.room.send("no")


async def test_429_of_a_user_is_waited_for_and_one_without_via_is_not():
    async with town() as made:
        path = r"/channels/\d+/messages"
        made.platform.fault(user_rate_limit(0.01, path))
        made.platform.fault(user_rate_limit(0.01, path, world=True))
        await made.room.send("patience")
        assert [call.status for call in made.platform.log.find("POST", path)] == [429, 429, 200]
        made.platform.fault(user_rate_limit(0.01, path, via=False))
        with pytest.raises(discord.HTTPException) as failed:
            await made.room.send("banned")
        assert failed.value.status == 429


async def test_buckets_hold_a_client_that_reads_their_headers():
    rules = {"POST /channels/{channel}/messages": BucketRule(limit=2, per_s=0.2)}
    async with town(Options(rate_limits=rules)) as made:
        for number in range(4):
            await made.room.send(str(number))
        calls = made.platform.log.find("POST", r"/channels/\d+/messages")
        assert calls[2].at - calls[0].at >= 0.19
        assert made.general.texts == ["0", "1", "2", "3"]
