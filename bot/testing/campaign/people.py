"""A campaign's people: their rooms, what they see, and a ledger of messages and answers."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bot.domain.languages import Phrase
from bot.loopback.discord import Channel, DiscordPlatform
from bot.loopback.discord import Message as DiscordMessage
from bot.loopback.discord import Person as DiscordPerson
from bot.loopback.slack import Channel as SlackChannel
from bot.loopback.slack import Message as SlackMessage
from bot.loopback.slack import Person as SlackPerson
from bot.loopback.slack import SlackPlatform
from bot.testing.campaign.speaker import ANSWERED, GIVEN_UP, PART, QUESTION, words

P = TypeVar("P")
R = TypeVar("R")
Places = tuple[int, int, int, int]
"""Numbers of sessions: Discord DMs, Discord threads, Slack DMs, Slack threads.

Two people share a thread.
"""


class DiscordRoom:
    """One person's conversation on Discord: direct messages, or their first mention's thread.

    Without a thread yet, a second message mentions the bot again and continues in that thread. A
    guest writes in the thread of a `host` as soon as there is one.
    """

    def __init__(
        self, person: DiscordPerson, channel: Channel | None, host: "DiscordRoom | None" = None
    ) -> None:
        self._person = person
        self._dm = person.dm
        self._channel = channel
        self._roots: list[DiscordMessage] = []
        self._host = host
        self.shared = False
        """Whether others write in the same thread."""
        if host is not None:
            self.shared = host.shared = True

    def say(self, text: str) -> str:
        """Say this; return the end of the key under which the message is accepted."""
        if self._channel is None:
            return f":{self._person.say(self._dm, text).id}"
        thread = self.thread()
        if thread is not None:
            return f":{self._person.say(thread, text).id}"
        self._roots.append(self._person.say(self._channel, text, mention=True))
        return f":{self._roots[-1].id}"

    def seen(self) -> list[str]:
        threads = [self._person.thread_of(root) for root in self._roots]
        if self._host is not None:
            threads.append(self._host.thread())
        places = [self._dm] if self._channel is None else threads
        shown = [
            message for place in places if place is not None for message in self._person.sees(place)
        ]
        return [message.content for message in shown if message.only_for is None]

    def thread(self) -> Channel | None:
        """Return the thread where they continue, if there is one."""
        thread = self._host.thread() if self._host is not None else None
        return thread or (self._person.thread_of(self._roots[-1]) if self._roots else None)


class SlackNotes:
    """The app's messages on Slack by channel; the platform itself keeps a single list."""

    def __init__(self, slack: SlackPlatform) -> None:
        self._world = slack.world
        self._read = 0
        self._by_channel: dict[str, list[SlackMessage]] = {}

    def said(self, channel: SlackChannel) -> list[SlackMessage]:
        for message in self._world.messages[self._read :]:
            if message.from_bot and message.only_for is None:
                self._by_channel.setdefault(message.channel, []).append(message)
        self._read = len(self._world.messages)
        return [message for message in self._by_channel.get(channel.id, ()) if not message.deleted]


class SlackRoom:
    """One person's conversation on Slack: direct messages, or their first mention's thread.

    A guest writes in the thread of a `host`, if there is one by then.
    """

    def __init__(
        self,
        notes: SlackNotes,
        person: SlackPerson,
        channel: SlackChannel | None,
        host: "SlackRoom | None" = None,
    ) -> None:
        self._notes = notes
        self._person = person
        self._dm = person.dm
        self._channel = channel
        self.root: SlackMessage | None = None
        self._host = host
        self.shared = False
        """Whether others write in the same thread."""
        if host is not None:
            self.shared = host.shared = True

    def say(self, text: str) -> str:
        if self._channel is None:
            return f":{self._person.say(text, self._dm).ts}"
        if self.root is None and self._host is not None:
            self.root = self._host.root
        if self.root is not None:
            return f":{self._person.reply(self.root, text).ts}"
        self.root = self._person.mention(text, self._channel)
        return f":{self.root.ts}"

    def seen(self) -> list[str]:
        if self._channel is None:
            return [message.text for message in self._notes.said(self._dm)]
        if self.root is None:
            return []
        return [
            message.text
            for message in self._notes.said(self._channel)
            if message.root == self.root.ts
        ]


@dataclass
class Session:
    """A room and the numbers that were said there, in order."""

    room: DiscordRoom | SlackRoom
    sent: list[int] = field(default_factory=list[int])
    deadly: list[int] = field(default_factory=list[int])
    """Numbers that can't be answered: their person must get an apology."""
    background: list[int] = field(default_factory=list[int])
    """Numbers that a background agent answers a second time, later."""

    def answers(self) -> list[int]:
        """Return the numbers answered here; in a shared thread, only this person's."""
        found = [number for number in self._heard() if number < PART]
        return [number for number in found if number in self.sent] if self.room.shared else found

    def late(self) -> Counter[int]:
        """Count the background agent's answers to each of this person's messages."""
        return Counter(
            number % PART
            for number in self._heard()
            if number > PART and number % PART in self.sent
        )

    def _heard(self) -> list[int]:
        return [int(number) for text in self.room.seen() for number in ANSWERED.findall(text)]

    def open(self) -> list[int]:
        settled = (
            {*self.answers(), *self.deadly[: len(self._apologies())]} if self.sent else set[int]()
        )
        return [number for number in self.sent if number not in settled] + self.working()

    def working(self) -> list[int]:
        """Return the numbers that a background agent has not answered so far."""
        late = self.late() if self.background else Counter[int]()
        return [number for number in self.background if number not in late]

    def _apologies(self) -> list[str]:
        return [text for text in self.room.seen() if GIVEN_UP in text]

    def _mixed(self, text: str) -> bool:
        """Whether one answer is for both this person and somebody else."""
        return len({int(number) in self.sent for number in ANSWERED.findall(text)}) > 1

    def problems(self) -> list[str]:
        """Return what went wrong here, judged by what people see at the end."""
        answers = self.answers()
        times = Counter(answers)
        due = [number for number in self.sent if number not in self.deadly]
        found = [f"message {number} was not answered" for number in due if not times[number]]
        if len(told := self._apologies()) != len(self.deadly):
            found.append(
                f"{len(self.deadly)} were given up ({self.deadly}), and {len(told)} apologies "
                "stand there"
            )
        found += [
            f"message {number} was answered {times[number]} times"
            for number in times
            if times[number] > 1
        ]
        late = self.late()
        for number in {*self.background, *late}:
            if late[number] != 1 or number not in self.background:
                found.append(
                    f"message {number} was answered {late[number]} times from the background"
                )
        if not found and answers != due:
            found.append(f"{due} were answered as {answers}")
        known = (
            QUESTION,
            GIVEN_UP,
            Phrase(
                "Many people ask me something at the moment. Yours is not forgotten: I begin with "
                "it as soon as I can."
            ).en,
            Phrase(
                "I ended unexpectedly and am finding out which request did it, one at a time. "
                "Yours is not forgotten: I begin with it when that is done."
            ).en,
        )
        found += [
            f"{text!r} answers several people" for text in self.room.seen() if self._mixed(text)
        ]
        others = [
            text
            for text in self.room.seen()
            if not ANSWERED.search(text) and not any(words in text for words in known)
        ]
        return found + [f"there stands {text!r}" for text in others]


class Crowd:
    """All people of a campaign; every message has its own number."""

    def __init__(self, discord: DiscordPlatform, slack: SlackPlatform, places: Places) -> None:
        self.discord = discord
        self.slack = slack
        self.people: list[tuple[DiscordPerson, SlackPerson]] = []
        self.keys: dict[int, str] = {}
        self.kinds: dict[int, str] = {}
        notes = SlackNotes(slack)
        general = discord.channel(discord.guild())
        office = slack.channel("office")
        for number in range(max(places)):
            self.people.append((discord.person(f"p{number}"), slack.person(f"p{number}")))
            office.members.add(self.people[-1][1].id)
        on_discord, in_threads, on_slack, in_slack_threads = places
        ones, others = zip(*self.people, strict=True)
        threads = _in_pairs(ones[:in_threads], lambda one, host: DiscordRoom(one, general, host))
        slack_threads = _in_pairs(
            others[:in_slack_threads], lambda one, host: SlackRoom(notes, one, office, host)
        )
        rooms = [
            *(DiscordRoom(one, None) for one in ones[:on_discord]),
            *threads,
            *(SlackRoom(notes, other, None) for other in others[:on_slack]),
            *slack_threads,
        ]
        self.sessions = [Session(room) for room in rooms]

    def say(self, session: Session, kind: str = "plain") -> int:
        number = len(self.keys) + 1
        session.sent.append(number)
        if kind == "deadly":
            session.deadly.append(number)
        if kind == "background":
            session.background.append(number)
        self.kinds[number] = kind
        self.keys[number] = session.room.say(words(number, kind))
        return number

    def open(self) -> list[int]:
        """Return the numbers that still have no answer."""
        return [number for session in self.sessions for number in session.open()]

    def working(self) -> list[int]:
        """Return the numbers that a background agent has not answered so far."""
        return [number for session in self.sessions for number in session.working()]

    def problems(self, ledger: Sequence[str] = ()) -> list[str]:
        """Return what was lost, doubled, misordered or left over; `ledger` has a tool's lines."""
        found = [problem for session in self.sessions for problem in session.problems()]
        begun = Counter(line for line in ledger if line.startswith("begin"))
        found += [f"{line!r} happened {count} times" for line, count in begun.items() if count > 1]
        unsure = {
            int(number)
            for session in self.sessions
            for text in session.room.seen()
            if "can not tell" in text
            for number in ANSWERED.findall(text)
        }
        paid = {number for number, kind in self.kinds.items() if kind == "pay"}
        found += [
            f"nobody paid for {number}"
            for number in paid - unsure
            if f"begin line {number}" not in begun
        ]
        return found


def _in_pairs(people: Sequence[P], room: Callable[[P, R | None], R]) -> list[R]:
    """Give each person a room; every second person writes in the thread of the one before."""
    rooms: list[R] = []
    for number, person in enumerate(people):
        rooms.append(room(person, rooms[-1] if number % 2 else None))
    return rooms
