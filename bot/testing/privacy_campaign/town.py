"""A town on two platforms: people tell, look, rename, leave, join, forget and sleep over it."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.domain.access import Role
from bot.domain.messages import Attachment, Place, Visibility
from bot.testing.app_lives import PATIENCE_S, AppLife, AppLives
from bot.testing.fake_chat import FakeChat, Posted
from bot.testing.fake_clock import settle
from bot.testing.memory_town import LEFT
from bot.testing.privacy_campaign import orders
from bot.testing.privacy_campaign.ledger import Ledger, Secret, Spot
from bot.testing.privacy_campaign.obedient import Event, ObedientModel, Step
from bot.testing.privacy_campaign.people import OWNER, Crowd, Human

CHANNELS = {
    "discord": {"square": False, "plaza": False, "vault": True, "attic": True},
    "slack": {"hall": False, "market": False, "cellar": True, "loft": True},
}
"""The channels of each platform, and whether they are private."""
_SETTINGS = """\
access: {{unknown_people: {unknown}}}
budgets: {{per_guest_day: {{model_calls: 0}}, strangers_day: {{model_calls: 0}}}}
"""


@dataclass(frozen=True)
class There:
    """A place where somebody writes."""

    platform: str
    channel: str = ""
    """Empty in a direct message."""
    thread: str = ""

    @property
    def key(self) -> str:
        return f"{self.platform}/{self.channel}" if self.channel else ""


@dataclass
class Town:
    """People, their places, and the program that they talk with."""

    home: Path
    people: int
    random: Random
    sends: bool = True
    """Whether the model tries to send what it sees to contacts whom nobody named."""
    ledger: Ledger = field(default_factory=Ledger)
    done: Counter[str] = field(default_factory=Counter[str])
    """How often each kind of act happened."""
    lasting: list[Secret] = field(default_factory=list[Secret])
    """Told to be forgotten, and not forgotten yet."""
    forgotten: list[Secret] = field(default_factory=list[Secret])
    speaking: list[tuple[Human, There]] = field(default_factory=list[tuple[Human, There]])
    """Who said something where since the last night."""
    unheard: list[str] = field(default_factory=list[str])
    """Turns that did not end."""

    def __post_init__(self) -> None:
        self.crowd = Crowd.of(self.home, self.people)
        self.model = ObedientModel(self.ledger)
        self.chats = {name: FakeChat(name) for name in CHANNELS}
        self.lives = AppLives(self.home, self.chats["discord"], self.chats["slack"])
        self.model.alive = self.alive
        self.ledger.administrators.add(OWNER)
        self.read: Counter[str] = Counter()
        self.kill_at = 0
        self.pairs = False
        for platform, channels in CHANNELS.items():
            everybody = [one.account for one in self.crowd.on(platform)]
            for name, private in channels.items():
                if private:
                    some = self.random.sample(everybody, max(2, len(everybody) // 3))
                    self.ledger.members[f"{platform}/{name}"] = set(some)
        self.tell_readers()
        self.configure()

    def configure(self) -> None:
        unknown = "pair" if self.pairs else "answer"
        (self.home / "bellhop.yaml").write_text(_SETTINGS.format(unknown=unknown))

    def tell_readers(self) -> None:
        """Let the platforms know who reads which channel."""
        for platform, channels in CHANNELS.items():
            everybody = {one.account for one in self.crowd.on(platform)}
            self.chats[platform].readers.of = {
                name: set(self.ledger.members.get(f"{platform}/{name}", everybody))
                for name in channels
            }

    def begins(self, number: int, lives: int) -> None:
        """Set up one of the lives of the process: strangers wait for the owner in the later ones.

        Every third one is killed in the middle of a turn.
        """
        self.pairs = number >= lives // 2
        self.configure()
        if number % 3 == 1:
            self.kill_at = self.model.requests + self.random.randint(20, 60)

    def alive(self) -> None:
        self.lives.alive()
        if self.kill_at and self.model.requests >= self.kill_at:
            self.kill_at = 0
            self.done["killed"] += 1
            self.lives.kill()

    async def settle(self, life: AppLife) -> None:
        try:
            await life.settle()
        except TimeoutError as error:
            self.unheard.append(str(error)[:300])

    async def night(self, life: AppLife) -> None:
        """Wait until every session is over, summarised and distilled, and a day has passed."""
        self.done["nights"] += 1
        self.speaking.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S * 3):
                while (await life.database.read(LEFT))[0]["n"]:
                    await self.lives.clock.advance(1_800)
                    await settle()
        await self.lives.clock.advance(3_600 * 20)
        await self.settle(life)
        self.look_at_posts()

    def where(self, human: Human, *, direct: float = 0.45) -> There:
        platform = self.random.choice(human.platforms)
        if self.random.random() < direct:
            return There(platform)
        readable = [
            name
            for name in CHANNELS[platform]
            if human.account in self.ledger.members.get(f"{platform}/{name}", {human.account})
        ]
        channel = self.random.choice(readable)
        in_thread = self.random.random() < 0.4
        return There(
            platform, channel, f"{channel}-t{self.random.randrange(4)}" if in_thread else ""
        )

    def event(self, human: Human, there: There, steps: Sequence[Step] = ()) -> Event:
        event = Event(len(self.model.events), Spot(human.account, there.key), steps)
        self.model.events.append(event)
        return event

    async def say(
        self, human: Human, there: There, event: Event, text: str, *files: Attachment
    ) -> None:
        """Say something that begins an event."""
        self.speaking.append((human, there))
        said = f"do:e{event.number}. {text}"
        await self.say_only(human, there, said, f"e{event.number}", *files)

    async def say_only(
        self, human: Human, there: There, text: str, key: str, *files: Attachment
    ) -> None:
        self.done["requests"] += 1
        spot = Spot(human.account, there.key)
        if self.model.events[-1].spot != spot:
            self.event(human, there)
        self.model.newest = len(self.model.events) - 1
        await self.chats[there.platform].say(
            human.account,
            text,
            key=f"{there.platform}:{key}",
            name=human.shown,
            attachments=files,
            **self.options(there),
        )

    def options(self, there: There) -> dict[str, object]:
        if not there.channel:
            return {"where": "dm", "place": Place.DM}
        private = there.key in self.ledger.members
        place = Place.THREAD if there.thread else Place.CHANNEL
        return {
            "where": there.thread or there.channel,
            "place": place,
            "channel": there.channel if there.thread else "",
            "visibility": Visibility.PRIVATE if private else Visibility.PUBLIC,
        }

    def others(self, human: Human) -> list[str]:
        return self.random.sample(self.crowd.others(human), 3)

    def keeping(self, human: Human) -> Step:
        return orders.keeping(self.random, self.others(human) if self.sends else ())

    async def looks(self, life: AppLife, human: Human) -> Step:
        others = self.others(human)
        rows = await life.database.read(
            "SELECT DISTINCT cycle_id FROM cycle_events ORDER BY id DESC LIMIT 20"
        )
        cycles = [str(row["cycle_id"]) for row in rows]
        return orders.looking(orders.looks(self.random, others, len(self.ledger.secrets), cycles))

    def somebody(self, *roles: Role) -> Human:
        return self.random.choice([one for one in self.crowd.humans.values() if one.role in roles])

    def spot(self, chat: FakeChat, post: Posted) -> Spot:
        there = post.message.target.conversation
        if alone := post.message.target.ephemeral_to:
            return Spot(alone)
        if there.place is Place.DM:
            return Spot(there.id.rpartition("-")[2])
        return Spot("everybody there", f"{chat.platform}/{there.channel or there.id}")

    def look_at_posts(self) -> None:
        for chat in self.chats.values():
            for post in chat.posts[self.read[chat.platform] :]:
                spot = self.spot(chat, post)
                sent = post.text.startswith("From ")
                kind = "a card" if post.message.choices else "a sent post" if sent else "a post"
                self.ledger.look(kind, repr(post.message), spot)
            self.read[chat.platform] = len(chat.posts)
