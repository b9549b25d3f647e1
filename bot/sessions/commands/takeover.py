"""`/takeover OLD NEW [yes]` of a MasterAdmin, and the buttons of the card to a former owner."""

from bot.domain.messages import Place
from bot.sessions.commands.asked import Asked
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.takeovers import TakeOvers

USAGE = "OLD NEW [yes]"
_ANSWERS = {"yes": True, "no": False}


class TakeOverCommand:
    """Gives a contact what is kept under another id, with its former owner's yes."""

    def __init__(self, takeovers: TakeOvers, contacts: Contacts) -> None:
        self._takeovers = takeovers
        self._contacts = contacts

    async def run(self, asked: Asked) -> str:
        """The sentences for whoever asked or answered."""
        message = asked.message
        if message.conversation.place is not Place.DM:
            return "Say that in a direct message."
        words = asked.args.split()
        match words:
            case [ref, answer] if answer in _ANSWERS:
                there = message.conversation
                traits = self._contacts.platforms[there.platform]
                account = (there.platform, traits.written_id(there.workspace, message.sender.id))
                return await self._takeovers.answer(
                    ref, account, yes=_ANSWERS[answer], again=asked.again
                )
            case [earlier, contact]:
                yes = False
            case [earlier, contact, "yes"]:
                yes = True
            case _:
                return (
                    "Say whose things and for whom: `/takeover OLD NEW`, with a former id or an "
                    "account (`discord:ID`) of the contact NEW. I list them first."
                )
        return await self._takeovers.run(asked.person, earlier, contact, yes=yes, key=message.key)
