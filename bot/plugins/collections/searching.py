"""search_documents: matching parts of documents, each with its position."""

import json

from pydantic import Field

from bot.plugin.tools import (
    JsonObject,
    NativeTool,
    Origin,
    Phrase,
    Reach,
    Role,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolResult,
    Trust,
    as_read_by,
    elsewhere,
    left_out,
)
from bot.plugins.collections.documents import DocumentCollections
from bot.plugins.collections.log_search import LOGS, LogSearch
from bot.plugins.collections.search import ScoredPart

QUERY_CHARS = 500
MOST = 20
_TOOL = "tool:search_documents"
_SEARCHING = Phrase(
    "Searching what was said and kept here",
    "Ich suche in dem, was hier gesagt und abgelegt wurde",
    "Je cherche dans ce qui a été dit et gardé ici",
    "Busco en lo que se dijo y guardó aquí",
    "Cerco in quello che è stato detto e tenuto qui",
)


class SearchDocumentsArguments(ToolArguments):
    query: str = Field(
        max_length=QUERY_CHARS, description="Words that the text probably holds, synonyms included."
    )
    collection: str | None = Field(default=None, description="Only in this one.")
    limit: int = Field(default=5, ge=1, le=MOST)


class SearchDocuments:
    """Shows what the asking person's role and place allow.

    Only a MasterAdmin sees the logs, and only in direct messages.
    """

    def __init__(self, documents: DocumentCollections, logs: LogSearch) -> None:
        self._documents = documents
        self._logs = logs

    def tool(self) -> NativeTool[SearchDocumentsArguments]:
        return NativeTool(
            "search_documents", SearchDocumentsArguments, self.run, pure=True, doing=_SEARCHING
        )

    async def run(self, context: ToolContext, arguments: SearchDocumentsArguments) -> ToolResult:
        if not arguments.query:
            raise ToolError("query: give words that the text probably holds")
        names = self._names(context)
        if arguments.collection is not None and arguments.collection not in names:
            raise ToolError(
                f"there is no collection {arguments.collection!r}; there are "
                f"{', '.join(names) or 'none'}"
            )
        if arguments.collection == LOGS:
            return await self._in_logs(context, arguments)
        found = await self._documents.finder.find(
            context.person, context.viewer, arguments.query, arguments.limit, arguments.collection
        )
        answer: JsonObject = {"search": found.how, "results": [_shown(one) for one in found.parts]}
        if found.left_out:
            answer["left_out"] = left_out(found.left_out)
        if not found.parts:
            answer["collections"] = names
            more = elsewhere(context, search="the person's own files, and messages")
            answer["hint"] = f"no part of these collections fits{more}"
        origins = [as_read_by(context.person.id, one.part.document.origin) for one in found.parts]
        return ToolResult(
            json.dumps(answer, ensure_ascii=False),
            origin=Origin(max((one.trust for one in origins), default=Trust.OPERATOR), _TOOL),
            private=any(one.part.document.learned.private for one in found.parts),
            summary=f"found {len(found.parts)}",
        )

    def _names(self, context: ToolContext) -> list[str]:
        role = context.person.role
        logs = [LOGS] if role is Role.MASTER_ADMIN and self._logs.exists() else []
        return [*self._documents.open_names(role), *logs]

    async def _in_logs(
        self, context: ToolContext, arguments: SearchDocumentsArguments
    ) -> ToolResult:
        if context.viewer.place.reach is not Reach.DM:
            raise ToolError(
                "logs tell of many people, so they are shown in direct messages and at the "
                "terminal only"
            )
        found = await self._logs.find(arguments.query, arguments.limit)
        results = [
            {"document": LOGS, "place": one.place, "score": one.score, "text": one.text}
            for one in found
        ]
        return ToolResult(
            json.dumps({"search": "log lines by words", "results": results}, ensure_ascii=False),
            origin=Origin(Trust.EXTERNAL, _TOOL),  # log lines repeat what strangers sent
            private=True,
            summary=f"found {len(found)}",
        )


def _shown(one: ScoredPart) -> JsonObject:
    document = one.part.document
    shown: JsonObject = {
        "document": document.name,
        "place": one.part.place,
        "collection": document.collection,
        "url": document.source if document.source.startswith(("http://", "https://")) else "",
        "score": one.score,
        "text": one.part.text,
    }
    return {key: value for key, value in shown.items() if value != ""}
