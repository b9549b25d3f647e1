"""Commands and forms for platforms: implements domain.native_commands.NativeCommands."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.domain.access import Person, Role
from bot.domain.chat_commands import ChatCommand, Completing, matching
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase, language_of_app
from bot.domain.messages import Conversation, PlatformPerson
from bot.domain.native_commands import Completion, Fields, FormRefusal
from bot.domain.privacy import IN_DM, Viewer
from bot.domain.sessions import SessionKey
from bot.domain.skills import SkillScope, SlashCommand
from bot.sessions.commands import store as registration_store
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.wording.phrases import about_command
from bot.skills.commands import SkillCommands
from bot.skills.custom import CustomSkills, SkillDraft
from bot.skills.families import title_of

VERBS: Mapping[str, Phrase] = {
    "new": Phrase("make a skill of your own"),
    "list": Phrase("which skills are here for you"),
    "show": Phrase("what a skill says; its name is the task"),
    "share": Phrase("give a skill of yours to everybody here; its name is the task"),
    "remove": Phrase("take a skill away; its name is the task"),
}
"""What may stand behind `/skill` in place of a name."""


@dataclass(frozen=True)
class NativeCommandDesk:
    """The commands and forms that platforms are told about."""

    database: Database
    clock: Clock
    commands: SkillCommands
    custom: CustomSkills
    contacts: Contacts
    channels: Channels
    listed: Sequence[ChatCommand]
    """The built-in commands."""

    def watch(self, conversation: Conversation) -> AsyncGenerator[tuple[SlashCommand, ...], None]:
        return self.commands.watch(conversation, self.clock)

    async def complete(
        self, sender: PlatformPerson, conversation: Conversation, typed: str, locale: str
    ) -> tuple[SlashCommand, ...]:
        person = self.contacts.seen_in(conversation, sender)
        if person.role is Role.BANNED:
            return ()
        wanted = typed.strip().casefold().lstrip("/")
        language = language_of_app(locale)
        verbs = [SlashCommand(verb, about.said(language)) for verb, about in VERBS.items()]
        own = await self._of(person, conversation)
        fitting = [one for one in (*own, *verbs) if wanted in one.name]
        fitting += [
            one
            for one, family in self.commands.by_name(person)
            if wanted in one.name or wanted in {family, title_of(family)}
        ]
        found = sorted(fitting, key=lambda one: not one.name.startswith(wanted))
        return tuple(
            replace(one, description=about_command(one.description, language)) for one in found
        )

    async def _of(self, person: Person, conversation: Conversation) -> list[SlashCommand]:
        """The person's own skills first: they are not registered anywhere else."""
        found = [one.command for one in await self.commands.runnable(person, conversation)]
        return sorted(found, key=lambda one: one.scope is not SkillScope.PERSON)

    async def offers(
        self, sender: PlatformPerson, conversation: Conversation, command: str, typed: str
    ) -> tuple[Completion, ...]:
        person = self.contacts.seen_in(conversation, sender)
        found = next((one for one in self.listed if one.name == command), None)
        if found is None or found.offers is None or person.role.rank < found.listed_from.rank:
            return ()
        there = await self.channels.locate_for(person.id, conversation)
        viewer = replace(Viewer.at(there, person), place=IN_DM)
        key = SessionKey(conversation.platform, conversation.workspace, conversation.id, person.id)
        offered = await found.offers(Completing(person, viewer, str(key)))
        return matching(offered, typed)

    async def knows(self, sender: PlatformPerson, conversation: Conversation, name: str) -> bool:
        return await self.commands.knows(
            name, self.contacts.seen_in(conversation, sender), conversation
        )

    @property
    def built_in(self) -> frozenset[str]:
        return self.commands.reserved

    async def review(
        self, sender: PlatformPerson, conversation: Conversation, fields: Fields, locale: str
    ) -> FormRefusal | None:
        person = self.contacts.seen_in(conversation, sender)
        found = await self.custom.check(draft_of(fields), person, conversation)
        if found is None:
            return None
        return FormRefusal(found.field, found.told.said(language_of_app(locale)))

    async def registered(self, scope: str) -> JsonObject | None:
        return await registration_store.registered(self.database, scope)

    async def keep(self, scope: str, record: JsonObject) -> None:
        await registration_store.keep(self.database, scope, record)


def draft_of(fields: Fields) -> SkillDraft:
    """The skill that a completed SKILL_FORM describes."""
    return SkillDraft(
        name=fields.get("name", "").strip(),
        instructions=fields.get("instructions", "").strip(),
        description=fields.get("description", "").strip(),
        command=fields.get("command", "").strip(),
        auto_invoke=fields.get("auto_invoke", "") == "yes",
    )
