"""The connector "github" and its two tools.

github_issues: list, read, create, comment, close and reopen.
https://docs.github.com/en/rest/issues/issues and …/issues/comments

github_search: issues, pull requests, repositories and code.
https://docs.github.com/en/rest/search/search
"""

import json
import re
from typing import Annotated, Any, Literal

from pydantic import Field

from bot.plugin.services import (
    WORKS_IN_ACCOUNT,
    ServiceClient,
    ServiceConnector,
    ServiceRequest,
    as_object,
    as_objects,
    read_for,
    reading_tool,
)
from bot.plugin.tools import (
    KIND_MARK,
    MARK,
    JsonObject,
    NativeTool,
    Noun,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Translations,
    Usable,
    coded,
    titled,
)

QUERY_CHARS = 256
"""GitHub's maximum, without operators and qualifiers."""
MOST = 30
_SNIPPET_CHARS = 300
_FRAGMENTS = "application/vnd.github.text-match+json"
"""Asks for the matching places in the code."""


class GithubSearchArguments(ToolArguments):
    """The words to look for, and the kind of thing."""

    query: str = Field(
        min_length=1,
        max_length=QUERY_CHARS,
        description="As on GitHub: repo:acme/web is:open login",
    )
    kind: Literal["issues", "pulls", "repositories", "code"] = "issues"
    limit: int = Field(default=10, ge=1, le=MOST)


def search_tool(github: ServiceClient) -> NativeTool[Any]:
    """The tool over one client."""

    async def search(context: ToolContext, arguments: GithubSearchArguments) -> ToolResult:
        path, query = _place(arguments)
        request = ServiceRequest(
            "GET", path, {"q": query, "per_page": arguments.limit}, headers=_accept(arguments)
        )
        found = await github.call(context.person, request)
        items = as_objects(found["items"])
        told: JsonObject = {
            arguments.kind: [_shown(arguments.kind, one) for one in items],
            "total": found["total_count"],
        }
        if found["incomplete_results"] is True:
            told["note"] = (
                "GitHub ran out of time before it had looked everywhere; a narrower query "
                "finds more."
            )
        if not items:
            told["hint"] = "nothing that this person sees on GitHub fits; fewer words find more"
        text = json.dumps(told, ensure_ascii=False)
        return ToolResult(
            text, origin=github.service.origin, summary=f"{len(items)} found on GitHub"
        )

    return reading_tool(github, "github_search", GithubSearchArguments, search)


def repo_of(issue: JsonObject) -> str:
    """`owner/name`, taken from the repository address of an issue."""
    return "/".join(str(issue.get("repository_url", "")).split("/")[-2:])


def _place(arguments: GithubSearchArguments) -> tuple[str, str]:
    """The path, and the query with the qualifier that GitHub requires to search issues."""
    match arguments.kind:
        case "issues":
            return "/search/issues", f"{arguments.query} is:issue"
        case "pulls":
            return "/search/issues", f"{arguments.query} is:pull-request"
        case "repositories":
            return "/search/repositories", arguments.query
        case "code":
            return "/search/code", arguments.query


def _accept(arguments: GithubSearchArguments) -> dict[str, str]:
    return {"Accept": _FRAGMENTS} if arguments.kind == "code" else {}


def _shown(kind: str, one: JsonObject) -> JsonObject:
    match kind:
        case "repositories":
            about = str(one.get("description") or "")[:_SNIPPET_CHARS]
            return {
                "repo": one.get("full_name"),
                "about": about,
                "private": one.get("private"),
                "url": one.get("html_url"),
            }
        case "code":
            repo = as_object(one.get("repository")).get("full_name")
            places = [
                str(match.get("fragment", ""))[:_SNIPPET_CHARS]
                for match in as_objects(one.get("text_matches"))
            ]
            return {
                "repo": repo,
                "path": one.get("path"),
                "url": one.get("html_url"),
                "matches": places[:3],
            }
        case _:
            return {
                "repo": repo_of(one),
                "number": one.get("number"),
                "title": one.get("title"),
                "state": one.get("state"),
                "by": as_object(one.get("user")).get("login"),
                "updated": one.get("updated_at"),
                "url": one.get("html_url"),
            }


OPEN = Phrase("open an issue in {repo}: {title}")
COMMENT = Phrase("comment on issue {number} of {repo}: {body}")
CLOSE = Phrase("close issue {number} of {repo}")
REOPEN = Phrase("reopen issue {number} of {repo}")


MOST_LISTED = 30
SHOWN_COMMENTS = 20
BODY_CHARS = 30_000
_SHOWN_BODY, _SHOWN_COMMENT = 5_000, 400
_REPO = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.\.?$)[A-Za-z0-9._-]{1,100}")

Repo = Annotated[
    str | None, Field(max_length=140, json_schema_extra={MARK: "path", KIND_MARK: "github_repo"})
]
Number = Annotated[
    int | None, Field(ge=1, json_schema_extra={MARK: "id", KIND_MARK: "github_issue"})
]
Label = Annotated[str, Field(min_length=1, max_length=50)]


class GithubIssuesArguments(ToolArguments):
    """The action decides which fields count."""

    action: Literal["list", "read", "create", "comment", "close", "reopen"]
    repo: Repo = Field(
        default=None, description="owner/name; list without it: what is assigned to the person."
    )
    number: Number = None
    title: str | None = Field(default=None, max_length=256, description="create")
    body: str | None = Field(
        default=None, max_length=BODY_CHARS, description="create, comment: markdown."
    )
    labels: list[Label] | None = Field(default=None, max_length=20, description="list, create")
    state: Literal["open", "closed", "all"] | None = Field(
        default=None, description="list; default open."
    )


class IssueTools:
    """The tool over one client."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client
        self._origin = client.service.origin

    def tool(self) -> NativeTool[Any]:
        return NativeTool(
            "github_issues",
            GithubIssuesArguments,
            self._run,
            acts=True,
            check=self._check,
            tells=self._tell,
            doing=WORKS_IN_ACCOUNT,
            deed=ToolDeed(Noun.ISSUE, "title"),
        )

    async def _check(self, _: ToolContext, arguments: GithubIssuesArguments) -> None:
        """What the fields alone say."""
        match arguments.action:
            case "list":
                if arguments.repo:
                    _repository(arguments)
            case "create":
                _repository(arguments)
                if not arguments.title:
                    raise ToolError("create needs title")
            case "comment":
                _issue(arguments)
                if not arguments.body:
                    raise ToolError("comment needs body")
            case "read" | "close" | "reopen":
                _issue(arguments)

    async def _tell(self, _: ToolContext, arguments: GithubIssuesArguments) -> str | Translations:
        repo, number = coded(arguments.repo or ""), arguments.number
        match arguments.action:
            case "create":
                return OPEN.filled(repo=repo, title=titled(arguments.title or ""))
            case "comment":
                body = titled(arguments.body or "", 300)
                return COMMENT.filled(number=number, repo=repo, body=body)
            case "close":
                return CLOSE.filled(number=number, repo=repo)
            case "reopen":
                return REOPEN.filled(number=number, repo=repo)
            case "list" | "read":
                return ""

    async def _run(self, context: ToolContext, arguments: GithubIssuesArguments) -> ToolResult:
        await self._check(context, arguments)
        done = self._done(context, arguments)
        if arguments.action in {"list", "read"}:
            return await read_for(self._client, context.person, done)
        return await done

    async def _done(self, context: ToolContext, arguments: GithubIssuesArguments) -> ToolResult:
        match arguments.action:
            case "list":
                told = await self._list(context, arguments)
            case "read":
                told = await self._read(context, _issue(arguments))
            case "create":
                told = await self._create(context, arguments)
            case "comment":
                told = await self._comment(context, arguments)
            case "close" | "reopen":
                body: JsonObject = {"state": "closed" if arguments.action == "close" else "open"}
                told = await self._send(context, "PATCH", _issue(arguments), body)
        return ToolResult(
            json.dumps(told, ensure_ascii=False), origin=self._origin, summary=_summary(arguments)
        )

    async def _list(self, context: ToolContext, arguments: GithubIssuesArguments) -> JsonObject:
        query: dict[str, str | int | bool] = {
            "state": arguments.state or "open",
            "per_page": MOST_LISTED,
        }
        if arguments.labels:
            query["labels"] = ",".join(arguments.labels)
        path = f"{_repository(arguments)}/issues" if arguments.repo else "/issues"
        found = await self._client.get(context.person, path, query)
        told: JsonObject = {"issues": [_line(one) for one in as_objects(found.value)]}
        if not told["issues"]:
            told["hint"] = (
                f"that repository has none (state: {query['state']})"
                if arguments.repo
                else "none is assigned to this person; name a repo, or use github_search"
            )
        if 'rel="next"' in found.headers.get("link", ""):
            told["more"] = "There are more; narrow with labels or state, or use github_search."
        return told

    async def _read(self, context: ToolContext, path: str) -> JsonObject:
        issue = (await self._client.get(context.person, path)).value
        given = as_object(issue)
        count = given.get("comments")
        told: JsonObject = {
            **_line(given),
            "body": _cut(given.get("body"), _SHOWN_BODY),
            "labels": [label.get("name") for label in as_objects(given.get("labels"))],
            "assignees": [one.get("login") for one in as_objects(given.get("assignees"))],
        }
        if isinstance(count, int) and count:
            told["comments"] = await self._comments(context, path, count)
            if count > SHOWN_COMMENTS:
                told["left_out"] = f"the {count - SHOWN_COMMENTS} oldest comments"
        return told

    async def _comments(self, context: ToolContext, path: str, count: int) -> list[JsonObject]:
        """The newest ones.

        GitHub sends the oldest first, and their number tells which pages hold the last ones.
        """
        last = (count - 1) // SHOWN_COMMENTS + 1
        found: list[JsonObject] = []
        for page in range(max(1, last - 1), last + 1):
            query = {"per_page": SHOWN_COMMENTS, "page": page}
            found += as_objects(
                (await self._client.get(context.person, f"{path}/comments", query)).value
            )
        return [
            {
                "by": as_object(one.get("user")).get("login"),
                "at": one.get("created_at"),
                "body": _cut(one.get("body"), _SHOWN_COMMENT),
            }
            for one in found[-SHOWN_COMMENTS:]
        ]

    async def _create(self, context: ToolContext, arguments: GithubIssuesArguments) -> JsonObject:
        path = f"{_repository(arguments)}/issues"
        body: JsonObject = {"title": arguments.title, "body": arguments.body or ""}
        if arguments.labels:
            body["labels"] = arguments.labels
        return await self._send(context, "POST", path, body)

    async def _comment(self, context: ToolContext, arguments: GithubIssuesArguments) -> JsonObject:
        path = f"{_issue(arguments)}/comments"
        return await self._send(context, "POST", path, {"body": arguments.body})

    async def _send(
        self, context: ToolContext, method: str, path: str, body: JsonObject
    ) -> JsonObject:
        made = as_object(
            (await self._client.call(context.person, ServiceRequest(method, path, body=body))).value
        )
        shown = {
            "number": made.get("number"),
            "state": made.get("state"),
            "url": made.get("html_url"),
        }
        return {name: value for name, value in shown.items() if value is not None}


def _repository(arguments: GithubIssuesArguments) -> str:
    """The path of the repository. An invalid name is refused: it could lead to another path."""
    if not arguments.repo:
        raise ToolError(f"{arguments.action} needs repo, as owner/name")
    if not _REPO.fullmatch(arguments.repo):
        raise ToolError(
            f"{arguments.repo[:80]!r} is no repository; write owner/name, such as acme/web"
        )
    return f"/repos/{arguments.repo}"


def _issue(arguments: GithubIssuesArguments) -> str:
    path = _repository(arguments)
    if arguments.number is None:
        raise ToolError(f"{arguments.action} needs number")
    return f"{path}/issues/{arguments.number}"


def _line(one: JsonObject) -> JsonObject:
    told: JsonObject = {"repo": repo_of(one)}
    told |= {"number": one.get("number"), "title": one.get("title"), "state": one.get("state")}
    told |= {
        "by": as_object(one.get("user")).get("login"),
        "updated": one.get("updated_at"),
        "url": one.get("html_url"),
    }
    return {**told, "pull_request": True} if "pull_request" in one else told


def _cut(text: object, most: int) -> str:
    given = text if isinstance(text, str) else ""
    return (
        given if len(given) <= most else f"{given[:most]} [{len(given) - most:,} more characters]"
    )


def _summary(arguments: GithubIssuesArguments) -> str:
    number = f"#{arguments.number}" if arguments.number else ""
    return f"GitHub: {arguments.action} {arguments.repo or ''}{number}".rstrip()


class GitHubConnector(ServiceConnector):
    """Repositories and issues, for people who connected GitHub."""

    id = "github"
    service = "github"

    def __init__(self, usable: Usable, github: ServiceClient) -> None:
        super().__init__(usable, search_tool(github), IssueTools(github).tool())
