"""`/files`: a person's own files, listed or sent; `/export`: everything that is kept of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, Completing
from bot.domain.database import Row
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.messages import OutgoingFile
from bot.domain.native_commands import Completion
from bot.domain.privacy import Learned, Viewer, left_out
from bot.errors import ToolError
from bot.files.paths import DOCUMENTS, SENT_BY_COMMAND, is_below, media_type_of, name_of, normalise
from bot.files.store import FileRows, Owner
from bot.sessions.opening.attachments import Attachments
from bot.sessions.reports.export_store import Exports

CHARACTERS = CountedPhrase(Phrase("{count} character"), Phrase("{count} characters"))
MORE_FILES = CountedPhrase(
    Phrase("{count} more is not shown; `/files FOLDER` lists one folder."),
    Phrase("{count} more are not shown; `/files FOLDER` lists one folder."),
)

FILES_USAGE = "[PATH]"
SHOWN = 30
_ARCHIVE = "bellhop-export.zip"
_MOST_BYTES = 8_000_000
"""Every platform takes a file of this size."""


@dataclass(frozen=True)
class FileCommands:
    """Shows the files of the file tools, without a model."""

    rows: FileRows
    attachments: Attachments

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("files", self.run, usage=FILES_USAGE, offers=self.offered),)

    async def offered(self, asks: Completing) -> Sequence[Completion]:
        """The person's files that the command sends, and its folders."""
        owner = Owner("person", asks.viewer.person)
        found = [row for root in SENT_BY_COMMAND for row in await self.rows.below(owner, root)]
        seen = [row for row in found if asks.viewer.sees(asks.viewer.person, Learned.of(row))]
        paths = [*SENT_BY_COMMAND, *(str(row["path"]) for row in seen)]
        return [Completion(path, path) for path in paths]

    async def run(self, asked: Asked) -> str | CommandReply:
        """List the documents, or those below a folder, or send one as a file."""
        language = asked.language
        try:
            words = asked.args.strip("`")  # a relative path is below /documents
            path = normalise(words if words.startswith("/") else f"{DOCUMENTS}/{words}")
        except ToolError as error:
            return Phrase("I can't look there: {error}.").said(language, error=error)
        if not any(is_below(path, root) for root in SENT_BY_COMMAND):
            others = ", ".join(SENT_BY_COMMAND[1:])
            return Phrase(
                "Your files are below {root}; `/files` lists them. Others: {others}."
            ).said(language, root=DOCUMENTS, others=others)
        viewer = await asked.viewer()
        owner = Owner("person", viewer.person)
        row = await self.rows.read(owner, path)
        if row is not None:
            return await self._send(row, viewer, language)
        below = await self.rows.below(owner, path)
        if not below and path not in SENT_BY_COMMAND:
            return Phrase("You have no file {path}. `/files` lists yours.").said(
                language, path=path
            )
        return _listing(below, viewer, language)

    async def _send(self, row: Row, viewer: Viewer, language: Language) -> str | CommandReply:
        if not viewer.sees(viewer.person, Learned.of(row)):
            return Phrase("That file is private; ask me in a DM.").said(language)
        path, data = str(row["path"]), str(row["text"]).encode()
        if not data:
            return Phrase("{path} is empty.").said(language, path=path)
        name = name_of(path)
        blob = await self.attachments.keep(data)
        file = OutgoingFile(name, media_type_of(name), blob)
        return CommandReply(Phrase("Here is `{path}`.").said(language, path=path), (file,))


def _listing(rows: list[Row], viewer: Viewer, language: Language) -> str:
    seen = [row for row in rows if viewer.sees(viewer.person, Learned.of(row))]
    lines = [
        f"- `{row['path']}` ({CHARACTERS.said(language, int(row['size']))})" for row in seen[:SHOWN]
    ]
    if len(seen) > SHOWN:
        lines.append(MORE_FILES.said(language, len(seen) - SHOWN))
    if hidden := len(rows) - len(seen):
        lines.append(f"{left_out(hidden, language)}.")
    if seen:
        lines.append(Phrase("`/files PATH` sends one.").said(language))
    return "\n".join(lines) or Phrase("You have no files yet.").said(language)


@dataclass(frozen=True)
class ExportCommand:
    """Answers in direct messages alone: the archive has what is said in them."""

    exports: Exports
    attachments: Attachments

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("export", self.run),)

    async def run(self, asked: Asked) -> CommandReply:
        if not asked.message.private:
            alone = Phrase("Ask me in a direct message: I send it there alone.")
            return CommandReply(alone.said(asked.language), alone=True)
        packed = await self.exports.of(asked.person.id, asked.language)
        if len(packed) > _MOST_BYTES:
            large = Phrase(
                "It is too large to send here. Whoever runs me gets it for you with `bellhop "
                "export --person {id}`."
            )
            return CommandReply(large.said(asked.language, id=asked.person.id))
        blob = await self.attachments.keep(packed)
        file = OutgoingFile(_ARCHIVE, "application/zip", blob)
        about = Phrase("What I keep of you; README.txt in it says what is where.")
        return CommandReply(about.said(asked.language), (file,))
