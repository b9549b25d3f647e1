"""Numbered migrations; see bot.storage.migrate."""
