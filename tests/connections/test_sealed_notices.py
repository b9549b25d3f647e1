"""Whoever may connect to the database hears notices and sends some; the seal keeps them out."""

import asyncio
import logging

import pytest

from bot.connections.sealed_notices import SealedNotices
from bot.connections.sealing import new_key
from bot.domain.processes import OneProcess


async def test_processes_of_one_home_understand_each_other_and_nobody_else_does():
    wire, key = OneProcess(), new_key()
    heard: list[str] = []
    overheard: list[str] = []
    SealedNotices(wire, key).listen("gateways", heard.append)
    wire.listen("gateways", overheard.append)
    SealedNotices(wire, key).post("gateways", "the answer\nfor Ann ♥")
    await asyncio.sleep(0)
    assert heard == ["the answer\nfor Ann ♥"]
    assert "answer" not in overheard[0]


async def test_a_notice_of_somebody_else_is_refused_and_told_once(
    caplog: pytest.LogCaptureFixture,
):
    wire, key = OneProcess(), new_key()
    heard: list[str] = []
    kept: list[str] = []
    SealedNotices(wire, key).listen("gateways", heard.append)
    wire.listen("everybody", kept.append)
    SealedNotices(wire, key).post("everybody", "heard by a stranger")
    await asyncio.sleep(0)
    with caplog.at_level(logging.WARNING):
        wire.post("gateways", '{"note": "go", "id": "1", "caller": "me"}')
        wire.post("gateways", kept[0])  # sent on to another channel
        SealedNotices(wire, new_key()).post("gateways", "from another home")
        await asyncio.sleep(0)
    assert heard == []
    assert len(caplog.records) == 1
    assert "a notice was refused" in caplog.text
