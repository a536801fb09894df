"""learn2fix: ask a person a few questions about a bug, learn when it shows, and repair the program."""

__version__ = "0.1.0"
