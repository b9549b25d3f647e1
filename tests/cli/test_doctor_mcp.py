"""`bellhop doctor` connects to each MCP server and says how that went."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bot.testing.mcp_house import a_program


@pytest.mark.slow
def test_doctor_has_a_line_for_each_mcp_server(tmp_path: Path, environment: dict[str, str]):
    servers = {
        "sums": a_program(roles="Friend+"),
        "gone": {"command": "/no/such/program"},
        "poor": {"command": "npx", "env": {"KEY": "${NOT_SET_ANYWHERE}"}},
    }
    (tmp_path / "bellhop.yaml").write_text(yaml.safe_dump({"mcp": {"servers": servers}}))
    command = [sys.executable, "-m", "bot", "doctor", "--json", "--home", str(tmp_path)]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    found = {item["check"]: item for item in json.loads(done.stdout)}
    assert found["mcp sums"]["state"] == "ok"
    assert found["mcp sums"]["text"] == "7 tools, for Business, Friend, Partner, MasterAdmin"
    assert found["mcp gone"]["state"] == "error"
    assert "No such file" in found["mcp gone"]["text"]
    assert "needs NOT_SET_ANYWHERE" in found["mcp poor"]["text"]
    assert done.returncode == 1
