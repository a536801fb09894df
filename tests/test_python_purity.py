"""Which Python programs may share a process with others."""

from __future__ import annotations

import ast

import pytest

from learn2fix.languages.python.judging.purity import Purity


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return x + 1",
        "import math\ndef f(x): return math.floor(x)",
        "from datetime import date, timedelta\ndef f(y): return date(y, 1, 1) + timedelta(days=1)",
        "class A:\n    def __init__(self, x):\n        self.x = x\n        super().__init__()",
        "X = []\ndef f(x):\n    global Y\n    Y = x\n    X.append(x)\n    print(x)",
        "class N:\n    def __init__(self):\n        self.next = None\ndef f(n):\n    n.next = N()",
        "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line)",
        "from collections import Counter\ndef f(xs): return Counter(xs).most_common(1)",
        "def f(x): return type(x).__name__ if False else x.__class__.__name__",
    ],
)
def test_pure(source: str) -> None:
    assert Purity(ast.parse(source)).module


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import math\nmath.pi = 3",
        "import math as m\nx = m",
        "import math\ndef f(): return [math]",
        "from os import path",
        "from math import *",
        "from . import x",
        "import calendar\ncalendar.mdays[2] = 29",
        "from decimal import getcontext",
        "import decimal\ndecimal.getcontext().prec = 3",
        "open('x')",
        "e = eval\ne('1')",
        "getattr(x, 'y')",
        "x.__class__.y = 1",
        "().__class__.__bases__",
        "from collections import Counter\nCounter.x = 1",
        "from collections import Counter\nc = Counter\nc.x = 1",
        "from collections import Counter\ndef f(t): t.x = 1\nf(Counter)",
        "from fractions import Fraction\ndef f(t): t.x = 1\nf(type(Fraction(1)))",
        "from fractions import Fraction\nfor t in [Fraction]:\n    t.x = 1",
        "class A:\n    def __del__(self): pass",
        "import sys\nsys.modules",
        "import sys\nsys.stdout = None",
        "import random",
        "def f(g): return g.gi_frame.f_globals",
        "import numbers\nnumbers.Number.register(int)",
        "import threading",
        "import typing\ntyping.sys.modules['os']",
        "from typing import sys",
        "import typing\ntyping.stdlib_re.enum.sys",
        "import typing\ntyping.get_type_hints(f)",
        "import statistics\nstatistics.random.seed(1)",
        "import operator\noperator.attrgetter('__class__')",
        "from operator import methodcaller",
        "import string\nstring.Formatter().get_field('0.__class__', [1], {})",
        "def f(g):\n    match g:\n        case object(__globals__=x): return x",
        "def f(g):\n    match g:\n        case object(gi_frame=x): return x",
        "class A(Exception):\n    __match_args__ = ('__traceback__',)",
        "class A:\n    def f(self, name): return super().__getattribute__(name)",
        "A = type('A', (), {'__del__': print})",
        "__build_class__",
    ],
)
def test_not_pure(source: str) -> None:
    assert not Purity(ast.parse(source)).module
