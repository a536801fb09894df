"""Makes one call of the user's code from its text, and says what came of it.

The text is what stands between the parentheses of the call (`3, [1, 2]`, also with objects in it:
`Decimal('1.5'), Account(100)`), or code that ends in the call (`a = Account(100); a.withdraw(30)`).
What came of it is the value, what is left in arguments and objects that it changed, and what it printed:

    returns 70
    self.balance = 70
    prints:
    thank you

A value alone stands alone. Nothing is imported before it is needed: every fork copies it.
"""

from __future__ import annotations

import _ast
import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

if TYPE_CHECKING or __package__:
    from learn2fix.sandbox.inside import literals
else:
    import literals

    del sys.modules["literals"]

NotLiteral = literals.NotLiteral
LONGEST = 1 << 14
"""Bits of integers that are written out: writing takes the square of their length."""
BOUND = 60
"""Items of an iterator that are looked at; `...` stands for the others."""
KNOWN = {
    "Decimal": "decimal", "Fraction": "fractions", "date": "datetime", "datetime": "datetime",
    "time": "datetime", "timedelta": "datetime", "timezone": "datetime", "deque": "collections",
    "Counter": "collections", "OrderedDict": "collections", "defaultdict": "collections",
    "Path": "pathlib", "PurePath": "pathlib", "UUID": "uuid", "SimpleNamespace": "types",
}  # fmt: skip
"""Classes of the standard library that need no import in the text of a call."""
UNCHANGING = frozenset({"Decimal", "Fraction", "date", "datetime", "time", "timedelta", "timezone", "UUID"})
BUILTINS = {
    "set": set, "frozenset": frozenset, "bytes": bytes, "bytearray": bytearray, "range": range,
    "complex": complex, "float": float, "int": int, "str": str, "list": list, "dict": dict, "tuple": tuple,
    "object": object, "iter": iter, "inf": float("inf"), "nan": float("nan"),
}  # fmt: skip
PLAIN = frozenset({int, float, str, bool, type(None), bytes, complex})
SHORT = PLAIN - {int}
CONTAINERS = {list: "[]", tuple: "()", set: "{}", frozenset: "{}"}


class Request:
    """A call, read once and made often."""

    __slots__ = ("data", "statements")

    def __init__(self, data: bytes, statements: list[Any]) -> None:
        self.data, self.statements = data, statements


def read(text: str, function: str) -> Request:
    """NotLiteral for a text that is neither arguments nor code that ends in a call."""
    try:
        return Request(marshal.dumps(literals.arguments(text)), [])
    except (NotLiteral, ValueError):
        statements = _statements(text, function)
    if statements is None:
        raise NotLiteral("neither arguments of a call nor code that ends in one: " + text[:200])
    return Request(b"", statements)


def _statements(text: str, function: str) -> list[Any] | None:
    name = function.rpartition(".")[2]
    call = _parsed("_(" + text + "\n)")
    if call is None or len(call) != 1 or not isinstance(call[0], _ast.Expr):
        return _parsed(text)
    inner: Any = call[0].value
    if isinstance(inner, _ast.Call) and len(inner.args) == 1 and called_name(inner.args[0]) == name:
        return _parsed(text)
    return call


def _parsed(text: str) -> list[Any] | None:
    try:
        found: Any = compile(text, "<call>", "exec", 0x400)  # 0x400: only the syntax tree
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    usual = all(isinstance(each, (_ast.Expr, _ast.Assign)) for each in found.body)
    return found.body if usual and found.body and isinstance(found.body[-1], _ast.Expr) else None


def called_name(node: Any) -> str:
    """`withdraw` of `Account(100).withdraw(30)` and of `account.withdraw`."""
    node = node.func if isinstance(node, _ast.Call) else node
    return getattr(node, "attr", "") or getattr(node, "id", "")


class Missing(literals.NotLiteral):
    """No such function, method or name."""


# -- values ----------------------------------------------------------------------------------------------


def evaluate(node: Any, space: dict[str, Any]) -> Any:
    """The value of an expression of literals, names, attributes and calls."""
    if isinstance(node, _ast.Constant):
        return node.value
    if isinstance(node, _ast.Name):
        return _named(node.id, space)
    if isinstance(node, _ast.Attribute):
        if isinstance(node.value, _ast.Name) and KNOWN.get(node.attr) == node.value.id:
            return _named(node.attr, {})  # `datetime.date`, whatever the program calls `datetime`
        return getattr(evaluate(node.value, space), node.attr)
    if isinstance(node, _ast.Call):
        return evaluate(node.func, space)(*_positional(node, space), **_keywords(node, space))
    if isinstance(node, (_ast.List, _ast.Tuple, _ast.Set)):
        items = [evaluate(item, space) for item in node.elts]
        if isinstance(node, _ast.List):
            return items
        return tuple(items) if isinstance(node, _ast.Tuple) else set(items)
    if isinstance(node, _ast.Dict) and None not in node.keys:
        pairs = zip(node.keys, node.values)  # noqa: B905
        return {evaluate(key, space): evaluate(value, space) for key, value in pairs}
    if isinstance(node, _ast.UnaryOp) and isinstance(node.op, _ast.USub):
        return -evaluate(node.operand, space)
    if isinstance(node, _ast.Subscript):
        return evaluate(node.value, space)[evaluate(node.slice, space)]
    return literals.literal(node)


def _positional(node: Any, space: dict[str, Any]) -> list[Any]:
    return [evaluate(item, space) for item in node.args]


def _keywords(node: Any, space: dict[str, Any]) -> dict[str, Any]:
    if any(word.arg is None for word in node.keywords):
        raise NotLiteral("** in a call")
    return {word.arg: evaluate(word.value, space) for word in node.keywords}


def _named(name: str, space: dict[str, Any]) -> Any:
    value = space.get(name, space)
    if value is not space and not (isinstance(value, type(sys)) and name in KNOWN):
        return value
    if name in KNOWN:
        return getattr(__import__(KNOWN[name]), name)
    if name in BUILTINS:
        return BUILTINS[name]
    raise Missing("no " + name)


# -- the call --------------------------------------------------------------------------------------------


def perform(
    request: Request, space: dict[str, Any], function: str, keep: Iterable[str], printed: Callable[[], str]
) -> str:
    """Makes the call in a loaded module and says what came of it.

    `keep` are what is always said of: parameters, `self.attribute`, or `*` for all.
    """
    target, positional, named, receiver = _resolved(request, space, function)
    watched = _watched(target, positional, named, receiver)
    before = {name: show(value) for name, value in _places(watched)}
    result = finished(target(*positional, **named))
    getattr(sys, "set_int_max_str_digits", int)(0)
    shown = show(result)
    left = []
    for name, value in _places(watched):
        now = show(value)
        told = value is result and _changes(value)
        if not told and (before.get(name) != now or name in keep or "*" in keep):
            left.append(name + " = " + now)
    # What a function prints beside a value is a message to its programmer.
    said = printed() if result is None else ""
    if not left and not said:
        return shown
    lines = ["returns " + shown] if result is not None else []
    return "\n".join([*lines, *left, *(["prints:", said] if said else [])])


def _resolved(
    request: Request, space: dict[str, Any], function: str
) -> tuple[Callable[..., Any], list[Any], dict[str, Any], Any]:
    """What is called, with what, and the object that it is called on (Missing for none)."""
    if request.data:
        positional, named = marshal.loads(request.data)
        return _target(space, function), positional, named, Missing
    space = dict(space)
    for each in request.statements[:-1]:
        value = evaluate(each.value, space)
        if isinstance(each, _ast.Assign):
            space[getattr(each.targets[0], "id", "")] = value
    final = request.statements[-1].value
    if isinstance(final, _ast.Attribute):
        receiver = evaluate(final.value, space)
        return (lambda: getattr(receiver, final.attr)), [], {}, receiver
    if not isinstance(final, _ast.Call):
        return (lambda: evaluate(final, space)), [], {}, Missing
    if isinstance(final.func, _ast.Attribute):
        receiver = evaluate(final.func.value, space)
        return (
            getattr(receiver, final.func.attr),
            _positional(final, space),
            _keywords(final, space),
            receiver,
        )
    positional, named = _positional(final, space), _keywords(final, space)
    if getattr(final.func, "id", "") != "_":
        return evaluate(final.func, space), positional, named, Missing
    target = _target(space, function)
    if "." not in function or not positional or hasattr(target, "__self__"):
        return target, positional, named, Missing
    return _bound(target, positional[0]), positional[1:], named, positional[0]


def _target(space: dict[str, Any], function: str) -> Any:
    first, *others = function.split(".")
    if first not in space:
        raise Missing("no function " + repr(function))
    target = space[first]
    for name in others:
        if not hasattr(target, name):
            raise Missing("no method " + repr(function))
        target = getattr(target, name)
    return target


def _bound(target: Any, receiver: Any) -> Any:
    """A method or property of a class, on this object."""
    getter = getattr(target, "fget", None) or getattr(target, "func", None)  # of a property, a cached one
    return (getter or target).__get__(receiver)


def _has_fields(value: Any) -> bool:
    return type(value) not in PLAIN and type(value) not in CONTAINERS and not isinstance(value, type)


def _watched(
    target: Any, positional: list[Any], named: dict[str, Any], receiver: Any
) -> list[tuple[str, Any]]:
    """Names and values that the call may change."""
    found = []
    if receiver is not Missing and not isinstance(receiver, (type, type(sys))):
        found.append(("self", receiver))
    if all(type(value) in PLAIN for value in positional) and not named:
        return found
    names, rest = _parameters(target)
    for place, value in enumerate(positional):
        if _changes(value):
            extra = place - len(names)
            found.append((names[place] if extra < 0 else rest + "[" + str(extra) + "]", value))
    return found + [(name, value) for name, value in named.items() if _changes(value)]


def _parameters(target: Any) -> tuple[list[str], str]:
    """Names of the parameters that stand by position, and of the one that takes the others."""
    function = getattr(target, "__func__", target)
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    if code is None:
        return [], "argument"
    names = list(code.co_varnames[: code.co_argcount])
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & 4 else "argument"
    return names[1:] if getattr(target, "__self__", None) is not None else names, rest


def _changes(value: Any) -> bool:
    """Whether anything about the value can change."""
    kind = type(value)
    if kind in PLAIN or kind in (frozenset, range) or kind.__name__ in UNCHANGING:
        return False
    if kind is tuple:
        return any(map(_changes, value))
    return not (isinstance(value, type) or callable(value) or hasattr(kind, "__next__") or _is_enum(value))


def _places(watched: list[tuple[str, Any]]) -> Iterable[tuple[str, Any]]:
    for name, value in watched:
        fields = _fields(value) if _has_fields(value) and not isinstance(value, (list, dict, set)) else None
        if fields is None:
            yield name, value
        else:
            for field, inner in fields:
                yield name + "." + field, inner
            if isinstance(value, (list, dict, set)):
                yield name, value


def finished(value: Any) -> Any:
    """What a coroutine returns; what an iterator gives, as a list."""
    kind = type(value).__name__
    if kind == "async_generator":
        value, kind = _gathered(value), "coroutine"
    if kind == "coroutine":
        asyncio = sys.modules.get("asyncio")
        if asyncio is not None:
            value = _awaited(value, asyncio)
        else:
            try:
                while True:
                    value.send(None)
            except StopIteration as stop:
                value = stop.value
    return value


LOOP: list[Any] = []
"""The event loop that the last call left as it found it: to make one takes longer than most calls."""


def _awaited(coroutine: Any, asyncio: Any) -> Any:
    """As asyncio.run has it, where what is still to be done on the loop is given up with the loop."""
    loop = LOOP.pop() if LOOP else _impatient(asyncio.new_event_loop())
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(coroutine)
    finally:
        left = asyncio.all_tasks(loop)
        if left or loop._scheduled or loop._ready or len(loop._asyncgens):
            for task in left:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
        elif not loop.is_closed():
            LOOP.append(loop)


def _impatient(loop: Any) -> Any:
    """The loop with a clock that is put forward where all of its tasks wait for a time to come."""
    passed, now, select = [0.0], loop.time, loop._selector.select

    def forward(timeout: float | None = None) -> Any:
        if timeout is not None and timeout > 0:
            passed[0] += timeout
            timeout = 0
        return select(timeout)

    loop._selector.select = forward
    loop.time = lambda: now() + passed[0]
    return loop


async def _gathered(generator: Any) -> list[Any]:
    found: list[Any] = []
    async for item in generator:
        if len(found) == BOUND:
            found.append(...)
            break
        found.append(item)
    return found


# -- what is seen of a value -------------------------------------------------------------------------------


def show(value: Any, above: tuple[int, ...] = ()) -> str:
    """Its text: `repr`, with the fields of objects, and without addresses."""
    kind = type(value)
    if kind is int and value.bit_length() > LONGEST:
        return "<an integer of " + str(value.bit_length()) + " bits>"
    if kind in PLAIN:
        return repr(value)
    if id(value) in above:
        return "..."
    above = (*above, id(value))
    if kind in CONTAINERS:
        if kind is list and SHORT.issuperset(map(type, value)):
            return repr(value)
        items = [show(item, above) for item in value]
        if kind is list or kind is tuple:
            inner = ", ".join(items) + ("," if kind is tuple and len(items) == 1 else "")
            return ("[" + inner + "]") if kind is list else ("(" + inner + ")")
        if not items:
            return kind.__name__ + "()"
        inner = "{" + ", ".join(sorted(items)) + "}"
        return inner if kind is set else "frozenset(" + inner + ")"
    if kind is dict:
        return (
            "{" + ", ".join(show(key, above) + ": " + show(item, above) for key, item in value.items()) + "}"
        )
    if value is ...:
        return "..."
    if _is_enum(value):
        return kind.__name__ + "." + str(value.name)
    if hasattr(kind, "__next__"):
        return show(listed(value), above)
    own: Any = kind.__repr__
    if own is object.__repr__ or hasattr(kind, "__dataclass_fields__"):
        fields = _fields(value)
        if fields is not None:
            return (
                kind.__name__ + "(" + ", ".join(name + "=" + show(item, above) for name, item in fields) + ")"
            )
    return without_addresses(repr(value))


def listed(iterator: Any) -> list[Any]:
    found: list[Any] = []
    for item in iterator:
        if len(found) == BOUND:
            return [*found, ...]
        found.append(item)
    return found


def _is_enum(value: Any) -> bool:
    return hasattr(type(value), "__members__") and hasattr(value, "name")


def _fields(value: Any) -> list[tuple[str, Any]] | None:
    """Attributes of an object and their values; None for one that shows none."""
    named: Any = getattr(value, "__dict__", None)
    pairs = list(named.items()) if type(named) is dict else []
    slots = False
    for kind in type(value).__mro__:
        names: Any = kind.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            slots = True
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                pairs.append((name, getattr(value, name)))
    return pairs if slots or type(named) is dict else None


def without_addresses(text: str) -> str:
    """`<Account at 0x7f12>` is `<Account>`."""
    head, *parts = text.split(" at 0x")
    return head + "".join(part.lstrip("0123456789abcdefABCDEF") for part in parts)
