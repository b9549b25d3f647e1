"""The lines of `bellhop specialist`: its request, what it asks for, and its one terminal line."""

import io
import json
from typing import Any

import pytest

from bot.specialist.loop import LINE_BYTES, Specialist

REQUEST = {
    "id": "c1",
    "agent": "observer",
    "instruction": "look",
    "workspace_root": "/work",
    "max_turns": 3,
}
ENDED = {"type": "ended", "success": True, "text": "All is well."}


def spoken(*lines: Any) -> tuple[int, list[dict[str, Any]]]:
    """The exit status and the lines that it wrote."""
    raw = b"".join(
        line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines
    )
    written = io.BytesIO()
    status = Specialist(io.BytesIO(raw), written).run()
    return status, [json.loads(line) for line in written.getvalue().splitlines()]


def test_it_asks_for_the_model_and_the_calls_and_ends_with_one_terminal():
    use = {"type": "tool_use", "id": "t1", "name": "search", "input": {"query": "x"}}
    reply = {
        "type": "model_reply",
        "stop_reason": "tool_use",
        "content": [use],
        "input_tokens": 7,
        "output_tokens": 2,
    }
    result = {"type": "tool_result", "call": "t1", "content": "[]", "is_error": False}
    status, lines = spoken(REQUEST, reply, result, ENDED)
    assert status == 0
    assert [line["status"] for line in lines] == [
        *("progress", "model_call", "progress", "tool_call", "progress", "model_call", "complete"),
    ]
    assert (lines[3]["call"], lines[3]["tool_name"], lines[3]["tool_input"]) == (
        "t1",
        "search",
        {"query": "x"},
    )
    last = lines[-1]
    assert (last["success"], last["result"], last["input_tokens"], last["tools_used"]) == (
        *(True, "All is well.", 7, ["search"]),
    )
    assert {line["id"] for line in lines} == {"c1"}


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ((b"",), "standard input ended"),
        ((b"nonsense\n",), "a line is no JSON"),
        ((b"[1]\n",), "a line is no JSON object"),
        (({"id": "c1", "agent": "observer"},), "the request lacks instruction, workspace_root"),
        ((REQUEST, {"type": "tool_result"}), "a model_reply was due, not 'tool_result'"),
        ((REQUEST, b"x" * (LINE_BYTES + 2) + b"\n"), "a line is too long"),
        ((REQUEST,), "standard input ended"),
    ],
)
def test_unusable_input_is_an_error_line(lines: tuple[Any, ...], error: str):
    status, written = spoken(*lines)
    assert status == 1
    assert (written[-1]["status"], written[-1]["error"]) == ("error", error)
    assert [line["status"] for line in written].count("error") == 1
