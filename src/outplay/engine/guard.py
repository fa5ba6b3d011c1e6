"""Start a program so that it can do no harm: `python guard.py MEMORY_MIB PROGRAM ARGUMENT ...`.

It sets limits on this process, and then becomes the program, which cannot lift them:

- memory, open files, the size of files (0: nothing can be written), no core files;
- on Linux, where the processor is known, a system call filter: no sockets, no new processes (threads are fine), no
  signals to others, no opening of files for writing, no deleting, renaming or changing of files and folders;
- elsewhere, no new processes.

A call that the filter refuses fails with EPERM: "Operation not permitted". This file imports nothing of ours and
little else, so that it starts quickly, and stands alone where bubblewrap hides all other files.
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
    """These seem not to exist: the C library then uses an older call."""
    clone: int
    open: tuple[tuple[int, int], ...]
    """Calls that open a file, and which argument holds the flags."""
    signal: tuple[int, ...]
    """Calls that send a signal: only to the process itself."""


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
        *(112, 109, 141, 203, 144, 251),  # setsid, setpgid, setpriority, sched_set..., ioprio_set
        *(425, 321, 298, 250, 248, 249, 323, 319),  # io_uring_setup, bpf, perf_event_open, keys, userfaultfd, memfd
        *(29, 68, 64, 240),  # shmget, msgget, semget, mq_open
    ),
    unknown=(435, 437),  # clone3, openat2: the C library then uses the older call
    clone=56,
    open=((2, 1), (257, 2)),  # open, openat, and which argument holds the flags
    signal=(62, 234),  # kill, tgkill: only to itself
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
        *(157, 154, 140, 122, 119, 30),
        *(425, 280, 241, 219, 217, 218, 282, 279),
        *(194, 186, 190, 180),
    ),
    unknown=(435, 437),
    clone=220,
    open=((56, 2),),
    signal=(129, 131),
)
_TABLES = {"x86_64": _X86_64, "aarch64": _ARM64}

# The language of the filter: load a word of the call, compare, return
_LOAD, _EQUAL, _AT_LEAST, _HAS_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCHITECTURE = 0, 4


def _argument(number: int) -> int:
    return 16 + 8 * number


def filter_program(table: Calls, pid: int) -> list[tuple[int, int, int, int]]:
    """Return the instructions: (operation, jump if true, jump if false, value)."""
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
    conditions = [(table.clone, 0, _HAS_BIT, CLONE_THREAD, True)]
    conditions += [(number, flags, _HAS_BIT, WRITING, False) for number, flags in table.open]
    conditions += [(number, 0, _EQUAL, pid, True) for number in table.signal]
    for number, argument, test, value, is_allowed in conditions:
        answers = (_ALLOW, _REFUSE | EPERM) if is_allowed else (_REFUSE | EPERM, _ALLOW)
        program += [
            (_EQUAL, 0, 4, number),
            (_LOAD, 0, 0, _argument(argument)),
            (test, 0, 1, value),
            (_RETURN, 0, 0, answers[0]),
            (_RETURN, 0, 0, answers[1]),
        ]
    return [*program, (_RETURN, 0, 0, _ALLOW)]


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
    """Filter the system calls of this process and of what it becomes; return whether that is possible here."""
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
