"""Shows a simulated board while it runs: as a picture, or as lines of JSON."""

from typing import TYPE_CHECKING, Any

from solvers.foundation.command_line.app import print_json, stderr

if TYPE_CHECKING:
    from hardware_sims.aksen_board.board import Board


class JsonLines:
    """Prints one JSON object whenever something that a person could see has changed."""

    def __init__(self) -> None:
        self._shown: dict[str, Any] = {}

    def show(self, board: "Board") -> None:
        """Print what is new."""
        state = board_state(board)
        if state != self._shown:
            self._shown = state
            print_json({"time_ms": board.now_us // 1000, **state})

    def __enter__(self) -> None:
        return

    def __exit__(self, *_: object) -> None:
        return


class TerminalPicture:
    """Draws display and LEDs on stderr."""

    def __init__(self) -> None:
        from rich.live import Live

        self._live = Live(console=stderr, auto_refresh=False)
        self._shown: dict[str, Any] = {}

    def show(self, board: "Board") -> None:
        """Draw anew if something has changed."""
        state = board_state(board)
        if state != self._shown:
            self._shown = state
            self._live.update(_picture(state), refresh=True)

    def __enter__(self) -> None:
        self._live.start()

    def __exit__(self, *_: object) -> None:
        self._live.stop()


def _picture(state: dict[str, Any]) -> Any:
    from rich.panel import Panel
    from rich.text import Text

    leds = " ".join("●" if lit else "○" for lit in state["leds"])
    motors = " ".join(f"{m['power']:2}{'+-'[m['direction']]}" for m in state["motors"])
    servos = " ".join(f"{width:4}" for width in state["servos_us"])
    out = "".join("01"[level] for level in state["digital_outputs"])
    light = "sends" if state["ir_sending"] else "dark"
    rows = "\n".join(f"│{line}│" for line in state["lcd"])
    text = (
        f"{rows}\nLEDs   {leds}\nmotors {motors}\nservos {servos} us\n"
        f"out    {out}\nir     {light}\n"
        f"mode   {state['mode_led']}\n"
        f"watch  {state['watch_events']} events"
    )
    return Panel(Text(text), title="AKSEN board", expand=False)


def board_state(board: "Board") -> dict[str, Any]:
    """Return what a person could see of the board."""
    devices = board.devices
    return {
        "lcd": list(board.lcd.lines),
        "leds": list(devices.leds),
        "motors": [{"power": m.power, "direction": m.direction} for m in devices.motors],
        "servos_us": list(devices.servos_us),
        "digital_outputs": list(devices.digital_outputs),
        "ir_sending": devices.is_sending_infrared,
        "running": board.is_running,
        "mode_led": board.mode_led,
        "watch_events": board.mcu.watch_event_count,
    }


def board_ending(board: "Board") -> dict[str, Any]:
    """Return how far the stack went and what the watches saw."""
    return {
        "time_ms": board.now_us // 1000,
        "stack_high_water": board.mcu.stack_high_water,
        "watch_events": [
            {
                "kind": event.kind.name.lower(),
                "pc": event.pc,
                "cycle": event.cycle,
                "address": event.address,
            }
            for event in board.mcu.watch_events()
        ],
    }
