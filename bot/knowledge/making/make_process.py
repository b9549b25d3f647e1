"""Makes a file in its own process: `python -m bot.knowledge.making.make_process`.

Libraries with C code read what a model wrote. Here they have no secrets, no files to write, and
limited memory and time. Standard input: JSON. Standard output: a line of JSON, then the file.
"""

import json
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from bot.knowledge.making.orders import (
    CantMake,
    DateEntry,
    FileOrder,
    MadeFile,
    MadeKind,
    PlotOrder,
    Series,
)
from bot.web.page_process import limit_itself

MEMORY_BYTES = 1024 * 1024 * 1024
CPU_S = 45
SHEET_BYTES = 64 * 1024 * 1024


def made(order: FileOrder) -> MadeFile:
    """Raises CantMake."""
    return _makers()[order.kind](order)


def _makers() -> Mapping[MadeKind, Callable[[FileOrder], MadeFile]]:
    # Each library is loaded for its own kind alone, after the limits are set.
    def docx(order: FileOrder) -> MadeFile:
        from bot.knowledge.making.word import made_docx  # noqa: PLC0415

        return made_docx(order)

    def pdf(order: FileOrder) -> MadeFile:
        from bot.knowledge.making.portable import made_pdf  # noqa: PLC0415

        return made_pdf(order)

    def xlsx(order: FileOrder) -> MadeFile:
        from bot.knowledge.making.tables import made_xlsx  # noqa: PLC0415

        return made_xlsx(order)

    def csv(order: FileOrder) -> MadeFile:
        from bot.knowledge.making.tables import made_csv  # noqa: PLC0415

        return made_csv(order)

    def ics(order: FileOrder) -> MadeFile:
        from bot.knowledge.making.dates import made_ics  # noqa: PLC0415

        return made_ics(order)

    def plot(order: FileOrder) -> MadeFile:
        from bot.knowledge.making.plots import made_plot  # noqa: PLC0415

        return made_plot(order)

    return {
        MadeKind.DOCX: docx,
        MadeKind.PDF: pdf,
        MadeKind.XLSX: xlsx,
        MadeKind.CSV: csv,
        MadeKind.ICS: ics,
        MadeKind.PLOT: plot,
    }


def read_order(data: Mapping[str, Any]) -> FileOrder:
    """An order as it came through the pipe."""
    given = dict(data)
    if (plot := data["plot"]) is not None:
        series = tuple(
            Series(tuple(one["y"]), tuple(one["x"]), one["name"]) for one in plot["series"]
        )
        drawn: dict[str, Any] = {**plot, "series": series}
        given["plot"] = PlotOrder(**drawn)
    given["kind"] = MadeKind(data["kind"])
    given["rows"] = tuple(tuple(row) for row in data["rows"])
    given["events"] = tuple(DateEntry(**one) for one in data["events"])
    return FileOrder(**given)


def main() -> None:
    warnings.simplefilter("ignore")
    order = read_order(json.loads(sys.stdin.buffer.read()))
    # openpyxl writes each sheet into a temporary file first.
    limit_itself(MEMORY_BYTES, CPU_S, SHEET_BYTES if order.kind is MadeKind.XLSX else 0)
    try:
        file = made(order)
        head, data = {"note": file.note}, file.data
    except CantMake as error:
        head, data = {"problem": str(error)}, b""
    except MemoryError:
        head, data = {"problem": "it takes more memory than a file may; make it shorter"}, b""
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + data)


if __name__ == "__main__":
    main()
