"""People's tokens: sealed, for their person only, opened for a call, never logged, resealed."""

import asyncio
import logging
from datetime import timedelta

import pytest

from bot.connections.credentials import KEY, Credentials, Keyring
from bot.connections.credentials_store import Request, add_request, find_request, read_sealed
from bot.connections.sealed_notices import SealedNotices
from bot.connections.sealing import new_key
from bot.domain.database import Database, Unit, Write
from bot.domain.processes import OneProcess
from bot.errors import SettingsError, StorageError
from bot.log import redact
from bot.testing.fake_clock import FakeClock

ONE, TWO = new_key(), new_key()
TOKEN = "ya29.a-token-of-ann"


async def credentials(database: Database, keys: str | None = ONE) -> Credentials:
    made = Credentials(database, Keyring({KEY: keys}.get), FakeClock())
    await made.load()
    return made


async def test_a_token_is_sealed_on_disk_and_opened_for_its_person_alone(database: Database):
    kept = await credentials(database)
    await kept.store("ann", "mail", TOKEN)
    again = await credentials(database)
    assert again.tokens("ann", ["mail", "calendar"]) == {"mail": TOKEN}
    assert again.tokens("ben", ["mail"]) == {}
    assert again.services("ann") == {"mail"}
    assert again.services("ben") == frozenset()
    assert TOKEN not in str(await read_sealed(database))


async def test_storing_again_replaces_and_deleting_forgets(database: Database):
    kept = await credentials(database)
    await kept.store("ann", "mail", "first-token-value")
    await kept.store("ann", "mail", TOKEN)
    assert kept.tokens("ann", ["mail"]) == {"mail": TOKEN}
    assert await kept.delete("ann", "mail")
    assert not await kept.delete("ann", "mail")
    assert (await credentials(database)).services("ann") == frozenset()


async def test_a_row_that_was_moved_to_somebody_else_opens_for_nobody(
    database: Database, caplog: pytest.LogCaptureFixture
):
    await (await credentials(database)).store("ann", "mail", TOKEN)
    await database.write(Unit.of(Write("UPDATE credentials SET person = 'ben'")))
    moved = await credentials(database)
    assert moved.tokens("ben", ["mail"]) == {}
    assert "person=<ben>, service=<mail> | a token can't be opened" in caplog.text


async def test_tokens_and_keys_are_kept_out_of_logs_and_representations(
    database: Database, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    await (await credentials(database)).store("ann", "mail", TOKEN)
    kept = await credentials(database)
    kept.tokens("ann", ["mail"])
    assert TOKEN not in caplog.text + repr(kept)
    assert redact(f"{TOKEN} {ONE}") == "[redacted] [redacted]"


@pytest.mark.parametrize("keys", [None, "", "  "])
async def test_without_a_key_nothing_is_stored_and_stored_tokens_stay_closed(
    database: Database, keys: str | None, caplog: pytest.LogCaptureFixture
):
    await (await credentials(database)).store("ann", "mail", TOKEN)
    closed = await credentials(database, keys)
    assert f"{KEY} is not set" in caplog.text
    assert closed.tokens("ann", ["mail"]) == {}
    with pytest.raises(SettingsError, match="rotate-key"):
        await closed.store("ann", "mail", TOKEN)


async def test_a_key_that_is_none_is_refused_without_being_shown(database: Database):
    with pytest.raises(SettingsError, match=r"is no key") as caught:
        await (await credentials(database, "hunter2-hunter2")).store("ann", "mail", TOKEN)
    assert "hunter2" not in str(caught.value)


async def test_resealing_changes_every_seal_and_the_old_key_opens_nothing(database: Database):
    kept = await credentials(database)
    for number in range(205):
        await kept.store(f"person{number}", "mail", f"{TOKEN}-{number}")
    before = await read_sealed(database)
    assert await (await credentials(database, f"{TWO},{ONE}")).reseal() == 205
    after = await read_sealed(database)
    assert not set(before.values()) & set(after.values())
    new = await credentials(database, TWO)
    assert new.tokens("person204", ["mail"]) == {"mail": f"{TOKEN}-204"}
    assert (await credentials(database, ONE)).tokens("person204", ["mail"]) == {}


async def test_resealing_that_is_cut_off_loses_nothing_while_both_keys_are_there(
    database: Database,
):
    kept = await credentials(database)
    for number in range(150):
        await kept.store(f"person{number}", "mail", f"{TOKEN}-{number}")

    class Failing:
        writes = 0

        async def write(self, unit: Unit) -> object:
            self.writes += 1
            if self.writes == 2:
                raise StorageError("the disk is full")
            return await database.write(unit)

        def __getattr__(self, name: str) -> object:
            return getattr(database, name)

    both = Keyring({KEY: f"{TWO},{ONE}"}.get)
    cut = Credentials(Failing(), both, FakeClock())  # type: ignore[arg-type]  # stands for a database
    await cut.load()
    with pytest.raises(StorageError):
        await cut.reseal()
    half = await credentials(database, f"{TWO},{ONE}")
    assert all(half.tokens(f"person{number}", ["mail"]) for number in range(150))
    assert await half.reseal() == 150


async def test_a_token_that_no_key_opens_stops_resealing_before_any_change(
    database: Database,
):
    await (await credentials(database)).store("ann", "mail", TOKEN)
    before = await read_sealed(database)
    with pytest.raises(StorageError, match="nothing was changed"):
        await (await credentials(database, TWO)).reseal()
    assert await read_sealed(database) == before


# A link to connect a service belongs to the person whom it was made for, whatever their id is.


async def test_a_link_is_its_persons_whatever_characters_a_platform_puts_into_ids(
    database: Database,
):
    now = FakeClock().now()
    request = Request("state", "town-ann|google|%7C", "google", "sealed")
    await database.write(add_request(request, now + timedelta(minutes=5), now))
    assert await find_request(database, "state", now) == request
    assert await find_request(database, "another", now) is None
    assert await find_request(database, "state", now + timedelta(minutes=5)) is None


# Whoever may connect to the database hears notices and sends some; the seal keeps them out.


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
