"""The sets `hosting` and `games` in a whole Bellhop, against stand-ins for the services."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.cli.example_sets import example_set, take_over
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, result_texts, say
from bot.testing.services.battlenet_profiles import CLIENT_ID, BattlenetProfiles
from bot.testing.services.proxmox_cluster import ProxmoxCluster
from bot.testing.services.vendor import serving
from bot.testing.services.whm_server import WhmServer

CSF = """\
#!/bin/sh
# Records its arguments, one JSON line for each call, as the tests read them.
python3 -c 'import json, sys; print(json.dumps(sys.argv[1:]))' "$@" >> {log}
case "$1" in
  -l) echo "Chain INPUT (policy DROP)" ;;
  -t) echo "A/D IP address Port Dir Time To Live Comment" ;;
  -g) echo "csf.deny: $2" ;;
  -a|-ar|-d|-dr|-ta|-td|-tr) echo "done: $1 $2" ;;
  *) echo "unknown option" >&2; exit 1 ;;
esac
"""


@dataclass
class Hosting:
    """A house with a set and its services."""

    house: Harness
    model: PlanModel
    home: Path
    plans: dict[str, Sequence[ModelReply]]

    async def tries(self, who: str, *steps: tuple[str, JsonObject]) -> list[str]:
        """Let somebody's turn make these calls; what the model was told of each."""
        self.plans["work"] = [*(call(name, arguments) for name, arguments in steps), say("Done.")]
        await self.house.tell(who, "do:work")
        return self.told()

    def told(self) -> list[str]:
        return result_texts(self.model.requests[-1])

    async def approve(self, who: str = "owner") -> str:
        """Say yes to the newest card; what the model was told about the call then."""
        self.plans["approval outcome"] = [say("It is done.")]
        [waiting] = await self.house.app.approvals.newest()
        await self.house.order(who, "approve", waiting.ref)
        messages = self.model.requests[-1].messages
        texts = [str(block.get("text", "")) for one in messages for block in one["content"]]
        return [text for text in texts if 'kind="approval outcome"' in text][-1]

    @property
    def csf(self) -> list[list[str]]:
        log = self.home / "csf.log"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@asynccontextmanager
async def hosting(
    home: Path, agent: str, name: str = "hosting", env: str = "", **servers: str
) -> AsyncGenerator[Hosting]:
    take_over(example_set(name), home, keep=False, replace=False)
    csf = home / "csf"
    csf.write_text(CSF.format(log=home / "csf.log"))
    csf.chmod(0o755)
    secrets = ["PROXMOX_TOKEN", "WHM_USER", "WHM_TOKEN"]
    secrets += ["BATTLENET_CLIENT_ID", "BATTLENET_CLIENT_SECRET"]
    settings: dict[str, Any] = {
        "agents": {"default": agent},
        "tools": {"shell": {"sandbox": "none"}, "http": {"secrets": secrets, "servers": servers}},
        "web": {"allow_private": ["127.0.0.1"]},
        "firewall": {"csf": [str(csf)]},
    }
    (home / "bellhop.yaml").write_text(json.dumps(settings))
    (home / ".env").write_text(env)
    plans: dict[str, Sequence[ModelReply]] = {}
    model = PlanModel(plans)
    async with running_app(home, model) as house:
        yield Hosting(house, model, home, plans)


@asynccontextmanager
async def machines(
    home: Path, agent: str = "sasha"
) -> AsyncGenerator[tuple[ProxmoxCluster, Hosting]]:
    async with (
        serving(ProxmoxCluster()) as cluster,
        hosting(home, agent, env=proxmox_env(cluster), proxmox=cluster.url) as at,
    ):
        yield cluster, at


@asynccontextmanager
async def websites(home: Path, agent: str = "sasha") -> AsyncGenerator[tuple[WhmServer, Hosting]]:
    async with (
        serving(WhmServer()) as server,
        hosting(home, agent, env=whm_env(server), whm=server.url) as at,
    ):
        yield server, at


def proxmox_env(cluster: ProxmoxCluster) -> str:
    return f"PROXMOX_TOKEN={cluster.key}\n"


def whm_env(server: WhmServer) -> str:
    return f"WHM_USER=root\nWHM_TOKEN={server.key}\n"


WEB01: JsonObject = {"node": "pve1", "kind": "qemu", "vmid": 101}


async def test_proxmox_lists_and_looks_without_a_question(home: Path):
    async with machines(home) as (cluster, at):
        listed, one = await at.tries("ben", ("proxmox", {"type": "vm"}), ("proxmox_guest", WEB01))
    assert '"name": "web01"' in listed
    assert '"uptime": 600' in one
    assert cluster.key not in str(at.model.requests)


async def test_a_reboot_waits_for_the_admins_yes_and_then_happens_once(home: Path):
    async with machines(home) as (cluster, at):
        cluster.guests[101]["status"] = "stopped"
        power = ("proxmox_power", {**WEB01, "action": "start"})
        *_, told = await at.tries("owner", ("tool_search", {"pattern": "proxmox_*"}), power)
        assert "waiting for approval" in told
        assert cluster.guests[101]["status"] == "stopped"
        after = await at.approve()
        assert "UPID:pve1" in after
        upid = after.split("UPID", 1)[1].split('"', 1)[0]
        ended: JsonObject = {"node": "pve1", "upid": f"UPID{upid}"}
        *_, done = await at.tries("owner", ("proxmox_task", ended))
    assert '"exitstatus": "OK"' in done
    starts = [asked.path for asked in cluster.asked if asked.method == "POST"]
    assert starts == ["/api2/json/nodes/pve1/qemu/101/status/start"]


async def test_a_snapshot_sends_its_name_as_json(home: Path):
    async with machines(home) as (cluster, at):
        wanted = {**WEB01, "snapname": "before-upgrade", "description": "kernel"}
        await at.tries(
            "owner", ("tool_search", {"pattern": "proxmox_*"}), ("proxmox_snapshot", wanted)
        )
        if not cluster.snapshots:
            await at.approve()
    assert cluster.snapshots == [(101, "before-upgrade")]


@pytest.mark.parametrize(
    ("trouble", "said"),
    [("token", "HTTP 401 authentication failure"), ("gone", "HTTP 500"), ("down", "could not be")],
)
async def test_trouble_of_proxmox_is_an_error_that_the_model_reads(
    home: Path, trouble: str, said: str
):
    async with serving(ProxmoxCluster()) as cluster:
        env = "PROXMOX_TOKEN=wrong-token-1\n" if trouble == "token" else proxmox_env(cluster)
        url = "http://127.0.0.1:9" + "999" if trouble == "down" else cluster.url
        async with hosting(home, "sasha", env=env, proxmox=url) as at:
            guest = WEB01 if trouble != "gone" else {**WEB01, "vmid": 999}
            [told] = await at.tries("owner", ("proxmox_guest", guest))
    assert told.startswith("ERROR")
    assert said in told
    assert "wrong-token-1" not in told


async def test_whm_reads_at_once_and_suspends_after_a_yes(home: Path):
    async with websites(home) as (server, at):
        suspend = {"action": "suspendacct", "user": "shop", "reason": "unpaid & late"}
        listed, told = await at.tries(
            "owner", ("cpanel_whm", {"action": "listaccts"}), ("cpanel_whm", suspend)
        )
        assert "shop.example.org" in listed
        assert "waiting for approval" in told
        assert server.accounts["shop"]["suspended"] == 0
        await at.approve()
    assert server.accounts["shop"]["suspended"] == 1
    assert server.accounts["shop"]["suspendreason"] == "unpaid & late"


async def test_a_failure_that_whm_reports_with_status_200_is_an_error(home: Path):
    async with websites(home) as (_, at):
        asked = {"action": "accountsummary", "user": "nobody"}
        [told] = await at.tries("owner", ("cpanel_whm", asked))
    assert told.startswith("ERROR: HTTP 200")
    assert "Account does not exist." in told


async def test_a_wrong_token_of_whm_is_refused_and_never_shown(home: Path):
    async with serving(WhmServer()) as server:
        env = "WHM_USER=root\nWHM_TOKEN=wrong-token-2\n"
        async with hosting(home, "sasha", env=env, whm=server.url) as at:
            [told] = await at.tries("owner", ("cpanel_whm", {"action": "listaccts"}))
    assert "HTTP 403" in told
    assert "wrong-token-2" not in str(at.model.requests)


async def test_csf_looks_at_once_and_blocks_after_a_yes(home: Path):
    async with hosting(home, "sysafe") as at:
        block = {
            "action": "temp_deny",
            "address": "203.0.113.7",
            "seconds": 3600,
            "ports": [22, 80],
            "comment": "tries passwords; rm",
        }
        searched, refused = await at.tries(
            "owner",
            ("csf_management", {"action": "search", "address": "203.0.113.7"}),
            ("csf_management", block),
        )
        assert "csf.deny: 203.0.113.7" in searched
        assert "the comment may have" in refused, "it is refused before anybody is asked"
        block["comment"] = "tries passwords"
        *_, told = await at.tries("owner", ("csf_management", block))
        assert "waiting for approval" in told
        assert [words[0] for words in at.csf] == ["-g"]
        card = at.house.chat.posts[-1].text
        assert "block `203.0.113.7` in the firewall for 3600 seconds" in card
        assert "done: -td" in await at.approve()
    assert at.csf[-1] == ["-td", "203.0.113.7", "3600", "-p", "22,80", "tries passwords"]


async def test_a_shell_line_waits_for_a_yes_that_shows_it(home: Path):
    async with hosting(home, "sysafe") as at:
        line = "printf '%s' \"a'b\" && echo $((40 + 2))"
        *_, told = await at.tries("owner", ("shell_execution", {"command": line}))
        assert "waiting for approval" in told
        assert "$((40 + 2))" in at.house.chat.posts[-1].text
        assert "a'b42" in await at.approve()


async def test_who_is_no_admin_has_neither_shell_nor_firewall(home: Path):
    async with hosting(home, "sysafe") as at:
        for who in ("stranger", "ann", "ben"):
            told = await at.tries(
                who,
                ("shell_execution", {"command": "id"}),
                ("csf_management", {"action": "status"}),
            )
            assert [one.startswith("ERROR") for one in told] == [True, True], who
        assert await at.house.app.approvals.newest() == ()
    assert at.csf == []


async def test_advice_compares_use_with_the_homes_own_price_list(home: Path):
    async with websites(home, "nikki") as (_, at):
        usage, larger, stay, unknown = await at.tries(
            "ben",
            ("cpanel_usage", {"user": "shop"}),
            ("hosting_upsell_advisor", {"plan": "start", "disk_mb": 9000, "mailboxes": 5}),
            ("hosting_upsell_advisor", {"plan": "Start", "disk_mb": 4000}),
            ("hosting_upsell_advisor", {"plan": "Gold", "disk_mb": 4000}),
        )
    assert '"diskused": "9000M"' in usage
    advice = json.loads(larger)
    assert (advice["advice"], advice["plan"]["name"]) == ("larger", "Team")
    assert advice["price_difference"] == 8.0
    assert json.loads(stay)["advice"] == "stay"
    assert unknown.startswith("ERROR")
    assert "Start, Team, Business, Own server" in unknown


async def test_the_assistant_hands_work_to_an_agent_of_the_set(home: Path):
    async with machines(home, "assistant") as (cluster, at):
        at.plans["look"] = [call("proxmox", {"type": "vm"}), say("web01 runs.")]
        search, answer = await at.tries(
            "ben",
            ("tool_search", {"pattern": "agent_sasha"}),
            ("agent_sasha", {"instruction": "do:look"}),
        )
    assert "agent_sasha" in search
    assert "web01 runs." in answer
    assert len(cluster.asked) == 1


async def test_a_guest_has_nothing_of_the_set(home: Path):
    async with machines(home) as (cluster, at):
        told = await at.tries(
            "stranger",
            ("proxmox", {"type": "vm"}),
            ("proxmox_power", {**WEB01, "action": "stop"}),
        )
    assert all(one.startswith("ERROR") for one in told)
    assert cluster.asked == []


async def test_a_character_is_found_with_a_token_that_nobody_sees(home: Path):
    async with serving(BattlenetProfiles()) as battlenet:
        env = f"BATTLENET_CLIENT_ID={CLIENT_ID}\nBATTLENET_CLIENT_SECRET={battlenet.key}\n"
        jaina = {"region": "eu", "realm": "argent-dawn", "character": "jaina"}
        urls = {"battlenet": battlenet.url, "battlenet_login": battlenet.url}
        async with hosting(home, "assistant", "games", env, **urls) as at:
            _, found, again, missing, spelled = await at.tries(
                "ann",
                ("tool_search", {"pattern": "wow_*"}),
                ("wow_character_check", jaina),
                ("wow_character_check", jaina),
                ("wow_character_check", {**jaina, "character": "nobody"}),
                ("wow_character_check", {**jaina, "character": "../me"}),
            )
    assert '"average_item_level": 639' in found
    assert found == again
    assert "HTTP 404" in missing
    assert spelled.startswith("ERROR")
    assert len(battlenet.tokens) == 1
    assert battlenet.tokens[0] not in str(at.model.requests)
    assert battlenet.key not in str(at.model.requests)


async def test_a_wrong_secret_of_battlenet_is_told_without_it(home: Path):
    async with serving(BattlenetProfiles()) as battlenet:
        env = f"BATTLENET_CLIENT_ID={CLIENT_ID}\nBATTLENET_CLIENT_SECRET=wrong-secret-3\n"
        urls = {"battlenet": battlenet.url, "battlenet_login": battlenet.url}
        async with hosting(home, "assistant", "games", env, **urls) as at:
            jaina = {"region": "eu", "realm": "argent-dawn", "character": "jaina"}
            _, told = await at.tries(
                "ann", ("tool_search", {"pattern": "wow_*"}), ("wow_character_check", jaina)
            )
    assert "gave no token to this installation (HTTP 401)" in told
    assert "wrong-secret-3" not in str(at.model.requests)
    assert battlenet.tokens == []


async def test_without_its_settings_a_tool_does_not_exist(home: Path):
    async with hosting(home, "sasha") as at:
        told = await at.tries("owner", ("proxmox", {"type": "vm"}))
    assert told[0].startswith("ERROR")
