"""Text to named, typed values and back, exactly; what a program printed to numbers."""

from learn2fix.domain.inputs import Domain, Layout, Lens, call_domain, words_domain
from learn2fix.domain.numbers import format_number, parse_number
from learn2fix.domain.outputs import output_values, output_variables
from learn2fix.domain.ranges import Range, infer_ranges, parse_lengths, parse_ranges

__all__ = [
    "Domain",
    "Layout",
    "Lens",
    "Range",
    "call_domain",
    "format_number",
    "infer_ranges",
    "output_values",
    "output_variables",
    "parse_lengths",
    "parse_number",
    "parse_ranges",
    "words_domain",
]
