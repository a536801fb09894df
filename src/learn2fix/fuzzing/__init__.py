"""Inputs near the failing ones: the paper's mutations, more of them, and what inputs usually look like."""

from learn2fix.fuzzing.contract import Contract, infer
from learn2fix.fuzzing.corpus import Corpus, executed
from learn2fix.fuzzing.fuzzer import Fuzzer, Space
from learn2fix.fuzzing.light import Hangs, Light, at_least
from learn2fix.fuzzing.mutations import COPY, EXTENDED, INTERESTING, PAPER, Operator
from learn2fix.fuzzing.wide import constants, corners, wide
from learn2fix.fuzzing.words import compared_letters, compared_numbers, compared_words

__all__ = [
    "COPY",
    "EXTENDED",
    "INTERESTING",
    "PAPER",
    "Contract",
    "Corpus",
    "Fuzzer",
    "Hangs",
    "Light",
    "Operator",
    "Space",
    "at_least",
    "compared_letters",
    "compared_numbers",
    "compared_words",
    "constants",
    "corners",
    "executed",
    "infer",
    "wide",
]
