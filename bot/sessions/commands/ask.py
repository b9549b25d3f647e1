"""`/ask`, `/catchup`, and what people choose in a platform's own menu of a message or a person.

Each is a turn whose answer one person reads.
"""

from dataclasses import dataclass, replace

from bot.domain.chat_commands import Asked, ChatCommand
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.languages import Phrase
from bot.domain.message_actions import ASK_COMMAND, MenuAction, MenuWish, menu_action, wish_of
from bot.domain.messages import IncomingMessage, MessageKind
from bot.domain.turns import TurnEngine
from bot.domain.work import MessageWork, dump_work
from bot.sessions.records.conversation_store import seen_unit
from bot.sessions.records.envelope import incoming_to_json

CATCH_ME_UP = Phrase("Catch me up: what happened here since I was last here?")


@dataclass(frozen=True)
class AskCommand:
    """Submits a turn of its own, behind a running one, which never takes it as steering."""

    engine: TurnEngine
    clock: Clock

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(ASK_COMMAND, self.run, usage="QUESTION"),
            ChatCommand("catchup", self.catch_up, usage="[#CHANNEL]"),
        )

    async def run(self, asked: Asked) -> str:
        """Why there is no answer, or "" if a turn will answer."""
        return await self._submit(asked, _wish(asked))

    async def catch_up(self, asked: Asked) -> str:
        """The same, about what happened since the person was last here."""
        words = f"{CATCH_ME_UP.said(asked.language)} {asked.args}".strip()
        return await self._submit(asked, MenuWish(words, words))

    async def _submit(self, asked: Asked, wish: MenuWish) -> str:
        message = asked.message
        if not wish.text:
            return Phrase("Say what you want to know: `/ask QUESTION`.").said(asked.language)
        question = await self.engine.open_question(message.conversation.key, asked.person.id)
        if question is not None and not asked.again:
            return Phrase(
                "I am waiting for your answer; answer first, or /stop, and then ask again."
            ).said(asked.language)
        said = replace(
            message,
            kind=MessageKind.TEXT,
            text=wish.text,
            typed=wish.typed,
            private=message.private or message.aside,
            command=None,
        )
        unit = Unit() if message.aside else seen_unit(said, asked.person, self.clock.now())
        body = dump_work(MessageWork(incoming_to_json(said)))
        await self.engine.submit(str(asked.key), f"{ASK_COMMAND}:{message.key}", body, unit=unit)
        return ""


def _wish(asked: Asked) -> MenuWish:
    message = asked.message
    action = menu_action(message.command)
    if action is None or action is MenuAction.ASK:
        return MenuWish(asked.args, _behind(message))
    name, _, who = asked.args.rpartition(" ") if action is MenuAction.ABOUT else ("", "", "")
    return wish_of(action, message.locale, name=name or who, who=who)


def _behind(message: IncomingMessage) -> str:
    """The typed words without the name of the command."""
    words = message.own_words.strip()
    first, _, rest = words.partition(" ")
    return rest.strip() if first.lstrip("/!").casefold() == ASK_COMMAND else words
