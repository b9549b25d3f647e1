"""`mcp.servers` in bellhop.yaml: what is taken, and what is refused in which words."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import secrets_of_plugin
from bot.domain.access import Role
from bot.errors import SettingsError
from bot.log import redact
from bot.plugins.mcp.plugin import McpPlugin
from bot.plugins.mcp.settings import McpSettings
from bot.settings import load


def settings_of(home: Path, text: str) -> McpSettings:
    (home / "bellhop.yaml").write_text(text)
    return load(home, {"mcp": McpSettings}, {}).get(McpSettings)


def test_a_program_and_an_address_are_taken_and_partners_may_use_them(tmp_path: Path):
    servers = settings_of(
        tmp_path,
        "mcp:\n  servers:\n"
        "    files: {command: npx, args: [-y, server], env: {API_KEY: '${FILES_KEY}', LEVEL: 3}}\n"
        "    tracker: {url: 'https://example.org/mcp', headers: {Authorization: 'Bearer "
        "${TRACKER_TOKEN}'}}\n",
    ).servers
    assert servers["files"].env == {"API_KEY": "${FILES_KEY}", "LEVEL": "3"}
    assert servers["files"].access.roles == {Role.PARTNER, Role.MASTER_ADMIN}
    assert servers["tracker"].timeout_s == 60


@pytest.mark.parametrize(
    ("server", "words"),
    [
        ("{}", "either command"),
        ("{command: a, url: 'http://b'}", "not both"),
        ("{url: 'http://b', env: {A: b}}", "belong to a command"),
        ("{command: a, headers: {A: b}}", "belong to a url"),
        ("{url: 'file:///etc'}", "http:// or https://"),
        ("{command: a, roles: Frend}", "unknown role"),
        ("{command: a, comand: b}", "comand"),
        ("{command: a, env: {API_KEY: abcdefgh}}", "secrets do not belong"),
        ("{url: 'http://b', headers: {Authorization: 'Bearer abcdefgh'}}", "secrets do not belong"),
    ],
)
def test_a_mistake_is_named(server: str, words: str, tmp_path: Path):
    with pytest.raises(SettingsError, match=words):
        settings_of(tmp_path, f"mcp:\n  servers:\n    one: {server}\n")


@pytest.mark.parametrize("name", ["a__b", "a_", "dot.ted", "x" * 25, "-a"])
def test_a_name_that_could_be_mistaken_for_another_is_refused(name: str, tmp_path: Path):
    with pytest.raises(SettingsError, match="server's name"):
        settings_of(tmp_path, f"mcp:\n  servers:\n    {name}: {{command: a}}\n")


def test_only_the_secrets_that_servers_name_are_read_and_no_text_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BREW", "sesame-sesame-77")
    monkeypatch.setenv("TEA", "camellia")
    (tmp_path / "bellhop.yaml").write_text(
        "mcp: {servers: {one: {url: 'http://b', headers: {Kettle: 'Bearer ${BREW}'}}}}\n"
    )
    assert redact("it is sesame-sesame-77") == "it is sesame-sesame-77"
    settings = load_settings(tmp_path)
    assert "sesame" not in redact("it is sesame-sesame-77")
    secret = secrets_of_plugin(settings, McpPlugin())
    assert secret("BREW") == "sesame-sesame-77"
    with pytest.raises(SettingsError, match="'mcp' reads the secret TEA"):
        secret("TEA")


def test_an_installation_without_servers_does_not_load_the_sdk():
    script = (
        "import sys, bot.app; print([name for name in ('mcp', 'mcp_types', 'starlette') if name in "
        "sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
