"""The list of system calls: everything that a program needs works under it, and nothing else gets through."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from attackers import CC, attacker
from learn2fix.languages.opening import open_subject
from learn2fix.model import Ending, Input, Outcome
from learn2fix.sandbox import Limits, Program, Sandbox, Surroundings, layers, observe

HERE = layers.parse(observe.strongest().isolation)
pytestmark = pytest.mark.skipif(
    CC is None or "seccomp" not in HERE, reason="no C compiler, or no system call filter on this machine"
)
ZOO = Path(__file__).parent / "zoo"
FOLDERS = [path.parent for path in (*sorted(ZOO.glob("*/buggy.c")), *sorted(ZOO.glob("*/buggy.py"))[::3])]
TABLE = Path(observe.__file__).with_name("calls.c")
GENERIC = Path("/usr/include/asm-generic/unistd.h")
LIMITS = Limits(seconds=5.0)


@pytest.fixture(scope="module")
def filtered() -> Iterator[Sandbox]:
    with Sandbox(LIMITS, isolation=layers.join(HERE)) as box:
        yield box


@pytest.fixture(scope="module")
def unfiltered() -> Iterator[Sandbox]:
    with Sandbox(LIMITS, isolation=layers.join(HERE - {"seccomp"})) as box:
        yield box


def told(outcome: Outcome) -> tuple[Ending, int, bytes]:
    return outcome.ending, outcome.status, outcome.output[:1000]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_the_zoo_answers_as_without_the_filter(folder: Path, filtered: Sandbox, unfiltered: Sandbox) -> None:
    about = tomllib.loads((folder / "subject.toml").read_text())
    inputs = [Input(text) for text in (*about["failing"][:2], *about.get("passing", ())[:1])]
    around = Surroundings(input_file=about["input_file"]) if "input_file" in about else Surroundings()
    suffix = f":{about['function']}" if "function" in about else ""
    seen = []
    for box in (filtered, unfiltered):
        program = [f"{folder / about['buggy']}{suffix}", *about.get("arguments", ())]
        subject = open_subject(program, box, around=around)
        with closing(subject):
            seen.append([told(each) for each in subject.run(inputs)])
    assert seen[0] == seen[1]


# What toolchains make, and what they do themselves.

BUSY = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
extern char **environ;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static volatile sig_atomic_t rang;
static void ring(int s) { rang = s; }
static void *work(void *p) {
    for (int i = 0; i < 1000; i++) { pthread_mutex_lock(&lock); sum += i; pthread_mutex_unlock(&lock); }
    return p;
}
#define SAY(what, holds) printf("%s %d\n", what, !!(holds))
int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) SAY("thread", !pthread_create(&t[i], NULL, work, NULL));
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    printf("sum %ld\n", sum);
    int pair[2], ends[2], status; char buffer[64] = "";
    SAY("pipe", !pipe(ends));
    fflush(stdout);
    if (fork() == 0) { if (write(ends[1], "child", 5) < 0) _exit(9); _exit(7); }
    SAY("wait", wait(&status) > 0 && WEXITSTATUS(status) == 7);
    SAY("read", read(ends[0], buffer, 5) == 5 && !strcmp(buffer, "child"));
    SAY("socketpair", !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    SAY("send", send(pair[0], "x", 1, 0) == 1 && recv(pair[1], buffer, 1, 0) == 1);
    SAY("open", open("file", O_CREAT | O_RDWR, 0600) >= 0);
    struct stat info; SAY("stat", !stat("file", &info) && S_ISREG(info.st_mode));
    SAY("mkdir", !mkdir("folder", 0700) && !rename("file", "folder/other"));
    SAY("symlink", !symlink("other", "folder/link"));
    DIR *d = opendir("folder"); int n = 0; while (d && readdir(d)) n++; SAY("readdir", n == 4);
    FILE *f = fopen("folder/other", "w"); SAY("fopen", f && fprintf(f, "%d\n", 5) == 2 && !fclose(f));
    SAY("truncate", !truncate("folder/other", 1) && !unlink("folder/link"));
    char *m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SAY("mmap", m != MAP_FAILED && !mprotect(m, 4096, PROT_READ));
    SAY("madvise", !madvise(m, 8192, MADV_DONTNEED) && !munmap(m, 8192));
    char *big = realloc(malloc(1 << 20), 1 << 24); SAY("realloc", big); free(big);
    struct pollfd polled = {ends[1], POLLOUT, 0}; SAY("poll", poll(&polled, 1, 0) == 1);
    int e = epoll_create1(0), ev = eventfd(1, 0); struct epoll_event event = {EPOLLIN, {0}};
    SAY("epoll", !epoll_ctl(e, EPOLL_CTL_ADD, ev, &event) && epoll_wait(e, &event, 1, 0) == 1);
    int tf = timerfd_create(CLOCK_MONOTONIC, 0); struct itimerspec in = {{0, 0}, {0, 1000}}; uint64_t times;
    SAY("timerfd", !timerfd_settime(tf, 0, &in, NULL) && read(tf, &times, 8) == 8);
    signal(SIGALRM, ring); struct itimerval soon = {{0, 0}, {0, 1000}}; setitimer(ITIMER_REAL, &soon, NULL);
    while (!rang) usleep(1000);
    SAY("alarm", rang == SIGALRM);
    struct timespec now; SAY("clock", !clock_gettime(CLOCK_REALTIME, &now));
    struct rusage usage; struct rlimit most; struct utsname name; cpu_set_t cpus;
    SAY("usage", !getrusage(RUSAGE_SELF, &usage) && !getrlimit(RLIMIT_STACK, &most) && !uname(&name));
    SAY("affinity", !sched_getaffinity(0, sizeof cpus, &cpus) && sysconf(_SC_NPROCESSORS_ONLN) > 0);
    pid_t pid; char *argv[] = {"true", NULL};
    SAY("spawn", !posix_spawnp(&pid, "true", NULL, NULL, argv, environ));
    SAY("waitpid", waitpid(pid, &status, 0) == pid && !status);
    SAY("system", system("echo hello | tr a-z A-Z | sort > out && cat out && rm out") == 0);
    SAY("popen", (f = popen("echo 12", "r")) && fscanf(f, "%d", &n) == 1 && n == 12 && pclose(f) == 0);
    SAY("temporary", mkstemp(strcpy(buffer, "fileXXXXXX")) >= 0 && !close(e));
    SAY("nice", setpriority(PRIO_PROCESS, 0, 19) == 0);
    signal(SIGABRT, SIG_DFL); fflush(stdout); abort();
}
"""
COMPILERS = [name for name in ("gcc", "clang", "tcc") if shutil.which(name)]
WAYS = [
    ("-O2", "-pthread"),
    ("-O0", "-pthread", "-g", "-fsanitize=address,undefined"),
    ("-O1", "-pthread", "-fsanitize=thread"),
    ("-static", "-pthread"),
    ("-pthread", "-fopenmp", "-flto"),
]


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_compilers_make_runs_as_without_the_filter(
    compiler: str, way: tuple[str, ...], filtered: Sandbox, unfiltered: Sandbox, tmp_path: Path
) -> None:
    seen = []
    for box in (filtered, unfiltered):
        folder = tmp_path / box.isolation
        folder.mkdir()
        (folder / "busy.c").write_text(BUSY)
        made = box.compile([compiler, *way, "-o", "busy", "busy.c"], cwd=folder)
        free = Limits(seconds=20.0, memory=0, processes=64)
        seen.append(told(made if made.status else box.run(Program((str(folder / "busy"),)), limits=free)))
    assert seen[0] == seen[1]
    ending, _, output = seen[0]
    assert output or way != WAYS[0] or compiler == "tcc"
    if output:  # not every machine has the library of every sanitizer
        assert (ending, b" 0\n" in output) == (Ending.SIGNALLED, False)


MAKEFILE = """
all: tool copy
tool: main.o lib.a
\tcc -o $@ main.o lib.a
lib.a: part.o
\tar rcs $@ part.o
copy: tool
\tmkdir -p out/deep && cp -p tool out/deep/tool && install -m 700 tool out/installed
\tln -s deep/tool out/link && touch -d 2001-01-01 out/old && chmod 600 out/old && mv out/old out/older
\ttar cf out.tar out && tar xf out.tar -C out/deep && sort Makefile | uniq | sed s/a/b/ > out/text
\ttest -x out/link && find out -type f | xargs ls -l > list && out/link
"""


def test_build_commands_work(filtered: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "main.c").write_text("int part(void); int main(void) { return part(); }\n")
    (tmp_path / "part.c").write_text("int part(void) { return 0; }\n")
    made = filtered.compile(["make", "-j2"], cwd=tmp_path)
    assert (made.ending, made.status) == (Ending.EXITED, 0), made.stderr
    assert (tmp_path / "out/deep/out/installed").stat().st_mode & 0o100


PYTHON = r"""
import asyncio, concurrent.futures, contextlib, ctypes, hashlib, mmap, os, pathlib, random, resource, select
import shutil, signal, socket, sqlite3, ssl, subprocess, sys, tempfile, threading, time, uuid, zlib

async def wait():
    process = await asyncio.create_subprocess_exec("echo", "asyncio", stdout=subprocess.PIPE)
    await asyncio.sleep(0.001)
    return (await process.communicate())[0]

def main():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        yield sum(pool.map(len, ["a", "bb", "ccc"]))
    yield subprocess.run(["sh", "-c", "cat | tr a-z A-Z"], input=b"sub", capture_output=True).stdout
    yield asyncio.run(wait())
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name, "file")
        path.write_text("hello")
        path.rename(path.with_suffix(".txt"))
        yield [each.name for each in pathlib.Path(name).iterdir()], os.stat(name).st_nlink
        base = sqlite3.connect(os.path.join(name, "base"))
        base.execute("create table t (a)")
        yield base.execute("insert into t values (1) returning a").fetchall()
        with open(path.with_suffix(".txt"), "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            yield bytes(memory[:2])
        yield os.path.exists(shutil.copyfile(path.with_suffix(".txt"), path))
    a, b = socket.socketpair()
    a.sendall(b"pair")
    yield b.recv(10), select.select([b], [a], [], 0)[1] == [a]
    pid = os.fork()
    if pid == 0:
        os._exit(3)
    yield os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    rang = []
    signal.signal(signal.SIGALRM, lambda *_: rang.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    while not rang:
        time.sleep(0.001)
    yield rang, threading.get_native_id() == os.getpid(), len(os.urandom(8)), len(os.sched_getaffinity(0)) > 0
    yield ctypes.CDLL(None).getpid() == os.getpid(), resource.getrlimit(resource.RLIMIT_CORE)[0] == 0
    yield hashlib.sha256(b"x").hexdigest()[:6], zlib.crc32(b"x"), uuid.UUID(int=1).hex[-2:], os.nice(0)

for each in main():
    print(each, flush=True)
"""
PYTHONS = sorted(
    {
        found
        for name in ("python3.11", "python3.12", "python3.13", "python3.14")
        for found in (shutil.which(name), *map(str, Path.home().glob(f".pyenv/versions/*/bin/{name}")))
        if found and "shims" not in found
    }
)


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda path: path.rpartition("/")[2])
def test_what_interpreters_do_works_as_without_the_filter(
    interpreter: str, filtered: Sandbox, unfiltered: Sandbox, tmp_path: Path
) -> None:
    (tmp_path / "busy.py").write_text(PYTHON)
    seen = []
    for box in (filtered, unfiltered):
        limits = Limits(seconds=20.0, processes=64)
        with box.python(tmp_path / "busy.py", None, limits, interpreter) as worker:
            seen.append(told(worker.run(b"")))
    assert seen[0] == seen[1]
    assert (seen[0][0], seen[0][2].count(b"\n")) == (Ending.EXITED, 12)


# What is not in the table.

EVERY_NUMBER = r"""
    long syscall(long, ...);
    for (long number = 0; number < 1100; number++) {
        int ends[2], status;
        if (pipe(ends)) return 1;
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            alarm(1);
            errno = 0;
            long k = syscall(number, -1, -1, -1, -1, -1, -1);
            int why = k == -1 ? errno : 0;
            _exit(write(ends[1], &why, sizeof why) != sizeof why);
        }
        close(ends[1]);
        int why = 0; /* those that end the process, or wait, were made */
        if (read(ends[0], &why, sizeof why) < 0) return 1;
        close(ends[0]);
        waitpid(pid, &status, 0);
        printf("%ld %d\n", number, why);
    }
"""
EPERM, ENOSYS = 1, 38
NEVER_FILTERED = {335, 336} if os.uname().machine == "x86_64" else set[int]()
"""uretprobe and uprobe: the kernel makes them for itself, and ends who calls them from elsewhere."""


DANGEROUS = """
    socket connect bind ptrace process_vm_readv mount umount2 pivot_root chroot setns unshare keyctl bpf
    perf_event_open userfaultfd init_module finit_module kexec_load reboot swapon syslog
    open_by_handle_at fanotify_init inotify_init1 shmget msgget semget mq_open io_setup io_uring_setup
    pidfd_open pidfd_getfd clone3 seccomp vmsplice memfd_secret landlock_create_ruleset modify_ldt iopl
    settimeofday clock_settime sync acct quotactl kcmp capset setgroups sethostname process_madvise
    move_pages fsopen open_tree move_mount mount_setattr listmount statmount
"""


def numbers() -> dict[str, int]:
    """The names of system calls on this machine."""
    found = {}
    for header in Path("/usr/include").glob("**/asm/unistd_64.h"):
        found = {name: int(n) for name, n in re.findall(r"#define __NR_(\w+) (\d+)", header.read_text())}
    return found


def in_table(who: str = r"\w+", everywhere: bool = False) -> set[str]:
    """The names in the table, and numbers; `everywhere`: what it takes for granted on all machines."""
    text = TABLE.read_text()
    text = text[text.index("table[] = {") : text.index("static int admits")]
    if everywhere:
        text = re.sub(r"#ifdef.*?#endif", "", text, flags=re.DOTALL)
    groups = re.findall(rf"GROUP\((?:{who}), (.*?)\),\n", re.sub(r"/\*.*?\*/", "", text), re.DOTALL)
    return {call.strip().removeprefix("SYS_") for group in groups for call in group.split(",")}


def test_a_program_can_make_no_call_that_is_not_in_the_table(filtered: Sandbox, folder: Path) -> None:
    if not (names := numbers()):
        pytest.skip("the headers that name the calls of this machine are not here")
    program = attacker(folder, "every_number", EVERY_NUMBER)
    outcome = filtered.run(program, limits=Limits(seconds=60.0))
    assert outcome.ending is Ending.EXITED
    made = {int(number): int(why) for number, why in map(bytes.split, outcome.output.splitlines())}
    assert len(made) == 1100
    through = {number for number, why in made.items() if why not in (EPERM, ENOSYS)}
    wanted = in_table("EVERYONE|UNFENCED")
    allowed = {names[call] for call in wanted if call in names} | {int(n) for n in wanted if n.isdigit()}
    assert through - NEVER_FILTERED <= allowed
    assert not through & {names[call] for call in DANGEROUS.split() if call in names}
    assert len(through) > 150
    for number in (425, 426, 427, 435, 500, 1000):  # io_uring, clone3, and what no kernel has yet
        assert made[number] == ENOSYS


def test_the_table_names_calls_that_machines_without_a_past_have() -> None:
    """aarch64 and riscv64 take the generic list; what they do not have would stop the build there."""
    if not GENERIC.exists():
        pytest.skip("no generic list of system calls here")
    generic = set(re.findall(r"__NR(?:3264)?_(\w+)", GENERIC.read_text()))
    named = {call for call in in_table(everywhere=True) if not call.isdigit()}
    assert named <= generic
    assert len(named) > 150


def test_modes_times_and_uncounted_memory_are_for_compilers_and_engines() -> None:
    assert not in_table("EVERYONE") & (in_table("BUILDERS") | in_table("ENGINES"))
    assert in_table("BUILDERS") >= {"fchmodat", "fchownat", "utimensat", "setxattr"}
    assert in_table("ENGINES") == {"memfd_create"}
