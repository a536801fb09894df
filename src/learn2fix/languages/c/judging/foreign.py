"""What libtcc links instead of compiling it: objects of the build, and units that it does not take.

Inline assembly, vectors or __int128 in one file, or C++ beside it, are no reason to judge the candidates of
all others slowly. The user's compiler makes an object of such a file, which is run, and not changed. What
libtcc cannot link (C++ with its library, what is set up before main(), -lz) is linked with the engine itself.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from learn2fix.languages.c.judging.compiling import run_compiler, write_units
from learn2fix.languages.c.layout import holding, translation_unit, units
from learn2fix.model import Ending
from learn2fix.sandbox import Sandbox

COMPLAINT = re.compile(r":(\d+): error: ([^\n]*)")
# Code that can lie anywhere in memory, and calls nothing that is not in the source.
ANYWHERE = (
    "-O1", "-w", "-fno-pic", "-fno-pie", "-mcmodel=large", "-fno-stack-protector", "-fno-builtin",
    "-fno-asynchronous-unwind-tables", "-fcf-protection=none",
)  # fmt: skip
OBJECT = re.compile(r"/.*\.[oa]")
CONSTRUCTORS = (b".init_array", b".ctors")
UNDEFINED = re.compile(r"undefined symbol '")
STATIC = ("-static", "-Wl,-z,noseparate-code,-z,max-page-size=0x200000")
"""Code by itself in pages of 2 MB: forks are cheaper then."""
LIBRARIES = ("-ltcc", "-lm", "-ldl", "-lpthread")
WRAPPED = "-Wl,--wrap=exit,--wrap=abort"
TABLE = """struct symbol { const char *name; const void *address; };
%s
const struct symbol l2f_beside[] = { %s {0, 0} };
"""


class Foreign:
    """The objects of one program; none for most."""

    def __init__(
        self,
        sandbox: Sandbox,
        command: Sequence[str],
        source: bytes,
        engine: Callable[[], Path | None] = lambda: None,
    ) -> None:
        """`engine`: the object of an engine that can be linked with more."""
        self._sandbox, self._source, self._engine = sandbox, source, engine
        self._beside = [word for word in command[1:] if word[:2] in ("-l", "-L") or OBJECT.fullmatch(word)]
        self.program: Path | None = None
        """The engine linked with objects and libraries of the build, where libtcc cannot link them."""
        self.command = tuple(command)
        linked = _objects(command)
        self._command = [word for word in command if not word.startswith("-l") and not OBJECT.fullmatch(word)]
        self._linked = [Path(word) for word in linked]
        self._folder: Path | None = None
        self._objects: dict[str, Path] = {}
        self.reasons: dict[str, str] = {}
        """Unit → what libtcc says of it."""

    @property
    def units(self) -> frozenset[str]:
        return frozenset(self._objects)

    @property
    def files(self) -> tuple[Path, ...]:
        return (*self._objects.values(), *self._linked)

    def take(self, text: bytes, trouble: str) -> bool:
        """Makes an object of the unit that libtcc complains about, or links an engine with what it misses.

        False where that cannot help.
        """
        if UNDEFINED.search(trouble):
            return self._link()
        found = COMPLAINT.search(trouble)
        unit = holding(text, int(found[1])) if found else None
        known = units(self._source)
        if (
            found is None
            or unit not in known
            or unit in self._objects
            or len(self._objects) + 1 >= len(known)
        ):
            return False
        folder = self._place()
        name = f"unit-{known.index(unit)}"
        (folder / f"{name}.c").write_bytes(translation_unit(self._source, unit))
        argv = [*self._command, *ANYWHERE, "-c", f"{name}.c", "-o", f"{name}.o"]
        outcome = run_compiler(self._sandbox, argv, folder, float("inf"))
        if outcome.ending is not Ending.EXITED or outcome.status:
            return False
        self._objects[unit] = folder / f"{name}.o"
        self.reasons[unit] = found[2]
        return True

    def _place(self) -> Path:
        self._folder = self._folder or Path(tempfile.mkdtemp(prefix="learn2fix-foreign-"))
        return self._folder

    def _link(self) -> bool:
        """An engine of its own for the program, with all that the build links and libtcc does not."""
        engine = self._engine()
        if self.program or not self._beside or engine is None:
            return False
        folder = self._place()
        sources = write_units(self._source, folder, "source")
        if not self._compiled([*self._command, *ANYWHERE, "-c", *sources]):
            return False
        names = _missing([folder / f"{name[:-2]}.o" for name in sources])
        declared = "".join(f"extern char {name}[];\n" for name in names)
        rows = "".join(f'{{"{name}", {name}}}, ' for name in names)
        (folder / "table.c").write_text(TABLE % (declared, rows))
        objects = [word for word in self._beside if OBJECT.fullmatch(word)]
        libraries = [word for word in self._beside if word not in objects]
        argv = [self._command[0], "-w", "-no-pie", WRAPPED, "-o", "engine", "table.c", str(engine)]
        argv += [*objects, *libraries, *LIBRARIES]
        if names and (self._compiled([*argv, *STATIC]) or self._compiled(argv)):
            self.program = folder / "engine"
            self._linked.clear()
        return self.program is not None

    def _compiled(self, argv: Sequence[str]) -> bool:
        outcome = run_compiler(self._sandbox, argv, self._place(), float("inf"))
        return outcome.ending is Ending.EXITED and outcome.status == 0

    def clear(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = self.program = None
        self._objects.clear()
        self._linked.clear()


def _objects(command: Sequence[str]) -> list[str]:
    """What the build made of something else than C; not what has to be set up before main()."""
    return [word for word in command if OBJECT.fullmatch(word) and not _sets_up(Path(word))]


def _sets_up(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return True
    return any(name in content for name in CONSTRUCTORS)


def _missing(objects: Sequence[Path]) -> list[str]:
    """What the objects of the program's units refer to, and neither they nor libc define."""
    listed = subprocess.run(["nm", "-g", *map(str, objects)], capture_output=True, text=True, check=False)
    rows = [row.split() for row in listed.stdout.splitlines()]
    defined = {row[2] for row in rows if len(row) == 3}
    libc = ctypes.CDLL("libc.so.6")
    names = {row[1] for row in rows if len(row) == 2 and row[0] == "U"} - defined
    return sorted(name for name in names if name.isidentifier() and not hasattr(libc, name))
