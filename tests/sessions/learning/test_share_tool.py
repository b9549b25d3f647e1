"""The tool that proposes to share: it writes after the own yes to its text and readers alone."""

import asyncio
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.access import INNER_RANK, Role
from bot.domain.database import Database
from bot.domain.memory import MemoryEntry, Tier
from bot.domain.messages import DIRECT, Conversation, Place, Visibility
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location
from bot.domain.runs import RunKind, RunShape
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Deferred, NeedsApproval, ToolResult
from bot.errors import ToolError
from bot.log import redact
from bot.memory.distillation.routing import ENTRY_CHARS
from bot.memory.editing import TierEditor
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.sessions.learning.sharing import ShareMemory, Sharing, as_entry, share_memory_tool
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact, ContactList
from bot.sessions.settings import AccessSettings
from bot.storage.markdown import MarkdownStore
from bot.testing.contexts import make_context, make_person
from bot.testing.fake_clock import FakeClock
from bot.tools.policy.rights import Rights
from tests.thoroughness import examples

PEOPLE = tuple(
    Contact(name.lower(), name, role, ids={"discord": (name.lower(),)})
    for name, role in (("Ann", Role.FRIEND), ("Gus", Role.GUEST), ("Max", Role.MASTER_ADMIN))
)
SERVER = Conversation("discord", "1", "room", Place.CHANNEL, visibility=Visibility.PUBLIC)
VAULT = replace(SERVER, id="vault", visibility=Visibility.PRIVATE)
DIRECTLY = Conversation("discord", DIRECT, "dm-ann")


def a_sharing(folder: Path, database: Database) -> Sharing:
    contacts = Contacts(
        Path("contacts.yaml"), ContactList(PEOPLE, ()), KNOWN_PLATFORMS, AccessSettings()
    )
    tiers = TierEditor(MemoryStore(MarkdownStore(folder)), MemorySettings())
    return Sharing(database, FakeClock(), tiers, contacts, Rights())


def a_call(at: Conversation = DIRECTLY, **changes: object) -> ToolContext:
    context = make_context(make_person("ann", Role.FRIEND), at=at)
    return replace(context, **changes)  # type: ignore[arg-type]


async def shared(sharing: Sharing) -> list[MemoryEntry]:
    return list(await sharing.tiers.store.entries(Tier.SHARED, agent="", person_id=""))


async def test_the_question_shows_text_and_readers_and_the_yes_writes_both(
    tmp_path: Path, database: Database
):
    sharing = a_sharing(tmp_path, database)
    run = share_memory_tool(sharing).run
    asked = await run(a_call(SERVER), ShareMemory(text=" Lunch is at one. \n"))
    assert isinstance(asked, NeedsApproval)
    assert (asked.call.arguments["text"], asked.approver_rank) == ("Lunch is at one.", 0)
    assert "in this Discord server" in str(asked.call.arguments["seen_by"])
    assert str(asked.call.arguments["seen_by"]).endswith("Known now: Ann, Max")
    assert await shared(sharing) == []
    given = ShareMemory.model_validate(asked.call.arguments)
    for _ in range(2):
        done = await run(a_call(SERVER, confirmed=True), given)
        assert isinstance(done, ToolResult)
        await database.write(done.unit)
    (entry,) = await shared(sharing)
    assert (entry.text, entry.workspace) == ("Lunch is at one.", "discord:1")
    ((ref, text),) = await sharing.shared_by("ann")
    assert (text, entry.source) == ("Lunch is at one.", f"share-{ref}")


@pytest.mark.parametrize(
    ("location", "workspace", "where"),
    [
        (Location.of(DIRECTLY), "", "everywhere that I talk"),
        (
            replace(Location.of(DIRECTLY), homes=frozenset({"discord:1"})),
            "discord:1",
            "in the Discord server 1",
        ),
        (
            replace(Location.of(DIRECTLY), homes=frozenset({"discord:1", "discord:2"})),
            "",
            "everywhere that I talk",
        ),
        (Location.of(replace(VAULT, platform="slack")), "slack:1", "in this Slack workspace"),
        (
            Location.of(replace(VAULT, platform="telegram")),
            "telegram:1",
            "in this Telegram workspace",
        ),
        (Location.of(replace(VAULT, platform="irc")), "irc:1", "in this irc workspace"),
    ],
)
async def test_who_would_see_it(
    tmp_path: Path, database: Database, location: Location, workspace: str, where: str
):
    audience = a_sharing(tmp_path, database).audience(location)
    assert audience.workspace == workspace
    assert f" {where}, now and later" in audience.words


async def test_without_anybody_there_it_is_proposed(tmp_path: Path, database: Database):
    context = a_call(run=RunKind(RunShape.SCHEDULED))
    asked = await share_memory_tool(a_sharing(tmp_path, database)).run(
        context, ShareMemory(text="Lunch is at one.")
    )
    assert isinstance(asked, Deferred)
    assert asked.approver_rank == 0


CALLS = st.builds(
    a_call,
    st.sampled_from([SERVER, VAULT, DIRECTLY]),
    person=st.sampled_from(Role).map(lambda role: make_person("ann", role)),
    confirmed=st.booleans(),
    approved_rank=st.integers(0, 4),
    origin=st.sampled_from(Trust).map(lambda trust: Origin(trust, "x")),
)
TEXTS = st.text(max_size=60) | st.sampled_from(
    ["everyone should know it", "> sag es allen", "[S5][private] x", "- a\n- b", "x" * 401]
)


@settings(max_examples=examples(80), deadline=None)
@given(CALLS, TEXTS, st.sampled_from(["", "somebody", "right"]))
def test_no_call_writes_without_the_own_yes_to_what_was_shown(
    context: ToolContext, text: str, seen_by: str
):
    async def tried() -> None:
        with TemporaryDirectory() as folder:
            sharing = a_sharing(Path(folder), cast("Database", None))  # it reads nothing
            words = sharing.audience(context.location).words if seen_by == "right" else seen_by
            try:
                outcome = await share_memory_tool(sharing).run(
                    context, ShareMemory(text=text, seen_by=words)
                )
            except ToolError:
                outcome = None
            said = as_entry(text)
            may = (
                context.confirmed
                and seen_by == "right"
                and context.person.role.rank >= INNER_RANK
                and context.origin.trust < Trust.OUTSIDER
                and text == said
                and 0 < len(said) <= ENTRY_CHARS
                and redact(said) == said
            )
            assert isinstance(outcome, ToolResult) is may
            assert len(await shared(sharing)) == may

    asyncio.run(tried())
