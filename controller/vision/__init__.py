"""Vision: frames, the grid of stickers in them, and the cube that the stickers show."""

import os
from typing import Final

MOST_PIXELS: Final = 64_000_000
"""In a picture from a file: more than most telephones take."""

# What OpenCV and FFmpeg write to the terminal by themselves, the errors say in a sentence.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

# More threads take a third more of the processor's time in all, which a driver shares.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# OpenCV reads its limits for pictures once, when it is loaded.
for _limit in ("PIXELS", "WIDTH", "HEIGHT"):
    os.environ.setdefault(f"OPENCV_IO_MAX_IMAGE_{_limit}", str(MOST_PIXELS))
