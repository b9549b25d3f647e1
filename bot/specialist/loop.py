"""One specialist's loop, over lines of JSON on standard input and output.

It decides when the model is asked, when tools are called and when to end. Asking and calling are
done by the process that started it, which holds the history, the rights and the journal; so this
file needs no package, no secret and no database. It imports the standard library alone and is
started as a file, which takes a few milliseconds.
"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any, TypeAlias

Line: TypeAlias = dict[str, Any]
LINE_BYTES = 1024 * 1024
"""The longest line in either direction, its end included."""
REQUIRED = ("id", "agent", "instruction", "workspace_root")


class Broken(Exception):
    """What came in can't be worked with, in words for whoever started this."""


class Specialist:
    """Talks with the process that started it. `read` and `written` are binary streams."""

    def __init__(self, read: IO[bytes], written: IO[bytes]) -> None:
        self._read = read
        self._written = written
        self._request: Line = {}
        self._started = time.monotonic()
        self._tokens = [0, 0]
        self._tools: list[str] = []

    def run(self) -> int:
        """Serve one request; the exit status of the process."""
        try:
            self._request = self._receive()
            if missing := [name for name in REQUIRED if not self._request.get(name)]:
                raise Broken(f"the request lacks {', '.join(missing)}")
            success, text = self._loop()
        except Broken as broken:
            self._send("error", error=str(broken), **self._telemetry())
            return 1
        self._send("complete", success=success, result=text, artefact_paths=[], **self._telemetry())
        return 0

    def _loop(self) -> tuple[bool, str]:
        turn = 0
        while True:
            turn += 1
            self._progress(turn)
            self._send("model_call", call=turn)
            answer = self._receive()
            if answer.get("type") == "ended":
                return bool(answer.get("success")), str(answer.get("text", ""))
            if answer.get("type") != "model_reply":
                raise Broken(f"a model_reply was due, not {answer.get('type')!r}")
            self._tokens[0] += int(answer.get("input_tokens", 0))
            self._tokens[1] += int(answer.get("output_tokens", 0))
            if answer.get("stop_reason") == "tool_use":
                uses = [block for block in answer["content"] if block.get("type") == "tool_use"]
                self._call_tools(turn, uses)

    def _call_tools(self, turn: int, uses: Sequence[Mapping[str, Any]]) -> None:
        """Ask for all calls of a reply at once, so that those that can are made side by side."""
        for use in uses:
            self._progress(turn, str(use["name"]))
            self._tools.append(str(use["name"]))
            self._send("tool_call", call=use["id"], tool_name=use["name"], tool_input=use["input"])
        for use in uses:
            result = self._receive()
            if result.get("type") != "tool_result" or result.get("call") != use["id"]:
                raise Broken(f"the result of {use['id']} was due")

    # --- lines ---

    def _progress(self, turn: int, tool: str = "") -> None:
        self._send(
            "progress", turn=turn, max_turns=self._request.get("max_turns", 0), tool_name=tool
        )

    def _telemetry(self) -> Line:
        return {
            "input_tokens": self._tokens[0],
            "output_tokens": self._tokens[1],
            "duration_ms": round((time.monotonic() - self._started) * 1000),
            "tools_used": self._tools,
        }

    def _receive(self) -> Line:
        line = self._read.readline(LINE_BYTES + 1)
        if not line.endswith(b"\n"):
            raise Broken("a line is too long" if line else "standard input ended")
        try:
            value: Any = json.loads(line)
        except ValueError:
            raise Broken("a line is no JSON") from None
        if not isinstance(value, dict):
            raise Broken("a line is no JSON object")
        return value  # pyright: ignore[reportUnknownVariableType] - any object of JSON

    def _send(self, status: str, **fields: Any) -> None:
        line: Line = {
            "id": self._request.get("id", ""),
            "parent_cycle_id": self._request.get("parent_cycle_id", ""),
            "agent": self._request.get("agent", ""),
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "status": status,
            **fields,
        }
        self._written.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        self._written.flush()


def run() -> int:
    """Serve the request on standard input; the exit status."""
    try:
        return Specialist(sys.stdin.buffer, sys.stdout.buffer).run()
    except BrokenPipeError:
        print("whoever started this specialist is gone", file=sys.stderr)  # noqa: T201 - standard error is its log
        return 1


if __name__ == "__main__":
    sys.exit(run())
