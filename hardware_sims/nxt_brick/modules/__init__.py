"""Small modules of the firmware: the menu, sound."""
