"""What is missing of a service, and who can give it, by role."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.assembly.crew import keyed_offers
from bot.connections.credentials import KEY
from bot.connections.offers import service_offers
from bot.domain.access import Person, Role
from bot.domain.finding import ServiceOffer
from bot.plugin.plugin import Setup
from bot.plugins.web_tools.plugin import WebToolsPlugin
from bot.plugins.web_tools.settings import WebToolSettings
from bot.testing.account_town import AccountTown

Open = Callable[..., Awaitable[AccountTown]]
OWNER = Person("o", "Olga", Role.MASTER_ADMIN, known=True)
STRANGER = Person("s", "Sam", Role.GUEST)


def admins() -> list[str]:
    return ["Olga", "Pia", "Quirin"]


def of(at: AccountTown, person: Person) -> dict[str, ServiceOffer]:
    return {one.id: one for one in service_offers(at.connections, person, admins)}


async def test_who_may_connect_is_told_to_and_has_no_offer_afterwards(town: Open):
    at = await town()
    offer = of(at, at.ann)["google"]
    assert offer.by_person
    assert "/connect google" in offer.way
    await at.connect(at.ann)
    assert "google" not in of(at, at.ann)
    assert "google" in of(at, at.ben)


async def test_what_is_not_set_up_names_the_next_step_by_role(town: Open):
    at = await town()
    known = replace(at.ann, known=True)
    for_owner = of(at, OWNER)["notion"]
    assert not for_owner.by_person
    assert "NOTION_CLIENT_ID and NOTION_CLIENT_SECRET" in for_owner.way
    assert "docs/connecting.md" in for_owner.way
    for_member = of(at, known)["notion"].way
    assert "ask Olga or Pia" in for_member
    assert "CLIENT_ID" not in for_member
    for_stranger = of(at, STRANGER)["notion"].way
    assert "whoever runs this Bellhop" in for_stranger
    assert not any(name in for_stranger for name in admins()), "a stranger learns no names"


async def test_half_a_set_up_is_named_as_such(town: Open):
    at = await town(env={"GOOGLE_CLIENT_SECRET": ""})
    offer = of(at, OWNER)["google"]
    assert not offer.by_person, "the link would lead nowhere"
    assert "only half set up" in offer.way
    assert "the missing GOOGLE_CLIENT_SECRET" in offer.way
    assert "GOOGLE_CLIENT_ID" not in offer.way
    assert "only half set up" in of(at, at.ann)["google"].way
    keyless = await town("github", env={KEY: ""})
    offer = of(keyless, OWNER)["github"]
    assert f"{KEY} with `bellhop rotate-key`" in offer.way
    assert "GITHUB_CLIENT" not in offer.way


def keyed(person: Person = OWNER, **secrets: str) -> dict[str, str]:
    setup = Setup(WebToolSettings(), lambda name: secrets.get(name, ""))
    lacking = [("web_tools", one) for one in WebToolsPlugin().lacks(setup)]
    return {one.id: one.way for one in keyed_offers(lacking, person, admins)}


def test_tools_with_a_key_of_the_operator_are_offered_until_it_is_there():
    ways = keyed()
    assert set(ways) == {"web_search", "web_scrape"}
    assert "BRAVE_API_KEY" in ways["web_search"]
    assert "web_search" not in keyed(BRAVE_API_KEY="k")
    assert "BRAVE" not in keyed(STRANGER)["web_search"]
