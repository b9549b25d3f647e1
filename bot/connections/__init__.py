"""Accounts of people at other services: OAuth, their tokens, and the client for calls."""
