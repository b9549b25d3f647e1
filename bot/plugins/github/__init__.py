"""Repositories and issues at GitHub."""
