"""How far a reader walks to follow one mention: functions, files, and moves between files.

    python bench/walk.py [--path]

One person mentions Bellhop in a channel where they have talked before. The model calls two tools,
one after the other, and answers. Everything of `bot/` that runs from the arrival of the message
until the turn is settled is written down in the order of its first call; fakes and scripts of
`bot/testing` are left out. Comprehensions and lambdas belong to the function that they stand in.

A *move* is where the next function stands in another file than the one before it. `--path` prints
the whole walk. Exits with 1 where a goal is missed.
"""

import argparse
import asyncio
import sys
import tempfile
import threading
from collections import Counter
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType

from figures import Figures

import bot
from bot.domain.messages import Place
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say

MOST_FILES, MOST_MOVES, MOST_LINES = 80, 200, 400
PACKAGE = f"{Path(bot.__file__).parent}/"
TESTING = f"{PACKAGE}testing/"
WAITING = {f"{TESTING}harness.py", f"{TESTING}engine_lives.py"}
"""What these ask the engine while they wait for the end of a turn is no part of the walk."""
TOOLS = ("current_time", "calculate")


class Walk:
    """Notes each function of `bot/` at its first call while `noting` is set."""

    def __init__(self) -> None:
        self.noting = False
        self._seen: dict[CodeType, None] = {}

    def profile(self, frame: FrameType, event: str, _given: object) -> None:
        if not self.noting or event != "call":
            return
        if frame.f_back is not None and frame.f_back.f_code.co_filename in WAITING:
            return
        code = frame.f_code
        file = code.co_filename
        if file.startswith(PACKAGE) and not file.startswith(TESTING) and code.co_name[0] != "<":
            self._seen.setdefault(code)

    def functions(self) -> list[tuple[str, str]]:
        """File below `bot/` and name of each function, in the order of the walk."""
        return [(code.co_filename[len(PACKAGE) :], code.co_qualname) for code in self._seen]


async def mention(house: Harness, text: str) -> None:
    await house.ask("ann", text, where="general", place=Place.CHANNEL)
    await house.until_idle()


async def warm_mention(walk: Walk) -> None:
    """Find the tools, use them once, and then note what a mention that uses them again runs."""
    finds = [call("tool_search", {"pattern": name}) for name in TOOLS]
    uses = [
        call("current_time", {"timezone": "Asia/Tokyo"}),
        call("calculate", {"expression": "17 * 23"}),
        say("It is five in the morning, and 391."),
    ]
    model = ScriptedModel([*finds, say("I have both."), *uses, *uses])
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "contacts.yaml").write_text(
            '- {id: ann, name: Ann, role: Friend, ids: {discord: ["ann"]}}\n'
        )
        async with running_app(home, model) as house:
            await mention(house, "Can you tell the time and calculate?")
            await mention(house, "What time is it in Tokyo, and what is 17 * 23?")
            walk.noting = True
            await mention(house, "And once more?")
            walk.noting = False
    if model.left:
        raise SystemExit(f"the model has {model.left} replies left: the mention ran another way")


def room_of(file: str) -> str:
    return file.split("/", maxsplit=1)[0].removesuffix(".py")


def moves(functions: list[tuple[str, str]]) -> int:
    return len([file for file, _ in groupby(functions, lambda one: one[0])]) - 1


def judged(functions: list[tuple[str, str]]) -> Figures:
    files = {file for file, _ in functions}
    lengths = {file: len(Path(PACKAGE, file).read_text().splitlines()) for file in files}
    longest = max(files, key=lambda file: lengths[file])
    figures = Figures()
    figures.told("functions", f"{len(functions)}")
    figures.at_most("files", len(files), MOST_FILES)
    figures.at_most("moves from file to file", moves(functions), MOST_MOVES)
    figures.at_most("lines of the longest file", lengths[longest], MOST_LINES, more=f"({longest})")
    return figures


def report(functions: list[tuple[str, str]], *, path: bool) -> None:
    files = {file for file, _ in functions}
    by_room = Counter(room_of(file) for file, _ in functions)
    for room, count in by_room.most_common():
        there = len({file for file in files if room_of(file) == room})
        print(f"  {room:<14}{count:>4} functions in {there:>2} files")
    if path:
        for file, steps in groupby(functions, lambda one: one[0]):
            print(f"{file}: {', '.join(name for _, name in steps)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--path", action="store_true", help="print the whole walk")
    given = parser.parse_args()
    walk = Walk()
    threading.setprofile(walk.profile)
    sys.setprofile(walk.profile)
    asyncio.run(warm_mention(walk))
    sys.setprofile(None)
    functions = walk.functions()
    report(functions, path=given.path)
    sys.exit(judged(functions).close())


if __name__ == "__main__":
    main()
