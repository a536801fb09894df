"""What the engine leaves out of a program because C does not need it."""

from __future__ import annotations

from contextlib import closing

import pytest
from tests.responses import texts

from evaluator_conformance import change, need
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.needless import blanked, without_parameter_sizes, zeros_of_arrays
from learn2fix.model import Input


@pytest.mark.parametrize(
    ("source", "left"),
    [
        (b"int a[9]={0};", b"int a[9]    ;"),
        (b"static long a[2][3] = { 0 }, n = 4;", b"static long a[2][3]        , n = 4;"),
        (b"int a[]={0};", b"int a[]={0};"),
        (b"int a[3]={1};", b"int a[3]={1};"),
        (b"int n=0;", b"int n=0;"),
        (b"int f(void){int a[3]={0};return a[0];}", b"int f(void){int a[3]={0};return a[0];}"),
    ],
)
def test_zeros_are_left_out_where_they_say_nothing(source: bytes, left: bytes) -> None:
    assert blanked(source, zeros_of_arrays(source)) == left


def test_sizes_of_parameters_are_left_out_and_no_others() -> None:
    assert without_parameter_sizes(b"int f(int n,int a[n]){int b[n];}") == b"int f(int n,int a[ ]){int b[n];}"


TABLE = (
    b'#include <stdio.h>\nint t[50]={0};\nint main(void){int n;scanf("%d",&n);printf("%d",t[0]+n);return 0;}'
)


def test_a_change_of_what_is_left_out_counts() -> None:
    with closing(CEvaluator(TABLE)) as evaluator:
        evaluator.add(
            [change(TABLE, b"{0}", b"{7}"), change(TABLE, b"={0}", b""), change(TABLE, b"+n", b"+n+7")]
        )
        assert texts(evaluator.original([Input("3")])) == ["3"]
        assert evaluator.judge([need("3", "10")]).survivors == (0, 2)
        assert evaluator.judge([need("3", "3")]).survivors == (1,)
