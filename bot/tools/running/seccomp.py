"""Kernel calls forbidden to sandboxed scripts, as a seccomp program for bubblewrap.

The sandbox limits the files that a script sees; this limits its kernel calls. Refused calls fail as
if unknown, so that programs fall back. The table is our own, because libseccomp would be one more
package for operators to install.
"""

import fcntl
import os
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass

_NEW = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "clone3": 435,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
}
"""Numbers that are the same on every architecture."""
_X86_64 = {
    "ptrace": 101,
    "syslog": 103,
    "modify_ldt": 154,
    "pivot_root": 155,
    "adjtimex": 159,
    "chroot": 161,
    "acct": 163,
    "settimeofday": 164,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "nfsservctl": 180,
    "lookup_dcookie": 212,
    "clock_settime": 227,
    "mbind": 237,
    "set_mempolicy": 238,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "migrate_pages": 256,
    "unshare": 272,
    "move_pages": 279,
    "perf_event_open": 298,
    "fanotify_init": 300,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "clock_adjtime": 305,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "finit_module": 313,
    "kexec_file_load": 320,
    "bpf": 321,
    "userfaultfd": 323,
}
_AARCH64 = {
    "lookup_dcookie": 18,
    "umount2": 39,
    "mount": 40,
    "pivot_root": 41,
    "nfsservctl": 42,
    "chroot": 51,
    "quotactl": 60,
    "acct": 89,
    "unshare": 97,
    "kexec_load": 104,
    "init_module": 105,
    "delete_module": 106,
    "clock_settime": 112,
    "syslog": 116,
    "ptrace": 117,
    "reboot": 142,
    "settimeofday": 170,
    "adjtimex": 171,
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "swapon": 224,
    "swapoff": 225,
    "mbind": 235,
    "set_mempolicy": 237,
    "migrate_pages": 238,
    "move_pages": 239,
    "perf_event_open": 241,
    "fanotify_init": 262,
    "name_to_handle_at": 264,
    "open_by_handle_at": 265,
    "clock_adjtime": 266,
    "setns": 268,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "kcmp": 272,
    "finit_module": 273,
    "bpf": 280,
    "userfaultfd": 282,
    "kexec_file_load": 294,
}


@dataclass(frozen=True)
class Architecture:
    """The numbers of an architecture. The last three calls are judged by an argument."""

    audit: int
    """The kernel's AUDIT_ARCH."""
    denied: Mapping[str, int]
    clone: int
    ioctl: int
    socket: int


MACHINES = {
    "x86_64": Architecture(0xC000003E, {**_X86_64, **_NEW}, clone=56, ioctl=16, socket=41),
    "aarch64": Architecture(0xC00000B7, {**_AARCH64, **_NEW}, clone=220, ioctl=29, socket=198),
}
"""By `os.uname().machine`. On others scripts run in the sandbox without this filter."""

NEW_NAMESPACES = 0x7E020000
"""The flags of clone that make any namespace; 0x80 alone (of time) is a signal number there."""
TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: they type into a terminal."""
FAMILIES = (1, 2, 10, 16)
"""Sockets: of the machine, of the internet, and netlink, by which programs list addresses."""

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_REFUSE = 0x00050000 | 38  # ENOSYS
_X32 = 0x40000000
_LOAD, _JUMP_EQUAL, _JUMP_SET, _JUMP_FROM, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
"""Offsets of number, architecture and the arguments' low halves in `struct seccomp_data`."""

Step = tuple[int, int, int, int]
"""A `struct sock_filter`: code, how far to jump if true and if false, operand."""


def filter_of(machine: Architecture) -> bytes:
    """The program, as `bwrap --seccomp` reads it."""
    return b"".join(struct.pack("<HBBI", *step) for step in steps_of(machine))


def steps_of(machine: Architecture) -> list[Step]:
    """Build the steps. Each check ends in its own verdict, so that jumps stay short."""
    steps: list[Step] = [
        (_LOAD, 0, 0, _ARCHITECTURE), (_JUMP_EQUAL, 1, 0, machine.audit), (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER), (_JUMP_FROM, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE),
    ]  # fmt: skip
    for number in sorted(machine.denied.values()):
        steps += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    steps += _judged(
        machine.clone,
        [(_LOAD, 0, 0, _FIRST), (_JUMP_SET, 0, 1, NEW_NAMESPACES), (_RETURN, 0, 0, _REFUSE)],
    )
    typing = [
        step
        for code in TERMINAL_INPUT
        for step in ((_JUMP_EQUAL, 0, 1, code), (_RETURN, 0, 0, _REFUSE))
    ]
    steps += _judged(machine.ioctl, [(_LOAD, 0, 0, _SECOND), *typing])
    known = [
        step
        for family in FAMILIES
        for step in ((_JUMP_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW))
    ]
    steps += _judged(machine.socket, [(_LOAD, 0, 0, _FIRST), *known, (_RETURN, 0, 0, _REFUSE)])
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _judged(number: int, rest: list[Step]) -> list[Step]:
    """Steps for one call. They end in a verdict, so the number is not loaded again."""
    body: list[Step] = [*rest, (_RETURN, 0, 0, _ALLOW)]
    return [(_JUMP_EQUAL, 0, len(body), number), *body]


def filter_file() -> str:
    """A path at which child processes can read the filter; empty without a filter.

    It is a sealed file in memory, so nobody can change it on disk.
    """
    machine = MACHINES.get(os.uname().machine) if sys.platform == "linux" else None
    if machine is None:
        return ""
    handle = os.memfd_create("bellhop-seccomp", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.write(handle, filter_of(machine))
    fcntl.fcntl(
        handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
    )
    return f"/proc/{os.getpid()}/fd/{handle}"
