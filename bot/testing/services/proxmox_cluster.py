"""Proxmox VE's API as its viewer documents it: an API token, answers below `data`, tasks (UPID).

https://pve.proxmox.com/pve-docs/api-viewer/
"""

import json
import re
from dataclasses import dataclass, field

from aiohttp import web

from bot.domain.json_types import JsonObject
from bot.testing.services.vendor import Vendor, VendorCall

_GUEST = re.compile(r"/api2/json/nodes/([^/]+)/(qemu|lxc)/(\d+)/(.+)")
_TASK = re.compile(r"/api2/json/nodes/([^/]+)/tasks/(UPID:[^/]+)/status")


def _guests() -> dict[int, JsonObject]:
    return {
        101: {"vmid": 101, "name": "web01", "node": "pve1", "type": "qemu", "status": "running"},
        102: {"vmid": 102, "name": "mail", "node": "pve2", "type": "lxc", "status": "stopped"},
    }


@dataclass
class ProxmoxCluster(Vendor):
    """Two nodes with one guest each; `key` is the whole API token."""

    key: str = "bellhop@pve!bot=11111111-2222-3333-4444-555555555555"
    guests: dict[int, JsonObject] = field(default_factory=_guests)
    snapshots: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    async def answer(self, call: VendorCall) -> web.Response:
        if call.headers.get("authorization") != f"PVEAPIToken={self.key}":
            return web.Response(status=401, reason="authentication failure")
        if call.method == "GET" and call.path == "/api2/json/cluster/resources":
            kinds = {"vm": list(self.guests.values()), "node": [{"node": "pve1", "type": "node"}]}
            return _data(kinds.get(call.query.get("type", ""), []))
        if call.method == "GET" and (task := _TASK.fullmatch(call.path)):
            return _data({"upid": task[2], "status": "stopped", "exitstatus": "OK"})
        if (found := _GUEST.fullmatch(call.path)) is None:
            return web.Response(status=501, reason="Method 'GET /x' not implemented")
        guest = self.guests.get(int(found[3]))
        if guest is None or (guest["node"], guest["type"]) != (found[1], found[2]):
            return web.Response(
                status=500,
                reason=f"Configuration file 'nodes/{found[1]}/{found[3]}' does not exist",
            )
        return self._of_guest(call, guest, found[4])

    def _of_guest(self, call: VendorCall, guest: JsonObject, rest: str) -> web.Response:
        node, vmid = guest["node"], guest["vmid"]
        states = {"start": "running", "reboot": "running", "stop": "stopped", "shutdown": "stopped"}
        match call.method, rest.removeprefix("status/"):
            case "GET", "current":
                return _data({**guest, "cpu": 0.02, "maxmem": 4294967296, "uptime": 600})
            case "POST", action if rest.startswith("status/") and action in states:
                guest["status"] = states[action]
                return _data(
                    f"UPID:{node}:0000A1:0000B2:66000000:qm{action}:{vmid}:bellhop@pve!bot:"
                )
            case "POST", "snapshot":
                asked: JsonObject = json.loads(call.body or b"{}")
                if not isinstance(asked.get("snapname"), str):
                    return web.json_response(
                        {"data": None, "errors": {"snapname": "property is missing"}}, status=400
                    )
                self.snapshots.append((vmid, asked["snapname"]))
                return _data(
                    f"UPID:{node}:0000A1:0000B2:66000000:qmsnapshot:{vmid}:bellhop@pve!bot:"
                )
            case _:
                return web.Response(status=501, reason="Method not implemented")


def _data(value: object) -> web.Response:
    return web.json_response({"data": value})
