"""Every kind of place of Slack: who reads along, and what is shown there."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.messages import Choice, Place, Visibility
from bot.domain.places import UNSURE, Location, Reach
from bot.loopback.slack import Channel, Person, SlackPlatform, Status
from bot.loopback.slack.world import ChannelKind
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import SlackHouse, app_on_slack, known, reads, slack_house

PRIVATE, PUBLIC = frozenset({Reach.PRIVATE}), frozenset({Reach.PUBLIC})
ELSEWHERE = "T0000OTHER"


@pytest.mark.parametrize(
    ("kind", "shared", "reaches"),
    [
        (ChannelKind.PUBLIC, False, PUBLIC),
        (ChannelKind.PRIVATE, False, PRIVATE),
        (ChannelKind.MPIM, False, PRIVATE),
        (ChannelKind.PUBLIC, True, UNSURE),
        (ChannelKind.PRIVATE, True, UNSURE),
    ],
)
async def test_channels_and_threads(
    house: SlackHouse,
    slack: SlackPlatform,
    kind: ChannelKind,
    shared: bool,
    reaches: frozenset[Reach],
):
    room = slack.channel("room", house.ann, kind=kind)
    room.shared = shared
    root = house.ann.say("hello", room)
    reply = house.ann.say("in a thread", room, root.ts)
    house.ann.edit(reply, "in a thread, changed")
    house.ann.delete(root)
    await slack.settled()
    for message in [await house.next(number) for number in range(1, 5)]:
        here = Location.of(message.conversation)
        assert (here.reaches, here.shared, message.private) == (reaches, shared, False)
    assert await house.chat.readers.may_read(house.ann.id, house.heard[0].conversation)
    outside = await house.chat.readers.may_read(house.bob.id, house.heard[0].conversation)
    assert outside is (kind is ChannelKind.PUBLIC)


async def test_direct_messages(house: SlackHouse):
    message = await house.written()
    assert (message.conversation.place, message.private) == (Place.DM, True)


async def test_an_archived_or_left_channel_and_one_that_became_private(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    async with slack_house(slack) as house:
        ann.say("hello", office)
        there = (await house.next(1)).conversation
        room = replace(there, id=office.id, place=Place.CHANNEL, channel="")
        assert await house.chat.readers.visibility(room) is Visibility.PUBLIC
        office.kind = ChannelKind.PRIVATE
        office.members.discard(bob.id)
        ann.say("and now", office)
        assert Location.of((await house.next(2)).conversation).reaches == PRIVATE
    async with slack_house(slack) as house:  # what Slack told before is kept for two minutes
        assert await house.chat.readers.visibility(room) is Visibility.PRIVATE
        assert not await house.chat.readers.may_read(bob.id, there)
        del slack.world.channels[office.id]
    async with slack_house(slack) as house:
        assert not await house.chat.readers.may_read(ann.id, there)
        assert await house.chat.readers.visibility(room) is Visibility.UNKNOWN


async def test_people_of_another_company(house: SlackHouse, slack: SlackPlatform):
    eve = slack.person("eve")
    slack.world.members[eve.id].team = ELSEWHERE
    room = slack.channel("joint", house.ann, eve)
    room.shared = True
    house.ann.say("hello", room)
    eve.say("hi", room)
    await slack.settled()
    assert [one.sender.outside for one in house.heard] == [False, True]
    there = house.heard[0].conversation
    assert await house.chat.readers.may_read(eve.id, there)
    office = slack.channel("office", house.ann)
    house.ann.say("among us", office)
    assert not await house.chat.readers.may_read(eve.id, (await house.next(3)).conversation)


async def test_colleagues_of_the_same_organisation_are_no_strangers(
    slack: SlackPlatform, ann: Person
):
    slack.world.organisation = "E0HOUSE"
    eve, max_ = slack.person("eve"), slack.person("max")
    for one, organisation in ((eve, "E0HOUSE"), (max_, "E0OTHERS")):
        slack.world.members[one.id].team = ELSEWHERE
        slack.world.members[one.id].organisation = organisation
    room = slack.channel("joint", ann, eve, max_)
    async with slack_house(slack) as house:
        for one in (ann, eve, max_):
            one.say("hello", room)
        await slack.settled()
        outside = {one.sender.id: one.sender.outside for one in house.heard}
        assert outside == {ann.id: False, eve.id: False, max_.id: True}


async def test_a_click_from_another_workspace_makes_no_colleague_while_profiles_fail(
    house: SlackHouse, slack: SlackPlatform
):
    eve = slack.person("eve")
    slack.world.members[eve.id].team = ELSEWHERE
    room = slack.channel("joint", house.ann, eve)
    house.ann.mention("hello", room)
    target = (await house.next(1)).reply_to
    choices = (Choice("Yes", "t1", "answer", "Yes"),)
    await house.answer(target, "Shall I?", choices=choices)
    slack.fail("users.info", *([Status(503)] * 6))
    eve.slash("status", room)
    assert (await house.next(2)).sender.outside
    eve.react(slack.said[-1], "eyes")
    room.shared = True
    eve.react(slack.said[-1], "tada")
    await slack.settled()
    assert house.heard[-1].sender.outside


async def test_a_shared_channel_shows_only_what_was_learned_there(
    slack: SlackPlatform, ann: Person, office: Channel, tmp_path: Path
):
    known(tmp_path, ann)
    eve = slack.person("eve")
    slack.world.members[eve.id].team = ELSEWHERE
    joint = slack.channel("joint", ann, eve)
    joint.shared = True
    memory = tmp_path / "memory"
    memory.mkdir()
    (memory / "shared_long_term.md").write_text("- the zebra is expensive\n")
    model = ScriptedModel()
    looks = [
        call("manage_todos", {"action": "list"}),
        call("manage_notes", {"action": "list", "is_agent_note": True}),
        call("search", {"query": "zebra"}),
        call("remember", {"query": "zebra"}),
    ]
    async with app_on_slack(tmp_path, slack, model, access={"default_role": "Friend"}):

        async def asked(who: Person, where: Channel, number: int) -> str:
            model.add(*looks, say(f"answer {number}"))
            who.mention(f"question {number}", where)
            await reads(slack, who, f"answer {number}", where)
            request = model.requests[-1]
            return f"{request.system} {request.messages}".replace('"query": "zebra"', "").replace(
                "'query': 'zebra'", ""
            )

        model.add(
            call("manage_todos", {"action": "create", "title": "feed the zebra"}),
            call("manage_notes", {"action": "add", "is_agent_note": True, "title": "zebra board"}),
            say("saved"),
        )
        ann.mention("save this of the animal", office)
        await reads(slack, ann, "saved", office)
        assert "zebra" in await asked(ann, office, 1)
        assert "zebra" not in await asked(ann, joint, 2)
        assert "zebra" not in await asked(eve, joint, 3)
