"""The programs that the conformance suite of evaluators judges edits of, in each language."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

Change = tuple[bytes, bytes]
"""What is replaced, and by what."""


@dataclass(frozen=True)
class Programs:
    """A triangle, and what candidates do to it; a sum that crashes; bits that are counted for ever."""

    triangle: bytes
    """Three numbers in; prints 1 for equilateral, 2 isosceles, 3 scalene, 4 for none; else nothing."""
    right: Change
    also_right: Change
    wrong: Change
    broken: Change
    """Does not compile."""
    unfinished: Change
    """Does not even parse."""
    crashing: Change
    crash: str
    """What the crashing one answers."""
    hanging: Change
    """Where 3 should be printed."""
    silent: Change
    brackets: Change
    """Around what is printed."""
    twice: Change
    """Prints 4 twice."""
    one: Change
    """Another way to say 1."""
    four: Change
    """4 instead of 3."""
    first_line: str
    """A line that is always executed."""
    crashes: bytes
    """Line 6 is executed as often as its input says; above 2 it ends in a crash before line 8."""
    bits: bytes
    """`n ^= n - 1` for as long as n is not 0, and prints how often; line 5 is in the loop."""
    invalid: bytes


STEVE = (Path(__file__).parent / "zoo" / "triangle" / "buggy.c").read_bytes()
SECOND_CHECK = b"    if (a <= c - b || b <= a - c || c <= b - a)\n        return 4;\n"
C = Programs(
    triangle=STEVE.replace(SECOND_CHECK, b""),
    right=(b"a == b == c", b"a == b && b == c"),
    also_right=(b"a == b == c", b"b == c && c == a"),
    wrong=(b"a == b == c", b"a == b || b == c"),
    broken=(b"a == b == c", b"a == nothing"),
    unfinished=(b"a == b == c", b"a == (b"),
    crashing=(b"a == b == c", b"1 / (a - a)"),
    crash="⟨crash: SIGFPE⟩",
    hanging=(b"    return 3;", b"    for (;;) a = a;"),
    silent=(b'printf("%d\\n", classify(a, b, c));', b""),
    brackets=(b'"%d\\n"', b'"<%d>\\n"'),
    twice=(b"return 4;", b'{ printf("4"); return 4; }'),
    one=(b"return 1;", b"return 5 - 4;"),
    four=(b"return 3;", b"return 4;"),
    first_line="int a, b, c;",
    crashes=textwrap.dedent(
        """\
        #include <stdio.h>
        int main(void) {
          int n, s = 0;
          scanf("%d", &n);
          while (n > 0)
            s += n--;
          if (s > 5) *(int *)0 = 1;
          return 0;
        }
        """
    ).encode(),
    bits=textwrap.dedent(
        """\
        #include <stdio.h>
        int main(void) {
          int n, count = 0;
          for (scanf("%d", &n); n; count++)
            n ^= n - 1;
          printf("%d\\n", count);
          return 0;
        }
        """
    ).encode(),
    invalid=b"int main(void) { return nothing; }",
)

PYTHON = Programs(
    triangle=textwrap.dedent(
        """\
        import sys


        def classify(a, b, c):
            if a <= 0 or b <= 0 or c <= 0:
                return 4
            if (a == b) == c:
                return 1
            if a == b or b == c or a == c:
                return 2
            return 3


        words = sys.stdin.read().split()
        if len(words) == 3:
            a, b, c = map(int, words)
            print(classify(a, b, c))
        """
    ).encode(),
    right=(b"(a == b) == c", b"a == b and b == c"),
    also_right=(b"(a == b) == c", b"b == c == a"),
    wrong=(b"(a == b) == c", b"a == b or b == c"),
    broken=(b"(a == b) == c", b"a == break"),
    unfinished=(b"(a == b) == c", b"a == (b"),
    crashing=(b"(a == b) == c", b"1 / (a - a)"),
    crash="⟨raises ZeroDivisionError: division by zero⟩",
    hanging=(b"    return 3", b"    while True: a += 1"),
    silent=(b"print(classify(a, b, c))", b"pass"),
    brackets=(b"print(classify(a, b, c))", b'print("<%d>" % classify(a, b, c))'),
    twice=(b"return 4", b'print(4, end=""); return 4'),
    one=(b"return 1", b"return 5 - 4"),
    four=(b"return 3", b"return 4"),
    first_line="words = sys.stdin.read().split()",
    crashes=textwrap.dedent(
        """\
        import sys

        s = 0
        n = int(sys.stdin.readline())
        while n > 0:
            s, n = s + n, n - 1
        if s > 5: s /= 0
        n = s
        """
    ).encode(),
    bits=textwrap.dedent(
        """\
        count = 0
        n = int(input())
        while n:
            count += 1
            n ^= n - 1
        print(count)
        """
    ).encode(),
    invalid=b"def main(:\n",
)
