"""One answer of Slack about a person serves everybody who asks about them."""

import asyncio
from datetime import timedelta

import pytest

from bot.domain.json_types import JsonObject
from bot.plugins.slack_chat.directory import MOST, RIGHTS_FOR, SlackProfiles
from bot.plugins.slack_chat.places import Home
from bot.plugins.slack_chat.trouble import SlackRefused, SlackTrouble, SlackUnsure
from bot.testing.fake_clock import FakeClock, settle

HOUR = timedelta(hours=1)


class Members:
    """Answers `users.info` once it is let go; `names` are those that Slack knows."""

    def __init__(self) -> None:
        self.names = {"U1": "ann"}
        self.asked: list[str] = []
        self.trouble: list[SlackTrouble] = []
        self.go = asyncio.Event()
        self.go.set()

    async def call(self, method: str, *, user: str, include_locale: bool) -> JsonObject:
        assert (method, include_locale) == ("users.info", True)
        self.asked.append(user)
        found = user_object(user, self.names.get(user, ""))
        await self.go.wait()
        if self.trouble:
            raise self.trouble.pop()
        if user not in self.names:
            raise SlackRefused(method, "user_not_found")
        return {"ok": True, "user": {**found, "locale": "de-DE"}}


def user_object(user: str, name: str, **marks: object) -> JsonObject:
    return {"id": user, "team_id": "T1", "name": name, "tz": "Europe/Berlin", **marks}


def changed(user: str, name: str, **marks: object) -> JsonObject:
    return {"type": "user_change", "user": user_object(user, name, **marks)}


@pytest.fixture
def members() -> Members:
    return Members()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def profiles(members: Members, clock: FakeClock) -> SlackProfiles:
    return SlackProfiles(members.call, clock)


async def test_all_who_ask_at_once_share_one_call(members: Members, profiles: SlackProfiles):
    members.go.clear()
    waiting = [asyncio.create_task(profiles.read("U1")) for _ in range(5)]
    await settle()
    waiting[0].cancel()
    await settle()
    members.go.set()
    found = await asyncio.gather(*waiting[1:])
    assert {one.name for one in found if one is not None} == {"ann"}
    assert members.asked == ["U1"]


async def test_an_answer_that_came_too_late_for_its_asker_is_kept(
    members: Members, profiles: SlackProfiles
):
    members.go.clear()
    asker = asyncio.create_task(profiles.read("U1"))
    await settle()
    asker.cancel()
    members.go.set()
    await settle()
    known = profiles.known("U1")
    assert known is not None
    assert (known.name, known.timezone, known.locale) == ("ann", "Europe/Berlin", "de-DE")


async def test_a_profile_is_read_again_when_it_is_too_old_for_its_asker(
    members: Members, profiles: SlackProfiles, clock: FakeClock
):
    await profiles.read("U1")
    members.names["U1"] = "annabel"
    await clock.advance(RIGHTS_FOR.total_seconds())
    assert (found := await profiles.read("U1", HOUR)) is not None
    assert found.name == "ann"
    assert (found := await profiles.read("U1")) is not None
    assert found.name == "annabel"
    assert members.asked == ["U1", "U1"]


async def test_a_change_holds_at_once_and_costs_no_call(members: Members, profiles: SlackProfiles):
    await profiles.read("U1")
    profiles.changed(changed("U1", "annabel", is_restricted=True))
    found = await profiles.read("U1")
    assert found is not None
    assert (found.name, found.is_whole, found.locale) == ("annabel", False, "de-DE")
    assert members.asked == ["U1"]


async def test_a_change_is_newer_than_an_answer_that_was_asked_for_before(
    members: Members, profiles: SlackProfiles, clock: FakeClock
):
    members.go.clear()
    asker = asyncio.create_task(profiles.read("U1"))
    await clock.advance(1)
    profiles.changed(changed("U1", "annabel", deleted=True))
    members.go.set()
    found = await asker
    assert found is not None
    assert (found.name, found.deleted) == ("annabel", True)


async def test_changes_of_people_whom_nobody_asked_about_are_passed_over(
    profiles: SlackProfiles,
):
    profiles.changed(changed("U1", "ann"))
    profiles.changed({"type": "user_change", "user": None})
    assert profiles.known("U1") is None


async def test_who_does_not_exist_is_asked_about_once(members: Members, profiles: SlackProfiles):
    assert await profiles.read("U2") is None
    assert await profiles.read("U2") is None
    assert members.asked == ["U2"]


@pytest.mark.parametrize(
    "trouble", [SlackUnsure("users.info", "gone"), SlackRefused("users.info", "missing_scope")]
)
async def test_trouble_is_told_and_not_kept(
    trouble: SlackTrouble, members: Members, profiles: SlackProfiles
):
    members.trouble = [trouble]
    with pytest.raises(SlackTrouble):
        await profiles.read("U1")
    assert profiles.known("U1") is None
    assert (found := await profiles.read("U1")) is not None
    assert found.home == Home("T1")


async def test_an_answer_without_a_person_is_no_profile(clock: FakeClock):
    async def call(_method: str, **_: object) -> JsonObject:
        return {"ok": True}

    profiles = SlackProfiles(call, clock)
    with pytest.raises(SlackUnsure):
        await profiles.read("U1")
    assert profiles.known("U1") is None


async def test_the_profiles_that_were_read_longest_ago_are_forgotten(
    members: Members, profiles: SlackProfiles
):
    members.names = {f"U{number}": "somebody" for number in range(MOST + 1)}
    for user in members.names:
        await profiles.read(user)
    assert profiles.known("U0") is None
    assert profiles.known(f"U{MOST}") is not None
