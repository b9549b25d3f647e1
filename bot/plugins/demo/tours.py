"""Guided tours: each step says what is to be seen, and does one thing as one person."""

from dataclasses import dataclass

from bot.plugins.demo import scripts
from bot.plugins.demo.sides import Act, Speak
from bot.plugins.demo.town import GUEST, MEMBER, OWNER


@dataclass(frozen=True)
class DoAs:
    """Somebody acts on a platform. `place` is the name of a channel; empty: their own DM."""

    side: str
    who: str
    place: str
    act: Act


@dataclass(frozen=True)
class ClickNewest:
    """Somebody presses a button on the newest message that has it."""

    side: str
    who: str
    place: str
    label: str


@dataclass(frozen=True)
class Kill:
    """`kill -9` of Bellhop, once it has begun to answer somebody's direct message."""

    side: str
    who: str


@dataclass(frozen=True)
class Start:
    """Bellhop starts again."""


@dataclass(frozen=True)
class Look:
    """Only look, as somebody, at a place."""

    side: str
    who: str
    place: str


Does = DoAs | ClickNewest | Kill | Start | Look


@dataclass(frozen=True)
class TourStep:
    says: str
    does: Does


@dataclass(frozen=True)
class Tour:
    id: str
    title: str
    steps: tuple[TourStep, ...]


def _say(text: str, *, mention: bool = False) -> Speak:
    return Speak(do="say", text=text, mention=mention)


TOURS = (
    Tour(
        "card",
        "A card that somebody else approves",
        (
            TourStep(
                "Marek is a member. He asks for something that can't be taken back.",
                DoAs("slack", MEMBER.id, "general", _say(scripts.PUBLISH, mention=True)),
            ),
            TourStep(
                "The call waits. His own click doesn't count: the card is for an owner.",
                ClickNewest("slack", MEMBER.id, "general", "Approve"),
            ),
            TourStep(
                "Olivia is an owner. With her yes the stored call runs, once.",
                ClickNewest("slack", OWNER.id, "general", "Approve"),
            ),
        ),
    ),
    Tour(
        "memory",
        "A memory kept private",
        (
            TourStep(
                "Olivia tells Bellhop something in a direct message.",
                DoAs("discord", OWNER.id, "", _say(scripts.BONUS)),
            ),
            TourStep(
                "Marek asks about it. He learns nothing: what was told there reaches nobody else.",
                DoAs("discord", MEMBER.id, "", _say(scripts.ASK_BONUS)),
            ),
            TourStep(
                "Not even Olivia's own question brings it into a channel that others read.",
                DoAs("discord", OWNER.id, "general", _say(scripts.ASK_BONUS, mention=True)),
            ),
            TourStep(
                "In her direct messages she gets it.",
                DoAs("discord", OWNER.id, "", _say(scripts.ASK_BONUS)),
            ),
        ),
    ),
    Tour(
        "kill",
        "kill -9 in the middle of an answer",
        (
            TourStep(
                "Gwen, a guest, asks for something long. Watch the answer grow.",
                DoAs("discord", GUEST.id, "", _say(scripts.STORY)),
            ),
            TourStep(
                "Bellhop's process is killed. It can't write or tell anything.",
                Kill("discord", GUEST.id),
            ),
            TourStep(
                "It starts again, finds the accepted message in its journal, and answers it: once.",
                Start(),
            ),
        ),
    ),
    Tour(
        "reminder",
        "A reminder that rings",
        (
            TourStep(
                "Marek wants to be reminded. It is a row in the database, not a timer in memory.",
                DoAs("slack", MEMBER.id, "", _say(scripts.REMIND)),
            ),
            TourStep(
                "Even a killed Bellhop rings after its next start.",
                Kill("slack", MEMBER.id),
            ),
            TourStep("It starts again. Within the minute the reminder comes.", Start()),
        ),
    ),
    Tour(
        "plan",
        "A plan with a failing step",
        (
            TourStep(
                "Olivia gives a large goal. The second task of its plan names an unknown agent.",
                DoAs("slack", OWNER.id, "design", _say(scripts.COMPARE, mention=True)),
            ),
            TourStep(
                "The rest is planned anew around the failure. The answer says what was not done.",
                Look("slack", OWNER.id, "design"),
            ),
        ),
    ),
)


def tour_named(name: str) -> Tour | None:
    return next((one for one in TOURS if one.id == name), None)
