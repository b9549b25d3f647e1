"""Todos: one list per person (seed 3, ruling 13)."""

from bot.connectors.todos.connector import TodosConnector

__all__ = ["TodosConnector"]
