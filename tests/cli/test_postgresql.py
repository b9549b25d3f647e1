"""What `bellhop doctor` says about a PostgreSQL server."""

from pathlib import Path

from bot.cli.doctor import examine
from bot.testing.postgres_server import PostgresServer


async def told(home: Path, url: str, setting: str = "${DATABASE_URL}") -> tuple[str, str]:
    (home / ".env").write_text(f"DATABASE_URL={url}\n")
    (home / "bellhop.yaml").write_text(f"database:\n  url: {setting}\n")
    found = {one.check: one for one in await examine(home, live=False)}
    check = found.get("database") or found["settings"]
    assert "hunter22" not in str(found)
    return check.state, check.text


async def test_doctor_says_what_is_wrong_with_the_server(tmp_path: Path, postgres: PostgresServer):
    url = postgres.url(postgres.database())
    state, text = await told(tmp_path, url)
    assert (state, "at the next start" in text) == ("ok", False)
    state, text = await told(tmp_path, "postgresql://ann:hunter22@127.0.0.1:1/x")
    assert state == "error"
    assert "can't be reached" in text
    state, text = await told(tmp_path, url, "${NO_URL}")
    assert (state, "there is no NO_URL" in text) == ("error", True)
    state, text = await told(tmp_path, url, "postgresql://ann:hunter22@127.0.0.1/x")
    assert (state, "in .env as DATABASE_URL" in text) == ("error", True)
