"""Runs untrusted code and always returns an Outcome."""

from learn2fix.sandbox.core import Sandbox
from learn2fix.sandbox.layers import meets
from learn2fix.sandbox.observe import Report, probe
from learn2fix.sandbox.values import COMPILER_LIMITS, NO_SURROUNDINGS, Limits, Program, Surroundings
from learn2fix.sandbox.worker import Worker

__all__ = [
    "COMPILER_LIMITS",
    "NO_SURROUNDINGS",
    "Limits",
    "Program",
    "Report",
    "Sandbox",
    "Surroundings",
    "Worker",
    "meets",
    "probe",
]
