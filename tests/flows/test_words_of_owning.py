"""Claiming, take-overs and linked accounts are told in the language of whoever reads of them."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.domain.languages import Language, Phrase
from bot.domain.messages import Place
from bot.sessions.commands.people import WELCOME, Claims
from bot.sessions.people.person_links import BESIDE_ROWS
from bot.sessions.people.person_store import THINGS
from bot.testing.fake_chat import FakeChat, Posted
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say, unlock

OLGA = "- {id: olga, name: Olga, role: MasterAdmin, ids: {discord: [olga]}}\n"
ANN = "- {id: ann, name: Ann, role: Friend, ids: {discord: ['42']}}\n"
TWO = "- {id: ann, name: Ann, role: Friend, ids: {discord: ['42', '555']}}\n"
NEW = "- {id: eve, name: Eve, role: Friend, ids: {discord: ['555']}}\n"
SPOKEN = {
    Language.EN: "please write down the bread for me",
    Language.DE: "bitte schreib mir das Brot auf",
    Language.FR: "note le pain pour moi s'il vous plaît",
    Language.ES: "apunta el pan para mí, por favor",
    Language.IT: "scrivi il pane per me, per favore",
}
TODO = {"action": "create", "title": "Zebra"}


@asynccontextmanager
async def written(home: Path, language: Language) -> AsyncGenerator[Harness]:
    """555, whom nobody knows, has a todo; they and Olga write in this language."""
    (home / "contacts.yaml").write_text(OLGA + ANN)
    model = ScriptedModel(
        [
            unlock("manage_todos"),
            call("manage_todos", TODO),
            say("42."),
            say("42."),
        ]
    )
    async with running_app(home, model, FakeChat()) as house:
        for who in ("555", "olga"):
            await house.ask(who, SPOKEN[language])
            await house.until_idle()
        yield house


async def rewrite(house: Harness, home: Path, people: str) -> None:
    """Change the file and its time, which a fast test would else not move."""
    path = home / "contacts.yaml"
    before = path.stat().st_mtime_ns
    path.write_text(people)
    os.utime(path, ns=(before + 1_000_000, before + 1_000_000))
    await house.app.contacts.reload_if_changed()
    await house.app.moves.links.follow()


async def posted(house: Harness, words: str) -> list[Posted]:
    """What is posted when Olga says `/takeover` with these words."""
    before = len(house.chat.posts)
    await house.order("olga", "takeover", words)
    return house.chat.posts[before:]


@pytest.mark.parametrize("language", Language)
async def test_whose_accounts_were_linked_reads_it_in_their_language(
    home: Path, language: Language
):
    async with written(home, language) as house:
        before = len(house.chat.posts)
        await rewrite(house, home, OLGA + ANN + NEW)
        [told] = (await house.chat.until(before + 1))[before:]
        moved = THINGS["todos"].said(language, 1)
        assert told.text == Phrase(
            "I know you as {name} now. What I kept for you before is yours here too: {moved}."
        ).said(language, name="Eve", moved=moved)


@pytest.mark.parametrize("language", Language)
async def test_a_former_owner_is_asked_in_the_language_that_they_write_in(
    home: Path, language: Language
):
    async with written(home, language) as house:
        chat = house.chat
        await rewrite(house, home, OLGA + TWO)
        chat.locale = language
        [listed] = await posted(house, "discord:555 ann")
        assert THINGS["todos"].said(language, 1) in listed.text
        assert (
            Phrase("I ask {names} first, in their direct messages.").said(
                language, names="discord:555"
            )
            in listed.text
        )
        chat.locale = ""
        await posted(house, "discord:555 ann yes")
        [card] = chat.cards
        assert card.text.startswith(
            Phrase(
                "What I keep for you ({kept}) is to become that of **{name}**, who could then "
                "read it. A MasterAdmin has asked for this; say yes only if that is you, or if "
                "you agree. Nothing is moved without your yes, unless you leave this unanswered "
                "for {days} days."
            )
            .all[language]
            .partition("{")[0]
        )
        assert THINGS["todos"].said(language, 1) in card.text
        [yes, no] = card.choices
        assert (yes.label, no.label) == (
            Phrase("Yes, hand it over").said(language),
            Phrase("No").said(language),
        )
        before, chat.locale = len(chat.posts), language
        await chat.click("555", yes.ref, yes.verb)
        posts = await chat.until(before + 2)
        told = Phrase("About {earlier} and {name}: the owner said yes: it is moved now.").said(
            language, earlier="discord-555", name="Ann"
        )
        assert {post.text for post in posts[before:]} >= {
            Phrase("Thank you. It is being handed over.").said(language),
            told,
        }


@pytest.mark.parametrize("language", Language)
async def test_what_an_account_keeps_beside_rows_is_named(home: Path, language: Language):
    async with written(home, language) as house:
        folder = home / "memory" / "discord-555"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "assistant_memory.md").write_text("- [S3] tea\n")
        kept = await house.app.moves.links.kept_of("discord-555", language)
        assert kept.endswith(f", {BESIDE_ROWS.said(language)}")


@pytest.mark.parametrize("language", Language)
async def test_who_claims_reads_each_answer_in_the_language_of_their_app(
    tmp_path: Path, language: Language
):
    (tmp_path / "contacts.yaml").write_text("# Nobody yet.\n")
    async with running_app(tmp_path, ScriptedModel([]), FakeChat()) as house:
        app, house.chat.locale = house.app, language
        claims = Claims(app.database, app.clock, app.contacts)
        wrong = await house.command("ann", "claim", "AAAA-BBBB")
        assert wrong == Phrase(
            "That code is not valid: it is mistyped, was used before, or is older than {hours} "
            "hours. `bellhop contacts code` shows a new one."
        ).said(language, hours=24)
        before = len(house.chat.posts)
        await house.order("ann", "claim", await claims.new_code(), place=Place.CHANNEL)
        await house.chat.command("ann", "claim", "AAAA", place=Place.CHANNEL)
        here = await house.chat.until(before + 2)
        assert [post.text for post in here[before:]] == [
            Phrase(
                "Others could read that code here, so it is void. Get a new one, and send it in a "
                "direct message."
            ).said(language),
            Phrase("Send me `/claim CODE` in a direct message.").said(language),
        ]
        for _ in range(4):
            await house.command("eve", "claim", "AAAA-BBBB")
        await house.command("eve", "claim", "AAAA-BBBB")
        often = await house.command("eve", "claim", "AAAA-BBBB")
        assert often == Phrase("You tried too many wrong codes. Try again in an hour.").said(
            language
        )
        owned = await house.command("ann", "claim", await claims.new_code())
        assert owned == WELCOME.said(language, name="ann")
        late = await house.command("eve", "claim", "AAAA-BBBB")
        assert late == Phrase("I have an owner here already. Ask them to add you.").said(language)
