"""Reads mutated documents within the limits of the reading process, and counts what goes wrong.

    python bench/fuzz_documents.py [files] [--seed N]

Each file of the corpus is changed at random: bytes flipped, cut out, repeated, cut off, numbers
made large; of packed files also the parts inside. A crash is a process that died without an
answer: its person still gets a sentence, but it is counted. Exits with 1 for any, and where a file
takes more than the goals.
"""

import argparse
import io
import random
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from figures import Figures

from bot.knowledge.reading import CPU_S
from bot.testing.document_corpus import corpus
from bot.testing.reading_batch import Outcome, SampleFile, read_all

FILES = 10_000
MOST_MEGABYTES = 256
MOST_SEED_BYTES = 300_000
AT_ONCE = 500
SLOW = 5
MAGIC = (b"\xff" * 8, bytes(8), b"\x7f\xff\xff\xff", b"9999999999", b"-1", b"%PDF-", b"PK\x03\x04")


def mutated(data: bytes, dice: random.Random) -> bytes:
    """One to eight changes of the bytes."""
    made = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4, 8))):
        if not made:
            break
        at, length = dice.randrange(len(made)), dice.choice((1, 2, 8, 64, 1024))
        changes: Sequence[Callable[[], object]] = (
            lambda at=at: made.__setitem__(at, made[at] ^ (1 << dice.randrange(8))),
            lambda at=at: made.__setitem__(at, dice.randrange(256)),
            lambda at=at, length=length: made.__delitem__(slice(at, at + length)),
            lambda at=at, length=length: made.__setitem__(
                slice(at, at), made[at : at + length] * dice.choice((1, 2, 50))
            ),
            lambda at=at: made.__setitem__(slice(at, at + 4), dice.choice(MAGIC)),
            lambda at=at, length=length: made.__setitem__(
                slice(at, at + length), dice.randbytes(length)
            ),
            lambda at=at: made.__delitem__(slice(at, None)) if dice.random() < 0.3 else None,
        )
        dice.choice(changes)()
    return bytes(made)


def inside(data: bytes, dice: random.Random) -> bytes:
    """The same archive with one changed part; the bytes themselves where it is none."""
    try:
        source = zipfile.ZipFile(io.BytesIO(data))
        entries = [one for one in source.infolist() if one.file_size < MOST_SEED_BYTES]
        chosen, saved = dice.choice(entries).filename, io.BytesIO()
        with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
            for one in entries:
                part = source.read(one)
                archive.writestr(one, mutated(part, dice) if one.filename == chosen else part)
    except (zipfile.BadZipFile, IndexError, OSError, ValueError):
        return mutated(data, dice)
    return saved.getvalue()


def changed_files(count: int, seed: int) -> Iterator[SampleFile]:
    """The seeds by turns, so that each has its part of the files."""
    dice = random.Random(seed)  # noqa: S311 - to repeat a run
    seeds = [one.file for one in corpus() if len(one.file.data) <= MOST_SEED_BYTES]
    for number in range(count):
        of = seeds[number % len(seeds)]
        packed = of.data.startswith(b"PK") and dice.random() < 0.7
        data = (inside if packed else mutated)(of.data, dice)
        yield SampleFile(f"{number}-{of.name}", data, of.media_type)


def in_batches(files: Iterator[SampleFile]) -> Iterator[Sequence[Outcome]]:
    some: list[SampleFile] = []
    for file in files:
        some.append(file)
        if len(some) == AT_ONCE:
            yield read_all(some)
            some = []
    yield read_all(some)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="?", type=int, default=FILES)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    began, outcomes = time.perf_counter(), list[Outcome]()
    for some in in_batches(changed_files(wanted.files, wanted.seed)):
        outcomes += some
        sys.stderr.write(f"\r{len(outcomes)} files, {time.perf_counter() - began:.0f} s")
    sys.stderr.write("\n")
    figures = Figures()
    died = [one for one in outcomes if one.died]
    kinds = Counter("died" if o.died else "refused" if o.problem else "read" for o in outcomes)
    print(f"{len(outcomes):,} files: {dict(kinds)}")
    for one in died:
        print(f"  died ({one.died}): {one.name}, {one.kind}, {one.seconds} s, {one.megabytes} MB")
    for one in sorted(outcomes, key=lambda one: one.seconds)[-SLOW:]:
        print(f"  slow: {one.name}, {one.kind}: {one.seconds} s")
    for one in sorted(outcomes, key=lambda one: one.megabytes)[-SLOW:]:
        print(f"  large: {one.name}, {one.kind}: {one.megabytes} MB")
    figures.at_most("processes that died", len(died), 0)
    figures.at_most("the largest", max(o.megabytes for o in outcomes), MOST_MEGABYTES, "MB")
    figures.at_most("the slowest", max(one.seconds for one in outcomes), CPU_S, "s")
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
