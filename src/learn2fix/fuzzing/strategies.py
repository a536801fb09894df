"""Values of a shape, made by Hypothesis: small ones, with repetitions, empty and boundary cases among them.

A shape becomes a strategy, and the strategy a fixed number of examples, always the same. Which of them is
taken is up to the caller, so the seed of a session decides. Hypothesis is imported when the first is needed.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from typing import TYPE_CHECKING, Any

from learn2fix.domain.shapes import Form, Shape

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

EXAMPLES = 150
SMALL = 10
LONGEST = 3
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
STORAGE = "HYPOTHESIS_STORAGE_DIRECTORY"


@cache
def examples(shape: Shape) -> tuple[Any, ...]:
    """Small new values; numbers where nothing is known, as it is what most programs work on."""
    # Nothing is kept, and no folder appears where the user stands.
    os.environ.setdefault(STORAGE, os.path.join(tempfile.gettempdir(), "learn2fix-hypothesis"))
    from hypothesis import HealthCheck, Phase, given, seed, settings

    found: list[Any] = []

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy(shape))
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return tuple(found)


def strategy(shape: Shape) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    made = _some(shape)
    return st.one_of(st.none(), made) if shape.optional else made


def _some(shape: Shape) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    inner = [strategy(each) for each in shape.inner]
    item = inner[0] if inner else st.sampled_from(range(SMALL + 1))
    match shape.form:
        case Form.BOOL:
            return st.booleans()
        case Form.FLOAT:
            return st.sampled_from([tenth / 10 for tenth in range(10 * SMALL + 1)])
        case Form.TEXT:
            return st.text(st.sampled_from(ALPHABET), min_size=1, max_size=LONGEST)
        case Form.LIST:
            return st.lists(item, max_size=LONGEST)
        case Form.SET:
            return st.lists(item, min_size=1, max_size=LONGEST).map(lambda items: set(map(_hashable, items)))
        case Form.TUPLE if shape.varying:
            return st.lists(item, max_size=LONGEST).map(tuple)
        case Form.TUPLE:
            return st.tuples(*inner)
        case Form.DICT if shape.fields:
            # Of a fixed dictionary Hypothesis changes the order, too, and a record keeps its own.
            names = [name for name, _ in shape.fields]
            values = st.tuples(*(strategy(field) for _, field in shape.fields))
            return values.map(lambda row: dict(zip(names, row, strict=True)))
        case Form.DICT:
            keys, held = inner if len(inner) == 2 else (_some(Shape(Form.TEXT)), item)
            return st.dictionaries(keys.map(_hashable), held, max_size=LONGEST - 1)
        case _:
            return st.sampled_from(range(SMALL + 1))


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value
