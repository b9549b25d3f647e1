"""`/export`: everything that is kept of a person, sent to them as files."""

from dataclasses import dataclass

from bot.domain.messages import OutgoingFile
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.opening.attachments import Attachments
from bot.sessions.reports.exports import Exports
from bot.sessions.wording import page_phrases as said

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
            return CommandReply(said.EXPORT_DIRECTLY.said(asked.language), alone=True)
        packed = await self.exports.of(asked.person.id, asked.language)
        if len(packed) > MOST_BYTES:
            return CommandReply(said.EXPORT_LARGE.said(asked.language, id=asked.person.id))
        blob = await self.attachments.keep(packed)
        file = OutgoingFile(NAME, "application/zip", blob)
        return CommandReply(said.EXPORTED.said(asked.language), (file,))
