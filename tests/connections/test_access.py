"""Tokens for calls: their owner, renewal, and tokens that a service rejects."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from bot.assembly.own_plugins import OWN_SERVICES
from bot.connections.access import WORKSPACE, AccessToken, NotConnected
from bot.connections.oauth import GrantRefused, OAuthTrouble, Tokens, invite
from bot.connections.services import Service
from bot.domain.access import Role
from bot.domain.database import Unit
from bot.errors import ToolError
from bot.log import redact
from bot.testing.account_town import BACK, AccountTown
from bot.testing.contexts import make_person

Open = Callable[..., Awaitable[AccountTown]]


@pytest.mark.parametrize("service", [one.id for one in OWN_SERVICES])
async def test_every_service_is_connected_called_renewed_and_taken_back(town: Open, service: str):
    at = await town(service)
    at.provider.holds("/things", {"ok": True, "things": [1]})
    tokens = await at.connect(at.ann)
    assert tokens.expires_at == at.clock.now() + timedelta(hours=1)
    assert set(tokens.scopes) == set(at.service.scopes)
    assert (await at.client.get(at.ann, "/things"))["things"] == [1]
    at.provider.expire()
    assert (await at.client.get(at.ann, "/things"))["things"] == [1]
    assert at.provider.count("/token") == 2
    taken_back = await at.connections.drop("ann", at.service)
    assert taken_back is (service != "outlook")
    assert bool(at.provider.live) is not taken_back
    assert at.connections.usable(at.ann) == frozenset()
    assert await at.connections.drop("ann", at.service) is None


async def test_a_token_is_its_persons_alone(town: Open):
    at = await town()
    assert at.connections.usable(at.ann) == frozenset()
    await at.connect(at.ann)
    assert at.connections.usable(at.ann) == {"google"}
    assert at.connections.usable(at.ben) == frozenset()
    assert isinstance(await at.connections.token_for(at.ann, "google"), AccessToken)
    assert await at.connections.token_for(at.ben, "google") == NotConnected(at.service)
    assert await at.connections.tokens_for(at.ben, ["google", "calendar"]) == {}
    with pytest.raises(ToolError, match="Google is not connected"):
        await at.client.get(at.ben, "/things")


async def test_a_token_is_renewed_before_it_runs_out_once_for_all_who_need_it(town: Open):
    at = await town()
    await at.connect(at.ann)
    await at.clock.advance(3600 - 30)
    found = await asyncio.gather(*(at.connections.token_for(at.ann, "google") for _ in range(5)))
    assert len({token.text for token in found if isinstance(token, AccessToken)}) == 1
    assert at.provider.count("/token") == 2


async def test_a_cancelled_call_does_not_lose_the_new_refresh_token(town: Open):
    at = await town()
    await at.connect(at.ann)
    at.provider.expire()
    await at.clock.advance(3600)
    asking = asyncio.create_task(at.connections.token_for(at.ann, "google"))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert isinstance(await at.connections.token_for(at.ann, "google"), AccessToken)
    assert at.provider.count("/token") == 2
    assert not at.provider.problems


async def test_a_refused_renewal_hides_the_service_and_tells_once(town: Open):
    at = await town()
    told: list[tuple[str, str]] = []

    class Listener:
        asked: tuple[str, str] = ("", "")

        async def lapse_unit(self, person: str, service: Service) -> Unit:
            self.asked = (person, service.id)
            return Unit()

        def lapsed(self) -> None:
            told.append(self.asked)

    at.connections.on_lapse.append(Listener())
    await at.connect(at.ann)
    at.provider.forget()
    with pytest.raises(
        ToolError, match=r"no longer accepts this person's connection.*/connect google"
    ):
        await at.client.get(at.ann, "/things")
    assert at.connections.usable(at.ann) == frozenset()
    assert [one.id for one in at.connections.connectable(at.ann)] == ["google"]
    lacking = await at.connections.token_for(at.ann, "google")
    assert lacking == NotConnected(at.service, lapsed=True)
    assert told == [("ann", "google")]
    await at.credentials.load()
    assert at.connections.usable(at.ann) == frozenset(), "it is remembered over a restart"
    await at.connect(at.ann)
    assert at.connections.usable(at.ann) == {"google"}


async def test_a_provider_that_is_away_costs_nobody_their_connection(town: Open):
    at = await town()
    await at.connect(at.ann)
    await at.clock.advance(3600)
    at.provider.broken = True
    with pytest.raises(ToolError, match="can't renew the access just now"):
        await at.connections.token_for(at.ann, "google")
    at.provider.broken = False
    assert isinstance(await at.connections.token_for(at.ann, "google"), AccessToken)


async def test_the_workspaces_account_is_for_the_roles_that_may_use_it(town: Open):
    at = await town(env={"GOOGLE_WORKSPACE_TOKEN": "token-of-the-workspace"})
    partner = make_person("pat", role=Role.PARTNER)
    assert at.connections.usable(at.ann) == frozenset()
    assert at.connections.usable(partner) == {"google"}
    found = await at.connections.token_for(partner, "google")
    assert found == AccessToken("token-of-the-workspace", WORKSPACE)
    await at.connect(partner)
    own = await at.connections.token_for(partner, "google")
    assert isinstance(own, AccessToken)
    assert own.owner == "pat", "their own account comes first"


async def test_a_refused_token_from_settings_hides_the_service_until_replaced(
    town: Open,
):
    at = await town(env={"GOOGLE_WORKSPACE_TOKEN": "token-of-the-workspace"})
    partner, guest = make_person("pat", role=Role.PARTNER), make_person("gus", role=Role.GUEST)
    assert at.connections.usable(partner) == {"google"}
    for _ in range(2):
        with pytest.raises(ToolError, match="no longer accepts the workspace's account"):
            await at.client.get(partner, "/things")
        assert at.connections.usable(partner) == frozenset()
        assert at.connections.lapsed_for_all(partner) == (at.service,)
        assert at.connections.lapsed_for_all(guest) == ()
        await at.credentials.load()  # it is remembered over a restart
    assert at.provider.site is not None
    assert len(at.provider.site.asked) == 1, "a refused token is not sent again"
    await at.connections.keep(WORKSPACE, at.service, await at.connect(at.ann))
    at.provider.holds("/things", {"things": [1]})
    assert (await at.client.get(partner, "/things"))["things"] == [1]
    at.provider.forget()
    with pytest.raises(ToolError, match="the MasterAdmins have been told"):
        await at.client.get(partner, "/things")
    assert at.connections.lapsed_for_all(partner) == (at.service,)
    assert await at.connections.token_for(guest, "google") == NotConnected(at.service)


async def test_a_stored_account_of_the_workspace_is_renewed_like_any(town: Open):
    at = await town()
    partner = make_person("pat", role=Role.PARTNER)
    await at.connections.keep(WORKSPACE, at.service, await at.connect(at.ann))
    at.provider.holds("/things", {"things": [1]})
    at.provider.expire()
    assert (await at.client.get(partner, "/things"))["things"] == [1]
    assert at.connections.usable(make_person("gus", role=Role.GUEST)) == frozenset()


async def test_a_code_is_good_once_for_its_verifier_and_its_time(town: Open):
    at = await town()
    mine, theirs = invite(at.service, BACK), invite(at.service, BACK)
    code = await at.code(mine.url)
    with pytest.raises(GrantRefused):
        await at.oauth.exchange(at.service, code, theirs.verifier, BACK)
    assert at.provider.problems == ["token: wrong code_verifier"]
    await at.oauth.exchange(at.service, code, mine.verifier, BACK)
    with pytest.raises(GrantRefused):
        await at.oauth.exchange(at.service, code, mine.verifier, BACK)
    assert not at.provider.live, "what the code gave is taken back"
    late = await at.code(theirs.url)
    await at.clock.advance(61)
    with pytest.raises(GrantRefused):
        await at.oauth.exchange(at.service, late, theirs.verifier, BACK)


async def test_a_wrong_client_is_the_operators_trouble(town: Open):
    at = await town(env={"GOOGLE_CLIENT_SECRET": "another-secret"})
    invitation = invite(at.service, BACK)
    with pytest.raises(OAuthTrouble, match="invalid_client"):
        await at.oauth.exchange(
            at.service, await at.code(invitation.url), invitation.verifier, BACK
        )


async def test_no_token_reaches_a_log_or_a_repr(town: Open, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    at = await town()
    tokens = await at.connect(at.ann)
    at.provider.forget()
    with pytest.raises(ToolError):
        await at.client.get(at.ann, "/things")
    seen = f"{tokens!r} {await at.connections.token_for(at.ann, 'google')!r} {caplog.text}"
    assert tokens.access not in seen
    assert tokens.refresh not in seen
    assert tokens.access not in redact(f"the token is {tokens.access}")
    assert Tokens.from_text(tokens.to_text()) == tokens
