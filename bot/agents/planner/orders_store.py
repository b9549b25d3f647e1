"""A person's changes to a running plan, stored until the plan takes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject


class OrderKind(StrEnum):
    STRIKE = "strike"
    ADD = "add"


@dataclass(frozen=True)
class Order:
    """`text` is the id of the task to strike, or the description of the task to add."""

    kind: OrderKind
    text: str

    def to_json(self) -> JsonObject:
        return {"kind": self.kind.value, "text": self.text}

    @classmethod
    def from_json(cls, data: JsonObject) -> "Order":
        return cls(OrderKind(data["kind"]), data["text"])


def insert(key: str, turn: int, scope: str, order: Order) -> Write:
    """`key` identifies the command, so that a repetition after a crash adds nothing."""
    return Write(
        (
            "INSERT INTO plan_orders (key, turn, scope, kind, text) VALUES (?, ?, ?, ?, ?) ON "
            "CONFLICT (key) DO NOTHING"
        ),
        (key, turn, scope, order.kind.value, order.text),
    )


async def waiting(database: Database, turn: int, scope: str) -> tuple[Sequence[Order], Unit]:
    """The orders of a plan, oldest first, and the writes that take them."""
    rows = await database.read(
        (
            "SELECT id, kind, text FROM plan_orders WHERE turn = ? AND scope = ? AND taken = 0 "
            "ORDER BY id"
        ),
        (turn, scope),
    )
    orders = [Order(OrderKind(row["kind"]), row["text"]) for row in rows]
    return orders, Unit.of(
        *(Write("UPDATE plan_orders SET taken = 1 WHERE id = ?", (row["id"],)) for row in rows)
    )
