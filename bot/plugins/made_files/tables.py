"""Tables as .xlsx and .csv. What data says is never a formula."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from bot.plugins.made_files.markdown import tables_in
from bot.plugins.made_files.orders import CantMake, Cell, FileOrder, MadeFile

_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?")
_PADDED = re.compile(r"[+-]?0\d")
"""A number of a phone or an article: its zeros count."""
_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NAME_CHARS = 31
_ODD = re.compile(r"[\[\]:*?/\\'\x00-\x1f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_CELL_CHARS = 32_767
_WIDEST = 60
NO_TABLE = (
    "there is no table in it: give rows, or a table of Markdown in content (a heading above each "
    "names its sheet)"
)


def made_xlsx(order: FileOrder) -> MadeFile:
    from openpyxl import Workbook  # noqa: PLC0415 - after the limits
    from openpyxl.styles import Font  # noqa: PLC0415

    book: Any = Workbook()
    book.remove(book.active)
    taken: set[str] = set()
    for name, rows in _sheets(order):
        sheet = book.create_sheet(_sheet_name(name, taken))
        for at, row in enumerate(rows, 1):
            for column, value in enumerate(row, 1):
                _put(sheet.cell(at, column), value)
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
        for column, width in enumerate(_widths(rows), 1):
            letter = sheet.cell(1, column).column_letter
            sheet.column_dimensions[letter].width = width
    data = io.BytesIO()
    book.save(data)
    return MadeFile(data.getvalue())


def made_csv(order: FileOrder) -> MadeFile:
    sheets = list(_sheets(order))
    if len(sheets) > 1:
        raise CantMake(
            f"a .csv holds one table and there are {len(sheets)}; make one of each, or an .xlsx"
        )
    made = io.StringIO()
    writer = csv.writer(made)
    for row in sheets[0][1]:
        writer.writerow([_csv_text(value) for value in row])
    # The mark lets Excel read umlauts.
    return MadeFile(made.getvalue().encode("utf-8-sig"))


def _sheets(order: FileOrder) -> Iterator[tuple[str, Sequence[Sequence[Cell]]]]:
    if order.rows:
        yield order.title, order.rows
        return
    found = [one for one in tables_in(order.content) if any(one.rows)]
    if not found:
        raise CantMake(NO_TABLE)
    for one in found:
        yield one.heading or order.title, one.rows


def _value(value: Cell) -> Cell:
    """A text that is a number, as one."""
    if isinstance(value, str) and _NUMBER.fullmatch(value) and not _PADDED.match(value):
        return float(value) if "." in value else int(value)
    return value


def _put(cell: Any, value: Cell) -> None:
    value = _value(value)
    if isinstance(value, str):
        text = _CONTROL.sub("", value)[:_CELL_CHARS]
        cell.value = text
        cell.data_type = "s"  # openpyxl takes what begins with = for a formula
        if text.startswith(_BEGINS_FORMULA):
            cell.style = "Normal"
            cell.quotePrefix = True
    elif value is not None:
        cell.value = value


def _csv_text(value: Cell) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    if value.lstrip(" ").startswith(_BEGINS_FORMULA) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def _sheet_name(wanted: str, taken: set[str]) -> str:
    base = _ODD.sub(" ", wanted).strip()[:_NAME_CHARS].strip() or "Sheet"
    name, number = base, 1
    while name.casefold() in taken:
        number += 1
        name = f"{base[: _NAME_CHARS - 4]} {number}"
    taken.add(name.casefold())
    return name


def _widths(rows: Sequence[Sequence[Cell]]) -> list[int]:
    columns = max((len(row) for row in rows), default=0)
    return [
        min(_WIDEST, 2 + max((len(str(row[at])) for row in rows if at < len(row)), default=8))
        for at in range(columns)
    ]
