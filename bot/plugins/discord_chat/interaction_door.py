"""Answers interactions in time, and passes them on: commands, clicks, forms, what is typed.

Discord waits three seconds for the first response to each.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.plugin.chat import DeliveryError
from bot.plugin.commands import SEND_FILES, MenuAction, files_form, note_in, opens_form
from bot.plugin.drawing import language_of_app
from bot.plugin.payloads import text_in
from bot.plugins.discord_chat.components import announces_answer, asks_files, files_click
from bot.plugins.discord_chat.interactions import (
    arguments,
    choices,
    chosen,
    chosen_message,
    chosen_person,
    entries,
    form_about,
    form_name,
    modal,
    typed,
    uploaded,
)
from bot.plugins.discord_chat.library_errors import as_calls
from bot.plugins.discord_chat.objects import data_of, locale_of, seen_click, seen_person
from bot.plugins.discord_chat.seen import (
    Answer,
    CallRefused,
    Events,
    RestCall,
    SeenClick,
    SeenCommand,
    SeenPlace,
    SeenTyping,
)

log = logging.getLogger(__name__)

_ANSWERED = 40060
_COMPLETE_S = 2.0
"""The most time for the completions of an option."""
_CALLBACK = "/interactions/{interaction_id}/{webhook_token}/callback"


@dataclass(frozen=True)
class InteractionDoor:
    """The first response to each interaction; what follows is the adapter's."""

    events: Events
    call: Callable[[RestCall], Awaitable[Any]]
    """Raises CallRefused or CallFailed."""
    place_of: Callable[[discord.Interaction], Awaitable[SeenPlace]]

    async def serve(self, interaction: discord.Interaction) -> None:
        match interaction.type:
            case discord.InteractionType.application_command if await self._asked_back(interaction):
                pass
            case discord.InteractionType.autocomplete:
                await self._complete(interaction)
            case discord.InteractionType.component if await self._files_asked(interaction):
                pass
            case discord.InteractionType.modal_submit if (
                form_name(data_of(interaction)) == SEND_FILES
            ):
                token = await self._defer(interaction, thinking=False)
                await self.events.click(await self._files(interaction, token))
            case discord.InteractionType.modal_submit if form_name(data_of(interaction)):
                token = await self._defer(interaction, thinking=True)
                await self.events.command(await self._form(interaction, token))
            case discord.InteractionType.application_command:
                token = await self._defer(interaction, thinking=True)
                await self.events.command(await self._command(interaction, token))
            case discord.InteractionType.component:
                own = announces_answer(str((interaction.data or {}).get("custom_id", "")))
                token = await self._defer(interaction, thinking=own)
                seen = seen_click(
                    interaction, await self.place_of(interaction), token, own_response=own
                )
                await self.events.click(seen)
            case _:
                log.debug("interaction=<%s> | of a kind that is not used here", interaction.type)

    async def _defer(self, interaction: discord.Interaction, *, thinking: bool) -> str | None:
        """Must come first. None: too late, or unknown whether it was in time."""
        try:
            with as_calls():
                await interaction.response.defer(ephemeral=True, thinking=thinking)
        except discord.InteractionResponded:
            return interaction.token
        except DeliveryError as error:
            if not _is_answered(error):
                log.warning(
                    "interaction=<%s>, error=<%s> | could not be acknowledged in time",
                    interaction.id,
                    error,
                )
                return None
        return interaction.token

    async def _command(self, interaction: discord.Interaction, token: str | None) -> SeenCommand:
        data = data_of(interaction)
        return SeenCommand(
            str(interaction.id),
            await self.place_of(interaction),
            seen_person(interaction.user),
            interaction.created_at,
            token,
            str(data.get("name", "")),
            arguments(data),
            menu=chosen(data),
            target=chosen_message(data, str(interaction.channel_id)),
            about=chosen_person(data),
            sees_past=interaction.guild_id is None or interaction.permissions.read_message_history,
            locale=locale_of(interaction),
        )

    async def _form(self, interaction: discord.Interaction, token: str | None) -> SeenCommand:
        seen, data = await self._command(interaction, token), data_of(interaction)
        return replace(
            seen,
            name=form_name(data),
            fields=entries(data),
            form=form_about(data),
            files=uploaded(data),
        )

    async def _files(self, interaction: discord.Interaction, token: str | None) -> SeenClick:
        """Files that were handed in, as the click that opened their form."""
        data, place = data_of(interaction), await self.place_of(interaction)
        return replace(
            seen_click(interaction, place, token, own_response=False),
            custom_id=files_click(form_about(data)),
            values=(),
            note=note_in(dict(entries(data))),
            files=uploaded(data),
        )

    async def _files_asked(self, interaction: discord.Interaction) -> bool:
        """Whether a form for files is shown; it has to be the first response to the click."""
        turn = asks_files(str(data_of(interaction).get("custom_id", "")))
        if not turn:
            return False
        language = language_of_app(locale_of(interaction))
        return await self._respond(interaction, modal(files_form(language), {}, turn))

    async def _asked_back(self, interaction: discord.Interaction) -> bool:
        """Whether a form is shown instead of running a command; it has to be the first response."""
        data = data_of(interaction)
        name, args = str(data.get("name", "")), arguments(data)
        # looking for the place may take a call
        if opens_form(name, args) is None and chosen(data) is not MenuAction.ASK:
            return False
        answer = self.events.asks(await self._command(interaction, interaction.token))
        return answer is not None and await self._respond(interaction, answer)

    async def _complete(self, interaction: discord.Interaction) -> None:
        place, data = await self.place_of(interaction), data_of(interaction)
        who = (seen_person(interaction.user), interaction.created_at, interaction.token)
        try:
            asked = (typed(data), text_in(data, "name"))
            locale = locale_of(interaction)
            seen = SeenTyping(str(interaction.id), place, *who, *asked, locale=locale)
            answer = await asyncio.wait_for(self.events.complete(seen), _COMPLETE_S)
        except TimeoutError:
            answer = choices(())
        await self._respond(interaction, answer)

    async def _respond(self, interaction: discord.Interaction, answer: Answer) -> bool:
        """False: it came too late, or the result is unknown."""
        ids = {"interaction_id": str(interaction.id), "webhook_token": interaction.token}
        try:
            await self.call(RestCall("POST", _CALLBACK, ids, answer))
        except DeliveryError as error:
            if not _is_answered(error):
                log.info(
                    "interaction=<%s>, error=<%s> | could not be answered at once",
                    interaction.id,
                    error,
                )
                return False
        return True


def _is_answered(error: DeliveryError) -> bool:
    """Whether it was delivered twice, and the other one has an answer."""
    return isinstance(error, CallRefused) and error.code == _ANSWERED
