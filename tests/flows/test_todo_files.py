"""A todo written as a file lives like others: it rings, wakes, and reports conflicts."""

from pathlib import Path

from bot.domain.messages import Place
from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say

PATH = "/todos/call-marie.md"
WAITING = """\
---
title: Call Marie
status: waiting
due: in 5 hours
waiting_for: her number
wake_at: in 2 hours
---
"""


async def test_a_file_rings_and_wakes_and_the_button_shows_in_it(home: Path):
    read = call("read_file", {"path": PATH})
    model = ScriptedModel(
        [
            *(
                call("write_file", {"path": PATH, "content": WAITING}),
                say("Waiting for her number."),
            ),
            *(say("You can call Marie now."), read, say("It is open."), read, say("It is done.")),
        ]
    )
    async with app_with_clock(home, model) as at:
        at.chat.readers.of = {"general": {"ann"}}
        await at.ask("ann", "I wait for Marie's number", where="general", place=Place.CHANNEL)
        await go(at, hours=2)
        assert at.chat.texts[1] == "You can call Marie now."
        await at.ask("ann", "and now?", where="general", place=Place.CHANNEL)
        assert "status: open" in str(model.requests[4].messages)
        assert "waiting_for" not in str(model.requests[4].messages[-1])
        await go(at, hours=3)
        ring = at.chat.posts[-1].message
        assert ring.text == "Reminder: **Call Marie**"
        await at.chat.click(
            "ann", ring.choices[0].ref, "todo_done", at=at.app.clock.now(), where="general"
        )
        await at.until_idle()
        await at.ask("ann", "is it done?", where="general", place=Place.CHANNEL)
        assert "status: done" in str(model.requests[-1].messages[-1])
