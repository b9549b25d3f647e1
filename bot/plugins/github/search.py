"""github_search: issues, pull requests, repositories and code.

https://docs.github.com/en/rest/search/search
"""

import json
from typing import Any, Literal

from pydantic import Field

from bot.plugin.services import (
    ServiceClient,
    ServiceRequest,
    as_object,
    as_objects,
    reading_tool,
)
from bot.plugin.tools import JsonObject, NativeTool, ToolArguments, ToolContext, ToolResult

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
