"""What a message on Discord refers to: quoted, and never taken for its sender's own words."""

from bot.domain.messages import Command, MessageKind
from bot.testing.discord_town import Town
from bot.testing.fake_chat import fetched


async def test_other_peoples_words_come_as_a_quote(made: Town):
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


async def test_a_message_to_somebody_else_says_so(made: Town):
    first = made.bob.say(made.general, "hello Ann")
    made.ann.reply(first, "hello Bob")
    made.ann.say(made.general, "nice day")
    await made.heard(3)
    assert [message.to_others for message in made.inbox.messages] == [False, True, False]


async def test_a_forwarded_message_is_a_quote_of_nobody_known_with_its_files(made: Town):
    plan = made.bob.upload(made.general, "plan.txt", b"1. sleep", "my plan")
    forwarded = made.ann.forward(plan, made.ann.dm)
    made.bob.edit(plan, "no plan")
    message = await made.heard(2)
    assert (message.text, message.key) == ("", f"discord:{forwarded.id}")
    [quoted] = message.quoted
    assert (quoted.text, quoted.files, quoted.author.is_bot) == ("my plan", ("plan.txt",), True)
    assert quoted.author.id not in {made.ann.id, made.bob.id}
    [file] = message.attachments
    for _ in range(2):  # by the link that came with it, and by one that is looked up
        assert await fetched(made.chat, file) == b"1. sleep"


async def test_a_mention_in_anothers_thread_quotes_its_starter(made: Town):
    plan = made.bob.upload(made.general, "plan.txt", b"1. sleep", "my plan")
    thread = made.bob.start_thread(plan, "the plan")
    made.ann.say(thread, "what do you say to this?", mention=True)
    asked = await made.heard(2)
    [quoted] = asked.quoted
    assert (quoted.author.id, quoted.text, quoted.files) == (made.bob.id, "my plan", ("plan.txt",))
    [file] = quoted.attachments
    assert b"".join([piece async for piece in made.chat.fetch(file)]) == b"1. sleep"
    made.ann.say(thread, "and now?", mention=True)
    assert (await made.heard(3)).quoted == ()


async def test_a_thread_with_a_missing_or_slow_starter_is_answered_without_it(made: Town):
    root = made.bob.say(made.general, "my plan")
    thread = made.bob.start_thread(root, "the plan")
    made.bob.delete(root)
    made.ann.say(thread, "what do you say?", mention=True)
    asked = await made.heard(3)
    assert (asked.text, asked.quoted) == ("what do you say?", ())
    assert made.platform.refusals != []


async def test_an_edit_that_makes_a_command_is_one(made: Town):
    said = made.ann.say(made.general, "stop it")
    made.ann.edit(said, f"{made.platform.bot_mention} /stop it")
    edit = await made.heard(2)
    assert (edit.kind, edit.command, edit.reply_to.start_thread_from) == (
        MessageKind.EDIT,
        Command("stop", "it"),
        None,
    )
