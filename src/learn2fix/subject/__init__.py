"""A program of any kind, built and ready to be run: `open_subject` says which one a PROGRAM means."""

from learn2fix.subject.build import BuildOptions
from learn2fix.subject.c import CSubject
from learn2fix.subject.executable import ExecutableSubject
from learn2fix.subject.opening import open_subject
from learn2fix.subject.protocol import Subject
from learn2fix.subject.proving import prove_repeatable
from learn2fix.subject.python import PythonSubject
from learn2fix.subject.undefined import Undefined

__all__ = [
    "BuildOptions",
    "CSubject",
    "ExecutableSubject",
    "PythonSubject",
    "Subject",
    "Undefined",
    "open_subject",
    "prove_repeatable",
]
