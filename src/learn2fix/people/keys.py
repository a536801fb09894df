"""Reads single keys from a terminal, and lines from anything else."""

from __future__ import annotations

import codecs
import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol, TextIO

from learn2fix.errors import Interrupted

ENDED = "the input has ended"


class Keys(Protocol):
    one_by_one: bool
    """Whether single keys are read; then a line can be asked for as well."""

    def key(self, prompt: str) -> str:
        """What was typed: one character, or a whole line. Raises Interrupted at the end of input."""

    def line(self) -> str:
        """A line, without its end."""


class LineKeys:
    """Not a terminal: each line is one reply."""

    one_by_one = False

    def __init__(self, source: TextIO, screen: TextIO) -> None:
        self._source, self._screen = source, screen

    def key(self, prompt: str) -> str:
        self._screen.write(prompt)
        self._screen.flush()
        return self.line()

    def line(self) -> str:
        try:
            line = self._source.readline()
        except (OSError, ValueError):  # closed under us
            line = ""
        if not line:
            raise Interrupted(ENDED)
        return line.rstrip("\r\n")


class TerminalKeys:
    """A terminal: keys take effect at once. Writes no escape sequences, so dumb terminals work too."""

    one_by_one = True

    def __init__(self, fd: int, screen: TextIO) -> None:
        self._fd = fd
        self._screen = screen
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def key(self, prompt: str) -> str:
        with self._unbuffered():
            # Prompt only once echo is off, or keys typed at once would show twice.
            self._echo(prompt)
            while True:
                character = self._character()
                if character == "\x1b":
                    self._skip_sequence()
                elif character.isprintable() and not character.isspace():
                    return character

    def line(self) -> str:
        text = ""
        with self._unbuffered():
            while (character := self._character()) not in "\r\n":
                if character in "\x7f\b":
                    if text:
                        text = text[:-1]
                        self._echo("\b \b")
                elif character == "\x15":  # Ctrl-U
                    self._echo("\b \b" * len(text))
                    text = ""
                elif character.isprintable() or character == "\t":
                    text += character
                    self._echo(character)
        self._echo("\n")
        return text

    def _skip_sequence(self) -> None:
        """Skips the rest of an escape sequence: an arrow or function key is no answer."""
        if not select.select([self._fd], [], [], 0.05)[0]:
            return  # Escape itself
        character = self._character()
        if character == "[":
            while not "@" <= self._character() <= "~":
                pass
        elif character == "O":
            self._character()

    def _character(self) -> str:
        while True:
            try:
                data = os.read(self._fd, 1)
            except OSError:  # the terminal is gone
                data = b""
            if data in (b"", b"\x04"):  # Ctrl-D
                raise Interrupted(ENDED)
            if character := self._decoder.decode(data):
                return character

    def _echo(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()

    @contextmanager
    def _unbuffered(self) -> Iterator[None]:
        """Reads keys without Enter or echo; Ctrl-C still interrupts."""
        try:
            before = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd, termios.TCSADRAIN)
        except termios.error:
            raise Interrupted(ENDED) from None
        try:
            yield
        finally:
            with suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSADRAIN, before)


def keys_of(source: TextIO, screen: TextIO) -> Keys:
    try:
        if source.isatty():
            return TerminalKeys(source.fileno(), screen)
    except (OSError, ValueError):
        pass
    return LineKeys(source, screen)
