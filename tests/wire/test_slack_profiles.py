"""What Slack says of people: asked once, and as new as Slack's word that they changed."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.home import HomeSection, Prompt
from bot.domain.messages import (
    Conversation,
    Interaction,
    OutgoingMessage,
    PlatformPerson,
    ReplyTarget,
)
from bot.loopback.slack import TEAM, SlackPlatform, Status
from bot.plugin.chat import ChatServices
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.places import conversation_at
from bot.plugins.slack_chat.settings import SlackSettings
from bot.plugins.slack_chat.surfaces.home import HOME
from bot.testing.slack_house import TOKENS, HurriedClock, SlackHouse


async def test_names_and_rights_of_a_newcomer_cost_one_call(
    house: SlackHouse, slack: SlackPlatform
):
    house.ann.mention("hello", house.office)
    place = (await house.next(1)).conversation
    assert await house.chat.readers.may_read(house.ann.id, place)
    assert await house.chat.readers.may_write(house.ann.id, place)
    assert await house.chat.member(place, house.ann.id) is not None
    assert len(slack.log.named("users.info")) == 1


async def test_a_change_of_a_person_holds_from_its_event_on(
    house: SlackHouse, slack: SlackPlatform
):
    square = slack.channel("square", house.ann)
    house.ann.say("hello", square)
    house.bob.say("hello", house.office)
    heard = [await house.next(1), await house.next(2)]
    place = next(one.conversation for one in heard if one.sender.id == house.ann.id)
    assert await house.chat.readers.may_read(house.bob.id, place)
    house.bob.becomes(name="robert", guest=True)
    await slack.settled()
    assert not await house.chat.readers.may_read(house.bob.id, place)
    house.bob.say("it is me", house.office)
    assert (await house.next(3)).sender.name == "robert"
    house.bob.becomes(gone=True)
    await slack.settled()
    assert await house.chat.member(place, house.bob.id) is None
    assert len(slack.log.named("users.info")) == 2


async def test_nobody_reads_a_channel_by_a_profile_that_slack_does_not_tell(
    house: SlackHouse, slack: SlackPlatform
):
    slack.fail("users.info", *([Status(503)] * 8))
    house.ann.say("hello", house.office)
    message = await house.next(1)
    assert message.sender.name == house.ann.id
    assert not await house.chat.readers.may_read(house.ann.id, message.conversation)
    assert await house.chat.readers.may_read(house.ann.id, message.conversation)


class HeardDesk:
    """Implements `domain.home.HomeDesk`; remembers for whom a page was made."""

    def __init__(self) -> None:
        self.senders: list[PlatformPerson] = []

    async def page(
        self, sender: PlatformPerson, place: Conversation, locale: str = ""
    ) -> tuple[HomeSection, ...] | None:
        self.senders.append(sender)
        return ()

    async def prompts(
        self, sender: PlatformPerson, place: Conversation, locale: str = ""
    ) -> tuple[Prompt, ...]:
        self.senders.append(sender)
        return ()

    def owner(self, sender: PlatformPerson, place: Conversation) -> str:
        return sender.id

    def tell(self, changed: Callable[[str], object]) -> None:
        """Nothing changes."""


@pytest.mark.parametrize(("tab", "told"), [("home", True), ("home", False), ("messages", False)])
async def test_without_a_profile_a_page_takes_nobody_for_a_colleague(
    house: SlackHouse, tab: str, told: bool, slack: SlackPlatform
):
    desk = HeardDesk()
    house.chat.offer_home(desk)
    if not told:
        slack.fail("users.info", *([Status(503)] * 8))
    house.ann.open_home(tab)
    await slack.until(lambda: desk.senders)
    assert desk.senders[0].outside is not told


async def test_an_answer_of_an_earlier_life_reaches_its_page_before_slack_is_served(
    slack: SlackPlatform,
):
    ann = slack.person("ann")
    settings = SlackSettings.model_validate({"enabled": True, "api_base": slack.api_base})
    chat = SlackChat(settings, TOKENS, ChatServices(HurriedClock()))
    chat.offer_home(HeardDesk())
    clicked = Interaction(HOME, datetime.now(UTC) + timedelta(minutes=1))
    page = conversation_at(TEAM, ann.dm.id, None)
    target = ReplyTarget(page, ephemeral_to=ann.id, interaction=clicked)
    try:
        await chat.send(OutgoingMessage(target, "Todo 12 is done."), "k1")
    finally:
        await chat.close()
    assert "Todo 12 is done." in ann.home
