"""What the rows of the version before become when a home is carried over."""

from typing import TypeAlias

Rows: TypeAlias = dict[str, list[tuple[object, ...]]]


def carried(rows: Rows) -> Rows:
    """The rows by table, each sorted.

    None of the `approvals` is open: whether it is asked each time counts no more.
    """
    return rows | {"approvals": [(*row, 0) for row in rows["approvals"]]}
