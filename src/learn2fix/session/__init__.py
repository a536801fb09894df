"""The only composer: wires everything for one program."""

from learn2fix.session.options import Options
from learn2fix.session.result import Effort, Result, Risk
from learn2fix.session.session import Session, read_input

__all__ = ["Effort", "Options", "Result", "Risk", "Session", "read_input"]
