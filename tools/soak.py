"""Hostile mutants of the zoo, as real sessions that are killed and resumed: `make soak SECONDS=600`.

Each round takes a program of the zoo, puts something hostile into it, and runs `learn2fix fix` on it with
the golden program answering. About half of the sessions are killed by SIGKILL at a random moment and resumed.
Looked at after every session: its exit code, that no acknowledged answer is gone, and that no process is
left; at the end: that nothing is left in the temporary directory, no mount, and how large processes were. The
exit status is 1 when any of this failed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from learn2fix.errors import StoreError
from learn2fix.sandbox import folders
from learn2fix.store import Store

ZOO = Path(__file__).parent.parent / "tests/zoo"
EXPECTED = frozenset({0, 1, 2, 3, 4, 5})
"""Exit codes that are an answer; 70 would be a fault of ours."""
SESSION_SECONDS = 30
ENDING_SECONDS = 10

C_HEADERS = "#include <unistd.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <fcntl.h>\n"
C_ATTACKS = {
    "nothing": "",
    "fork bomb": "for (int q = 0; q < 100; q++) if (fork() < 0) break;",
    "daemon": "if (fork() == 0) { setsid(); if (fork() == 0) for (;;) sleep(600); _exit(0); }",
    "kills its parent": "kill(getppid(), SIGKILL);",
    "kills all": "kill(-1, SIGKILL);",
    "stops its parent": "kill(getppid(), SIGSTOP);",
    "memory": "for (int q = 0; q < 20; q++) if (fork() == 0) { volatile char *m = malloc(200 << 20); "
    "if (m) for (long at = 0; at < 200 << 20; at += 4096) m[at] = 1; sleep(600); }",
    "closes everything": "for (int q = 3; q < 300; q++) close(q);",
    "writes everywhere": 'for (int q = 3; q < 100; q++) if (write(q, "nonsense", 8) < 0) continue;',
    "many files": 'for (int q = 0; q < 500; q++) { char n[2] = {(char)(65 + q % 26), 0}; '
    'int f = open(n, O_CREAT | O_WRONLY, 0600); if (f >= 0) close(f); }',
    "never ends": "for (;;) pause();",
}  # fmt: skip
PYTHON_ATTACKS = {
    "nothing": "pass",
    "fork bomb": "[os.fork() for _ in range(5)]",
    "daemon": "os.fork() or (os.setsid(), os.fork() or time.sleep(600))",
    "kills its parent": "os.kill(os.getppid(), 9)",
    "stops its parent": "os.kill(os.getppid(), 19)",
    "stops itself": "os.kill(os.getpid(), 19)",
    "memory": "[0] * 10**9",
    "closes everything": "os.closerange(3, 300)",
    "writes everywhere": "[os.write(int(fd), b'nonsense') for fd in os.listdir('/proc/self/fd')]",
    "never ends": "time.sleep(600)",
}


@dataclass
class Tally:
    codes: Counter[int] = field(default_factory=Counter)
    attacks: Counter[str] = field(default_factory=Counter)
    killed: int = 0
    resumed: int = 0
    answers: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)

    def expect(self, holds: bool, trouble: str) -> None:
        if not holds:
            self.troubles.append(trouble)
            print(f"TROUBLE: {trouble}", flush=True)


def subjects() -> list[tuple[Path, dict[str, object]]]:
    """Programs that read standard input, and Python functions."""
    found = [(path.parent, tomllib.loads(path.read_text())) for path in sorted(ZOO.glob("*/subject.toml"))]
    plain = {"buggy", "golden", "failing", "passing", "function", "family", "about"}
    return [(folder, about) for folder, about in found if set(about) <= plain]


def hostile(text: str, name: str, attack: str, function: str | None) -> str:
    if name.endswith(".c"):
        return C_HEADERS + re.sub(r"(\bmain\s*\([^)]*\)\s*\{)", rf"\1 {C_ATTACKS[attack]} ", text, count=1)
    code = PYTHON_ATTACKS[attack]
    if function is None:
        return f"import os, time\n{code}\n{text}"
    body = re.sub(rf"^(def {function}\(.*\n)", r"\1    _attack()\n", text, count=1, flags=re.MULTILINE)
    return f"import os, time\ndef _attack():\n    {code}\n{body}"


def round_of(rng: random.Random, work: Path, tally: Tally) -> None:
    suffix = rng.choice([".c", ".py"])
    folder, about = rng.choice([each for each in subjects() if str(each[1]["buggy"]).endswith(suffix)])
    tally.languages[suffix] += 1
    buggy, golden = str(about["buggy"]), str(about["golden"])
    function = about.get("function")
    attack = rng.choice(sorted(C_ATTACKS if buggy.endswith(".c") else PYTHON_ATTACKS))
    tally.attacks[attack] += 1
    here = Path(tempfile.mkdtemp(dir=work))
    text = (folder / buggy).read_text()
    (here / buggy).write_text(hostile(text, buggy, attack, str(function) if function else None))
    shutil.copy(folder / golden, here / golden)
    named = f":{function}" if function else ""
    failing = about["failing"]
    assert isinstance(failing, list)
    words = [
        "fix",
        buggy + named,
        "--failing",
        str(failing[0]),
        "--golden",
        golden + named,
        "--labels",
        "4",
    ]
    words += ["--timeout", str(SESSION_SECONDS), "--seed", str(rng.randrange(1000))]
    kill_after = rng.uniform(0.3, SESSION_SECONDS) if rng.random() < 0.5 else None
    what = f"{folder.name}, {attack}"
    code, heard, last = session(words, here, work, kill_after)
    store = Store(here / "home")
    if code == -9:
        tally.killed += 1
        before = acknowledged(store)
        tally.expect(
            len(before) >= heard, f"{what}: {heard} answers were acknowledged, {len(before)} are there"
        )
        if store.ids():  # else it was killed before there was anything to resume
            tally.resumed += 1
            code, _, last = session(["resume", "last"], here, work, None)
            after = acknowledged(store)
            tally.expect(after[: len(before)] == before, f"{what}: answers changed with the resumption")
    if code != -9:
        tally.codes[code] += 1
        tally.expect(code in EXPECTED, f"{what}: exit code {code} ({last})")
    tally.answers += len(acknowledged(store))
    tally.expect(not left_running(work), f"{what}: processes are left: {left_running(work)}")
    shutil.rmtree(here, ignore_errors=True)


def session(words: list[str], here: Path, work: Path, kill_after: float | None) -> tuple[int, int, str]:
    """The exit code, -9 for a kill; how many answers were acknowledged until then; the last line it said."""
    env = {**os.environ, "LEARN2FIX_HOME": str(here / "home"), "TMPDIR": str(work / "tmp")}
    process = subprocess.Popen(
        [sys.executable, "-m", "learn2fix", *words],
        cwd=here, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        _, said = process.communicate(timeout=kill_after or 6 * SESSION_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        _, said = process.communicate()
        if kill_after is None:
            return 124, 0, ""
    questions = re.findall(rb"^Question (\d+)", said, re.MULTILINE)
    # A question is asked when the answer before it is on the disk.
    last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return process.returncode, max(0, max(map(int, questions), default=1) - 1), last


def acknowledged(store: Store) -> list[str]:
    try:
        return [repr(each) for id in store.ids() for each in store.load(id).exchanges]
    except StoreError as lost:
        return [str(lost)]


def left_running(work: Path) -> list[str]:
    """Processes that have to do with our folder, after a while in which they may end."""
    until = time.monotonic() + ENDING_SECONDS
    while (found := list(processes_in(work))) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def processes_in(work: Path) -> Iterator[str]:
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            if str(work).encode() in command or os.readlink(entry / "cwd").startswith(str(work)):
                yield command.replace(b"\0", b" ").decode("utf-8", "replace")[:200]
        except OSError:
            continue


def our_mounts() -> list[str]:
    """Others may mount what they like meanwhile."""
    return [line for line in Path("/proc/self/mounts").read_text().splitlines() if "learn2fix" in line]


def mounted() -> set[str]:
    return set(Path("/proc/self/mounts").read_text().splitlines())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--summary", type=Path, help="write the summary to this file, too")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**6)
    rng, tally = random.Random(seed), Tally()
    work = Path(tempfile.mkdtemp(prefix="learn2fix-soak-"))
    work.chmod(0o755)
    (work / "tmp").mkdir()
    mounts = our_mounts()
    began, rounds, early = time.monotonic(), 0, 0
    while time.monotonic() - began < given.seconds:
        round_of(rng, work, tally)
        rounds += 1
        if rounds == 5:
            early = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    folders.YOUNG = 0.0
    folders.remove_abandoned(str(work / "tmp"))
    left = sorted(path.name for path in (work / "tmp").iterdir())
    tally.expect(not left, f"left in the temporary directory: {left[:5]}")
    tally.expect(our_mounts() == mounts, f"mounts are left: {our_mounts()}")
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    shutil.rmtree(work, ignore_errors=True)
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(tally.codes.items()))
    lines = [
        "# Soak",
        "",
        f"`make soak SECONDS={given.seconds:g}` with seed {seed}: {rounds} sessions of hostile mutants "
        f"({tally.languages['.c']} in C, {tally.languages['.py']} in Python), {tally.killed} of them killed "
        f"by SIGKILL, {tally.resumed} of those resumed; the others were killed before anything was stored.",
        "",
        f"- exit codes: {codes}",
        f"- answers stored: {tally.answers}; acknowledged and gone: "
        f"{sum('acknowledged' in trouble for trouble in tally.troubles)}",
        f"- largest process: {early >> 10} MB in the first five sessions, {largest >> 10} MB in all",
        f"- attacks: {', '.join(f'{name} {count}' for name, count in sorted(tally.attacks.items()))}",
        f"- troubles: {len(tally.troubles) or 'none'}",
        *(f"  - {trouble}" for trouble in tally.troubles),
        "",
    ]
    print("\n".join(lines))
    if given.summary:
        given.summary.write_text("\n".join(lines))
    return 1 if tally.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
