"""Start a program so that it can do no harm: `python guard.py MEMORY_MIB PROGRAM ARGUMENT ...`.

This file sets limits on its own process and then becomes the program, which cannot remove them:

- memory, open files, the size of files (0: nothing can be written), no core files;
- on Linux, where the processor is known, a system call filter: no sockets, no new processes (threads are fine), no
  signals to others, no opening of files for writing, no deleting, renaming or changing of files and folders, no locks
  on files, no change of limits or priorities of other processes, no memory shared with them;
- elsewhere, no new processes.

A call that the filter refuses fails with EPERM: "Operation not permitted". This file imports nothing from
outplay and little else: so it starts quickly, and works where bubblewrap hides all other files.
"""

import ctypes
import os
import platform
import resource
import sys
from typing import NamedTuple

OPEN_FILES = 64
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
CLONE_THREAD = 0x10000
EPERM, ENOSYS = 1, 38


# Numbers of system calls, from the kernel's tables for x86-64 (arch/x86/entry/syscalls/syscall_64.tbl) and for arm64
# (include/uapi/asm-generic/unistd.h). The filter for arm64 is written from the table, and not tested.
class Calls(NamedTuple):
    """What the filter does with the system calls of one kind of processor."""

    architecture: int
    refused: tuple[int, ...]
    unknown: tuple[int, ...]
    """Calls that fail as if the kernel did not have them: the C library then uses an older one."""
    clone: int
    open: tuple[tuple[int, int], ...]
    """Calls that open a file, and which argument holds the flags."""
    signal: tuple[int, ...]
    """Calls that send a signal; the filter allows them only for the process itself."""
    limit: int
    """The call that changes limits of a process; the filter allows it only for the calling process, given as 0."""
    control: tuple[tuple[int, tuple[int, ...]], ...]
    """Calls that control an open file, and the commands that are refused; see `_FILE` and `_DEVICE`."""


# Commands of fcntl. A file can be told to send a signal, also SIGKILL, to any process of the same user; a lock stops
# programs that lock the same file, such as a database; a lease delays those that open it.
_FILE = (
    *(6, 7, 37, 38),  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
    *(8, 10, 15),  # F_SETOWN, F_SETSIG, F_SETOWN_EX
    *(1024, 1026),  # F_SETLEASE, F_NOTIFY
)
# Commands of ioctl: FIOSETOWN and SIOCSPGRP are as F_SETOWN, TIOCSTI and TIOCLINUX type into a terminal.
_DEVICE = (0x8901, 0x8902, 0x5412, 0x541C)
_X86_64 = Calls(
    architecture=0xC000003E,
    refused=(
        *(41, 53),  # socket, socketpair
        *(57, 58),  # fork, vfork
        *(200, 129, 297, 424, 434),  # tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal, pidfd_open
        *(101, 310, 311),  # ptrace, process_vm_readv, process_vm_writev
        *(85, 76, 87, 263, 82, 264, 316),  # creat, truncate, unlink, unlinkat, rename, renameat, renameat2
        *(83, 258, 84, 86, 265, 88, 266, 133, 259),  # mkdir(at), rmdir, link(at), symlink(at), mknod(at)
        *(90, 91, 268, 452, 92, 93, 94, 260),  # chmod, fchmod, fchmodat, fchmodat2, chown, fchown, lchown, fchownat
        *(132, 235, 261, 280, 188, 189, 190),  # utime, utimes, futimesat, utimensat, setxattr, lsetxattr, fsetxattr
        *(165, 166, 272, 308, 161, 155),  # mount, umount2, unshare, setns, chroot, pivot_root
        *(112, 109, 141, 251),  # setsid, setpgid, setpriority, ioprio_set
        *(203, 144, 142, 314),  # sched_setaffinity, sched_setscheduler, sched_setparam, sched_setattr
        *(256, 279, 440, 448),  # migrate_pages, move_pages, process_madvise, process_mrelease
        *(73, 304),  # flock, open_by_handle_at
        *(197, 198, 199),  # removexattr, lremovexattr, fremovexattr
        *(425, 321, 298, 250, 248, 249, 323, 319),  # io_uring_setup, bpf, perf_event_open, keys, userfaultfd, memfd
        *(29, 30, 31, 68, 69, 70, 71),  # shmget, shmat, shmctl, msgget, msgsnd, msgrcv, msgctl
        *(64, 65, 66, 220, 240, 241),  # semget, semop, semctl, semtimedop, mq_open, mq_unlink
        *(169, 170, 171, 175, 176, 313, 246, 320),  # reboot, sethostname, setdomainname, init_module and others
        *(164, 227, 159, 305, 167, 168, 163, 153, 103),  # the clock, swap, acct, vhangup, syslog: for the system's user
        *(428, 429, 430, 431, 432, 442),  # open_tree, move_mount, fsopen, fsconfig, fsmount, mount_setattr
    ),
    unknown=(435, 437),  # clone3, openat2: the C library then uses the older call
    clone=56,
    open=((2, 1), (257, 2)),  # open, openat, and which argument holds the flags
    signal=(62, 234),  # kill, tgkill: only to itself
    limit=302,  # prlimit64
    control=((72, _FILE), (16, _DEVICE)),  # fcntl, ioctl
)
_ARM64 = Calls(
    architecture=0xC00000B7,
    refused=(
        *(198, 199),
        *(130, 138, 240, 424, 434),
        *(117, 270, 271),
        *(45, 35, 38, 276),
        *(34, 37, 36, 33),
        *(52, 53, 452, 54, 55),
        *(88, 5, 6, 7),
        *(40, 39, 97, 268, 51, 41),
        *(157, 154, 140, 30),
        *(122, 119, 118, 274),
        *(238, 239, 440, 448),
        *(32, 265),
        *(14, 15, 16),
        *(425, 280, 241, 219, 217, 218, 282, 279),
        *(194, 196, 195, 186, 189, 188, 187),
        *(190, 193, 191, 192, 180, 181),
        *(142, 161, 162, 105, 106, 273, 104, 294),
        *(170, 112, 171, 266, 224, 225, 89, 58, 116),
        *(428, 429, 430, 431, 432, 442),
    ),
    unknown=(435, 437),
    clone=220,
    open=((56, 2),),
    signal=(129, 131),
    limit=261,
    control=((25, _FILE), (29, _DEVICE)),
)
_TABLES = {"x86_64": _X86_64, "aarch64": _ARM64}

# The language of the filter: load a word of the call, compare, return
_LOAD, _EQUAL, _AT_LEAST, _HAS_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCHITECTURE = 0, 4


def _argument(number: int) -> int:
    return 16 + 8 * number


def filter_program(table: Calls, pid: int) -> list[tuple[int, int, int, int]]:
    """Return the instructions of the filter: (operation, jump if true, jump if false, value)."""
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, table.architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, 0x40000000),  # the calls of another interface (x32)
        (_RETURN, 0, 0, _REFUSE | EPERM),
    ]
    for number in table.refused:
        program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE | EPERM)]
    for number in table.unknown:
        program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE | ENOSYS)]
    program += _when(table.clone, 0, _HAS_BIT, (CLONE_THREAD,), is_allowed=True)
    for number, flags in table.open:
        program += _when(number, flags, _HAS_BIT, (WRITING,), is_allowed=False)
    for number in table.signal:
        program += _when(number, 0, _EQUAL, (pid,), is_allowed=True)
    program += _when(table.limit, 0, _EQUAL, (0,), is_allowed=True)
    for number, commands in table.control:
        program += _when(number, 1, _EQUAL, commands, is_allowed=False)
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def _when(
    number: int, argument: int, test: int, values: tuple[int, ...], *, is_allowed: bool
) -> list[tuple[int, int, int, int]]:
    """Return the instructions that test an argument of a call against `values`.

    With `is_allowed` the call is allowed if any test is true, and refused if none is; without it, the reverse.
    """
    passed, failed = (_ALLOW, _REFUSE | EPERM) if is_allowed else (_REFUSE | EPERM, _ALLOW)
    tests = [each for value in values for each in ((test, 0, 1, value), (_RETURN, 0, 0, passed))]
    block = [(_LOAD, 0, 0, _argument(argument)), *tests, (_RETURN, 0, 0, failed)]
    return [(_EQUAL, 0, len(block), number), *block]


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("jump_true", ctypes.c_ubyte),
        ("jump_false", ctypes.c_ubyte),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.POINTER(_Instruction)))


def set_filter() -> bool:
    """Filter the system calls of this process and of the program that it becomes; return whether this is possible."""
    table = _TABLES.get(platform.machine())
    if sys.platform != "linux" or table is None or sys.maxsize < 2**32:
        return False
    instructions = [_Instruction(*each) for each in filter_program(table, os.getpid())]
    array = (_Instruction * len(instructions))(*instructions)
    program = _Program(len(instructions), array)
    control = ctypes.CDLL(None).prctl
    die_with_parent, no_new_privileges, seccomp, filtered = 1, 38, 22, 2
    control(die_with_parent, 9, 0, 0, 0)
    if control(no_new_privileges, 1, 0, 0, 0) != 0:
        return False
    return bool(control(seccomp, filtered, ctypes.byref(program), 0, 0) == 0)


def set_limits(memory_mib: int) -> None:
    memory = memory_mib * 1024 * 1024
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
    ):
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def main() -> None:
    memory_mib, *command = sys.argv[1:]
    set_limits(int(memory_mib))
    if not set_filter():
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
