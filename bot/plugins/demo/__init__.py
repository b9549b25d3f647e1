"""`bellhop demo`: the whole product in a browser, without an account anywhere.

Loopback Discord and Slack run in this process, with a page that is a chat client of both. Bellhop
runs beside them as a process of its own, with the real clients, as it would for a team.
"""
