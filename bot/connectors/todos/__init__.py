"""Todos: one list per person, and the reminders that ring when one is due."""

from bot.connectors.todos.connector import TodosConnector

__all__ = ["TodosConnector"]
