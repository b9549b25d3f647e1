"""A share after the yes: compared by who would see it, in whatever words the card told that."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.access import Role
from bot.domain.approvals import SHARE, Approval, ApprovalState
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase
from bot.domain.memory import Tier
from bot.domain.places import Location
from bot.memory.editing import TierEditor
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.sessions.learning.sharing import Sharing
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact, ContactList
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.settings import AccessSettings
from bot.sessions.turn.decided_calls import DecidedShares
from bot.storage.markdown import MarkdownStore
from bot.testing.contexts import make_person
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.policy.rights import Rights

ANN = Contact("ann", "Ann", Role.FRIEND, ids={"discord": ("ann",)})
MAX = Contact("max", "Max", Role.MASTER_ADMIN, ids={"discord": ("max",)})
NAMED = replace(MAX, name="Maximilian")
EVE = Contact("eve", "Eve", Role.BUSINESS, ids={"discord": ("eve",)})
TEXT = "Lunch is at one."


def a_sharing(folder: Path, database: Database, *people: Contact) -> Sharing:
    contacts = Contacts(
        Path("contacts.yaml"), ContactList(people, ()), KNOWN_PLATFORMS, AccessSettings()
    )
    tiers = TierEditor(MemoryStore(MarkdownStore(folder)), MemorySettings())
    return Sharing(database, FakeClock(), tiers, contacts, Rights())


def a_yes(sharing: Sharing, language: Language, told: JsonObject) -> Approval:
    """One to what a card told in this language."""
    chat = FakeChat()
    chat.locale = language
    now = sharing.clock.now()
    return Approval(
        ref="a2345678",
        session="s",
        person="ann",
        agent="",
        tool=SHARE,
        arguments={"text": TEXT, **told},
        risk=None,
        reason="",
        approver_rank=0,
        state=ApprovalState.APPROVED,
        asked_at=now,
        expires_at=now + timedelta(minutes=30),
        decided_by="ann",
        envelope=incoming_to_json(chat.message("ann", "x")),
    )


def told_of(sharing: Sharing, language: Language) -> JsonObject:
    """What `/share` stores of the readers."""
    readers = sharing.audience(Location.of(FakeChat().message("ann", "x").conversation))
    return {
        "seen_by": readers.said(language),
        "readers": readers.ref,
        "workspace": readers.workspace,
    }


async def outcome(sharing: Sharing, approval: Approval, database: Database) -> tuple[str, int]:
    """What the person reads, and how many texts are shared then."""
    approvals = ApprovalStore(database, sharing.clock)
    decided = DecidedShares(sharing, approvals, Channels(database))
    recorded = await decided.outcome(approval, make_person("ann", Role.FRIEND))
    shared = await sharing.tiers.store.entries(Tier.SHARED, agent="", person_id="")
    return str(recorded.value), len(list(shared))


@pytest.mark.parametrize("language", Language)
async def test_readers_are_the_same_in_any_words(
    tmp_path: Path, database: Database, language: Language
):
    sharing = a_sharing(tmp_path, database, ANN, MAX)
    yes = a_yes(sharing, language, told_of(sharing, language))
    renamed = a_sharing(tmp_path, database, ANN, NAMED)
    said, shared = await outcome(renamed, yes, database)
    assert shared == 1
    assert said.startswith(
        Phrase("Shared. `/share back {ref}` takes it back.").said(language, ref="s")[:10]
    )


@pytest.mark.parametrize("language", Language)
async def test_another_reader_shares_nothing(
    tmp_path: Path, database: Database, language: Language
):
    sharing = a_sharing(tmp_path, database, ANN, MAX)
    yes = a_yes(sharing, language, told_of(sharing, language))
    said, shared = await outcome(a_sharing(tmp_path, database, ANN, MAX, EVE), yes, database)
    assert (said, shared) == (
        Phrase("I shared nothing: others would see it than I told you. Say `/share` again.").said(
            language
        ),
        0,
    )
