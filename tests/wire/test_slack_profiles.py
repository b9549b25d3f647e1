"""What Slack says of people: asked once, and as new as Slack's word that they changed."""

from collections.abc import Callable

import pytest

from bot.domain.home import HomeSection, Prompt
from bot.domain.messages import Conversation, PlatformPerson
from bot.loopback.slack import Channel, Person, SlackPlatform, Status
from bot.testing.slack_house import slack_house


async def test_names_and_rights_of_a_newcomer_cost_one_call(
    slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house:
        ann.mention("hello", office)
        place = (await house.next(1)).conversation
        assert await house.chat.readers.may_read(ann.id, place)
        assert await house.chat.readers.may_write(ann.id, place)
        assert await house.chat.member(place, ann.id) is not None
        assert len(slack.log.named("users.info")) == 1


async def test_a_change_of_a_person_holds_from_its_event_on(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    square = slack.channel("square", ann)
    async with slack_house(slack) as house:
        ann.say("hello", square)
        bob.say("hello", office)
        heard = [await house.next(1), await house.next(2)]
        place = next(one.conversation for one in heard if one.sender.id == ann.id)
        assert await house.chat.readers.may_read(bob.id, place)
        bob.becomes(name="robert", guest=True)
        await slack.settled()
        assert not await house.chat.readers.may_read(bob.id, place)
        bob.say("it is me", office)
        assert (await house.next(3)).sender.name == "robert"
        bob.becomes(gone=True)
        await slack.settled()
        assert await house.chat.member(place, bob.id) is None
        assert len(slack.log.named("users.info")) == 2


async def test_nobody_reads_a_channel_by_a_profile_that_slack_does_not_tell(
    slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house:
        slack.fail("users.info", *([Status(503)] * 8))
        ann.say("hello", office)
        message = await house.next(1)
        assert message.sender.name == ann.id
        assert not await house.chat.readers.may_read(ann.id, message.conversation)
        assert await house.chat.readers.may_read(ann.id, message.conversation)


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
    tab: str, told: bool, slack: SlackPlatform, ann: Person
):
    desk = HeardDesk()
    async with slack_house(slack) as house:
        house.chat.offer_home(desk)
        if not told:
            slack.fail("users.info", *([Status(503)] * 8))
        ann.open_home(tab)
        await slack.until(lambda: desk.senders)
        assert desk.senders[0].outside is not told
