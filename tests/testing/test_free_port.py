"""Ports that tests choose beforehand are taken by nobody who asks for any."""

from pathlib import Path

from bot.testing.free_port import free_port


def test_the_kernel_gives_a_chosen_port_to_nobody_else():
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert [port for port in (free_port() for _ in range(20)) if port >= first] == []
