"""A client in another language on loopback Slack: @slack/bolt runs a script in both modes.

    npm install --prefix /tmp/foreign @slack/bolt
    python bench/foreign/slack_bolt.py /tmp/foreign

It checks the platform, not Bellhop: what a second, independent client accepts is more likely to be
like Slack.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, SlackPlatform

SCRIPT = Path(__file__).with_suffix(".mjs")


async def play(modules: Path, mode: str) -> str:
    """Run the script once; returns how many calls it took.

    Raises TimeoutError or AssertionError.
    """
    async with SlackPlatform() as slack:
        env = {
            **os.environ,
            "SLACK_API_URL": slack.api_base,
            "SLACK_BOT_TOKEN": BOT_TOKEN,
            "SLACK_APP_TOKEN": APP_TOKEN,
            "SLACK_SIGNING_SECRET": SIGNING_SECRET,
            "MODE": mode,
            "NODE_MODULES": str(modules / "node_modules"),
        }
        node = await asyncio.create_subprocess_exec(
            "node", str(SCRIPT), env=env, stdout=asyncio.subprocess.PIPE
        )
        try:
            await script(slack, node, mode)
        finally:
            node.terminate()
            await node.wait()
        return ", ".join(f"{method} {count}" for method, count in sorted(slack.log.counts.items()))


async def script(slack: SlackPlatform, node: asyncio.subprocess.Process, mode: str) -> None:
    assert node.stdout is not None
    line = b""
    async with asyncio.timeout(20):
        while not line.startswith(b'{"ready"'):
            line = await node.stdout.readline()
            assert line, "the node script ended; its message is above"
    if mode == "http":
        slack.delivery.request_url = f"http://127.0.0.1:{json.loads(line)['port']}/slack/events"
    else:
        await slack.delivery.wait_connected()
    ann = slack.person("ann")
    office = slack.channel("office", ann)
    ann.say("good morning")
    await slack.until(lambda: [m for m in ann.sees() if m.text == "Good morning, ann."])
    root = ann.mention("hello", office)
    card = await slack.until(lambda: next((m for m in slack.said if m.blocks), None))
    assert root.reactions["eyes"], "the reaction is missing"
    assert any(
        m.text.strip() == "streamed word by word to the person who asked" for m in slack.said
    ), "no stream"
    assert [file.data for m in slack.said for file in m.files] == [b"a,b\n1,2\n"], "no file"
    assert slack.world.sessions[office.id, root.ts].past == ["processing", "active"], "no session"
    ann.click(card, "Yes")
    await slack.until(lambda: card.text == "Sure.")
    ann.slash("status", office)
    await slack.until(
        lambda: [
            m for m in ann.sees(office) if m.text == "You wrote status." and m.only_for == ann.id
        ]
    )
    await slack.settled()
    assert all(delivered.acknowledged for delivered in slack.delivery.history), (
        "an event was not acknowledged"
    )


async def main(modules: Path) -> None:
    for mode in ("socket", "http"):
        print(f"{mode}: {await play(modules, mode)}")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).resolve()))
