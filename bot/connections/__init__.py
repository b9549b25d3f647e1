"""Accounts of people at other services: connecting them by OAuth, their tokens, and the client that calls with them."""
