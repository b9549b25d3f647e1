"""`bellhop doctor` names the scopes that people's own accounts lack, and what each is for."""

from dataclasses import replace
from pathlib import Path

from bot.assembly.home_settings import load_settings
from bot.cli.service_findings import accounts_narrow
from bot.connections.access import WORKSPACE
from bot.connections.credentials import KEY, Credentials, Keyring
from bot.connections.oauth import Tokens
from bot.connections.sealing import new_key
from bot.domain.database import OpenDatabase
from bot.plugins.slack.plugin import SCOPES
from bot.testing.account_town import account_town
from bot.testing.fake_clock import FakeClock

EARLIER = tuple(one for one in SCOPES if not one.startswith(("canvases:", "lists:")))


async def found(home: Path, database: OpenDatabase, **accounts: Tokens) -> list[str]:
    key = new_key()
    (home / ".env").write_text(f"{KEY}={key}\n")
    credentials = Credentials(database, Keyring({KEY: key}.get), FakeClock())
    for name, tokens in accounts.items():
        person, _, service = name.partition("_at_")
        owner = WORKSPACE if person == "workspace" else person
        await credentials.store(owner, service, tokens.to_text())
    return [one.text for one in await accounts_narrow(load_settings(home), database)]


async def test_who_connected_before_there_were_canvases_is_named_with_what_is_missing(
    tmp_path: Path, database: OpenDatabase
):
    (text,) = await found(
        tmp_path,
        database,
        ann_at_slack=Tokens("xoxp-ann-0123456789", scopes=EARLIER),
        ben_at_slack=Tokens("xoxp-ben-0123456789", scopes=tuple(SCOPES)),
        workspace_at_slack=Tokens("xoxp-all-0123456789", scopes=(*EARLIER, "lists:read")),
    )
    assert text == (
        "Slack: the workspace's account, ann allowed less than the tools need: canvases:read (to "
        "read canvases), canvases:write (to make and change canvases), lists:read (to read lists), "
        "lists:write (to make and change lists); connect again with `/connect slack`"
    )


async def test_whole_accounts_and_those_whose_scopes_are_unknown_are_not_named(
    tmp_path: Path, database: OpenDatabase
):
    whole = Tokens("xoxp-ann-0123456789", scopes=tuple(SCOPES))
    told_nothing = Tokens("xoxp-ben-0123456789")
    of_github = Tokens("gho-ann-0123456789", scopes=("repo",))
    assert not await found(
        tmp_path,
        database,
        ann_at_slack=whole,
        ben_at_slack=told_nothing,
        ann_at_github=of_github,
    )


async def test_a_connection_that_asked_for_less_lacks_the_rest(tmp_path: Path):
    key = new_key()
    async with account_town(tmp_path, "slack", env={KEY: key}) as at:
        at.service = replace(at.service, scopes=EARLIER)
        await at.connect(at.ann)
        (tmp_path / ".env").write_text(f"{KEY}={key}\n")
        (finding,) = await accounts_narrow(load_settings(tmp_path), at.database)
        at.service = replace(at.service, scopes=tuple(SCOPES))
        await at.connect(at.ann)
        assert await accounts_narrow(load_settings(tmp_path), at.database) == []
    assert "lists:write (to make and change lists)" in finding.text
    assert finding.state == "warning"
