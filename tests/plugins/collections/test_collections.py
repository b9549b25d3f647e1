"""search_documents and keep_document: who has them, their output, and a kept file's trust."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.access import Role
from bot.domain.files import AttachedFile
from bot.domain.messages import Conversation
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ToolCall
from bot.errors import ToolError
from bot.knowledge.reading import DocumentReader, RawDocument
from bot.plugins.collections.documents import DocumentCollections
from bot.plugins.collections.plugin import CollectionsConnector, KeepDocument
from bot.plugins.collections.search import LogSearch
from bot.testing import documents
from bot.testing.contexts import a_place, make_context, make_person
from bot.testing.desk import Desk
from bot.testing.own_readers import OWN_READERS
from bot.tools.native.registry import NativeTools, ToolRegistration
from bot.web.client import WebClient
from bot.web.settings import WebSettings

PUBLIC, DM = a_place(Reach.PUBLIC), a_place(Reach.DM)


@dataclass
class Attached:
    """The asking person's files."""

    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    async def of(self, context: ToolContext, name: str) -> AttachedFile | None:
        return AttachedFile(name, "", self.files[name]) if name in self.files else None

    async def names(self, context: ToolContext) -> tuple[str, ...]:
        return tuple(self.files)


@dataclass
class Shelf:
    """The connector over a home."""

    desk: Desk
    documents: DocumentCollections
    connector: CollectionsConnector
    keep: NativeTool[Any]
    data: Path

    def tools(self, role: Role) -> dict[str, NativeTool[Any]]:
        scope = ToolScope(make_person("ann", role), "assistant")
        kept = ToolRegistration([self.keep])
        return dict(NativeTools([*self.connector.registrations(), kept]).handlers(scope))

    async def run(
        self,
        tool: str,
        role: Role = Role.FRIEND,
        *,
        at: Conversation = PUBLIC,
        yes: bool = False,
        **given: Any,
    ) -> ToolResult:
        self.desk.calls += 1
        called = self.tools(role)[tool]
        context = replace(
            make_context(make_person("ann", role), now=self.desk.clock.now(), at=at),
            call=ToolCall("call", tool, given, f"tool:{self.desk.calls}.0"),
            confirmed=yes,
        )
        result = await called.run(context, called.arguments.model_validate(given))
        assert isinstance(result, ToolResult)
        await self.desk.database.write(result.unit)
        return result

    async def call(self, tool: str, role: Role = Role.FRIEND, **given: Any) -> Any:
        return json.loads((await self.run(tool, role, **given)).content)


@pytest.fixture
def shelf(desk: Desk, tmp_path: Path) -> Shelf:
    collections = DocumentCollections(
        desk.database,
        desk.clock,
        WebClient(WebSettings()),
        reader=DocumentReader(readers=OWN_READERS),
    )
    attached = Attached(
        {
            "manual.pdf": documents.pdf(["The pump has a warranty", "of two years"]),
            "locked.pdf": documents.locked_pdf("secret"),
        }
    )
    connector = CollectionsConnector(collections, LogSearch(tmp_path))
    keep = KeepDocument(collections, attached).tool()
    return Shelf(desk, collections, connector, keep, tmp_path)


def added(words: str) -> RawDocument:
    return RawDocument("guide.md", f"# Setup\n{words}".encode())


async def test_without_documents_there_is_nothing_to_search(shelf: Shelf):
    for role in Role:
        assert "search_documents" not in shelf.tools(role)
        assert (
            shelf.connector.prompt_section(ToolScope(make_person("ann", role), "assistant")) is None
        )


async def test_a_result_is_cited_and_says_how_it_was_found(shelf: Shelf):
    await shelf.documents.add(added("turn the key"), "/guide.md")
    answer = await shelf.call("search_documents", query="key")
    assert answer == {
        "search": "by words alone: no embedder is set",
        "results": [
            {
                "document": "guide.md",
                "place": "Setup",
                "collection": "team",
                "score": answer["results"][0]["score"],
                "text": "turn the key",
            }
        ],
    }
    assert 0 < answer["results"][0]["score"] <= 1
    nothing = await shelf.call("search_documents", query="bicycle")
    assert nothing["collections"] == ["team"]


async def test_a_collection_of_others_is_as_if_it_were_not(shelf: Shelf):
    await shelf.documents.add(added("salary"), "/pay.md", "board", "Partner+")
    assert "search_documents" in shelf.tools(Role.PARTNER)
    assert "search_documents" not in shelf.tools(Role.FRIEND)
    await shelf.documents.add(added("key"), "/guide.md")
    assert (await shelf.call("search_documents", query="salary"))["results"] == []
    for name in ("board", "nothing", "logs"):
        with pytest.raises(ToolError, match=f"no collection '{name}'; there are team"):
            await shelf.call("search_documents", query="salary", collection=name)


async def test_operator_files_are_member_words_and_web_pages_are_external(shelf: Shelf):
    await shelf.documents.add(added("turn the key"), "/guide.md")
    result = await shelf.run("search_documents", query="key")
    assert (result.origin.trust, result.private) == (Trust.MEMBER, False)
    page = replace(added("turn the key"), url="https://example.org/guide")
    await shelf.documents.add(page, page.url, "web")
    result = await shelf.run("search_documents", query="key", collection="web")
    assert result.origin.trust is Trust.EXTERNAL
    assert json.loads(result.content)["results"][0]["url"] == "https://example.org/guide"


async def test_a_file_is_kept_for_the_team_and_found_by_its_page(shelf: Shelf):
    kept = await shelf.call("keep_document", file="manual.pdf")
    assert (kept["kept"], kept["collection"], kept["parts"]) == (True, "team", 2)
    assert kept["found_by"].startswith("everybody")
    answer = await shelf.call("search_documents", query="warranty")
    assert [(one["document"], one["place"]) for one in answer["results"]] == [
        ("manual.pdf", "page 1")
    ]
    assert await shelf.call("keep_document", file="manual.pdf") == {
        "id": kept["id"],
        "kept": True,
        "known_before": True,
    }


@pytest.mark.parametrize(
    ("role", "yes", "trust"),
    [
        (Role.PARTNER, True, Trust.MEMBER),
        (Role.PARTNER, False, Trust.EXTERNAL),
        (Role.FRIEND, True, Trust.EXTERNAL),
    ],
)
async def test_only_a_partner_who_said_yes_vouches_for_a_file(
    shelf: Shelf, role: Role, yes: bool, trust: Trust
):
    await shelf.run("keep_document", role, yes=yes, file="manual.pdf")
    assert (await shelf.run("search_documents", query="warranty")).origin.trust is trust


async def test_a_file_of_a_direct_message_stays_there(shelf: Shelf):
    result = await shelf.run("keep_document", at=DM, file="manual.pdf")
    assert json.loads(result.content)["found_by"].startswith("this person alone")
    in_dm = await shelf.run("search_documents", at=DM, query="warranty")
    assert json.loads(in_dm.content)["results"]
    assert in_dm.private
    in_public = json.loads((await shelf.run("search_documents", query="warranty")).content)
    assert in_public["results"] == []
    assert in_public["left_out"] == "1 more is private; ask me in a DM"


async def test_files_that_can_not_be_kept_are_explained_to_the_model(shelf: Shelf):
    with pytest.raises(
        ToolError,
        match=r"'gone\.pdf' was attached here lately \(there are: manual\.pdf, locked\.pdf\)",
    ):
        await shelf.run("keep_document", file="gone.pdf")
    with pytest.raises(ToolError, match="protected by a password"):
        await shelf.run("keep_document", file="locked.pdf")
    with pytest.raises(ToolError, match="there is no collection 'board'"):
        await shelf.run("keep_document", file="manual.pdf", collection="board")
    await shelf.documents.add(added("salary"), "/pay.md", "board", "Partner+")
    with pytest.raises(ToolError, match="there is no collection 'board'"):
        await shelf.run("keep_document", file="manual.pdf", collection="board")


async def test_kept_documents_are_listed_for_their_person_and_forgotten(shelf: Shelf):
    kept = await shelf.call("keep_document", file="manual.pdf")
    [thing] = await shelf.connector.kept_of("ann")
    assert (thing.id, thing.text) == (
        f"collections:{kept['id']}",
        "manual.pdf (in the collection team, 2 parts)",
    )
    await shelf.desk.database.write(shelf.connector.forgetting("bob", thing.id))
    assert len(await shelf.connector.kept_of("ann")) == 1
    await shelf.desk.database.write(shelf.connector.forgetting("ann", thing.id))
    assert list(await shelf.connector.kept_of("ann")) == []
    assert (await shelf.call("search_documents", query="warranty"))["results"] == []


async def test_the_logs_are_a_master_admins_where_nobody_reads_along(shelf: Shelf):
    lines = [
        f"2026-11-20T12:00:0{number}Z INFO    bot.turns: turn=<{number}> | started"
        for number in range(6)
    ]
    lines.insert(3, "2026-11-20T12:00:02Z WARNING bot.web: host=<example.org> | gave no answer")
    (shelf.data / "bellhop.log").write_text("\n".join(lines))
    assert [role for role in Role if "search_documents" in shelf.tools(role)] == [Role.MASTER_ADMIN]
    result = await shelf.run(
        "search_documents", Role.MASTER_ADMIN, at=DM, query="example.org answer", collection="logs"
    )
    first = json.loads(result.content)["results"][0]
    assert (first["document"], first["place"]) == ("logs", "bellhop.log, lines 2-6")
    assert "gave no answer" in first["text"]
    assert (result.origin.trust, result.private) == (Trust.EXTERNAL, True)
    with pytest.raises(ToolError, match="direct messages"):
        await shelf.run("search_documents", Role.MASTER_ADMIN, query="answer", collection="logs")
    await shelf.documents.add(added("key"), "/guide.md")
    with pytest.raises(ToolError, match="no collection 'logs'"):
        await shelf.run("search_documents", Role.PARTNER, at=DM, query="answer", collection="logs")
