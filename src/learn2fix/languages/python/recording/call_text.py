"""The text of a call that is under way: arguments as literals, objects as what makes them.

An object is written as a call of its class, with what its attributes say of the constructor's parameters; or,
where that makes something else, as its history: how it was made and what was called on it since. What is
written is made again and compared with what was given, so a text that is told is right.
"""

from __future__ import annotations

import inspect
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import FrameType
    from typing import Any

if TYPE_CHECKING or __package__:
    from learn2fix.sandbox.inside import calling
else:
    import calling

    del sys.modules["calling"]

LARGEST = 300
"""Items of a list or characters of an argument beyond which nobody would read a question about it."""
LONGEST = 4000


class Unwritable(Exception):
    """A value that has no text: says what it is."""


class History:
    """How an object was made, and what was called on it since; `text` is None once a part has no text."""

    def __init__(self, value: Any, made: str | None) -> None:
        self.value, self.made = value, made
        self.steps: list[str] | None = [] if made is not None else None


Histories = dict[int, History]


class Call:
    """One call of a function of the project."""

    def __init__(self, name: str, space: dict[str, Any], given: dict[str, Any], how: Any) -> None:
        """`given`: parameters and their values; `how`: the code, which says how they are passed."""
        self.name, self.space, self.given, self.code = name, space, given, how
        owner, _, method = name.rpartition(".")
        kind = inspect.getattr_static(space.get(owner), method, None) if owner else None
        self.free = not owner or isinstance(kind, (staticmethod, classmethod))
        self.is_property = isinstance(kind, property) or type(kind).__name__ == "cached_property"
        self.first = 1 if owner and not isinstance(kind, staticmethod) else 0
        """Parameters that stand before the parentheses: `self` or `cls`."""

    @classmethod
    def of(cls, frame: FrameType, name: str) -> Call:
        code = frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
        local = frame.f_locals
        given = {each: local[each] for each in code.co_varnames[:count] if each in local}
        return cls(name, frame.f_globals, given, code)

    def text(self, histories: Histories) -> tuple[str | None, str]:
        """The text, or None and why there is none."""
        why = ""
        for remembered in ({}, histories):
            try:
                text = self._written(remembered)
                if len(text) > LONGEST:
                    raise Unwritable("its arguments take more than " + str(LONGEST) + " characters")
                if self._same(text):
                    return text, ""
                why = why or "an object that it is given cannot be made again from what is seen of it"
            except Unwritable as problem:
                why = why or str(problem)
            except Exception as problem:  # of the user's code, which makes the objects
                why = type(problem).__name__ + " when its arguments are made again"
        return None, why

    def remember(self, histories: Histories) -> None:
        """Notes what is done with the object that it is called on."""
        if self.free or self.is_property or not self.given:
            return
        receiver = next(iter(self.given.values()))
        method = self.name.rpartition(".")[2]
        known = histories.get(id(receiver))
        try:
            given = ", ".join(self._arguments({}, []))
        except Unwritable:
            given = None
        if method == "__init__" and known is None:
            made = None if given is None else type(receiver).__name__ + "(" + given + ")"
            histories[id(receiver)] = History(receiver, made)
        elif known is not None and known.value is receiver and known.steps is not None:
            known.steps = None if given is None else [*known.steps, method + "(" + given + ")"]

    def _written(self, histories: Histories) -> str:
        before: list[str] = []
        given = ", ".join(self._arguments(histories, before))
        if self.free:
            if not before:
                return given
            return "; ".join([*before, self.name + "(" + given + ")"])
        receiver = next(iter(self.given.values()))
        head = Writing(self.space, histories, before).write(receiver, "self")
        call = head + "." + self.name.rpartition(".")[2]
        return "; ".join([*before, call if self.is_property else call + "(" + given + ")"])

    def _arguments(self, histories: Histories, before: list[str]) -> Iterable[str]:
        """What stands between the parentheses; `before` gets the statements that it needs."""
        code, writing = self.code, Writing(self.space, histories, before)
        names = list(code.co_varnames)
        usual, only = names[: code.co_argcount], names[code.co_argcount :][: code.co_kwonlyargcount]
        at = code.co_argcount + code.co_kwonlyargcount
        words = [writing.write(self.given[each], each) for each in usual[self.first :]]
        if code.co_flags & 4:
            words += [writing.write(each, names[at]) for each in self.given.get(names[at], ())]
            at += 1
        words += [each + "=" + writing.write(self.given[each], each) for each in only]
        if code.co_flags & 8:
            others = self.given.get(names[at], {})
            words += [each + "=" + writing.write(value, each) for each, value in others.items()]
        return words

    def _same(self, text: str) -> bool:
        """Whether the text makes what was given."""
        request = calling.read(text, self.name)
        target, positional, named, receiver = calling._resolved(request, self.space, self.name)
        if self.is_property:
            return state(receiver) == state(next(iter(self.given.values())))
        bound = inspect.signature(target).bind(*positional, **named)
        bound.apply_defaults()
        made = dict(bound.arguments)
        names = list(self.given)[self.first :]
        if not self.free and state(receiver) != state(next(iter(self.given.values()))):
            return False
        return all(state(made.get(each)) == state(self.given[each]) for each in names)


class Writing:
    """Values in the words of one module."""

    def __init__(self, space: Mapping[str, Any], histories: Histories, before: list[str]) -> None:
        self._space, self._histories, self._before = space, histories, before

    def write(self, value: Any, name: str, deep: int = 6) -> str:
        kind: type[Any] = type(value)
        if not deep:
            raise Unwritable(name + " is nested too deep")
        if kind in calling.PLAIN:
            text: str = repr(value)
            if len(text) > LONGEST:
                raise Unwritable(name + " takes more than " + str(LONGEST) + " characters")
            return text
        if kind in calling.CONTAINERS or kind is dict:
            if len(value) > LARGEST:
                raise Unwritable(name + " has " + str(len(value)) + " items")
            return self._container(value, name, deep - 1)
        if calling._is_enum(value) and self._space.get(kind.__name__) is kind:
            return str(kind.__name__) + "." + str(value.name)
        if calling.KNOWN.get(kind.__name__) == kind.__module__ or kind.__name__.endswith("Path"):
            return self._known(value, name, deep - 1)
        own = str(getattr(value, "__name__", ""))
        if callable(value) and self._space.get(own) is value:
            return own
        return self._object(value, name, deep - 1)

    def _container(self, value: Any, name: str, deep: int) -> str:
        if type(value) is dict:
            pairs = (
                self.write(key, name, deep) + ": " + self.write(each, name, deep)
                for key, each in value.items()
            )
            return "{" + ", ".join(pairs) + "}"
        items = [self.write(each, name, deep) for each in value]
        if type(value) is list:
            return "[" + ", ".join(items) + "]"
        if type(value) is tuple:
            return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"
        inner = "{" + ", ".join(sorted(items)) + "}" if items else ""
        return inner or "set()" if type(value) is set else "frozenset(" + inner + ")"

    def _known(self, value: Any, name: str, deep: int) -> str:
        kind: str = type(value).__name__
        if kind in calling.UNCHANGING:
            return repr(value)
        if kind.endswith("Path"):
            return "Path(" + repr(str(value)) + ")"
        if kind == "deque":
            most = "" if value.maxlen is None else ", " + str(value.maxlen)
            return "deque(" + self.write(list(value), name, deep) + most + ")"
        if kind in ("Counter", "OrderedDict"):
            return kind + "(" + self.write(dict(value), name, deep) + ")"
        if kind == "defaultdict" and value.default_factory in calling.BUILTINS.values():
            factory = str(value.default_factory.__name__)
            return "defaultdict(" + factory + ", " + self.write(dict(value), name, deep) + ")"
        if kind == "SimpleNamespace":
            fields = (each + "=" + self.write(inner, name, deep) for each, inner in vars(value).items())
            return "SimpleNamespace(" + ", ".join(fields) + ")"
        raise Unwritable(name + " is a " + kind)

    def _object(self, value: Any, name: str, deep: int) -> str:
        kind = type(value)
        if self._space.get(kind.__name__) is not kind:
            raise Unwritable(name + " is a " + kind.__module__ + "." + kind.__qualname__)
        known = self._histories.get(id(value))
        if known is not None and known.value is value and known.steps is not None and known.made:
            label = kind.__name__.lower() if name == "self" else name
            if label + " = " + known.made not in self._before:
                self._before.append(label + " = " + known.made)
                self._before.extend(label + "." + step for step in known.steps)
            return label
        words = []
        by_name = False
        for each in inspect.signature(kind).parameters.values():
            found = next((n for n in (each.name, "_" + each.name) if hasattr(value, n)), "")
            if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) or not found:
                if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
                    raise Unwritable(name + " is a " + kind.__name__ + " that does not keep " + each.name)
                by_name = True
                continue
            by_name = by_name or each.kind is each.KEYWORD_ONLY
            text = self.write(getattr(value, found), each.name, deep)
            words.append((each.name + "=" if by_name else "") + text)
        return str(kind.__name__) + "(" + ", ".join(words) + ")"


def state(value: Any, above: tuple[int, ...] = ()) -> str:
    """All that is seen of a value, the attributes of objects among it."""
    kind: type[Any] = type(value)
    if kind in calling.PLAIN:
        return str(kind.__name__) + repr(value)
    if id(value) in above or len(above) > 20:
        return "..."
    above = (*above, id(value))
    if kind in (list, tuple):
        return kind.__name__ + "[" + ", ".join(state(each, above) for each in value) + "]"
    if isinstance(value, (set, frozenset)):
        return kind.__name__ + "{" + ", ".join(sorted(state(each, above) for each in value)) + "}"
    shown = []
    if isinstance(value, dict):
        shown = [state(key, above) + ": " + state(each, above) for key, each in value.items()]
    elif isinstance(value, (list, tuple)) or kind.__name__ == "deque":
        shown = [state(each, above) for each in value]
    fields = (
        None if calling._is_enum(value) or kind.__name__ in calling.UNCHANGING else calling._fields(value)
    )
    if fields or shown:
        shown += [name + "=" + state(each, above) for name, each in fields or ()]
        return kind.__name__ + "(" + ", ".join(shown) + ")"
    return calling.show(value)


def expected(value: Any) -> str:
    """How an answer that is right is written."""
    inner = getattr(value, "expected", None)
    near = type(value).__name__.startswith("Approx") and isinstance(inner, (int, float))
    return calling.show(inner if near else value)
