"""keep_document: an attached file becomes a document of a collection."""

import hashlib
import json

from pydantic import Field

from bot.plugin.clock import format_utc
from bot.plugin.files import AttachedFile, AttachedFiles, DocumentError, RawDocument
from bot.plugin.tables import Unit
from bot.plugin.tools import (
    JsonObject,
    NativeTool,
    Noun,
    Origin,
    Phrase,
    Reach,
    Role,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Translations,
    Trust,
    new_id,
    one_line,
    titled,
)
from bot.plugins.collections import store
from bot.plugins.collections.documents import (
    INNER_ROLES,
    TEAM,
    DocumentCollections,
    require_name,
    stored,
)
from bot.plugins.collections.store import CollectedDocument

NAME_CHARS = 200
_FOUND_BY = {
    Reach.DM: Phrase(
        "this person alone, in direct messages; for others, send the file in a channel",
        "nur diese Person, in Direktnachrichten; für andere schick die Datei in einen Kanal",
        "cette personne seule, en messages privés ; pour d'autres, envoyez-le dans un canal",
        "solo esta persona, en mensajes directos; para otros, envía el archivo a un canal",
        "solo questa persona, nei messaggi diretti; per altri, manda il file in un canale",
    ),
    Reach.PRIVATE: Phrase(
        "who reads this private channel",
        "wer diesen privaten Kanal liest",
        "qui lit ce canal privé",
        "quien lee este canal privado",
        "chi legge questo canale privato",
    ),
    Reach.PUBLIC: Phrase(
        "everybody whom the roles of the collection let in",
        "alle, die die Rollen der Sammlung zulassen",
        "tous ceux que les rôles de la collection laissent entrer",
        "todos a quienes dejan entrar los roles de la colección",
        "tutti quelli che i ruoli della raccolta lasciano entrare",
    ),
}
_KEEP = Phrase(
    "keep the file {file} in {collection}, found by {who}",
    "die Datei {file} in {collection} aufheben; es finden sie: {who}",
    "garder le fichier {file} dans {collection} ; le trouvent : {who}",
    "guardar el archivo {file} en {collection}; lo encuentran: {who}",
    "tenere il file {file} in {collection}; lo trovano: {who}",
)
_KEEPING = Phrase(
    "Making a note of it", "Ich merke es mir", "Je le retiens", "Tomo nota", "Ne prendo nota"
)


class KeepDocumentArguments(ToolArguments):
    file: str = Field(description="Name of the attached file.")
    collection: str = Field(default=TEAM, description="One that exists.")


class KeepDocument:
    """Reads the file in a process with limits.

    It is visible where it was sent, to those who may read the collection.
    """

    def __init__(self, documents: DocumentCollections, attached: AttachedFiles) -> None:
        self._documents = documents
        self._attached = attached

    def tool(self) -> NativeTool[KeepDocumentArguments]:
        return NativeTool(
            "keep_document",
            KeepDocumentArguments,
            self.run,
            check=self._check,
            tells=self._tell,
            doing=_KEEPING,
            deed=ToolDeed(Noun.FILE, "name"),
            listed=False,
        )

    async def _check(self, context: ToolContext, arguments: KeepDocumentArguments) -> None:
        await self._file(context, arguments)

    async def _tell(self, context: ToolContext, arguments: KeepDocumentArguments) -> Translations:
        found_by = _FOUND_BY[context.learned.reach]
        name, collection = titled(arguments.file), titled(arguments.collection)
        return Translations.by(
            lambda language: _KEEP.said(
                language, file=name, collection=collection, who=found_by.said(language)
            )
        )

    async def _file(self, context: ToolContext, arguments: KeepDocumentArguments) -> AttachedFile:
        """Raises ToolError for a collection or a file that is not there."""
        name, collection = one_line(arguments.file, "file", NAME_CHARS), arguments.collection
        if not self._documents.may_add(context.person, collection):
            names = ", ".join(self._documents.open_names(context.person.role)) or TEAM
            raise ToolError(f"there is no collection {collection!r}; there are {names}")
        file = await self._attached.of(context, name)
        if file is None:
            names = ", ".join(await self._attached.names(context)) or "none"
            raise ToolError(
                f"no file {name!r} was attached here lately (there are: {names}); ask them to send "
                "it here again"
            )
        return file

    async def run(self, context: ToolContext, arguments: KeepDocumentArguments) -> ToolResult:
        name, collection = one_line(arguments.file, "file", NAME_CHARS), arguments.collection
        file = await self._file(context, arguments)
        digest = hashlib.sha256(file.data).hexdigest()
        known = await self._documents.rows.same(
            collection, context.person.id, digest, context.learned
        )
        if known is not None:
            return ToolResult(
                json.dumps({"id": known.id, "kept": True, "known_before": True}),
                summary="known already",
            )
        try:
            require_name(collection)
            read = await self._documents.reader.read(RawDocument(name, file.data, file.media_type))
        except DocumentError as error:
            raise ToolError(str(error)) from error
        document = CollectedDocument(
            id=await new_id(context, self._documents.rows.taken),
            collection=collection,
            owner=context.person.id,
            name=name,
            source="",
            digest=digest,
            added_at=format_utc(context.now),
            learned=context.learned,
            origin=_origin(context, name),
        )
        made: Unit = store.collection_unit(collection, INNER_ROLES, document.added_at)
        self._documents.expect(collection)
        answer: JsonObject = {
            "id": document.id,
            "kept": True,
            "collection": collection,
            "parts": len(read.parts),
        }
        answer["found_by"] = _FOUND_BY[context.learned.reach].en
        if read.note:
            answer["note"] = read.note
        unit = made + await stored(document, read)
        return ToolResult(json.dumps(answer), unit=unit, summary=f"kept {name} for {collection}")


def _origin(context: ToolContext, name: str) -> Origin:
    """A Partner's yes to this very call vouches for the file; else it is somebody's upload."""
    vouched = context.confirmed and context.person.role.rank >= Role.PARTNER.rank
    return Origin(Trust.MEMBER if vouched else Trust.EXTERNAL, f"document:{name}")
