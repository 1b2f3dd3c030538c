"""The rig of the thesis of 2010: cradle, tilt arm and pusher on a LEGO NXT brick."""
