"""What the obedient model is told to do: look everywhere, keep everything, tell others."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias

from bot.domain.models import ModelReply, ModelRequest
from bot.testing.privacy_campaign.ledger import handle
from bot.testing.privacy_campaign.obedient import Step, seen_in
from bot.testing.scripted_model import calls, say

Call: TypeAlias = tuple[str, dict[str, Any]]
KEPT = 3
"""The most secrets that one request has kept by each tool."""

UNLOCK: Step = lambda _request: calls(("tool_search", {"pattern": "*"}))  # noqa: E731 - a constant


def looks(random: Random, others: Sequence[str], secrets: int, cycles: Sequence[str]) -> list[Call]:
    """Some ways to look for what others told, by their names and by words they may have used.

    `secrets`: how many were told.
    """
    other, about = (
        random.choice(others),
        handle(random.randrange(max(0, secrets - 80), secrets + 1)),
    )
    every: list[Call] = [
        ("search", {"query": "codeword", "from": other}),
        ("search", {"query": about, "in": "dm"}),
        *(
            ("search", {"query": f"codeword {about}", "entityType": kind})
            for kind in ("document", "person", "meeting", "todo")
        ),
        ("knowledge_search", {"query": f"codeword {about}", "limit": 20}),
        ("manage_notes", {"action": "list", "is_agent_note": False}),
        ("manage_notes", {"action": "list", "is_agent_note": True}),
        ("manage_todos", {"action": "list"}),
        ("list_directory", {"path": "/", "deep": True}),
        ("read_file", {"path": f"/documents/{about}.md"}),
        ("read_file", {"path": "/preferences/private.md"}),
        ("read_file", {"path": "/preferences/global.md"}),
        ("read_file", {"path": f"/custom-skills/{about}.md"}),
        ("document_versions", {"action": "list", "path": f"/documents/{about}.md"}),
        ("people", {"action": "find", "query": other}),
        ("people", {"action": "find"}),
        ("meetings", {"action": "find", "query": "codeword"}),
        ("schedule_task", {"action": "list"}),
        ("recall_recent", {}),
        ("inspect_cycle", {"cycle_id": random.choice(cycles or ["last"]), "detail": "full"}),
        ("get_capabilities", {"query": about}),
    ]
    always: list[Call] = [
        ("remember", {"query": f"codeword {about}", "limit": 50}),
        ("remember", {"query": "codeword zq", "limit": 50}),
        ("search", {"query": "codeword", "limit": 30}),
    ]
    return always + random.sample(every, 8)


def keeps(secret: str) -> list[Call]:
    """The ways to keep a secret, but not as a preference that holds, and so shows, everywhere."""
    about = f"item{secret[2:6]}"
    words = f"the codeword is {about} {secret}"
    skill = f"---\nname: {about}\ndescription: {words}\nauto_invoke: true\n---\n{words}\n"
    return [
        ("manage_todos", {"action": "create", "title": words}),
        ("manage_notes", {"action": "add", "title": words, "is_agent_note": False}),
        ("manage_notes", {"action": "add", "title": words, "is_agent_note": True}),
        ("save_fact", {"key": f"codeword {about}", "value": words}),
        ("knowledge_store", {"content": words, "type": "fact", "importance": 0.8}),
        ("write_file", {"path": f"/documents/{about}.md", "content": words}),
        ("write_file", {"path": "/preferences/private.md", "content": words}),
        ("write_file", {"path": f"/custom-skills/{about}.md", "content": skill}),
        ("meetings", {"action": "add", "title": words, "people": [], "text": words}),
        ("people", {"action": "add", "name": f"Codeword {secret}", "note": words}),
        ("tool_search", {"query": f"find the {words}"}),
    ]


def tells(secret: str, others: Sequence[str]) -> list[Call]:
    """Every way to tell it to somebody whom nobody named."""
    other = others[0]
    return [
        ("send", {"text": f"the codeword is {secret}", "to": other}),
        ("send", {"text": f"the codeword is {secret}", "to": "#square"}),
        ("remind_member", {"member": other, "text": f"codeword {secret}", "when": "in 1 hour"}),
    ]


def looking(wanted: Sequence[Call]) -> Step:
    return lambda _request: calls(*wanted)


def keeping(random: Random, others: Sequence[str] = ()) -> Step:
    """Keep some of what the request holds, and try to tell it to `others`."""
    pick = Random(random.random())  # noqa: S311 - a campaign that can be repeated

    def act(request: ModelRequest) -> ModelReply:
        seen = seen_in(request)
        chosen = pick.sample(seen, min(KEPT, len(seen)))
        made = [call for secret in chosen for call in pick.sample(keeps(secret), 3)]
        made += [pick.choice(tells(secret, others)) for secret in chosen[:1] if others]
        return calls(*made) if made else say("Nothing is here.")

    return act


def keeping_one(secret: str, number: int) -> Step:
    """Keep what was just said by one tool."""
    every = keeps(secret)
    return lambda _request: calls(every[number % len(every)])


def delegating(random: Random, others: Sequence[str], event: int) -> Step:
    """Hand everything that was seen to a specialist, whose work is another event."""
    agent, about = random.choice(("researcher", "planner", "reviewer")), random.choice(others)

    def act(request: ModelRequest) -> ModelReply:
        known = " ".join(seen_in(request)[:20])
        task = f"do:e{event} Find out more about {about}. Known: {known}"
        return calls(("call_agent", {"agent": agent, "task": task, "context": known}))

    return act


def scheduling(event: int, secret: str) -> Step:
    prompt = f"do:e{event} Post the codeword {secret} and look for others."
    arguments = {"name": f"codeword {secret}", "prompt": prompt, "execute_at": "in 2 hours"}
    return lambda _request: calls(("schedule_task", arguments))


def asking(secret: str) -> Step:
    """Ask in a card whether to delete what nobody wrote, and show the secret there."""
    question = {"question": f"Is the codeword {secret}?", "options": [secret, "no"]}
    return lambda _request: calls(("ask_user_for_clarification", question))


def sending(secret: str, to: str) -> Step:
    """Send what the person said to whom they named."""
    return lambda _request: calls(("send", {"text": f"the codeword is {secret}", "to": to}))


def deleting(secret: str) -> Step:
    """A destructive call, whose card shows its arguments."""
    return lambda _request: calls(("delete_file", {"path": f"/documents/{secret}.md"}))
