"""Finds HTTP sessions that nobody closed."""

import gc

import aiohttp


def open_sessions() -> list[aiohttp.ClientSession]:
    """All of this process; compare two looks, since other tests may have theirs."""
    sessions = [one for one in gc.get_objects() if isinstance(one, aiohttp.ClientSession)]
    return [one for one in sessions if not one.closed]
