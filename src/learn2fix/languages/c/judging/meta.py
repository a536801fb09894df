"""From candidates to one program that holds them all: which site and alternative each uses, and its text."""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from learn2fix.languages.c.judging import instrument, prelude
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
from learn2fix.languages.c.judging.sites import COMPOUND, UNCOPIED, Function, Site, Sites
from learn2fix.languages.c.judging.weave import Wrap, weave
from learn2fix.languages.c.syntax import fragment, statement_types
from learn2fix.model import Candidate, Edit

STEP = b"if(--l2f_steps<0)l2f_stop();"
RUNTIME = (
    # Where data begins; in memory it begins a page of 2 MB, and code is alone in those before it.
    b"\n#ifdef __TINYC__\n__attribute__((aligned(2097152)))\n#endif\nchar l2f_data[16]={1};"
    b"extern unsigned char l2f_live[];extern unsigned*l2f_p,*l2f_base,*l2f_list[];"
    b"extern long long l2f_steps;extern long l2f_jump[];"
    b"void l2f_enter(unsigned);void l2f_differs(const void*,void*,unsigned);"
    b"void l2f_differs_text(const void*,void*);int l2f_leave(void);unsigned l2f_pick(unsigned);"
    b"void l2f_wipe(void);void l2f_stop(void);int _setjmp();\n"
)
STEP_RUNTIME = b"extern long long l2f_steps;void l2f_stop(void);\n"
ASSIGNED = re.compile(rb"(=|[-+*/%&|^]=|<<=|>>=)(?!=)(.*)", re.S)
GUARD = re.compile(rb"\s*if\s*\(")
JUMP = re.compile(rb"\s*((?:return|break|continue|goto)\b[^;{}]*;)\s*")
ASSIGNMENT = re.compile(rb"\s*([A-Za-z_][\w.\[\]]*)\s*(?:(<<|>>|[-+*/%&|^])?=(?!=)([^;{}]*)|(\+\+|--));\s*")
STRUCTURE = re.compile(rb"[;{}#:]|\b(?:if|else|for|while|do|switch|case|return|goto)\b")
LABEL = re.compile(rb"\b(?:case|default)\b|(?:^|[;{}])\s*[A-Za-z_]\w*\s*:")
LOOSE = (b"||", b"?")
NOTHING = frozenset((b";", b"{}", b"{ }", b"{;}"))
TYPE_WORDS = frozenset((b"int", b"long", b"char", b"short", b"unsigned", b"signed", b"float", b"double"))
ITSELF = b"l2f_itself"
COPIED = 1 << 20
"""Bytes of copied functions in one meta-program."""
Use = tuple[int, int]


@dataclass(slots=True)
class Spot:
    """A numbered site of the meta-program and its alternatives; 0 is the original."""

    key: tuple[object, ...]
    original: bytes
    kind: str
    how: str
    """cond, value, text: evaluated and compared; pick: simply taken."""
    direct: bool
    alternatives: list[bytes] = field(default_factory=list)
    index: dict[bytes, int] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    broken: bool = False

    def use(self, text: bytes) -> int:
        number = self.index.get(text)
        if number is None:
            self.alternatives.append(text)
            number = self.index[text] = len(self.alternatives)
        return number


class Meta:
    """The candidates of a file that fit into one program. Those that do not are in `alone`."""

    def __init__(self, sites: Sites, steps: list[Wrap]) -> None:
        self.sites = sites
        self.source = sites.source
        self.body = prelude.without_includes(self.source) if prelude.replaceable(self.source) else self.source
        self.spots: list[Spot] = []
        self.by_key: dict[tuple[object, ...], int] = {}
        self.uses: list[tuple[Use, ...]] = []
        self.identifiers: list[int] = []
        self.alone: list[int] = []
        self._only: Collection[Use] | None = None
        self._step_wraps = steps
        self._places: dict[tuple[int, int], tuple[int | None, list[int]]] = {}
        self._olds: dict[int, bytes] = {}
        self._copied = 0
        self._words: tuple[int, frozenset[str]] | None = None

    # -- where a candidate goes --------------------------------------------------------------------

    def add(self, identifier: int, candidate: Candidate) -> None:
        uses = self._resolve(candidate)
        if uses is None:
            self.alone.append(identifier)
        else:
            self.uses.append(uses)
            self.identifiers.append(identifier)

    def _resolve(self, candidate: Candidate) -> tuple[Use, ...] | None:
        edits = candidate.edits
        if len(edits) == 1:
            (edit,) = edits
            if edit.text[-1:] == b";" == self.source[edit.end - 1 : edit.end] and edit.start < edit.end - 1:
                # A whole statement for another: what stands before the semicolon may be a site.
                use = self._expression((Edit(edit.start, edit.end - 1, edit.text[:-1]),))
                if use is not None:
                    return (use,)
            use = self._expression(edits) or self._statement(edits) or self._copy(edits)
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
            found = [self._expression(tuple(part)) for part in by_site.values()]
            uses = [use for use in found if use is not None]
            if len(uses) == len(found):
                return tuple(uses)
        together = self._statement(edits) or self._copy(edits)
        return None if together is None else (together,)

    def _spot(self, key: tuple[object, ...], original: bytes, kind: str, how: str, direct: bool) -> int:
        number = self.by_key.get(key)
        if number is None:
            number = self.by_key[key] = len(self.spots)
            self.spots.append(Spot(key, original, kind, how, direct))
        return number

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

    def _expression(self, edits: Sequence[Edit]) -> Use | None:
        number = self.sites.site_at(*_span(edits))
        if number is None:
            return None
        site = self.sites.sites[number]
        text = one_line(self._changed(site.start, site.end, edits))
        value = self._value(site, text)
        if value is None:
            return None
        key = ("e", number)
        spot = self.by_key.get(key)
        if spot is None:
            original = self._value(site, one_line(self.source[site.start : site.end]))
            if original is None or (site.how == "global" and self.sites.main is None):
                return None
            spot = self._spot(key, original, site.type, site.how, site.direct)
        return spot, self.spots[spot].use(value)

    def _value(self, site: Site, text: bytes) -> bytes | None:
        """The value that an alternative text stands for; None when it is not one to be tried out."""
        if site.how == "text":
            return text if STRINGS.fullmatch(text) else None
        if site.how in ("assign", "update"):
            assigned = self._assigned(site, text)
            if assigned is None:
                return None
            text = assigned
        if not pure(text, self.sites.callable, self.sites.impure):
            return None
        if site.how == "global" and not self._constant(text):
            return None
        if site.tight and any(mark in text for mark in LOOSE) and _loose(text):
            return None
        if site.variadic and value_class(text, self.sites.names) != site.variadic:
            return None
        return text

    def _constant(self, text: bytes) -> bool:
        return all(word in self.sites.macros or word in TYPE_WORDS for word in WORDS.findall(text))

    def _assigned(self, site: Site, text: bytes) -> bytes | None:
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
        assert operator.decode() in COMPOUND
        return b"(" + target + b")" + operator[:-1] + b"(" + value + b")"

    # -- statements ----------------------------------------------------------------------------------

    def _statement(self, edits: Sequence[Edit]) -> Use | None:
        span = _span(edits)
        places = self._places.get(span)
        if places is None:
            places = self._places[span] = (self.sites.smallest_choice(*span), self.sites.slots_around(*span))
        choice, slots = places
        if choice is not None:
            use = self._choice(choice, edits)
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
        spot = self._spot(("c", number), b"", choice.type, "pick", False)
        return spot, self.spots[spot].use(text)

    def _slot(self, number: int, edits: Sequence[Edit]) -> Use | None:
        slot = self.sites.slots[number]
        low, high = min(slot.start, edits[0].start), max(slot.end, edits[0].end)
        text = one_line(self._changed(low, high, edits))
        old = self._olds.get(number)
        if old is None:
            old = self._olds[number] = one_line(self.source[slot.start : slot.end])
        whole = len(edits) == 1 and edits[0].start <= slot.start and slot.end <= edits[0].end
        if text in NOTHING or (not text and not slot.single):
            return self._guard(number, b"0") if not slot.labelled else None
        if not whole and text.startswith(b"{") and text.endswith(b"}"):
            inner = text[1:-1].strip()
            # `{ put S }` stands wherever S does, also as the branch of an if.
            use = self._beside(number, inner, old, braced=True)
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
        statements = _statements(text, structural, self.sites.loops)
        if statements is None:
            return None
        spot = self._spot(("t", number), b"", "", "pick", False)
        return spot, self.spots[spot].use(statements)

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

    def _pure(self, text: bytes) -> bool:
        return pure(text, self.sites.callable, self.sites.impure)

    def _guard(self, number: int, condition: bytes) -> Use:
        spot = self._spot(("g", number), b"1", "int", "cond", True)
        return spot, self.spots[spot].use(condition)

    def _put(self, number: int, where: str, text: bytes, guard: tuple[bytes, bytes] | None) -> Use | None:
        """Text put before or after a statement of a block; `guard` is what `if` it begins with."""
        condition, rest = (b"1", text) if guard is None else guard
        rest = _unbraced(rest)
        jump = JUMP.fullmatch(rest)
        if jump is not None and self._pure(condition):
            spot = self._spot(("j", number, where, jump.group(1)), b"0", "int", "cond", True)
            return spot, self.spots[spot].use(condition)
        assignment = ASSIGNMENT.fullmatch(rest)
        if assignment is not None and self._pure(condition):
            target, operator, value, step = assignment.groups()
            value = b"1" if step else value.strip()
            operator = step[:1] if step else operator
            if self._pure(value) and balanced(target):
                if operator:
                    value = b"(%s)%s(%s)" % (target, operator, value)
                if guard is not None:
                    value = b"(%s)?(%s):(%s)" % (condition, value, target)
                key = ("a", number, where, target)
                known = self.by_key.get(key)
                if known is None:
                    kind = f"__typeof__({target.decode('utf-8', 'replace')})"
                    direct = value_class(target, self.sites.names) == "i"
                    known = self._spot(key, target, kind, "value", direct)
                return known, self.spots[known].use(value)
        statements = _statements(text, True, self.sites.loops)
        if statements is None:
            return None
        spot = self._spot(("p", number, where), b"", "", "pick", False)
        return spot, self.spots[spot].use(statements)

    # -- functions ---------------------------------------------------------------------------------------

    def _copy(self, edits: Sequence[Edit]) -> Use | None:
        """Edits that are only at home in a copy of the whole function: declarations, labels, structure."""
        number = self.sites.function_around(*_span(edits))
        if number is None:
            return None
        function = self.sites.functions[number]
        text = self._changed(function.start, function.end, (*edits, Edit(*function.name, ITSELF)))
        if self._copied + len(text) > COPIED or UNCOPIED.search(text):
            return None
        root = fragment(text, self.sites.loops)
        if root is None or [node.type for node in root.inner()] != ["function_definition"]:
            return None
        counted = one_line(weave(text, instrument.steps(root, STEP)))
        if function.returns and self.source[slice(*function.name)] == b"main":
            counted = counted[:-1] + b"return 0;}"  # As main() does without being told.
        self._copied += len(text)
        spot = self._spot(("f", number), b"", "", "pick", False)
        return spot, self.spots[spot].use(counted)

    # -- text -------------------------------------------------------------------------------------------

    def text(self, only: Collection[Use] | None = None) -> bytes:
        """The meta-program, without the declarations that precede it; `only` with these alternatives."""
        self._only = only
        shown = None if only is None else {spot for spot, _ in only}
        begin: list[bytes] = []
        copies: list[Wrap] = []
        wraps: list[Wrap] = []
        replaced: list[Edit] = []
        slots: dict[int, list[int]] = {}
        for number, spot in enumerate(self.spots):
            if spot.broken or (shown is not None and number not in shown):
                continue
            kind, place = spot.key[0], spot.key[1]
            assert isinstance(place, int)
            if kind == "e":
                site = self.sites.sites[place]
                text = self._evaluated(number, spot)
                if site.how == "global":
                    begin.append(site.target + b"=" + text + b";")
                    continue
                if site.how in ("assign", "update"):
                    text = (site.target if site.how == "update" else b"") + b"=" + text
                replaced.append(Edit(site.start, site.end, text))
            elif kind == "c":
                choice = self.sites.choices[place]
                before, after = self._picked(number, spot, choice.cond)
                wraps.append(Wrap(choice.start, choice.end, before, after))
            elif kind == "f":
                copies += self._copies(number, spot, self.sites.functions[place])
            else:
                slots.setdefault(place, []).append(number)
        for place, numbers in slots.items():
            slot = self.sites.slots[place]
            before, after = self._around(numbers)
            wraps.append(Wrap(slot.start, slot.end, before, after))
        if begin and self.sites.main is not None:
            wraps.append(Wrap(self.sites.main, self.sites.main, b"".join(begin)))
        wraps = copies + self._step_wraps + wraps
        return weave(self.body, wraps, replaced, nested=True)

    def _around(self, numbers: list[int]) -> tuple[bytes, bytes]:
        """What stands before and after a statement: insertions, a guard, another statement in its place."""
        before: list[bytes] = [b"{"]
        after: list[bytes] = []
        inner: list[bytes] = []
        closing: list[bytes] = []
        for number in numbers:
            spot = self.spots[number]
            match spot.key[0]:
                case "g":
                    inner.insert(0, b"if(" + self._evaluated(number, spot) + b")")
                case "j":
                    text = b"if(" + self._evaluated(number, spot) + b")" + _bytes(spot.key[3])
                    (before if spot.key[2] == "before" else after).append(text)
                case "a":
                    text = _bytes(spot.key[3]) + b"=" + self._evaluated(number, spot) + b";"
                    (before if spot.key[2] == "before" else after).append(text)
                case "p":
                    first, last = self._taken(number, spot)
                    (before if spot.key[2] == "before" else after).append(first + b";" + last)
                case _:
                    first, last = self._taken(number, spot)
                    inner.append(first)
                    closing.insert(0, last)
        return b"".join(before + inner), b"\n" + b"".join(closing + after) + b"}"

    def _evaluated(self, number: int, spot: Spot) -> bytes:
        """An expression whose alternatives are computed, compared and, where they differ, forked."""
        n = b"%d" % number
        kind = spot.kind.encode()
        wrapped = b"!!(%s)" if spot.how == "cond" else b"(%s)"
        if spot.how == "text":
            compare = b"l2f_differs_text(&l2f_v,&l2f_o);"
        elif spot.direct:
            compare = b"if(l2f_v!=l2f_o)l2f_differs(&l2f_v,&l2f_o,sizeof l2f_v);"
        else:
            compare = b"l2f_differs(&l2f_v,&l2f_o,sizeof l2f_v);"
        kept = self._kept(number, spot)
        original = wrapped % spot.original
        labels = self._labels(number, spot)
        lines = [
            b"({%s l2f_o;if(l2f_live[%s]){%s l2f_v;static void*l2f_t[]={&&l2f_%s_0%s,&&l2f_%s_e};/*@%s.0*/"
            % (kind, n, kind, n, labels, n, n),
            b"l2f_%s_r:if(l2f_live[%s]==2)l2f_p=l2f_base=l2f_list[%s];else{_setjmp(l2f_jump);l2f_enter(%s);}"
            b"goto*l2f_t[*l2f_p++];l2f_%s_0:l2f_v=%s;l2f_%s_c:%sgoto*l2f_t[*l2f_p++];/*@%s.0*/"
            % (n, n, n, n, n, original, n, compare, n),
        ]
        lines += [
            b"l2f_%s_%d:l2f_v=%s;goto l2f_%s_c;/*@%s.%d*/"
            % (n, k, wrapped % spot.alternatives[k - 1], n, n, k)
            for k in kept
        ]
        lines.append(
            b"l2f_%s_e:if(l2f_leave())goto l2f_%s_r;}else l2f_o=%s;l2f_o;})/*@%s.0*/\n" % (n, n, original, n)
        )
        return b"\n" + b"\n".join(lines)

    def _picked(self, number: int, spot: Spot, cond: bool) -> tuple[bytes, bytes]:
        """An expression that is one of several, each with its effects."""
        n = b"%d" % number
        wrapped = b"!!(%s)" if cond else b"(%s)"
        lines = [b"\n({%s l2f_o;%s" % (spot.kind.encode(), self._dispatch(number, spot))]
        for k in self._kept(number, spot):
            text = wrapped % spot.alternatives[k - 1]
            lines.append(b"l2f_%s_%d:l2f_o=%s;goto l2f_%s_e;/*@%s.%d*/" % (n, k, text, n, n, k))
        lines.append(b"l2f_%s_0:l2f_o=%s" % (n, b"!!(" if cond else b"("))
        return b"\n".join(lines), b"\n);l2f_%s_e:;l2f_o;})/*@%s.0*/\n" % (n, n)

    def _taken(self, number: int, spot: Spot) -> tuple[bytes, bytes]:
        """A statement that is one of several."""
        n = b"%d" % number
        lines = [b"\n{%s" % self._dispatch(number, spot)]
        for k in self._kept(number, spot):
            text = spot.alternatives[k - 1]
            lines.append(b"l2f_%s_%d:{%s}goto l2f_%s_e;/*@%s.%d*/" % (n, k, text, n, n, k))
        lines.append(b"l2f_%s_0:\n" % n)
        return b"\n".join(lines), b"\nl2f_%s_e:;}/*@%s.0*/\n" % (n, n)

    def _copies(self, number: int, spot: Spot, function: Function) -> list[Wrap]:
        """The copies of a function before it, and where it begins the way to them."""
        n = b"%d" % number
        head = one_line(self.source[function.start : function.body[0] - 1])
        before = [b"\n%s;/*@%s.0*/" % (head, n)]
        inside = [b"\nif(l2f_live[%s]){unsigned l2f_k=l2f_pick(%s);l2f_wipe();switch(l2f_k){" % (n, n)]
        for k in self._kept(number, spot):
            name = b"l2f_%s_%d" % (n, k)
            before.append(b"%s/*@%s.%d*/" % (spot.alternatives[k - 1].replace(ITSELF, name), n, k))
            way = b"return %s(%s);" if function.returns else b"%s(%s);return;"
            inside.append(b"case %d:%s/*@%s.%d*/" % (k, way % (name, function.arguments), n, k))
        before.append(b"")
        inside.append(b"}}/*@%s.0*/\n" % n)
        return [
            Wrap(function.start, function.start, b"\n".join(before)),
            Wrap(function.body[0], function.body[0], b"\n".join(inside)),
        ]

    def _dispatch(self, number: int, spot: Spot) -> bytes:
        # tcc gives up variable-length arrays before it evaluates where a goto leads: no call in there.
        n = b"%d" % number
        labels = self._labels(number, spot)
        return (
            b"static void*l2f_t[]={&&l2f_%s_0%s};unsigned l2f_k;if(!l2f_live[%s])goto l2f_%s_0;"
            b"l2f_k=l2f_pick(%s);goto*l2f_t[l2f_k];/*@%s.0*/" % (n, labels, n, n, n, n)
        )

    def _kept(self, number: int, spot: Spot) -> list[int]:
        every = range(1, len(spot.alternatives) + 1)
        if self._only is not None:
            return [k for k in every if (number, k) in self._only]
        return [k for k in every if k not in spot.dropped]

    def _labels(self, number: int, spot: Spot) -> bytes:
        kept = set(self._kept(number, spot))
        n = b"%d" % number
        return b"".join(
            b",&&l2f_%s_%d" % (n, k) if k in kept else b",0" for k in range(1, len(spot.alternatives) + 1)
        )

    # -- tables ------------------------------------------------------------------------------------------

    def tables(self) -> bytes:
        """Sites, candidates and who uses what, as the engine reads them."""
        first = array("I", [0])
        pairs = array("I")
        for uses in self.uses:
            for use in uses:
                pairs.extend(use)
            first.append(len(pairs) // 2)
        head = array("I", [len(self.spots), len(self.uses), len(pairs) // 2])
        sizes = array("I", [len(spot.alternatives) for spot in self.spots])
        return head.tobytes() + sizes.tobytes() + first.tobytes() + pairs.tobytes()

    def words(self) -> frozenset[str]:
        """Every word of the alternatives."""
        count = sum(len(spot.alternatives) for spot in self.spots)
        if self._words is None or self._words[0] != count:
            text = b" ".join(text for spot in self.spots for text in spot.alternatives)
            self._words = (count, frozenset(prelude.words(text)))
        return self._words[1]

    def drop(self, spot: int, alternative: int) -> None:
        """An alternative (or with 0 the whole site) that does not compile here: its candidates are alone."""
        if alternative:
            self.spots[spot].dropped.add(alternative)
        else:
            self.spots[spot].broken = True

    def settle(self) -> None:
        """Move candidates whose alternatives were dropped to `alone`."""
        uses, identifiers = [], []
        for use, identifier in zip(self.uses, self.identifiers, strict=True):
            if any(self.spots[s].broken or a in self.spots[s].dropped for s, a in use):
                self.alone.append(identifier)
            else:
                uses.append(use)
                identifiers.append(identifier)
        self.uses, self.identifiers = uses, identifiers


def _span(edits: Sequence[Edit]) -> tuple[int, int]:
    if len(edits) == 1:
        return edits[0].start, edits[0].end
    return min(edit.start for edit in edits), max(edit.end for edit in edits)


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


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


LOOPING = re.compile(rb"\b(?:for|while|do|goto)\b")


def _statements(text: bytes, structural: bool, loops: frozenset[bytes]) -> bytes | None:
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
    return weave(start + text + end, instrument.steps(root, STEP))[len(start) + len(STEP) : -len(end)]


MARK = re.compile(rb"/\*@(\d+)\.(\d+)\*/\s*$")


def owner(lines: Sequence[bytes], number: int) -> Use | None:
    """Which site and alternative a line (from 1) of the meta-program belongs to."""
    for row in (number - 1, number - 2, number):
        if 0 <= row < len(lines):
            found = MARK.search(lines[row])
            if found is not None:
                return int(found.group(1)), int(found.group(2))
    return None


def passed(lines: Sequence[bytes], number: int) -> set[Use]:
    """The alternatives that stand before a line (from 1)."""
    return {(int(m.group(1)), int(m.group(2))) for line in lines[: number - 2] if (m := MARK.search(line))}
