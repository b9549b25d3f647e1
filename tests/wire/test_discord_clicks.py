"""DiscordChat on loopback Discord: choices, clicks, and slash commands."""

import pytest

from bot.domain.messages import Action, Choice, Command, MessageKind
from bot.plugins.discord_chat.application_commands import BUILT_IN, menus
from bot.testing.discord_town import Town, town
from bot.testing.fake_clock import FakeClock

# --- choices and commands ---


async def test_a_question_has_buttons_and_a_click_is_an_action(made: Town):
    message = await made.asked("book it")
    choices = tuple(Choice(label, "t1", "answer", label) for label in ("Monday", "Tuesday"))
    await made.answer(message, "which day?", "t1/send:q1", choices=choices)
    question = made.ann.sees(made.thread(message))[0]
    assert question.labels == ["Monday", "Tuesday"]
    click = made.ann.click(question, "Tuesday")
    chosen = await made.heard(2)
    assert (chosen.kind, chosen.action) == (MessageKind.ACTION, Action("t1", "answer", "Tuesday"))
    assert chosen.key == f"discord:i:{click.id}"
    assert chosen.conversation.key == message.conversation.key
    assert chosen.sender.platform_roles == (str(made.team.id),)
    assert click.answered == 6
    await made.answer(chosen, "only for you", "t2/send:answer")
    assert made.ann.sees(made.thread(message))[-1].only_for == int(made.ann.id)
    assert question.content == "which day?"


async def test_many_choices_are_a_select_and_long_ones_are_listed_in_full(made: Town):
    message = await made.asked()
    options = [f"{'option ' * 20}{number}" for number in range(7)]
    await made.answer(
        message, "which?", choices=tuple(Choice(text, "t1", "answer", text) for text in options)
    )
    question = made.ann.sees(made.thread(message))[0]
    assert f"7. {options[6]}" in question.content
    made.ann.click(question, question.buttons[0]["options"][6]["label"])
    chosen = await made.heard(2)
    assert chosen.action is not None
    assert chosen.action.value.startswith("7. option")


@pytest.mark.parametrize(("verb", "answered"), [("approve", 6), ("approve_session", 5)])
async def test_a_click_on_a_card_is_answered_to_that_person_alone(
    verb: str, answered: int, made: Town
):
    message = await made.asked()
    await made.answer(message, "may I?", choices=(Choice("Approve", "a1", verb),))
    click = made.bob.click(made.ann.sees(made.thread(message))[0], "Approve")
    decided = await made.heard(2)
    assert decided.action == Action("a1", verb)
    await made.answer(decided, "Your role can't decide it.", "t2/send:answer")
    assert click.answered == answered
    assert [sent.content for sent in made.bob.sees(made.thread(message))][
        -1
    ] == "Your role can't decide it."
    assert made.seen(message) == ["may I?"]


async def test_slash_commands_are_deferred_and_answered_to_that_person_alone(made: Town):
    used = made.ann.slash(made.general, "approve", ref="a1")
    message = await made.heard()
    assert (message.kind, message.command) == (MessageKind.COMMAND, Command("approve", "a1"))
    assert (message.key, used.answered) == (f"discord:i:{used.id}", 5)
    assert await made.found(message) is None
    await made.answer(message, "approved")
    await made.answer(message, "approved")  # the same send again
    assert [sent.content for sent in made.ann.sees(made.general)] == ["approved"]
    assert made.bob.sees(made.general) == []
    found = await made.found(message)
    assert found is not None
    await made.answer(message, "and more", "t1/send:more")
    assert [sent.content for sent in made.ann.sees(made.general)] == ["approved", "and more"]


async def test_after_fifteen_minutes_a_command_is_answered_by_direct_message():
    clock = FakeClock()
    async with town(clock=clock) as made:
        made.ann.slash(made.general, "status")
        message = await made.heard()
        await clock.advance(15 * 60)
        await made.answer(message, "late but here")
        assert [sent.content for sent in made.ann.sees(made.ann.dm)] == ["late but here"]
        found = await made.found(message)
        assert found is not None


async def test_an_interaction_that_comes_too_late_is_still_answered(made: Town):
    made.platform.interactions.too_late_s = -1.0
    made.ann.slash(made.general, "status")
    message = await made.heard()
    assert message.reply_to.interaction is None
    await made.answer(message, "here")
    assert [sent.content for sent in made.ann.sees(made.ann.dm)] == ["here"]


async def test_commands_are_registered_only_when_they_differ(made: Town):
    made.platform.gateway.malformed("READY")
    await made.platform.until(lambda: len(made.failures) == 1)
    await made.platform.until(lambda: made.platform.gateway.connected)
    await made.asked("still here?")
    assert made.platform.log.count("GET", r"/applications/\d+/commands") == 1
    assert made.platform.log.count("PUT", r"/applications/\d+/commands") == 1
    assert len(made.platform.interactions.commands) == len(BUILT_IN) + len(menus())
