"""`puzzle cube prepare`: build the tables now rather than at the first hard question."""

from solvers.foundation.command_line.app import JsonOption, print_json


def prepare(as_json: JsonOption = False) -> None:
    """Compile the search and build all tables, unless they are there already.

    Examples:
      puzzle cube prepare
    """
    from solvers.cli.cube.loading import load_all
    from solvers.foundation.table_cache import cache_directory

    load_all()
    if as_json:
        print_json({"prepared": True, "directory": str(cache_directory())})
    else:
        print(f"The tables are in {cache_directory()}.")
