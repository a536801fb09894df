"""The only composer: wires everything for one program."""

from learn2fix.session.options import Options
from learn2fix.session.result import Effort, Result
from learn2fix.session.session import Session, read_input

__all__ = ["Effort", "Options", "Result", "Session", "read_input"]
