"""Which candidates satisfy the requirements, and what each prints: thousands of candidates a second.

protocol   what every evaluator offers
rebuild    the reference: one compiler run a candidate
c          the fast one: all candidates of a C file in one process, forked where they diverge
python     all candidates of a Python file in few programs with switches, run in one warm interpreter
"""

from learn2fix.evaluation.c import CEvaluator
from learn2fix.evaluation.engine import EngineError
from learn2fix.evaluation.protocol import Evaluator, Judgement
from learn2fix.evaluation.python import PythonEvaluator
from learn2fix.evaluation.rebuild import RebuildEvaluator

__all__ = ["CEvaluator", "EngineError", "Evaluator", "Judgement", "PythonEvaluator", "RebuildEvaluator"]
