"""Reads a home of nanobot, by what its documents say of it."""

from bot.plugin.moving import PLATFORMS, HomeReader, mapping


def read(reader: HomeReader) -> None:
    """Take what its documents say that a home holds."""
    home, found = reader.home, reader.found
    config = mapping(home.json("config.json"))
    home.name_secrets("config.json", {k: one for k, one in config.items() if k != "tools"})
    tools = mapping(config, "tools")
    home.name_secrets("config.json", {"tools.web": tools.get("web")})
    reader.channels(
        {k: one for k, one in mapping(config, "channels").items() if isinstance(one, dict)},
        "config.json",
    )
    for platform, ids in mapping(home.json("pairing.json"), "approved").items():
        if platform in PLATFORMS:
            reader.people(platform, ids, "pairing.json")
    configured = mapping(config, "agents", "defaults").get("workspace")
    if folder := reader.workspace(configured, ("workspace",)):
        for name in ("USER.md", "memory/MEMORY.md"):
            reader.memories(f"{folder}/{name}")
        for name in ("HISTORY.md", "history.jsonl"):
            if name in home.names(f"{folder}/memory"):
                found.leave(f"{folder}/memory/{name}", "conversations stay where they were held")
        reader.skills(f"{folder}/skills")
        reader.instructions(folder)
    places = dict.fromkeys(("cron/jobs.json", f"{folder}/cron/jobs.json"))
    for job in [one for path in places for one in reader.jobs(path)]:
        reader.job(job, mapping(job, "payload").get("message"))
    reader.servers(tools.get("mcpServers", tools.get("mcp_servers")), "config.json")
