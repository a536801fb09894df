"""`demo`: a small bug and a simulated reporter, from the first question to the patch."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path

import click

from learn2fix.cli.options import json_option, options_of

SEED = 1


@click.command(short_help="Watch a small bug being found and fixed.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="Another seed asks other questions.")
@json_option
def demo(seed: int, as_json: bool) -> int:
    """Watch a small bug being found and fixed: Steve's triangle, where 2 2 2 is called isosceles.

    A simulated reporter, who runs a correct program in secret, answers the questions. Nothing is kept.
    """
    from learn2fix.cli.opening import Answerer, create
    from learn2fix.cli.progress import Watcher
    from learn2fix.cli.running import person, talk
    from learn2fix.cli.watchdog import Watchdog
    from learn2fix.store import Store

    watcher = Watcher(sys.stderr)
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="learn2fix-demo-") as folder:
        for name in ("triangle.c", "golden.c"):
            with resources.as_file(resources.files("learn2fix.cli") / "demo_files" / name) as path:
                shutil.copy(path, folder)
        os.chdir(folder)
        try:
            watcher.say(
                "triangle.c says 2 (isosceles) for the triangle 2 2 2. It should say 1 (equilateral)."
            )
            watcher.say('learn2fix fix triangle.c --failing "2 2 2" --expected 1')
            options = options_of({"seed": seed, "expected": "1"})
            answerer = Answerer(golden=str(Path(folder, "golden.c")))
            with Watchdog(options.timeout) as watchdog, person(answerer, options, watcher) as someone:
                store = Store(Path(folder, "home"))
                session, held = create(store, ("triangle.c",), ("2 2 2",), options, answerer, watcher)
                with held, session:
                    return talk(session, held, someone, watcher, as_json, watchdog, advise=False)
        finally:
            os.chdir(before)
