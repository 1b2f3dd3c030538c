"""System calls 13 to 19: the screen. The first drawing of a program clears it."""

from hardware_sims.nxt_firmware import statuses
from hardware_sims.nxt_vm.codes import DONE
from hardware_sims.nxt_vm.drawing import Screen, draw_picture
from hardware_sims.nxt_vm.syscalls.call import Call, CallContext

CLEAR_FIRST = 3
WHITE = 4
REDRAW_BACKGROUND = 1


def _screen(context: CallContext) -> Screen:
    return Screen(context.peripherals.display[0]["normal"])


def _start(context: CallContext, options: int) -> Screen:
    """Return the screen, cleared if it is asked for or if nothing was drawn yet."""
    screen = _screen(context)
    if options & CLEAR_FIRST or not context.draws:
        screen.clear()
        context.peripherals.display[0]["update_mask"] = 0
    context.draws = True
    context.peripherals.display[0]["update_mask"] |= REDRAW_BACKGROUND
    return screen


def restore(context: CallContext) -> None:
    """Give the screen back to the menu."""
    if context.draws:
        context.draws = False
        _screen(context).clear()
        context.peripherals.display[0]["update_mask"] = REDRAW_BACKGROUND


def draw_text(call: Call, context: CallContext) -> int:
    """DrawText: result, point, text, options."""
    x, y = call.point(1)
    _start(context, call.long(3)).text(x, y, call.text(2))
    call.set_byte(0, DONE)
    return DONE


def draw_point(call: Call, context: CallContext) -> int:
    """DrawPoint: result, point, options."""
    options = call.long(2)
    _start(context, options).point(*call.point(1), not options & WHITE)
    call.set_byte(0, DONE)
    return DONE


def draw_line(call: Call, context: CallContext) -> int:
    """DrawLine: result, point, point, options."""
    options = call.long(3)
    _start(context, options).line(*call.point(1), *call.point(2), not options & WHITE)
    call.set_byte(0, DONE)
    return DONE


def draw_circle(call: Call, context: CallContext) -> int:
    """DrawCircle: result, centre, radius, options."""
    options = call.long(3)
    _start(context, options).circle(*call.point(1), call.byte(2), not options & WHITE)
    call.set_byte(0, DONE)
    return DONE


def draw_rectangle(call: Call, context: CallContext) -> int:
    """DrawRect: result, corner, width and height, options."""
    options = call.long(3)
    _start(context, options).rectangle(*call.point(1), *call.point(2), not options & WHITE)
    call.set_byte(0, DONE)
    return DONE


def draw_picture_file(call: Call, context: CallContext) -> int:
    """DrawPicture: result, point, file name, numbers for it, options."""
    file = context.peripherals.files.lookup(call.text(2))
    if file is None or not file.is_linear:
        missing = statuses.FILE_NOT_FOUND if file is None else statuses.NOT_A_LINEAR_FILE
        call.set_byte(0, missing)
        return DONE
    data = call.array(3)
    numbers = [
        int.from_bytes(data[at : at + 4], "little", signed=True) for at in range(0, len(data), 4)
    ]
    screen = _start(context, call.long(4))
    call.set_byte(0, draw_picture(screen, bytes(file.data), *call.point(1), numbers))
    return DONE


def set_screen_mode(call: Call, context: CallContext) -> int:
    """SetScreenMode: result, mode: 0 gives the screen back, 1 clears it."""
    if call.byte(1) == 0:
        restore(context)
    elif call.byte(1) == 1:
        _screen(context).clear()
    call.set_byte(0, DONE)
    return DONE
