"""A Python program that tells at its end what its variables held at last."""

from __future__ import annotations

import ast

from learn2fix.languages.watching import LONGEST, MARK, SEPARATOR

TRACER = f"""
def _learn2fix_watch(script):
    import os, sys, types
    here, held, deep = sys._getframe(1).f_code.co_filename, {{}}, [int(script)]
    silent = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)

    def keep(frame):
        inside = frame.f_code.co_name
        for name, value in list(frame.f_locals.items()):
            own = name[:1] != "_" and type(value).__module__ != "__future__"
            if own and not isinstance(value, silent):
                try:
                    shown = repr(value)[:{LONGEST}]
                except Exception:
                    continue
                held["" if inside == "<module>" else inside, name] = shown

    def tell():
        lines = ("{MARK}%s{SEPARATOR}%s{SEPARATOR}%s\\n" % (*key, value) for key, value in held.items())
        os.write(2, ("\\n" + "".join(lines)).encode("utf-8", "replace"))

    def trace(frame, event, value):
        name = frame.f_code.co_name
        inner = name[:1] == "<" and name != "<module>"
        if frame.f_code.co_filename != here or inner or name == "_learn2fix_watch":
            return None
        frame.f_trace_lines = False
        if event == "call":
            deep[0] += 1
        elif event == "return":
            deep[0] -= 1
            # What the values themselves do when they are shown is not part of the run.
            sys.settrace(None)
            keep(frame)
            if deep[0] == 0:
                tell()
            sys.settrace(trace)
        return trace

    if script:
        sys._getframe(1).f_trace = trace
    sys.settrace(trace)
"""


def watched(source: bytes, script: bool) -> bytes:
    """The same program, telling at its end. A script is watched from its first statement on, a module once
    everything in it is defined."""
    lines = source.split(b"\n")
    head = _after_imports_from_the_future(source) if script else len(lines)
    call = TRACER + f"\n_learn2fix_watch({script})\n"
    return b"\n".join([*lines[:head], call.encode(), *lines[head:]])


def _after_imports_from_the_future(source: bytes) -> int:
    """The number of lines that must stay first."""
    last = 0
    for place, node in enumerate(ast.parse(source).body):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and place == 0
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (text or future):
            break
        last = node.end_lineno or last
    return last
