"""`new`: commented files that a person fills in, and that pass their own `check` as they are."""

from pathlib import Path

import typer

from bot.errors import BotError, StorageError


class CannotMake(BotError):
    """A new file could not be made; the text says why."""


def write_new(path: Path, text: str, *, program: bool = False) -> None:
    """Write a file that isn't there yet, and say so. Raises CannotMake, StorageError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
        if program:
            path.chmod(0o700)
    except FileExistsError:
        raise CannotMake(f"{path} is there already; it stays as it is") from None
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    typer.echo(f"  wrote  {path}")


TRIGGER = """\
---
# An automation: what starts it stands here, and the task below the second line of dashes.
# Lines with # are comments. Try the file:   bellhop automations check {file}
# Hand it in (you are shown a card first):   bellhop automations add {file}
name: {name}

# What starts it: message, reaction, poll_ended, webhook, new_person, meeting_prep, todo_assigned,
# todo_woken, email_received, email_sent, event_added, plugin.
event: message

# When it counts. All lines must fit; in a list, one of its texts.
filter:
  contains: [bug, crash]     # in the message, whatever the case
  # channel: "123456789012"  # id of the watched channel, in quotes; left out: where the file is
  #                          # handed in, which for this event is a channel and no terminal
  # from: anyone             # left out: members alone

# channel: "123456789012"    # where the answer goes; left out: where the file is handed in
# window: 10                 # seconds in which events are gathered into one run
enabled: true
---
Sort the report by severity and say what is missing to reproduce it.
"""

SCHEDULE = """\
---
# A schedule: when it runs stands here, and the task below the second line of dashes.
# Lines with # are comments. Try the file:   bellhop schedule check {file}
# Hand it in (you are shown a card first):   bellhop schedule add {file}
name: {name}

# Either again and again: minute, hour, day of the month, month, day of the week ...
cron: "0 9 * * mon"
# ... or once. Remove the line above, then:
# at: "tomorrow at 9"

timezone: {zone}
enabled: true
---
List what is open and overdue.
"""

_TOOL = """\
# {name}

What stands above the first section is for people; no model reads it. Fill in the sections, then:

    bellhop tools check
    bellhop tools why {name} --role Guest
    bellhop tools run {name} '{call}'

docs/writing-tools.md explains every section. A running Bellhop finds the tool at once.

## Description
Say here what it gives and when to use it. The first sentence stands in lists of tools.

## Parameters
{{
  "type": "object",
  "properties": {{
    "name": {{"type": "string", "description": "Say what it is, with an example."}}
  }},
  "required": ["name"]
}}

## Access
Partner+

{more}## Implementation
{implementation}
"""

SCRIPT = """\
#!/bin/sh
# Arguments come as JSON on standard input; what is printed is the result. An exit status other than
# 0 makes it an error that the model sees. There is no network here unless the tool's file says
# `network: yes` below its shell: line.
name=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["name"])')
echo "Hello, $name."
"""

IMPLEMENTATIONS = {
    "shell": "shell: {name}.sh",
    "http": "http: GET https://api.example.org/v1/{{name}}",
    "mcp": "mcp: server.tool",
}


def tool_text(name: str, kind: str) -> str:
    """The file of a new tool. One that may change something starts with a risk."""
    implementation = IMPLEMENTATIONS[kind].format(name=name)
    risk = "## Risk\nexternal-write\n\n" if kind == "mcp" else ""
    return _TOOL.format(name=name, call='{"name": "Ann"}', more=risk, implementation=implementation)
