"""A client in another language on the loopback Discord: discord.js completes a small script.

    npm install --prefix /tmp/foreign discord.js
    python bench/foreign/discord_js.py /tmp/foreign

It checks the platform, not Bellhop: what a second, independent client accepts is more likely to be
like Discord.
"""

import asyncio
import os
import sys
from collections import Counter
from pathlib import Path

from bot.loopback.discord import Channel, DiscordPlatform, Message, Person

SCRIPT = Path(__file__).with_suffix(".mjs")


async def play(modules: Path) -> str:
    """Run the script once; returns which calls it took. Raises TimeoutError or AssertionError."""
    async with DiscordPlatform() as discord:
        guild = discord.guild()
        ann = discord.person("Ann", discord.role(guild, "team"))
        general = discord.channel(guild)
        env = {
            **os.environ,
            "DISCORD_API": discord.api_base.removesuffix("/v10"),
            "DISCORD_TOKEN": discord.options.token,
            "NODE_MODULES": str(modules / "node_modules"),
        }
        node = await asyncio.create_subprocess_exec("node", str(SCRIPT), env=env)
        try:
            await script(discord, ann, general)
        finally:
            if node.returncode is None:
                node.terminate()
            await node.wait()
        assert not discord.refusals, discord.refusals
        counts = Counter(call.method for call in discord.log.calls)
        return ", ".join(f"{method} {count}" for method, count in sorted(counts.items()))


async def script(discord: DiscordPlatform, ann: Person, general: Channel) -> None:
    await discord.until(lambda: discord.interactions.commands, 20)
    root = ann.say(general, "make a thread")
    thread = await discord.until(lambda: ann.thread_of(root))
    await discord.until(lambda: "read 1, roles @everyone team" in thread.texts)
    first = ann.sees(thread)[0]
    assert (first.content, [file.data for file in first.files], [*first.reactions]) == (
        "edited",
        [b"data"],
        ["👀"],
    )
    ann.say(general, "a button please")
    press = (await discord.until(lambda: ann.sees(general)))[0]
    ann.click(press, "Go")
    await discord.until(lambda: press.content == "pressed")
    ann.slash(general, "ping")
    await discord.until(lambda: texts(ann.sees(general)) == ["pressed", "pong", "and more"])
    ann.say(ann.dm, "hello")
    await discord.until(lambda: ann.sees(ann.dm))
    discord.gateway.reconnect()
    ann.say(ann.dm, "after op 7")
    await discord.until(
        lambda: texts(ann.sees(ann.dm)) == ["you wrote hello", "you wrote after op 7"]
    )


def texts(messages: list[Message]) -> list[str]:
    return [message.content for message in messages]


if __name__ == "__main__":
    print(asyncio.run(play(Path(sys.argv[1]).resolve())))
