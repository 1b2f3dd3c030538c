"""The line to the board: links, serial ports and traces."""
