"""kill -9 of the real program on loopback platforms: every message is answered."""

import asyncio
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.loopback.messages_api import MessagesApi
from bot.loopback.telegram import TOKEN, Chat, CutAfter, Person, Reset, TelegramPlatform
from bot.testing.campaign.home import crashes, end, start
from bot.testing.campaign.kills import KillReport, kill_campaign
from bot.testing.campaign.phases import Left, Outside, Phase, phase_of
from bot.testing.campaign.speaker import Speaker, words
from bot.testing.home_files import contact, know
from bot.testing.model_client import KEY
from tests.thoroughness import is_thorough

pytestmark = pytest.mark.slow

KILLS = 6 if is_thorough() else 3
MOMENTS = ("accept", "model", "before", "long", "confirmed", "model")
HEARD = re.compile(r"heard-(\d+)\.")
PATIENCE_S = 120.0
LIFE_S = 8.0
"""A kill happens after this time, even if its moment does not come."""


def furnish(home: Path, telegram: TelegramPlatform, model_url: str, people: list[Person]) -> None:
    settings = {
        "model": {"provider": "compatible", "name": "loopback", "base_url": model_url},
        "sessions": {"idle_minutes": 600},
        "telegram": {"enabled": True, "api_base": telegram.api_base},
    }
    (home / "bellhop.yaml").write_text(json.dumps(settings))
    (home / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\nTELEGRAM_BOT_TOKEN={TOKEN}\n")
    know(home, *(contact(f"P{n}", "Partner", telegram=one.id) for n, one in enumerate(people)))


class Round:
    """People write; the process is killed at a moment; then everything is answered."""

    def __init__(
        self,
        home: Path,
        telegram: TelegramPlatform,
        speaker: Speaker,
        people: list[Person],
        group: Chat,
    ) -> None:
        self.home = home
        self.telegram = telegram
        self.speaker = speaker
        self.people = people
        self.group = group
        self.said: dict[int, str] = {}
        """By number of a message: its kind."""

    def write(self, kind: str) -> int:
        """Everybody writes a message in their private chat, and the first one in the group."""
        for person in self.people:
            self._say(person, None, kind)
        self._say(self.people[0], self.group, "plain")
        return max(self.said) - len(self.people)

    def _say(self, person: Person, chat: Chat | None, kind: str) -> None:
        number = len(self.said)
        self.said[number] = kind
        text = words(number, kind)
        if chat is None:
            person.say(text)
        else:
            person.mention(text, chat)

    def answers(self) -> Counter[int]:
        """How often each message is answered now."""
        found = [int(n) for one in self.telegram.said for n in HEARD.findall(one.text)]
        return Counter(found)

    async def strike(self, process: asyncio.subprocess.Process, moment: str) -> None:
        """Kill the process at this moment; it depends on what it is just doing."""
        number = self.write("long" if moment == "long" else "plain")
        match moment:
            case "model":
                self.speaker.ambush = (number, process.kill)
            case "before":
                self.telegram.fail("sendMessage", Reset(process.kill))
            case "long":
                self.telegram.fail("editMessageText", CutAfter(process.kill))
            case "accept":
                process.kill()
            case _:
                await self.telegram.until(lambda: not self.telegram.world.updates)
                process.kill()
        try:
            await asyncio.wait_for(process.wait(), LIFE_S)
        except TimeoutError:
            process.kill()
            await process.wait()
        self.speaker.ambush = None
        self.telegram.faults.waiting.clear()

    async def settled(self) -> None:
        await self.telegram.until(lambda: len(self.answers()) == len(self.said), PATIENCE_S)


@pytest.mark.thorough
async def test_no_message_is_lost_across_kills(tmp_path: Path):
    speaker = Speaker(random.Random(7))  # noqa: S311 - moments to die at
    async with (
        TelegramPlatform() as telegram,
        MessagesApi(key=KEY, respond=speaker.respond) as api,
    ):
        people = [telegram.person(name) for name in ("Ann", "Ben", "Cleo")]
        group = telegram.group("Trips", *people)
        furnish(tmp_path, telegram, api.base_url, people)
        campaign = Round(tmp_path, telegram, speaker, people, group)
        process = await start(tmp_path)
        try:
            for moment in MOMENTS[:KILLS]:
                await campaign.strike(process, moment)
                process = await start(tmp_path)
                await campaign.settled()
        finally:
            await end(process)
        # One that is posted in the very moment of a kill comes again: see the gap below.
        twice = [n for n, count in campaign.answers().items() if count > 1]
        assert len(twice) <= KILLS
        assert max(campaign.answers().values()) <= 2
        assert all(not one.labels for one in telegram.said), "no draft was left half written"
        assert crashes(tmp_path) == []


async def test_a_post_that_was_cut_off_in_the_gap_comes_again_and_the_log_says_so(tmp_path: Path):
    """The one gap: Telegram has the post, and the process dies before it knows its number."""
    speaker = Speaker(random.Random(7))  # noqa: S311
    async with (
        TelegramPlatform() as telegram,
        MessagesApi(key=KEY, respond=speaker.respond) as api,
    ):
        ann = telegram.person("Ann")
        furnish(tmp_path, telegram, api.base_url, [ann])
        process = await start(tmp_path)
        telegram.fail("sendMessage", CutAfter())
        ann.say(words(1, "plain"))
        try:
            await telegram.until(lambda: len(ann.sees()) == 2, PATIENCE_S)
        finally:
            await end(process)
        assert [HEARD.findall(one.text) for one in ann.sees()] == [["1"], ["1"]]
        assert "may stand there already" in (tmp_path / "bot.log").read_text()


# kill -9 of the real program on both platforms: a small slice of `bench/faults.py`.


def enough(report: KillReport) -> bool:
    return report.struck >= 12 and report.kills >= 3 and len(report.phases) >= 3


async def test_turns_that_are_struck_in_any_phase_are_answered_once_and_in_order(tmp_path: Path):
    report = await kill_campaign(
        tmp_path, turns=45, seed=4, places=(3, 2, 3, 2), seconds=25, enough=enough
    )
    sys.stdout.write("\n".join(report.lines()))
    assert report.problems == []
    assert enough(report), report


async def test_a_campaign_fails_at_once_when_the_program_ends_by_itself(tmp_path: Path):
    (tmp_path / "data").write_text("no folder")
    with pytest.raises(TimeoutError, match=r"the process ended \(\d"):
        await kill_campaign(tmp_path, turns=1, seed=4, places=(1, 1, 1, 1))


def test_the_phase_is_read_from_what_the_dead_process_left():
    def phase(
        *steps: tuple[str, bool], asked: int = 0, ledger: str = "", visible: int = 0, **more: object
    ) -> object:
        turn = Left(1, "discord:77", None, bool(more.get("settled")), dict(steps))
        return phase_of(5, ":77", {turn.key: turn}, Outside({5: asked}, {ledger}, {visible}))

    assert phase_of(5, ":78", {}, Outside({}, (), ())) is Phase.BEFORE_ACCEPT
    assert phase() is Phase.AFTER_ACCEPT
    assert phase(("open", True), asked=1) is Phase.MODEL
    assert phase(("model:1", True), ("tool:1.0", False), asked=1) is Phase.TOOL
    assert (
        phase(("model:1", True), ("tool:1.0", False), asked=1, ledger="end line 5")
        is Phase.AFTER_TOOL
    )
    assert phase(("model:1", True), ("tool:1.0", True), asked=1) is Phase.AFTER_TOOL
    assert phase(("model:1", True), ("tool:1.0", True), asked=2) is Phase.MODEL
    assert phase(("model:1", True), ("send:answer", False), asked=1) is Phase.INTENT
    assert phase(("model:1", True), ("send:answer", False), asked=1, visible=5) is Phase.PROCESSED
    assert phase(("model:1", True), ("tool:1.0/model:1", True), asked=1) is Phase.AGENTS
    assert (
        phase(("model:1", True), ("tool:1.0/model:1", True), ("tool:1.0", True), asked=1)
        is Phase.AFTER_TOOL
    )
    assert phase(settled=True) is None
