"""/connect and /disconnect: private links, addresses from the browser, disconnecting."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from bot.connections.access import Connections
from bot.connections.connecting import IS_CONNECTED, Connecting
from bot.connections.services import Service
from bot.domain.access import Person
from bot.domain.card_words import in_words
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, Completing
from bot.domain.languages import Language, Phrase
from bot.domain.native_commands import Completion

LAPSED = Phrase(
    "{service}: no longer accepts the workspace's account. The MasterAdmins have been told."
)

CONNECT_USAGE = "[SERVICE]"
_PASTED = 2


@dataclass(frozen=True)
class ConnectCommands:
    """Answers privately: a person's accounts are nobody else's business."""

    connections: Connections
    connecting: Connecting

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand("connect", self.connect, usage=CONNECT_USAGE, offers=self.offered),
            ChatCommand("disconnect", self.disconnect, usage=CONNECT_USAGE, offers=self.offered),
        )

    async def offered(self, _asks: Completing) -> Sequence[Completion]:
        """Services that can be connected here."""
        services = self.connections.services.values()
        return [Completion(one.title, one.id) for one in services if one.offered]

    async def connect(self, asked: Asked) -> CommandReply:
        """`/connect`, `/connect SERVICE`, `/connect SERVICE ADDRESS` (from the browser)."""
        name, _, pasted = asked.args.strip().partition(" ")
        if not name:
            return _alone(self._list(asked.person, asked.language))
        service = self.connections.services.get(name.casefold())
        if service is None or not (service.offered and self.connections.ready):
            none = Phrase("{name} can't be connected here. `/connect` lists what can.")
            return _alone(none.said(asked.language, name=in_words(name[:40])))
        if pasted:
            return _alone(await self._pasted(asked, service, pasted))
        url = await self.connecting.begin(asked.person.id, service, _shown(asked))
        return CommandReply(
            self._invitation(service, url, asked.language),
            alone=True,
            on_record=f"(a private link to connect {service.title})",
        )

    async def disconnect(self, asked: Asked) -> CommandReply:
        language = asked.language
        service = self.connections.services.get(asked.args.strip().casefold())
        if service is None:
            which = Phrase("Say which: `/disconnect SERVICE`, one of {names}.")
            return _alone(which.said(language, names=", ".join(self.connections.services)))
        taken_back = await self.connections.drop(asked.person.id, service)
        if taken_back is None and not asked.again:
            none = Phrase("You have not connected {service}.")
            return _alone(none.said(language, service=service.title))
        over = Phrase("{service} is disconnected, and I have forgotten its tokens.")
        told = over.said(language, service=service.title)
        if not taken_back:
            left = Phrase("{service} couldn't be told. End the access there, too: {url}")
            told += f" {left.said(language, service=service.title, url=service.manage_url)}"
        return _alone(told)

    def _list(self, person: Person, language: Language) -> str:
        own = self.connections.connected(person.id)
        lines = [
            self._connected(self.connections.services[one], language, own=one in own)
            for one in sorted(self.connections.usable(person))
        ]
        lines += [
            f"- {LAPSED.said(language, service=one.title)}"
            for one in self.connections.lapsed_for_all(person)
            if one.id not in own
        ]
        lines += [
            f"- {one.title}: {one.gives(language)}. `/connect {one.id}`"
            for one in self.connections.connectable(person)
        ]
        return "\n".join(lines) or Phrase(
            "Nothing can be connected here: the operator has not set it up."
        ).said(language)

    def _connected(self, service: Service, language: Language, *, own: bool) -> str:
        phrase = (
            Phrase("{service}: connected. `/disconnect {id}` ends it.")
            if own
            else Phrase("{service}: connected, by the workspace's account.")
        )
        return f"- {phrase.said(language, service=service.title, id=service.id)}"

    def _invitation(self, service: Service, url: str, language: Language) -> str:
        next_step = (
            Phrase("Say yes there, then press Connect on the page that follows.")
            if self.connecting.called_back
            else Phrase(
                "After your yes the browser shows a page that may not load. Copy its whole "
                "address and send me `/connect {id} ADDRESS` in a direct message."
            )
        )
        then = next_step.said(language, id=service.id)
        return Phrase(
            "Connect {what}, for your requests alone:\n{url}\n{then} The link is yours, works "
            "once, and is good for 15 minutes."
        ).said(language, what=service.gives(language), url=url, then=then)

    async def _pasted(self, asked: Asked, service: Service, pasted: str) -> str:
        given = parse_qs(urlsplit(pasted.strip().strip("<>")).query)
        state, code = given.get("state", [""])[0], given.get("code", [""])[0]
        if not state or not code:
            return Phrase(
                "Paste the whole address that the browser shows after your yes, with `code=` and "
                "`state=` in it."
            ).said(asked.language)
        outcome = await self.connecting.finish(state, code, asked.person.id)
        if asked.again and service.id in self.connections.connected(asked.person.id):
            # It was stored before the process ended.
            return IS_CONNECTED.said(asked.language, service=service.title)
        return outcome.told.said(asked.language)


def _shown(asked: Asked) -> str:
    """The asker's name, for anybody who follows the link.

    A stranger chooses their own name: it may equal the name of the person who gets the link.
    """
    name, platform = in_words(asked.person.name), asked.message.conversation.platform.title()
    if asked.person.known:
        return f"{name} on {platform}"
    id_ = in_words(asked.message.sender.id)
    return f"a guest who calls themselves “{name}” (id {id_}) on {platform}"


def _alone(text: str) -> CommandReply:
    return CommandReply(text, alone=True, on_record="(what is connected)")
