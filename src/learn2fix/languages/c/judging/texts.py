"""The texts that the engine compiles, apart from the candidates in them: declarations, counters, programs."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from learn2fix.languages.c.judging import instrument, prelude
from learn2fix.languages.c.judging.instrument import STEP, STEP_RUNTIME
from learn2fix.languages.c.judging.meta import Meta
from learn2fix.languages.c.judging.needless import blanked, zeros_of_arrays
from learn2fix.languages.c.judging.placing import STRUCTURE
from learn2fix.languages.c.judging.rendering import DATA, RUNTIME
from learn2fix.languages.c.judging.sites import Sites
from learn2fix.languages.c.judging.spots import Use
from learn2fix.languages.c.judging.weave import Wrap, weave
from learn2fix.languages.c.layout import once
from learn2fix.languages.c.syntax import parse
from learn2fix.model import Candidate, Edit

COUNTERS = b"unsigned long l2f_lines[%d];\n"


def _counters(source: bytes, count: int) -> bytes:
    return once(source, COUNTERS % count, b"extern " + COUNTERS % count)


class Texts:
    """Of one source file."""

    def __init__(self, source: bytes, sites: Sites, steps: list[Wrap], *, ours: bool) -> None:
        """`ours`: the standard headers are replaced by declarations of our own."""
        self.source, self._sites, self._steps = source, sites, steps
        self._zeros = zeros_of_arrays(source)
        self._ours = ours and prelude.replaceable(source)
        self._whole = prelude.without_includes(source) if self._ours else source
        self._body = blanked(self._whole, self._zeros)
        self._headers = prelude.included(source)
        self._words = prelude.words(self._body)
        self._preludes: dict[frozenset[str], bytes] = {}

    def meta(self, meta: Meta, only: set[Use] | None = None) -> bytes:
        runtime = once(self.source, DATA, b"") + RUNTIME
        declared = self._declared(runtime, meta.words() if self._ours else frozenset())
        return declared + b"\n" + meta.text(self._body, only)

    def original(self) -> tuple[bytes, int]:
        """The program, and for how many step counters it keeps when each ran last."""
        wraps = [
            replace(wrap, before=wrap.before.replace(STEP, b"l2f_lines[%d]=l2f_steps;%s" % (number, STEP)))
            for number, wrap in enumerate(self._steps)
        ]
        count = len(wraps)
        return self._declared(STEP_RUNTIME) + _counters(self.source, count + 1) + weave(
            self._body, wraps
        ), count

    def counting_lines(self) -> tuple[bytes, list[list[int]]]:
        """The program with counters of its statements, and the lines that each counter speaks for."""
        wraps, spoken = instrument.lines(self.source, "l2f_lines")
        head = self._declared(STEP_RUNTIME) + _counters(self.source, len(spoken) + 1)
        return head + weave(self._body, [*self._steps, *wraps]), spoken

    def alone(self, candidate: Candidate) -> bytes:
        """The patched program."""
        edits = candidate.edits
        body = self._body
        if any(edit.start <= end and start <= edit.end for edit in edits for start, end in self._zeros):
            body = self._whole
        more = frozenset(word for edit in edits for word in prelude.words(edit.text))
        if self._ours and any(self._about_includes(edit) for edit in edits):
            headers = prelude.included(candidate.apply(self.source))
            declared = prelude.declarations(headers, self._words | more, self._sites.declared).encode()
            return declared + STEP_RUNTIME + prelude.without_includes(weave(self.source, self._steps, edits))
        if any(STRUCTURE.search(self.source[e.start : e.end] + b" " + e.text) for e in edits):
            return self._declared(STEP_RUNTIME, more) + self._restructured(body, candidate)
        return self._declared(STEP_RUNTIME, more) + weave(body, self._steps, edits)

    def _restructured(self, body: bytes, candidate: Candidate) -> bytes:
        """Where statements begin and end may have changed: the loops are looked for once more.

        What stands around the changed functions or declarations is as it was.
        """
        edits = candidate.edits
        first, last = min(edit.start for edit in edits), max(edit.end for edit in edits)
        touched = [(start, end) for start, end in self._spans if start <= last and first <= end]
        low, high = min([first, *(a for a, _ in touched)]), max([last, *(b for _, b in touched)])
        moved = tuple(Edit(edit.start - low, edit.end - low, edit.text) for edit in edits)
        piece = replace(candidate, edits=moved).apply(body[low:high])
        counted = weave(piece, instrument.steps(parse(piece, self._sites.symbols.loops), STEP))
        around = [wrap for wrap in self._steps if wrap.end <= low or wrap.start >= high]
        return weave(body, around, [Edit(low, high, counted)])

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        """What stands at the top of the file: functions, declarations, directives."""
        return [(node.start, node.end) for node in parse(self._body).children]

    def _declared(self, runtime: bytes, more: frozenset[str] = frozenset()) -> bytes:
        if not self._ours:
            return runtime
        known = self._preludes.get(more)
        if known is None:
            text = prelude.declarations(self._headers, self._words | more, self._sites.declared)
            known = self._preludes[more] = text.encode()
        return known + runtime

    def _about_includes(self, edit: Edit) -> bool:
        if b"#" in edit.text:
            return True
        start = self.source.rfind(b"\n", 0, edit.start) + 1
        return prelude.INCLUDE.match(self.source, start) is not None
