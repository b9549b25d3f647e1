"""What people keep in a home: tools, agents and skills as files, for tests of a whole house."""

import json
import os
from pathlib import Path
from typing import Any

from bot.domain.database import Row
from bot.domain.json_types import JsonObject
from bot.storage.home import open_database


def contact(name: str, role: str, **ids: str) -> JsonObject:
    """A person of contacts.yaml, and their id on each platform."""
    on = {platform: [one] for platform, one in ids.items()}
    return {"id": name.lower(), "name": name, "role": role, "ids": on}


def know(home: Path, *contacts: JsonObject, **roles: str) -> None:
    """Write who is known: people of Discord by their roles, whose id is their name, and others."""
    people = [contact(name.title(), role, discord=name) for name, role in roles.items()]
    (home / "contacts.yaml").write_text(json.dumps([*people, *contacts]))


def write_tool(
    home: Path,
    name: str,
    script: str = "",
    *,
    folder: str = "shared",
    does: str = "",
    takes: JsonObject | None = None,
    needs: tuple[str, ...] = (),
    **sections: str,
) -> Path:
    """Write a tool file, and its script beside it where there is one; return the tool file.

    `takes` are the properties of its parameters, of which those in `needs` have to be given.
    `sections` are the rest of the file: `access="Guest+"`, `risk="destructive"`, or an
    `implementation` that is no script.
    """
    path = home / "prompts" / "tools" / folder / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = {"description": does or f"Use {name} when somebody asks for it."}
    if takes is not None:
        schema = {"type": "object", "properties": takes, "required": list(needs)}
        parts["parameters"] = json.dumps(schema)
    parts |= {"implementation": f"shell: {name}.sh", **sections}
    told = {title: body for title, body in parts.items() if body}
    text = "".join(f"\n## {title.capitalize()}\n{body}\n" for title, body in told.items())
    path.write_text(f"# {name}\n{text}")
    if script:
        path.with_suffix(".sh").write_text(script)
    return path


def write_mail_tool(home: Path, script: str, access: str = "Friend+") -> None:
    """Write `mail_out`: it changes something outside, and `to` is a target."""
    takes = {"to": {"type": "string", "x-target": "email"}, "text": {"type": "string"}}
    more = {"access": access, "risk": "external-write"}
    write_tool(home, "mail_out", script, takes=takes, needs=("to",), **more)


def write_agent(home: Path, name: str, *, does: str = "", **header: object) -> Path:
    """Write an agent's file; `header` holds more lines of its front matter."""
    path = home / "prompts" / "agents" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = {"description": does or f"Does the work of {name}.", **header}
    front = "".join(f"{key}: {value}\n" for key, value in lines.items())
    path.write_text(f"---\n{front}---\n\nYou are the {name}.\n")
    return path


def write_skill(home: Path, name: str, text: str) -> Path:
    """Write a skill's file."""
    path = home / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def appends_to(file: Path, says: str = "") -> str:
    """A script that keeps the arguments of each call as a line of `file` (see `lines_of`)."""
    return f'cat >> "{file}"; echo >> "{file}"' + (f"; echo {says}" if says else "")


def lines_of(file: Path) -> list[Any]:
    """The arguments of each call so far, oldest first."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def rewrite(path: Path, text: str) -> None:
    """Change a file and its time, which a fast test would else not move."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    later = max(before, path.stat().st_mtime_ns) + 1_000_000
    os.utime(path, ns=(later, later))


async def stored(home: Path, sql: str) -> list[Row]:
    """What the database of a home holds while nobody runs there."""
    database = await open_database(home / "data" / "bellhop.db", read_only=True)
    try:
        return await database.read(sql)
    finally:
        await database.close()
