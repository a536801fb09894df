"""Where a candidate's edits go in a meta-program: which spot, and which text is its alternative there.

An edit is an alternative of the smallest thing that can hold it: the value of an expression, a condition with
side effects, a statement (guarded, replaced, or with something put beside it), a copy of its function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from learn2fix.languages.c.judging.expressions import (
    BRACKETS,
    STRINGS,
    TOKEN,
    WORDS,
    balanced,
    one_line,
    pure,
    shape,
    value_class,
)
from learn2fix.languages.c.judging.instrument import STEP, steps
from learn2fix.languages.c.judging.sites import UNCOPIED, Site, Sites
from learn2fix.languages.c.judging.spots import Key, Spots, Use
from learn2fix.languages.c.judging.weave import weave
from learn2fix.languages.c.syntax import fragment, statement_types
from learn2fix.languages.c.types import REAL_WORDS, WHOLE_WORDS
from learn2fix.model import Candidate, Edit

ASSIGNED = re.compile(rb"(=|[-+*/%&|^]=|<<=|>>=)(?!=)(.*)", re.S)
GUARD = re.compile(rb"\s*if\s*\(")
JUMP = re.compile(rb"\s*((?:return|break|continue|goto)\b[^;{}]*;)\s*")
ANSWER = re.compile(rb'printf\("(?:[^"\\]|\\.)*"\);\s*return 0;')
"""What prints a text and ends the program."""
ASSIGNMENT = re.compile(rb"\s*([A-Za-z_][\w.\[\]]*)\s*(?:(<<|>>|[-+*/%&|^])?=(?!=)([^;{}]*)|(\+\+|--));\s*")
STRUCTURE = re.compile(rb"[;{}#:]|\b(?:if|else|for|while|do|switch|case|return|goto)\b")
LABEL = re.compile(rb"\b(?:case|default)\b|(?:^|[;{}])\s*[A-Za-z_]\w*\s*:")
LOOPING = re.compile(rb"\b(?:for|while|do|goto)\b")
LOOSE = (b"||", b"?")
NOTHING = frozenset((b";", b"{}", b"{ }", b"{;}"))
TYPE_WORDS = frozenset(word.encode() for word in WHOLE_WORDS | REAL_WORDS)
ITSELF = b"l2f_itself"
"""The name of a function in a copy of it, until the copy is numbered."""
COPIED = 1 << 20
"""Bytes of copied functions in one meta-program."""
Side = Literal["before", "after"]


class Placing:
    """Finds places for candidates; the spots that they need are added to `spots`."""

    def __init__(self, sites: Sites, spots: Spots) -> None:
        self.sites = sites
        self.source = sites.source
        self.spots = spots
        self._around: dict[tuple[int, int], tuple[int | None, list[int]]] = {}
        self._originals: dict[int, bytes | None] = {}
        self._statements: dict[int, bytes] = {}
        self._copied = 0

    def place(self, candidate: Candidate) -> tuple[Use, ...] | None:
        """The alternatives that make up a candidate; None when it fits nowhere."""
        edits = candidate.edits
        if len(edits) == 1:
            (edit,) = edits
            if edit.text[-1:] == b";" == self.source[edit.end - 1 : edit.end] and edit.start < edit.end - 1:
                # A whole statement for another: what stands before the semicolon may be a site.
                found = self._alternative((Edit(edit.start, edit.end - 1, edit.text[:-1]),))
                if found is not None:
                    return (self._evaluated(found),)
            found = self._alternative(edits)
            use = self._evaluated(found) if found is not None else self._statement(edits) or self._copy(edits)
            return None if use is None else (use,)
        if not edits:
            return ()
        by_site: dict[int, list[Edit]] = {}
        for edit in sorted(edits):
            number = self.sites.site_at(edit.start, edit.end)
            if number is None:
                break
            by_site.setdefault(number, []).append(edit)
        else:
            alternatives = [self._alternative(part) for part in by_site.values()]
            possible = [found for found in alternatives if found is not None]
            if len(possible) == len(alternatives):
                return tuple(map(self._evaluated, possible))
        together = self._statement(edits) or self._copy(edits)
        return None if together is None else (together,)

    def _changed(self, start: int, end: int, edits: Sequence[Edit]) -> bytes:
        source = self.source
        if len(edits) == 1:
            edit = edits[0]
            return source[start : edit.start] + edit.text + source[edit.end : end]
        pieces, last = [], start
        for edit in sorted(edits):
            pieces += [source[last : edit.start], edit.text]
            last = edit.end
        return b"".join([*pieces, source[last:end]])

    def _pure(self, text: bytes) -> bool:
        return pure(text, self.sites.symbols.callable, self.sites.symbols.impure)

    # -- expressions -----------------------------------------------------------------------------------

    def _alternative(self, edits: Sequence[Edit]) -> tuple[int, bytes] | None:
        """The site that edits fall into, and what is evaluated there with them."""
        number = self.sites.site_at(*_span(edits))
        if number is None:
            return None
        site = self.sites.sites[number]
        value = self._value(site, one_line(self._changed(site.start, site.end, edits)))
        return None if value is None or self._original(number) is None else (number, value)

    def _original(self, number: int) -> bytes | None:
        """What is evaluated at a site as it stands."""
        if number not in self._originals:
            site = self.sites.sites[number]
            reached = site.how != "global" or self.sites.seen_from_main(site)
            text = one_line(self.source[site.start : site.end])
            self._originals[number] = self._value(site, text) if reached else None
        return self._originals[number]

    def _evaluated(self, found: tuple[int, bytes]) -> Use:
        number, value = found
        key = Key("expression", number)
        spot = self.spots.number(key)
        if spot is None:
            site, original = self.sites.sites[number], self._original(number)
            assert original is not None
            spot = self.spots.add(key, original, site.type, site.how, site.direct)
        return self.spots.use(spot, value)

    def _value(self, site: Site, text: bytes) -> bytes | None:
        """The value that an alternative text stands for; None when it is not one to be tried out."""
        if site.how == "text":
            return text if STRINGS.fullmatch(text) else None
        if site.how in ("assign", "update"):
            assigned = _assigned(site, text)
            if assigned is None:
                return None
            text = assigned
        if not self._pure(text):
            return None
        if site.how == "global" and not self._constant(text):
            return None
        if site.tight and any(mark in text for mark in LOOSE) and _loose(text):
            return None
        if site.variadic and value_class(text, self.sites.symbols.classes) != site.variadic:
            return None
        return text

    def _constant(self, text: bytes) -> bool:
        macros = self.sites.symbols.macros
        return all(word in macros or word in TYPE_WORDS for word in WORDS.findall(text))

    # -- statements ------------------------------------------------------------------------------------

    def _statement(self, edits: Sequence[Edit]) -> Use | None:
        span = _span(edits)
        around = self._around.get(span)
        if around is None:
            around = self._around[span] = (self.sites.smallest_choice(*span), self.sites.slots_around(*span))
        choice, slots = around
        use = self._choice(choice, edits) if choice is not None else None
        if use is not None:
            return use
        for number in slots:
            use = self._slot(number, edits)
            if use is not None:
                return use
        return None

    def _choice(self, number: int, edits: Sequence[Edit]) -> Use | None:
        choice = self.sites.choices[number]
        text = one_line(self._changed(choice.start, choice.end, edits))
        formed, _, comma, _ = shape(text)
        if not formed or not text or comma:
            return None
        return self.spots.pick(Key("choice", number), text, choice.type)

    def _slot(self, number: int, edits: Sequence[Edit]) -> Use | None:
        slot = self.sites.slots[number]
        low, high = min(slot.start, edits[0].start), max(slot.end, edits[0].end)
        text = one_line(self._changed(low, high, edits))
        old = self._statements.get(number)
        if old is None:
            old = self._statements[number] = one_line(self.source[slot.start : slot.end])
        whole = len(edits) == 1 and edits[0].start <= slot.start and slot.end <= edits[0].end
        if text in NOTHING or (not text and not slot.single):
            return self._guard(number, b"0") if not slot.labelled else None
        if not whole and text.startswith(b"{") and text.endswith(b"}"):
            # `{ put S }` stands wherever S does, also as the branch of an if.
            use = self._beside(number, text[1:-1].strip(), old, braced=True)
            if use is not None:
                return use
        if not whole:
            use = self._beside(number, text, old, braced=False)
            if use is not None:
                return use
        guard = _condition(text)
        if guard is not None and not slot.labelled and not slot.dangling and self._pure(guard[0]):
            rest = guard[1].strip()
            if rest.startswith(b"{") and rest.endswith(b"}") and rest[1:-1].strip() == old:
                return self._guard(number, guard[0])
        if slot.single or slot.labelled:
            return None
        structural = any(STRUCTURE.search(self.source[e.start : e.end] + b" " + e.text) for e in edits)
        statements = _counted(text, structural, self.sites.symbols.loops)
        return None if statements is None else self.spots.pick(Key("statement", number), statements)

    def _beside(self, number: int, text: bytes, old: bytes, braced: bool) -> Use | None:
        """`put S` or `S put`; a put `if (C)` guards S."""
        slot = self.sites.slots[number]
        if text.endswith(old):
            put = text[: -len(old)]
            guard = _condition(put)
            if guard is not None and not guard[1].strip():
                if slot.labelled or (slot.dangling and not braced) or not self._pure(guard[0]):
                    return None
                return self._guard(number, guard[0])
            if (braced or not slot.single) and put.strip():
                return self._put(number, "before", put, guard)
        elif text.startswith(old) and (braced or not slot.single):
            put = text[len(old) :]
            return self._put(number, "after", put, _condition(put))
        return None

    def _guard(self, number: int, condition: bytes) -> Use:
        return self.spots.condition(Key("guard", number), b"1", condition)

    def _put(self, number: int, where: Side, text: bytes, guard: tuple[bytes, bytes] | None) -> Use | None:
        """Text put before or after a statement of a block; `guard` is what `if` it begins with."""
        condition, rest = (b"1", text) if guard is None else guard
        rest = _unbraced(rest)
        jump = JUMP.fullmatch(rest)
        if jump is not None and self._pure(condition):
            return self.spots.condition(Key("jump", number, where, jump.group(1)), b"0", condition)
        if ANSWER.fullmatch(rest) is not None and self._pure(condition):
            return self.spots.condition(Key("jump", number, where, b"{%s}" % rest), b"0", condition)
        assignment = ASSIGNMENT.fullmatch(rest)
        if assignment is not None and self._pure(condition):
            target, operator, value, step = assignment.groups()
            value = b"1" if step else value.strip()
            operator = step[:1] if step else operator
            if self._pure(value) and balanced(target) and b"[" in target:
                # Whoever does not make it must not touch the element: there may be none.
                return self.spots.condition(Key("jump", number, where, b"{%s}" % rest), b"0", condition)
            if self._pure(value) and balanced(target):
                if operator:
                    value = b"(%s)%s(%s)" % (target, operator, value)
                if guard is not None:
                    value = b"(%s)?(%s):(%s)" % (condition, value, target)
                return self._assign(Key("assignment", number, where, target), value)
        statements = _counted(text, True, self.sites.symbols.loops)
        return None if statements is None else self.spots.pick(Key("insertion", number, where), statements)

    def _assign(self, key: Key, value: bytes) -> Use:
        spot = self.spots.number(key)
        if spot is None:
            kind = f"__typeof__({key.text.decode('latin-1')})"
            direct = value_class(key.text, self.sites.symbols.classes) == "i"
            spot = self.spots.add(key, key.text, kind, "value", direct)
        return self.spots.use(spot, value)

    # -- functions -------------------------------------------------------------------------------------

    def _copy(self, edits: Sequence[Edit]) -> Use | None:
        """Edits that are only at home in a copy of the whole function: declarations, labels, structure."""
        number = self.sites.function_around(*_span(edits))
        if number is None:
            return None
        function = self.sites.functions[number]
        text = self._changed(function.start, function.end, (*edits, Edit(*function.name, ITSELF)))
        if self._copied + len(text) > COPIED or UNCOPIED.search(text):
            return None
        root = fragment(text, self.sites.symbols.loops)
        if root is None or [node.type for node in root.inner()] != ["function_definition"]:
            return None
        counted = one_line(weave(text, steps(root, STEP)))
        if function.returns and self.source[slice(*function.name)] == b"main":
            counted = counted[:-1] + b"return 0;}"  # As main() does without being told.
        self._copied += len(text)
        return self.spots.pick(Key("copy", number), counted)


def _span(edits: Sequence[Edit]) -> tuple[int, int]:
    if len(edits) == 1:
        return edits[0].start, edits[0].end
    return min(edit.start for edit in edits), max(edit.end for edit in edits)


def _assigned(site: Site, text: bytes) -> bytes | None:
    """The value that the text of an assignment gives to its target."""
    target = site.target
    if site.how == "update":
        if text in (b"++" + target, target + b"++"):
            return b"(" + target + b")+1"
        if text in (b"--" + target, target + b"--"):
            return b"(" + target + b")-1"
        if not text.startswith(target):
            return None
        text = text[len(target) :].lstrip()
    if text in (b"++", b"--"):
        return b"(" + target + b")" + text[:1] + b"1"
    found = ASSIGNED.fullmatch(text)
    if found is None:
        return None
    operator, value = found.group(1), found.group(2).strip()
    formed, _, comma, _ = shape(value)
    if not value or not formed or comma:
        return None
    if operator == b"=":
        return value
    if site.how == "assign" and not re.fullmatch(rb"\w+", target):
        return None
    return b"(" + target + b")" + operator[:-1] + b"(" + value + b")"


def _loose(text: bytes) -> bool:
    """Has || or ?: outside brackets."""
    depth = 0
    for found in TOKEN.finditer(text):
        token = found.group()
        if token in (b"(", b"["):
            depth += 1
        elif token in (b")", b"]"):
            depth -= 1
        elif depth == 0 and token in LOOSE:
            return True
    return False


def _condition(text: bytes) -> tuple[bytes, bytes] | None:
    """`if (C) rest` → C and rest."""
    found = GUARD.match(text)
    if found is None:
        return None
    depth = 1
    for token in BRACKETS.finditer(text, found.end()):
        bracket = token.group()
        if bracket == b"(":
            depth += 1
        elif bracket == b")":
            depth -= 1
            if depth == 0:
                return text[found.end() : token.start()].strip(), text[token.end() :]
    return None


def _unbraced(text: bytes) -> bytes:
    stripped = text.strip()
    if stripped.startswith(b"{") and stripped.endswith(b"}") and stripped.count(b"{") == 1:
        return stripped[1:-1]
    return stripped


def _counted(text: bytes, structural: bool, loops: frozenset[bytes]) -> bytes | None:
    """Whole statements that declare nothing for what follows and hold no label, with their loops counted."""
    if LABEL.search(text) is not None or b"#" in text:
        return None
    looping = LOOPING.search(text) is not None or not loops.isdisjoint(WORDS.findall(text))
    if not structural and not looping:
        return text
    types = statement_types(text, loops)
    if types is None or "declaration" in types:
        return None
    if not looping:
        return text
    start, end = b"void f(void){", b"}"
    root = fragment(start + text + end, loops)
    if root is None:
        return None
    return weave(start + text + end, steps(root, STEP))[len(start) + len(STEP) : -len(end)]
