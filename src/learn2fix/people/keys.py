"""Reads single keys from a terminal, and lines from anything else."""

from __future__ import annotations

import codecs
import os
import select
import termios
import time
import tty
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol, TextIO

from learn2fix.errors import Interrupted

ENDED = "the input has ended"


SETTLED = 0.25
"""Seconds after which a single key counts as the answer: typing a word is faster."""
UNREAD = 1.0
"""Seconds within which nobody can have read a question: a key that continues the last word belongs to it."""


class Keys(Protocol):
    one_by_one: bool
    """Whether single keys are read; then a line can be asked for as well."""

    def key(self, prompt: str, keys: str) -> str:
        """What was typed: one of `keys` by itself, or a line. Raises Interrupted at the end of input."""

    def line(self, prompt: str = "") -> str:
        """A line, without its end."""


class LineKeys:
    """Not a terminal: each line is one reply."""

    one_by_one = False

    def __init__(self, source: TextIO, screen: TextIO) -> None:
        self._source, self._screen = source, screen

    def key(self, prompt: str, keys: str) -> str:
        return self.line(prompt)

    def line(self, prompt: str = "") -> str:
        self._screen.write(prompt)
        self._screen.flush()
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

    def __init__(self, fd: int, screen: TextIO, words: Collection[str] = ()) -> None:
        """`words` are those that people type instead of a key."""
        self._fd = fd
        self._screen = screen
        self._words = words
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._last = ""
        """The key that was pressed last, by itself."""

    def key(self, prompt: str, keys: str) -> str:
        """Drops what was typed before the prompt: it cannot answer a question nobody has seen."""
        with self._unbuffered(termios.TCSAFLUSH):
            # Prompt only once echo is off, or keys typed at once would show twice.
            self._echo(prompt)
            shown, text = time.monotonic(), ""
            while True:
                character = self._character()
                if character == "\x1b":
                    self._skip_sequence()
                elif character in "\r\n":
                    if text.strip():
                        self._last = ""
                        break
                elif not text and character in keys and not self._goes_on(character, shown):
                    text = self._edited(text, character)
                    if not select.select([self._fd], [], [], SETTLED)[0]:
                        self._last = character
                        break
                elif text or not character.isspace():
                    text = self._edited(text, character)
        self._echo("\n")
        return text.strip()

    def line(self, prompt: str = "") -> str:
        self._echo(prompt)
        text = ""
        with self._unbuffered():
            while (character := self._character()) not in "\r\n":
                text = self._edited(text, character)
        self._echo("\n")
        # "es" after a "y" is the rest of "yes", and no text that anybody wants to say.
        last, self._last = self._last, ""
        return self.line(prompt) if last and text and (last + text).lower() in self._words else text

    def _edited(self, text: str, character: str) -> str:
        """The text after one more key, on the screen as well."""
        if character in "\x7f\b":
            self._echo("\b \b" * bool(text))
            return text[:-1]
        if character == "\x15":  # Ctrl-U
            self._echo("\b \b" * len(text))
            return ""
        if not character.isprintable() and character != "\t":
            return text
        self._echo(character)
        return text + character

    def _goes_on(self, character: str, shown: float) -> bool:
        """Whether a key is part of the word that the key for the last question began."""
        begun = self._last + character
        soon = time.monotonic() - shown < UNREAD
        return bool(self._last) and soon and any(word.startswith(begun) for word in self._words)

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
    def _unbuffered(self, when: int = termios.TCSADRAIN) -> Iterator[None]:
        """Reads keys without Enter or echo; Ctrl-C still interrupts."""
        try:
            before = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd, when)
        except termios.error:
            raise Interrupted(ENDED) from None
        try:
            yield
        finally:
            with suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSADRAIN, before)


def keys_of(source: TextIO, screen: TextIO, words: Collection[str] = ()) -> Keys:
    try:
        if source.isatty():
            return TerminalKeys(source.fileno(), screen, words)
    except (OSError, ValueError):
        pass
    return LineKeys(source, screen)
