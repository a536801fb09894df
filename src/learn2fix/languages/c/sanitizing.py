"""What the compiler's sanitizers report on an input, in plain words and with the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FLAGS = ("-g", "-O0", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-w")
PLAIN = ("-g", "-fsanitize=undefined", "-w")
"""Where the address sanitizer is missing."""
UNDEFINED = re.compile(
    r"^(?P<file>[^\n]+?):(?P<line>\d+):\d+: runtime error: (?P<words>[^\n]*)$", re.MULTILINE
)
ADDRESS = re.compile(r"ERROR: AddressSanitizer:? (?P<kind>[\w-]+)")
ACCESS = re.compile(r"^(READ|WRITE) of size", re.MULTILINE)
FRAME = re.compile(
    r"^ +#\d+ \S+ in (?P<function>\S+) (?P<file>/[^\n]+?):(?P<line>\d+)(?::\d+)?$", re.MULTILINE
)
OUTSIDE = frozenset((
    "heap-buffer-overflow", "stack-buffer-overflow", "global-buffer-overflow", "stack-buffer-underflow",
    "dynamic-stack-buffer-overflow", "container-overflow",
))  # fmt: skip
KINDS = {
    "heap-use-after-free": "uses memory that was freed",
    "stack-use-after-scope": "uses a variable whose block has ended",
    "stack-use-after-return": "uses a variable whose function has ended",
    "stack-overflow": "calls itself until there is no stack left",
    "attempting": "frees memory that is not there to be freed",
    "SEGV": "follows a pointer that leads nowhere",
    "FPE": "divides by zero",
    "negative-size-param": "gives a negative size to a function of the library",
    "memcpy-param-overlap": "copies memory onto itself",
    "strcpy-param-overlap": "copies a text onto itself",
}
WORDS = (
    (re.compile(r"signed integer overflow: (.*) cannot be represented in type '(.*)'"),
     r"\1 is too large for \2"),
    (re.compile(r"index (\S+) out of bounds for type '.*\[(\d+)\]'"),
     r"index \1 is outside of an array of \2 items"),
    (re.compile(r"division by zero"), "divides by zero"),
    (re.compile(r"(?:load of|store to|member access within|applying .* to) null pointer.*"),
     "follows a null pointer"),
    (re.compile(r"null pointer passed as argument (\d+).*"), r"gives a null pointer as argument \1"),
    (re.compile(r"shift exponent (\S+) is (?:too large|negative).*"), r"shifts by \1 bits"),
    (re.compile(r"(\S+) is outside the range of representable values of type '(.*)'"),
     r"\1 does not fit into \2"),
)  # fmt: skip
LEFT_TO_OTHERS = ("insufficient space", "misaligned address")
"""What another report says better."""
MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class Report:
    """One thing that went wrong in a run."""

    file: str
    """As the compiler was given it, maybe with folders before it."""
    line: int
    words: str


def reports(stderr: str) -> list[Report]:
    """What was reported, each place once, in order."""
    found = {(report.file.rpartition("/")[2], report.line): report for report in reversed([*_all(stderr)])}
    return list(reversed(found.values()))[:MOST_TOLD]


def _all(stderr: str) -> Iterator[Report]:
    for match in UNDEFINED.finditer(stderr):
        words = match["words"]
        if any(part in words for part in LEFT_TO_OTHERS):
            continue
        for pattern, plain in WORDS:
            words = pattern.sub(plain, words)
        yield Report(match["file"], int(match["line"]), words)
    address = ADDRESS.search(stderr)
    if address is None:
        return
    rest = stderr[address.end() :]
    access, frame = ACCESS.search(rest), next((f for f in FRAME.finditer(rest) if _users(f["file"])), None)
    if frame is None:
        return
    words = KINDS.get(address["kind"], address["kind"].replace("-", " "))
    if address["kind"] in OUTSIDE:
        words = f"{'writes' if access and access[1] == 'WRITE' else 'reads'} outside of an array"
    yield Report(frame["file"], int(frame["line"]), f"{frame['function']} {words}")


def _users(file: str) -> bool:
    return not file.startswith("/usr/") and "libsanitizer" not in file
