"""What tests of automations share: people make them, and start them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.app import App
from bot.automations import store
from bot.automations.schedule_file import slug_of
from bot.automations.store import Automations
from bot.automations.trigger_file import read_trigger
from bot.domain.automations import Automation
from bot.domain.chat import Acceptance
from bot.domain.database import Unit
from bot.domain.messages import Addressed, IncomingMessage, Place, Visibility
from bot.domain.models import Model, ModelRequest
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location
from bot.domain.privacy import Learned
from bot.domain.sessions import SessionKey
from bot.sessions.records.envelope import incoming_to_json
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.waiting import until

BUGS = """\
---
name: Bug triage
event: message
filter:
  contains: [bug, crash]
---
Sort the report by severity.
"""
HERE: dict[str, Any] = {"where": "c1", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
"""A message to the assistant in a public channel."""
UNASKED: dict[str, Any] = {**HERE, "addressed": Addressed.NONE}
"""A message in that channel that isn't addressed to the assistant."""
PATH = "/automations/triggers/bug-triage.md"


@asynccontextmanager
async def house(home: Path, model: Model, chat: FakeChat | None = None) -> AsyncGenerator[Harness]:
    async with running_app(home, model, chat, FakeClock()) as running:
        yield running


async def pass_window(at: Harness, seconds: float = 11) -> None:
    """Let a trigger's window pass, and the run that it starts finish."""
    clock, engine = at.app.clock, at.app.engine
    if not isinstance(clock, FakeClock):
        raise TypeError("this app has a clock of its own")
    await until(lambda: not engine.busy)
    await engine.timetable.refresh()
    await clock.advance(seconds)
    await until(lambda: (due := engine.timetable.next_due()) is None or due > clock.now())
    await at.until_idle()


async def command(at: Harness, who: str, args: str, **options: object) -> str:
    before = len(at.chat.posts)
    await at.chat.command(who, "automations", args, **options)
    return (await at.chat.until(before + 1))[before].text


async def make(
    at: Harness, model: ScriptedModel, text: str = BUGS, path: str = PATH, who: str = "ann"
) -> str:
    """Have the assistant write a file in the channel, and approve it; return the card's text."""
    model.replace(
        call("write_file", {"path": path, "content": text}), say("It waits for your yes.")
    )
    before = len(at.chat.posts)
    await at.chat.say(who, "please do", **HERE)
    card = (await at.chat.until(before + 2))[before + 1].text
    await at.until_idle()
    model.replace(say("It is on."))
    await at.chat.say(who, "yes", **HERE)
    await until(lambda: at.chat.texts[-1] == "It is on.")
    await at.until_idle()
    return card


async def opened(at: Harness) -> None:
    """Have a Partner open the channel."""
    before = len(at.chat.posts)
    await at.chat.command("ben", "automations", "on", **HERE)
    await at.chat.until(before + 2)
    await at.until_idle()


async def write(at: Harness, who: str, text: str, **options: object) -> Acceptance:
    return await at.chat.say(who, text, **{**UNASKED, **options})


def asked_for(request: ModelRequest) -> str:
    return str(request.messages)


async def plant(
    app: App, made: IncomingMessage, owner: str, text: str, *, watches: str = ""
) -> Automation:
    """Store a trigger as if `owner` wrote its file in this message; open the watched channel."""
    now, name = app.clock.now(), text.split("name: ", 1)[1].split("\n", 1)[0]
    there, slug = made.conversation, slug_of(name)
    ref = f"{slug[:4]}{len(await Automations(app.database).of(None))}"
    automation = Automation(
        ref=ref,
        owner=owner,
        slug=slug,
        text=text,
        event=read_trigger(text, slug, mail=True, calendar=True, sources=None).event,
        watches=watches,
        session=str(
            SessionKey(there.platform, there.workspace, there.id, owner, f"automation:{ref}")
        ),
        envelope=incoming_to_json(made),
        conversation=there.key,
        learned=Learned.at(Location.of(there)),
        origin=Origin(Trust.PERSON, f"person:{owner}"),
        enabled=True,
        paused_why="",
        failures=0,
        shown_at=None,
        due=None,
        created_at=now,
        updated_at=now,
    )
    opens = Unit.of(store.open_channel(watches, "ben", now)) if watches else Unit()
    await app.database.write(
        store.create(automation, f"{there.platform}:{there.workspace}") + opens
    )
    return automation
