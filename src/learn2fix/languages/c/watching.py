"""A C program that tells at its end what its variables held at last: numbers, texts, items of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from learn2fix.languages.c.edits.parsed import Parsed
from learn2fix.languages.c.layout import parts
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.syntax import is_statement
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import CHAR, DOUBLE, FLOAT, INT, LONG
from learn2fix.languages.watching import MARK, SEPARATOR

ITEMS = 12
"""Number of items of an array that are told."""
SLOTS = 400
TEXT = 40
"""Number of characters of a text that are told."""
LOOPS = frozenset(("for_statement", "while_statement", "do_statement"))

PRELUDE = """
#ifndef L2F_WATCHED
#define L2F_WATCHED
extern int dprintf(int, const char *, ...);
static const char *const l2f_names[] = { NAMES };
static char l2f_kinds[COUNT], l2f_texts[COUNT][TEXT + 1];
static long long l2f_wholes[COUNT];
static double l2f_reals[COUNT];
#define L2F_WHOLE(n, x) (l2f_wholes[n] = (long long)(x), l2f_kinds[n] = 1)
#define L2F_REAL(n, x) (l2f_reals[n] = (double)(x), l2f_kinds[n] = 2)
static void l2f_text(int n, const char *text, unsigned long size) {
    unsigned long i = 0;
    for (; i < TEXT && i < size && text[i]; i++)
        l2f_texts[n][i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
    l2f_texts[n][i] = 0;
    l2f_kinds[n] = 3;
}
__attribute__((destructor)) static void l2f_tell(void) {
    for (int n = 0; n < COUNT; n++) {
        if (l2f_kinds[n] == 1) dprintf(2, "\\nMARK%sSEPARATOR%lld\\n", l2f_names[n], l2f_wholes[n]);
        if (l2f_kinds[n] == 2) dprintf(2, "\\nMARK%sSEPARATOR%g\\n", l2f_names[n], l2f_reals[n]);
        if (l2f_kinds[n] == 3) dprintf(2, "\\nMARK%sSEPARATOR\\"%s\\"\\n", l2f_names[n], l2f_texts[n]);
    }
}
#endif
"""


def watched(source: bytes) -> bytes:
    """The same program, telling at its end; what it prints and returns is as before."""
    program = Parsed(source)
    functions = [node for node in program.root.walk() if node.type == "function_definition"]
    slots = _Slots(program)
    opening: list[tuple[int, str]] = []
    closing: list[tuple[int, str]] = []
    for function in functions:
        for node in function.walk():
            if node.type in ("compound_statement", "case_statement"):
                opening += _in_block(node, slots, function)
            body = node.child("body") if node.type in LOOPS else None
            if body is not None and body.type != "compound_statement":
                kept = slots.kept(body.start, function)
                opening.append((body.start, "{ " + kept))
                # Where several end together, the inner ones end first.
                closing.insert(0, (body.end, " " + kept + "}"))
    if not slots.names:
        return source
    prelude = (
        PRELUDE.replace("COUNT", str(len(slots.names)))
        .replace("TEXT", str(TEXT))
        .replace("MARK", _escaped(MARK))
        .replace("SEPARATOR", _escaped(SEPARATOR))
        .replace("NAMES", ", ".join(f'"{name}"' for name in slots.names))
    )
    heads = [(start, prelude) for start in _heads(program, functions)]
    text, position, made = program.text, 0, list[str]()
    for offset, piece in sorted([*closing, *heads, *opening], key=lambda each: each[0]):
        made += [text[position:offset], piece]
        position = offset
    return "".join([*made, text[position:]]).encode("latin-1")


class _Slots:
    """A number for each variable, or item of an array, that is told of."""

    def __init__(self, program: Parsed) -> None:
        self._program = program
        self._known: dict[int, tuple[int, ...]] = {}
        self.names: list[str] = []

    def kept(self, offset: int, function: Node) -> str:
        """Statements that note what is visible at an offset."""
        own = {id(symbol) for symbol in self._program.scope.visible(function.start)}
        found = []
        for symbol in self._program.scope.visible(offset):
            outside = id(symbol) in own
            found += list(self._statements(symbol, None if outside else function))
        return "".join(f"{statement}; " for statement in found)

    def _statements(self, symbol: Symbol, function: Node | None) -> Iterator[str]:
        base, depth, name = symbol.type.base, symbol.type.depth, symbol.name
        if base not in (CHAR, INT, LONG, FLOAT, DOUBLE) or depth > 1 or symbol.pointers:
            return
        how = "REAL" if base in (FLOAT, DOUBLE) else "WHOLE"
        if depth == 0:
            for slot in self._slots(symbol, function, [name]):
                yield f"L2F_{how}({slot}, {name})"
        elif symbol.role != "parameter" and base == CHAR:
            for slot in self._slots(symbol, function, [name]):
                yield f"l2f_text({slot}, {name}, sizeof {name})"
        elif symbol.role != "parameter":
            items = [f"{name}[{place}]" for place in range(ITEMS)]
            for place, slot in enumerate(self._slots(symbol, function, items)):
                there = f"{place} < (int)(sizeof {name} / sizeof {name}[0])"
                yield f"if ({there}) L2F_{how}({slot}, {items[place]})"

    def _slots(self, symbol: Symbol, function: Node | None, names: list[str]) -> tuple[int, ...]:
        if id(symbol) not in self._known:
            if len(self.names) + len(names) > SLOTS:
                return ()
            first = len(self.names)
            self._known[id(symbol)] = tuple(range(first, first + len(names)))
            where = self._name_of(function) if function is not None else ""
            self.names += [f"{where}{_escaped(SEPARATOR)}{name}" for name in names]
        return self._known[id(symbol)]

    def _name_of(self, function: Node) -> str:
        for name, nodes in self._program.definitions.items():
            if any(node is function for node in nodes):
                return name
        return ""


def _in_block(block: Node, slots: _Slots, function: Node) -> Iterator[tuple[int, str]]:
    for child in block.inner():
        if (is_statement(child) or child.type == "declaration") and child.type != "case_statement":
            yield child.start, slots.kept(child.start, function)
    if block.type == "compound_statement":
        yield block.end - 1, slots.kept(block.end - 1, function)


def _heads(program: Parsed, functions: list[Node]) -> Iterator[int]:
    """Where the first function of each file begins, outside of everything."""
    spans = [(part.start, part.end) for part in parts(program.source)] or [(0, len(program.text))]
    for start, end in spans:
        first = next((node for node in functions if start <= node.start < end), None)
        if first is not None:
            above = [first, *first.above()]
            # The outermost one is the file.
            yield max(start, above[-2].start if len(above) > 1 else first.start)


def _escaped(sign: str) -> str:
    """As C writes it, and not followed by what could be taken for a further digit."""
    return f"\\{ord(sign):03o}"
