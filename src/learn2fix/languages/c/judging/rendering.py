"""The text of a meta-program: the original with all alternatives at their spots.

Every line that an alternative stands on ends with a mark, so that a compiler's complaint finds its owner.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from learn2fix.languages.c.judging.expressions import one_line
from learn2fix.languages.c.judging.placing import ITSELF
from learn2fix.languages.c.judging.sites import Function, Sites
from learn2fix.languages.c.judging.spots import Spot, Use
from learn2fix.languages.c.judging.weave import Wrap, weave
from learn2fix.model import Edit

DATA = b"\n#ifdef __TINYC__\n__attribute__((aligned(2097152)))\n#endif\nchar l2f_data[16]={1};"
"""Where data begins; in memory it begins a page of 2 MB, and code is alone in those before it."""
RUNTIME = (
    b"extern unsigned char l2f_live[];extern unsigned*l2f_p,*l2f_base,*l2f_list[];"
    b"extern long long l2f_steps;extern long l2f_jump[];"
    b"void l2f_enter(unsigned);void l2f_differs(const void*,void*,unsigned);"
    b"void l2f_differs_text(const void*,void*);int l2f_leave(void);unsigned l2f_pick(unsigned);"
    b"void l2f_wipe(void);void l2f_stop(void);int _setjmp();\n"
)
MARK = re.compile(rb"/\*@(\d+)\.(\d+)\*/\s*$")


class Rendering:
    """Writes the spots of a meta-program; `only` with these alternatives."""

    def __init__(self, sites: Sites, spots: Sequence[Spot], only: Collection[Use] | None) -> None:
        self._sites = sites
        self._spots = spots
        self._only = only

    def text(self, body: bytes, steps: Sequence[Wrap]) -> bytes:
        """The meta-program, made of the text of the file with steps counted."""
        shown = None if self._only is None else {spot for spot, _ in self._only}
        begin: list[bytes] = []
        copies: list[Wrap] = []
        wraps: list[Wrap] = []
        replaced: list[Edit] = []
        slots: dict[int, list[int]] = {}
        for number, spot in enumerate(self._spots):
            if spot.broken or (shown is not None and number not in shown):
                continue
            place = spot.key.place
            match spot.key.role:
                case "expression":
                    site = self._sites.sites[place]
                    text = self._evaluated(number, spot)
                    if site.how == "global":
                        begin.append(site.target + b"=" + text + b";")
                        continue
                    if site.how in ("assign", "update"):
                        text = (site.target if site.how == "update" else b"") + b"=" + text
                    replaced.append(Edit(site.start, site.end, text))
                case "choice":
                    choice = self._sites.choices[place]
                    wraps.append(Wrap(choice.start, choice.end, *self._picked(number, spot, choice.cond)))
                case "copy":
                    copies += self._copies(number, spot, self._sites.functions[place])
                case _:
                    slots.setdefault(place, []).append(number)
        for place, numbers in slots.items():
            slot = self._sites.slots[place]
            wraps.append(Wrap(slot.start, slot.end, *self._around(numbers)))
        if begin and self._sites.main is not None:
            wraps.append(Wrap(self._sites.main, self._sites.main, b"".join(begin)))
        return weave(body, [*copies, *steps, *wraps], replaced, nested=True)

    def _around(self, numbers: list[int]) -> tuple[bytes, bytes]:
        """What stands before and after a statement: insertions, a guard, another statement in its place."""
        before: list[bytes] = [b"{"]
        after: list[bytes] = []
        inner: list[bytes] = []
        closing: list[bytes] = []
        for number in numbers:
            spot = self._spots[number]
            key = spot.key
            side = before if key.where == "before" else after
            match key.role:
                case "guard":
                    inner.insert(0, b"if(" + self._evaluated(number, spot) + b")")
                case "jump":
                    side.append(b"if(" + self._evaluated(number, spot) + b")" + key.text)
                case "assignment":
                    side.append(key.text + b"=" + self._evaluated(number, spot) + b";")
                case "insertion":
                    side.append(b";".join(self._taken(number, spot)))
                case _:
                    first, last = self._taken(number, spot)
                    inner.append(first)
                    closing.insert(0, last)
        return b"".join(before + inner), b"\n" + b"".join(closing + after) + b"}"

    def _evaluated(self, number: int, spot: Spot) -> bytes:
        """An expression whose alternatives are computed, compared and, where they differ, forked."""
        n = b"%d" % number
        kind = spot.kind.encode("latin-1")
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
        lines = [b"\n({%s l2f_o;%s" % (spot.kind.encode("latin-1"), self._dispatch(number, spot))]
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
        head = one_line(self._sites.source[function.start : function.body[0] - 1])
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
