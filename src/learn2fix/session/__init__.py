"""The only composer: wires everything for one program."""

from learn2fix.conversation.options import Options
from learn2fix.conversation.result import Effort, Result
from learn2fix.session.session import Session, read_input, verb_of

__all__ = ["Effort", "Options", "Result", "Session", "read_input", "verb_of"]
