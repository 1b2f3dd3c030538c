"""Builds firmware for the AKSEN board, flashes it over a serial line and talks to the board."""
