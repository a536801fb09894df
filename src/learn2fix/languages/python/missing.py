"""What a script looks for in vain: told from how it ends."""

from __future__ import annotations

import ast
import re

from learn2fix.errors import UsageError
from learn2fix.languages.arguments import Arguments
from learn2fix.languages.python.reading import asked_for, takes_arguments
from learn2fix.model import Ending, Outcome

NO_FILE = re.compile(r"FileNotFoundError: .*: '([^/']+)'\Z")
NO_VARIABLE = re.compile(r"KeyError: '(\w+)'\Z")


def refuse_missing(program: str, tree: ast.Module, outcome: Outcome, arguments: Arguments) -> list[str]:
    """Refuses a script that ends because it lacks arguments or a file; notes on what else it lacks."""
    if outcome.ending is not Ending.RAISED and (outcome.ending is not Ending.EXITED or outcome.status == 0):
        return []
    if file := NO_FILE.match(outcome.detail):
        raise UsageError(f"{program} opens {file[1]}", f"give it with --file {file[1]}=@FILE")
    if takes_arguments(tree) and not arguments.words:
        raise UsageError(
            f"{program} takes arguments", f'learn2fix fix --failing "3 4" -- {program} {{a}} {{b}}'
        )
    variable = NO_VARIABLE.match(outcome.detail)
    if variable and variable[1] in asked_for(tree):
        name = variable[1]
        return [f"{program} asks for the environment variable {name}: --env {name}=VALUE sets it."]
    return []
