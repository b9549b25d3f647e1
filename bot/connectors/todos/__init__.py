"""Todos: one list per person, and a reminder when one is due."""

from bot.connectors.todos.connector import TodosConnector

__all__ = ["TodosConnector"]
