"""Reads a home of Hermes Agent, by what its documents say of it."""

from bot.plugin.moving import PLATFORMS, HomeReader, mapping, word

_LEFT = {
    "sessions": "conversations stay where they were held",
    "profiles": "each is a home of its own: name its folder",
    "plugins": "they are programs for the other assistant",
}


def read(reader: HomeReader) -> None:
    """Take what its documents say that a home holds."""
    home, found = reader.home, reader.found
    config = mapping(home.yaml("config.yaml"))
    home.name_secrets("config.yaml", {k: one for k, one in config.items() if k != "mcp_servers"})
    values = home.env()
    for platform in PLATFORMS:
        allowed = values.get(f"{platform.upper()}_ALLOWED_USERS", "")
        reader.people(platform, [one for one in allowed.split(",") if one.strip()], ".env")
        for folder in ("pairing", "platforms/pairing"):
            path = f"{folder}/{platform}-approved.json"
            for id_, about in mapping(home.json(path)).items():
                name = word(mapping(about).get("user_name"))
                reader.person(platform, id_, name, path)
    for name in ("MEMORY.md", "USER.md"):
        reader.memories(f"memories/{name}")
    shipped = home.text("skills/.bundled_manifest") or ""
    reader.skills("skills", frozenset(line.partition(":")[0] for line in shipped.splitlines()))
    for job in reader.jobs("cron/jobs.json"):
        runs = mapping(job).get("script")
        reader.job(job, None if runs else mapping(job).get("prompt"))
    reader.servers(config.get("mcp_servers"), "config.yaml")
    reader.instructions("")
    for name in ("sessions", "profiles", "plugins"):
        if home.is_folder(name):
            found.leave(f"{name}/", _LEFT[name])
