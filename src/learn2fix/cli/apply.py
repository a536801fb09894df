"""`apply`: writes a patch into the user's file, atomically."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

import click

from learn2fix.cli.display import label_line, print_diff
from learn2fix.cli.opening import has, read_file
from learn2fix.cli.options import session_argument, user_store
from learn2fix.conversation.result import label_document
from learn2fix.edits.applying import by_file, put_in, taken_back
from learn2fix.edits.parts import shown_path
from learn2fix.errors import StoreError, UsageError
from learn2fix.model import Patch, digest
from learn2fix.people.escape import visible
from learn2fix.store import Saved, Store


@click.command(short_help="Write a patch into the program's source.")
@session_argument
@click.option("--patch", "patch_id", metavar="ID", help="Which patch.  [default: the first]")
@click.option("--dry-run", is_flag=True, help="Print the diff and change nothing.")
@click.option("--revert", is_flag=True, help="Take the patch out of the source again.")
def apply(session: str, patch_id: str | None, dry_run: bool, revert: bool) -> int:
    """Write a patch into the program's source; refused when the source has changed since.

    SESSION may also be the id of a patch.

    \b
    learn2fix apply triangle-1
    learn2fix apply triangle-1 --patch 3f9ac1d2
    learn2fix apply triangle-1 --revert
    """
    saved, patch = choose(user_store(), session, patch_id)
    if revert:
        click.echo(visible(take_back(saved)))
        return 0
    if dry_run:
        print_diff(patch.diff)
        return 0
    click.echo("These answers are what the patch rests on:", err=True)
    for label in saved.labels:
        click.echo(f"  {label_line(label_document(label))}", err=True)
    click.echo(visible(write_patch(saved, patch)))
    return 0


def write_patch(saved: Saved, patch: Patch) -> str:
    """Patches the source and returns a line that says so; refused when the source has changed."""
    found = read_sources(saved)
    if unchanged(saved, found):
        replace_files(saved, patched(saved, patch, found))
        return f"{named(saved, patch)}: {patch.description or f'patch {patch.id} applied'}"
    back = f"`learn2fix apply {saved.id} --revert` takes it out again"
    match applied(saved, found):
        case None:
            raise UsageError(
                f"{changes(saved, found)} since session {saved.id} began; nothing was written",
                f"`learn2fix show {patch.id}` prints the diff, for `git apply -3` or by hand",
            )
        case other, _ if other.candidate.edits != patch.candidate.edits:
            raise UsageError(
                f"patch {other.id} is applied to {named(saved, other)}; nothing was written", back
            )
    return f"{named(saved, patch)}: patch {patch.id} is applied already; {back}"


def take_back(saved: Saved) -> str:
    """Restores the source as it was when the session began, and returns a line that says so."""
    found = read_sources(saved)
    if unchanged(saved, found):
        return f"{saved.record.source}: no patch is applied"
    before = applied(saved, found)
    if before is None:
        raise UsageError(
            f"{changes(saved, found)} since session {saved.id} began; nothing was written",
            "`learn2fix show ID` prints the diff of a patch, for `git apply -R` or by hand",
        )
    patch, original = before
    replace_files(saved, original)
    return f"{named(saved, patch)}: patch {patch.id} is taken out again"


Contents = dict[str, bytes]
"""Files by their name in the session's record."""


def read_sources(saved: Saved) -> Contents:
    return {name: read_file(os.path.join(saved.record.directory, name)) for name in saved.record.sources}


def unchanged(saved: Saved, found: Contents) -> bool:
    return all(digest(found[name]) == known for name, known in saved.record.sources.items())


def changes(saved: Saved, found: Contents) -> str:
    names = [name for name, known in saved.record.sources.items() if digest(found[name]) != known]
    return f"{' and '.join(names)} {has(names)} changed"


def diffs(saved: Saved, patch: Patch) -> dict[str, str]:
    """The diff of each file that a patch changes."""
    if not saved.record.files:
        return {saved.record.source: patch.diff}
    folder = Path(saved.record.directory)
    return by_file(patch.diff, {name: shown_path(folder / name, folder) for name, _ in saved.record.files})


def named(saved: Saved, patch: Patch) -> str:
    """The files that a patch changes."""
    return ", ".join(diffs(saved, patch))


def patched(saved: Saved, patch: Patch, found: Contents) -> Contents:
    """The files that a patch changes, with it. They are as they were when it was made."""
    if not saved.record.files:
        return {saved.record.source: patch.candidate.apply(found[saved.record.source])}
    after = {name: put_in(diff, found[name]) for name, diff in diffs(saved, patch).items()}
    return {name: content for name, content in after.items() if content is not None}


def applied(saved: Saved, found: Contents) -> tuple[Patch, Contents] | None:
    """The patch that has been applied to the source, and what it changed as it was before."""
    for patch in saved.patches:
        before = {name: taken_back(diff, found[name]) for name, diff in diffs(saved, patch).items()}
        original = {name: content for name, content in before.items() if content is not None}
        if len(original) == len(before) and unchanged(saved, found | original):
            return patch, original
    return None


def choose(store: Store, name: str, patch_id: str | None) -> tuple[Saved, Patch]:
    try:
        saved = store.load(store.resolve(name))
    except StoreError as missing:
        try:
            return store.find_patch(name)
        except StoreError:
            raise missing from None
    return saved, pick(saved, patch_id)


def pick(saved: Saved, patch_id: str | None) -> Patch:
    """The patch with this id, or the first."""
    if not saved.patches:
        raise UsageError(f"session {saved.id} has no patch", f"`learn2fix repair {saved.id}` looks for one")
    if patch_id is None:
        return saved.patches[0]
    found = [patch for patch in saved.patches if patch.id.startswith(patch_id)]
    if len(found) != 1:
        choices = ", ".join(patch.id for patch in saved.patches)
        raise UsageError(f"session {saved.id} has no single patch {patch_id!r}", f"there are {choices}")
    return found[0]


def replace_files(saved: Saved, contents: Contents) -> None:
    """All of them or none."""
    paths = {Path(saved.record.directory, name): content for name, content in contents.items()}
    before = {path: path.read_bytes() for path in paths}
    done: list[Path] = []
    try:
        for path, content in paths.items():
            replace_file(path, content)
            done.append(path)
    except UsageError:
        for path in done:
            replace_file(path, before[path])
        raise


def replace_file(path: Path, content: bytes) -> None:
    """Replaces the file atomically; follows links and keeps permissions."""
    target = path.resolve()
    try:
        fd, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, stat.S_IMODE(target.stat().st_mode))
            os.replace(name, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}; it is as it was") from None
