"""Connecting a service: the way is shown, the link is private, and nothing is left for others."""

import json
import logging
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.domain.languages import Language, Phrase
from bot.domain.messages import Command, MessageKind, Place
from bot.testing.connecting_home import Browser
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import write_tool
from bot.testing.oauth_provider import OAuthProvider, oauth_provider
from bot.testing.scripted_model import ScriptedModel, call, say, unlock

KEY = "A" * 43 + "="


@pytest.fixture
async def google() -> AsyncIterator[OAuthProvider]:
    async with oauth_provider("google", FakeClock()) as provider:
        yield provider


def set_up(home: Path, provider: OAuthProvider) -> None:
    (home / ".env").write_text(f"BELLHOP_SECRET_KEY={KEY}\n{provider.secrets()}")
    (home / ".env").chmod(0o600)
    addresses = json.dumps({"google": provider.addresses()})
    settings = (home / "bellhop.yaml").read_text() if (home / "bellhop.yaml").exists() else ""
    (home / "bellhop.yaml").write_text(
        f"{settings}\nservices: {addresses}\nweb: {{allow_private: [127.0.0.1]}}\n"
    )
    by = f"http: GET {provider.url}/api/mail"
    does = "Read the newest mails of the person."
    write_tool(home, "read_mail", does=does, takes={}, requires="google", implementation=by)


def link_in(chat: FakeChat) -> str:
    """The newest link that was posted."""
    found = [
        url for post in chat.posts for url in re.findall(r"http://127\S+/authorize\S+", post.text)
    ]
    return found[-1]


def shown(model: ScriptedModel, first: int = 0) -> str:
    """Everything that the model was given."""
    return json.dumps(
        [[one.system, one.messages, one.tools] for one in model.requests[first:]], default=str
    )


async def test_a_message_resumes_once_after_connecting_also_after_a_restart(
    home: Path, google: OAuthProvider, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG, logger="bot")
    set_up(home, google)
    model = ScriptedModel(
        [
            call("get_capabilities", {"include": ["integrations"]}),
            unlock("connect_service"),
            call("connect_service", {"service": "google"}),
            say("I sent you a private link to connect Google."),
            say("Three mails, none urgent."),
        ]
    )
    chat = FakeChat()
    async with running_app(home, model, chat) as house:
        await house.tell("ann", "What is in my mail?", place=Place.CHANNEL)
        assert "Gmail and Google Calendar" in shown(model)
        (offer,) = [post for post in chat.posts if "/authorize" in post.text]
        assert offer.message.target.ephemeral_to == "ann"
        assert "good for 15 minutes" in offer.text
        url = link_in(chat)
        assert url not in shown(model), "the model never sees the link"
        back = await Browser().say_yes(url)
    async with running_app(home, model, chat) as house:
        before = len(chat.posts)
        await house.command("ann", "connect", f"google {back}")
        posts = await chat.until(before + 2)
        await house.until_idle()
        assert {"Google is connected.", "Three mails, none urgent."} <= {
            post.text for post in posts[before:]
        }
        assert house.app.house.accounts.connections.connected("ann") == {"google"}
        assert "read_mail" in shown(model, 4)
        used = await house.command("ann", "connect", f"google {back}")
        assert "That link is not valid any more" in used
        await house.until_idle()
        assert len(model.requests) == 5, "once"
    tokens = [*google.live, *google.refreshing, *google.grants]
    assert tokens
    kept = (home / "data" / "bellhop.db").read_bytes()
    for token in [*google.live, *google.refreshing]:
        assert token not in caplog.text
        assert token.encode() not in kept


async def test_the_link_comes_in_the_language_of_the_request(home: Path, google: OAuthProvider):
    set_up(home, google)
    search = call("tool_search", {"query": "what is in my mail"})
    offer = call("connect_service", {"service": "google"})
    model = ScriptedModel([search, offer, say("Der Link ist da.")])
    async with running_app(home, model) as house:
        await house.tell("ann", "Was steht heute in meinen Mails?")
        assert "Google is not connected yet: offer it" in shown(model)
        assert "Outlook is not set up" not in shown(model), "one way is enough"
        (post,) = [post for post in house.chat.posts if "/authorize" in post.text]
        assert "nur für deine Anfragen" in post.text


async def test_two_people_one_connected_and_no_trace_for_the_other(
    home: Path, google: OAuthProvider
):
    set_up(home, google)
    look = [
        call("tool_search", {"pattern": "*mail*"}),
        unlock("read_mail"),
        call("get_capabilities", {"query": "mail"}),
        call("read_mail", {}),
        say("Looked."),
    ]
    model = ScriptedModel([*look, *look])
    async with running_app(home, model) as house:
        await house.command("ann", "connect", "google")
        back = await Browser().say_yes(link_in(house.chat))
        assert "Google is connected" in await house.command("ann", "connect", f"google {back}")
        await house.ask("ben", "Look around.")
        bens = shown(model)
        assert "Read the newest mails" not in bens
        assert "ann@example.com" not in bens
        await house.ask("ann", "Look around.")
        assert "Read the newest mails" in shown(model, 5)
        assert "connected" not in (await house.command("ben", "connect")).replace(
            "can't be connected", ""
        )
        assert "Google: connected" in await house.command("ann", "connect")


async def test_a_pasted_link_of_somebody_else_does_nothing_and_stays_good(
    home: Path, google: OAuthProvider
):
    set_up(home, google)
    async with running_app(home, ScriptedModel([])) as house:
        await house.command("ann", "connect", "google")
        back = await Browser().say_yes(link_in(house.chat))
        assert "That link is not valid any more" in await house.command(
            "ben", "connect", f"google {back}"
        )
        assert house.app.house.accounts.connections.connected("ben") == frozenset()
        assert google.count("/token") == 0
        assert "Google is connected" in await house.command("ann", "connect", f"google {back}")
        for language in Language:
            house.chat.locale = language
            again = await house.command("ann", "connect", f"google {back}")
            assert again == Phrase(
                "That link is not valid any more: it was used before, or is older than {minutes} "
                "minutes. Ask for a new one with /connect."
            ).said(language, minutes=15)
        house.chat.locale = ""
        said = await house.command("ann", "disconnect", "google")
        assert said == "Google is disconnected, and I have forgotten its tokens."
        assert google.revoked == 1
        assert not google.live
        assert "have not connected" in await house.command("ann", "disconnect", "google")


async def test_services_that_are_not_set_up_are_not_offered(home: Path):
    model = ScriptedModel([call("tool_search", {"pattern": "connect*"}), say("No.")])
    async with running_app(home, model) as house:
        assert "Nothing can be connected here" in await house.command("ann", "connect")
        assert "can't be connected here" in await house.command("ann", "connect", "notion")
        await house.ask("ann", "Connect me.")
        assert "connect_service" not in shown(model)


async def test_a_stranger_with_a_members_name_is_named_as_a_stranger_on_the_page(
    home: Path, google: OAuthProvider
):
    set_up(home, google)
    (home / "contacts.yaml").write_text(
        "- {id: ann, name: Ann Lee, role: Friend, ids: {discord: [ann]}}\n"
    )

    async def named(house: Harness, who: str, name: str) -> str:
        await house.posts_after(
            house.chat.deliver(
                replace(
                    house.chat.message(who, "/connect google", name=name),
                    kind=MessageKind.COMMAND,
                    command=Command("connect", "google"),
                )
            )
        )
        (state,) = parse_qs(urlsplit(link_in(house.chat)).query)["state"]
        pending = await house.app.house.accounts.connecting.pending(state)
        assert pending is not None
        return pending.shown

    async with running_app(home, ScriptedModel([])) as house:
        assert await named(house, "ann", "whatever") == "Ann Lee on Discord"
        stranger = await named(house, "eve-7", "Ann Lee")
        assert stranger == "a guest who calls themselves “Ann Lee” (id eve-7) on Discord"


# A service that is not connected shows the way, and its skills come with it.


ASKS = (
    call("tool_search", {"query": "what's in my mail?"}),
    call("get_capabilities", {"include": ["integrations"]}),
    say("Mail is not set up here."),
)


def told(model: ScriptedModel) -> tuple[str, str]:
    """What the search and the overview answered."""
    search, overview = (
        json.dumps(model.requests[at].messages[-1], ensure_ascii=False) for at in (1, 2)
    )
    return search, overview


async def test_mail_that_nobody_set_up_shows_the_way_by_role(home: Path):
    async with running_app(home, model := ScriptedModel()) as house:
        for who in ("owner", "ann", "stranger"):
            model.requests.clear()
            model.replace(*ASKS)
            assert await house.ask(who, "what's in my mail?") == "Mail is not set up here."
            for answer in told(model):
                assert "Google is not set up here" in answer, who
                assert ("GOOGLE_CLIENT_ID" in answer) is (who == "owner")
                assert ("Tell the person to ask" in answer) is (who != "owner")
                assert ("ask Olga" in answer) is (who == "ann"), "only who is known learns a name"
            search, _ = told(model)
            assert '\\"unlocked\\": []' in search, "nothing else is taken for it"
            assert "meetings" not in search


async def test_half_a_set_up_is_named_in_chat(home: Path):
    (home / ".env").write_text("GOOGLE_CLIENT_ID=client\n")
    model = ScriptedModel(ASKS)
    async with running_app(home, model) as house:
        await house.ask("owner", "what's in my mail?")
    for answer in told(model):
        assert "Google is only half set up here" in answer
        assert "the missing GOOGLE_CLIENT_SECRET" in answer


SKILL = "/skills/calendar-events/SKILL.md"


def seen_by(model: ScriptedModel, request: int) -> str:
    return json.dumps(
        [model.requests[request].system, model.requests[request].messages], default=str
    )


async def test_a_skill_is_there_once_its_connector_is(home: Path):
    (home / ".env").write_text("BELLHOP_SECRET_KEY=" + "A" * 43 + "=\n")
    (home / ".env").chmod(0o600)
    read = call("read_file", {"path": SKILL})
    model = ScriptedModel([read, say("None."), read, say("Read.")])
    async with running_app(home, model) as house:
        await house.ask("ann", "Write an event.", place=Place.DM)
        assert "calendar-events: " not in seen_by(model, 0)
        assert "What an event needs" not in seen_by(model, 1)
        assert "There is no skill" in await house.command("ann", "skill", "calendar-events")

        await house.app.house.accounts.credentials.store("ann", "google", "token-of-ann")
        await house.order("ann", "new", place=Place.DM)
        await house.ask("ann", "Write an event.", place=Place.DM)
        assert "calendar-events: " in seen_by(model, 2)
        assert "What an event needs" in seen_by(model, 3)
