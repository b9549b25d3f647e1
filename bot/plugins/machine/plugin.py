"""The state of the machine that Bellhop runs on."""

import asyncio
import json
import os
import platform
import shutil
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tools import NativeConnector, NativeTool, Phrase, ToolContext, ToolResult

_CHECKING = Phrase("Checking the machine")

_KIB = 1024
_MEMORY = {
    "MemTotal": "total_mb",
    "MemAvailable": "available_mb",
    "SwapTotal": "swap_mb",
    "SwapFree": "swap_free_mb",
}


class HostReportArguments(BaseModel):
    """No parameters: there is one machine."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class MachineConnector(NativeConnector):
    """host_report, for MasterAdmins (its tool file says so)."""

    id = "machine"

    def __init__(self, home: Path) -> None:
        self._home = home
        tool = NativeTool(
            "host_report", HostReportArguments, self._run, doing=_CHECKING, same_for_all=True
        )
        super().__init__(tool)

    async def _run(self, context: ToolContext, arguments: HostReportArguments) -> ToolResult:
        """Load, memory and disks, read from the system without starting a program."""
        told = await asyncio.to_thread(_report, self._home)
        return ToolResult(
            json.dumps(told), summary=f"load {told['load'][0]:g}, {told['cpus']} CPUs"
        )


class MachinePlugin(Plugin[NoSettings]):
    name = "machine"
    title = "load, memory and disks of this machine"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(connectors=(MachineConnector(given.home),))


def _report(home: Path) -> dict[str, Any]:
    """Blocking. Facts that the system does not give are left out."""
    told: dict[str, Any] = {
        "system": f"{platform.system()} {platform.release()}",
        "cpus": os.cpu_count() or 1,
        "load": [round(value, 2) for value in os.getloadavg()],
    }
    if memory := _memory(_text("/proc/meminfo")):
        told["memory"] = memory
    if uptime := _text("/proc/uptime").split(".")[0]:
        told["up_hours"] = round(int(uptime) / 3600, 1)
    disks = {"root": Path("/"), "home": home}
    told["disks"] = {name: _disk(path) for name, path in disks.items() if path.exists()}
    return told


def _memory(text: str) -> dict[str, int]:
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {_MEMORY[key]: int(value.split()[0]) // _KIB for key, value in pairs if key in _MEMORY}


def _disk(path: Path) -> dict[str, float]:
    usage = shutil.disk_usage(path)
    size, free = (round(number / _KIB**3, 1) for number in (usage.total, usage.free))
    return {
        "total_gb": size,
        "free_gb": free,
        "used_percent": round(100 * (1 - usage.free / max(usage.total, 1)), 1),
    }


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii")
    except OSError:
        return ""
