"""Hostile programs, and a machine that offers less isolation, for the tests of the sandbox."""

from __future__ import annotations

import errno
import os
import shutil
import struct
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from learn2fix.sandbox import Program, Sandbox
from learn2fix.sandbox.place import open_to_others

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
ROOT = os.geteuid() == 0

HEADERS = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
"""


def attacker(folder: Path, name: str, body: str) -> Program:
    """A program with this body of main; argv[1] is a word by which its processes can be found."""
    path = folder / f"{name}.c"
    path.write_text(HEADERS + "int main(int argc, char **argv) {\n" + body + "\nreturn 0; }\n")
    assert CC is not None
    subprocess.run([CC, "-O1", "-w", "-o", str(folder / name), str(path)], check=True)
    return Program((str(folder / name),))


def use_a_reachable_python(box: Sandbox, patch: pytest.MonkeyPatch) -> None:
    """Under limits alone root's own interpreter may be out of reach: then it is the system's."""
    if ROOT and box.isolation == "limits" and not open_to_others(Path(sys.base_prefix)):
        patch.setattr(box, "python", partial(box.python, interpreter="/usr/bin/python3"))


def survivors(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


# Less isolation: a seccomp filter, as containers have one, refuses the system calls that layers are made of.

CALLS = {
    "x86_64": {"clone": 56, "prctl": 157, "unshare": 272, "seccomp": 317, "landlock_create_ruleset": 444},
    "aarch64": {"clone": 220, "prctl": 167, "unshare": 97, "seccomp": 277, "landlock_create_ruleset": 444},
}[os.uname().machine]
NEW_NAMESPACE = 0x7E020000
PR_SET_SECCOMP = 22

FORBIDDING = """
import ctypes
class Filter(ctypes.Structure): _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
code = ctypes.create_string_buffer({code!r}, {length})
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Filter({length} // 8, ctypes.cast(code, ctypes.c_void_p))), 0, 0) == 0
"""


def forbidding(*layers: str) -> str:
    """The beginning of a Python script: from there on the kernel refuses what these layers need."""
    load, equal, any_bit, leave = 0x20, 0x15, 0x45, 0x06
    number, argument, refuse, allow = 0, 16, 0x50000 | errno.EPERM, 0x7FFF0000
    rules: list[tuple[int, int, int, int]] = []

    def refuse_call(name: str, *condition: tuple[int, int]) -> None:
        """All such calls, or those whose first argument meets a condition (instruction, value)."""
        rest = [rule for test, value in condition for rule in ((load, 0, 0, argument), (test, 0, 1, value))]
        rules.extend([(load, 0, 0, number), (equal, 0, len(rest) + 1, CALLS[name]), *rest])
        rules.append((leave, 0, 0, refuse))

    if "namespaces" in layers:
        refuse_call("unshare")
        refuse_call("clone", (any_bit, NEW_NAMESPACE))
    if "landlock" in layers:
        refuse_call("landlock_create_ruleset")
    if "seccomp" in layers:
        refuse_call("seccomp")
        refuse_call("prctl", (equal, PR_SET_SECCOMP))
    rules.append((leave, 0, 0, allow))
    code = b"".join(struct.pack("HBBI", *rule) for rule in rules)
    return FORBIDDING.format(code=code, length=len(code))
