"""`completion`: the script that makes a shell complete commands, options and session ids."""

from __future__ import annotations

import click


@click.command(short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the completion script of a shell.

    \b
    bash:  eval "$(learn2fix completion bash)"      in ~/.bashrc
    zsh:   eval "$(learn2fix completion zsh)"       in ~/.zshrc
    fish:  learn2fix completion fish > ~/.config/fish/completions/learn2fix.fish
    """
    from click.shell_completion import get_completion_class

    from learn2fix.cli.app import app

    chosen = get_completion_class(shell)
    assert chosen is not None
    click.echo(chosen(app, {}, "learn2fix", "_LEARN2FIX_COMPLETE").source())
    return 0
