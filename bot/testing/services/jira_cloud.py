"""Jira Cloud's REST API, version 3, as its reference documents it: Basic log-in, documents (ADF).

https://developer.atlassian.com/cloud/jira/platform/rest/v3/
"""

import json
import re
from base64 import b64encode
from dataclasses import dataclass, field
from typing import Any, cast

from aiohttp import web

from bot.domain.json_types import JsonObject
from bot.testing.services.vendor import Vendor, VendorCall

JIRA_ACCOUNT = "bellhop@example.org"
_ISSUE = re.compile(r"/rest/api/3/issue/([A-Z]+-\d+)(/comment|/transitions)?")
_MOVES = {"11": "To Do", "21": "In Progress", "31": "Done"}


def _first() -> dict[str, JsonObject]:
    return {"SHOP-1": {"summary": "Login fails", "status": {"name": "To Do"}, "comments": []}}


@dataclass
class JiraCloud(Vendor):
    """The project SHOP with one issue; `key` is the API token."""

    key: str = "jira-token-of-the-tests"
    issues: dict[str, JsonObject] = field(default_factory=_first)

    async def answer(self, call: VendorCall) -> web.Response:
        wanted = b64encode(f"{JIRA_ACCOUNT}:{self.key}".encode()).decode()
        if call.headers.get("authorization") != f"Basic {wanted}":
            return web.Response(status=401, text="Client must be authenticated.")
        body: JsonObject = json.loads(call.body) if call.body else {}
        if call.method == "GET" and call.path == "/rest/api/3/search/jql":
            return self._search(call)
        if call.method == "POST" and call.path == "/rest/api/3/issue":
            return self._create(body["fields"])
        found = _ISSUE.fullmatch(call.path)
        if found is None or found[1] not in self.issues:
            return _refused(404, "Issue does not exist or you do not have permission to see it.")
        return self._of_issue(call.method, found[1], found[2] or "", body)

    def _search(self, call: VendorCall) -> web.Response:
        if "project" not in call.query["jql"]:
            return _refused(400, "Unbounded JQL queries are not allowed here.")
        listed = [
            {"key": key, "fields": {"summary": one["summary"], "status": one["status"]}}
            for key, one in self.issues.items()
        ]
        return web.json_response({"issues": listed, "isLast": True})

    def _create(self, fields: JsonObject) -> web.Response:
        if fields["project"] != {"key": "SHOP"}:
            return _refused(400, "", {"project": "valid project is required"})
        if "description" in fields and not _is_document(fields["description"]):
            return _refused(
                400, "", {"description": "Operation value must be an Atlassian Document"}
            )
        key = f"SHOP-{len(self.issues) + 1}"
        self.issues[key] = {**fields, "status": {"name": "To Do"}, "comments": []}
        return web.json_response({"id": "10001", "key": key}, status=201)

    def _of_issue(self, method: str, key: str, rest: str, body: JsonObject) -> web.Response:
        issue = self.issues[key]
        match method, rest:
            case "GET", "":
                moves = [{"id": id_, "to": {"name": name}} for id_, name in _MOVES.items()]
                return web.json_response({"key": key, "fields": issue, "transitions": moves})
            case "POST", "/comment" if _is_document(body.get("body")):
                issue["comments"].append(body["body"])
                return web.json_response({"id": "1"}, status=201)
            case "POST", "/comment":
                return _refused(400, "Comment body is not valid!")
            case "POST", "/transitions" if body["transition"]["id"] in _MOVES:
                issue["status"] = {"name": _MOVES[body["transition"]["id"]]}
                return web.Response(status=204)
            case _:
                return _refused(400, "It seems that you have tried to perform a wrong operation.")


def _is_document(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    document = cast("JsonObject", value)
    return document.get("type") == "doc" and document.get("version") == 1


def _refused(status: int, text: str, errors: JsonObject | None = None) -> web.Response:
    messages = [text] if text else []
    return web.json_response({"errorMessages": messages, "errors": errors or {}}, status=status)
