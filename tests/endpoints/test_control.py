"""The control socket: answers, refusals, bounds, and what becomes of clients that go away."""

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject, JsonValue
from bot.endpoints.control import ControlClient, ControlServer, connect
from bot.endpoints.peer import MAX_LINE, Disconnected, Handler, Peer, PeerRefused
from bot.errors import SettingsError, StorageError


async def echo(peer: Peer, params: JsonObject) -> JsonValue:
    return params


async def refuse(peer: Peer, params: JsonObject) -> JsonValue:
    raise SettingsError("contacts.yaml: line 3 is wrong")


async def crash(peer: Peer, params: JsonObject) -> JsonValue:
    raise RuntimeError("a secret detail")


HANDLERS: dict[str, Handler] = {"echo": echo, "refuse": refuse, "crash": crash}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "bellhop.sock"


@pytest.fixture
async def client(path: Path) -> AsyncIterator[ControlClient]:
    async with ControlServer(path, HANDLERS), connect(path) as client:
        yield client


async def test_a_request_is_answered(client: ControlClient):
    said: JsonObject = {"text": "grüß \u2028 dich\n"}
    assert await client.call("echo", said) == said
    assert await client.call("echo") == {}


async def test_many_requests_at_once_find_their_own_answers(client: ControlClient):
    answers = await asyncio.gather(*(client.call("echo", {"n": n}) for n in range(300)))
    assert answers == [{"n": n} for n in range(300)]


async def test_only_the_user_may_connect_and_the_socket_goes_with_the_server(path: Path):
    async with ControlServer(path, HANDLERS):
        assert stat.S_IMODE((await asyncio.to_thread(path.stat)).st_mode) == 0o600
    assert not await asyncio.to_thread(path.exists)


@pytest.fixture
def left_over(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("left over")


@pytest.mark.usefixtures("left_over")
async def test_a_left_over_socket_is_replaced(path: Path):
    async with ControlServer(path, HANDLERS), connect(path) as client:
        assert await client.call("echo", {"a": 1}) == {"a": 1}


async def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path):
    (tmp_path / "data").write_text("")
    with pytest.raises(StorageError, match="cannot open the control socket"):
        async with ControlServer(tmp_path / "data" / "bellhop.sock", HANDLERS):
            pass


async def test_a_path_longer_than_a_socket_address_works(tmp_path: Path):
    path = tmp_path / ("long" * 30) / "data" / "bellhop.sock"
    async with ControlServer(path, HANDLERS), connect(path) as client:
        assert await client.call("echo", {"a": 1}) == {"a": 1}


async def test_nobody_listening_is_said_with_a_remedy(path: Path):
    with pytest.raises(Disconnected, match="bellhop run"):
        async with connect(path):
            pass


async def test_a_known_error_comes_in_its_own_words(client: ControlClient):
    with pytest.raises(PeerRefused, match="line 3 is wrong") as caught:
        await client.call("refuse")
    assert caught.value.kind == "SettingsError"


async def test_an_unknown_error_tells_nothing_and_the_connection_lives(client: ControlClient):
    with pytest.raises(PeerRefused) as caught:
        await client.call("crash")
    assert "secret" not in str(caught.value)
    assert await client.call("echo", {"a": 1}) == {"a": 1}


async def test_unknown_methods_are_refused(client: ControlClient):
    with pytest.raises(PeerRefused, match="knows no method 'nope'"):
        await client.call("nope")


@pytest.mark.parametrize(
    "line", [b"{not json\n", b"[]\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n", b"\n", b"null\n"]
)
async def test_nonsense_is_answered_and_does_not_end_the_connection(path: Path, line: bytes):
    async with ControlServer(path, HANDLERS):
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(line)
        assert "not a JSON object" in (await reader.readline()).decode()
        writer.write(b'{"id": 1, "method": "echo", "params": [1]}\n')
        assert "no object" in json.loads(await reader.readline())["error"]["message"]
        writer.write(b'{"id": 2, "method": "echo", "params": {"a": 1}}\n')
        assert json.loads(await reader.readline()) == {"id": 2, "result": {"a": 1}}
        writer.close()
        await writer.wait_closed()


async def test_a_line_without_end_is_cut_off_and_others_are_served(path: Path):
    async with ControlServer(path, HANDLERS), connect(path) as other:
        reader, writer = await asyncio.open_unix_connection(str(path))
        with suppress(OSError):
            for _ in range(MAX_LINE // 65_536 + 40):
                writer.write(b"x" * 65_536)
                await writer.drain()
        with suppress(OSError):
            assert await reader.read() == b""
        writer.close()
        assert await other.call("echo", {"a": 1}) == {"a": 1}


async def test_a_too_large_message_is_refused_before_sending(client: ControlClient):
    with pytest.raises(PeerRefused, match="too large"):
        await client.call("echo", {"text": "x" * MAX_LINE})
    assert await client.call("echo", {"a": 1}) == {"a": 1}


async def test_a_server_that_goes_away_fails_what_was_asked(path: Path):
    reached = asyncio.Event()

    async def hang(peer: Peer, params: JsonObject) -> JsonValue:
        reached.set()
        await asyncio.Event().wait()
        return None

    async with ControlServer(path, {"hang": hang}) as _, connect(path) as client:
        asking = asyncio.create_task(client.call("hang"))
        await reached.wait()
        for task in asyncio.all_tasks():
            if "ControlServer._connected" in repr(task):
                task.cancel()
        with pytest.raises(Disconnected):
            await asking
        await client.peer.closed.wait()
        with pytest.raises(Disconnected):
            await client.call("hang")


async def test_a_client_that_goes_away_ends_its_requests(path: Path):
    ended = asyncio.Event()

    async def hang(peer: Peer, params: JsonObject) -> JsonValue:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return None

    async with ControlServer(path, {"hang": hang, "echo": echo}):
        async with connect(path) as client:
            asking = asyncio.create_task(client.call("hang"))
            await client.call("echo")
        with suppress(Disconnected):
            await asking
        async with asyncio.timeout(60):
            await ended.wait()


async def test_the_server_asks_back_and_tells_events(path: Path):
    told: list[JsonObject] = []

    async def name(peer: Peer, params: JsonObject) -> JsonValue:
        return "Anna"

    async def news(peer: Peer, params: JsonObject) -> JsonValue:
        told.append(params)
        return None

    async def greet(peer: Peer, params: JsonObject) -> JsonValue:
        peer.notify("news", {"n": 1})
        peer.notify("unheard", {})
        return f"hello {await peer.call('name', {})}"

    async with (
        ControlServer(path, {"greet": greet}),
        connect(path, {"name": name, "news": news}) as client,
    ):
        assert await client.call("greet") == "hello Anna"
    assert told == [{"n": 1}]


async def test_a_slow_answer_is_a_sentence_not_a_hang(path: Path):
    async def hang(peer: Peer, params: JsonObject) -> JsonValue:
        await asyncio.Event().wait()
        return None

    async with ControlServer(path, {"hang": hang}), connect(path) as client:
        with pytest.raises(Exception, match="did not answer within"):
            await client.call("hang", timeout_s=0.01)
