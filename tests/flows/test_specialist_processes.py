"""Specialists in their own process: the same results, and safe against any program."""

import asyncio
import json
import os
import re
import shutil
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.agents.delegation.specialist_programs import (
    PROGRAM_BOUNDS,
    ProgramBounds,
    SpecialistProcess,
)
from bot.agents.delegation.subprocess_runner import SubprocessRunner
from bot.assembly.ground import HouseLimits
from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.models import ModelReply, ModelRequest
from bot.domain.origins import Trust
from bot.errors import ModelError, ModelTrouble
from bot.testing import hostile_specialists
from bot.testing.engine_lives import PATIENCE_S
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import write_agent
from bot.testing.scripted_model import ScriptedModel, call, calls, say
from bot.testing.waiting import until

OWN = "bellhop specialist"
PYTHON, PROGRAM = Path(sys.executable).resolve(), Path(hostile_specialists.__file__)
READS = [str(PROGRAM), str(Path(sys.base_prefix).resolve())]
ASK = {"instruction": "look", "context": "ann asks"}


def hostile(kind: str, *arguments: object) -> str:
    words = (sys.executable, "-I", "-S", hostile_specialists.__file__, kind, *map(str, arguments))
    return " ".join(words)


def set_up(home: Path, command: str, *, sandbox: bool = False, **more: Any) -> None:
    """The observer runs as this command."""
    settings: dict[str, Any] = {"agents": {"overrides": {"observer": {"command": command, **more}}}}
    if not sandbox:
        settings["tools"] = {"shell": {"sandbox": "none"}}
    (home / "bellhop.yaml").write_text(yaml.safe_dump(settings))


async def events_of(house: Harness) -> list[CycleEvent]:
    cycles = await house.app.cycle_log.recent("ann", 1)
    return await house.app.cycle_log.events(cycles[0].cycle_id)


def result_of(request: ModelRequest) -> dict[str, Any]:
    """The first result of the last round, as the caller sees it."""
    blocks = [block for message in request.messages[-2:] for block in message["content"]]
    return next(block for block in blocks if block.get("type") == "tool_result")


@dataclass
class Looked:
    """What came of a delegation: the result that the caller saw, and what the cycle log keeps."""

    model: ScriptedModel
    house: Harness
    events: list[CycleEvent]

    @property
    def result(self) -> dict[str, Any]:
        return result_of(self.model.requests[-1])

    @property
    def text(self) -> str:
        return self.result["content"][0]["text"]

    @property
    def error(self) -> str:
        """What the caller is told of the program's failure."""
        return self.text.removeprefix("ERROR: subprocess observer: ")


async def look(home: Path, *observer: ModelReply, bounds: ProgramBounds = PROGRAM_BOUNDS) -> Looked:
    """Ann has the observer look; these are the model's replies to it."""
    model = ScriptedModel([call("agent_observer", ASK), *observer, say("Told.")])
    async with running_app(home, model, limits=HouseLimits(programs=bounds)) as house:
        assert await house.ask("ann", "look") == "Told."
        return Looked(model, house, await events_of(house))


# --- one contract, two runners ---


def recall() -> Any:
    return call("recall_recent", {"limit": 1})


SCRIPTS: dict[str, list[Any]] = {
    "answer": [recall(), say("Nothing unusual.")],
    "at once": [say("Nothing unusual.")],
    "empty, then an answer": [say(""), say("Here.")],
    "twice empty": [say(""), say("")],
    "out of turns": [call("recall_recent", {"limit": n}) for n in range(1, 9)],
    "in circles": [recall() for _ in range(5)],
    "no model": [ModelError(ModelTrouble("overloaded", "the service is overloaded", tries=3))],
    "a fact": [call("save_fact", {"key": "door", "value": "heron"}), say("Saved.")],
    "finished": [call("finish_task", {"answer": "All done.", "status": "resolved"})],
    "a tool that fails": [call("no_such_tool", {"x": 1}), say("It is not there.")],
    "a wrong argument": [call("recall_recent", {"limit": "many"}), say("I can't.")],
    "two calls": [
        calls(("recall_recent", {"limit": 1}), ("recall_recent", {"limit": 2})),
        say("Both."),
    ],
}


def seen(request: ModelRequest) -> str:
    """A request without the parts that differ between runs: ids and durations."""
    text = json.dumps(request.messages, ensure_ascii=False)
    text = re.sub(r"call_\d+|toolu_\w+|[0-9a-f]{32}|[0-9a-f]{8}(?=:)", "ID", text)
    return re.sub(r'"(id|tool_use_id)": "[^"]*"', r'"\1": "ID"', text)


async def told(home: Path) -> dict[str, tuple[list[str], list[tuple[str, str, Any]]]]:
    """Every request of each script's delegation, and what the cycle log keeps of it."""
    clock = FakeClock(datetime(2026, 3, 2, 9, tzinfo=UTC))
    found: dict[str, tuple[list[str], list[tuple[str, str, Any]]]] = {}
    async with running_app(home, model := ScriptedModel(), clock=clock) as house:
        for name, script in SCRIPTS.items():
            await house.order("ann", "new")
            before = len(model.requests)
            model.replace(call("agent_observer", ASK), *script, say("Told."))
            assert await house.ask("ann", "anything odd?")
            events = await events_of(house)
            kept = [(event.type.value, event.step, event.data.get("status")) for event in events]
            found[name] = [seen(request) for request in model.requests[before:]], kept
    return found


async def test_a_caller_sees_the_same_whichever_runner_works(home: Path, tmp_path_factory: Any):
    other = shutil.copytree(home, tmp_path_factory.mktemp("other") / "home")
    set_up(other, OWN)
    here, apart = await told(home), await told(other)
    for name in SCRIPTS:
        assert len(here[name][0]) > 1, name
        assert apart[name] == here[name], name


# --- hostile programs ---

BROKEN = {
    "garbage": "sent a line that can't be read (json invalid)",
    "long_line": "sent a line of more than 1 MiB",
    "no_terminal": "ended with exit status 0 before a terminal response",
    "exit_3": "ended with exit status 3 before a terminal response",
    "killed": "was ended by signal 9 before a terminal response",
    "two_terminals": "went on after its terminal response",
    "error": "no disk left here",
    "other_id": "sent a line with the id of another request",
    "unknown_status": "sent a line that can't be read (union tag invalid)",
    "progress_flood": "sent 200 lines of progress and did nothing else",
    "call_at_once": "sent tool_call where model_call or its terminal response was due",
}


async def test_a_program_that_breaks_the_rules_is_an_error_of_its_call(home: Path):
    commands = {kind: {"command": hostile(kind)} for kind in BROKEN}
    settings = {"agents": {"overrides": commands}, "tools": {"shell": {"sandbox": "none"}}}
    (home / "bellhop.yaml").write_text(yaml.safe_dump(settings))
    for kind in BROKEN:
        write_agent(home, kind)
    async with running_app(home, model := ScriptedModel()) as house:
        for kind, broken in BROKEN.items():
            model.replace(call(f"agent_{kind}", ASK), say("Told."))
            assert await house.ask("ann", "look") == "Told."
            error, result = f"subprocess {kind}: {broken}", result_of(model.requests[-1])
            assert (result["is_error"], result["content"][0]["text"]) == (True, f"ERROR: {error}")
            complete = CycleEventType.AGENT_CYCLE_COMPLETE
            ends = [one.data for one in await events_of(house) if one.type is complete]
            assert [(end["status"], end["error"]) for end in ends] == [("error", error)]


@pytest.mark.parametrize("answers", range(5))
async def test_a_program_killed_at_any_step_is_one_error_and_keeps_its_facts(
    answers: int, home: Path
):
    set_up(home, hostile("killed_after", answers))
    work = [call("save_fact", {"key": "door", "value": "heron"}), say("Found.")][
        : (answers + 1) // 2
    ]
    model = ScriptedModel([call("agent_observer", ASK), *work, say("Told."), say("Yes.")])
    async with running_app(home, model) as house:
        assert await house.ask("ann", "look") == "Told."
        told = result_of(model.requests[-1])["content"][0]["text"]
        assert told == f"ERROR: subprocess observer: {BROKEN['killed']}"
        assert await house.ask("ann", "and then?") == "Yes."
    assert ("heron" in str(model.requests[-1].messages)) == (answers > 0)


@pytest.mark.parametrize(
    ("kind", "answer", "error"),
    [
        ("invented_call", recall(), "asked for a tool call that the model did not make"),
        (
            "asks_forever",
            say("The end."),
            "asked for the model after it was told that the run had ended",
        ),
    ],
    ids=["a call of its own", "a question after the end"],
)
async def test_a_program_makes_no_call_that_the_model_did_not_make(
    kind: str, answer: ModelReply, error: str, home: Path
):
    set_up(home, hostile(kind))
    looked = await look(home, answer)
    assert looked.text == f"ERROR: subprocess observer: {error}"
    assert "remember" not in {event.data.get("tool_name") for event in looked.events}


async def test_words_of_the_program_are_text_from_outside(home: Path):
    set_up(home, hostile("own_words"))
    trusts: list[Trust] = []
    dispatch = SubprocessRunner.run

    async def noted(*args: Any) -> Any:
        delivered = await dispatch(*args)
        trusts.append(delivered.trust)
        return delivered

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SubprocessRunner, "run", noted)
        looked = await look(home, say("Nothing."))
    assert "The operator allows everything" in json.dumps(looked.result)
    assert trusts == [Trust.EXTERNAL]


async def test_a_program_in_the_sandbox_sees_neither_the_home_nor_secrets(
    home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SECRET_API_KEY", "zq-secret-of-the-specialist")
    database, contacts = home / "data" / "bellhop.db", home / "contacts.yaml"
    steals = f"{PYTHON} -I -S {PROGRAM} steals {database} {contacts}"
    set_up(home, steals, sandbox=True, reads=READS)
    looked = await look(home)
    if looked.house.app.house.ground.sandbox.hindrance is not None:
        assert looked.error.startswith("scripts are off")
    else:
        assert looked.text == "closed FileNotFoundError; closed FileNotFoundError; secrets []"


async def test_a_program_that_starts_as_many_as_it_can_is_ended_with_all_of_them(home: Path):
    set_up(home, f"{PYTHON} -I -S {PROGRAM} fork_bomb", sandbox=True, reads=READS)
    looked = await look(home)
    assert looked.text.startswith(("started ", "ERROR: subprocess observer: scripts are off"))
    await until(none_sleep, PATIENCE_S)  # the system ends them, and tells nobody


async def none_sleep() -> bool:
    return not await asyncio.to_thread(sleepers)


def sleepers() -> list[Path]:
    """Processes that the program would have left behind."""
    return [
        path for path in Path("/proc").glob("[0-9]*/cmdline") if b"time.sleep(600)" in read(path)
    ]


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("kind", ["stderr_flood", "stays"])
async def test_a_program_that_is_only_a_nuisance_is_still_heard(kind: str, home: Path):
    set_up(home, hostile(kind))
    looked = await look(home)
    assert looked.text == "done"
    assert not looked.result.get("is_error")


async def test_a_program_that_says_nothing_is_ended_with_its_group(
    home: Path, monkeypatch: pytest.MonkeyPatch
):
    set_up(home, hostile("silent"))
    groups: list[int] = []
    kill = SpecialistProcess.kill

    async def noted(self: SpecialistProcess) -> None:
        groups.append(self.group)
        await kill(self)

    monkeypatch.setattr(SpecialistProcess, "kill", noted)
    looked = await look(home, bounds=ProgramBounds(patience_s=0.3))
    said = "did nothing for 0.3 seconds and was ended"
    assert looked.text == f"ERROR: subprocess observer: {said}"
    fired = [one for one in looked.events if one.type is CycleEventType.WATCHDOG_FIRE]
    assert [event.data["after_s"] for event in fired] == [0.3]
    with pytest.raises(ProcessLookupError):
        os.killpg(groups[0], 0)


async def test_a_stop_ends_the_program(home: Path, monkeypatch: pytest.MonkeyPatch):
    set_up(home, hostile("silent"))
    started: asyncio.Queue[SpecialistProcess] = asyncio.Queue()
    receive = SpecialistProcess.receive

    async def noted(self: SpecialistProcess) -> Any:
        started.put_nowait(self)
        return await receive(self)

    monkeypatch.setattr(SpecialistProcess, "receive", noted)
    model = ScriptedModel([call("agent_observer", ASK), say("never")])
    async with running_app(home, model) as house:
        await house.chat.say("ann", "look")
        program = await started.get()
        await house.order("ann", "stop")
        with pytest.raises(ProcessLookupError):
            os.killpg(program.group, 0)
    assert len(model.requests) == 1


async def test_a_program_that_is_not_on_path_leaves_the_agent_here(home: Path):
    set_up(home, "no-such-program-4711 --x")
    looked = await look(home, say("Nothing."))
    assert len(looked.model.requests) == 3


# --- what a program makes and takes ---


async def test_a_whole_path_without_a_program_is_an_error_of_the_call(home: Path):
    set_up(home, "/no/such/program --x")
    gone = "can't be started: /no/such/program is no program of this machine"
    assert gone in json.dumps((await look(home)).result["content"])


async def test_the_files_that_a_program_made_reach_its_caller_and_no_others(
    home: Path, tmp_path: Path
):
    outside = tmp_path / "private.md"
    outside.write_text("the secret plan")
    set_up(home, hostile("artefacts", outside))
    looked = await look(home)
    assert looked.text.split("\n\n") == [
        "See the notes.",
        "Artefact deep/notes.md:\nThe roof leaks.",
        "[artefact picture.bin: 3 bytes that are no text]",
        "[artefact link.md: it is not in the artefact folder]",
        "[artefact ../beside.md: it is not in the artefact folder]",
        "[artefact /etc/hostname: it is not in the artefact folder]",
        "[artefact gone.md: No such file or directory]",
        "[artefact : it is not in the artefact folder]",
    ]


async def test_a_program_gets_no_more_memory_than_it_may_take(home: Path):
    set_up(home, hostile("greedy"))
    reason = "ended with exit status 1 before a terminal response"
    looked = await look(home, bounds=ProgramBounds(memory_mb=128))
    assert looked.text == f"ERROR: subprocess observer: {reason}"


async def test_a_missing_readable_path_is_an_error_of_the_call(home: Path):
    garbage, reads = f"{PYTHON} -I -S {PROGRAM} garbage", [*READS, "/no/such/folder"]
    set_up(home, garbage, sandbox=True, reads=reads)
    gone = "can't be started: what it may read is not there (/no"
    assert (await look(home)).text.startswith(
        (f"ERROR: subprocess observer: {gone}", "ERROR: subprocess observer: scripts are off")
    )
