"""Who answers questions (terminal, file, golden program), and the loop that drives a conversation."""

from learn2fix.people.answers_file import AnswersFile
from learn2fix.people.drive import drive
from learn2fix.people.escape import visible
from learn2fix.people.golden import Golden
from learn2fix.people.protocol import Context, Exchange, Feedback, Person, answer_to
from learn2fix.people.terminal import Terminal

__all__ = [
    "AnswersFile",
    "Context",
    "Exchange",
    "Feedback",
    "Golden",
    "Person",
    "Terminal",
    "answer_to",
    "drive",
    "visible",
]
