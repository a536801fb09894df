"""`bench`: the group of all experiments."""

from __future__ import annotations

import click

from learn2fix.cli.experiments import codeflaws, folder_
from learn2fix.cli.measures import reach_, repair_, subjects_
from learn2fix.cli.seeded import seeded


@click.group(short_help="Run the experiments of the paper on many programs.")
def bench() -> None:
    """Run the experiments of the paper on many programs.

    A golden program answers the questions. What is run, and what the rows mean, is in docs/experiments.md.
    """


for command in (codeflaws, folder_, repair_, reach_, subjects_, seeded):
    bench.add_command(command)
