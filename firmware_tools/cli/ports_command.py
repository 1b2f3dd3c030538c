"""`aksen ports`: list the serial ports of this computer."""

from dataclasses import asdict

from solvers.foundation.command_line.app import JsonOption, print_json


def ports(as_json: JsonOption = False) -> None:
    """List the serial ports of this computer.

    Examples:
      aksen ports
    """
    from firmware_tools.line.serial_link import available_ports

    found = available_ports()
    if as_json:
        print_json({"ports": [asdict(port) for port in found]})
    elif not found:
        print("This computer has no serial port. Plug the adapter in, or use `hwsim aksen`.")
    width = max((len(port.device) for port in found), default=0)
    for port in found if not as_json else ():
        print(f"{port.device:{width}}  {port.description}")
