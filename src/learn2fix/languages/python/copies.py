"""Copies of a user's program with another text."""

from __future__ import annotations

from pathlib import Path

from learn2fix.sandbox.imports import absolute_text, package_of


def as_module(path: Path, text: bytes) -> bytes:
    """The text of a program that runs as a module of its own, outside of any package."""
    package = package_of(path.absolute())
    return absolute_text(text, package.name) if package is not None else text


def copied(path: Path, text: bytes, folder: Path) -> Path:
    """The copy in `folder`."""
    copy = folder / path.name
    copy.write_bytes(text)
    return copy
