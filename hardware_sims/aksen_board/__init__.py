"""The AKSEN board: a C515C with display, switches, motors and a boot loader on its serial line."""
