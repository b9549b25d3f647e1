"""Reads many documents, each in a fork with the limits of the process that reads one.

A process for each kind loads its parsers once: `python -m bot.testing.reading_batch`. Standard
input: a line of JSON and the bytes of each file. Standard output: a line of JSON for each.
"""

import importlib
import io
import json
import os
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.knowledge.document_process import parts_of
from bot.knowledge.kinds import kind_of
from bot.knowledge.reading import CPU_S, MOST_PAGES, TEXT_BYTES
from bot.testing.own_readers import OWN_READERS
from bot.web.page_process import limit_itself

_PARSERS = {
    "pdf": ("pypdf", "PIL.Image"),
    "docx": ("docx.package", "docx.parts.document"),
    "xlsx": ("openpyxl",),
    "pptx": ("pptx.package",),
    "html": ("trafilatura",),
    "eml": ("trafilatura",),
    "epub": ("trafilatura",),
    "picture": ("PIL.Image", "PIL.ImageOps"),
    "heic": ("PIL.Image", "PIL.ImageOps"),
    "text": ("charset_normalizer",),
    "rtf": ("striprtf.striprtf",),
}


@dataclass(frozen=True)
class SampleFile:
    """A file as somebody posts it."""

    name: str
    data: bytes
    media_type: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of a file; `died` is the signal or exit code of a process that gave nothing."""

    name: str
    kind: str
    text: str = ""
    note: str = ""
    problem: str = ""
    pictures: int = 0
    died: int = 0
    seconds: float = 0.0
    megabytes: int = 0
    """The most memory that it used, its parsers included."""

    @property
    def told(self) -> str:
        """All words that somebody gets."""
        return "\n".join((self.text, self.note, self.problem))


def read_all(files: Iterable[SampleFile]) -> list[Outcome]:
    """The outcomes of these files, in processes of their own; by kinds, not in their order."""
    by_kind: dict[str, list[SampleFile]] = defaultdict(list)
    for file in files:
        by_kind[_kind(file)].append(file)
    found: list[Outcome] = []
    for some in by_kind.values():
        done = subprocess.run(
            [sys.executable, "-m", "bot.testing.reading_batch"],
            input=b"".join(map(_framed, some)),
            capture_output=True,
            check=True,
        )
        found += [Outcome(**json.loads(line)) for line in done.stdout.splitlines()]
    return found


def _kind(file: SampleFile) -> str:
    reader = OWN_READERS.of(file.data, file.name, file.media_type)
    return reader.kind if reader else kind_of(file.data, file.name, file.media_type)


def _framed(file: SampleFile) -> bytes:
    head = {"name": file.name, "media_type": file.media_type, "size": len(file.data)}
    return json.dumps(head).encode() + b"\n" + file.data


def read_forked(file: SampleFile) -> Outcome:
    """Read a file in a fork of this process."""
    kind = _kind(file)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _read_and_end(file, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        written = pipe.read()
    _, status, used = os.wait4(child, 0)
    spent = round(used.ru_utime + used.ru_stime, 3)
    size = used.ru_maxrss // 1024
    if status or not written:
        died = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status) or 1
        return Outcome(file.name, kind, died=died, seconds=spent, megabytes=size)
    told: dict[str, Any] = json.loads(written)
    parts: Sequence[Sequence[str]] = told.get("parts", ())
    text = "\n".join(f"## {place}\n{said}" if place else said for place, said in parts)
    problem, pictures = told.get("problem", ""), len(told.get("pictures", ()))
    return Outcome(file.name, kind, text, told.get("note", ""), problem, pictures, 0, spent, size)


def _read_and_end(file: SampleFile, to: int) -> None:
    code = 1
    try:
        head = {
            "name": file.name,
            "media_type": file.media_type,
            "readers": OWN_READERS.to_json(),
            "cpu_s": CPU_S,
            "pages": MOST_PAGES,
            "whole": True,
        }
        reader = OWN_READERS.of(file.data, file.name, file.media_type)
        limit_itself(reader.memory_bytes if reader else TEXT_BYTES, CPU_S)
        told = json.dumps(parts_of(file.data, head), ensure_ascii=False)
        with os.fdopen(to, "wb") as pipe:
            pipe.write(told.encode("utf-8", "replace"))
        code = 0
    finally:
        os._exit(code)  # the parent's buffers are not this process's to write


def main() -> None:
    """Read the framed files of standard input."""
    warnings.simplefilter("ignore")
    given = io.BytesIO(sys.stdin.buffer.read())
    loaded = False
    while line := given.readline():
        head = json.loads(line)
        file = SampleFile(head["name"], given.read(head["size"]), head["media_type"])
        if not loaded:  # the parsers of this kind, once for all of its files
            for name in _PARSERS.get(_kind(file), ()):
                importlib.import_module(name)
            loaded = True
        sys.stdout.write(json.dumps(asdict(read_forked(file))) + "\n")


if __name__ == "__main__":
    main()
