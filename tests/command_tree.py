"""The commands of a command line, imported."""

import click


def subcommands(command: click.Command) -> dict[str, click.Command]:
    """Return a group's commands by name; a command that is no group has none."""
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {name: each for name, each in found.items() if each is not None}
