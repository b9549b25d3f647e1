"""Whether a search finds what people want in their own words, in five languages.

    python bench/wants.py [--show] [--quick]

Wants are searched for in the shipped catalogue, alone and beside 1,000 and 10,000 tools of other
trades (`foreign_tools.py`). Those of `wants.json` were written before the search was tuned; a
third of them, chosen by their texts alone, is held out. Whoever wrote the tools' words knew them
all, so that third says little. Those of `wants_tuned.json` were written later and missed much at
first (48 and 69 % served, 15 % wrong unlocks); the words were widened by them. Those of
`wants_fresh.json` were written after that, and nothing was changed for them: they say most. Three
figures: how often what serves the want is among the first five hits; how many of the unlocked
tools have nothing to do with the want; how often "nothing fits" is said of a want that no shipped
tool serves. Then the wants of services, where none is set up. `--show` prints the tuned wants
that are missed, `--quick` looks at the shipped catalogue alone. Exits with 1 where a goal is
missed.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from figures import Figures
from foreign_tools import foreign_tools

from bot.connections.offers import Unfinished
from bot.domain.access import Person
from bot.domain.finding import ServiceOffer
from bot.testing.tools import ToolFolder
from bot.testing.wants import LANGUAGES, ROLE, Verdict, Want, judged, read_wants, want_house
from bot.tools.toolset.toolset import Toolset

WANTS = Path(__file__).with_name("wants.json")
TUNED, FRESH = WANTS.with_name("wants_tuned.json"), WANTS.with_name("wants_fresh.json")
FOREIGN = (0, 1_000, 10_000)
RECALL, WRONG, NOTHING = 90.0, 1.0, 90.0
GOAL_MS = 5.0
SERVICES = {
    "google": "read_emails read_calendar get_calendar create_event",
    "outlook": "read_emails read_calendar create_event",
    "notion": "notion_read notion_write",
    "github": "github_issues github_search",
    "slack": (
        "slack_post slack_search slack_canvas slack_canvas_write slack_list slack_list_write"
    ),
    "web_search": "web_search",
    "browser": "browser_navigate browser_act browser_observe browser_extract",
}


def offers() -> list[ServiceOffer]:
    owner = Person("ann", "Ann", ROLE, known=True)
    return [
        ServiceOffer(
            name,
            name.replace("_", " ").title(),
            "",
            frozenset(tools.split()),
            Unfinished(name, "set it up", "docs").way(owner, list),
            tuple(
                f"{verb} {name}"
                for verb in ("connect", "link", "verbinde", "connecte", "conecta", "collega")
            ),
        )
        for name, tools in SERVICES.items()
    ]


def share(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def measured(
    toolset: Toolset, wants: Sequence[Want], *, set_up: bool = True
) -> tuple[list[tuple[Want, Verdict]], list[float]]:
    found: list[tuple[Want, Verdict]] = []
    times: list[float] = []
    for want in wants:
        started = time.thread_time()
        result = toolset.search(None, want.text)
        times.append(time.thread_time() - started)
        found.append((want, judged(want, result, toolset, set_up=set_up)))
    return found, times


def report(name: str, found: Sequence[tuple[Want, Verdict]], figures: Figures) -> None:
    served = [verdict for want, verdict in found if want.finds]
    idle = [verdict for want, verdict in found if not want.finds]
    unlocked = sum(len(verdict.unlocked) for _, verdict in found)
    wrong = sum(len(verdict.wrong) for _, verdict in found)
    recall = share(sum(one.found for one in served), len(served))
    figures.at_least(f"{name}: served among the first five", recall, RECALL, "%")
    ready = share(sum(one.ready for one in served), len(served))
    figures.told(f"{name}: can be used by the next call", f"{ready} %")
    figures.at_most(f"{name}: wrong of {unlocked} unlocks", share(wrong, unlocked), WRONG, "%")
    right = share(sum(one.nothing for one in idle), len(idle))
    figures.at_least(f"{name}: 'nothing fits' of {len(idle)}", right, NOTHING, "%")


def show(found: Sequence[tuple[Want, Verdict]], toolset: Toolset) -> None:
    for want, verdict in found:
        bad = not verdict.found if want.finds else not verdict.nothing
        if bad or verdict.wrong:
            hits = toolset.search(None, want.text).hits
            named = [f"{hit.name}{'!' if hit.sure and hit.tool else ''}" for hit in hits]
            print(f"  {want.language} {want.text!r}: {sorted(want.finds)}, {named}")


async def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--show", action="store_true", help="print what is missed of the tuned")
    options.add_argument("--quick", action="store_true", help="the shipped catalogue alone")
    given = options.parse_args()
    figures, first = Figures(), read_wants(WANTS)
    parts = {
        "tuned": [*(one for one in first if not one.held_out), *read_wants(TUNED)],
        "held out": [one for one in first if one.held_out],
        "fresh": read_wants(FRESH),
    }
    every = [one for part in parts.values() for one in part]
    wants = [one for one in every if not one.unconnected]
    idle = sum(not one.finds for one in wants)
    figures.at_least("wants", len(every), 300)
    figures.at_least("wants that nothing serves", idle, 80)
    for count in FOREIGN[: 1 if given.quick else None]:
        with tempfile.TemporaryDirectory() as directory:
            folder = ToolFolder(Path(directory))
            for name, about in foreign_tools(count):
                folder.put(f"shared/{name}", f"# {name}\n## Description\n{about}\n")
            toolset = (await want_house(folder.shipped)).toolset()
            found, times = measured(toolset, wants)
            for name, part in parts.items():
                of_part = [one for one in found if one[0] in part]
                report(f"{count:,} foreign, {name}", of_part, figures)
                if given.show and not count and name == "tuned":
                    show(of_part, toolset)
            if not count:
                for language in LANGUAGES:
                    of = [v for w, v in found if w.language == language and w.finds]
                    right = share(sum(one.found for one in of), len(of))
                    figures.told(f"served in {language}", f"{right} % of {len(of)}")
            p95 = sorted(times)[int(len(times) * 0.95)] * 1000
            figures.at_most(f"{count:,} foreign: p95 of a search", p95, GOAL_MS, "ms")
    bare = (await want_house()).toolset(offers())
    found, _ = measured(bare, [one for one in every if one.service], set_up=False)
    for name, part in parts.items():
        of_part = [verdict for want, verdict in found if want in part]
        if of_part:
            right = share(sum(one.found for one in of_part), len(of_part))
            figures.at_least(f"no service set up, {name}: the way is named", right, RECALL, "%")
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
