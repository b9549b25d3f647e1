"""A second process that is started by mistake on the same home, and so on the same database."""

import asyncio
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


async def bellhop(home: Path) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "--home", str(home), "run", stdout=pipe, stderr=pipe
    )


async def test_it_is_refused_in_one_sentence_and_the_first_goes_on(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text("model: {provider: offline}\n")
    first = await bellhop(tmp_path)
    assert first.stderr is not None
    try:
        async with asyncio.timeout(60):
            while b"| ready" not in await first.stderr.readline():
                assert first.returncode is None
            second = await bellhop(tmp_path)
            said, why = await second.communicate()
        assert second.returncode == 1
        assert said == b""
        assert why.decode() == (
            f"bellhop: another Bellhop (process {first.pid}) runs on {tmp_path}; stop it first, or "
            "use another --home\n"
        )
        assert first.returncode is None
    finally:
        first.kill()
        await first.communicate()
    third = await bellhop(tmp_path)  # the system frees the lock of a process that died
    assert third.stderr is not None
    try:
        async with asyncio.timeout(60):
            while b"| ready" not in (line := await third.stderr.readline()):
                assert line, "it did not start"
    finally:
        third.kill()
        await third.communicate()
