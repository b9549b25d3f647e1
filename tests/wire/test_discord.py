"""DiscordChat with real discord.py on loopback Discord: what comes in and what goes out."""

from dataclasses import replace

import pytest
from discord import utils as discord_utils
from discord.gateway import DiscordWebSocket

from bot.domain.messages import (
    Addressed,
    Command,
    MessageKind,
    OutgoingFile,
    OutgoingMessage,
    Place,
)
from bot.errors import DeliveryError
from bot.loopback.discord.gateway import has_zstd
from bot.plugins.discord_chat.settings import PlaceSettings
from bot.testing.discord_probe import ZlibContext
from bot.testing.discord_town import Town, town
from bot.testing.fake_chat import fetched

MESSAGES = r"/channels/\d+/messages/\d+"


# --- what comes in ---


async def test_a_mention_opens_a_thread_and_goes_on_there_without_mention(made: Town):
    message = await made.asked("what is **up**?\nand more")
    root = next(iter(made.general.messages.values()))
    assert message.key == f"discord:{root.id}"
    assert message.text == "what is **up**?\nand more"
    assert (message.conversation.id, message.conversation.place) == (str(root.id), Place.THREAD)
    assert (message.addressed, message.private) == (Addressed.MENTION, False)
    assert message.sender.platform_roles == (str(made.team.id),)
    assert made.ann.thread_of(root) is None
    receipt = await made.answer(message, "not much")
    assert receipt.conversation == message.conversation.id
    thread = made.ann.thread_of(root)
    assert thread is not None
    assert (thread.name, thread.texts) == ("what is **up**?", ["not much"])
    made.ann.say(thread, "and now?")
    second = await made.heard(2)
    assert (second.addressed, second.conversation.key) == (
        Addressed.FOLLOWED,
        message.conversation.key,
    )
    await made.answer(second, "now neither", "t2/send:answer")
    assert thread.texts == ["not much", "and now?", "now neither"]
    assert made.platform.log.count("POST", r".*/threads") == 1


async def test_two_people_in_one_thread_are_two_senders_in_one_conversation(made: Town):
    first = await made.asked("hello")
    await made.answer(first, "hi")
    made.bob.say(made.thread(first), "me too")
    second = await made.heard(2)
    assert second.conversation.key == first.conversation.key
    assert (first.sender.name, second.sender.name) == ("Ann", "Bob")


async def test_direct_messages_are_private_and_need_no_mention(made: Town):
    made.ann.say(made.ann.dm, "psst")
    message = await made.heard()
    assert (message.addressed, message.private, message.conversation.place) == (
        Addressed.DM,
        True,
        Place.DM,
    )
    await made.answer(message, "yes?")
    assert [sent.reply_to for sent in made.ann.sees(made.ann.dm)] == [None]
    assert made.seen(message) == ["yes?"]


async def test_unaddressed_messages_are_context_and_other_bots_are_named_as_such(made: Town):
    robot = made.platform.person("Robot", bot=True)
    made.ann.say(made.general, "by the way")
    robot.say(made.general, "beep", mention=True)
    await made.heard(2)
    first, second = made.inbox.messages
    assert (first.addressed, first.conversation.id) == (Addressed.NONE, str(made.general.id))
    assert second.sender.is_bot


async def test_in_a_followed_thread_people_can_talk_to_each_other(made: Town):
    first = await made.asked("hello")
    await made.answer(first, "hi")
    thread = made.thread(first)
    to_bob = made.ann.say(thread, f"{made.bob.mention} look")
    made.bob.reply(to_bob, "I see")
    made.ann.reply(made.ann.sees(thread)[0], "thanks")
    await made.heard(4)
    kinds = [message.addressed for message in made.inbox.messages[1:]]
    assert kinds == [Addressed.NONE, Addressed.NONE, Addressed.REPLY]
    assert made.inbox.messages[1].text.endswith("look")
    assert made.inbox.messages[1].text.startswith("@Bob")


async def test_a_thread_of_others_is_followed_when_the_conversation_is_known():
    known: set[str] = set()
    async with town(followed=lambda conversation: conversation in known) as made:
        thread = made.ann.start_thread(made.ann.say(made.general, "topic"), "Topic")
        made.ann.say(thread, "first")
        await made.heard(2)
        known.add(made.inbox.messages[1].conversation.key)
        made.ann.say(thread, "second")
        await made.heard(3)
        assert [message.addressed for message in made.inbox.messages] == [
            Addressed.NONE,
            Addressed.NONE,
            Addressed.FOLLOWED,
        ]


async def test_without_knowledge_a_thread_is_followed_once_addressed_there(made: Town):
    thread = made.ann.start_thread(made.ann.say(made.general, "topic"), "Topic")
    made.ann.say(thread, "come in", mention=True)
    made.ann.say(thread, "and stay")
    await made.heard(3)
    assert [message.addressed for message in made.inbox.messages[1:]] == [
        Addressed.MENTION,
        Addressed.FOLLOWED,
    ]


async def test_settings_switch_places_off_and_threads_off(made: Town):
    quiet, plain = (
        made.platform.channel(made.guild, "quiet"),
        made.platform.channel(made.guild, "plain"),
    )
    settings = made.chat._settings
    settings.channels[str(quiet.id)] = PlaceSettings(answer="off")
    settings.channels[str(plain.id)] = PlaceSettings(answer="all", threads="off")
    made.ann.say(quiet, "anybody?", mention=True)
    made.ann.say(plain, "no mention")
    message = await made.heard()
    assert (message.addressed, message.conversation.id) == (Addressed.FOLLOWED, str(plain.id))
    await made.answer(message, "no thread")
    answer = made.ann.sees(plain)[0]
    assert (answer.content, str(answer.reply_to), answer.pings) == (
        "no thread",
        message.reply_to.message,
        set(),
    )


async def test_without_a_thread_it_replies_and_replies_stay_in_conversation(made: Town):
    made.general.denied.add("threads")
    first = await made.asked("hello")
    await made.answer(first, "hi")
    answer = made.ann.sees(made.general)[0]
    assert str(answer.reply_to) == first.conversation.id
    made.bob.reply(answer, "me too")
    second = await made.heard(2)
    assert (second.addressed, second.conversation.key) == (Addressed.REPLY, first.conversation.key)
    await made.answer(second, "fine", "t2/send:answer")
    made.chat._places._roots.clear()  # as after a restart
    made.ann.reply(made.ann.sees(made.general)[1], "good")
    assert (await made.heard(3)).conversation.key == first.conversation.key
    assert made.platform.log.count("POST", r".*/threads") == 1


async def test_commands_in_text_are_commands_and_open_no_thread(made: Town):
    message = await made.asked("/status now")
    assert (message.kind, message.command) == (MessageKind.COMMAND, Command("status", "now"))
    assert message.reply_to.start_thread_from is None
    made.ann.say(made.ann.dm, "!stop")
    assert (await made.heard(2)).command == Command("stop", "")
    made.ann.say(made.general, "!stop")
    assert (await made.heard(3)).command is None


async def test_edits_and_deletions_name_the_message_that_they_change(made: Town):
    said = made.ann.say(made.general, "teh", mention=True)
    await made.heard()
    made.ann.edit(said, f"{made.platform.bot_mention} the")
    made.ann.delete(said)
    await made.heard(3)
    edit, deletion = made.inbox.messages[1:]
    assert (edit.kind, edit.text, edit.addressed) == (MessageKind.EDIT, "the", Addressed.MENTION)
    assert edit.key.split(":")[:3] == ["edit", "discord", str(said.id)]
    assert edit.key.split(":", 1)[1].rsplit(":", 1)[0] == f"discord:{said.id}"
    assert deletion.key == f"delete:discord:{said.id}:0"
    assert await made.found(edit) is None


async def test_own_messages_and_own_edits_are_not_heard(made: Town):
    message = await made.asked("hello")
    await made.answer(message, "hi")
    made.ann.say(made.general, "last")
    await made.heard(2)
    assert made.inbox.texts == ["hello", "last"]


async def test_everything_delivered_three_times_is_accepted_once_and_in_order(made: Town):
    made.platform.gateway.copies = 3
    for number in range(5):
        made.ann.say(made.general, f"number {number}")
    await made.platform.until(lambda: len(made.inbox.offered) == 15)
    made.ann.slash(made.general, "help")
    await made.platform.until(lambda: len(made.inbox.offered) == 18)
    assert made.inbox.texts[:5] == [f"number {number}" for number in range(5)]
    assert len(made.inbox.messages) == 6
    assert all(message.reply_to.interaction for message in made.inbox.offered[15:])


async def test_a_message_that_could_not_be_recorded_is_offered_again(made: Town):
    made.inbox.broken = 1
    assert (await made.asked("hello")).text == "hello"


# --- files ---


async def test_a_message_of_only_a_file_is_read_even_when_its_link_has_expired(made: Town):
    made.ann.upload(made.ann.dm, "notes.txt", b"inside", mime="text/plain; charset=utf-8")
    message = await made.heard()
    file = message.attachments[0]
    assert (message.text, file.name, file.mime, file.size) == ("", "notes.txt", "text/plain", 6)
    assert await fetched(made.chat, file) == b"inside"
    made.platform.expire_links()
    assert await fetched(made.chat, file) == b"inside"
    assert made.platform.log.count("GET", MESSAGES) == 1
    made.ann.delete(made.ann.dm.messages[int(message.key.removeprefix("discord:"))])
    with pytest.raises(DeliveryError, match=r"notes\.txt is gone: its message was deleted"):
        await fetched(made.chat, file)
    with pytest.raises(DeliveryError, match="up to 25 MB"):
        await fetched(made.chat, replace(file, size=30 * 2**20))


async def test_a_long_answer_is_split_and_a_very_long_one_becomes_a_file(made: Town):
    message = await made.asked()
    code = "```python\n" + "\n".join(f"line_{number} = {number}" for number in range(300)) + "\n```"
    receipt = await made.answer(message, code)
    pieces = made.seen(message)
    assert len(pieces) == len(receipt.message_ids) == 3
    assert all(
        piece.startswith("```python\n") and piece.rstrip().endswith("```") for piece in pieces
    )
    await made.answer(message, "word " * 4000, "t2/send:answer")
    last = made.ann.sees(made.thread(message))[-1]
    assert [(file.name, len(file.data)) for file in last.files] == [
        ("answer.md", len("word " * 4000))
    ]
    assert last.content.endswith("*The whole answer is in the file.*")


async def test_files_go_out_and_one_that_is_too_large_is_named():
    blobs = {"a": b"data", "b": b"x" * (10 * 2**20 + 1)}
    async with town(blobs=blobs) as made:
        message = await made.asked()
        files = tuple(OutgoingFile(f"{name}.txt", "text/plain", name) for name in "abc")
        await made.chat.send(OutgoingMessage(message.reply_to, "here", files=files), "t1/send:1")
        sent = made.ann.sees(made.thread(message))[0]
        assert [(file.name, file.data) for file in sent.files] == [("a.txt", b"data")]
        assert "b.txt has 10.0 MB" in sent.content
        assert "c.txt is no longer stored" in sent.content


@pytest.mark.parametrize("kind", ["", "zlib-stream", *(["zstd-stream"] if has_zstd() else [])])
async def test_a_conversation_works_in_every_compression(
    kind: str, monkeypatch: pytest.MonkeyPatch
):
    if kind == "zlib-stream":
        monkeypatch.setattr(discord_utils, "_ActiveDecompressionContext", ZlibContext)
    if not kind:
        original = DiscordWebSocket.from_client.__func__  # type: ignore[attr-defined] - a class method

        async def plain(
            cls: type[DiscordWebSocket], client: object, **options: object
        ) -> DiscordWebSocket:
            return await original(cls, client, **options, compress=False)

        monkeypatch.setattr(DiscordWebSocket, "from_client", classmethod(plain))
    async with town() as made:
        message = await made.asked("ünïcode 🎈 " * 20)
        await made.answer(message, "ok 🎈")
        assert made.seen(message) == ["ok 🎈"]
        assert made.platform.gateway.compressions == [kind]


async def test_the_age_of_the_last_frame_is_known(made: Town):
    age = made.chat.last_frame()
    assert age is not None
    assert 0 <= age < 30
