"""`/export`: everything that is kept of a person, sent to them as files."""

from dataclasses import dataclass

from bot.domain.messages import OutgoingFile
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.opening.attachments import Attachments
from bot.sessions.reports.exports import Exports

NAME = "bellhop-export.zip"
MOST_BYTES = 8_000_000
"""Every platform takes a file of this size."""


@dataclass(frozen=True)
class ExportCommand:
    """Answers in direct messages alone: the archive has what is said in them."""

    exports: Exports
    attachments: Attachments

    def commands(self) -> tuple[BuiltIn, ...]:
        return (BuiltIn("export", self.run),)

    async def run(self, asked: Asked) -> CommandReply:
        if not asked.message.private:
            return CommandReply("Ask me in a direct message: I send it there alone.", alone=True)
        packed = await self.exports.of(asked.person.id)
        if len(packed) > MOST_BYTES:
            return CommandReply(
                "It is too large to send here. Whoever runs me gets it for you with"
                f" `bellhop export --person {asked.person.id}`."
            )
        blob = await self.attachments.keep(packed)
        file = OutgoingFile(NAME, "application/zip", blob)
        return CommandReply("What I keep of you; README.txt in it says what is where.", (file,))
